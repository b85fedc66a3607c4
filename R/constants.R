# What is read once, when the package is loaded: the numbers and the tables that are defined in
# C (src/constants.h, src/kernel.c, src/measure.c), by name.

session <- new.env(parent = emptyenv())

# "ok", "ill_posed", ...: what a status of the numeric core means.
status_name <- function(status) {
  codes <- session$constants$status
  names(codes)[match(status, codes)]
}

tolerance <- function(name) session$constants$tolerance[[name]]
