# What verbs.R promises: the shortcuts answer what honest refits by the same verbs answer, a method
# with the few verbs that have no default does all that the others do, and nested() leaves out what
# chose.

validation_of <- function(design, folds = NULL, measure = "mse") {
  new_validation(asked_of("cv.rls", folds = folds, type.measure = measure), design)
}

# Held-out predictions by the shortcut and by evaluate.default(), for one candidate.
both_ways <- function(problem) {
  folds <- draw_folds(problem$validation$folds)
  candidate <- candidates(problem, folds)[[1]]
  list(shortcut = evaluate(problem, candidate, folds, NULL)$held,
       refits = evaluate.default(problem, candidate, folds, NULL)$held)
}

test_that("shortcuts answer what evaluate.default() answers", {
  worst <- 0
  for (seed in 1001:1040) {
    case <- random_case(seed)
    design <- as_design(case$x, case$y, case$w)
    validation <- validation_of(design, case$folds)
    asked <- asked_of_case(case, holdout_basis = "keep")
    problem <- sparserls_problem(asked, design, validation)
    held <- both_ways(problem)
    same <- c("row", "fold", "cluster")
    expect_identical(held$shortcut[same], held$refits[same])
    worst <- max(worst, relative_error(held$shortcut$scores, held$refits$scores))
    full <- rls_problem(asked, design, validation)
    held <- both_ways(full)
    worst <- max(worst, relative_error(held$shortcut$scores, held$refits$scores))
  }
  expect_lt(worst, 1e-7)
})

# ---- a method by the verbs alone (toy.R) -------------------------------------------------------

use_family(test_path("toy.R"), "toy")
set.seed(1)
data <- data.frame(y = 0, a = rnorm(60), b = runif(60), f = factor(rep(c("u", "v", "w"), 20)))
data$y <- data$a - 2 * data$b + (data$f == "v") + rnorm(60) / 3
x <- as.matrix(data[c("a", "b")])
w <- runif(60)
id <- rep(1:12, 5)
lambda <- 10^(2:-2)
same <- function(found, expected) expect_equal(found, expected, tolerance = 1e-8)
ridge <- function(...) rls(..., lambda = lambda, standardize = FALSE, solver = "primal")
cv_ridge <- function(...) {
  suppressMessages(cv.rls(..., lambda = lambda, standardize = FALSE, solver = "primal"))
}
cv_toy <- function(...) suppressMessages(cv.toy(..., lambda = lambda))

test_that("a method by the verbs alone is fitted as by the core", {
  fit <- toy(y ~ ., data, lambda = lambda, weights = w)
  other <- rls(y ~ ., data, lambda = lambda, weights = w, standardize = FALSE, solver = "primal")
  at <- c(50, 0.3)
  same(coef(fit), coef(other))
  same(coef(fit, s = at), coef(other, s = at))
  same(predict(fit, data[5:9, ], s = at), predict(other, data[5:9, ], s = at))
  same(fitted(fit), fitted(other))
  same(residuals(fit), residuals(other))
  same(deviance(fit), deviance(other))
  expect_identical(nobs(fit), nobs(other))
  expect_identical(weights(fit), weights(other))
  expect_identical(sigma(fit), rep(NA_real_, 5))
  same(update(fit, . ~ . - f, lambda = 1)$lambda, 1)
  same(coef(update(fit, . ~ . - f)), coef(update(other, . ~ . - f)))
  several <- toy(x, cbind(data$y, data$a^2), lambda)
  same(coef(several), coef(ridge(x, cbind(data$y, data$a^2))))
  expect_identical(dim(predict(several, x)), c(60L, 2L, 5L))
  expect_identical(predict(toy(x, data$f, lambda), x, type = "class"),
                   predict(ridge(x, data$f), x, type = "class"))
  gaps <- replace(data, "a", list(replace(data$a, 3, NA)))
  same(predict(fit, gaps[1:4, ], s = 1), predict(other, gaps[1:4, ], s = 1))
  unseen <- replace(data, "f", list(factor(rep("z", 60))))
  expect_error(predict(fit, unseen), class = "sparserls_error_newdata")
  chunks <- chunks_function(3, function(i) data[(i - 1) * 20 + 1:20, ])
  same(predict(fit, chunks, s = 1), unname(predict(fit, data, s = 1)))
})

