set.seed(3)
m <- 40
x <- cbind(a = rnorm(m), b = rnorm(m))
y <- x[, 1] + rnorm(m)
basis <- 1:15

# The largest distance of fitted values from predictions for the same rows, at the end of the path.
apart <- function(fit, x) {
  s <- min(fit$lambda)
  max(abs(fitted(fit, s = s) - predict(fit, x, s = s))) / sd(fit$response$y)
}

test_that("shift_df is the trace of what the jitter makes of the hat matrix", {
  weights <- runif(m, 0.5, 2)
  jitter <- 1e-3
  fit <- sparserls(x, y, basis, kernel_gaussian(0.2), lambda = c(1, 0.01), weights = weights,
                   jitter = jitter, standardize = FALSE) |> suppressWarnings()
  k <- kernel_matrix(kernel_gaussian(0.2), x, x[basis, ])
  s <- matrix(0, m, 15)
  s[cbind(basis, 1:15)] <- jitter
  upper <- chol(k[basis, ] + diag(jitter, 15))
  z <- (k + s) %*% solve(upper)
  z <- sqrt(weights) * scale(z, colSums(weights * z) / sum(weights), FALSE)
  own <- sqrt(weights) * s %*% solve(upper)
  share <- function(lambda) sum(diag(own %*% solve(crossprod(z) + diag(lambda, 15), t(own))))
  expect_equal(fit$shift_df, c(share(1), share(0.01)), tolerance = 1e-9)
  # Points that are no rows have no jitter in the loss.
  expect_identical(sparserls(x, y, x[basis, ], kernel_gaussian(0.2), lambda = 0.01)$shift_df, 0)
})

test_that("the default grid ends before the jitter shapes the fit", {
  for (kernel in list(kernel_linear(), kernel_gaussian(0.001), kernel_polynomial(2))) {
    fit <- sparserls(x, y, basis, kernel)
    expect_equal(min(fit$shift_df[50]), 0.01, tolerance = 1e-8)
    expect_lt(apart(fit, x), 0.01)
  }
  # It goes on where the kernel tells rows apart, and without a jitter.
  rough <- sparserls(x, y, basis, kernel_gaussian(3))
  expect_equal(rough$df[50], 0.99 * 15, tolerance = 1e-8)
  expect_lt(rough$shift_df[50], 0.01)
  smooth <- sparserls(x, y, 1:2, kernel_linear(), jitter = 0)
  expect_identical(smooth$shift_df, numeric(50))
})

test_that("the grids of families and of rows in chunks end there, too", {
  d <- data.frame(x, y)
  counts <- sparserls(round(exp(x[, 1])), x = x, basis = basis, family = "poisson",
                      kernel = kernel_linear(), offset = x[, 2] / 4)
  expect_equal(counts$shift_df[50], 0.01, tolerance = 1e-8)
  # All of the kernel's basis rows lie among those that are sampled.
  pieces <- chunks_function(2, function(i) d[(i - 1) * 20 + 1:20, ])
  set.seed(1)
  chunked <- sparserls(y ~ a + b, pieces, basis = 15, kernel = kernel_linear())
  same <- sparserls(y ~ a + b, d, basis = chunked$basis, kernel = kernel_linear())
  expect_equal(chunked$lambda, same$lambda, tolerance = 1e-6)
  expect_equal(chunked$shift_df, same$shift_df, tolerance = 1e-6)
})

test_that("a lambda where the jitter shapes the fit is said once, if fitted or chosen", {
  line <- sin(x[, "a"])
  fit <- function(basis) sparserls(x, y, basis, kernel_linear(), lambda = c(1, 1e-6))
  run <- function(y, kernel, ...) cv.sparserls(x, y, basis, kernel, foldid = rep(1:5, 8), ...)
  smooth <- kernel_gaussian(0.01)
  expect_notes({
    fit(basis) | warning_jitter | "0.1 degrees .. 1.2 at lambda 1e-06 .. a smaller `jitter`"
    # Not of points that are no rows, nor of a lambda that was only tried.
    fit(x[basis, ])
    run(y, kernel_linear(), lambda = c(1e4, 10, 1e-6))
    # There is no noise, so the least of all lambdas is the best.
    run(line, smooth) | message | "the smallest .. (df 7.3): below, the jitter .. begins to count"
    run(line, smooth, lambda = c(1, 1e-6), outer = 2) |
      warning_jitter | "0.37 at lambda 1e-06" | message | "(df 9.8): below, the jitter"
  })
})
