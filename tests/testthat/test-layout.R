# What is said, as it is laid out: one of each kind. The tables of refuse-* look at words only.

x <- bad_x()
y <- bad_y()
d <- bad_frame()

test_that("errors, warnings and messages", {
  gap <- transform(d, a = replace(a, 3:8, NA))
  fit <- sparserls(y ~ a + f, d, basis = 1:5, lambda = 1)
  source <- chunks_function(2, function(i) if (i == 1) cars else cars["dist"])
  expect_said(error = TRUE, {
    # The problem, what was given and a remedy; without a remedy; of several lines; did you mean.
    sparserls(x, y, 21)
    kernel_polynomial(scale = 0)
    sparserls(y ~ a, transform(d, a = NA), basis = 5)
    rls(x, y, lamda = 1)
    # In a fold, in a chunk, of new rows.
    cv.sparserls(x, y, 1:3, lambda = 1, folds = list(1:7))
    rls(dist ~ speed, source, progress = FALSE)
    predict(fit, transform(d, f = "w"))
    basis <- sparserls(x[c(1:10, 1:10), ], y, c(1, 11, 2), lambda = 1)$basis
    same <- sparserls(y ~ a, gap, basis = 5, lambda = 1)
  })
})
