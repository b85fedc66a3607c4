# Folds that leave out more rows than they score. (rls, rls2, greedyrls and reselect have such folds
# among the random cases of their own tests.)

set.seed(1)
m <- 40
x <- matrix(rnorm(m * 4), m)
y <- sin(x[, 1]) + 0.2 * rnorm(m)
lambda <- c(1, 0.1)

test_that("errors are of the scored rows, and rows count as supplied", {
  folds <- list(list(score = 1:8, omit = 1:12), list(omit = 5:20, score = 20:9), 21:30)
  w <- runif(m)
  cv <- cv.rls(x, y, lambda = lambda, folds = folds, weights = w, keep = TRUE)
  expect_identical(which(is.na(cv$fit.preval[, 1])), 31:40)
  loss <- (y - cv$fit.preval)[1:30, ]^2
  expect_equal(cv$cvm, colSums(w[1:30] * loss) / sum(w[1:30]))
  expect_null(cv$foldid)
  expect_true(cv$omits.more)
  expect_output(print(cv), "3 folds that omit more rows than they score")
  d <- data.frame(x, y)
  d$X1[c(2, 33)] <- NA
  cv <- cv.rls(y ~ ., d, lambda = lambda, folds = folds, standardize = FALSE, keep = TRUE,
               subset = -10)
  fit <- rls(y ~ ., d[-c(1:12), ], lambda = lambda, standardize = FALSE)
  expect_equal(cv$fit.preval[c("1", "3", "8"), ], predict(fit, d[c(1, 3, 8), ]),
               ignore_attr = TRUE, tolerance = 1e-8)
})

test_that("a row that the subset repeats is held out with all of its copies", {
  d <- data.frame(x, y)
  rows <- c(1, 3, 3, 5:30, 1, 3)
  refit <- function(out, new) {
    predict(rls(y ~ ., d[rows[!rows %in% out], ], lambda = lambda, standardize = FALSE), d[new, ])
  }
  ways <- list(list(1:3, 4:20, 25:40), list(list(score = 3:1, omit = 1:9)), cv_folds(40, "loo"),
               cv_folds(40, groups = rep(1:10, 4)))
  for (folds in ways) {
    cv <- cv.rls(y ~ ., d, lambda = lambda, folds = folds, standardize = FALSE, keep = TRUE,
                 subset = rows)
    held <- matrix(NA, length(rows), 2)
    for (fold in folds) {
      if (!is.list(fold)) fold <- list(score = fold, omit = fold)
      here <- rows %in% fold$score
      if (any(here)) held[here, ] <- refit(fold$omit, rows[here])
    }
    expect_equal(unname(cv$fit.preval), held, tolerance = 1e-8)
  }
})

test_that("blocks in time are consecutive, and the buffer is the rows within the distance", {
  time <- sample(100) / 10
  folds <- cv_folds(100, 7, positions = time, buffer = 0.3)
  expect_identical(sort(unlist(lapply(folds, `[[`, "score"))), 1:100)
  for (fold in folds) {
    expect_lte(abs(length(fold$score) - 100 / 7), 1)
    expect_equal(diff(sort(time[fold$score])), rep(0.1, length(fold$score) - 1))
    near <- vapply(1:100, function(i) min(abs(time[i] - time[fold$score])) < 0.3001, NA)
    expect_setequal(fold$omit, which(near))
  }
  loo <- cv_folds(5, "loo", positions = c(1, 1, 2, 4, 9), buffer = 1)
  expect_identical(lapply(loo, function(fold) sort(fold$omit)), list(1:3, 1:3, 1:3, 4L, 5L))
})

test_that("blocks in space divide all rows evenly; groups make the folds where they are given", {
  at <- cbind(runif(203), runif(203, 0, 3), rnorm(203))
  folds <- cv_folds(203, 10, positions = at, buffer = 0.2)
  expect_identical(sort(unlist(lapply(folds, `[[`, "score"))), 1:203)
  expect_lte(diff(range(lengths(lapply(folds, `[[`, "score")))), 2)
  between <- as.matrix(dist(at))
  for (fold in folds) expect_setequal(fold$omit, which(apply(between[, fold$score], 1, min) <= 0.2))
  groups <- rep(1:29, 7)
  folds <- cv_folds(203, groups = groups, positions = at, buffer = 0.1)
  expect_identical(lapply(folds, `[[`, "score"), unname(split(1:203, groups)))
})

