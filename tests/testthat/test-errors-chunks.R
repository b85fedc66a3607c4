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
    cv(y ~ x, type.measure = "cindex")
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
