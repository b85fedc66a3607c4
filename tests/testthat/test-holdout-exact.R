# The reason for the package: held-out predictions are those of honest refits.

test_that("both hold-out forms equal honest refits on random problems", {
  for (seed in 1:30) {
    case <- random_case(seed)
    # Some with one lambda or few: a factorization for each of them.
    if (seed %% 5 == 0) case$lambda <- case$lambda[sort(sample(4, 1 + seed %% 3))]
    if (seed %% 3 == 0) case <- with_wider_folds(case)
    if (length(case$folds) == 0) next
    k <- reference_shifted(case$kernel, case$x, case$basis, case$jitter)
    honest <- reference_cv(k, case$y, case$w, case$basis, case$folds, case$lambda, case$mode,
                           case$intercept)
    for (solver in c("update", "retrain", if (seed %% 4 == 0) "auto")) {
      expect_lt(relative_error(cv_case(case, solver)$fit.preval, honest), 1e-8,
                label = paste(seed, solver, case$mode, case$kernel$name))
    }
  }
})

test_that("refits of a large basis by the band form equal those by updating the fit", {
  set.seed(1)
  m <- 1120
  x <- matrix(rnorm(m * 8), m)
  y <- cbind(sin(x[, 1]), x[, 2] * x[, 3]) + 0.1 * rnorm(m)
  w <- runif(m)
  # More than LARGE basis vectors are left, for more than FEW lambdas (src/refit.c).
  folds <- list(c(1:30, 1060:1090))
  held <- lapply(c("update", "retrain"), function(solver) {
    cv.sparserls(x, y, 1:1070, kernel_matern(gamma = 0.1), 10^-(1:4), weights = w,
                 folds = folds, solver = solver, keep = TRUE, progress = FALSE)$fit.preval
  })
  expect_lt(relative_error(held[[2]], held[[1]]), 1e-9)
})

test_that("more folds than a batch has, and more rows in a fold than a block", {
  set.seed(2)
  m <- 1100
  x <- matrix(rnorm(m * 2), m)
  y <- sin(x[, 1]) + rnorm(m)
  basis <- c(3, 500, 700, 900)
  k <- reference_shifted(kernel_gaussian(0.5), x, basis, 1e-7)
  for (folds in list(as.list(1:m), list(1:560, 561:1100))) {
    # Of single rows some of every batch.
    some <- if (length(folds) > 2) c(basis, seq(1, m, 29), m) else 1:2
    honest <- reference_cv(k, y, rep(1, m), basis, folds[some], 0.1, "remove", TRUE)
    scored <- unlist(folds[some])
    for (solver in c("update", "retrain")) {
      cv <- cv.sparserls(x, y, basis, kernel_gaussian(0.5), 0.1, folds = folds, solver = solver,
                         standardize = FALSE, keep = TRUE, progress = FALSE)
      expect_lt(relative_error(cv$fit.preval[scored, ], honest[scored, , ]), 1e-9)
    }
  }
})
