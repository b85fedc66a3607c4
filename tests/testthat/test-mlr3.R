# Learners of mlr3: its own autotest, and the functions behind them.
skip_if_not_installed("mlr3")
# Helpers that mlr3 has for packages with learners.
helpers <- list.files(system.file("testthat", package = "mlr3"), "^helper.*[.][rR]$",
                      full.names = TRUE)

# It trains in other processes: minutes.
test_that("mlr3's autotest", {
  skip_on_cran()
  skip_if_not_installed("checkmate")
  skip_if(length(helpers) == 0)
  space <- new.env(parent = asNamespace("mlr3"))
  for (file in helpers) sys.source(file, space)
  for (key in c("regr.sparserls", "classif.sparserls")) {
    set.seed(1)
    utils::capture.output(
      result <- suppressMessages(suppressWarnings(space$run_autotest(mlr3::lrn(key))))
    )
    expect_true(result, info = result$error)
  }
})

test_that("numbers with standard errors, as sparserls() has them", {
  task <- mlr3::as_task_regr(prostate[-10], target = "lpsa")
  learner <- mlr3::lrn("regr.sparserls", basis = 1:20, lambda = 2, gamma = 0.1,
                       predict_type = "se")
  learner$train(task)
  found <- learner$predict(task, 1:5)
  wanted <- predict(sparserls(prostate[task$feature_names], prostate$lpsa, 1:20,
                              kernel_gaussian(0.1), 2),
                    prostate[1:5, ], se.fit = TRUE)
  expect_equal(found$response, as.vector(wanted$fit))
  expect_equal(found$se, as.vector(wanted$se.fit))
})

test_that("classes with probabilities; lambda chosen with whole groups", {
  task <- mlr3::as_task_classif(cbind(iris, site = rep_len(1:6, 150)), target = "Species")
  task$set_col_roles("site", "group")
  learner <- mlr3::lrn("classif.sparserls", basis = 30, predict_type = "prob")
  set.seed(2)
  learner$train(task)
  expect_identical(learner$model$nfolds, 6L)
  set.seed(2)
  cv <- cv.sparserls(iris[task$feature_names], iris$Species, 30, groups = rep_len(1:6, 150),
                     nfolds = 6, holdout_basis = "keep", progress = FALSE)
  expect_equal(learner$predict(task, c(1, 51, 101))$prob,
               predict(cv, iris[c(1, 51, 101), ], type = "prob"), ignore_attr = TRUE)
})
