# Installs what is missing into the first library of R_LIBS: the packages that DESCRIPTION requires,
# and those named as arguments.  Usage: Rscript tools/install-deps.R [package ...]

fields <- read.dcf("DESCRIPTION", fields = c("Depends", "Imports", "LinkingTo"))
required <- sub("[[:space:]]*\\(.*", "", trimws(unlist(strsplit(fields[!is.na(fields)], ","))))
wanted <- setdiff(c(required, commandArgs(trailingOnly = TRUE)), c("R", ""))
missing <- Filter(function(p) system.file(package = p) == "", unique(wanted))

if (length(missing) > 0) {
  if (identical(getOption("repos")[["CRAN"]], "@CRAN@")) {
    options(repos = c(CRAN = "https://cloud.r-project.org"))
  }
  cat("Installing", paste(missing, collapse = ", "), "into", .libPaths()[1], "\n")
  install.packages(missing, lib = .libPaths()[1], Ncpus = 2L, quiet = TRUE)
  failed <- Filter(function(p) system.file(package = p) == "", missing)
  if (length(failed) > 0) {
    stop("could not install: ", paste(failed, collapse = ", "), call. = FALSE)
  }
}
