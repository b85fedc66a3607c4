# Why there are no debiased effects: in a message where they were not asked for, an error where they
# were.

set.seed(1)
x <- cbind(a = rnorm(40), b = rnorm(40), t = rep(0:1, 20))
y <- x[, 1] + rnorm(40)
data <- data.frame(x, y = y, site = rep(c("u", "v"), each = 20))
fold <- rep(1:5, 8)
kernel <- kernel_gaussian(0.3)
basis <- I(seq(1, 40, 4))
quiet <- function(...) suppressMessages(suppressWarnings(...))
cv <- quiet(cv.sparserls(y ~ a + b + t, data, basis = basis, kernel = kernel,
                         lambda = c(1, 0.1, 0.01), foldid = fold, keep = TRUE))
of <- function(...) quiet(cv.sparserls(x, y, basis, kernel, c(1, 0.1), ...))
matrix <- of(foldid = fold, keep = TRUE)

test_that("what has no refits that divide the rows says why", {
  fit <- sparserls(x, y, basis, kernel, 1)
  forgotten <- of(foldid = fold)
  overlapping <- of(folds = list(1:20, 15:40), keep = TRUE)
  repeated <- of(folds = c(split(1:40, fold), list(1:20, 21:40)), keep = TRUE)
  some <- of(folds = list(1:10, 11:20), keep = TRUE)
  wider <- of(folds = list(list(score = 1:20, omit = 1:22), list(score = 21:40, omit = 21:40)),
              keep = TRUE)
  unscored <- of(foldid = fold, holdout_basis = "skip", keep = TRUE)
  linear <- rls(x, y, lambda = 1)
  full <- rls(x, y, kernel, 1)
  expect_said({
    effects <- derivatives(fit, x)
    effects <- derivatives(forgotten, x)
    effects <- derivatives(overlapping, x)
    effects <- derivatives(full, x)
  })
  expect_refused("keep", {
    derivatives(fit, x, type = "debiased")
    derivatives(forgotten, x, type = "debiased")
    derivatives(linear, x, type = "debiased")
    average_effect(fit, identity)
    average_effect(forgotten, identity, newdata = x)
  })
  expect_refused("folds", {
    derivatives(overlapping, x, type = "debiased")
    derivatives(repeated, x, type = "debiased")
    derivatives(some, x, type = "debiased")
    derivatives(wider, x, type = "debiased")
    derivatives(unscored, x, type = "debiased")
    average_effect(overlapping, identity, newdata = x)
  })
})

test_that("rows in chunks have no refits in memory", {
  chunks <- chunks_function(2, function(i) data[20 * i - 19:0, ])
  fit <- quiet(cv.sparserls(y ~ a + b + t, chunks, basis = 8, kernel = kernel, lambda = 1,
                            nfolds = 3, progress = FALSE))
  expect_said({
    effects <- derivatives(fit, data)
  })
  expect_refused("keep", {
    derivatives(fit, data, type = "debiased")
    average_effect(fit, identity, newdata = data)
  })
})

test_that("refits were kept at lambda.min and lambda.1se", {
  expect_refused("lambda", {
    derivatives(cv, s = 0.5, type = "debiased")
    average_effect(cv, identity, s = 0.5)
  })
  expect_identical(derivatives(cv, s = "lambda.1se")$type, "debiased")
})

test_that("rows of weight zero may be in no fold, but then not in the average", {
  w <- replace(rep(1, 40), 1:3, 0)
  cv <- of(weights = w, folds = unname(split(4:40, fold[4:40])), keep = TRUE)
  expect_refused("weights", {
    derivatives(cv, x, weights = rep(1, 40), type = "debiased")
    average_effect(cv, identity, newdata = x, weights = rep(1, 40))
  })
  expect_identical(derivatives(cv, x)$type, "debiased")
  expect_identical(quiet(derivatives(cv, x, weights = rep(1, 40)))$type, "jackknife")
})

test_that("other rows than those of the fit are known", {
  moved <- replace(x, cbind(3, 1), x[3, 1] + 1e-3)
  gap <- replace(x, cbind(3, 1), NA)
  expect_said({
    effects <- derivatives(matrix, x[1:10, ])
  })
  expect_refused("newdata", {
    derivatives(matrix, x[1:10, ], type = "debiased")
    derivatives(matrix, x[40:1, ], type = "debiased")
    derivatives(matrix, moved, type = "debiased")
    derivatives(matrix, gap, type = "debiased")
    derivatives(matrix, type = "debiased")
    derivatives(cv, data[-1, ], type = "debiased")
    average_effect(matrix, identity, newdata = x[40:1, ])
    average_effect(matrix, identity)
    average_effect(cv, identity, newdata = data[1:39, ])
  })
})

