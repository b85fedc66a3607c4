library(testthat)
library(sparserls)

# On CRAN, where a check must be short, a minute's choice: every algorithm against refits, and what
# users are told. `make test` and .ci/run have all files.
short <- c(
  "axis", "basis", "basis-selection", "basis-sizes", "by-output", "cv-rls", "derivatives",
  "diagnosis", "family", "folds", "formula", "gaps", "greedyrls", "holdout-exact",
  "ill-conditioned", "interval-table", "invariance", "jitter", "kernel-table", "kernels",
  "lambda-grid", "loss-table", "measure-table", "nearly-constant", "newdata", "nist",
  "odd-columns", "odd-problems", "product", "random-stream", "refuse-arguments",
  "refuse-basis", "refuse-folds", "refuse-formula", "refuse-interval", "refuse-kernel",
  "refuse-lambda", "refuse-newdata", "refuse-x", "refuse-y", "repeats", "rls",
  "rls2-published", "survival-recipe", "tidy", "unknown-levels", "widths"
)
on_cran <- !identical(Sys.getenv("NOT_CRAN"), "true")
test_check("sparserls", filter = if (on_cran) sprintf("^(%s)$", paste(short, collapse = "|")))
