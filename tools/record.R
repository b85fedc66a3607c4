# record(): keeps what a check has found, one file per check in checks/, as fields that read.dcf()
# reads. What stands there is what the last run said, with its date; `make promises` shows it.
# Usage: Rscript tools/record.R NAME field=value ..., or record(NAME, field = value, ...), with the
# fields
#   command   what was run, as it can be typed in a fresh clone
#   count     how much was looked at, with its unit: "50000 calls"
#   findings  how many of them contradict the promise: 0 is green
#   note      what is not covered, or why a finding is none; may be left out

record <- function(name, ...) {
  fields <- list(...)
  stopifnot(
    grepl("^[a-z0-9-]+$", name), c("command", "count", "findings") %in% names(fields),
    names(fields) %in% c("command", "count", "findings", "note"),
    grepl("^[0-9]+$", fields$findings)
  )
  fields$date <- format(Sys.Date())
  fields$with <- sprintf("R %s, %s", getRversion(), R.version$platform)
  dir.create("checks", showWarnings = FALSE)
  write.dcf(as.data.frame(fields), file.path("checks", paste0(name, ".dcf")))
}

# As a script, not where it is sourced.
if (sys.nframe() == 0) {
  args <- commandArgs(trailingOnly = TRUE)
  pairs <- regmatches(args[-1], regexpr("=", args[-1]), invert = TRUE)
  fields <- stats::setNames(lapply(pairs, `[`, 2), vapply(pairs, `[`, "", 1))
  do.call(record, c(args[1], fields))
}
