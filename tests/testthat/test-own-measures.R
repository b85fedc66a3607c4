# A user's measure under future::plan(): the function is called here, workers predict at most.
skip_if_not_installed("future")
train <- prostate[prostate$train, -10]

calls <- new.env()
power <- 1.5
noisy <- function(y, yhat, weights) {
  calls$made <- c(calls$made, length(y))
  mean(weights * abs(y - yhat)^power) * runif(1, 0.9, 1.1)
}

# From the same seed with and without a plan: values, calls, and where the random stream ends. How
# often something was shared.
same_under_a_plan <- function(code) {
  code <- substitute(code)
  env <- parent.frame()
  run <- function() {
    calls$made <- integer()
    set.seed(12)
    value <- suppressMessages(eval(code, env))
    list(value = value, made = calls$made, stream = runif(1))
  }
  alone <- run()
  calls$used <- 0
  suppressMessages(trace("run_on_workers", bquote(local(calls$used <- calls$used + 1,
                                                     list(calls = .(calls)))),
                         print = FALSE, where = asNamespace("sparserls")))
  on.exit(suppressMessages(untrace("run_on_workers", where = asNamespace("sparserls"))))
  old <- future::plan(future::multisession, workers = 2)
  on.exit(future::plan(old), add = TRUE)
  together <- run()
  expect_gt(length(alone$made), 0)
  expect_identical(together, alone)
  calls$used
}

test_that("a search stays here, folds of honest refits are shared; results are the same", {
  skip_on_cran()
  expect_identical(same_under_a_plan(
    cv.sparserls(lpsa ~ ., train, basis_sizes(c(5, 10)), kernel_gaussian(c(0.01, 0.1, 1)),
                 nfolds = 5, keep = TRUE, outer = 3, type.measure = noisy)
  ), 0)
  expect_gt(same_under_a_plan(
    cv.greedyrls(lpsa ~ ., train, 3, 1, nfolds = 4, type.measure = noisy)
  ), 0)
})

test_that("what is counted, or has a name, is a number like others", {
  wrong <- function(y, yhat, weights) sum((yhat > 0) != (y == "TRUE"))
  set.seed(1)
  x <- matrix(rnorm(120), 40)
  y <- x[, 1] + rnorm(40) > 0
  run <- function(measure) {
    cv.rls(x, y, lambda = c(10, 1), foldid = rep(1:4, 10), type.measure = measure)$cvm
  }
  expected <- run(function(...) as.double(wrong(...)))
  expect_identical(run(wrong), expected)
  expect_identical(run(function(...) c(wrong = wrong(...))), expected)
})
