# Data, kernels and lambda that are odd, and fine.

x <- bad_x()
y <- bad_y()
d <- bad_frame()

test_that("integer and logical storage is as good as double", {
  whole <- matrix((1:60 * 7L) %% 20L, 20)
  expect_type(whole, "integer")
  expect_same_fit(whole, whole + 0, tolerance = 0)
  expect_same_fit(x > 0, (x > 0) + 0, tolerance = 0) |> suppressWarnings()
  expect_same_fit(data.frame(whole, l = y > 1), cbind(whole, y > 1), tolerance = 0)
  expect_identical(kernel_matrix(kernel_linear(), whole), kernel_matrix(kernel_linear(), whole + 0))
})

test_that("constant columns count for nothing", {
  expect_same_fit(cbind(x, 3), x)
  expect_same_fit(cbind(x, 0.1 * 3), x)
})

test_that("all columns constant: one basis vector is left, the fit is the mean", {
  same <- x * 0 + 3
  expect_warning(fit <- sparserls(same, y, 1:5, lambda = 1), class = "sparserls_warning_basis")
  expect_equal(predict(fit, same), rep(mean(y), 20), tolerance = 1e-6,
               ignore_attr = TRUE)
  expect_warning(fit <- sparserls(same, y, 1:5, kernel_linear(), lambda = 1),
                 class = "sparserls_warning_basis") |> suppressWarnings()
  expect_sane(fit)
})

test_that("all columns constant: no default lambda", {
  expect_error(suppressWarnings(sparserls(x * 0 + 3, y, 1:5)), class = "sparserls_error_lambda")
})

test_that("the dropped basis vectors are reported although the folds then fail", {
  seen <- character()
  try(withCallingHandlers(
    cv.sparserls(x * 0 + 3, y, 1:5, nfolds = "loo"),
    warning = function(w) {
      seen <<- c(seen, class(w)[1])
      invokeRestart("muffleWarning")
    }
  ), silent = TRUE)
  expect_identical(seen, "sparserls_warning_basis")
})

test_that("duplicate rows, columns and column names are fine", {
  expect_warning(fit <- sparserls(x[rep(1:10, 2), ], y, 1:20, lambda = 1),
                 class = "sparserls_warning_basis")
  expect_identical(fit$basis, 1:10)
  expect_sane(fit)
  expect_sane(sparserls(x[, c(1, 1, 2)], y, 1:5))
  twice <- x[, c("a", "a")]
  expect_sane(sparserls(twice, y, 1:5))
  expect_sane(cv.sparserls(data.frame(twice, check.names = FALSE), y, 1:5, nfolds = "loo"))
})

test_that("one row is not enough, two are", {
  expect_sane(sparserls(x[1:2, ], y[1:2], 2, lambda = 1))
  expect_sane(cv.sparserls(x[1:2, ], y[1:2], 2, lambda = 1))
  expect_identical(dim(kernel_matrix(kernel_gaussian(), x[1, , drop = FALSE])), c(1L, 1L))
})

test_that("responses of several kinds are fine", {
  expect_sane(sparserls(x, cbind(p = y, q = -y), 1:5))
  expect_sane(sparserls(x, data.frame(p = y, q = -y), 1:5))
  expect_sane(of_response(factor(rep(1:4, 5), ordered = TRUE)))
  expect_identical(fitted(sparserls(x, array(y, 20), 1:5)), fitted(sparserls(x, y, 1:5)))
  expect_identical(fitted(sparserls(x, 1:20, 1:5)), fitted(sparserls(x, 1:20 + 0, 1:5)))
})

test_that("a class of one member, held out with a fold, is fine", {
  two <- factor(c("u", rep("v", 19)))
  three <- factor(c("u", rep("v", 10), rep("w", 9)))
  for (y in list(two, three)) {
    cv <- cv.sparserls(x, y, 1:5, nfolds = "loo", keep = TRUE)
    expect_sane(cv)
    expect_true(all(is.finite(cv$fit.preval)))
    expect_identical(levels(predict(cv, x, type = "class")), levels(y))
  }
})

