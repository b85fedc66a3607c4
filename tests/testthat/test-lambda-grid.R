set.seed(1)
m <- 60
x <- matrix(rnorm(m * 5), m)
signal <- x[, 1] - x[, 2] + 0.5 * rnorm(m)
noise <- rnorm(m)
id <- rep(1:6, 10)

# Degrees of freedom at both ends of the default grid, from eigenvalues found in plain R.
end_df <- function(lambda, values) sapply(range(lambda), function(l) sum(values / (values + l)))

test_that("the default grid runs from the null model to 99 % of the rank, or to 1e-8 of the top", {
  fit <- rls(x, signal, standardize = FALSE)
  values <- eigen(crossprod(scale(x, scale = FALSE)))$values
  expect_equal(max(fit$lambda), 20 * sum(values))
  expect_lt(end_df(fit$lambda, values)[2], 0.05)
  expect_equal(end_df(fit$lambda, values)[1], 0.99 * 5, tolerance = 1e-8)
  # A column twice counts once: the rank, not the number of columns.
  twice <- rls(cbind(x, x[, 1]), signal, standardize = FALSE, solver = "svd")
  expect_equal(min(twice$df[50]), 0.99 * 5, tolerance = 1e-6)
  for (cv in list(cv.sparserls(x, signal, 1:10, foldid = id),
                  cv.sparserls(x, signal, 10, foldid = id, reselect = TRUE),
                  cv.rls(x, signal, kernel_gaussian(), foldid = id))) {
    expect_length(cv$lambda, 50)
    expect_equal(diff(log(cv$lambda)), rep(log(min(cv$lambda) / max(cv$lambda)) / 49, 49))
  }
  fit <- rls(x, signal, kernel_gaussian(1e-4))
  expect_lt(fit$df[50], 0.9 * (m - 1))
  expect_equal(min(fit$lambda), 1e-8 * max(fit$spectrum$values))
})

test_that("noise chooses the null model, once said", {
  kernels <- list(kernel_gaussian(c(0.05, 0.1)), kernel_linear())
  # The best guess from x is the wrong one in every fold.
  y <- rep(c(-1, 1), 30)
  wrong <- matrix(y + 0.1 * noise)
  y <- y * rep(c(1, -1), each = 30)
  halves <- list(1:30, 31:60)
  expect_notes({
    cv.sparserls(x, noise, 20, kernels, foldid = id) | message | "null model"
    cv <- cv.rls(wrong, y, folds = halves) | message | "the null model is as good"
    cv.rls2(cbind(wrong, wrong^2), y, folds = halves) | message | "to `Inf`, the null model"
    inside <- cv.rls(x, signal, foldid = id)
    cv.rls(x, noise, lambda = 1, foldid = id)
  })
  expect_identical(cv$index[["min", 1]], 1L)
  expect_output(print(cv), "the null model is as\ngood")
})

test_that("what a choice at an edge means and what to do", {
  run <- function(y, lambda, ...) cv.rls(x, y, lambda = lambda, foldid = id, ...)
  both <- 0.4 * signal + 2 * noise
  expect_notes({
    run(signal, c(1000, 300, 200)) | message | "smallest .. (df 1.1) .. further down"
    run(signal, c(0.01, 0.001)) | message | "lambda.min is the largest .. (df 5) .. further up"
    run(signal, c(100, 10, 1), standardize = FALSE)
    run(noise, c(1e6, 1)) | message | "lambda.min is the largest .. the null model is as good"
    run(noise, c(10, 1)) | message | "lambda.min is the largest .. larger values may do better"
    run(signal > 0, c(1e6, 1e5), type.measure = "auc") |
      message | "lambda.min is the smallest .. further down"
    run(both, c(1e5, 10, 1)) | message | "lambda.1se is the largest .. null model is within one"
  })
})
