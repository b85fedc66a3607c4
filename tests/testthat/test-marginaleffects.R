train <- prostate[prostate$train, -10]
exact <- list("fdforward", eps = 1e-4)
# Said once in a session, which test-effect-print.R looks at.
said <- sparserls:::session
was <- said$plugin_told
said$plugin_told <- TRUE
withr::defer(said$plugin_told <- was, teardown_env())

test_that("insight finds data, formula and parameters", {
  skip_if_not_installed("insight")
  fit <- rls(lpsa ~ ., train, lambda = 1)
  found <- insight::get_parameters(fit)
  expect_equal(setNames(found$Estimate, found$Parameter), coef(fit)[, 1])
  expect_identical(insight::find_predictors(fit)$conditional, names(train)[1:8])
  expect_identical(insight::find_response(fit), "lpsa")
  expect_equal(insight::get_varcov(fit), vcov(fit, type = "gp"), ignore_attr = TRUE)
})

skip_if_not_installed("marginaleffects")

expect_slopes <- function(model, type, ..., tolerance = 1e-5) {
  found <- marginaleffects::avg_slopes(model, vcov = type, numderiv = exact, ...)
  wanted <- derivatives(model, train, type = type)
  at <- match(names(wanted$average), found$term)
  expect_equal(found$estimate[at], unname(wanted$average), tolerance = 1e-6)
  expect_equal(found$std.error[at], unname(wanted$std.error), tolerance = tolerance)
}

test_that("average slopes and their standard errors are those of derivatives()", {
  expect_slopes(rls(lpsa ~ ., train, lambda = 1), "gp")
  expect_slopes(rls(lpsa ~ ., train, kernel_gaussian(), lambda = 1), "jackknife")
  cv <- seeded(1, cv.sparserls(lpsa ~ ., train, basis = 20, nfolds = 5, keep = TRUE))
  for (type in c("jackknife", "gp", "sandwich")) expect_slopes(cv, type)
})

test_that("predictions are those of predict(), their errors those of the linear algebra", {
  cv <- seeded(1, cv.sparserls(lpsa ~ ., train, basis = 20, nfolds = 5, keep = TRUE))
  new <- prostate[!prostate$train, -10][1:5, ]
  rows <- marginaleffects::predictions(cv, newdata = new, vcov = "gp")
  expect_equal(rows$estimate, unname(predict(cv, new)))
  fit <- rls(lpsa ~ ., train, lambda = 1)
  rows <- marginaleffects::predictions(fit, newdata = new, vcov = "gp", numderiv = exact)
  expect_equal(rows$std.error, unname(predict(fit, new, se.fit = TRUE)$se.fit), tolerance = 1e-6)
})

test_that("probabilities of two classes have errors", {
  two <- droplevels(iris[iris$Species != "setosa", ])
  set.seed(2)
  cv <- cv.rls(Species ~ ., two, kernel_gaussian(), nfolds = 5)
  found <- marginaleffects::avg_slopes(cv, variables = "Petal.Width", type = "prob")
  expect_equal(sum(found$estimate), 0, tolerance = 1e-8)
  expect_equal(found$std.error[1], found$std.error[2], tolerance = 1e-3)
  rows <- marginaleffects::predictions(cv, newdata = two[c(1, 51), ], type = "prob")
  expect_equal(rows$estimate, as.vector(predict(cv, two[c(1, 51), ], type = "prob")))
})

test_that("other families have slopes without errors, widths those of their fit", {
  greedy <- greedyrls(lpsa ~ ., train, k = 2)
  found <- marginaleffects::avg_slopes(greedy)
  expect_equal(found$estimate, unname(coef(greedy, k = 2)[found$term, ]), tolerance = 1e-6)
  widths <- ardrls(lpsa ~ ., train, basis = 1:60, penalty = c(Inf, 1), maxit = 2)
  expect_slopes(widths, "gp")
})

test_that("families: means and linear predictors, as derivatives() and predict() have them", {
  d <- transform(train, high = factor(lpsa > 2.5, labels = c("low", "high")), e = age / 60)
  set.seed(4)
  models <- list(
    quiet(cv.rls(round(exp(lpsa / 2)) ~ lcavol + svi + offset(log(e)), d, keep = TRUE,
                 family = "poisson", nfolds = "loo", lambda = c(3, 1))),
    quiet(cv.sparserls(high ~ lcavol + svi, d, family = "binomial", basis = 15,
                       nfolds = 5, keep = TRUE))
  )
  terms <- c("lcavol", "svi")
  for (model in models) for (type in c("response", "link")) {
    found <- marginaleffects::avg_slopes(model, variables = terms, type = type, numderiv = exact)
    linear <- is.null(model$fit$basis)
    wanted <- derivatives(model, d, type = if (linear) "jackknife" else "sandwich", scale = type)
    at <- match(terms, found$term)
    expect_equal(found$estimate[at], unname(wanted$average), tolerance = 1e-6)
    # Parameters of linear fits have the covariance of vcov(), by the delta method.
    if (!linear) expect_null(found$std.error)
    else if (type == "link") expect_equal(found$std.error[at], unname(wanted$std.error),
                                          tolerance = 1e-5)
    rows <- marginaleffects::predictions(model, newdata = d[1:4, ], type = type)
    expect_equal(rows$estimate, unname(predict(model, d[1:4, ], type = type)))
  }
  found <- marginaleffects::avg_slopes(models[[1]], variables = terms, vcov = "sandwich",
                                       numderiv = exact)
  wanted <- derivatives(models[[1]], type = "sandwich")
  same(found$std.error[match(terms, found$term)], wanted$std.error, 1e-4)
  several <- rls(Species ~ ., iris, family = "binomial", lambda = 1)
  found <- marginaleffects::avg_slopes(several, variables = "Petal.Width")
  wanted <- quiet(derivatives(several, iris))$average["Petal.Width", ]
  expect_equal(found$estimate[match(names(wanted), found$group)], unname(wanted), tolerance = 1e-6)
})

test_that("what cannot be answered is said", {
  path <- rls(lpsa ~ ., train)
  expect_error(marginaleffects::avg_slopes(path), "single value of lambda")
  expect_error(marginaleffects::get_predict(path, train, type = "prob"), class = "sparserls_error")
})
