#' Learners for mlr3
#'
#' `lrn("regr.sparserls")` and `lrn("classif.sparserls")`: [sparserls()] as learners of mlr3, in its
#' dictionary once mlr3 and this package are loaded.
#'
#' Parameters are `basis`, `kernel` (a kernel of [kernels], the Gaussian by default), `gamma` (a
#' number in place of the kernel's, to tune), `lambda`, `nfolds`, `holdout_basis`, `jitter`, as in
#' [cv.sparserls()]. Without `lambda`, or with several values, it is chosen by exact
#' cross-validation, which costs about as much as a fit: whole groups are held out where the task
#' has groups. Tune the rest alone. Held-out basis vectors are kept by default
#' (`holdout_basis = "keep"`), so that no task fails where its rows have few different values.
#'
#' Predictions have standard errors of the Gaussian-process view (`predict_type = "se"`) and, of
#' classes, probabilities calibrated on held-out scores (`predict_type = "prob"`): classification
#' always cross-validates. Weights of the task are used. The model is the result of [cv.sparserls()]
#' or [sparserls()] itself.
#' @return Learners of classes `LearnerRegrSparserls` and `LearnerClassifSparserls` (R6).
#' @examples
#' \donttest{
#' if (requireNamespace("mlr3", quietly = TRUE)) {
#'   task <- mlr3::as_task_regr(prostate[-10], target = "lpsa")
#'   learner <- mlr3::lrn("regr.sparserls", basis = 30)
#'   learner$train(task)
#'   learner$predict(task, 1:3)
#' }
#' }
#' @name mlr3_learners
NULL

register_mlr3 <- function(...) {
  for (type in c("regr", "classif")) local({
    type <- type
    mlr3::mlr_learners$add(paste0(type, ".sparserls"), function() mlr3_learner(type)$new())
  })
}

# Classes are made when they are asked for: they inherit from those of mlr3.
mlr3_learner <- function(type) {
  key <- paste0(type, "_learner")
  if (is.null(session[[key]])) {
    session[[key]] <- if (type == "regr") regression_learner() else classification_learner()
  }
  session[[key]]
}

regression_learner <- function() {
  R6::R6Class(
    "LearnerRegrSparserls", inherit = mlr3::LearnerRegr,
    public = list(initialize = function() {
      do.call(super$initialize, learner_settings("regr", c("response", "se"), "weights"))
    }),
    private = list(
      .train = function(task) learner_train(self, task, private$.get_weights(task)),
      .predict = function(task) learner_numbers(self, task)
    )
  )
}

classification_learner <- function() {
  R6::R6Class(
    "LearnerClassifSparserls", inherit = mlr3::LearnerClassif,
    public = list(initialize = function() {
      do.call(super$initialize, learner_settings("classif", c("response", "prob"),
                                                 c("weights", "twoclass", "multiclass")))
    }),
    private = list(
      .train = function(task) learner_train(self, task, private$.get_weights(task)),
      .predict = function(task) learner_classes(self, task)
    )
  )
}

learner_settings <- function(type, predict_types, properties) {
  list(
    id = paste0(type, ".sparserls"), packages = c("mlr3", "sparserls"),
    feature_types = c("logical", "integer", "numeric", "factor", "ordered"),
    predict_types = predict_types, properties = properties, param_set = learner_parameters(),
    label = "Regularized Least Squares on a Subset of Regressors", man = "sparserls::mlr3_learners"
  )
}

learner_parameters <- function() {
  paradox::ps(
    basis = paradox::p_uty(tags = "train"),
    kernel = paradox::p_uty(tags = "train"),
    gamma = paradox::p_dbl(lower = 0, tags = "train"),
    lambda = paradox::p_uty(tags = "train"),
    nfolds = paradox::p_int(lower = 2, tags = "train"),
    holdout_basis = paradox::p_fct(holdout_modes, tags = "train"),
    jitter = paradox::p_dbl(lower = 0, default = 1e-7, tags = "train")
  )
}

learner_train <- function(learner, task, weights) {
  given <- learner$param_set$get_values(tags = "train")
  if (is.null(given$kernel)) given$kernel <- kernel_gaussian()
  if (!is.null(given$gamma)) given$kernel["gamma"] <- list(given$gamma)
  given$gamma <- NULL
  # In the order of the task's features, whatever that of its table.
  given$x <- as.data.frame(task$data(cols = task$feature_names))
  given$y <- task$truth()
  given$weights <- weights
  if (length(given$lambda) == 1 && !is.factor(given$y)) {
    given$nfolds <- given$holdout_basis <- NULL
    model <- do.call(sparserls, given)
  } else model <- quiet_edges(do.call(cv.sparserls, learner_validation(given, task)),
                              length(given$lambda) == 1)
  # The call holds the data.
  with_calls(model, quote(sparserls()))
}

learner_validation <- function(given, task) {
  groups <- task$groups
  units <- nrow(given$x)
  if (!is.null(groups)) {
    given$groups <- groups$group
    units <- length(unique(given$groups))
  }
  given$nfolds <- min(if (is.null(given$nfolds)) 10 else given$nfolds, units)
  # Where rows have few different values a fold may hold all basis vectors.
  if (is.null(given$holdout_basis)) given$holdout_basis <- "keep"
  given$progress <- FALSE
  given
}

learner_rows <- function(learner, task) {
  as.data.frame(task$data(cols = learner$state$feature_names))
}

learner_numbers <- function(learner, task) {
  rows <- learner_rows(learner, task)
  if (learner$predict_type != "se") {
    return(list(response = as.vector(predict(learner$model, rows))))
  }
  found <- predict(learner$model, rows, se.fit = TRUE)
  list(response = as.vector(found$fit), se = as.vector(found$se.fit))
}

learner_classes <- function(learner, task) {
  rows <- learner_rows(learner, task)
  if (learner$predict_type == "prob") list(prob = predict(learner$model, rows, type = "prob"))
  else list(response = predict(learner$model, rows, type = "class"))
}

# What R6 gives to methods.
utils::globalVariables(c("self", "private", "super"))
