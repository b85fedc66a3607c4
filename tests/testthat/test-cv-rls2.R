honest_rls2 <- function(case, folds, ...) {
  out <- matrix(NA, length(case$y), length(case$lambda))
  for (fold in folds) {
    omit <- omitted(fold)
    held <- scored(fold)
    train <- modifyList(case, list(x = case$x[-omit, ], y = case$y[-omit], w = case$w[-omit]))
    out[held, ] <- predict(fit_rls2(train, tol = 1e-11, ...), case$x[held, , drop = FALSE])
  }
  out
}

test_that("held-out predictions are those of fits without the fold", {
  in_folds <- function(seed) {
    case <- rls2_case(seed)
    m <- length(case$y)
    folds <- unname(split(seq_len(m), sample(rep_len(1:4, m))))
    # Half of the cases leave out up to two rows more than they score.
    if (seed %% 2) {
      folds <- lapply(folds, function(rows) list(score = rows, omit = union(rows, sample(m, 2))))
    }
    c(case, list(folds = folds))
  }
  seeds <- usable_seeds(1:24, function(seed) {
    case <- in_folds(seed)
    all(vapply(case$folds, function(fold) sum(case$w[-omitted(fold)] > 0) > 2, NA))
  })
  for (seed in seeds) {
    case <- in_folds(seed)
    folds <- case$folds
    if (seed %% 3 == 0) case$kernels <- NULL
    case$lambda <- case$lambda[-5]
    cv <- cv.rls2(case$x, case$y, case$kernels, case$lambda, center = case$center,
                  weights = case$w, intercept = case$intercept, standardize = FALSE, folds = folds,
                  keep = TRUE, tol = 1e-11)
    expect_lt(relative_error(cv$fit.preval, honest_rls2(case, folds)), 1e-5)
    loss <- (case$y - cv$fit.preval)^2
    expect_equal(cv$cvm, colSums(case$w * loss) / sum(case$w))
  }
})

test_that("scales are computed without the fold, numbers and those with new rows are not", {
  set.seed(1)
  x <- matrix(rnorm(120), 40) + 1
  y <- factor(ifelse(x[, 1] + rnorm(40) > 1, "b", "a"))
  folds <- split(1:40, rep(1:4, 10))
  lambda <- c(1, 0.1, 0.01)
  held <- function(...) {
    cv.rls2(x, y, lambda = lambda, standardize = FALSE, folds = folds, keep = TRUE, tol = 1e-11,
            ...)$fit.preval
  }
  honest <- function(scale, ...) {
    out <- matrix(NA, 40, 3)
    for (rows in folds) {
      fit <- rls2(x[-rows, ], y[-rows], lambda = lambda, standardize = FALSE, tol = 1e-11, ...)
      out[rows, ] <- predict(fit, x[rows, ])
    }
    out
  }
  expect_lt(relative_error(held(scaling = "fisher"), honest(scaling = "fisher")), 1e-6)
  expect_lt(relative_error(held(scaling = 3:1), honest(scaling = 3:1)), 1e-6)
  new <- matrix(rnorm(30), 10)
  scale <- 1 / (colSums(x^2) + colSums(new^2))
  expect_lt(relative_error(held(newdata = new), honest(scaling = scale)), 1e-6)
})

test_that("a fold may take a whole class, a zero feature, or hold overlapping rows", {
  set.seed(3)
  y <- factor(rep(c("a", "b", "c"), each = 8))
  x <- cbind(rnorm(24), rnorm(24), as.integer(seq_len(24) == 1))
  cv <- cv.rls2(x, y, folds = list(1:8, 9:16, 17:24), nlambda = 5, standardize = FALSE)
  expect_true(all(is.finite(cv$cvm)))
  cv <- cv.rls2(x, rnorm(24), folds = list(1:6, 4:9), lambda = c(Inf, 1, 0.1), keep = TRUE)
  expect_null(cv$foldid)
  expect_identical(is.na(cv$fit.preval[, 2]), seq_len(24) > 9)
})

test_that("groups, and what is said of them", {
  set.seed(4)
  cv <- cv.rls2(lpsa ~ . - train, prostate, groups = rep(1:20, length.out = 97), nfolds = 5,
                nlambda = 10, keep = TRUE)
  expect_s3_class(cv, c("cv.rls2", "sparserls_cv"), exact = TRUE)
  expect_equal(predict(cv), fitted(cv$fit, s = cv$lambda.min))
  expect_said(cv)
})
