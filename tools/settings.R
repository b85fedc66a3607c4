# read_settings(): what the command line says as name=value, and the defaults of the rest; one whose
# default is a number is a number.

read_settings <- function(...) {
  settings <- list(...)
  for (given in grep("=", commandArgs(trailingOnly = TRUE), value = TRUE)) {
    name <- sub("=.*", "", given)
    value <- sub("^[^=]*=", "", given)
    if (!name %in% names(settings)) {
      stop("no setting is called ", name, ", only ", toString(names(settings)))
    }
    if (is.numeric(settings[[name]])) {
      value <- suppressWarnings(as.numeric(value))
      if (is.na(value)) stop(name, " must be a number, not ", given)
    }
    settings[[name]] <- value
  }
  settings
}
