x <- bad_x()
y <- bad_y()
d <- bad_frame()

test_that("integer and logical storage is as good as double", {
  whole <- matrix((1:60 * 7L) %% 20L, 20)
  expect_same_fit(whole, whole + 0, tolerance = 0)
  expect_same_fit(x > 0, (x > 0) + 0, tolerance = 0) |> suppressWarnings()
  expect_same_fit(data.frame(whole, l = y > 1), cbind(whole, y > 1), tolerance = 0)
  expect_identical(kernel_matrix(kernel_linear(), whole), kernel_matrix(kernel_linear(), whole + 0))
})

test_that("constant columns count for nothing; of these alone one basis vector and the mean", {
  expect_same_fit(cbind(x, 0.1 * 3), x)
  same <- x * 0 + 3
  expect_warning(fit <- sparserls(same, y, 1:5, lambda = 1), class = "sparserls_warning_basis")
  expect_equal(predict(fit, same), rep(mean(y), 20), tolerance = 1e-6, ignore_attr = TRUE)
  expect_sane(suppressWarnings(sparserls(same, y, 1:5, kernel_linear(), lambda = 1)))
  expect_error(suppressWarnings(sparserls(same, y, 1:5)), class = "sparserls_error_lambda")
})

test_that("duplicate rows, columns and column names are fine, two rows are enough", {
  expect_sane(suppressWarnings(sparserls(x[rep(1:10, 2), ], y, 1:20, lambda = 1),
                               classes = "sparserls_warning_basis"))
  expect_sane(sparserls(x[, c(1, 1, 2)], y, 1:5))
  twice <- x[, c("a", "a")]
  expect_sane(sparserls(twice, y, 1:5))
  expect_sane(cv.sparserls(data.frame(twice, check.names = FALSE), y, 1:5, nfolds = "loo"))
  expect_sane(sparserls(x[1:2, ], y[1:2], 2, lambda = 1))
  expect_sane(cv.sparserls(x[1:2, ], y[1:2], 2, lambda = 1))
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

test_that("unused levels of y do not count; integer weights and zeros are fine", {
  expect_identical(fitted(of_response(factor(d$f, c("u", "v", "w")))), fitted(of_response(d$f)))
  fit <- sparserls(x, y, 1:5, weights = 1:20, lambda = 1)
  expect_identical(fitted(fit), fitted(sparserls(x, y, 1:5, weights = 1:20 + 0, lambda = 1)))
  expect_sane(sparserls(x, y, 1:5, weights = c(1, numeric(19)), lambda = 1))
})

test_that("cbind() of measurements is two outputs", {
  data <- data.frame(x, y, cases = 0:19, controls = 19:0)
  two <- function(formula) dim(fitted(sparserls(formula, data, basis = 1:5, lambda = 1)))
  expect_identical(two(cbind(y, cases) ~ a + b), c(20L, 2L))
  expect_identical(two(I(cbind(cases, controls)) ~ a + b), c(20L, 2L))
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

test_that("gamma so large that K is the identity, or so small that it is constant", {
  for (kernel in list(kernel_gaussian(1e-300), kernel_laplacian(1e-300))) {
    expect_identical(unname(kernel_matrix(kernel, x)), matrix(1, 20, 20))
    cv <- cv.sparserls(x, y, 1:5, kernel, c(1, 1e-6), nfolds = "loo")
    expect_equal(fitted(cv$fit)[, 1], rep(mean(y), 20), tolerance = 1e-6)
    expect_sane(cv)
  }
  for (kernel in list(kernel_gaussian(1e10), kernel_laplacian(1e300))) {
    expect_identical(unname(kernel_matrix(kernel, x)), diag(20))
    object <- sparserls(x, y, 1:20, kernel, lambda = 1, intercept = FALSE, jitter = 0)
    expect_equal(fitted(object), y / 2)
    expect_sane(cv.sparserls(x, y, 1:20, kernel, nfolds = "loo"))
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
  for (jitter in c(0, 1e30)) expect_sane(cv.sparserls(x, y, 1:5, jitter = jitter, nfolds = "loo"))
})
