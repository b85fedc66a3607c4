set.seed(1)
m <- 40
x <- matrix(rnorm(m * 3), m)
y <- sin(2 * x[, 1]) + 0.2 * rnorm(m)
w <- runif(m, 0.5, 2)
id <- rep(1:5, 8)
lambda <- c(3, 0.3, 0.03)

run <- function(response = y, ...) {
  cv.sparserls(x, response, 1:10, kernel_gaussian(0.3), lambda, keep = TRUE, progress = FALSE, ...)
}

test_that("cvm is the weighted mean loss and cvsd its standard error over folds", {
  # Rows that are not scored are no part of any mean.
  for (measure in c("mse", "mae", "rmse")) for (mode in c("remove", "keep_loss", "skip")) {
    cv <- run(foldid = id, weights = w, type.measure = measure, holdout_basis = mode)
    used <- if (mode == "remove") 1:m else 11:m
    expect_identical(which(!is.na(cv$fit.preval[, 1])), used)
    for (l in 1:3) {
      residual <- (y - cv$fit.preval[, l])[used]
      loss <- if (measure == "mae") abs(residual) else residual^2
      cvm <- weighted.mean(loss, w[used])
      cvsd <- unit_errors(loss, w[used], id[used])$error
      if (measure == "rmse") {
        cvsd <- cvsd / (2 * sqrt(cvm))
        cvm <- sqrt(cvm)
      }
      expect_equal(cv$cvm[l], cvm)
      expect_equal(cv$cvsd[l], cvsd)
    }
    expect_equal(cv$cvup - cv$cvlo, 2 * cv$cvsd)
  }
})

test_that("the standard error is over rows for small folds and over groups for groups", {
  cv <- run(nfolds = "loo")
  loss <- (y - cv$fit.preval[, 1])^2
  expect_equal(cv$cvsd[1], sd(loss) / sqrt(m))
  groups <- rep(1:10, 4)
  cv <- run(groups = groups, foldid = NULL, nfolds = 3)
  expect_equal(cv$cvsd[2], unit_errors((y - cv$fit.preval[, 2])^2, unit = groups)$error)
})

test_that("lambda.min and lambda.1se are the minimum and the one-standard-error rule", {
  cv <- cv.sparserls(x, y, 1:10, kernel_gaussian(0.3), nfolds = "loo", progress = FALSE)
  best <- which.min(cv$cvm)
  expect_identical(cv$lambda.min, cv$lambda[best])
  expect_identical(cv$lambda.1se, max(cv$lambda[cv$cvm <= cv$cvm[best] + cv$cvsd[best]]))
  expect_identical(cv$lambda[cv$index[, 1]], c(cv$lambda.min, cv$lambda.1se))
  expect_identical(nobs(cv), 40L)
})

test_that("ties go to the larger lambda", {
  at <- function(cvm, cvsd, maximize) {
    path <- new_path(lambda = rev(seq_along(cvm)))
    choose_point(path, list(cvm = cvm, cvsd = cvsd), maximize)[1:2]
  }
  expect_identical(at(c(3, 1, 1 + 1e-14, 2), c(0, 0, 0, 0), FALSE), c(min = 2L, `1se` = 2L))
  expect_identical(at(c(0.7, 0.9, 0.8), c(0.1, 0.25, 0.1), TRUE), c(min = 2L, `1se` = 1L))
  expect_identical(at(c(3, 1, 2), c(NA, NA, NA), FALSE), c(min = 2L, `1se` = 2L))
})

test_that("a user's function", {
  worst <- function(y, yhat, weights) max(weights * abs(y - yhat))
  cv <- run(foldid = id, weights = w, type.measure = worst)
  by_fold <- sapply(1:5, function(f) max((w * abs(y - cv$fit.preval[, 1]))[id == f]))
  expect_equal(cv$cvm[1], weighted.mean(by_fold, tapply(w, id, sum)))
  cv <- run(nfolds = "loo", type.measure = worst)
  expect_equal(cv$cvm[1], max(abs(y - cv$fit.preval[, 1])))
  expect_identical(cv$lambda.1se, cv$lambda.min)
})

test_that("progress goes to stderr, and only when asked for", {
  expect_silent(cv.sparserls(x, y, 1:10, lambda = 1, foldid = id, progress = FALSE))
  # The bar is written to the file stderr() by cat(), which sinks of messages see.
  bar <- capture.output(cv <- cv.sparserls(x, y, 1:10, lambda = 1, foldid = id, progress = TRUE,
                                           keep = TRUE), type = "message")
  expect_match(paste(bar, collapse = ""), "100%")
  without <- cv.sparserls(x, y, 1:10, lambda = 1, foldid = id, progress = FALSE, keep = TRUE)
  expect_equal(cv$fit.preval, without$fit.preval)
})

test_that("a time limit in mid-work leaves a usable session", {
  big <- matrix(rnorm(6000 * 5), 6000)
  slow <- function() {
    setTimeLimit(elapsed = 0.3, transient = TRUE)
    on.exit(setTimeLimit())
    cv.sparserls(big, big[, 1], 900, lambda = 1, nfolds = 20, solver = "update", progress = FALSE)
  }
  expect_error(slow(), "time limit")
  expect_equal(run(foldid = id)$cvm, run(foldid = id)$cvm)
})

test_that("cross-validations print", {
  expect_output(print(run(groups = id, nfolds = 3)), "3 folds of 5 groups", fixed = TRUE)
  expect_output(print(run(groups = id)), "5 folds of one group each", fixed = TRUE)
  expect_said({
    cv.sparserls(x, y, 1:10, kernel_gaussian(0.3), lambda, foldid = id)
    summary(cv.sparserls(x, y, 1:10, kernel_gaussian(c(0.1, 0.3)), lambda, foldid = id))
    cv.sparserls(x, y, 1:10, kernel_gaussian(0.3), lambda, nfolds = "loo", holdout_basis = "skip")
  })
})
