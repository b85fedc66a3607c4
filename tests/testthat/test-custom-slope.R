# kernel_custom(slope = ): derivatives of fits with a user's kernel.

squared <- function(X, Z) outer(rowSums(X^2), rowSums(Z^2), "+") - 2 * tcrossprod(X, Z)
own_gaussian <- function(...) {
  kernel_custom(function(X, Z) exp(-0.3 * squared(X, Z)), ..., slope = function(X, Z, j) {
    -0.6 * outer(X[, j], Z[, j], "-") * exp(-0.3 * squared(X, Z))
  })
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

# fit(kernel): a fit or its cross-validation.
expect_same_effects <- function(fit, pair, ...) {
  found <- derivatives(fit(pair[[1]]), new, ...)
  known <- derivatives(fit(pair[[2]]), new, ...)
  for (part in c("derivatives", "average", "std.error")) {
    expect_equal(found[[part]], known[[part]], tolerance = 1e-10, info = part)
  }
  invisible(found)
}

test_that("derivatives by a slope are those of the same kernel of ours", {
  for (pair in pairs) {
    for (standardize in c(TRUE, FALSE)) {
      expect_same_effects(function(kernel) {
        sparserls(x, y, I(1:12), kernel, 0.1, weights = w, standardize = standardize)
      }, pair, type = "gp", weights = 1:9)
    }
    expect_same_effects(function(kernel) {
      suppressMessages(cv.rls(x, y[, 1], kernel, c(1, 0.1), foldid = rep(1:5, 10), keep = TRUE))
    }, pair, type = "jackknife")
  }
  banks <- lapply(1:2, function(i) lapply(pairs[3:4], `[[`, i))
  expect_same_effects(function(kernels) rls2(x, y[, 1], kernels, 0.1), banks)
})

test_that("derivatives by a slope are central differences of predict()", {
  for (pair in pairs) {
    fit <- rls(x, y, pair[[1]], 0.1)
    expected <- central_differences(fit, new, 0.1)
    expect_equal(derivatives(fit, new, type = "gp")$derivatives, expected, tolerance = 1e-6,
                 ignore_attr = TRUE)
  }
})

test_that("rows in blocks, sparse rows and factors change nothing", {
  many <- matrix(rnorm(60000), ncol = 4)
  fit <- sparserls(many, many[, 1], I(1:80), own_polynomial(), 0.1)
  found <- derivatives(fit, many, type = "gp")
  some <- c(1, 13107:13108, 15000)
  expect_equal(found$derivatives[some, ], derivatives(fit, many[some, ], type = "gp")$derivatives,
               tolerance = 1e-10)
  expect_equal(found$average, colMeans(found$derivatives))
  sparse <- as(x * (abs(x) > 0.3), "CsparseMatrix")
  by_sparse <- function(x) {
    kernel <- own_polynomial()
    plain <- kernel$f
    kernel <- kernel_custom(function(X, Z) plain(as.matrix(X), as.matrix(Z)), slope = kernel$slope)
    derivatives(sparserls(x, y, I(1:9), kernel, 1, standardize = FALSE), x, type = "gp")$average
  }
  expect_equal(by_sparse(sparse), by_sparse(as.matrix(sparse)), tolerance = 1e-10)
  factors <- function(kernel) {
    derivatives(sparserls(Sepal.Length ~ Species + Petal.Length + Sepal.Width, iris,
                          basis = I(seq(1, 150, 9)), kernel = kernel,
                          lambda = 0.1), iris, type = "gp")$derivatives
  }
  expect_equal(factors(own_gaussian()), factors(kernel_gaussian(0.3)), tolerance = 1e-10)
})

test_that("a slope that is none is refused, where it is given or where it is asked", {
  expect_refused("kernel", {
    kernel_custom(tcrossprod, slope = 1)
    kernel_custom(tcrossprod, slope = function(X, Z) Z)
  })
  effects <- function(slope, ...) {
    derivatives(rls(x, y[, 1], kernel_custom(tcrossprod, ..., slope = slope), 1), new)
  }
  expect_refused("kernel", {
    effects(NULL)
    effects(function(X, Z, j) Z[, j])
    effects(function(X, Z, j) matrix(1, nrow(Z), nrow(X)))
    effects(function(X, Z, j) matrix("1", nrow(X), nrow(Z)))
    effects(function(X, Z, j) matrix(NaN, nrow(X), nrow(Z)))
    effects(function(X, Z, j) matrix(Inf, nrow(X), nrow(Z)), normalize = TRUE)
  })
  expect_error(effects(function(X, Z, j) stop("my own words")), "my own words")
  # A fit and its predictions never ask for it.
  expect_true(all(is.finite(predict(rls(x, y[, 1], kernel_custom(tcrossprod, slope = function(...) {
    stop("asked")
  }), 1), new))))
})
