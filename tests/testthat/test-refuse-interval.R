x <- bad_x()
y <- bad_y()
kept <- quiet(cv.sparserls(x, y, 1:6, lambda = c(1, 0.1, 0.01), foldid = rep(1:4, 5), keep = TRUE))
bare <- quiet(cv.sparserls(x, y, 1:6, lambda = c(1, 0.1, 0.01), foldid = rep(1:4, 5)))
repeated <- quiet(cv.rls(x, y, lambda = 1, folds = list(1:5, 5:9, 10:20), keep = TRUE))
classes <- quiet(cv.rls(x, factor(y > 0), lambda = 1, foldid = rep(1:4, 5), keep = TRUE))
greedy <- quiet(cv.greedyrls(x, y, 3, foldid = rep(1:4, 5), keep = TRUE))
fit <- rls(x, y, lambda = c(1, 0.1))

test_that("intervals by refits, kinds, levels and noise; se.fit of classes is that of scores", {
  other <- setdiff(1:3, c(greedy$k.min, greedy$k.1se))[1]
  expect_refusals({
    predict(bare, x, interval = "jackknife+") | keep | "The cross-validation has .. Cross-validate"
    predict(repeated, x, interval = "jackknife+") | folds | "Rows that are held out more than"
    predict(fit, x, 1, interval = "jackknife+") | argument | '`interval = "jackknife+"` needs a'
    predict(kept, x, s = 0.5, interval = "jackknife+") | lambda | "The refits were kept only at the"
    predict(kept, x, s = c("lambda.min", "lambda.1se", "lambda.min"), interval = "jackknife+") |
      lambda | "An interval is for a single point of the path .. 3 points"
    predict(fit, x, interval = "gp") | lambda | "An interval is for a single point of .. 2 points"
    predict(kept, x, s = "lambda.min.output", interval = "jackknife+") |
      lambda | '`s` must be "lambda.min", "lambda.1se" or values of lambda .. "lambda.min.output"'
    predict(greedy, x, k = other, interval = "jackknife+") | k | "The refits were kept only at the"
    predict(classes, x, interval = "jackknife+") | argument | '`interval` is for predictions of'
    predict(classes, x, type = "class", se.fit = TRUE) | argument | '`se.fit` is for predictions of'
    predict(kept, interval = "jackknife+") | newdata | "`interval` needs .. Predict rows that the"
    predict(fit, se.fit = TRUE) | newdata | "`se.fit` needs `newdata`: the fit does .. Predict rows"
    predict(rls(tcrossprod(x), y, kernel_precomputed(), 1), tcrossprod(x), se.fit = TRUE) |
      kernel | "With a precomputed kernel k(x, x) of new rows is not .. Standard errors need it"
    predict(kept, x, interval = "jackknife") | argument | '`interval` .. one of "none",'
    predict(kept, x, interval = "gp", level = 1) | argument | "`level` must be a number .. x 1"
    predict(kept, x, interval = "gp", level = c(0.8, 0.9)) | argument | "`level` must be a number"
    predict(kept, x, se.fit = NA) | argument | "`se.fit` must be TRUE or FALSE .. x NA"
    predict(kept, x, se.fit = TRUE, noise = "ml") | argument | '`noise` must be one of .. x "ml"'
    predict(kept, x, intervals = "gp") | dots | "Unknown argument `intervals` .. Did you mean"
    predict(rls(x[1:3, ], y[1:3], kernel_gaussian(10), lambda = 1e-15, intercept = FALSE), x,
            se.fit = TRUE) |
      warning_outside | "5 rows of `newdata` lie outside of the training rows" |
      lambda | "No degree of freedom is left for the noise .. 3 rows, df 3"
  })
  expect_true(all(predict(classes, x, se.fit = TRUE)$se.fit > 0))
})

test_that("infinite ends are said, once", {
  many <- transform(prostate[1:60, ], site = rep(1:12, 5))
  group <- quiet(cv.rls(lpsa ~ . - site, many, groups = site, lambda = 1, keep = TRUE))
  two <- quiet(cv.rls(cbind(lpsa, lcavol) ~ age, many, lambda = 1, nfolds = 5, keep = TRUE,
                      subset = 1:12))
  expect_notes({
    ends <- predict(group, prostate, interval = "jackknife+", level = 0.95) |
      warning_interval | "12 groups allow intervals of at most 92 % (12 / 13); at `level = 0.95`"
    wide <- predict(two, prostate, interval = "jackknife+", level = 0.99) |
      warning_interval | "12 rows allow intervals of at most 92 % (12 / 13); at `level = 0.99`"
  })
  expect_true(all(is.infinite(ends[, -1]), is.infinite(wide[, , -1])))
  expect_notes(predict(kept, x, interval = "jackknife+", level = 0.96) | warning_interval | "")
  # As far as they go.
  for (level in c(12 / 13, 0.9, 0.5)) {
    expect_silent(ends <- predict(group, prostate, interval = "jackknife+", level = level))
    expect_true(all(is.finite(ends)))
  }
  expect_silent(predict(group, prostate, interval = "gp", level = 0.99))
})
