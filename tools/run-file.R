# run_file(): the tests of one file, by its name without test- and .R, against the installed
# package, as a list of its counts and of what its report says. What the package says to its users
# is looked at by tests that expect it, and noise elsewhere. Random numbers are the same in every
# run, whichever process a file is in.
Sys.setenv(TESTTHAT_PARALLEL = "false", NOT_CRAN = "true")

# Helpers are read once in a process; what a file assigns stays in an environment of its own.
helpers <- NULL

run_file <- function(file, reporter = testthat::CheckReporter) {
  if (is.null(helpers)) {
    helpers <<- testthat::test_env("sparserls")
    testthat::source_test_helpers("tests/testthat", helpers)
  }
  set.seed(1)
  said <- utils::capture.output(results <- as.data.frame(suppressMessages(testthat::test_dir(
    "tests/testthat", filter = sprintf("^%s$", file), package = "sparserls",
    load_package = "installed", reporter = reporter$new(), stop_on_failure = FALSE, env = helpers,
    load_helpers = FALSE
  ), classes = "sparserls_message")))
  list(said = said, warned = sum(results$warning), counts = c(
    passed = sum(results$passed), failed = sum(results$failed) + sum(results$error),
    skipped = sum(results$skipped)
  ))
}

test_files <- function() {
  sub("^test-(.*)[.]R$", "\\1", list.files("tests/testthat", "^test-.*[.]R$"))
}
