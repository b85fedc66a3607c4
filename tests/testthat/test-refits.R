# What a cross-validation keeps of its refits: of every output they predict the rows that they were
# made without as the held-out predictions say. (Intervals hold them against honest refits.)

expect_refits <- function(cv, x, tolerance) {
  refits <- cv$refits
  for (point in seq_along(refits$at)) {
    predictor <- fold_predictor(cv, point)
    all <- predictor$scores(x) + rep(as.vector(predictor$offset), each = nrow(x))
    all <- array(all, c(nrow(x), dim(predictor$offset)))
    for (j in seq_len(dim(all)[2])) {
      own <- all[cbind(seq_along(refits$fold), j, refits$fold)]
      expect_lt(relative_error(own, refits$scores[, j, point]), tolerance)
    }
  }
}

test_that("refits predict the rows that they were made without, some by terms of their own", {
  for (seed in 1:6) {
    set.seed(seed)
    x <- matrix(rnorm(40 * 4), 40) + 5
    y <- x[, 1] - x[, 2] + rnorm(40) / 3
    if (seed %% 2 == 0) y <- cbind(y, x[, 3] + rnorm(40))
    w <- sample(0:2, 40, TRUE, c(0.1, 0.5, 0.4))
    folds <- list(folds = cv_folds(40, 5), weights = w, keep = TRUE, intercept = seed %% 3 == 0)
    cv <- function(f, ...) suppressMessages(do.call(f, c(list(x, y, ...), folds)))
    anew <- cv(cv.sparserls, basis = basis_random(8), reselect = TRUE, jitter = 1e-12)
    expect_refits(anew, x, 1e-6)
    expect_refits(cv(cv.sparserls, basis = 8, jitter = 1e-12), x, 1e-6)
    expect_refits(cv(cv.rls, nlambda = 5), x, 1e-10)
    expect_refits(cv(cv.greedyrls, k = 3), x, 1e-10)
    expect_refits(cv(cv.rls2, nlambda = 5), x, 1e-10)
    bank <- list(kernel_gaussian(0.1), kernel_linear(), kernel_linear(features = 1))
    expect_refits(cv(cv.rls2, kernels = bank, nlambda = 5), x, 1e-10)
  }
})
