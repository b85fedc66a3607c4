# Runs the tests against the installed package; the last line counts expectations, an error being
# one that failed. `numbers` leaves out the files test-errors-*.R: what they look at are messages,
# which no BLAS changes.  Usage: Rscript tools/run-tests.R [all | numbers]

Sys.setenv(TESTTHAT_PARALLEL = "false", NOT_CRAN = "true")
cat("R ", format(getRversion()), ", BLAS ", extSoftVersion()[["BLAS"]], "\n", sep = "")

# What the package says to its users is looked at by tests that expect it, and noise elsewhere.
results <- as.data.frame(suppressMessages(testthat::test_dir(
  "tests/testthat",
  package = "sparserls", load_package = "installed",
  filter = if ("numbers" %in% commandArgs(trailingOnly = TRUE)) "^(?!errors-)", perl = TRUE,
  reporter = testthat::CheckReporter, stop_on_failure = FALSE
), classes = "sparserls_message"))
passed <- sum(results$passed)
failed <- sum(results$failed) + sum(results$error)
skipped <- sum(results$skipped)

cat(sprintf("%d passed, %d failed, %d skipped\n", passed, failed, skipped))
if (failed > 0 || passed == 0) quit(status = 1)
