test_that("bad calls on chunks are classed errors that name the chunk", {
  set.seed(1)
  data <- data.frame(x = rnorm(40), y = rnorm(40), g = rep(1:8, each = 5),
                     a = rep(c("u", "v"), 20), w = 1)
  chunks <- function(change = function(data, i) data) {
    chunks_function(4, function(i) change(data[(i - 1) * 10 + 1:10, ], i))
  }
  cv <- function(..., of = chunks()) cv.sparserls(data = of, basis = 5, progress = FALSE, ...)
  expect_refusals({
    cv.sparserls(y ~ x, tempdir()) | formula | "`data` must be a data .. chunks_files(list.files("
    cv(y ~ z) | formula | "A call on chunks must name columns .. x `z` .. The columns are x, y, g"
    cv(y ~ poly(x, 2)) | formula | "A term needs all rows, which no .. poly(x, 2) .. Compute its"
    cv.sparserls(y ~ x, chunks(), strata = "a") | chunks | "`strata` is not possible with rows in"
    cv.rls(y ~ x, chunks(), outer = 3) | chunks | "`outer` is not possible .. Use `nfolds`,"
    cv.rls(y ~ x, chunks(), groups = data$g) |
      formula | "With rows in chunks `groups` must name a .. data$g"
    cv(y ~ x, nfolds = 1) | folds | "`nfolds` must be at least 2 .. x 1L"
    cv(y ~ x, groups = "g", nfolds = 9) | folds | '`nfolds` must be "loo" or from 2 to 8, .. x 9L'
    cv(y ~ x, groups = "h") | formula | '`groups` must name a column of the chunks .. x "h"'
    cv(y ~ x, type.measure = function(y, yhat, weights) max(abs(y - yhat))) |
      measure | "With rows in chunks the measure must be"
    cv(y ~ x, keep = TRUE) | argument | "With rows in chunks `keep` must .. x TRUE .. The held-out"
    cv(a ~ x) | y | "`y` must be numeric (a vector or .. character vector of size .. Use factor(y)"
    cv.sparserls(y ~ x, chunks(), basis = c(3, 8, 9, 30), progress = FALSE) |
      basis | "With rows in chunks the basis .. numeric vector of size 4 .. Give a number, a"
    cv.sparserls(y ~ x, chunks(), basis = 50, progress = FALSE) |
      basis | "The basis is chosen among a sample of 40 rows .. 50 basis vectors .. Give a larger"
    cv.rls(y ~ x, chunks(), kernel = kernel_gaussian(), progress = FALSE) |
      kernel | "With rows in chunks rls() needs the plain linear .. Gaussian kernel (gamma .. Use"
    cv(y ~ x, groups = "g", of = chunks(function(d, i) replace(d, "g", c(NA, 2:10)))) |
      folds | "`groups` has missing labels .. column `g`, row 1 of the .. Every row must belong"
    cv(y ~ x, groups = "g", of = chunks(function(d, i) replace(d, "g", 1:10))) |
      folds | 'every .. group "1" is in chunks 1 .. Cut the chunks by .. by chunks_files('
    cv(y ~ x, weights = "w", of = chunks(function(d, i) replace(d, "w", if (i == 2) -1 else 1))) |
      weights | "`weights` must be finite and not negative .. weights[1] is -1"
    cv(y ~ x, of = chunks(function(d, i) replace(d, "x", if (i == 2) Inf else 1:10))) |
      x | "`data` has values that are .. 10 of them, the first in row 1 .. Drop or impute those"
    cv(y ~ x, of = chunks(function(d, i) replace(d, "y", d$y * 1e60))) |
      range | "`y` is too large .. the largest absolute value is 8.81e+59 .. Divide it by 1e59"
  })
})

test_that("chunks that change between the passes are found out", {
  passes <- 0
  chunks <- chunks_function(3, function(i) {
    if (i == 1) passes <<- passes + 1
    data.frame(x = 1:20 + i, y = sin(1:20) + if (passes > 3) 1 else 0)
  })
  expect_error(suppressWarnings(cv.sparserls(y ~ x, chunks, basis = 5, progress = FALSE)),
               class = "sparserls_error_chunks")
})

