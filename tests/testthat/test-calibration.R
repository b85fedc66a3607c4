# Probabilities of classes: the sigmoids are those of Platt's definition written in plain R, noise
# has base rates. (bench/calibration.R compares them on new rows.)

held_out_sigmoid <- function(score, y, part) {
  ave(seq_along(score), part, FUN = function(i) {
    one <- plain_sigmoid(score[-i], y[-i], rep(1, length(y) - length(i)))
    plogis(one[1] + one[2] * score[i])
  })
}

log_loss <- function(p, y) -mean(log(p[cbind(seq_along(y), as.integer(y))]))

test_that("two classes: the sigmoid of the held-out scores, at lambda.min and lambda.1se", {
  for (seed in 1:4) {
    set.seed(seed)
    x <- matrix(rnorm(60 * 3), 60)
    y <- factor(x[, 1] + rnorm(60) > 0.4, labels = c("no", "yes"))
    cv <- quiet(cv.sparserls(x, y, basis = 15, nlambda = 10, nfolds = 6, keep = TRUE))
    for (s in 1:2) {
      score <- cv$fit.preval[, cv$index[s, 1]]
      reference <- plain_sigmoid(score, y == "yes", rep(1, 60))
      expect_sigmoid(cv, reference, score, s)
      label <- rownames(cv$index)[s]
      new <- predict(cv, x, s = paste0("lambda.", label))
      p <- predict(cv, x, s = paste0("lambda.", label), type = "prob")
      expect_equal(p[, "yes"], 1 / (1 + exp(-reference[1] - reference[2] * new)), tolerance = 1e-4)
      expect_equal(rowSums(p), rep(1, 60))
      # Every fold (the first and the sixth together) is judged by the sigmoid and the base rates of
      # the others.
      part <- cv$foldid %% 5
      held <- held_out_sigmoid(score, y == "yes", part)
      base <- ave(1:60, part, FUN = function(i) {
        n <- table(y[-i])
        sum(n * c(1 / (n[1] + 2), (n[2] + 1) / (n[2] + 2))) / sum(n)
      })
      expect_equal(cv$calibration$logloss[[s]], log_loss(cbind(1 - held, held), y),
                   tolerance = 1e-4)
      expect_equal(cv$calibration$logloss[["base"]], log_loss(cbind(1 - base, base), y))
    }
  }
})

test_that("weights count as they are, their number by Kish, groups and repeats once", {
  set.seed(1)
  x <- matrix(rnorm(80 * 2), 80)
  y <- x[, 1] + rnorm(80) > 0
  kish <- function(w, unit) {
    total <- tapply(w, unit, sum)
    sum(total)^2 / sum(total^2)
  }
  counts <- function(w, unit) c(kish(w[!y], unit[!y]), kish(w[y], unit[y]))
  w <- sample(0:3, 80, TRUE)
  cv <- quiet(cv.rls(x, y, weights = w, nfolds = 5, keep = TRUE, nlambda = 10))
  score <- cv$fit.preval[, cv$index["min", 1]]
  used <- w > 0
  n <- c(kish(w[!y & used], which(!y & used)), kish(w[y & used], which(y & used)))
  expect_sigmoid(cv, plain_sigmoid(score[used], y[used], w[used], n), score)
  p <- predict(cv.rls(x, y, weights = ifelse(y, 1, 1e-300), nfolds = 5), x, type = "prob")
  expect_true(all(is.finite(p)) && all(p[, "TRUE"] > 0.9))
  groups <- rep(1:16, 5)
  cv <- quiet(cv.rls(x, y, groups = groups, keep = TRUE, nlambda = 10))
  score <- cv$fit.preval[, cv$index["min", 1]]
  expect_sigmoid(cv, plain_sigmoid(score, y, rep(1, 80), counts(rep(1, 80), groups)), score)

  # Row-fold pairs, with the number of rows.
  folds <- cv_folds(80, 4, repeats = 3)
  cv <- quiet(cv.rls(x, y, lambda = 5, folds = folds, standardize = FALSE))
  score <- unlist(lapply(folds, function(rows) {
    predict(rls(x[-rows, ], y[-rows], lambda = 5, standardize = FALSE), x[rows, ])
  }))
  reference <- plain_sigmoid(score, y[unlist(folds)], rep(1, 240), c(sum(!y), sum(y)))
  expect_sigmoid(cv, reference, score)
})

