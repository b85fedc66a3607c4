# What ardrls() and cv.ardrls() refuse, and what they put up with.

# Losses, relevances, lambda and fitted values of a path are finite.
expect_sane_widths <- function(fit) {
  expect_true(all(is.finite(c(fit$loss, fit$relevance, fit$lambda))))
  expect_true(all(is.finite(fitted(fit))))
}

test_that("penalty, npenalty, maxit", {
  x <- bad_x()
  y <- bad_y()
  expect_refused("penalty", {
    ardrls(x, y, 5, penalty = -1)
    ardrls(x, y, 5, penalty = c(1, NA))
    cv.ardrls(x, y, 5, penalty = NaN)
    ardrls(x, y, 5, penalty = "a")
    cv.ardrls(x, y, 5, penalty = numeric())
    ardrls(x, y, 5, penalty = list(1))
    ardrls(x, y, 5, penalty = TRUE)
  })
  expect_refused("argument", {
    ardrls(x, y, 5, npenalty = 0)
    cv.ardrls(x, y, 5, npenalty = 2.5)
    ardrls(x, y, 5, npenalty = "8")
    ardrls(x, y, 5, npenalty = 2000)
    ardrls(x, y, 5, maxit = 0)
    cv.ardrls(x, y, 5, maxit = NULL)
    ardrls(x, y, 5, progress = NA)
    cv.ardrls(x, y, 5, keep = 2)
    ardrls(x, y, 5, holdout_basis = "none")
    cv.ardrls(x, y, 5, type.measure = "none")
    ardrls(x, y, 5, jitter = -1)
  })
  expect_refused("dots", {
    ardrls(x, y, 5, lambda = 1)
    ardrls(x, y, 5, penality = 1)
    cv.ardrls(x, y, 5, outr = 2)
    ardrls(x, y, 5, reselect = TRUE)
  })
  expect_refused("measure", {
    cv.ardrls(x, y, 5, type.measure = "auc")
  })
  few <- function(...) ardrls(x, y, 5, ..., maxit = 1)$penalty
  expect_identical(few(penalty = matrix(c(1, 0, Inf, 1), 2)), c(Inf, 1, 0))
  expect_identical(few(npenalty = 1), Inf)
  expect_identical(few(npenalty = 2), c(Inf, 0))
  expect_length(few(npenalty = 3), 3)
})

test_that("kernels without widths, and widths that do not fit", {
  x <- bad_x()
  y <- bad_y()
  expect_refused("kernel", {
    ardrls(x, y, 5, kernel_polynomial())
    cv.ardrls(x, y, 5, kernel_custom(tcrossprod))
    ardrls(tcrossprod(x), y, 5, kernel_precomputed())
    ardrls(x, y, 5, kernel_linear(normalize = TRUE))
    ardrls(x, y, 5, kernel_gaussian(c(1, 2)))
    ardrls(x, y, 5, kernel_gaussian(width_multiples(c(1, 2))))
    cv.ardrls(x, y, 5, list(kernel_gaussian(), kernel_linear()))
    ardrls(x, y, 5, "gaussian")
    ardrls(x, y, 5, kernel_gaussian(c(a = 1, b = 1)))
    ardrls(x, y, 5, kernel_gaussian(c(a = 1, b = 1, c = 1, d = 1)))
    ardrls(x, y, 5, kernel_gaussian(features = "z"))
  })
  expect_refused("range", {
    ardrls(x, y, 5, kernel_gaussian(1e300))
    ardrls(x * 1e200, y, 5, standardize = FALSE)
  })
  expect_sane_widths(ardrls(x, y, basis_random(5), kernel_gaussian(1e-300), penalty = c(Inf, 0),
                            maxit = 5))
  expect_sane_widths(ardrls(x, y, 5, kernel_gaussian(1e4), penalty = c(Inf, 0), maxit = 5))
})

test_that("bases and folds", {
  x <- bad_x()
  y <- bad_y()
  expect_refused("basis", {
    ardrls(x, y, basis_greedy(5))
    cv.ardrls(x, y, basis_sizes(c(3, 5)))
    ardrls(x, y, 0)
    ardrls(x, y, 21)
    ardrls(x, y, "a")
    cv.ardrls(x, y, 20, outer = list(1:3))
  })
  expect_refused("folds", {
    ardrls(x, y, 5, nfolds = 1)
    ardrls(x, y, 5, nfolds = "lpo")
    ardrls(x, y, 5, foldid = 1:3)
    ardrls(x, y, 5, folds = list(1:20))
    ardrls(x, y, I(3), nfolds = "loo")
    cv.ardrls(x, y, 5, outer = 1)
    cv.ardrls(x, y, 5, outer = 2.5)
    cv.ardrls(x, y, 5, outer = 21)
    cv.ardrls(x, y, 5, outer = "splt")
    cv.ardrls(x, y, 5, outer = NA)
    cv.ardrls(x, y, 5, outer = 1:20)
    cv.ardrls(x, y, 5, outer = list())
    cv.ardrls(x, y, 5, outer = list(1:3, 30))
    cv.ardrls(x, y, 5, outer = list(1:20))
    cv.ardrls(x, y, 5, groups = rep_len(1:3, 20), outer = 4)
    cv.ardrls(x, y, 5, groups = rep(1:2, 10))
    cv.ardrls(x, y, 5, groups = rep(1:2, 10), outer = "split")
    cv.ardrls(x[1:2, ], y[1:2], 2, outer = "split")
    cv.ardrls(x, y, 1:5, outer = list(1:6))
  })
  split <- suppressMessages(cv.ardrls(x, y, 8, groups = rep_len(1:3, 20), outer = "split",
                                      penalty = Inf, maxit = 2, keep = TRUE))
  expect_true(sum(!is.na(split$fit.preval)) %in% 6:7)
  expect_sane_widths(ardrls(x, y, I(3), holdout_basis = "keep", penalty = c(Inf, 0), maxit = 5))
})

