measured <- function(...) {
  set.seed(1)
  x <- matrix(rnorm(120 * 3), 120)
  y <- factor(ifelse(x[, 1] + rnorm(120) > 0.7, "yes", "no"))
  quiet(cv.rls(x, y, weights = rep(1:3, 40), lambda = c(100, 10, 1), ...))
}

test_that("the AUC is that of type.measure = \"auc\", of folds, groups, repeats and single rows", {
  set.seed(2)
  ways <- list(list(foldid = rep(1:5, 24)), list(nfolds = "loo"), list(groups = rep(1:20, 6)),
               list(groups = rep(1:20, 6), nfolds = 4), list(folds = cv_folds(120, 4, repeats = 3)),
               list(folds = list(1:30, 20:60, 61:75)))
  for (way in ways) {
    cv <- do.call(measured, way)
    auc <- do.call(measured, c(way, type.measure = "auc"))
    # By the path, not by what was chosen.
    expect_identical(unname(cv$calibration$auc), auc$cvm[cv$index[, 1]])
    expect_identical(unname(auc$calibration$auc), auc$cvm[auc$index[, 1]])
    expect_named(cv$calibration$auc, c("lambda.min", "lambda.1se"))
  }
  loo <- measured(nfolds = "loo", keep = TRUE)
  score <- loo$fit.preval[, loo$index["min", 1]]
  yes <- loo$fit$response$y[, 1] > 0
  w <- rep(1:3, 40)
  above <- outer(score[yes], score[!yes], ">")
  pairs <- outer(w[yes], w[!yes])
  expect_equal(loo$calibration$auc[[1]], sum(above * pairs) / sum(pairs))
})

test_that("prints, summaries and glance() tell AUC and log loss of the chosen points", {
  d <- transform(iris, late = factor(ifelse(Species == "virginica", "late", "early")))
  of <- function(method, form, ...) quiet(method(form, d, ..., foldid = rep(1:5, 30)))
  form <- late ~ Sepal.Length + Sepal.Width
  two <- of(cv.rls, form)
  weighted <- of(cv.greedyrls, form, k = 2, weights = class_weights(d$late))
  three <- of(cv.rls, Species ~ Sepal.Length + Sepal.Width)
  number <- of(cv.rls, Sepal.Length ~ Sepal.Width)
  # Rows of iris that are the same are redundant basis vectors.
  widths <- quiet(cv.ardrls(form, d, 10, nfolds = 3))
  glanced <- generics::glance(two)
  expect_identical(glanced$roc_auc, two$calibration$auc[[1]])
  expect_identical(glanced$mn_log_loss, two$calibration$logloss[[1]])
  expect_identical(generics::glance(weighted)$roc_auc, weighted$calibration$auc[[1]])
  expect_identical(generics::glance(widths)$mn_log_loss, widths$calibration$logloss[[2]])
  expect_identical(intersect(c("roc_auc", "mn_log_loss"), names(generics::glance(three))),
                   "mn_log_loss")
  expect_false(any(c("roc_auc", "mn_log_loss") %in% names(generics::glance(number))))
  expect_null(summary(number)$classes)
  expect_identical(summary(two)$classes$LogLoss, unname(two$calibration$logloss[1:2]))
  expect_output(print(three), "null .* 1.099")
  expect_output(print(weighted), "accuracy is balanced; class weights: early\\s0.75, late 1.5")
  expect_said({
    two
    summary(two)
  })
})

test_that("a score of exactly zero is the first class, as in predict()", {
  x <- cbind(c(-2, -1, 1, 2, 0, 0))
  y <- factor(c("a", "a", "b", "b", "a", "a"))
  cv <- cv.rls(x, y, lambda = 0.1, nfolds = "loo", intercept = FALSE, standardize = FALSE,
               type.measure = "class")
  expect_identical(cv$cvm, 0)
  expect_identical(predict(cv, x, type = "class"), y)
})