test_that("families without debiased effects say so", {
  selected <- quiet(cv.greedyrls(x, y, 2, foldid = fold, keep = TRUE))
  mixed <- quiet(cv.rls2(x, y, lambda = c(1, 0.1), foldid = fold, keep = TRUE))
  expect_refused("object", {
    derivatives(selected, x, type = "debiased")
    derivatives(mixed, x, type = "debiased")
    derivatives(rls2(x, y, lambda = 1), x, type = "debiased")
    average_effect(selected, identity, newdata = x)
    average_effect(mixed, identity, newdata = x)
    average_effect(greedyrls(x, y, 2), identity)
    average_effect(rls2(x, y, lambda = 1), identity)
  })
})

test_that("searched widths need outer folds that divide the rows", {
  of <- function(...) quiet(cv.ardrls(x, y, basis, kernel, penalty = c(Inf, 1), maxit = 2,
                                      foldid = fold, ...))
  outer <- unname(split(1:40, fold))
  forgotten <- of(outer = outer)
  two <- of(outer = list(1:20, 21:40), keep = TRUE)
  some <- of(outer = outer[1:3], keep = TRUE)
  kept <- of(outer = outer, keep = TRUE)
  expect_said({
    effects <- derivatives(forgotten, x)
    effects <- derivatives(some, x)
  })
  expect_refused("keep", {
    derivatives(forgotten, x, type = "debiased")
    derivatives(two, x, type = "debiased")
    average_effect(forgotten, identity, newdata = x)
  })
  expect_refused("folds", {
    derivatives(some, x, type = "debiased")
  })
  expect_refused("newdata", {
    derivatives(kept, x[40:1, ], type = "debiased")
  })
})

test_that("what moves the rows must be a function that returns them", {
  move <- function(d) transform(d, a = a + 1)
  levels <- quiet(cv.rls(y ~ a + site, data, lambda = 1, foldid = fold, keep = TRUE))
  expect_refused("argument", {
    average_effect(cv, "a")
    average_effect(cv, list(move))
    average_effect(cv, list(one = move, one = move))
    average_effect(cv, list(one = move, two = 3))
    average_effect(cv, list())
    average_effect(cv, structure(list(), names = character()))
    average_effect(cv, function(d) d[1:3, ])
    average_effect(cv, function(d) NULL)
    average_effect(cv, function(d) d$a)
    average_effect(cv, function(d) replace(d, "a", NA_real_))
    average_effect(cv, move, from = "b")
    average_effect(cv, move, from = list(move))
    average_effect(cv, move, from = function(d) d[-1, ])
    average_effect(cv, move, from = function(d) transform(d, b = replace(b, 2, NA)))
    average_effect(cv, function(d) d["a"])
    average_effect(matrix, function(x) x[, 1:2], newdata = x)
    average_effect(matrix, function(x) replace(x, 3, NA), newdata = x)
    average_effect(levels, function(d) transform(d, site = "w"))
  })
  expect_refused("dots", {
    average_effect(cv, move, level = 0.9)
  })
})

test_that("subgroups must be columns, or have a value for each row", {
  move <- function(d) transform(d, a = a + 1)
  expect_refused("argument", {
    average_effect(cv, move, by = "none")
    average_effect(cv, move, by = c("site", "none"))
    average_effect(cv, move, by = 1:3)
    average_effect(cv, move, by = list(1:40))
    average_effect(cv, move, by = mean)
    average_effect(cv, move, by = replace(data$site, 3:4, NA))
    average_effect(matrix, identity, by = "a", newdata = x)
  })
  expect_refused("weights", {
    average_effect(cv, move, weights = 1:3)
    average_effect(cv, move, weights = rep(0, 40))
  })
})

test_that("without its data a fit by a formula asks for them", {
  rows <- data
  gone <- quiet(cv.rls(y ~ a + b + t, rows, lambda = 1, foldid = fold, keep = TRUE))
  rm(rows)
  expect_refused("newdata", {
    average_effect(gone, identity)
  })
  expect_identical(average_effect(gone, function(d) transform(d, t = 1), newdata = data)$nobs, 40L)
})

test_that("rows without weight, other rows, and features without values are refused", {
  rows <- data
  fit <- rls(y ~ a + b, rows, lambda = 1)
  expect_refused("weights", {
    derivatives(fit, transform(rows, a = replace(a, 1, NA)), weights = c(1, rep(0, 39)))
  })
  rows <- data[-1, ]
  expect_refused("newdata", {
    derivatives(fit)
  })
  dated <- transform(data, day = as.Date("2024-01-01") + 1:40)
  fit <- rls(y ~ a + as.numeric(day), dated, lambda = 1)
  expect_refused("argument", {
    effect_curve(fit, "day")
  })
})
