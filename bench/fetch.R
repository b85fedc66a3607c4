# Public data as their packages hold them, or the folder SPARSERLS_DATA (by default ../shared/data).
# All that source this file have set `here`, their own folder.

shared <- function(name, ...) {
  read.csv(file.path(Sys.getenv("SPARSERLS_DATA", file.path(here, "..", "..", "shared", "data")),
                     paste0(name, ".csv.xz")), ...)
}
of_package <- function(package, name) {
  if (!requireNamespace(package, quietly = TRUE)) stop("the data need the package ", package)
  if (name %in% getNamespaceExports(package)) return(getExportedValue(package, name))
  place <- new.env()
  utils::data(list = name, package = package, envir = place)
  if (exists(name, place, inherits = FALSE)) get(name, place) else
    getExportedValue(package, name)
}
