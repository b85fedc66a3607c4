set.seed(1)
m <- 30000
x <- matrix(rnorm(m * 2), m)
y <- sin(x[, 1]) + rnorm(m)

test_that("large fits keep the fitted values of lambda.min and lambda.1se only", {
  numbers <- function(fit) length(fit$fitted)
  cv <- cv.sparserls(x, y, 10, nfolds = 3, nlambda = 40, progress = FALSE)
  expect_lte(numbers(cv$fit), 2 * m)
  expect_equal(fitted(cv), predict(cv, x), tolerance = 1e-4)
  expect_equal(residuals(cv, "lambda.1se"), y - fitted(cv, "lambda.1se"))
  expect_error(fitted(cv, cv$lambda[1]), class = "sparserls_error_lambda")
  ridge <- cv.rls(x, y, nfolds = 3, nlambda = 40, progress = FALSE)
  expect_equal(fitted(ridge, "lambda.1se"), predict(ridge, x, "lambda.1se"))
  layers <- cv.rls2(x, y, nfolds = 2, nlambda = 40, progress = FALSE)
  expect_equal(fitted(layers, "lambda.1se"), predict(layers, x, "lambda.1se"))
  for (fit in list(sparserls(x, y, 10, nlambda = 40), rls(x, y, nlambda = 40),
                   rls2(x, y, nlambda = 40))) {
    expect_identical(numbers(fit), 0L)
    expect_length(fit$df, 40)
    expect_length(deviance(fit), 40)
    expect_error(residuals(fit), class = "sparserls_error_lambda")
    expect_refusals(fitted(fit) |
                    lambda | "The fit does not keep its fitted values .. 30000 rows, 40 values of")
  }
})

test_that("dev.ratio and gcv do not depend on what is kept", {
  rows <- 1:25000
  lambda <- 10^seq(3, -3, length.out = 40)
  all <- rls(x[rows, ], y[rows], lambda = lambda)
  few <- rls(x, y, lambda = lambda, weights = replace(rep(0, m), rows, 1))
  expect_length(all$fitted, 1e6)
  expect_equal(few$dev.ratio, all$dev.ratio, tolerance = 1e-10)
  expect_equal(few$gcv, all$gcv, tolerance = 1e-10)
})