test_that("several classes: a multinomial of the scores; all four methods", {
  x <- as.matrix(iris[, 1:4])
  y <- iris$Species
  set.seed(3)
  id <- sample(rep(1:5, 30))
  cvs <- quiet(list(
    cv.sparserls(x, y, basis = 20, foldid = id, keep = TRUE, nlambda = 8),
    cv.rls(x, y, foldid = id, keep = TRUE, nlambda = 8),
    cv.rls2(x, y, foldid = id, keep = TRUE, nlambda = 8),
    cv.greedyrls(x, y, k = 3, foldid = id, keep = TRUE)
  ))
  for (cv in cvs) {
    at <- cv$index["min", ]
    held <- if (length(at) == 1) cv$fit.preval[, , at] else cv$fit.preval[, , at[1], at[2]]
    new <- predict(cv, x[1:7, ])
    reference <- plain_sigmoid(held, y, rep(1, 150))
    p <- sapply(1:3, function(k) exp(reference[k] + reference[3 + k] * new[, k]))
    found <- predict(cv, x[1:7, ], type = "prob")
    expect_equal(unname(found), unname(p / rowSums(p)), tolerance = 1e-4)
    expect_identical(colnames(found), levels(y))
    expect_lt(cv$calibration$logloss[[1]], 0.6)
    expect_lt(abs(cv$calibration$logloss[["base"]] - log(3)), 0.03)
  }
})

test_that("noise: where held-out scores point the wrong way, the base rate", {
  set.seed(4)
  flat <- 0
  for (seed in 1:10) {
    x <- matrix(rnorm(40 * 2), 40)
    y <- rep(c(FALSE, TRUE, FALSE, FALSE), 10)
    cv <- quiet(cv.rls(x, y, lambda = 1, nfolds = "loo", keep = TRUE))
    score <- cv$fit.preval[, 1]
    target <- ifelse(y, 11 / 12, 1 / 32)
    if (cov(score, target) > 0) next
    flat <- flat + 1
    expect_identical(cv$calibration$slope[[1, 1]], 0)
    p <- predict(cv, x, type = "prob")
    expect_equal(p[, "TRUE"], rep(mean(target), 40))
    expect_lt(max(abs(cv$calibration$bins$predicted - mean(target))), 0.1)
  }
  # Of noise leave-one-out scores do so most of the time.
  expect_gt(flat, 5)
})

test_that("parts held out: at most five, groups and repeats whole, and what has a single fold", {
  parts <- get("calibration_parts", asNamespace("sparserls"))
  partition <- function(part) unname(split(seq_along(part), part))
  expect_setequal(partition(parts(c(1, 1, 2, 2, 3), 1:5)), list(1:2, 3:4, 5L))
  expect_setequal(partition(parts(1:10, 1:10)), lapply(1:5, function(i) c(i, i + 5L)))
  # Repeats score a row several times: all of them leave together, and so do groups.
  expect_setequal(partition(parts(rep(1:4, each = 3), rep(1:6, 2))),
                  c(list(c(1L, 6L, 7L, 12L)), lapply(2:5, function(i) c(i, i + 6L))))
  expect_setequal(partition(parts(c(1, 1, 2, 2, 3, 3), c(1, 1, 2, 2, 1, 1))),
                  list(c(1L, 2L, 5L, 6L), 3:4))
  expect_setequal(partition(parts(rep(1, 4), c(1, 1, 2, 2))), list(1:2, 3:4))
  expect_setequal(partition(parts(rep(1, 3), rep(1, 3))), list(1L, 2L, 3L))
  expect_length(unique(parts(1, 1)), 1)
})

