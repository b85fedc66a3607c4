gaussian_slope <- function(rate) function(X, Z, j) {
  -2 * rate * outer(X[, j], Z[, j], "-") * exp(-rate * reference_squares(X, Z))
}
own_gaussian <- function(rate = 0.3, ...) {
  values <- function(X, Z) exp(-rate * reference_squares(X, Z))
  kernel_custom(values, ..., slope = gaussian_slope(rate))
}
own_polynomial <- function(...) {
  kernel_custom(function(X, Z) (0.7 * tcrossprod(X, Z) + 1)^3, ..., slope = function(X, Z, j) {
    2.1 * (0.7 * tcrossprod(X, Z) + 1)^2 * rep(Z[, j], each = nrow(X))
  })
}
pairs <- list(
  list(own_gaussian(), kernel_gaussian(0.3)),
  list(own_gaussian(features = c(1, 3)), kernel_gaussian(0.3, features = c(1, 3))),
  # A kernel of differences is normalized as it is.
  list(own_gaussian(normalize = TRUE), kernel_gaussian(0.3)),
  list(own_polynomial(), kernel_polynomial(3, 0.7, 1)),
  list(own_polynomial(normalize = TRUE, features = 2:4),
       kernel_polynomial(3, 0.7, 1, normalize = TRUE, features = 2:4))
)

set.seed(1)
x <- matrix(rnorm(200), 50) * rep(c(1, 2, 0.5, 1.5), each = 50)
y <- cbind(sin(x[, 1]), x[, 3] + rnorm(50) / 5)
w <- runif(50)
new <- x[1:9, ] + 0.1

expect_same_effects <- function(fit, pair, ...) {
  found <- derivatives(fit(pair[[1]]), new, ...)
  known <- derivatives(fit(pair[[2]]), new, ...)
  parts <- c("derivatives", "average", "std.error")
  expect_equal(found[parts], known[parts], tolerance = 1e-10)
  invisible(found)
}

test_that("derivatives by a slope are those of the same kernel of ours, and differences", {
  for (pair in pairs) {
    fit <- rls(x, y, pair[[1]], 0.1)
    expect_equal(derivatives(fit, new, type = "gp")$derivatives, central_differences(fit, new, 0.1),
                 tolerance = 1e-6, ignore_attr = TRUE)
    for (standardize in c(TRUE, FALSE)) {
      expect_same_effects(function(kernel) {
        sparserls(x, y, I(1:12), kernel, 0.1, weights = w, standardize = standardize)
      }, pair, type = "gp", weights = 1:9)
    }
    expect_same_effects(function(kernel) {
      quiet(cv.rls(x, y[, 1], kernel, c(1, 0.1), foldid = rep(1:5, 10), keep = TRUE))
    }, pair, type = "jackknife")
  }
  banks <- lapply(1:2, function(i) lapply(pairs[3:4], `[[`, i))
  expect_same_effects(function(kernels) rls2(x, y[, 1], kernels, 0.1), banks)
})

test_that("rows in blocks and factors change nothing", {
  many <- matrix(rnorm(60000), ncol = 4)
  fit <- sparserls(many, many[, 1], I(1:80), own_polynomial(), 0.1)
  found <- derivatives(fit, many, type = "gp")
  some <- c(1, 13107:13108, 15000)
  # Derivatives are of size one; those that are zero are rounding.
  alone <- derivatives(fit, many[some, ], type = "gp")$derivatives
  expect_lt(max(abs(found$derivatives[some, ] - alone)), 1e-12)
  expect_equal(found$average, colMeans(found$derivatives))
  factors <- function(kernel) {
    derivatives(sparserls(Sepal.Length ~ Species + Petal.Length + Sepal.Width, iris,
                          basis = I(seq(1, 150, 9)), kernel = kernel,
                          lambda = 0.1), iris, type = "gp")$derivatives
  }
  expect_equal(factors(own_gaussian()), factors(kernel_gaussian(0.3)), tolerance = 1e-10)
})

