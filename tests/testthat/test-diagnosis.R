# Each of these works, or ends in an error that names its true cause.

x <- bad_x()
y <- bad_y()

test_that("linear fits with an intercept do not feel an offset of x", {
  # Relative to 1 the offset leaves the columns 1e-16 * 1e8 = 1e-8 of their digits.
  new <- x[3:5, ] + 0.1
  for (solver in c("dual", "primal", "svd")) {
    for (features in list(NULL, c(3, 1))) {
      fit <- function(offset) {
        cv <- cv.rls(x + offset, y, kernel_linear(features = features), lambda = c(3, 0.1),
                     standardize = FALSE, solver = solver, weights = 1:20, nfolds = "loo",
                     keep = TRUE)
        list(cv$fit.preval, fitted(cv, s = 0.1), predict(cv, new + offset), coef(cv)[-1, ],
             cv$fit$df)
      }
      expect_equal(fit(1e4), fit(0), tolerance = 1e-10)
      expect_equal(fit(1e8), fit(0), tolerance = 1e-6)
    }
  }
})

test_that("kernels that do not vary are said to be constant, by every solver", {
  expect_refusals(
    rls(matrix(3.1, 20, 3), y, standardize = FALSE) | kernel | "The kernel is constant over the"
  )
  same <- cbind(y, y, y)
  for (solver in c("auto", "dual", "primal", "svd")) for (standardize in c(TRUE, FALSE)) {
    fit <- rls(same, y^2, lambda = 0.5, solver = solver, standardize = standardize)
    one <- rls(same[, 1, drop = FALSE], y^2, lambda = 0.5 / 3, standardize = standardize)
    expect_equal(fitted(fit), fitted(one))
  }
})

test_that("a kernel that vanishes beside the jitter is said to", {
  expect_notes({
    sparserls(x * 1e-29, y, 1:6, kernel_linear(), standardize = FALSE) |
      warning_jitter | "The kernel's values vanish next to .. values up to .. Look at `x`, or use" |
      warning_jitter | "`lambda` is so small that the jitter .. more than 0.1 degrees of"
  })
  fit <- sparserls(x * 2^-90, y, 1:3, kernel_linear(), standardize = FALSE, jitter = 1e-7 * 2^-180)
  expect_identical(fitted(fit), fitted(sparserls(x, y, 1:3, kernel_linear(), standardize = FALSE)))
})
