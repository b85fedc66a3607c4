# A small problem without random numbers, and calls that differ in one argument only.

bad_x <- function() {
  i <- 1:20
  cbind(a = sin(i), b = cos(3 * i), c = (7 * i) %% 20 / 20)
}

bad_y <- function() sin(2 * (1:20)) + (1:20) / 20

bad_frame <- function() data.frame(bad_x(), f = factor(rep(c("u", "v"), 10)), y = bad_y())

with_kernel <- function(kernel, x = bad_x(), ...) {
  sparserls(x, bad_y(), 1:5, kernel, lambda = 1, standardize = FALSE, ...)
}
of_response <- function(y, ...) sparserls(bad_x(), y, 1:5, lambda = 1, ...)
folded <- function(...) cv.sparserls(bad_x(), bad_y(), 1:5, lambda = 1, ...)
again <- function(basis, ...) {
  cv.sparserls(bad_x(), bad_y(), basis, lambda = 1, reselect = TRUE, ...)
}
# Not for weights, subset and na.action, which are looked for in the data.
by_formula <- function(formula, data = bad_frame(), ...) {
  sparserls(formula, data, basis = 1:5, lambda = 1, ...)
}

expect_sane <- function(fit) {
  expect_true(all(is.finite(fitted(fit))))
  expect_true(all(is.finite(coef(fit))))
  if (inherits(fit, "sparserls_cv")) expect_true(all(is.finite(fit$cvm)))
  invisible(fit)
}

# The fit of `one` predicts `new_one` as the fit of `other` predicts `new_other`.
expect_same_fit <- function(one, other, new_one = one, new_other = other, tolerance = 1e-8, ...) {
  fit <- function(x) sparserls(x, bad_y(), 1:8, lambda = c(1, 0.01), ...)
  expect_equal(unname(predict(fit(one), new_one)), unname(predict(fit(other), new_other)),
               tolerance = tolerance)
}
