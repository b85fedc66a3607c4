set.seed(1)
m <- 60
x <- matrix(rnorm(m * 3), m)
y <- cbind(smooth = sin(x[, 1]), noise = 0, steep = sign(x[, 2]) + x[, 3]) +
  matrix(rnorm(m * 3, 0, 0.3), m)
lambda <- 10^seq(3, -3, length.out = 13)
folds <- cv_folds(m, 5)

# The cross-validation `cv` of all outputs beside those of the outputs one by one.
expect_one_by_one <- function(cv, run, tolerance = 1e-8) {
  expect_identical(colnames(cv$cvm.output), colnames(y))
  expect_equal(rowSums(cv$cvm.output), cv$cvm, tolerance = 1e-10)
  for (output in colnames(y)) {
    one <- run(y[, output])
    expect_equal(cv$cvm.output[, output], one$cvm, tolerance = tolerance)
    expect_equal(cv$cvsd.output[, output], one$cvsd, tolerance = tolerance)
    expect_identical(cv$lambda.min.output[[output]], one$lambda.min)
    expect_identical(cv$lambda.1se.output[[output]], one$lambda.1se)
    for (which in c("lambda.min", "lambda.1se")) {
      s <- paste0(which, ".output")
      expect_equal(coef(cv, s = s)[, output, s], coef(one, s = which)[, 1], tolerance = tolerance,
                   ignore_attr = TRUE)
      for (of in list(function(cv, s) predict(cv, x[1:7, ], s = s), fitted, residuals)) {
        expect_equal(of(cv, s = s)[, output], of(one, s = which), tolerance = tolerance,
                     ignore_attr = TRUE)
      }
    }
  }
}

test_that("errors and choices are those of the outputs one by one, the kernel is that of all", {
  for (reselect in c(FALSE, TRUE)) {
    run <- function(y, ...) {
      seeded(3, quiet(cv.sparserls(x, y, 12, kernel_gaussian(0.3), lambda, folds = folds,
                                   reselect = reselect, ...)))
    }
    expect_one_by_one(run(y, by.output = TRUE), run)
  }
  run <- function(y, ...) quiet(cv.rls(x, y, kernel_gaussian(0.1), lambda, folds = folds, ...))
  expect_one_by_one(run(y, by.output = TRUE), run)
  buffered <- cv_folds(m, 6, positions = 1:m, buffer = 2)
  run <- function(y, ...) quiet(cv.rls(x, y, lambda = lambda, folds = buffered, ...))
  expect_one_by_one(run(y, by.output = TRUE), run)
  # The path is followed to a duality gap of 1e-11.
  run <- function(y, ...) quiet(cv.rls2(x, y, lambda = 10^(1:-2), folds = folds, tol = 1e-11, ...))
  expect_one_by_one(run(y, by.output = TRUE), run, tolerance = 1e-5)
  cv <- quiet(cv.sparserls(x, y, 12, kernel_gaussian(c(0.01, 0.3, 3)), lambda, folds = folds,
                           by.output = TRUE))
  plain <- quiet(cv.sparserls(x, y, cv$fit$basis, cv$kernel, lambda, folds = folds,
                              by.output = TRUE))
  expect_equal(cv$cvm.output, plain$cvm.output, tolerance = 1e-8)
})

test_that("the print has the outputs, and what cannot be is refused", {
  cv <- quiet(cv.rls(x, y, lambda = lambda, folds = folds, by.output = TRUE))
  expect_said(print(cv, digits = 3))
  plain <- quiet(cv.rls(x, y, lambda = lambda, folds = folds))
  expect_null(plain$cvm.output)
  class <- factor(rep(1:3, 20))
  expect_refusals({
    predict(plain, s = "lambda.min.output") |
      lambda | 'There is no "lambda.min.output" .. Cross-validate with `by.output = TRUE`'
    predict(cv, s = "lambda.min.output", type = "class") |
      argument | '`type = "class"` needs a fit to classes .. y was numeric'
    cv.rls(x, y[, 1], by.output = TRUE) | argument | "`by.output = TRUE` needs several .. 1 output"
    cv.rls(x, class, by.output = TRUE) |
      measure | "`by.output = TRUE` needs a measure that exists .. Misclassification error .. Use"
  })
})
