expect_wrapper <- function(fit, wrapper, seed) {
  error <- if (fit$criterion == "loo") fit$loo else fit$holdout
  expect_identical(fit$selected, wrapper$selected, info = sprintf("seed %d", seed))
  expect_lt(max(abs(error / wrapper$error - 1)), 1e-8)
}

test_that("features, order and errors are those of the wrapper, by rows and by any sets", {
  tried <- 0
  for (seed in 1:14) {
    case <- greedy_case(seed)
    wrapper <- function(x, ...) {
      wrapper_selection(x, case$y, case$w, case$k, case$lambda, case$intercept, ...)
    }
    by_rows <- wrapper(case$x)
    expect_wrapper(greedy_fit(case, standardize = FALSE), by_rows, seed)
    expect_wrapper(greedy_fit(case, standardize = FALSE, cache = FALSE), by_rows, seed)
    if (seed <= 7) {
      some <- case$x[, wrapper_candidates(case$x, case$w, case$intercept)]
      expect_wrapper(greedy_fit(replace(case, "x", list(some))),
                     wrapper(standardized(some, case$w, case$intercept)), seed)
    }
    if (seed %% 2) case <- with_wider_folds(case)
    if (length(case$folds) == 0) next
    tried <- tried + 1
    fit <- greedy_fit(case, standardize = FALSE, criterion = "folds", folds = case$folds)
    expect_wrapper(fit, wrapper(case$x, case$folds), seed)
  }
  expect_gt(tried, 11)
  # More rows than a sweep takes at a time (CHUNK, src/greedy.c).
  set.seed(3)
  x <- matrix(rnorm(1200), 300)
  y <- x[, 1:2] %*% c(1, -1) + rnorm(300)
  expect_wrapper(greedyrls(x, y, 2, standardize = FALSE),
                 wrapper_selection(x, y, rep(1, 300), 2, 1, TRUE), 300)
})

test_that("coefficients and predictions after every step are those of the refit", {
  for (seed in 1:12) {
    case <- greedy_case(seed)
    fit <- greedy_fit(case, standardize = FALSE)
    y <- as.matrix(case$y)
    steps <- seq_len(case$k)
    rows <- seq_len(nrow(y))
    predicted <- array(predict(fit, case$x, k = steps), c(dim(y), case$k))
    coefs <- array(coef(fit, k = steps), c(ncol(case$x) + 1, ncol(y), case$k))
    for (step in steps) {
      x <- case$x[, fit$selected[seq_len(step)], drop = FALSE]
      honest <- reference_ridge(x, y, case$w, rows, rows, case$lambda, case$intercept)[, , 1]
      expect_equal(predicted[, , step], honest, tolerance = 1e-8)
      by_slopes <- cbind(1, case$x) %*% coefs[, , step]
      expect_equal(unname(drop(by_slopes)), honest, tolerance = 1e-8)
      expect_true(all(coefs[-c(1, fit$selected[seq_len(step)] + 1), , step] == 0))
    }
    expect_equal(array(fitted(fit, k = steps), dim(predicted)), predicted)
    expect_equal(as.vector(residuals(fit)), as.vector(y - predicted[, , case$k]))
  }
})

set.seed(1)
m <- 40
x <- matrix(rnorm(m * 12), m)
colnames(x) <- paste0("v", 1:12)
y <- drop(x[, c(3, 7, 9)] %*% c(2, -1, 0.5)) + 0.3 * rnorm(m)
w <- runif(m, 0.5, 2)

test_that("threads change nothing, bit for bit, and inputs are left alone", {
  before <- list(x = x + 0, y = y + 0, w = w + 0)
  for (criterion in c("loo", "folds")) for (cache in c(TRUE, criterion == "folds")) {
    fit <- function(threads) {
      fit <- greedyrls(x, cbind(y, x[, 1]), 8, criterion = criterion, weights = w, cache = cache,
                       foldid = if (criterion == "folds") rep(1:5, 8), threads = threads)
      fit$call <- NULL
      fit
    }
    expect_identical(fit(1), fit(2))
    expect_identical(fit(1), fit(5))
  }
  expect_identical(list(x = x, y = y, w = w), before)
})

