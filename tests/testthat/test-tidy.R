train <- prostate[prostate$train, -10]
new <- prostate[!prostate$train, -10]
ends <- function(rows) unname(as.matrix(rows[c(".fitted", ".lower", ".upper")]))

test_that("tidy() of a fit has a row for each term, output and lambda", {
  set.seed(1)
  x <- matrix(rnorm(90), 30)
  y <- x[, 1] + 0.1 * rnorm(30)
  two <- sparserls(x, cbind(a = y, b = -y), 1:8, kernel_gaussian(0.3), c(1, 0.1))
  terms <- generics::tidy(two)
  expect_identical(terms$estimate[terms$output == "b" & terms$lambda == 0.1],
                   unname(coef(two)[, "b", 2]))
  expect_identical(generics::glance(two)$nterms, 8L)
})

test_that("a response of new rows that is of another type is refused", {
  d <- transform(prostate[1:20, ], class = factor(rep(c("u", "v"), 10)), late = age > 60)
  numbers <- rls(log(lpsa + 2) ~ age, d, lambda = 1)
  plain <- greedyrls(lpsa ~ age + lcavol, d, k = 1)
  classes <- rls(class ~ age, d, lambda = 1)
  late <- rls(late ~ lcavol, d, lambda = 1)
  expect_refusals({
    generics::augment(plain, newdata = transform(d, lpsa = class)) | newdata |
      "The response must be numeric, as in the fit. .. factor of size 20"
    generics::augment(numbers, newdata = transform(d, lpsa = "2")) | newdata |
      "The response could not be evaluated. .. non-numeric argument to binary operator"
    generics::augment(classes, newdata = transform(d, class = age)) | newdata |
      "The response must have the classes of the fit. .. numeric vector of size 20"
  })
  # Classes may be given as text, and unknown ones or missing values have no residuals.
  residuals <- function(fit, ...) generics::augment(fit, newdata = transform(d, ...))$.resid
  wanted <- generics::augment(classes, newdata = d)$.resid
  expect_identical(residuals(classes, class = as.character(class)), wanted)
  expect_identical(residuals(classes, class = replace(as.character(class), 3, "w")),
                   replace(wanted, 3, NA))
  for (fit in list(numbers, plain)) {
    expect_true(all(is.na(residuals(fit, lpsa = NA))))
    expect_true(all(is.finite(residuals(fit, lpsa = lpsa > 1))))
  }
  expect_null(generics::augment(plain, newdata = d[c("age", "lcavol")])$.resid)
})

test_that("augment() takes data, and has matrices of outputs; intervals need rows and numbers", {
  fit <- rls(lpsa ~ lcavol, prostate, lambda = c(10, 1))
  rows <- generics::augment(fit, prostate[1:3, ], s = 1)
  expect_identical(rows$.fitted, unname(predict(fit, prostate[1:3, ], s = 1)))
  two <- rls(as.matrix(prostate[1:4]), as.matrix(prostate[8:9]), lambda = 1)
  expect_identical(dim(generics::augment(two)$.fitted), c(97L, 2L))
  two <- rls(as.matrix(train[1:4]), cbind(a = train$lpsa, b = train$lcp), lambda = 1)
  rows <- generics::augment(two, newdata = as.matrix(new[1:4]), interval = "gp")
  wanted <- predict(two, as.matrix(new[1:4]), interval = "gp")
  expect_equal(unclass(rows$.lower), unname(wanted[, , "lwr"]), ignore_attr = TRUE)
  expect_identical(colnames(rows$.upper), c("a", "b"))
  expect_error(generics::augment(two, interval = "gp"), class = "sparserls_error_newdata")
})

test_that("the same of greedy selections, kernel combinations and widths", {
  set.seed(1)
  objects <- list(
    greedyrls(lpsa ~ ., train, k = 3), rls2(lpsa ~ ., train, lambda = 0.1),
    ardrls(lpsa ~ ., train, basis = 1:20, penalty = c(Inf, 1), maxit = 2),
    cv.greedyrls(lpsa ~ ., train, k = 3, lambda = 1, nfolds = 4, keep = TRUE),
    quiet(cv.ardrls(lpsa ~ ., train, basis = 1:20, penalty = c(Inf, 1), maxit = 2,
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