test_that("a method by the verbs alone is cross-validated as by the core, and repeats its choice", {
  both <- function(...) {
    set.seed(7)
    found <- cv_toy(...)
    set.seed(7)
    expected <- cv_ridge(...)
    for (name in c("cvm", "cvsd", "lambda.min", "lambda.1se", "fit.preval")) {
      same(found[[name]], expected[[name]])
    }
    same(found$nested[c("cvm", "cvsd", "chosen")], expected$nested[c("cvm", "cvsd", "chosen")])
    list(found, expected)
  }
  pair <- both(x, data$y, weights = w, groups = id, nfolds = 4, keep = TRUE, outer = 3)
  expect_identical(names(pair[[1]]$nested), names(pair[[2]]$nested))
  interval <- function(cv) predict(cv, x[1:7, ], interval = "jackknife+", s = "lambda.1se")
  same(interval(pair[[1]]), interval(pair[[2]]))
  both(y ~ ., data, folds = list(list(score = 1:20, omit = 1:25), 26:60))
  both(x, data$y, foldid = rep(1:5, 12), type.measure = "mae", rule = "paired", keep = TRUE)
  outputs <- both(x, cbind(u = data$y, v = data$a + data$b^2), nfolds = 5, by.output = TRUE,
                  keep = TRUE)
  same(outputs[[1]]$lambda.min.output, outputs[[2]]$lambda.min.output)
  same(predict(outputs[[1]], x, s = "lambda.min.output"),
       predict(outputs[[2]], x, s = "lambda.min.output"))
  for (y in list(data$f, data$f == "v")) {
    pair <- both(x, y, nfolds = 5)
    same(predict(pair[[1]], x, type = "prob"), predict(pair[[2]], x, type = "prob"))
    expect_identical(predict(pair[[1]], x, type = "class"), predict(pair[[2]], x, type = "class"))
  }
  two <- pair[[1]]
  expect_identical(predict(two, x, type = "class", threshold = 0.4),
                   predict(pair[[2]], x, type = "class", threshold = 0.4))
})

test_that("what users see of a method by the verbs alone", {
  fit <- toy(y ~ ., data, lambda = lambda)
  cv <- suppressMessages(
    cv.toy(y ~ ., data, lambda = lambda, foldid = rep(1:5, 12), keep = TRUE, outer = 3)
  )
  expect_said({
    print(fit)
    summary(fit)
    print(cv)
    summary(cv)
    cv$fit$call
    str(update(cv$fit, lambda = 1)$lambda)
  })
  pdf(NULL)
  on.exit(dev.off())
  expect_silent(plot(fit))
  expect_silent(plot(cv))
  classes <- cv_toy(x, data$f == "v", foldid = rep(1:5, 12))
  expect_silent(plot(classes, what = "calibration"))
  file <- tempfile(fileext = ".rds")
  saveRDS(list(fit, cv), file)
  again <- readRDS(file)
  expect_identical(predict(again[[1]], data), predict(fit, data))
  expect_identical(predict(again[[2]], data, interval = "jackknife+"),
                   predict(cv, data, interval = "jackknife+"))
})

test_that("tidiers of a method by the verbs alone", {
  skip_if_not_installed("generics")
  fit <- toy(x, data$y, lambda)
  cv <- cv_toy(x, data$y, foldid = rep(1:5, 12), keep = TRUE)
  same(as.data.frame(generics::tidy(fit)), as.data.frame(generics::tidy(ridge(x, data$y))))
  same(generics::tidy(cv)$estimate, cv$cvm)
  expect_identical(generics::glance(fit)$nobs, 60L)
  expect_identical(generics::glance(cv)$lambda.min, cv$lambda.min)
  same(generics::augment(cv, newdata = x, interval = "jackknife+")$.upper,
       unname(predict(cv, x, interval = "jackknife+")[, "upr"]))
  same(generics::augment(fit)$.resid, unname(residuals(fit, s = min(lambda))))
  skip_if_not_installed("ggplot2")
  pdf(NULL)
  on.exit(dev.off())
  expect_silent(print(ggplot2::autoplot(fit)))
  expect_silent(print(ggplot2::autoplot(cv)))
})

