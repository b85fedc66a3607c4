skip_if_not_installed("mlr3")

# Helpers that mlr3 has for packages with learners.
helpers <- list.files(system.file("testthat", package = "mlr3"), "^helper.*[.][rR]$",
                      full.names = TRUE)

# A learner whose quantiles of 5, 50 and 80 % are the ends of intervals of 90 and of 60 %.
with_quantiles <- function(...) {
  learner <- mlr3::lrn(..., predict_type = "quantiles")
  learner$quantiles <- c(0.05, 0.5, 0.8)
  learner$quantile_response <- 0.5
  learner
}
ends <- function(cv, new) {
  at <- function(level) predict(cv, new, interval = "jackknife+", level = level)
  cbind(at(0.9)[, c("lwr", "fit")], at(0.6)[, "upr"])
}

# It trains dozens of times, some of them in other processes.
test_that("mlr3's autotest", {
  skip_on_cran()
  skip_if_not_installed("checkmate")
  skip_if(length(helpers) == 0)
  space <- new.env(parent = asNamespace("mlr3"))
  for (file in helpers) sys.source(file, space)
  # All types of features at once, not one by one.
  autotest <- function(id, types, ...) {
    learner <- mlr3::lrn(id, basis = 10, ...)
    utils::capture.output(result <- seeded(1, quiet(
      space$run_autotest(learner, exclude = "feat_single", predict_types = types)
    )))
    expect_true(result, info = result$error)
  }
  plain <- function(...) {
    autotest(..., importance = TRUE, gamma = 0.1, lambda = c(10, 1), nfolds = 3)
  }
  # The other types of predictions have tests below.
  plain("regr.sparserls", "quantiles")
  plain("classif.sparserls", "prob")
  autotest("regr.ardrls", "response", penalty = c(Inf, 0), outer = 2, maxit = 3)
})

test_that("numbers with standard errors, as sparserls() has them", {
  task <- mlr3::as_task_regr(prostate[-10], target = "lpsa")
  learner <- mlr3::lrn("regr.sparserls", basis = 1:20, lambda = 2, gamma = 0.1, predict_type = "se")
  learner$train(task)
  found <- learner$predict(task, 1:5)
  wanted <- predict(sparserls(prostate[task$feature_names], prostate$lpsa, 1:20,
                              kernel_gaussian(0.1), 2), prostate[1:5, ], se.fit = TRUE)
  expect_equal(found$response, as.vector(wanted$fit))
  expect_equal(found$se, as.vector(wanted$se.fit))
})

test_that("classes with probabilities; lambda chosen with whole groups", {
  task <- mlr3::as_task_classif(cbind(iris, site = rep_len(1:6, 150)), target = "Species")
  task$set_col_roles("site", "group")
  learner <- mlr3::lrn("classif.sparserls", basis = 30, predict_type = "prob")
  seeded(2, learner$train(task))
  expect_identical(learner$model$nfolds, 6L)
  set.seed(2)
  cv <- cv.sparserls(iris[task$feature_names], iris$Species, 30, groups = rep_len(1:6, 150),
                     nfolds = 6, progress = FALSE)
  expect_equal(learner$predict(task, c(1, 51, 101))$prob,
               predict(cv, iris[c(1, 51, 101), ], type = "prob"), ignore_attr = TRUE)
})

test_that("classes by likelihood, and counts with an offset", {
  task <- mlr3::as_task_classif(cbind(iris, w = rep_len(1:3, 150)), target = "Species")
  skip_if(!"weights_learner" %in% mlr3::mlr_reflections$task_col_roles$classif)
  task$set_col_roles("w", "weights_learner")
  learner <- mlr3::lrn("classif.sparserls", basis = 1:20 * 7, lambda = 2, gamma = 0.2,
                       family = "binomial", predict_type = "prob")
  learner$train(task)
  fit <- sparserls(iris[task$feature_names], iris$Species, 1:20 * 7, kernel_gaussian(0.2), 2,
                   weights = rep_len(1:3, 150), family = "binomial")
  # One value of lambda is not cross-validated.
  expect_s3_class(learner$model, "glmrls")
  found <- learner$predict(task)
  expect_equal(found$prob, predict(fit, iris, type = "prob"), ignore_attr = TRUE)
  expect_identical(found$response, predict(fit, iris, type = "class"))
  skip_if(!"offset" %in% mlr3::mlr_reflections$learner_properties$regr)
  counts <- transform(MASS::epil[c("y", "lbase", "trt", "age")], age = log(age))
  task <- mlr3::as_task_regr(counts, target = "y")
  task$set_col_roles("age", "offset")
  for (family in list(NULL, "poisson")) {
    learner <- with_quantiles("regr.sparserls", basis = 1:20 * 9, gamma = 0.2, lambda = 2,
                              family = family, nfolds = "loo")
    suppressWarnings(learner$train(task, 3:200))
    cv <- suppressWarnings(cv.sparserls(counts[3:200, task$feature_names], counts$y[3:200],
                                        1:20 * 9, kernel_gaussian(0.2), 2, nfolds = "loo",
                                        holdout_basis = "keep", keep = TRUE, family = family,
                                        offset = counts$age[3:200]))
    rows <- c(230, 1, 2)
    wanted <- predict(cv, counts[rows, ], interval = "jackknife+", newoffset = counts$age[rows])
    expect_equal(learner$predict(task, rows)$quantiles[, 1:2], wanted[, c("lwr", "fit")],
                 ignore_attr = TRUE)
  }
  learner$predict_type <- "se"
  expect_error(learner$predict(task), class = "sparserls_error_family")
})

