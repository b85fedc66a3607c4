x <- bad_x()
y <- bad_y()
d <- bad_frame()

test_that("x that is no numeric matrix is refused", {
  # is.atomic(NULL), on which the text depends, is not what it was before R 4.4.
  expect_classed("x", {
    sparserls(NULL, y, 5)
    cv.sparserls(NULL, y, 5)
    kernel_matrix(kernel_linear(), NULL)
    kernel_matrix(kernel_linear(), x, NULL)
  })
  imaginary <- x * 1i
  expect_refused("x", {
    sparserls(x[0, ], numeric(), 5)
    sparserls(x[, 0], y, 5)
    sparserls(x[, 1], y, 5)
    sparserls("x", y, 5)
    sparserls(matrix("1", 20, 2), y, 5)
    sparserls(imaginary, y, 5)
    sparserls(as.list(1:20), y, 5)
    sparserls(matrix(as.list(1:20), 20), y, 5)
    sparserls(array(0, c(20, 2, 2)), y, 5)
    sparserls(mean, y, 5)
    cv.sparserls(x[, 0], y, 5)
    kernel_matrix(kernel_linear(), 1:3)
    kernel_matrix(kernel_linear(), x[0, ])
    kernel_matrix(kernel_linear(), x, x[0, ])
    kernel_matrix(kernel_linear(), x, x[, 1:2])
    kernel_matrix(kernel_linear(), d)
  })
})

test_that("values that are missing or not finite are refused with their place", {
  expect_refused("x", {
    sparserls(replace(x, 3, NA), y, 5)
    sparserls(replace(x, 25, NaN), y, 5)
    sparserls(replace(x, c(41, 60), -Inf), y, 5)
    cv.sparserls(replace(x, 3, NA), y, 5)
    sparserls(replace(x > 0, 3, NA), y, 5)
    sparserls(data.frame(a = replace(x[, 1], 4, NA)), y, 5)
    sparserls(data.frame(a = replace(x[, 1], 4, NA), f = d$f), y, 5)
    sparserls(data.frame(a = replace(x[, 1], 4, Inf), f = d$f), y, 5)
    sparserls(data.frame(a = x[, 1], f = replace(d$f, 2, NA)), y, 5)
    kernel_matrix(kernel_linear(), replace(x, 1, NA))
    kernel_matrix(kernel_linear(), x, replace(x, 1, NA))
  })
})

test_that("data frames with columns that are no numbers or classes are refused", {
  frame <- function(column) {
    d <- data.frame(a = x[, 1])
    d$z <- column
    d
  }
  expect_refused("x", {
    sparserls(data.frame(), numeric(), 5)
    sparserls(d[, 0], y, 5)
    sparserls(frame(as.Date("2020-01-01") + 1:20), y, 5)
    sparserls(frame(as.POSIXct("2020-01-01", tz = "UTC") + 1:20), y, 5)
    sparserls(frame(as.difftime(1:20, units = "secs")), y, 5)
    sparserls(frame(as.list(1:20)), y, 5)
    sparserls(frame(x), y, 5)
    sparserls(frame(complex(20)), y, 5)
  })
})

test_that("data frames that model.matrix() cannot code are refused", {
  expect_classed("x", {
    sparserls(cbind(d["a"], d["f"], d["f"]), y, 5)
    sparserls(data.frame(f = "one", g = factor("u"))[rep(1, length(y)), ], y, 5)
    sparserls(setNames(d[c("a", "f")], c("", "f")), y, 5)
  })
})

test_that("a data frame without rows is about x, not y", {
  expect_classed("x", {
    sparserls(d[0, c("a", "b")], numeric(), 5)
    sparserls(d[0, c("a", "f")], numeric(), 5)
  })
})

test_that("values whose squares overflow are refused unless scaled first", {
  expect_refused("range", {
    sparserls(x * 1e200, y, 1:5, lambda = 1, standardize = FALSE)
    cv.sparserls(x * 1e200, y, 1:5, standardize = FALSE)
    kernel_matrix(kernel_linear(), x * 1e200)
  })
  for (scale in c(1e28, 1e-28)) {
    expect_same_fit(x * scale, x)
    expect_same_fit(x * scale, x, kernel = kernel_linear())
    expect_same_fit(data.frame(x * scale), x, kernel = kernel_laplacian())
    expect_sane(cv.sparserls(x * scale, y, 1:8, nfolds = "loo"))
  }
})

test_that("an overflow of z is about z", {
  expect_error(kernel_matrix(kernel_linear(), x, x * 1e200), "`z`",
               class = "sparserls_error_range")
})

test_that("unscaled tiny values are finite, too", {
  expect_sane(sparserls(x * 1e-29, y, 1:5, lambda = 1, standardize = FALSE))
  expect_warning(expect_sane(sparserls(x * 1e-29, y, 1:5, kernel_linear(), standardize = FALSE)),
                 class = "sparserls_warning_jitter")
})

test_that("integer and logical storage is as good as double", {
  whole <- matrix((1:60 * 7L) %% 20L, 20)
  expect_type(whole, "integer")
  expect_same_fit(whole, whole + 0, tolerance = 0)
  expect_same_fit(x > 0, (x > 0) + 0, tolerance = 0) |> suppressWarnings()
  expect_same_fit(data.frame(whole, l = y > 1), cbind(whole, y > 1), tolerance = 0)
  expect_identical(kernel_matrix(kernel_linear(), whole), kernel_matrix(kernel_linear(), whole + 0))
})

test_that("a large offset does not change predictions", {
  kernels <- list(kernel_gaussian(), kernel_linear(), kernel_laplacian(), kernel_polynomial())
  for (kernel in kernels) {
    expect_same_fit(x + 1e8, x, kernel = kernel, tolerance = 1e-5)
  }
  # The Gaussian and the Laplacian see differences only.
  for (kernel in list(kernel_gaussian(1), kernel_laplacian(1))) {
    expect_same_fit(x + 1e8, x, kernel = kernel, standardize = FALSE, tolerance = 1e-5)
  }
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
  expect_refused("y", {
    sparserls(x[1, , drop = FALSE], y[1], 1, lambda = 1)
    cv.sparserls(x[1, , drop = FALSE], y[1], 1, lambda = 1)
  })
  expect_sane(sparserls(x[1:2, ], y[1:2], 2, lambda = 1))
  expect_sane(cv.sparserls(x[1:2, ], y[1:2], 2, lambda = 1))
  expect_identical(dim(kernel_matrix(kernel_gaussian(), x[1, , drop = FALSE])), c(1L, 1L))
})
