# Intervals and standard errors that cannot be had say why.

x <- bad_x()
y <- bad_y()
quiet <- function(code) suppressMessages(code)
kept <- quiet(cv.sparserls(x, y, 1:6, lambda = c(1, 0.1, 0.01), foldid = rep(1:4, 5), keep = TRUE))
bare <- quiet(cv.sparserls(x, y, 1:6, lambda = c(1, 0.1, 0.01), foldid = rep(1:4, 5)))
repeated <- quiet(cv.rls(x, y, lambda = 1, folds = list(1:5, 5:9, 10:20), keep = TRUE))
classes <- quiet(cv.rls(x, factor(y > 0), lambda = 1, foldid = rep(1:4, 5), keep = TRUE))
greedy <- quiet(cv.greedyrls(x, y, 3, foldid = rep(1:4, 5), keep = TRUE))
fit <- rls(x, y, lambda = c(1, 0.1))

test_that("intervals by refits need refits", {
  expect_refused("keep", {
    predict(bare, x, interval = "jackknife+")
  })
  expect_refused("folds", {
    predict(repeated, x, interval = "jackknife+")
  })
  expect_refused("argument", {
    predict(fit, x, 1, interval = "jackknife+")
    predict(greedy$fit, x, interval = "jackknife+")
  })
  expect_refused("lambda", {
    predict(kept, x, s = 0.5, interval = "jackknife+")
    predict(kept, x, s = c("lambda.min", "lambda.1se", "lambda.min"), interval = "jackknife+")
    predict(fit, x, interval = "gp")
    predict(kept, x, s = "lambda.min.output", interval = "jackknife+")
  })
  other <- setdiff(1:3, c(greedy$k.min, greedy$k.1se))[1]
  expect_classed("k", {
    predict(greedy, x, k = other, interval = "jackknife+")
  })
})

test_that("intervals are for numbers, and for rows that are given", {
  expect_refused("argument", {
    predict(classes, x, interval = "jackknife+")
    predict(classes, x, interval = "gp")
    predict(classes, x, type = "class", se.fit = TRUE)
    predict(kept, x, type = "class", se.fit = TRUE)
  })
  expect_refused("newdata", {
    predict(kept, interval = "jackknife+")
    predict(fit, se.fit = TRUE)
  })
  expect_refused("kernel", {
    predict(rls(tcrossprod(x), y, kernel_precomputed(), 1), tcrossprod(x), se.fit = TRUE)
  })
  # Scores of classes have standard errors.
  expect_true(all(predict(classes, x, se.fit = TRUE)$se.fit > 0))
})

test_that("levels, kinds and noise are checked whatever is asked", {
  expect_refused("argument", {
    predict(kept, x, interval = "jackknife")
    predict(kept, x, interval = "gp", level = 1)
    predict(kept, x, interval = "gp", level = c(0.8, 0.9))
    predict(kept, x, interval = "gp", level = 95)
    predict(kept, x, se.fit = NA)
    predict(kept, x, se.fit = TRUE, noise = "ml")
  })
  expect_refused("dots", {
    predict(kept, x, intervals = "gp")
  })
  expect_refused("lambda", {
    predict(rls(x[1:3, ], y[1:3], kernel_gaussian(10), lambda = 1e-15, intercept = FALSE), x,
            se.fit = TRUE)
  })
})

test_that("infinite ends are said, once", {
  many <- transform(prostate[1:60, ], site = rep(1:12, 5))
  group <- quiet(cv.rls(lpsa ~ . - site, many, groups = site, lambda = 1, keep = TRUE))
  two <- quiet(cv.rls(cbind(lpsa, lcavol) ~ age, many, lambda = 1, nfolds = 5, keep = TRUE,
                      subset = 1:12))
  expect_said({
    ends <- predict(group, prostate, interval = "jackknife+", level = 0.95)
    wide <- predict(two, prostate, interval = "jackknife+", level = 0.99)
    sparse <- predict(kept, x, interval = "jackknife+", level = 0.999)
  })
  expect_true(all(is.infinite(ends[, -1]), is.infinite(wide[, , -1]), is.infinite(sparse[, -1])))
  expect_warning(predict(kept, x, interval = "jackknife+", level = 0.96),
                 class = "sparserls_warning_interval")
  # As far as they go.
  for (level in c(12 / 13, 0.9, 0.5)) {
    expect_silent(ends <- predict(group, prostate, interval = "jackknife+", level = level))
    expect_true(all(is.finite(ends)))
  }
  expect_silent(predict(group, prostate, interval = "gp", level = 0.99))
})