test_that("x and y as in the foundation", {
  x <- bad_x()
  y <- bad_y()
  data <- bad_frame()
  expect_refused("x", {
    ardrls(replace(x, 3, NA), y, 5)
    cv.ardrls(replace(x, 3, Inf), y, 5)
    ardrls(x[0, ], y[0], 5)
    ardrls("x", y, 5)
    ardrls(cbind(a = rep(1, 20), b = 2), y, 5)
    ardrls(cbind(x, d = 1), y, 5, kernel_matern(features = "d"))
    ardrls(Matrix::Matrix(0, 20, 3, sparse = TRUE), y, 5)
    ardrls(cbind(x, x[, 1:2]), y, 5)
  })
  expect_refused("y", {
    ardrls(x, rep(3, 20), 5)
    cv.ardrls(x, numeric(20), 5)
    ardrls(x, replace(y, 3, NaN), 5)
    ardrls(x, y[-1], 5)
    ardrls(x, letters[1:20], 5)
    ardrls(x, factor(rep("a", 20)), 5)
    ardrls(x[1, , drop = FALSE], y[1], 1)
  })
  expect_refused("weights", {
    ardrls(x, y, 5, weights = rep(0, 20))
    cv.ardrls(x, y, 5, weights = -y)
    ardrls(y ~ a, data, basis = 5, weights = y > "1")
  })
  expect_refused("formula", {
    ardrls(y ~ 1, data, basis = 5)
    cv.ardrls(y ~ a, data[0, ], basis = 5)
    formula(ardrls(x, y, 5, penalty = Inf, maxit = 1))
  })
})

test_that("values of s", {
  skip_if_not_installed("generics")
  x <- bad_x()
  y <- bad_y()
  fit <- ardrls(x, y, 5, penalty = c(Inf, 10 / 3, 0), maxit = 2)
  cv <- suppressMessages(cv.ardrls(x, y, 8, penalty = c(Inf, 1), maxit = 2))
  expect_refused("penalty", {
    predict(fit, x, s = 2)
    predict(fit, x, s = "penalty.1se")
    fitted(fit, s = NA)
    coef(fit, s = c(Inf, 0))
    deviance(fit, s = numeric())
    plot(fit, "bars", s = c(Inf, 0))
    generics::tidy(fit, s = 9)
    predict(cv, x, s = "lambda.min")
    predict(cv, x, s = 3)
    coef(cv, s = TRUE)
    plot(cv, "bars", s = "penalty.max")
  })
  expect_refused("argument", {
    plot(fit, "bar")
    plot(fit, "error")
    plot(fit, labels = 0)
    predict(fit, x, type = "class")
  })
  expect_refused("newdata", {
    predict(fit, x[, 1:2])
    predict(cv, replace(x, 1, "a"))
  })
  # As they are printed.
  expect_identical(predict(fit, x, s = 3.33), predict(fit, x, s = 10 / 3))
  expect_identical(dim(predict(fit, x[0, ])), c(0L, 3L))
})

test_that("few rows, one feature, one basis vector", {
  x <- bad_x()
  y <- bad_y()
  fit <- function(...) suppressWarnings(ardrls(..., penalty = c(Inf, 1, 0), maxit = 10))
  expect_sane_widths(fit(x[1:2, ], y[1:2], 2))
  expect_sane_widths(fit(x[1:3, ], y[1:3], 3))
  # Folds that are drawn may hold both rows that train.
  expect_sane_widths(fit(x, y, 5, weights = c(1, 1, numeric(18)), foldid = rep(1:10, 2)))
  one <- fit(x[, "a", drop = FALSE], y, 5)
  expect_sane_widths(one)
  expect_identical(dim(one$relevance), c(1L, 3L))
  expect_identical(rownames(one$relevance), "a")
  expect_output(print(one), "a width for each of 1 feature")
  cv <- suppressMessages(cv.ardrls(x[, "a", drop = FALSE], y, 8, penalty = c(1, 0), maxit = 5))
  expect_output(print(cv), "1 of 1 feature carry 95 % of the relevance at penalty.1se: a")
  # A common width says nothing of features.
  common <- suppressMessages(cv.ardrls(x, y, 8, penalty = Inf, maxit = 5))
  expect_no_match(capture.output(print(common)), "carry")
})

test_that("huge and tiny numbers", {
  x <- bad_x()
  y <- bad_y()
  fit <- function(x, y, ...) {
    ardrls(x, y, basis_random(5), ..., penalty = c(Inf, 1, 0), maxit = 5)
  }
  for (size in c(1e28, 1e-28)) {
    expect_sane_widths(fit(x * size, y))
    expect_sane_widths(fit(x, y * size))
    expect_sane_widths(fit(x, y, weights = rep(size, 20)))
  }
  expect_sane_widths(fit(x + 1e8, y))
  expect_sane_widths(fit(x, 1e8 + y))
  expect_sane_widths(fit(cbind(x, x[, 1] + 1e-9), y))
})
