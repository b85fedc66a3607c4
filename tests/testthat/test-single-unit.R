# One row, group or fold alone has no standard error; errors that have left the range of numbers;
# numbers of folds that no data has.

x <- cbind(sin(1:30), cos(3 * (1:30)))
y <- x[, 1] + cos(1:30) / 3
quiet <- function(...) suppressMessages(cv.sparserls(x, ..., basis = 10, nlambda = 5))

test_that("a fold that scores one row has no standard error: NA, not NaN", {
  one <- list(list(score = 3, omit = 1:5))
  for (type in c("mse", "rmse", "mae")) {
    cv <- quiet(y, folds = one, type.measure = type)
    expect_true(all(is.na(cv$cvsd)))
    expect_false(any(is.nan(cv$cvsd)))
    expect_identical(cv$lambda.1se, cv$lambda.min)
    expect_no_match(capture.output(print(cv)), "NaN")
    expect_silent(plot(cv))
  }
})

test_that("errors that overflow are not drawn", {
  some <- replace(quiet(y, nfolds = 5), "cvm", list(c(Inf, 3, 2, 1, 1)))
  some$cvup <- some$cvm + some$cvsd
  some$cvlo <- some$cvm - some$cvsd
  expect_silent(plot(some))
})
