# New rows in other orders, classes and sizes than those of the fit.

x <- bad_x()
y <- bad_y()
d <- bad_frame()
by_matrix <- sparserls(x, y, 1:5, lambda = c(1, 0.1))
by_cv <- cv.sparserls(x, y, 1:5, kernel_gaussian(width_multiples(1)), c(1, 0.1), nfolds = "loo")
no_names <- sparserls(unname(x), y, 1:5, lambda = 1)
by_frame <- sparserls(d[c("a", "b", "f")], y, 1:5, lambda = 1)
by_terms <- sparserls(y ~ a + b + f, d, basis = 1:5, lambda = 1)
classes <- sparserls(x, d$f, 1:5, lambda = c(1, 0.1))

test_that("newdata that is no matrix, not finite or too large is an error of newdata", {
  expect_error(predict(by_matrix, x * 1e200), "`newdata`", class = "sparserls_error_range")
})

test_that("an invalid Matrix as newdata is refused", {
  broken <- Matrix::Matrix(x, sparse = FALSE)
  broken@x <- broken@x[-1]
  expect_error(predict(by_matrix, broken), class = "sparserls_error")
})

test_that("permuted and extra columns are fine, names or not", {
  expected <- predict(by_matrix, x)
  expect_identical(predict(by_matrix, x[, c(3, 1, 2)]), expected)
  expect_identical(predict(by_matrix, cbind(z = 1, x)), expected)
  expect_identical(predict(by_matrix, unname(x)), expected)
  expect_identical(unname(predict(by_matrix, d[c("y", "c", "b", "a")])), unname(expected))
  expect_equal(predict(by_matrix, Matrix::Matrix(x)), expected)
  for (fit in list(by_frame, by_terms)) {
    expect_identical(predict(fit, d[c("y", "f", "b", "a")]), predict(fit, d))
    expect_identical(predict(fit, transform(d, f = as.character(f))), predict(fit, d))
    expect_identical(predict(fit, transform(d, f = factor(f, c("v", "u", "w")))), predict(fit, d))
    expect_equal(predict(fit, d), fitted(fit), tolerance = 1e-5, ignore_attr = TRUE)
  }
  whole <- sparserls(round(10 * x), y, 1:5, lambda = 1)
  expect_identical(predict(whole, `storage.mode<-`(round(10 * x), "integer")),
                   predict(whole, round(10 * x)))
})

test_that("duplicate column names are matched by position", {
  twice <- x[, c("a", "b")]
  colnames(twice) <- c("a", "a")
  fit <- sparserls(twice, y, 1:5, lambda = 1)
  expect_equal(predict(fit, twice), fitted(fit), tolerance = 1e-5)
  expect_error(predict(fit, x), class = "sparserls_error_newdata")
})

test_that("no rows give an empty result, one row gives one", {
  expect_identical(dim(predict(by_matrix, x[0, ])), c(0L, 2L))
  expect_identical(predict(by_cv, x[0, ]), numeric())
  expect_length(predict(by_terms, d[0, ]), 0)
  expect_identical(dim(predict(by_matrix, data.frame(x)[0, ])), c(0L, 2L))
  empty <- predict(classes, x[0, ], s = 1, type = "class")
  expect_identical(empty, factor(character(), c("u", "v")))
  expect_identical(dim(predict(by_matrix, x[1, , drop = FALSE])), c(1L, 2L))
  expect_equal(predict(by_matrix, x[1, , drop = FALSE]), predict(by_matrix, x)[1, , drop = FALSE])
  expect_equal(predict(by_terms, d[7, ])[1], predict(by_terms, d)[7])
  two <- sparserls(x, cbind(p = y, q = -y), 1:5, lambda = 1)
  expect_identical(dim(predict(two, x[0, ])), c(0L, 2L))
})

test_that("rows of a data frame with NA are NA in their place", {
  gaps <- d
  gaps$a[3] <- NA
  gaps$b[5] <- NaN
  gaps$f[8] <- NA
  for (fit in list(by_frame, by_terms)) {
    missing <- predict(fit, gaps)
    expect_identical(unname(which(is.na(missing))), c(3L, 5L, 8L))
    expect_equal(missing[-c(3, 5, 8)], predict(fit, d)[-c(3, 5, 8)])
  }
  expect_identical(which(is.na(unname(predict(by_matrix, gaps)[, 2]))), c(3L, 5L))
  expect_identical(which(is.na(predict(classes, gaps, s = 1, type = "class"))), c(3L, 5L))
  many <- sparserls(x, factor(rep(c("u", "v", "w", "z"), 5)), 1:5, lambda = 1)
  expect_identical(which(is.na(predict(many, gaps, type = "class"))), c(3L, 5L))
  expect_true(all(is.na(predict(by_terms, transform(d, a = NA)))))
})

test_that("a factor that is NA everywhere predicts NA without a stray warning", {
  expect_warning(gone <- predict(by_terms, transform(d, f = NA)), NA)
  expect_true(all(is.na(gone)))
})

test_that("a logical of the fit may be a number later, or is refused", {
  d$k <- y > 1
  fit <- sparserls(y ~ a + k, d, basis = 1:5, lambda = 1)
  later <- tryCatch(predict(fit, transform(d, k = k + 0)), sparserls_error_newdata = identity)
  expect_true(inherits(later, "error") || isTRUE(all.equal(later, predict(fit, d))))
})

test_that("a logical of the fit may have no rows, or nothing but NA", {
  d$k <- y > 1
  for (fit in list(sparserls(y ~ a + k, d, basis = 1:5, lambda = 1), rls(y ~ k * f, d, lambda = 1),
                   rls(y ~ a + I(!k), d, lambda = 1), sparserls(d[c("a", "k")], y, 1:5))) {
    expect_identical(NROW(predict(fit, d[0, ])), 0L)
    gone <- predict(fit, transform(d[1:3, ], k = NA))
    expect_identical(NROW(gone), 3L)
    expect_true(all(is.na(gone)))
    some <- predict(fit, transform(d[1:3, ], k = c(NA, k[2:3])))
    expect_identical(as.matrix(some)[-1, ], as.matrix(predict(fit, d[1:3, ]))[-1, ])
  }
})

test_that("both names of s give both", {
  expect_identical(coef(by_cv, s = c("lambda.1se", "lambda.min")),
                   cbind(coef(by_cv, s = "lambda.1se"), coef(by_cv, s = "lambda.min")))
})

test_that("variables that newdata lacks and that have other rows are refused, without a warning", {
  outside <- x
  fit <- sparserls(y ~ outside, d, basis = 1:5, lambda = 1)
  expect_no_warning(try(predict(fit, d[1:7, ]), silent = TRUE))
  expect_equal(predict(fit, d), fitted(fit), ignore_attr = TRUE, tolerance = 1e-5)
})

test_that("one column as the response of new rows is a vector", {
  skip_if_not_installed("generics")
  expect_identical(generics::augment(by_terms, newdata = transform(d, y = cbind(y)), s = 1)$.resid,
                   generics::augment(by_terms, newdata = d, s = 1)$.resid)
})
