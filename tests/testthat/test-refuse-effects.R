# Why there are no debiased effects: in a message where they were not asked for, an error where they
# were.

set.seed(1)
x <- cbind(a = rnorm(40), b = rnorm(40), t = rep(0:1, 20))
y <- x[, 1] + rnorm(40)
data <- data.frame(x, y = y, site = rep(c("u", "v"), each = 20))
fold <- rep(1:5, 8)
kernel <- kernel_gaussian(0.3)
basis <- I(seq(1, 40, 4))
cv <- quiet(cv.sparserls(y ~ a + b + t, data, basis = basis, kernel = kernel,
                         lambda = c(1, 0.1, 0.01), foldid = fold, keep = TRUE))
of <- function(...) quiet(cv.sparserls(x, y, basis, kernel, c(1, 0.1), ...))
matrix <- of(foldid = fold, keep = TRUE)

test_that("what has no refits that divide the rows says why", {
  fit <- sparserls(x, y, basis, kernel, 1)
  forgotten <- of(foldid = fold)
  overlapping <- of(folds = list(1:20, 15:40), keep = TRUE)
  some <- of(folds = list(1:10, 11:20), keep = TRUE)
  wider <- of(folds = list(list(score = 1:20, omit = 1:22), list(score = 21:40, omit = 21:40)),
              keep = TRUE)
  unscored <- of(foldid = fold, holdout_basis = "skip", keep = TRUE)
  chunks <- chunks_function(2, function(i) data[20 * i - 19:0, ])
  chunked <- quiet(cv.sparserls(y ~ a + b + t, chunks, basis = 8, kernel = kernel, lambda = 1,
                                nfolds = 3, progress = FALSE))
  expect_notes({
    effects <- derivatives(fit, x) | message | "which a fit alone does not have .. Averages are"
    effects <- derivatives(overlapping, x) | message | "rows are held out more .. Averages are"
  })
  expect_refusals({
    derivatives(fit, x, type = "debiased") | keep | "they need refits without .. Cross-validate"
    derivatives(forgotten, x, type = "debiased") | keep | "the cross-validation has not"
    derivatives(overlapping, x, type = "debiased") | folds | "rows are held out more than"
    derivatives(unscored, x, type = "debiased") | folds | "some rows"
    derivatives(some, x, type = "debiased") | folds | "some rows are not held out"
    derivatives(wider, x, type = "debiased") | folds | "folds leave out more rows"
    derivatives(chunked, data, type = "debiased") | keep | "they need rows in memory"
    derivatives(cv, s = 0.5, type = "debiased") | lambda | 'There are no debiased effects: refits'
  })
  expect_identical(derivatives(cv, s = "lambda.1se")$type, "debiased")
})

test_that("rows of weight zero may be in no fold, but then not in the average", {
  w <- replace(rep(1, 40), 1:3, 0)
  cv <- of(weights = w, folds = unname(split(4:40, fold[4:40])), keep = TRUE)
  expect_refusals({
    derivatives(cv, x, weights = rep(1, 40), type = "debiased") |
      weights | "There are no debiased effects: some rows of the average are .. Give these rows"
  })
  expect_identical(derivatives(cv, x)$type, "debiased")
  expect_identical(quiet(derivatives(cv, x, weights = rep(1, 40)))$type, "jackknife")
})

d <- data.frame(f = gl(2, 20, labels = c("u", "v")), t = rep(0:1, 20), a = sin(1:40),
                y = cos(1:40))
others <- quiet(cv.sparserls(y ~ ., d, basis = 5, keep = TRUE))
move <- function(d) transform(d, a = a + 1)
levels <- quiet(cv.rls(y ~ a + site, data, lambda = 1, foldid = fold, keep = TRUE))

