x <- bad_x()
y <- bad_y()
d <- bad_frame()
by_matrix <- sparserls(x, y, 1:5, lambda = c(1, 0.1))
by_frame <- sparserls(d[c("a", "b", "f")], y, 1:5, lambda = 1)
by_terms <- sparserls(y ~ a + b + f, d, basis = 1:5, lambda = 1)
classes <- sparserls(x, d$f, 1:5, lambda = c(1, 0.1))

test_that("permuted and extra columns are fine, names or not; duplicate names go by position", {
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
  }
  twice <- x[, c("a", "b")]
  colnames(twice) <- c("a", "a")
  fit <- sparserls(twice, y, 1:5, lambda = 1)
  expect_equal(predict(fit, twice), fitted(fit), tolerance = 1e-5)
  expect_error(predict(fit, x), class = "sparserls_error_newdata")
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
  expect_true(all(is.na(predict(by_terms, transform(d, a = NA)))))
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
    expect_equal(as.matrix(some)[-1, ], as.matrix(predict(fit, d[1:3, ]))[-1, ], tolerance = 1e-12)
  }
})
