# Runs the tests against the installed package, file by file in two processes; the last line counts
# expectations, an error being one that failed. `numbers` leaves out the files test-errors-*.R: what
# they look at are messages, which no BLAS changes. Files that are named, without test- and .R, run
# in this process, one after the other.
# Usage: Rscript tools/run-tests.R [all | numbers | NAME ...]

Sys.setenv(TESTTHAT_PARALLEL = "false", NOT_CRAN = "true")
cat("R ", format(getRversion()), ", BLAS ", extSoftVersion()[["BLAS"]], "\n", sep = "")

# A list of the counts of one file, and what its report says. What the package says to its users is
# looked at by tests that expect it, and noise elsewhere. Random numbers are the same in every run,
# whichever process a file is in.
run_file <- function(file) {
  set.seed(1)
  said <- utils::capture.output(results <- as.data.frame(suppressMessages(testthat::test_dir(
    "tests/testthat", filter = sprintf("^%s$", file), package = "sparserls",
    load_package = "installed", reporter = testthat::CheckReporter, stop_on_failure = FALSE
  ), classes = "sparserls_message")))
  list(said = said, warned = sum(results$warning), counts = c(
    passed = sum(results$passed), failed = sum(results$failed) + sum(results$error),
    skipped = sum(results$skipped)
  ))
}

files <- sub("^test-(.*)[.]R$", "\\1", list.files("tests/testthat", "^test-.*[.]R$"))
wanted <- setdiff(commandArgs(trailingOnly = TRUE), "all")
if (length(wanted) == 0 || "numbers" %in% wanted) {
  if (length(wanted) > 0) files <- files[!startsWith(files, "errors-")]
  workers <- parallel::makePSOCKcluster(2)
  results <- parallel::clusterApplyLB(workers, files, run_file)
  parallel::stopCluster(workers)
} else {
  files <- match.arg(wanted, files, several.ok = TRUE)
  results <- lapply(files, run_file)
}

counts <- rowSums(vapply(results, `[[`, numeric(3), "counts"))
for (i in seq_along(files)) {
  result <- results[[i]]
  if (result$warned > 0 || any(result$counts[c("failed", "skipped")] > 0)) {
    writeLines(c(paste("==", files[i]), result$said))
  }
}
cat(sprintf("%d passed, %d failed, %d skipped\n", counts["passed"], counts["failed"],
            counts["skipped"]))
if (counts["failed"] > 0 || counts["passed"] == 0) quit(status = 1)