test_that("a fold that takes a whole class away is fine", {
  expect_sane(cv.sparserls(x, d$f, 1:6, foldid = d$f))
})

test_that("unused levels of y do not count", {
  cv <- cv.sparserls(x, factor(d$f, c("u", "v", "w")), 1:6, foldid = rep(1:5, 4))
  same <- cv.sparserls(x, d$f, 1:6, foldid = rep(1:5, 4))
  expect_identical(cv$cvm, same$cvm)
})

test_that("integer weights, a one-column matrix and zeros are fine", {
  fit <- sparserls(x, y, 1:5, weights = 1:20, lambda = 1)
  expect_identical(fitted(fit), fitted(sparserls(x, y, 1:5, weights = 1:20 + 0, lambda = 1)))
  expect_identical(fitted(sparserls(x, y, 1:5, weights = matrix(1:20), lambda = 1)), fitted(fit))
  expect_sane(sparserls(x, y, 1:5, weights = c(1, numeric(19)), lambda = 1))
})

test_that("cbind() of measurements is two outputs", {
  data <- data.frame(x, y, cases = 0:19, controls = 19:0)
  two <- function(formula) dim(fitted(sparserls(formula, data, basis = 1:5, lambda = 1)))
  expect_identical(two(cbind(y, cases) ~ a + b), c(20L, 2L))
  expect_identical(two(cbind(cases, -controls) ~ a + b), c(20L, 2L))
  expect_identical(two(I(cbind(cases, controls)) ~ a + b), c(20L, 2L))
  expect_identical(dim(fitted(of_response(cbind(data$cases, data$controls)))), c(20L, 2L))
})

test_that("of a response that is constant on the rows of positive weight nothing is explained", {
  w <- rep(0:1, each = 10)
  step <- c(1:10, rep(5, 10))
  for (fit in list(of_response(step, weights = w), of_response(step > 4, weights = w),
                   rls(x, step, lambda = 1, weights = w), rls2(x, step, lambda = 1, weights = w))) {
    expect_identical(fit$dev.ratio, 0)
    expect_equal(fitted(fit)[11:20], rep(mean(fit$response$y[11:20]), 10))
  }
})

test_that("NA as a level does no harm where it is unused or named", {
  class <- addNA(factor(rep(c("a", "b", NA, "c"), 5)))
  data <- data.frame(x, y, class)
  known <- data[!is.na(as.character(data$class)), ]
  expect_identical(fitted(rls(class ~ a, known, lambda = 1)),
                   fitted(rls(class ~ a, transform(known, class = factor(class)), lambda = 1)))
  named <- class
  levels(named)[is.na(levels(named))] <- "missing"
  expect_identical(levels(predict(of_response(named), x, type = "class")),
                   c("a", "b", "c", "missing"))
})

test_that("an error of the user's own function keeps its words", {
  expect_error(with_kernel(kernel_custom(function(x, z) stop("my own words"))), "my own words")
})

test_that("a logical matrix and a Matrix from a custom kernel are fine", {
  expect_equal(fitted(with_kernel(kernel_custom(function(x, z) Matrix::Matrix(tcrossprod(x, z))))),
               fitted(with_kernel(kernel_linear())))
  ones <- kernel_custom(function(x, z) matrix(1L, nrow(x), nrow(z)))
  expect_sane(suppressWarnings(with_kernel(ones)))
})

test_that("a precomputed kernel is the kernel, and is not standardized", {
  gram <- tcrossprod(cbind(x, 1))
  expect_notes(
    same <- sparserls(gram, y, 1:5, kernel_precomputed(), lambda = 1, standardize = TRUE) |
      message | "`standardize` is ignored: the kernel is precomputed"
  )
  expect_equal(fitted(same), fitted(with_kernel(kernel_polynomial(1))))
})

test_that("gamma so large that K is the identity is fine", {
  for (kernel in list(kernel_gaussian(1e10), kernel_laplacian(1e300))) {
    expect_identical(unname(kernel_matrix(kernel, x)), diag(20))
    object <- sparserls(x, y, 1:20, kernel, lambda = 1, intercept = FALSE, jitter = 0)
    expect_equal(fitted(object), y / 2)
    expect_sane(cv.sparserls(x, y, 1:20, kernel, nfolds = "loo"))
  }
})