test_that("what moves the rows must be a function that returns them, subgroups columns or values", {
  expect_refusals({
    average_effect(others, "f") | argument | 'transform(d, f = "v") .. transform(d, f = "u")'
    average_effect(others, "t") | argument | "transform(d, t = 1) .. transform(d, t = 0)"
    average_effect(others, "a") | argument | "transform(d, a = a + 1)"
    average_effect(cv, move, by = "none") | argument | '`by` must name columns of the .. "none"'
    average_effect(cv, move, by = 1:3) | argument | "`by` must name columns of the data, or"
    average_effect(cv, move, by = replace(data$site, 3:4, NA)) |
      argument | "`by` has missing values .. 2 rows"
    average_effect(cv, move, weights = 1:3) | weights | "`weights` must have one value .. 3 values"
    average_effect(cv, move, weights = rep(0, 40)) | weights | "All `weights` are zero"
    average_effect(cv, function(d) d[1:3, ]) | argument | "`f` must return the rows .. data.frame"
    average_effect(cv, list(one = move, one = move)) | argument | "`f`"
    average_effect(cv, list(one = move, two = 3)) | argument | "`f`"
    average_effect(cv, move, from = "b") | argument | '`from` must be a function of the .. x "b"'
    average_effect(cv, move, from = function(d) d[-1, ]) | argument | "`from` must return the rows"
    average_effect(cv, move, from = function(d) transform(d, b = replace(b, 2, NA))) |
      argument | "`from` returns rows with missing values"
    average_effect(cv, function(d) d["a"]) | argument | "`f(data)` lacks columns that .. `b`, `t`"
    average_effect(matrix, function(x) replace(x, 3, NA), newdata = x) |
      argument | "`f(data)` has values that are missing or not finite .. 1 of them, the first in"
    average_effect(levels, function(d) transform(d, site = "w")) |
      argument | 'Column `site` of `f(data)` has levels the model has not seen .. x "w"'
    average_effect(cv, move, level = 0.9) | dots | "Unknown argument `level` .. The arguments are"
  })
})

gap <- replace(x, cbind(3, 1), NA)
selected <- quiet(cv.greedyrls(x, y, 2, foldid = fold, keep = TRUE))
mixed <- quiet(cv.rls2(x, y, lambda = c(1, 0.1), foldid = fold, keep = TRUE))

test_that("other rows than those of the fit are known, families without debiased effects say so", {
  expect_refusals({
    derivatives(matrix, x[1:10, ], type = "debiased") | newdata | "`newdata` are not the"
    derivatives(matrix, gap, type = "debiased") | newdata | "`newdata` has values that are"
    derivatives(matrix, type = "debiased") | newdata | "`newdata` is missing .. Fits to a matrix or"
    derivatives(selected, x, type = "debiased") | object | "Fits of greedyrls() are .. Use coef()"
    derivatives(mixed, x, type = "debiased") | object | "Only fits of sparserls() .. rls2 of size"
  })
})

test_that("searched widths need outer folds that divide the rows", {
  of <- function(...) quiet(cv.ardrls(x, y, basis, kernel, penalty = c(Inf, 1), maxit = 2,
                                      foldid = fold, ...))
  outer <- unname(split(1:40, fold))
  forgotten <- of(outer = outer)
  two <- of(outer = list(1:20, 21:40), keep = TRUE)
  some <- of(outer = outer[1:3], keep = TRUE)
  expect_notes({
    effects <- derivatives(forgotten, x) | message | "There are no standard errors: .. keep = TRUE"
    effects <- derivatives(some, x) | message | "some rows are in no outer fold .. Averages are"
  })
  expect_refusals({
    derivatives(two, x, type = "debiased") | keep | "they need outer fits .. Use outer = 5, or"
    derivatives(some, x, type = "debiased") | folds | "some rows are in no outer"
  })
})

test_that("rows without weight, other rows, and features without values are refused", {
  rows <- data
  fit <- rls(y ~ a + b, rows, lambda = 1)
  expect_refusals({
    derivatives(fit, transform(rows, a = replace(a, 1, NA)), weights = c(1, rep(0, 39))) |
      weights | "All complete rows have weight zero: there is no average"
  })
  rows <- data[-1, ]
  expect_refusals(derivatives(fit) | newdata | "`newdata` .. of the fit have changed")
  dated <- transform(data, day = as.Date("2024-01-01") + 1:40)
  fit <- rls(y ~ a + as.numeric(day), dated, lambda = 1)
  expect_refusals({
    effect_curve(fit, "day") | argument | "`feature` must be a variable of numbers or .. `day` is"
    effect_curve(fit) | argument | "`feature` is missing"
    effect_curve(fit, "a", by = "day") | dots | "`by` .. Two names, c(\"age\", \"sex\")"
  })
})

test_that("rows of a fit whose data are gone are asked for", {
  fit <- local({
    gone <- prostate
    cv.rls(lpsa ~ lcavol, gone, lambda = 1, keep = TRUE)
  })
  environment(fit$fit$terms) <- globalenv()
  fit$fit$call$data <- NULL
  expect_refusals({
    partial_effects(fit) | newdata | "`data` is missing, and the data of .. 'lcavol' .. as `data`"
    derivatives(fit) | newdata | "`newdata` is missing, and the data of the fit cannot be found"
  })
})
