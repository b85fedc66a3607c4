# NIST's Longley data (Statistical Reference Datasets, linear regression, "higher difficulty").
# Ridge regression tends to least squares as lambda tends to zero, with a bias proportional to it.
# The condition of the standardized columns is 110, that of columns and intercept as they are 5e9.
certified <- c(-3482258.63459582, 15.0618722713733, -0.358191792925910e-01, -2.02022980381683,
               -1.03322686717359, -0.511041056535807e-01, 1829.15146461355)
nist <- transform(longley, Employed = 1000 * Employed, GNP = 1000 * GNP,
                  Population = 1000 * Population, Unemployed = 10 * Unemployed,
                  Armed.Forces = 10 * Armed.Forces)

test_that("coefficients are NIST's, to ten digits, and the bias is proportional to lambda", {
  for (solver in c("primal", "svd")) {
    off <- vapply(c(1e-6, 1e-8, 1e-14), function(lambda) {
      fit <- rls(Employed ~ ., nist, lambda = lambda, solver = solver)
      max(abs(coef(fit)[, 1] / certified - 1))
    }, 0)
    expect_equal(off[1] / off[2], 100, tolerance = 0.02)
    expect_lt(off[3], 1e-10)
  }
})

test_that("leave-one-out errors are those of least squares", {
  ls <- lm(Employed ~ ., nist)
  held_out <- nist$Employed - residuals(ls) / (1 - hatvalues(ls))
  cv <- cv.rls(Employed ~ ., nist, lambda = 1e-14, nfolds = "loo", keep = TRUE)
  expect_equal(unname(cv$fit.preval[, 1]), unname(held_out), tolerance = 1e-10)
})
