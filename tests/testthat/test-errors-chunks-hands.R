# What errors of calls on chunks say.

hand_error_chunks <- function() {
  set.seed(11)
  data <- data.frame(x1 = rnorm(60), x2 = runif(60), w = rep(1:3, 20), one = 1,
                     f = factor(rep(1:3, 20)), g = rep(1:12, each = 5))
  data$y <- data$x1 + rnorm(60) / 4
  data$cl <- data$y > 0
  list(data = data, chunks = chunks_function(3, function(i) data[20 * (i - 1) + 1:20, ]))
}

hand_quietly <- function(code) suppressWarnings(suppressMessages(code))

test_that("arguments of calls on chunks", {
  chunks <- hand_error_chunks()$chunks
  expect_said(error = TRUE, {
    cv.sparserls(y ~ x1, chunks, subset = 1:10, progress = FALSE)
    cv.sparserls(y ~ x1, chunks, weights = f, progress = FALSE)
    cv.sparserls(y ~ x1, chunks, basis = "many", progress = FALSE)
    rls(y ~ x1, chunks, basis = 3)
    cv.rls(y ~ one, chunks, progress = FALSE)
    cv.rls(y ~ x1, chunks, groups = one, progress = FALSE)
  })
})

test_that("folds in which nothing is scored", {
  chunks <- hand_error_chunks()$chunks
  expect_said(error = TRUE, {
    cv.sparserls(y ~ x1, chunks, basis = 60, nfolds = 3, holdout_basis = "skip", progress = FALSE)
    cv.sparserls(y ~ x1, chunks, basis = 60, nfolds = "loo", holdout_basis = "keep_loss",
                 progress = FALSE)
    cv.sparserls(y ~ f, chunks, subset = x1 > 9, progress = FALSE)
  })
})

test_that("chunks where rows are needed", {
  case <- hand_error_chunks()
  chunks <- case$chunks
  cv <- hand_quietly(cv.sparserls(y ~ x1, chunks, basis = 9, nfolds = 3, progress = FALSE))
  classes <- hand_quietly(cv.rls(cl ~ x1, chunks, nfolds = 3, progress = FALSE))
  expect_said(error = TRUE, {
    ardrls(y ~ x1, chunks)
    derivatives(cv)
    predict(cv, case$data, interval = "jackknife+")
    vcov(classes)
    predict(classes, case$data, type = "prob")
  })
})
