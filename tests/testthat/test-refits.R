# What a cross-validation keeps of its refits: they predict the rows that they were made without as
# the held-out predictions say.

# The largest difference between held-out predictions and what the refits say, relative.
refit_error <- function(cv, x) {
  refits <- cv$refits
  worst <- 0
  for (point in seq_along(refits$at)) {
    all <- fold_scores(cv, x, point)
    for (j in seq_len(dim(all)[2])) {
      scored <- which(!is.na(refits$fold))
      own <- all[cbind(scored, j, refits$fold[scored])]
      held <- refits$scores[scored, j, point]
      worst <- max(worst, abs(own - held) / max(abs(held)))
    }
  }
  worst
}

# Kernel values of basis vectors with themselves hold the jitter, those of new rows do not: what is
# left of the difference is the jitter times the coefficients.
test_that("refits of sparserls() and rls() predict the rows that they were made without", {
  compared <- 0
  for (seed in 2001:2100) {
    case <- if (seed %% 4 == 0) redundant_case(seed) else random_case(seed)
    # Where folds overlap, what is kept is a mean.
    if (anyDuplicated(unlist(case$folds))) next
    case$jitter <- if (is.null(case$redundancy)) 1e-12 else 0
    solver <- c("update", "retrain", "auto")[seed %% 3 + 1]
    cv <- suppressWarnings(suppressMessages(cv_case(case, solver)))
    expect_lt(refit_error(cv, case$x), 1e-7)
    full <- suppressMessages(cv.rls(case$x, case$y, case$kernel, case$lambda, weights = case$w,
                                    intercept = case$intercept, standardize = FALSE,
                                    folds = case$folds, keep = TRUE))
    expect_lt(refit_error(full, case$x), 1e-10)
    compared <- compared + 1
  }
  expect_gt(compared, 50)
})

test_that("refits of a basis chosen anew, rls2() and greedyrls() predict alike", {
  for (seed in 1:12) {
    set.seed(seed)
    x <- matrix(rnorm(40 * 4), 40) + 5
    y <- x[, 1] - x[, 2] + rnorm(40) / 3
    if (seed %% 3 == 0) y <- cbind(y, x[, 3] + rnorm(40))
    w <- sample(0:2, 40, TRUE, c(0.1, 0.5, 0.4))
    folds <- list(folds = cv_folds(40, 5), weights = w, keep = TRUE, intercept = seed %% 2 == 0)
    cv <- function(f, ...) suppressMessages(do.call(f, c(list(x, y, ...), folds)))
    anew <- cv(cv.sparserls, basis = basis_random(8), reselect = TRUE, jitter = 1e-12)
    expect_lt(refit_error(anew, x), 1e-6)
    expect_lt(refit_error(cv(cv.greedyrls, k = 3), x), 1e-10)
    expect_lt(refit_error(cv(cv.rls2, nlambda = 5), x), 1e-10)
    bank <- list(kernel_gaussian(0.1), kernel_linear(), kernel_linear(features = 1))
    expect_lt(refit_error(cv(cv.rls2, kernels = bank, nlambda = 5), x), 1e-10)
  }
})
