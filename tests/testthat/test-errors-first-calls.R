# What is called first by those who know other packages: errors name what there is instead.

d <- bad_frame()
fit <- rls(y ~ a + b + f, d, lambda = 1)
cv <- suppressMessages(cv.rls(y ~ a + b + f, d, nfolds = "loo", keep = TRUE))
setClass("first_call", representation(a = "numeric"), where = environment())
s4 <- new("first_call", a = 1)

test_that("data and new rows of other kinds", {
  known <- rls(y ~ a + offset(b), d, lambda = 1)
  given <- rls(y ~ a, d, offset = bad_y() / 2, lambda = 1)
  two <- transform(d, y = cbind(y, y))
  expect_refused("newdata", {
    predict(known, as.list(d))
    predict(known, as.matrix(d[c("a", "b")]))
    predict(given, as.list(d), newoffset = bad_y())
    generics::augment(fit, newdata = two)
    generics::augment(cv, newdata = two)
    generics::augment(fit, newdata = transform(d, y = I(as.list(y))))
    generics::augment(rls(f ~ a, d, lambda = 1), newdata = transform(d, f = cbind(f, f)))
  })
  expect_refused("formula", {
    rls(y ~ a, s4)
    cv.sparserls(y ~ a + (1 | b), s4)
    sparserls(y ~ a, s4, basis_groups(f, 1))
    ardrls(y ~ a, Matrix::Matrix(diag(2)))
    rls(y ~ a, as.matrix(d[c("y", "a")]))
  })
  expect_length(fitted(rls(y ~ a, as.list(d), lambda = 1)), 20)
  expect_length(fitted(rls(y ~ a, list2env(d), lambda = 1)), 20)
})

test_that("one column as the response of new rows is a vector", {
  expect_identical(generics::augment(fit, newdata = transform(d, y = cbind(y)))$.resid,
                   generics::augment(fit, newdata = d)$.resid)
})

test_that("a feature without quotes, or where there is none", {
  expect_refused("argument", {
    effect_curve(cv, a)
    effect_curve(cv, not_there)
    plot(cv, "a")
    plot(fit, "a")
    average_effect(cv)
  })
  expect_classed("argument", {
    effect_curve(cv)
    effect_curve(suppressMessages(cv.rls(bad_x(), bad_y(), nfolds = "loo")), newdata = bad_x())
  })
  expect_refused("newdata", {
    derivatives(cv, "a")
    derivatives(fit, "a", s = 1)
  })
  skip_if_not_installed("ggplot2")
  expect_classed("argument", {
    ggplot2::autoplot(cv, "a")
    ggplot2::autoplot(fit, "a")
  })
})

test_that("intervals by their names in predict.lm()", {
  expect_refused("argument", {
    predict(cv, d, interval = "prediction")
    predict(fit, d, interval = "confidence")
    generics::augment(cv, interval = "prediction")
  })
})

test_that("seeds, and gaps that pass", {
  expect_refused("dots", {
    cv.rls(y ~ a, d, seed = 1)
    sparserls(bad_x(), bad_y(), seed = 1)
  })
  gaps <- transform(d, a = replace(a, 3, NA))
  expect_refused("x", {
    rls(y ~ a, gaps, na.action = na.pass)
    cv.rls(y ~ a, gaps, na.action = "na.pass", groups = f)
  })
})
