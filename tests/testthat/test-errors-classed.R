# Calls that once ended in errors of R or of other packages.

x <- bad_x()
y <- bad_y()

test_that("degrees of freedom may be tiny", {
  fit <- rls(x, y, lambda = lambda_df(c(1, 1e-20)))
  expect_equal(rev(fit$df), c(1, 1e-20), tolerance = 1e-6)
  expect_refused("lambda", {
    rls(x, y, lambda = lambda_df(1e-320))
    predict(rls(x, y), x, s = lambda_df(1e-20))
  })
})

test_that("grids of absurd length are refused", {
  expect_refused("argument", {
    sparserls(x, y, 1:5, nlambda = 1e9)
    rls(x, y, nlambda = 10001)
    cv.rls(x, y, nlambda = 1e9)
    rls2(x, y, nlambda = 1e9)
  })
})

test_that("leave-pair-out needs a pair", {
  skip_if_not_installed("survival")
  expect_refused("y", {
    cv.rls(x, y > 1, lambda = 1, weights = as.numeric(y > 1), nfolds = "pairs")
  })
})

test_that("an error at lambda = Inf alone has no picture", {
  cv <- cv.rls2(x, y, lambda = Inf)
  pdf(NULL)
  on.exit(dev.off())
  expect_refused("lambda", {
    plot(cv)
  })
  expect_silent(suppressMessages(plot(cv.rls2(x, y, lambda = c(Inf, 1)))))
})

test_that("selectors without their arguments", {
  expect_refused("basis", {
    basis_random()
    basis_groups()
    basis_rpcholesky()
    basis_greedy()
  })
})
