# The reason for the package: held-out predictions are those of honest refits.

test_that("both hold-out forms equal honest refits on random problems", {
  worst <- 0
  for (seed in 1:300) {
    case <- random_case(seed)
    k <- reference_shifted(case$kernel, case$x, case$basis, case$jitter)
    honest <- reference_cv(k, case$y, case$w, case$basis, case$folds, case$lambda, case$mode,
                           case$intercept)
    for (solver in c("update", "retrain", "auto")) {
      cv <- cv_case(case, solver)
      error <- relative_error(cv$fit.preval, honest)
      worst <- max(worst, error)
      if (error > 1e-8) {
        fail(sprintf("seed %d, %s, %s, %s: %.1e", seed, solver, case$mode, case$kernel$name, error))
      }
    }
  }
  expect_lt(worst, 1e-8)
})
