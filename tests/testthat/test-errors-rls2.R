# What rls2() and cv.rls2() refuse, and what they put up with.

test_that("kernels", {
  x <- bad_x()
  y <- bad_y()
  indefinite <- kernel_custom(function(a, b) {
    tcrossprod(a[, 1], b[, 1]) - tcrossprod(a[, 2], b[, 2])
  })
  nothing <- kernel_custom(function(a, b) matrix(0, nrow(a), nrow(b)))
  expect_refused("kernel", {
    rls2(x, y, list())
    rls2(x, y, "gaussian")
    rls2(x, y, list(kernel_linear(), 3))
    rls2(x, y, list(kernel_linear(), indefinite))
    rls2(x, y, nothing)
    rls2(x, y, list(kernel_linear(), kernel_precomputed()))
    rls2(x, y, kernel_gaussian(1, features = "d"))
    rls2(matrix(0, 20, 2), y, standardize = FALSE)
    rls2(matrix(1, 20, 2), y)
  })
  expect_refused("not_finite", {
    rls2(x, y, kernel_polynomial(400, 1e3))
  })
  expect_said(fit <- rls2(x, y, list(kernel_linear(), nothing), lambda = 1))
  expect_identical(unname(fit$d[, 1]), c(1, 0))
  expect_said(fit <- rls2(cbind(x, zero = 0), y, lambda = c(1, 0.001)))
  expect_true(all(fit$d[4, ] == 0) && all(is.finite(coef(fit))))
})

test_that("lambda, scaling, tol and the rest", {
  x <- bad_x()
  y <- bad_y()
  classes <- y > 1
  expect_refused("lambda", {
    rls2(x, y, lambda = 0)
    rls2(x, y, lambda = c(1, NaN))
    rls2(x, y, lambda = -Inf)
    rls2(x, y, lambda = numeric())
    rls2(x, y, lambda = 1e-14)
    predict(rls2(x, y, lambda = c(1, 0.1)), s = 2)
    predict(rls2(x, y, lambda = c(1, 0.1)), s = lambda_df(2))
    summary(rls2(x, y, lambda = c(1, 0.1)), s = c(1, 0.1))
  })
  expect_refused("scaling", {
    rls2(x, y, scaling = "fisher")
    rls2(x, y, scaling = 1:2)
    rls2(x, y, scaling = c(1, -1, 1))
    rls2(x, y, scaling = c(0, 0, 0))
    rls2(x, classes, scaling = "fisher", newdata = x)
    rls2(cbind(x, tells = classes), classes, scaling = "fisher")
  })
  expect_refused("argument", {
    rls2(x, y, scaling = "nrom")
    rls2(x, y, tol = 0)
    rls2(x, y, algorithm = "alternat")
    rls2(x, y, center = NA)
    rls2(x, y, nlambda = 0)
  })
  expect_refused("dots", {
    rls2(x, y, basis = 3)
    cv.rls2(x, y, solver = "update")
  })
  expect_refused("newdata", {
    rls2(x, y, newdata = x[, 1:2])
    rls2(bad_frame()[1:3], y, newdata = replace(bad_frame()[1:3], 1, NA_real_))
    rls2(tcrossprod(x), y, kernel_precomputed(), standardize = FALSE, newdata = tcrossprod(x))
  })
})

test_that("x and y as in the foundation", {
  x <- bad_x()
  y <- bad_y()
  expect_classed("x", {
    rls2(replace(x, 3, NA), y)
    rls2(replace(x, 3, Inf), y)
    rls2(x[0, ], y[0])
    rls2("x", y)
    kernel_bank(1:3)
    kernel_bank(x[, 0])
  })
  expect_classed("y", {
    rls2(x)
    rls2(x, y[-1])
    rls2(x, replace(y, 2, NA))
    rls2(x, rep(1, 20))
    rls2(x, factor(rep("a", 20)))
  })
  expect_classed("weights", {
    rls2(x, y, weights = rep(0, 20))
  })
  expect_classed("folds", {
    cv.rls2(x, y, nfolds = 1)
    cv.rls2(x, y, nfolds = 40)
    cv.rls2(x, y, folds = list(1:20))
    cv.rls2(x, y, foldid = rep(1, 20))
  })
  expect_classed("measure", {
    cv.rls2(x, y, type.measure = "class")
  })
})

test_that("small and odd problems come out finite", {
  x <- bad_x()
  y <- bad_y()
  sane <- function(...) {
    fit <- rls2(...)
    expect_true(all(is.finite(fitted(fit))) && all(is.finite(coef(fit))) && all(fit$gap <= 1e-8))
    expect_equal(colSums(fit$d), rep(1, length(fit$lambda)))
  }
  sane(x[1:2, ], y[1:2])
  sane(x[, 1, drop = FALSE], y)
  sane(x, y, kernel_gaussian())
  sane(x, y, weights = c(1, 1, rep(0, 18)))
  # One training row, or a response that is constant where it counts: nothing is left to fit.
  sane(x, y, weights = c(1, rep(0, 19)), lambda = 1, standardize = FALSE)
  sane(x, c(1, 1, y[-(1:2)]), weights = c(1, 1, rep(0, 18)))
  sane(1e28 * x, y, standardize = FALSE)
  sane(1e-28 * x, y, standardize = FALSE)
  sane(x, 1e28 * y)
  sane(x, 1e-28 * y)
  sane(x, y, lambda = c(1, 1e-9))
  expect_warning(sane(cbind(1, x), c(1, 1, y[-(1:2)]), weights = c(1, 1, rep(0, 18))), "V1")
  sane(x, 1e28 * y, lambda = c(1, 1e-9))
  sane(1e25 * x, y, weights = rep(1e25, 20), standardize = FALSE)
  twice <- kernel_bank(cbind(a = 1:3, a = 2:4))
  expect_identical(twice[[27]]$features, 2L)
})
