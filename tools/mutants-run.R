# Runs the tests of files, one after the other, until one fails: the process ends with status 1
# then, and its last line says which. Where there is prlimit, a file that takes more seconds of the
# processor than it is given is ended by the system; seconds by the clock say little on a busy
# machine.
# Usage: Rscript tools/mutants-run.R file=seconds ...
source("tools/run-file.R")
pairs <- strsplit(commandArgs(trailingOnly = TRUE), "=")
limits <- stats::setNames(as.numeric(vapply(pairs, `[`, "", 2)), vapply(pairs, `[`, "", 1))

FirstFailure <- R6::R6Class("FirstFailure", inherit = testthat::SilentReporter, public = list(
  add_result = function(context, test, result) {
    if (inherits(result, c("expectation_failure", "expectation_error"))) {
      where <- if (length(test) && nzchar(test)) test else "(before its tests)"
      write(paste0("\nkilled by ", running, ": ", where), stderr())
      quit(save = "no", status = 1, runLast = FALSE)
    }
    super$add_result(context, test, result)
  }
))

for (running in names(limits)) {
  used <- sum(proc.time()[c("user.self", "sys.self")])
  if (nzchar(Sys.which("prlimit"))) {
    system(sprintf("prlimit --pid %d --cpu=%d:", Sys.getpid(), ceiling(used + limits[[running]])))
  }
  write(paste("\nrunning", running), stderr())
  run_file(running, FirstFailure)
}
