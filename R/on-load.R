# Calls `register` when the package `pkg` is loaded, now if it is.
when_loaded <- function(pkg, register) {
  setHook(packageEvent(pkg, "onLoad"), register)
  if (isNamespaceLoaded(pkg)) register()
}
