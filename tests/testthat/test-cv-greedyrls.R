set.seed(1)
m <- 45
x <- matrix(rnorm(m * 10), m)
y <- drop(x[, c(3, 7, 9)] %*% c(2, -1, 0.5)) + rnorm(m)
w <- runif(m, 0.5, 2)
id <- rep(1:5, 9)
lambda <- c(10, 1, 0.1)

run <- function(response = y, ...) {
  cv.greedyrls(x, response, 4, lambda, keep = TRUE, progress = FALSE, ...)
}

# Selections without each fold, by greedyrls() itself: rows x outputs x k x lambdas.
refits <- function(response, folds, inner = function(held) NULL, ...) {
  out <- array(NA_real_, c(m, NCOL(response), 4, length(lambda)))
  for (fold in folds) for (l in seq_along(lambda)) {
    omit <- omitted(fold)
    fit <- greedyrls(x[-omit, ], as.matrix(response)[-omit, ], 4, lambda[l], weights = w[-omit],
                     folds = inner(omit), ...)
    out[scored(fold), , , l] <- predict(fit, x[scored(fold), , drop = FALSE], k = 1:4)
  }
  out
}

test_that("held-out predictions are those of selections without the fold", {
  folds <- split(1:m, id)
  # What the other folds have left.
  others <- function(folds) function(held) {
    left <- lapply(folds, function(fold) {
      lapply(list(score = scored(fold), omit = omitted(fold)), function(rows) {
        match(setdiff(rows, held), setdiff(1:m, held))
      })
    })
    Filter(function(fold) length(fold$score) > 0, left)
  }
  check <- function(response, ..., inner = function(held) NULL) {
    cv <- run(response, groups = id, weights = w, ...)
    expect_equal(cv$fit.preval, drop(refits(response, folds, inner, ...)), tolerance = 1e-10)
    expect_equal(run(response, foldid = id, weights = w, ...)$fit.preval, cv$fit.preval)
  }
  check(y)
  check(y, standardize = FALSE, intercept = FALSE, cache = FALSE)
  check(cbind(y, x[, 1] + w))
  check(y, criterion = "folds", inner = others(folds))
  # Folds that omit more than they score, with either criterion.
  wider <- cv_folds(m, 5, positions = 1:m, buffer = 2)
  for (criterion in c("loo", "folds")) {
    cv <- run(folds = wider, weights = w, criterion = criterion)
    inner <- if (criterion == "folds") others(wider) else function(held) NULL
    expect_equal(cv$fit.preval, drop(refits(y, wider, inner, criterion = criterion)),
                 tolerance = 1e-9)
  }
})

test_that("errors, choices and fits are what the fields say", {
  cv <- run(foldid = id, weights = w)
  loss <- (y - cv$fit.preval)^2
  expect_equal(unname(cv$cvm), apply(loss, 2:3, weighted.mean, w))
  expect_identical(dim(cv$cvsd), dim(cv$cvm))
  best <- which(cv$cvm == min(cv$cvm), arr.ind = TRUE)
  expect_identical(c(cv$k.min, cv$lambda.min), c(best[1], lambda[best[2]]))
  column <- cv$cvm[, best[2]]
  expect_identical(cv$k.1se, which(column <= min(column) + cv$cvsd[best])[[1]])
  expect_equal(cv$cvm[cv$index], cv$cvm[c(cv$k.min, cv$k.1se), best[2]], ignore_attr = TRUE)
  expect_equal(cv$lambdas$cvm, apply(cv$cvm, 2, min))
  alone <- greedyrls(x, y, 4, cv$lambda.min, weights = w)
  expect_identical(cv$fit$selected, alone$selected)
  expect_identical(cv$fit$loo, alone$loo)
  expect_identical(coef(cv), coef(alone, k = c(k.min = cv$k.min)))
})

test_that("classes, measures, overlapping folds, constant y in a training set", {
  class <- cut(y, 3, labels = c("low", "mid", "high"))
  cv <- run(class, foldid = id)
  wrong <- apply(cv$fit.preval, 3:4, function(score) mean(max.col(score) != as.integer(class)))
  expect_equal(unname(cv$cvm), wrong)
  overlap <- run(folds = list(1:10, 5:20, 21:45))
  expect_null(overlap$foldid)
  expect_true(all(is.finite(overlap$cvm)))
  rare <- replace(numeric(m), 4, 1)
  for (criterion in c("loo", "folds")) {
    cv <- run(rare, foldid = id, criterion = criterion)
    expect_true(all(is.finite(cv$cvm)))
    expect_true(all(cv$fit.preval[id == id[4], , ] == 0))
  }
})

test_that("selections print", {
  colnames(x) <- letters[1:10]
  expect_said({
    greedyrls(x, y, 3)
    cv <- cv.greedyrls(x, y, 3, lambda, foldid = id)
    cv
    summary(cv)
  })
})
