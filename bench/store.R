# Stored results: small CSV files in inst/extdata, which the articles show. Their first lines, with a
# #, say what made them. The scripts that source this file have set `here`, their own folder.

store <- function(table, name, what, digits = 5) {
  file <- file.path(here, "..", "inst", "extdata", name)
  dir.create(dirname(file), showWarnings = FALSE)
  writeLines(paste("#", c(what, provenance())), file)
  suppressWarnings(write.table(format(table, digits = digits, trim = TRUE), file, append = TRUE,
                               sep = ",", row.names = FALSE, quote = FALSE))
}

provenance <- function() {
  cpu <- sub(".*: ", "", grep("^model name", readLines("/proc/cpuinfo"), value = TRUE)[1])
  c(
    sprintf("%s: Rscript bench/%s %s", format(Sys.Date()),
            basename(sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE))),
            paste(commandArgs(TRUE), collapse = " ")),
    sprintf("sparserls %s, R %s, BLAS %s, one thread; %s", packageVersion("sparserls"),
            getRversion(), basename(dirname(extSoftVersion()[["BLAS"]])), cpu)
  )
}
