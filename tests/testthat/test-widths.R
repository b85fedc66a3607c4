set.seed(41)
x <- matrix(rnorm(200), 50, dimnames = list(NULL, c("a", "b", "c", "d")))
y <- sin(2 * x[, 1]) + x[, 2] + rnorm(50) / 5
widths <- c(c = 0, a = 2, d = 0.01, b = 0.3)
lambda <- c(1, 0.1, 0.01)

test_that("names that do not fit are refused", {
  expect_refusals({
    kernel_gaussian(c(a = 1, 2)) | kernel | "name every feature once .. unname(gamma)"
    kernel_gaussian(c(a = -1, b = 2)) | kernel | "must not be negative .. a = -1, b = 2"
    sparserls(x, y, 5, kernel_gaussian(c(a = 1, b = 2))) | kernel | "no value for c, d"
    sparserls(x, y, 5, kernel_gaussian(c(widths, e = 2))) | kernel | "no feature called e"
    sparserls(x, y, 5, kernel_gaussian(widths, features = "a")) | kernel | "called c, d, b"
    width_multiples(c(1, 0)) | kernel | "positive numbers without names"
  })
})

test_that("multiples of the default", {
  default <- sparserls(x, y, 1:20, lambda = 1)$kernel$gamma
  quarter <- sparserls(x, y, 1:20, kernel_gaussian(width_multiples(1 / 4)), lambda = 1)
  expect_equal(quarter$kernel$gamma, default / 4)
  set.seed(1)
  cv <- cv.sparserls(x, y, 1:20, kernel_gaussian(width_multiples(2^(-2:2))), lambda,
                     progress = FALSE)
  expect_equal(cv$kernels$multiple, 2^(-2:2))
  expect_equal(cv$kernels$gamma, default * 2^(-2:2))
  expect_equal(kernel_matrix(kernel_laplacian(width_multiples(2)), x),
               kernel_matrix(kernel_laplacian(), x)^2, tolerance = 1e-12)
})

test_that("the default sees rows of weight, from all over the table, whatever their period", {
  gamma <- function(x, weights = NULL) {
    sparserls(x, rnorm(nrow(x)), 1:9, kernel_gaussian(), 1, weights = weights)$kernel$gamma
  }
  x <- matrix(rnorm(200), 100)
  expect_equal(gamma(rbind(x, 1e3 + x), rep(2:0, c(50, 50, 100))) /
               gamma(x, rep(2:1, each = 50)), 1, tolerance = 1e-12)
  # The median distance of rows of two kinds is known to a few percent from 256 of them.
  for (period in 2:5) {
    small <- seq_len(511) %% period == 0
    x <- matrix(rnorm(1022), 511) * ifelse(small, 0.02, 1)
    shuffled <- vapply(1:10, function(i) gamma(x[sample(511), ]), 0)
    expect_lt(abs(log(gamma(x) / median(shuffled))), 0.35)
  }
})

test_that("the table has the numbers that vary", {
  kernels <- list(kernel_linear(), kernel_polynomial(2), kernel_polynomial(3),
                  kernel_gaussian(widths), kernel_gaussian(c(0.1, 1)))
  cv <- cv.rls(x, y, kernels, lambda, nfolds = "loo", progress = FALSE)
  expect_identical(names(cv$kernels),
                   c("kernel", "gamma", "degree", "lambda.min", "cvm", "cvsd", "lambda.1se"))
  expect_identical(cv$kernels$gamma, c(NA, NA, NA, NA, 0.1, 1))
  expect_identical(cv$kernels$degree, c(NA, 2, 3, NA, NA, NA))
})
