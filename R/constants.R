# What is read once, when the package is loaded: the numbers and the tables that are defined in
# C (src/constants.h, src/kernel.c, src/measure.c), by name.

session <- new.env(parent = emptyenv())

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

# "ok", "ill_posed", ...: what a status of the numeric core means.
status_name <- function(status) {
  codes <- session$constants$status
  names(codes)[match(status, codes)]
}

# The code of a hold-out form, "update" or "retrain".
form_code <- function(name) session$constants$form[[name]]

tolerance <- function(name) session$constants$tolerance[[name]]
