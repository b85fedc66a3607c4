x <- bad_x()
y <- bad_y()
d <- bad_frame()

test_that("responses that are no numbers or classes are refused", {
  imaginary <- y * 1i
  expect_refused("y", {
    sparserls(x, basis = 5)
    sparserls(x, NULL, 5)
    sparserls(x, numeric(), 5)
    sparserls(x, y[-1], 5)
    sparserls(x, cbind(y, y)[-1, ], 5)
    cv.sparserls(x, y[-1], 5)
    sparserls(d[c("a", "f")], y[-1], 5)
    sparserls(x, as.character(y), 5)
    sparserls(x, imaginary, 5)
    sparserls(x, as.list(y), 5)
    sparserls(x, array(y, c(20, 1, 1)), 5)
    sparserls(x, as.Date("2020-01-01") + 1:20, 5)
    sparserls(x, as.POSIXct("2020-01-01", tz = "UTC") + 1:20, 5)
    sparserls(x, as.difftime(1:20, units = "secs"), 5)
    sparserls(x, data.frame(d$f, d$f), 5)
    sparserls(x, mean, 5)
  })
})

test_that("values of y that are missing, not finite, too large or all the same are refused", {
  expect_refused("y", {
    sparserls(x, replace(y, 4, NA), 5)
    sparserls(x, replace(y, c(7, 9), NaN), 5)
    sparserls(x, cbind(y, replace(y, 4, Inf)), 5)
    cv.sparserls(x, replace(y, 4, NA), 5)
    sparserls(x, rep(2, 20), 5)
    sparserls(x, rep(0.1, 20) * 3, 5)
    sparserls(x, cbind(y, 1), 5)
  })
})

test_that("a response without columns is refused", {
  expect_classed("y", {
    sparserls(x, cbind(y, y)[, 0], 5)
    cv.sparserls(x, cbind(y, y)[, 0], 5)
  })
})

test_that("classes that are missing or single are refused", {
  expect_refused("y", {
    sparserls(x, factor(rep("k", 20)), 5)
    sparserls(x, factor(rep("k", 20), c("k", "l")), 5)
    sparserls(x, rep(TRUE, 20), 5)
    sparserls(x, replace(d$f, 3, NA), 5)
    sparserls(x, factor(rep(NA, 20), c("k", "l")), 5)
    cv.sparserls(x, factor(rep("k", 20)), 5)
  })
})

test_that("responses of several kinds are fine", {
  expect_sane(sparserls(x, cbind(p = y, q = -y), 1:5))
  expect_sane(sparserls(x, data.frame(p = y, q = -y), 1:5))
  expect_identical(fitted(sparserls(x, array(y, 20), 1:5)), fitted(sparserls(x, y, 1:5)))
  expect_identical(fitted(sparserls(x, 1:20, 1:5)), fitted(sparserls(x, 1:20 + 0, 1:5)))
  expect_equal(fitted(sparserls(x, y * 1e-28, 1:5, lambda = 1)) * 1e28,
               fitted(sparserls(x, y, 1:5, lambda = 1)))
  cv <- cv.sparserls(x, y * 1e28, 1:5, lambda = 1, nfolds = "loo")
  expect_equal(cv$cvm / 1e56, cv.sparserls(x, y, 1:5, lambda = 1, nfolds = "loo")$cvm)
})

test_that("y far from zero is fitted as y without the offset", {
  fit <- sparserls(x, y + 1e8, 1:5, lambda = 1)
  expect_equal(fitted(fit) - 1e8, fitted(sparserls(x, y, 1:5, lambda = 1)), tolerance = 1e-6)
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

test_that("a fold that takes a whole class away is fine, unless the measure needs both", {
  expect_sane(cv.sparserls(x, d$f, 1:6, foldid = d$f))
  skip_if_not_installed("survival")
  expect_refused("measure", {
    cv.sparserls(x, d$f, 1:6, foldid = d$f, type.measure = "auc")
  })
})

test_that("unused levels of y do not count", {
  cv <- cv.sparserls(x, factor(d$f, c("u", "v", "w")), 1:6, foldid = rep(1:5, 4))
  same <- cv.sparserls(x, d$f, 1:6, foldid = rep(1:5, 4))
  expect_identical(cv$cvm, same$cvm)
})

test_that("weights that are no weights are refused", {
  expect_refused("weights", {
    sparserls(x, y, 5, weights = rep(1, 19))
    sparserls(x, y, 5, weights = 1)
    sparserls(x, y, 5, weights = letters[1:20])
    sparserls(x, y, 5, weights = list(1))
    sparserls(x, y, 5, weights = rep(TRUE, 20))
    sparserls(x, y, 5, weights = replace(rep(1, 20), 2, -0.5))
    sparserls(x, y, 5, weights = replace(rep(1, 20), 3, NA))
    sparserls(x, y, 5, weights = replace(rep(1, 20), 3, Inf))
    sparserls(x, y, 5, weights = numeric(20))
    cv.sparserls(x, y, 5, weights = numeric(20))
    cv.sparserls(x, y, 5, weights = -y)
  })
})

test_that("integer weights, a one-column matrix and zeros are fine", {
  fit <- sparserls(x, y, 1:5, weights = 1:20, lambda = 1)
  expect_identical(fitted(fit), fitted(sparserls(x, y, 1:5, weights = 1:20 + 0, lambda = 1)))
  expect_identical(fitted(sparserls(x, y, 1:5, weights = matrix(1:20), lambda = 1)), fitted(fit))
  expect_sane(sparserls(x, y, 1:5, weights = c(1, numeric(19)), lambda = 1))
  # One weight for all rows is another scale of lambda.
  expect_equal(fitted(sparserls(x, y, 1:5, weights = rep(1e-29, 20), lambda = 1e-29)),
               fitted(sparserls(x, y, 1:5, lambda = 1)), tolerance = 1e-6)
})
