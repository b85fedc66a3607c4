# Messages of calls on chunks.

test_that("bad calls on chunks are classed errors that name the chunk", {
  set.seed(1)
  data <- data.frame(x = rnorm(40), y = rnorm(40), g = rep(1:8, each = 5),
                     a = rep(c("u", "v"), 20), w = 1)
  chunks <- function(change = function(data, i) data) {
    chunks_function(4, function(i) change(data[(i - 1) * 10 + 1:10, ], i))
  }
  cv <- function(..., of = chunks()) cv.sparserls(data = of, basis = 5, progress = FALSE, ...)
  expect_said(error = TRUE, {
    cv(y ~ z)
    cv(y ~ poly(x, 2))
    cv.sparserls(y ~ x, chunks(), strata = "a")
    cv.rls(y ~ x, chunks(), outer = 3)
    cv(y ~ x, groups = data$g)
    cv(y ~ x, groups = "h")
    cv(y ~ x, nfolds = 1)
    cv(y ~ x, groups = "g", nfolds = 9)
    cv(y ~ x, type.measure = "cindex")
    cv(y ~ x, type.measure = function(y, yhat, weights) max(abs(y - yhat)))
    cv(y ~ x, keep = TRUE)
    cv(y ~ x, nfoldz = 3)
    cv(a ~ x)
    cv(y ~ x, groups = "g", foldid = "g")
    cv.sparserls(y ~ x, chunks(), basis = c(3, 8, 9, 30), progress = FALSE)
    cv.sparserls(y ~ x, chunks(), basis = 50, progress = FALSE)
    cv.rls(y ~ x, chunks(), kernel = kernel_gaussian(), progress = FALSE)
    cv(y ~ x, groups = "g", of = chunks(function(data, i) {
      if (i == 3) data$g[2] <- NA
      data
    }))
    cv(y ~ x, groups = "g", of = chunks(function(data, i) {
      data$g <- 1:10
      data
    }))
    cv(y ~ x, weights = "w", of = chunks(function(data, i) {
      if (i == 2) data$w[3] <- -1
      data
    }))
    cv(y ~ x, of = chunks(function(data, i) {
      if (i == 2) data$x[3] <- Inf
      data
    }))
    cv(y ~ x, of = chunks(function(data, i) {
      data$y <- 3
      data
    }))
    cv(y ~ x, of = chunks(function(data, i) {
      data$y <- data$y * 1e60
      data
    }))
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
  survey <- chunks_survey(y ~ a, chunks_function(2, function(i) {
    data.frame(a = rep(c("u", "v"), 10), y = sin(1:20) + i)
  }), progress = FALSE)
  other <- chunks_function(2, function(i) {
    data.frame(a = rep(c("u", letters[i]), 10), y = sin(1:20))
  })
  expect_said(error = TRUE, {
    cv.sparserls(y ~ a, other, survey = survey, basis = 1, progress = FALSE)
    cv.sparserls(y ~ x, chunks, survey = survey, basis = 2, progress = FALSE)
  })
})

test_that("what rows in memory are refused for, rows in chunks are, too", {
  data <- data.frame(x = sin(1:40), y = cos(3 * (1:40)), g = rep(1:8, each = 5), w = 1, none = 0,
                     large = 1e150 * sin(1:40), k = replace(1:40, 13, NA))
  chunks <- function(...) chunks_function(4, function(i) data[(i - 1) * 10 + 1:10, ], ...)
  cv <- function(..., of = chunks()) cv.sparserls(data = of, basis = 5, progress = FALSE, ...)
  expect_said(error = TRUE, {
    cv(y ~ x, foldid = "w")
    cv(y ~ x, weights = "none")
    cv.rls(y ~ large, chunks(), standardize = FALSE, progress = FALSE)
    cv(y ~ x, groups = "g", rule = "paired")
    cv(y ~ x, na.action = "na.pass")
    cv(y ~ x, survey = 3)
    cv(y ~ x, of = chunks(key = "k"))
    cv.sparserls(y ~ x, chunks(), basis = basis_groups(5), progress = FALSE)
  })
  file <- withr::local_tempfile(fileext = ".parquet", lines = "no table")
  expect_classed("argument", {
    cv(y ~ x, keep = file.path(file, "inside"))
  })
  expect_classed("chunks", {
    chunks_files(file, groups = "g")
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
  expect_said(error = TRUE, {
    cv(y ~ x, later(function(data) replace(data, "y", Inf)))
    cv(a ~ x, later(function(data) replace(data, "a", factor(rep(c("u", "w"), 10)))))
    cv(factor(t) ~ x, later(function(data) replace(data, "t", rep(c("u", "w"), 10))))
    cv(y ~ x, later(function(data) replace(data, "fold", rep(1:5, 4))), foldid = "fold")
  })
})

test_that("types of new rows are those of the fit, as in memory", {
  set.seed(2)
  d <- data.frame(x = rnorm(60), n = 1:60, g = rep(c("u", "v", "w"), 20),
                  l = rep(c(TRUE, FALSE), 30))
  d$x[1:20] <- rnorm(20)
  d$y <- d$x + rnorm(60)
  late <- d
  late$n[1:20] <- NA
  cut_in <- function(d) chunks_function(3, function(i) d[20 * (i - 1) + 1:20, ])
  fits <- list(
    memory = rls(y ~ x + n + g + l, d, lambda = 1),
    chunks = rls(y ~ x + n + g + l, cut_in(d), lambda = 1, progress = FALSE),
    late = rls(y ~ x + n + g + l, cut_in(late), lambda = 1, na.action = na.omit, progress = FALSE),
    basis = suppressWarnings(sparserls(y ~ x + n + g + l, cut_in(d), basis = 10, lambda = 1,
                                       progress = FALSE))
  )
  new <- list(date = transform(d, n = as.Date("2024-01-01") + n), text = transform(d, x = "a"),
              factor = transform(d, n = factor(n)), logical = transform(d, x = x > 0),
              number = transform(d, g = n), one = transform(d, l = n),
              words = transform(d, l = "a"),
              list = within(d, x <- as.list(x)), level = transform(d, g = "k"))
  for (name in names(new)) for (fit in names(fits)) {
    class <- tryCatch({
      predict(fits[[fit]], new[[name]])
      "no error"
    }, error = function(e) class(e)[1])
    expect_identical(class, "sparserls_error_newdata", info = paste(fit, name))
  }
  fine <- list(transform(d, n = as.double(n)), transform(d, g = factor(g)),
               transform(d, x = NA), d[3, ])
  for (some in fine) for (fit in names(fits)) {
    expect_equal(NROW(predict(fits[[fit]], some)), nrow(some))
  }
  expect_equal(predict(fits$chunks, d), predict(fits$memory, d), tolerance = 1e-10)
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