test_that("folds of a wrong shape are refused", {
  run <- function(folds) cv.rls(x, y, folds = folds)
  expect_refusals({
    run(list(1:3, list(omit = 2:9))) | folds | "A fold must be row numbers, or .. fold 2: list of"
    run(list(list(score = 1:3, omit = 1:9, train = 10))) |
      folds | "A fold must be row numbers, or list(score = , omit = ) .. fold 1: list of size 3"
    run(list(list(score = integer(), omit = 1:4))) |
      folds | "Every fold must hold row numbers from 1 to 40 .. fold 1: numeric vector of size 0"
    cv_folds(40, positions = 1:39) | folds | "`positions` must be finite numbers or .. numeric"
    cv_folds(40, positions = 1:40, buffer = -1) | folds | "`buffer` must be a number that .. x -1"
    cv_folds(40, positions = 1:40, repeats = 2) |
      folds | "`positions` and `repeats` cannot be given together .. Blocks in time or space are"
    cv_folds(40, positions = 1:40, groups = rep(1:8, 5), spread = "balanced", basis = 1:4) |
      folds | "`positions` and `spread` cannot be given together"
  })
})

test_that("resamples of rsample are folds", {
  skip_if_not_installed("rsample")
  d <- data.frame(x, y, site = rep(1:8, 5))
  honest <- function(set) {
    total <- count <- numeric(m)
    for (split in set$splits) {
      inside <- as.integer(split, data = "analysis")
      rows <- as.integer(split, data = "assessment")
      fit <- rls(x[inside, ], y[inside], lambda = 1, standardize = FALSE)
      total[rows] <- total[rows] + predict(fit, x[rows, , drop = FALSE])
      count[rows] <- count[rows] + 1
    }
    ifelse(count > 0, total / count, NA)
  }
  sets <- list(
    rsample::vfold_cv(d, 4, repeats = 3), rsample::group_vfold_cv(d, "site"),
    rsample::rolling_origin(d, 15, 5, skip = 4),
    rsample::sliding_window(d, lookback = 9, assess_stop = 3, step = 5)
  )
  for (set in sets) {
    cv <- cv.rls(x, y, lambda = 1, standardize = FALSE, folds = set, keep = TRUE)
    expect_equal(cv$fit.preval[, 1], honest(set), tolerance = 1e-8)
    expect_identical(cv$nfolds, nrow(set))
  }
  expect_refusals({
    cv.rls(x, y, folds = rsample::vfold_cv(d[1:20, ], 5)) |
      folds | "The resamples in `folds` are of other data .. 20 rows for 40 .. Make them from the"
    cv.rls(x, y, folds = rsample::bootstraps(d, 3)) | folds | "more than once"
  })
})

test_that("a split may leave rows in neither part, as buffers of spatialsample do", {
  set <- structure(
    data.frame(id = c("a", "b")), class = c("spatial_rset", "rset", "data.frame"),
    splits = NULL
  )
  split <- function(inside, outside) {
    structure(list(data = data.frame(1:m), in_id = inside, out_id = outside), class = "rsplit")
  }
  set$splits <- list(split(11:40, 1:8), split(c(1:10, 30:40), NA))
  cv <- cv.rls(x, y, lambda = lambda, folds = set, keep = TRUE)
  given <- cv.rls(x, y, lambda = lambda, folds = list(list(score = 1:8, omit = 1:10), 11:29),
                  keep = TRUE)
  expect_identical(cv$fit.preval, given$fit.preval)
})

test_that("positions may be dates, date-times and data frames of coordinates", {
  day <- as.Date("2024-01-01") + c(0, 3, 4, 10, 20:55)
  folds <- function(positions, ...) cv_folds(40, 5, positions = positions, ...)
  by_day <- folds(day, buffer = 7)
  expect_identical(by_day, folds(as.numeric(day), buffer = 7))
  expect_identical(folds(as.POSIXct(day), buffer = 7 * 86400), by_day)
  at <- cbind(sin(1:40), cos(3 * 1:40))
  frame <- data.frame(east = at[, 1], north = at[, 2])
  expect_identical(folds(frame, buffer = 0.2), folds(at, buffer = 0.2))
  expect_refusals({
    cv_folds(40, positions = day, buffer = as.difftime(2, units = "days")) |
      folds | "`buffer` must be a number that is .. difftime of size 1 .. Dates count days, and"
  })
})