test_that("what rows in memory are refused for, rows in chunks are, too", {
  data <- data.frame(x = sin(1:40), y = cos(3 * (1:40)), g = rep(1:8, each = 5),
                     large = 1e150 * sin(1:40), k = replace(1:40, 13, NA))
  chunks <- function(...) chunks_function(4, function(i) data[(i - 1) * 10 + 1:10, ], ...)
  cv <- function(..., of = chunks()) cv.sparserls(data = of, basis = 5, progress = FALSE, ...)
  expect_refusals({
    cv.rls(y ~ large, chunks(), standardize = FALSE, progress = FALSE) |
      range | "`x` is too large .. the largest absolute value is 1e+150; it .. Divide it by 1e149"
    cv(y ~ x, groups = "g", rule = "paired") | argument | 'With rows in chunks `rule .. groups or'
    cv(y ~ x, na.action = "na.pass") | argument | 'With rows in chunks `na.action` .. "na.pass"'
    cv(y ~ x, survey = 3) | argument | "`survey` must come from chunks_survey() .. x 3"
    cv(y ~ x, of = chunks(key = "k")) | chunks | "The key `k` has missing .. row 3 of the chunk"
    cv.sparserls(y ~ x, chunks(), basis = basis_groups(5), progress = FALSE) |
      basis | "basis_groups() needs the groups of all rows .. Use basis_random() or another of"
  })
  file <- withr::local_tempfile(fileext = ".parquet", lines = "no table")
  expect_refusals({
    cv(y ~ x, keep = file.path(file, "inside")) |
      message | "lambda.min is the largest lambda of the grid" |
      argument | "`keep` must be a folder that can be written"
    chunks_files(file, groups = "g") | chunks | "`groups` is for text files"
  })
})

test_that("rows that are others in a later pass are refused for what they are", {
  later <- function(change) {
    passes <- 0
    chunks_function(2, function(i) {
      if (i == 1) passes <<- passes + 1
      data <- data.frame(x = sin(20 * i + 1:20), y = cos(1:20), a = factor(rep(c("u", "v"), 10)),
                         t = rep(c("u", "v"), 10), fold = rep(1:4, 5))
      # Before, the first chunk alone was read, twice, and then all by the survey.
      if (passes > 3) change(data) else data
    })
  }
  cv <- function(...) cv.sparserls(..., basis = 5, progress = FALSE)
  expect_refusals({
    cv(y ~ x, later(function(data) replace(data, "y", Inf))) | y | "`y` has values that are missing"
    cv(a ~ x, later(function(data) replace(data, "a", factor(rep(c("u", "w"), 10))))) |
      chunks | '`a` has levels that the first pass has not seen .. x "w" .. Have the chunks been'
    cv(factor(t) ~ x, later(function(data) replace(data, "t", rep(c("u", "w"), 10)))) |
      chunks | 'The response has classes that the first pass has .. x "w" .. Have the chunks been'
    cv(y ~ x, later(function(data) replace(data, "fold", rep(1:5, 4))), foldid = "fold") |
      chunks | '`foldid` has labels that the first pass has not .. x "5" .. Have the chunks been'
  })
})

test_that("types of new rows are those of the fit, as in memory", {
  set.seed(2)
  d <- data.frame(x = rnorm(60), y = rnorm(60), n = 1:60, g = rep(c("u", "v", "w"), 20),
                  l = rep(c(TRUE, FALSE), 30))
  chunks <- chunks_function(3, function(i) d[20 * (i - 1) + 1:20, ])
  fits <- list(memory = rls(y ~ x + n + g + l, d, lambda = 1),
               chunks = rls(y ~ x + n + g + l, chunks, lambda = 1, progress = FALSE))
  new <- list(date = transform(d, n = as.Date("2024-01-01") + n), text = transform(d, x = "a"),
              factor = transform(d, n = factor(n)), logical = transform(d, x = x > 0),
              number = transform(d, g = n), one = transform(d, l = n),
              words = transform(d, l = "a"), list = within(d, x <- as.list(x)),
              level = transform(d, g = "k"))
  for (name in names(new)) for (fit in names(fits)) {
    expect_error(predict(fits[[fit]], new[[name]]), class = "sparserls_error_newdata",
                 info = paste(fit, name))
  }
  for (some in list(transform(d, n = as.double(n)), transform(d, g = factor(g)), d[3, ])) {
    expect_equal(predict(fits$chunks, some), predict(fits$memory, some), tolerance = 1e-10)
  }
})