test_that("quantiles are the ends of intervals, of whole groups where the task has them", {
  chicks <- as.data.frame(ChickWeight)
  task <- mlr3::as_task_regr(chicks, target = "weight")
  task$set_col_roles("Chick", "group")
  learner <- with_quantiles("regr.sparserls", basis = 40)
  seeded(3, suppressWarnings(learner$train(task)))
  set.seed(3)
  cv <- suppressWarnings(cv.sparserls(chicks[task$feature_names], chicks$weight, 40,
                                      groups = chicks$Chick, nfolds = 10, keep = TRUE))
  new <- chicks[c(1, 100, 300, 500), ]
  found <- learner$predict_newdata(new)
  expect_equal(found$quantiles, ends(cv, new), ignore_attr = TRUE)
  expect_equal(found$response, unname(predict(cv, new)))
  # Short intervals of few rows: in order all the same.
  few <- with_quantiles("regr.sparserls", basis = 5, nfolds = 2)
  few$quantiles <- c(0.45, 0.5, 0.55)
  small <- mlr3::as_task_regr(prostate[1:12, -10], target = "lpsa")
  quiet(few$train(small))
  expect_true(all(apply(few$predict(small)$quantiles, 1, diff) >= 0))
})

test_that("parameters of the cross-validation; a gamma that the kernel does not have", {
  task <- mlr3::as_task_regr(prostate[-10], target = "lpsa")
  train <- function(...) mlr3::lrn("regr.sparserls", ...)$train(task)$model
  expect_identical(train(basis = 20, nfolds = "loo")$nfolds, nrow(prostate))
  expect_true(train(basis = basis_greedy(10), reselect = TRUE)$reselect)
  kept <- train(basis = 20, lambda = 1, keep = TRUE)
  expect_identical(dim(predict(kept, prostate[1:3, ], interval = "jackknife+")), c(3L, 3L))
  wide <- kernel_matern(gamma = width_multiples(2))
  expect_identical(train(basis = 20, kernel = wide, gamma = 0.3, lambda = 1)$kernel$gamma, 0.3)
  expect_refusals({
    train(kernel = kernel_linear(), gamma = 1) | kernel | "`gamma` needs a `kernel` .. linear"
    train(kernel = "gaussian", gamma = 1) | kernel | '`gamma` needs a `kernel` .. "gaussian"'
  })
  learner <- mlr3::lrn("regr.sparserls", basis = 20)$train(task)
  learner$predict_type <- "quantiles"
  learner$quantiles <- 0.9
  expect_error(learner$predict(task), class = "sparserls_error_keep")
})

test_that("importance is that of importance(), of training that was asked for it", {
  task <- mlr3::as_task_regr(prostate[-10], target = "lpsa")
  learner <- mlr3::lrn("regr.sparserls", basis = 20, gamma = 0.05, importance = TRUE)
  seeded(4, learner$train(task))
  set.seed(4)
  x <- prostate[task$feature_names]
  cv <- cv.sparserls(x, prostate$lpsa, 20, kernel_gaussian(0.05), nfolds = 10, keep = TRUE,
                     holdout_basis = "keep", progress = FALSE)
  expect_identical(learner$importance(), sort(importance(cv, x)$importance, decreasing = TRUE))
  learner$param_set$values$importance <- NULL
  learner$train(task)
  expect_refusals(learner$importance() |
                    argument | "not requested in training .. importance = TRUE")
})

test_that("a width for each feature: whole groups, weights, quantiles and relevance", {
  chicks <- cbind(as.data.frame(ChickWeight), w = rep_len(1:3, 578))[1:240, ]
  chicks$Chick <- droplevels(chicks$Chick)
  task <- mlr3::as_task_regr(chicks, target = "weight")
  task$set_col_roles("Chick", "group")
  task$set_col_roles("w", "weights_learner")
  learner <- with_quantiles("regr.ardrls", basis = 20, kernel = kernel_gaussian(),
                            penalty = c(Inf, 0), outer = 3, nfolds = 4, maxit = 5, jitter = 1e-6)
  seeded(4, suppressWarnings(learner$train(task)))
  set.seed(4)
  cv <- suppressWarnings(cv.ardrls(chicks[task$feature_names], chicks$weight, 20,
                                   kernel_gaussian(), c(Inf, 0), maxit = 5, outer = 3, nfolds = 4,
                                   groups = chicks$Chick, keep = TRUE, weights = chicks$w,
                                   jitter = 1e-6))
  expect_identical(learner$model$foldid, cv$foldid)
  expect_true(all(rowSums(table(chicks$Chick, cv$foldid) > 0) == 1))
  new <- chicks[c(1, 100, 200), ]
  expect_equal(learner$predict_newdata(new)$quantiles, ends(cv, new), ignore_attr = TRUE)
  learner$predict_type <- "se"
  expect_equal(learner$predict_newdata(new)$se, as.vector(predict(cv, new, se.fit = TRUE)$se.fit))
  relevance <- cv$fit$relevance[, match(cv$penalty.1se, cv$penalty)]
  expect_identical(learner$importance(), sort(relevance, decreasing = TRUE))
})
