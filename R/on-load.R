# What happens when the package is loaded.

# Calls `register` when the package `pkg` is loaded, now if it is.
when_loaded <- function(pkg, register) {
  setHook(packageEvent(pkg, "onLoad"), register)
  if (isNamespaceLoaded(pkg)) register()
}

.onLoad <- function(libname, pkgname) {
  session$pid <- Sys.getpid()
  session$constants <- .Call(ffi_constants)
  # An invalid option must not keep the package from loading: the first problem reports it.
  tryCatch(use_blas(), sparserls_error = function(e) NULL)
  session$kernels <- c(.Call(ffi_kernel_table), r_kernels)
  when_loaded("marginaleffects", register_marginaleffects)
  when_loaded("parsnip", register_parsnip)
  when_loaded("FastKRR", register_krr)
  when_loaded("mlr3", register_mlr3)
}