test_that("a folder of held-out predictions that goes away is no checkpoint", {
  withr::local_dir(withr::local_tempdir())
  set.seed(4)
  d <- data.frame(x = rnorm(60))
  d$y <- d$x + rnorm(60)
  full <- FALSE
  chunks <- chunks_function(3, function(i) {
    if (dir.exists("here") && full) unlink("here", recursive = TRUE)
    full <<- dir.exists("here")
    d[20 * (i - 1) + 1:20, ]
  })
  e <- tryCatch(cv.rls(y ~ x, chunks, keep = "here", nfolds = 3, progress = FALSE),
                error = identity)
  expect_s3_class(e, "sparserls_error_keep")
  expect_match(conditionMessage(e), "Held-out predictions could not be written", fixed = TRUE)
  expect_no_match(conditionMessage(e), "checkpoint")
})

set.seed(11)
sixty <- data.frame(x1 = rnorm(60), y = rnorm(60), one = 1, f = factor(rep(1:3, 20)))
sixty$cl <- sixty$y > 0
chunks <- chunks_function(3, function(i) sixty[20 * (i - 1) + 1:20, ])

cv <- quiet(cv.sparserls(y ~ x1, chunks, basis = 9, nfolds = 3, progress = FALSE))
classes <- quiet(cv.rls(cl ~ x1, chunks, nfolds = 3, progress = FALSE))

test_that("arguments of calls on chunks, and of fits to them", {
  expect_refusals({
    cv.sparserls(y ~ x1, chunks, subset = 1:10, progress = FALSE) |
      argument | "With rows in chunks `subset` must be TRUE .. `1:10`: numeric vector .. Write a"
    cv.sparserls(y ~ x1, chunks, weights = f, progress = FALSE) |
      weights | "`weights` must be numbers, one .. factor of size 20"
    cv.sparserls(y ~ x1, chunks, basis = "many", progress = FALSE) |
      basis | '`basis` must be numeric or a basis_*() .. "many"'
    rls(y ~ x1, chunks, basis = 3) | dots | "Unknown argument `basis` .. The arguments are formula"
    cv.rls(y ~ one, chunks, progress = FALSE) | kernel | "The kernel is constant .. linear kernel"
    ardrls(y ~ x1, chunks) | chunks | "Chunks are not a data frame .. 3 chunks of a function, 5"
    derivatives(cv) | newdata | "`newdata` is missing: rows in chunks .. chunks_survey(formula,"
    predict(cv, sixty, interval = "jackknife+") | keep | "The cross-validation has not kept its"
    vcov(classes, type = "sandwich") | keep | 'of its rows, which type = .. With rows in chunks'
    predict(classes, sixty, type = "prob") | argument | "This cross-validation has no held-out"
  })
})

test_that("folds in which nothing is scored", {
  cv <- function(form, ...) cv.sparserls(form, chunks, basis = 60, progress = FALSE, ...)
  expect_refusals({
    cv(y ~ x1, nfolds = 3, holdout_basis = "skip") | folds | 'With holdout_basis = "skip" no row'
    cv(y ~ x1, nfolds = "loo", holdout_basis = "keep_loss") | folds | '"keep_loss" no row is scored'
    cv.sparserls(y ~ f, chunks, subset = x1 > 9, progress = FALSE) | formula | "No rows are left"
  })
})

test_that("effects and influence of chunks point to a sample in memory", {
  chunks <- chunks_function(3, function(i) iris[seq(i, 150, by = 3), ])
  cv <- quiet(cv.sparserls(Sepal.Length ~ Sepal.Width + Petal.Length, chunks, basis = 9,
                           kernel = kernel_gaussian(0.1), nfolds = 3, progress = FALSE))
  said <- "Cross-validate chunks_survey(formula, chunks)$sample with keep = TRUE."
  effects <- quiet(derivatives(cv, iris))
  summary <- paste(trimws(capture.output(summary(effects))), collapse = " ")
  expect_match(summary, said, fixed = TRUE)
  expect_no_match(summary, "partial_effects")
  expect_message(derivatives(cv, iris), said, fixed = TRUE)
  expect_error(influence(cv, iris), said, fixed = TRUE, class = "sparserls_error_chunks")
})
