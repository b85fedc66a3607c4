x <- bad_x()
y <- bad_y()

expect_sane_widths <- function(fit) {
  expect_true(all(is.finite(c(fit$loss, fit$relevance, fit$lambda))))
  expect_true(all(is.finite(fitted(fit))))
}

test_that("ardrls() from tiny and large widths, of few rows, one feature, one basis vector", {
  expect_sane_widths(ardrls(x, y, basis_random(5), kernel_gaussian(1e-300), penalty = c(Inf, 0),
                            maxit = 5))
  expect_sane_widths(ardrls(x, y, 5, kernel_gaussian(1e4), penalty = c(Inf, 0), maxit = 5))
  fit <- function(...) suppressWarnings(ardrls(..., penalty = c(Inf, 1, 0), maxit = 10))
  expect_sane_widths(fit(x[1:2, ], y[1:2], 2))
  expect_sane_widths(fit(x[1:3, ], y[1:3], 3))
  # Folds that are drawn may hold both rows that train.
  expect_sane_widths(fit(x, y, 5, weights = c(1, 1, numeric(18)), foldid = rep(1:10, 2)))
  expect_sane_widths(fit(x[, "a", drop = FALSE], y, 5))
  expect_sane_widths(fit(cbind(x, x[, 1] + 1e-9) + 1e8, 1e8 + y, basis_random(5)))
})

test_that("rls2() with a kernel that is zero", {
  nothing <- kernel_custom(function(a, b) matrix(0, nrow(a), nrow(b)))
  expect_notes(
    fit <- rls2(x, y, list(kernel_linear(), nothing), lambda = 1) |
      warning_kernel | "Kernels that are zero on the rows get no weight .. x custom"
  )
  expect_identical(unname(fit$d[, 1]), c(1, 0))
  expect_notes(
    fit <- rls2(cbind(x, zero = 0), y, lambda = c(1, 0.001)) |
      warning_kernel | "Kernels that are zero on the rows get no weight .. x zero"
  )
  expect_true(all(fit$d[4, ] == 0) && all(is.finite(coef(fit))))
})

test_that("rls2() of small and odd problems", {
  sane <- function(...) {
    fit <- rls2(...)
    expect_true(all(is.finite(fitted(fit))) && all(is.finite(coef(fit))) && all(fit$gap <= 1e-8))
    expect_equal(colSums(fit$d), rep(1, length(fit$lambda)))
  }
  sane(x[1:2, ], y[1:2])
  sane(x[, 1, drop = FALSE], y)
  sane(x, y, weights = c(1, 1, rep(0, 18)))
  # One training row, or a response that is constant where it counts: nothing is left to fit.
  sane(x, y, weights = c(1, rep(0, 19)), lambda = 1, standardize = FALSE)
  sane(x, c(1, 1, y[-(1:2)]), weights = c(1, 1, rep(0, 18)))
  expect_warning(sane(cbind(1, x), c(1, 1, y[-(1:2)]), weights = c(1, 1, rep(0, 18))), "V1")
  sane(x, 1e28 * y, lambda = c(1, 1e-9))
  sane(1e25 * x, y, weights = rep(1e25, 20), standardize = FALSE)
})