test_that("a slope that is none is refused, where it is given or where it is asked", {
  effects <- function(slope, ...) {
    derivatives(rls(x, y[, 1], kernel_custom(tcrossprod, ..., slope = slope), 1), new)
  }
  for (bad in list(1, function(X, Z) Z)) expect_refusals({
    kernel_custom(tcrossprod, slope = bad) | kernel | "`slope` must be a function of two matrices"
  })
  size <- function(X, Z, j) Z[, j]
  expect_refusals({
    effects(size) | kernel | "must return a 6 x 5 matrix .. numeric vector of size 5"
    effects(function(X, Z, j) matrix("1", nrow(X), nrow(Z))) | kernel | "6 x 5 .. character matrix"
    effects(function(X, Z, j) NaN * X %*% t(Z)) | kernel | "that are missing or not finite"
  })
  expect_error(effects(function(X, Z, j) stop("my own words")), "my own words")
  # A fit and its predictions never ask for it.
  silent <- kernel_custom(tcrossprod, slope = function(...) stop("asked"))
  expect_true(all(is.finite(predict(rls(x, y[, 1], silent, 1), new))))
})

test_that("a slope that is not the derivative of its function is refused, with both numbers", {
  wrong <- list(
    sign = kernel_custom(own_gaussian()$f, slope = function(...) -own_gaussian()$slope(...)),
    # Right for the first column alone.
    column = kernel_custom(tcrossprod, slope = function(X, Z, j) rep(1, nrow(X)) %o% Z[, 1]),
    none = kernel_custom(tcrossprod, normalize = TRUE, slope = function(X, Z, j) 0 * X %*% t(Z))
  )
  effects <- function(kernel, new, fit = rls(x, y[, 1], kernel, 0.1)) derivatives(fit, new)
  expect_refusals({
    effects(wrong$sign, new) | kernel | "column 1 .. slope -0.3136, central difference .. 0.3136"
    effects(wrong$column, new) | kernel | "is not the derivative of its `f` .. by column 2"
    effects(fit = sparserls(x, y, 1:9, wrong$none, 0.1), new = new) | kernel | "column 1 .. slope 0"
  })
})

test_that("a right slope is taken: with kinks, offsets, columns far from 0, and where f fails", {
  absolute <- function(X, Z) as.matrix(dist(rbind(X, Z), "manhattan"))[
    seq_len(nrow(X)), nrow(X) + seq_len(nrow(Z)), drop = FALSE]
  sides <- function(X, Z, j) sign(outer(X[, j], Z[, j], "-"))
  taken <- function(kernel, x) expect_silent(check_custom_slope(kernel, x, x))
  laplacian <- kernel_custom(function(X, Z) exp(-absolute(X, Z)), slope = function(X, Z, j) {
    -sides(X, Z, j) * exp(-absolute(X, Z))
  })
  for (data in list(x, round(x), cbind(x[, 1] > 0, x[, 2] > 1, 1) + 0)) taken(laplacian, data)
  # Narrow, wide, and so far from 0 that inner products keep few digits of the distances.
  for (rate in c(1e-4, 1, 100)) for (shift in 10^(0:7)) taken(own_gaussian(rate), x + shift)
  for (unit in c(1e-9, 1e9)) taken(own_gaussian(1 / unit^2), x * unit)
  taken(kernel_custom(function(X, Z) tcrossprod(X, Z) + 1e9,
                      slope = function(X, Z, j) rep(1, nrow(X)) %o% Z[, j]), x)
  # Not defined below 0, beside which some rows are.
  taken(kernel_custom(function(X, Z) {
    if (any(X[, 2] < 0)) stop("below")
    sqrt(tcrossprod(X[, 1], Z[, 1])) + tcrossprod(X[, 2], Z[, 2])
  }, slope = function(X, Z, j) {
    if (j == 2) return(rep(1, nrow(X)) %o% Z[, 2])
    ifelse(X[, 1] > 0, 1 / (2 * sqrt(pmax(X[, 1], 1e-300))), 0) %o% sqrt(Z[, 1])
  }), abs(round(x[, 1:2])))
})

test_that("a wrong slope is refused in large and small units, too", {
  for (unit in c(1e-5, 1e5)) {
    gaussian <- own_gaussian()
    wrong <- kernel_custom(function(X, Z) gaussian$f(X / unit, Z / unit),
                           slope = function(X, Z, j) -gaussian$slope(X / unit, Z / unit, j) / unit)
    fit <- rls(x * unit, y[, 1], wrong, 0.1, standardize = FALSE)
    expect_error(derivatives(fit, new * unit), class = "sparserls_error_kernel",
                 info = format(unit))
  }
})