test_that("constant columns are selected like others without an intercept, with one never", {
  some <- cbind(1, x[, 3], x[, 3], x[, 7], 0, x[, 7])
  fit <- greedyrls(some, y, 4, 0.1)
  expect_identical(fit$selected[1:2], c(2L, 4L))
  expect_setequal(fit$selected, c(2, 3, 4, 6))
  expect_identical(greedyrls(some, y, 4, 0.1, cache = FALSE)$selected, fit$selected)
  expect_identical(greedyrls(some, y, 1, 0.1, intercept = FALSE, standardize = FALSE)$selected, 2L)
  some <- cbind(x[, 1:3], 2, 0)
  far <- y + 10
  for (standardize in c(TRUE, FALSE)) for (cache in c(TRUE, FALSE)) {
    fit <- greedyrls(some, far, 4, 0.1, weights = w, intercept = FALSE, standardize = standardize,
                     cache = cache)
    z <- if (standardize) standardized(some, w, FALSE) else some
    expect_wrapper(fit, wrapper_selection(z, as.matrix(far), w, 4, 0.1, FALSE), 0)
    expect_identical(fit$selected[1], 4L)
    ridge <- rls(some[, 1:4], far, lambda = 0.1, weights = w, intercept = FALSE,
                 standardize = standardize)
    expect_equal(unname(coef(fit)[1:5]), unname(coef(ridge)[1:5]), tolerance = 1e-8)
    expect_equal(unname(predict(fit, some)), unname(predict(ridge, some[, 1:4])), tolerance = 1e-8)
  }
  expect_setequal(greedyrls(some, far, 3)$selected, 1:3)
  expect_refusals({
    greedyrls(some, far, 5, intercept = FALSE) | k | "from 1 to 4, .. not zero .. loo"
    greedyrls(0 * some, far, 1, intercept = FALSE) | x | "All columns of `x` are zero"
  })
})

test_that("k = \"loo\" stops where the error no longer improves", {
  first_stop <- function(error, patience) {
    best <- 1
    for (step in seq_along(error)) {
      if (error[step] < error[best]) best <- step
      if (step - best >= patience) break
    }
    best
  }
  # Of noise the error goes up and down.
  for (seed in 0:4) {
    set.seed(seed)
    response <- if (seed == 0) y else rnorm(m)
    full <- greedyrls(x, response, 12, weights = w)
    for (patience in c(1, 2, 5, 20)) {
      fit <- greedyrls(x, response, "loo", weights = w, patience = patience)
      best <- first_stop(full$loo, patience)
      expect_identical(fit$selected, full$selected[seq_len(best)], info = paste(seed, patience))
      expect_equal(fit$loo, full$loo[seq_len(best)])
    }
  }
  # More features than rows, one of them all that matters.
  wide <- cbind(x[1:6, ], y[1:6])
  expect_identical(greedyrls(wide, y[1:6], "loo", 1e-3)$selected[1], 13L)
})

test_that("a perfect fit ends in finite numbers", {
  exact <- drop(x[, c(2, 5)] %*% c(1, -2))
  for (fit in list(greedyrls(x, exact, 12, 1e-9), greedyrls(x, exact, 12, 1e-9, cache = FALSE),
                   greedyrls(x, exact, 12, 1e-9, criterion = "folds", foldid = rep(1:5, 8)))) {
    expect_setequal(fit$selected[1:2], c(2, 5))
    expect_sane_path(fit)
  }
})

test_that("classes share their features; sparse x, gaps in new rows", {
  two <- greedyrls(x, factor(ifelse(y > 0, "b", "a")), 4)
  expect_identical(two$selected, greedyrls(x, ifelse(y > 0, 1, -1), 4)$selected)
  many <- cut(y, 3, labels = c("low", "mid", "high"))
  fit <- greedyrls(x, many, 4)
  codes <- 2 * outer(as.integer(many), 1:3, "==") - 1
  expect_equal(greedyrls(x, codes, 4)$loo, fit$loo)
  expect_identical(as.integer(predict(fit, x, type = "class")), max.col(fitted(fit)))
  # Missing values in new rows matter only in features in use.
  fit <- greedyrls(data.frame(x), y, 3)
  gaps <- data.frame(replace(x[1:3, ], cbind(1:2, c(1, fit$selected[2])), NA))
  expect_identical(unname(is.na(predict(fit, gaps, k = 1:3))),
                   rbind(FALSE, c(FALSE, TRUE, TRUE), FALSE))
  sparse <- Matrix::Matrix(x * (abs(x) > 0.5), sparse = TRUE)
  fit <- greedyrls(sparse, y, 5)
  expect_identical(fit$selected, greedyrls(as.matrix(sparse), y, 5)$selected)
  expect_equal(predict(fit, sparse), fitted(fit), ignore_attr = TRUE)
})