test_that("what a method by the verbs alone lacks is refused", {
  fit <- toy(x, data$y, 1)
  cv <- cv_toy(x, data$y, foldid = rep(1:5, 12))
  expect_refusals({
    predict(fit, x, se.fit = TRUE) | object | "Fits of toy() have no view as a Gaussian process."
    predict(cv, x, interval = "gp") | object | "Fits of toy() have no view as a Gaussian process."
    derivatives(fit, x) | object | "Fits of toy() have no derivatives."
    derivatives(cv, x) | object | "Fits of toy() have no derivatives."
    effect_curve(cv, "a", x) | object | "Fits of toy() have no expansion."
    vcov(fit) | object | "Only fits of sparserls() and rls() have covariances. .. toy of size 18"
    confint(cv) | object |
      "Only fits of sparserls() and rls() have covariances. .. toy of size 18"
  })
  expect_error(plot(fit, "df"), class = "sparserls_error_argument")
  expect_error(predict(cv, x, interval = "jackknife+"), class = "sparserls_error_keep")
  expect_error(predict(fit, x, s = 5), class = "sparserls_error_lambda")
  expect_error(toy(x, data$y, lambda = -1), class = "sparserls_error_lambda")
  expect_error(toy(x, data$y, lamda = 1), class = "sparserls_error_dots")
})

test_that("with no verb of a fit but coded_scores() it predicts, and the rest is refused", {
  registerS3method("coded_scores", "bare", function(object, x, at) {
    coded_scores(structure(object, class = c("toy", "sparserls_fit")), x, at)
  }, asNamespace("sparserls"))
  fit <- toy(x, data$y, lambda)
  bare <- structure(replace(fit, c("fitted", "linear"), list(NULL)),
                    class = c("bare", "sparserls_fit"))
  expect_identical(predict(bare, x, s = c(3, 0.5)), predict(fit, x, s = c(3, 0.5)))
  expect_output(print(bare), "60 rows")
  expect_output(print(summary(bare)), "Path of 5 values")
  expect_refusals({
    coef(bare) | object | "Fits of bare() have no coefficients."
    fitted(bare) | object | "Fits of bare() keep no fitted values."
    residuals(bare) | object | "Fits of bare() keep no fitted values."
    deviance(bare) | object | "Fits of bare() keep no fitted values."
    predict(bare, x, se.fit = TRUE) | object |
      "Fits of bare() have no view as a Gaussian process."
  })
  expect_error(plot(bare), class = "sparserls_error_argument")
})

test_that("a method by the verbs alone works on a user's plan", {
  skip_if_not_installed("future")
  skip_on_cran()
  workers <- parallel::makeCluster(2)
  on.exit(parallel::stopCluster(workers))
  parallel::clusterCall(workers, use_family, normalizePath(test_path("toy.R")), "toy")
  run <- function() {
    set.seed(5)
    cv_toy(x, data$y, nfolds = 5, keep = TRUE, outer = 3)
  }
  alone <- run()
  old <- future::plan(future::cluster, workers = workers)
  on.exit(future::plan(old), add = TRUE, after = FALSE)
  expect_identical(run(), alone)
})

test_that("nested() repeats the whole cross-validation without every outer fold", {
  set.seed(2)
  x <- matrix(rnorm(60 * 3), 60)
  y <- sin(x[, 1]) + rnorm(60) / 4
  id <- rep(1:4, 15)
  kernels <- list(kernel_gaussian(0.1), kernel_gaussian(1))
  design <- as_design(x, y, NULL)
  outer <- draw_folds(validation_of(design, unname(split(1:60, id)))$folds)
  inner <- rep(1:3, 20)
  lambda <- c(10, 1, 0.1)
  asked <- asked_of("cv.rls", kernels = kernels, lambda = lambda, standardize = FALSE,
                    foldid = inner, type.measure = "mse", progress = FALSE)
  problem <- rls_problem(asked, design, new_validation(asked, design))
  held <- nested(problem, outer)$held
  for (fold in 1:4) {
    rows <- which(id == fold)
    cv <- suppressMessages(cv.rls(x[-rows, ], y[-rows], kernels, lambda, standardize = FALSE,
                                  foldid = inner[-rows], progress = FALSE))
    expect_equal(held$scores[held$fold == fold], unname(predict(cv, x[rows, ])),
                 tolerance = 1e-9)
  }
  expect_identical(held$row, unlist(split(1:60, id), use.names = FALSE))
  error <- errors(held, problem)
  expect_equal(error$cvm, mean((y[held$row] - held$scores)^2))
})
