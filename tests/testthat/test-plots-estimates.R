# Mean and variance curves, and heat maps of kernel matrices; test-plots-drawn.R has the pictures.

lambda <- 2^(4:-4)
set.seed(1)
curves <- lapply(c(1, 1.2, 1.5), function(a) {
  a + outer(rnorm(12, 0, 0.1 * a), (lambda - 1)^2 / 100, "+")
})
estimates <- cv_estimates(`approach 1` = curves[[1]], `approach 2` = curves[[2]],
                          test = colMeans(curves[[3]]), lambda = lambda)

test_that("estimates are means and variances over repetitions", {
  expect_s3_class(estimates, c("cv_estimates", "data.frame"), exact = TRUE)
  first <- estimates[estimates$estimator == "approach 1", ]
  expect_equal(first$lambda, lambda)
  expect_equal(first$mean, colMeans(curves[[1]]))
  expect_equal(first$variance, apply(curves[[1]], 2, function(x) sum((x - mean(x))^2) / 11))
  expect_true(all(is.na(estimates$variance[estimates$estimator == "test"])))
  expect_identical(unique(estimates$repetitions), c(12L, 1L))
})

test_that("a plot of estimates leaves the device as it was", {
  expect_invisible(plot(estimates))
  before <- par("mfrow")
  plot(estimates)
  expect_identical(par("mfrow"), before)
})

test_that("estimates that are none are refused", {
  expect_refused("argument", {
    cv_estimates(lambda = 1)
    cv_estimates(1:3, lambda = 1:3)
    cv_estimates(a = 1:3, 1:3, lambda = 1:3)
    cv_estimates(a = 1:2, lambda = 1:3)
    cv_estimates(a = c(1, NA, 2), lambda = 1:3)
    cv_estimates(a = letters[1:3], lambda = 1:3)
    plot(estimates, "median")
    plot(estimates, character())
  })
  expect_refused("lambda", {
    cv_estimates(a = 1:3)
    cv_estimates(a = 1:3, lambda = 0:2)
    cv_estimates(a = 1:3, lambda = "a")
  })
})

group <- rep(1:8, each = 5)
x <- matrix(rnorm(120), 40) + 2 * matrix(rnorm(24), 8)[group, ]
first <- which(!duplicated(group))

test_that("a heat map leaves the device as it was", {
  k <- kernel_matrix(kernel_gaussian(0.1), x[first, ], x)
  expect_invisible(kernel_heatmap(k, group[first], group))
  before <- par("mar")
  kernel_heatmap(k)
  expect_identical(par("mar"), before)
})

test_that("heat maps of what is no matrix are refused", {
  expect_refused("x", {
    kernel_heatmap(1:3)
    kernel_heatmap("a")
    kernel_heatmap(matrix(c(1, NA), 1))
    kernel_heatmap(matrix(0, 0, 3))
  })
  expect_refused("argument", {
    kernel_heatmap(diag(3), 1:2)
    kernel_heatmap(matrix(0, 2, 3), 1:2, 1:2)
    kernel_heatmap(diag(3), absolute = NA)
  })
})
