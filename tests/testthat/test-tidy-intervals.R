# augment() with prediction intervals, and glance() of derivatives.
skip_if_not_installed("generics")

train <- prostate[prostate$train, -10]
new <- prostate[!prostate$train, -10]
ends <- function(rows) unname(as.matrix(rows[c(".fitted", ".lower", ".upper")]))

test_that("augment() has the ends that predict() has, of fits and cross-validations", {
  fit <- sparserls(lpsa ~ ., train, basis = 1:20, lambda = c(10, 1))
  rows <- generics::augment(fit, newdata = new, s = 1, interval = "gp", level = 0.8)
  expect_equal(ends(rows), unname(predict(fit, new, s = 1, interval = "gp", level = 0.8)))
  expect_equal(rows$.resid, new$lpsa - rows$.fitted)

  set.seed(1)
  cv <- cv.rls(lpsa ~ ., train, nfolds = 5, keep = TRUE)
  rows <- generics::augment(cv, newdata = new, interval = "jackknife+")
  expect_equal(ends(rows), unname(predict(cv, new, interval = "jackknife+")))
})

test_that("the same of greedy selections, kernel combinations and widths", {
  set.seed(1)
  objects <- list(
    greedyrls(lpsa ~ ., train, k = 3), rls2(lpsa ~ ., train, lambda = 0.1),
    ardrls(lpsa ~ ., train, basis = 1:20, penalty = c(Inf, 1), maxit = 2),
    cv.greedyrls(lpsa ~ ., train, k = 3, lambda = 1, nfolds = 4, keep = TRUE),
    suppressMessages(cv.ardrls(lpsa ~ ., train, basis = 1:20, penalty = c(Inf, 1), maxit = 2,
                               nfolds = 4, outer = 3, keep = TRUE))
  )
  for (object in objects) {
    point <- if (inherits(object, "greedyrls")) list(k = 3)
             else if (inherits(object, "ardrls")) list(s = 1)
             else if (inherits(object, "rls2")) list(s = 0.1)
    wanted <- unname(do.call(predict, c(list(object, new, interval = "gp"), point)))
    expect_equal(ends(generics::augment(object, newdata = new, interval = "gp")), wanted)
    if (inherits(object, "sparserls_cv")) {
      rows <- generics::augment(object, newdata = new, interval = "jackknife+", level = 0.5)
      expect_equal(ends(rows), unname(predict(object, new, interval = "jackknife+", level = 0.5)))
    }
  }
})

test_that("several outputs have matrices; intervals need rows and numbers", {
  two <- rls(as.matrix(train[1:4]), cbind(a = train$lpsa, b = train$lcp), lambda = 1)
  rows <- generics::augment(two, newdata = as.matrix(new[1:4]), interval = "gp")
  wanted <- predict(two, as.matrix(new[1:4]), interval = "gp")
  expect_equal(unclass(rows$.lower), unname(wanted[, , "lwr"]), ignore_attr = TRUE)
  expect_identical(colnames(rows$.upper), c("a", "b"))
  expect_error(generics::augment(two, interval = "gp"), class = "sparserls_error_newdata")
})

test_that("tidy() of derivatives has the intervals of confint(), if asked for", {
  fit <- rls(cbind(u = lpsa, v = lcp) ~ age + svi, prostate, lambda = 1)
  one <- rls(lpsa ~ age + svi, prostate, lambda = 1)
  for (object in list(fit, one)) {
    effects <- derivatives(object, prostate)
    expect_false("conf.low" %in% names(generics::tidy(effects)))
    rows <- generics::tidy(effects, conf.int = TRUE, conf.level = 0.8)
    expect_identical(unname(as.matrix(rows[c("conf.low", "conf.high")])),
                     unname(confint(effects, level = 0.8)))
    expect_equal(rows$conf.high, rows$estimate + qt(0.9, effects$df) * rows$std.error)
  }
  expect_refusals({
    generics::tidy(effects, conf.int = NA) | argument | "`conf.int` must be TRUE or FALSE. .. NA"
    generics::tidy(effects, conf.int = TRUE, conf.level = 95) | argument |
      "level must be a number between 0 and 1. .. 95"
  })
})

test_that("modelsummary may hand its arguments on", {
  effects <- derivatives(rls(lpsa ~ age + svi, prostate, lambda = 1), prostate)
  rows <- generics::tidy(effects, conf.int = TRUE, conf.level = 0.95, vcov = NULL,
                         coef_rename = FALSE)
  expect_identical(rows, generics::tidy(effects, conf.int = TRUE))
  expect_identical(generics::glance(effects, vcov = NULL), generics::glance(effects))
  expect_refusals({
    generics::tidy(effects, vcov = "HC3") | dots | "Unknown argument `vcov`"
    generics::tidy(effects, TRUE, 0.9, 3) | dots | "Too many unnamed arguments"
  })
})