test_that("gamma so small that K is constant is fine", {
  for (kernel in list(kernel_gaussian(1e-300), kernel_laplacian(1e-300))) {
    expect_identical(unname(kernel_matrix(kernel, x)), matrix(1, 20, 20))
    object <- sparserls(x, y, 1:5, kernel, lambda = c(1, 1e-6))
    expect_equal(fitted(object)[, 1], rep(mean(y), 20), tolerance = 1e-6)
    expect_sane(object)
    expect_sane(cv.sparserls(x, y, 1:5, kernel, nfolds = "loo"))
  }
})

test_that("extremes of lambda are finite", {
  for (lambda in c(1e-300, 1e-12, 1e300)) {
    expect_sane(sparserls(x, y, 1:5, lambda = lambda))
    for (solver in c("update", "retrain")) {
      expect_sane(cv.sparserls(x, y, 1:5, lambda = lambda, nfolds = "loo", solver = solver))
    }
  }
  expect_equal(fitted(sparserls(x, y, 1:5, lambda = 1e300)), rep(mean(y), 20))
})

test_that("integer lambda is fine", {
  expect_identical(fitted(sparserls(x, y, 1:5, lambda = 1:3)),
                   fitted(sparserls(x, y, 1:5, lambda = c(1, 2, 3))))
  expect_sane(cv.sparserls(x, y, 1:5, lambda = 1L, nfolds = "loo"))
})

test_that("jitter of zero or larger than the kernel is fine", {
  expect_sane(cv.sparserls(x, y, 1:5, jitter = 0, nfolds = "loo"))
  expect_sane(cv.sparserls(x, y, 1:5, jitter = 1e300, nfolds = "loo"))
})

test_that("a custom function may take dots", {
  expect_s3_class(kernel_custom(function(...) tcrossprod(...)), "sparserls_kernel")
})

test_that("folds of any labels are the same folds", {
  id <- rep(1:4, 5)
  expected <- folded(foldid = id)$cvm
  for (labels in list(c(-1, 2.5, 7, 100)[id], letters[id], factor(letters[id], letters),
                      as.Date("2020-01-01") + id, matrix(id))) {
    expect_equal(folded(foldid = labels)$cvm, expected)
    expect_equal(folded(groups = labels)$cvm, expected)
  }
  expect_equal(folded(folds = split(1:20, id))$cvm, expected)
  expect_sane(cv.sparserls(x, y, 20, lambda = 1, foldid = y > 1))
})

test_that("overlapping folds, folds with gaps and rows of weight zero are fine", {
  expect_null(folded(folds = list(1:3, 2:5))$foldid)
  expect_sane(folded(folds = list(1:3, 2:6), holdout_basis = "keep"))
  expect_sane(folded(folds = list(6)))
  fit <- folded(folds = list(1:3, c(7, 9)), weights = replace(rep(1, 20), 7, 0), keep = TRUE)
  expect_sane(fit)
  expect_identical(which(!is.na(fit$fit.preval[, 1])), c(1:3, 7L, 9L))
})

test_that("measures of whole folds work for a single lambda", {
  set.seed(1)
  worst <- function(y, yhat, weights) max(abs(y - yhat))
  one <- cv.sparserls(x, y, 1:5, lambda = 1, foldid = rep(1:5, 4), type.measure = worst)
  two <- cv.sparserls(x, y, 1:5, lambda = c(1, 0.1), foldid = rep(1:5, 4), type.measure = worst)
  expect_equal(one$cvm, two$cvm[1])
  skip_if_not_installed("survival")
  expect_sane(cv.sparserls(x, y, 1:5, lambda = 1, nfolds = "loo", type.measure = "cindex"))
  expect_sane(cv.sparserls(x, d$f, 1:5, lambda = 1, nfolds = 2, type.measure = "auc"))
})