test_that("far away, with missing values, without rows, in the names of the data", {
  data <- data.frame(a = c(1:20 / 10, NA), b = sin(1:21))
  data$y <- factor(c(rep(c("u", "v", "w"), 7)))
  cv <- quiet(cv.rls(y ~ ., data, na.action = na.exclude, nfolds = 5))
  p <- predict(cv, data.frame(a = c(1e8, -1e8, NA, 1), b = 1:4, row.names = letters[1:4]),
               type = "prob")
  expect_identical(dimnames(p), list(letters[1:4], c("u", "v", "w")))
  expect_identical(unname(is.na(rowSums(p))), c(FALSE, FALSE, TRUE, FALSE))
  expect_equal(unname(rowSums(p)[-3]), rep(1, 3))
  expect_identical(dim(predict(cv, data[0, ], type = "prob")), c(0L, 3L))
  expect_identical(dim(predict(cv, type = "prob")), c(21L, 3L))
  expect_identical(predict(cv, data, s = cv$lambda.1se, type = "prob"),
                   predict(cv, data, s = "lambda.1se", type = "prob"))
})

test_that("bins: shares with standard errors over units, that add up to the rows", {
  set.seed(5)
  x <- matrix(rnorm(300), 100)
  y <- x[, 1] + rnorm(100) > 0
  cv <- quiet(cv.rls(x, y, nfolds = 10, keep = TRUE, nlambda = 10))
  bins <- cv$calibration$bins[cv$calibration$bins$s == "lambda.min", ]
  score <- cv$fit.preval[, cv$index["min", 1]]
  p <- held_out_sigmoid(score, y, cv$foldid %% 5)
  tenth <- split(order(p), rep(1:10, each = 10))
  expect_equal(bins$predicted, unname(vapply(tenth, function(i) mean(p[i]), 0)), tolerance = 1e-4)
  expect_equal(bins$observed, unname(vapply(tenth, function(i) mean(y[i]), 0)))
  expect_equal(bins$std.error, sqrt(bins$observed * (1 - bins$observed) / 10))
})

test_that("probabilities where there are none are refused", {
  x <- bad_x()
  classes <- factor(rep(c("a", "b", "c", "a"), 5))
  cv <- quiet(cv.sparserls(x, classes, 1:5, lambda = c(1, 0.1), by.output = TRUE,
                           type.measure = "mse", foldid = rep(1:4, 5)))
  greedy <- quiet(cv.greedyrls(x, classes, k = 3, nfolds = 4))
  pairs <- quiet(cv.rls(x, classes == "a", lambda = 1, nfolds = "pairs"))
  p <- function(object, ...) predict(object, x, ..., type = "prob")
  expect_refusals({
    p(cv, s = 0.5) | argument | "calibrated at `lambda.min` or `lambda.1se` only .. x 0.5"
    p(cv, s = c("lambda.min", "lambda.1se")) | argument | "calibrated at `lambda.min` or"
    p(cv, s = "lambda.min.output") | argument | "need one `lambda` for all of its classes"
    p(cv$fit) | argument | '`type = "prob"` needs a result of a `cv.` function'
    p(greedy, k = 1:2) | argument | "calibrated at `k.min` or `k.1se` only .. 1, 2"
    p(pairs) | argument | "no held-out scores of classes to calibrate .. folds rather than pairs"
    predict(quiet(cv.rls(am ~ wt, mtcars)), mtcars, type = "prob") |
      argument | "y was numeric .. Cross-validate factor(am)."
    plot(cv, what = "roc") | argument | '`what` must be one of "error", "calibration" .. "roc"'
  })
})

test_that("bins of a rare class reach to its upper range", {
  set.seed(2)
  n <- 2000
  p <- plogis(2.5 * rnorm(n) - 5)
  rows <- list(w = rep(1, n), cluster = seq_len(n))
  bins <- calibration_bins(cbind(1 - p, p), 1L + (runif(n) < p), rows)
  expect_gt(sum(bins$predicted > 0.1), 4)
  expect_true(all(diff(bins$predicted) > 0))
  parts <- split_bin(seq_len(n), p, rows$w, rows$cluster)
  expect_setequal(unlist(parts), seq_len(n))
  expect_gte(min(lengths(parts)), 20)
})
