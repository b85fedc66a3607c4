#' Learners for mlr3
#'
#' `lrn("regr.sparserls")` and `lrn("classif.sparserls")`: [sparserls()] as learners of mlr3, and
#' `lrn("regr.ardrls")`: [cv.ardrls()], with a kernel width for each feature. They are in mlr3's
#' dictionary once both packages are loaded.
#'
#' Parameters of the first two are `basis`, `kernel` (the Gaussian by default), `gamma` (a number
#' that replaces the kernel's, to tune), `lambda`, `family`, `nfolds`, `holdout_basis`, `reselect`,
#' `keep` and `jitter`, as in [cv.sparserls()], and `importance`: with `TRUE`, `$importance()`
#' returns the permutation [importance()]. Unless a single `lambda` is given, it is chosen by exact
#' cross-validation at about the cost of a fit: tune only the other parameters.
#'
#' Those of `"regr.ardrls"` are `basis`, `kernel`, `penalty`, `npenalty`, `maxit`, `map`, `rank`,
#' `outer`, `nfolds` (inner folds), `holdout_basis`, `keep` and `jitter`, as in [cv.ardrls()]. They
#' need no tuning, but training is slow. Its `$importance()` is the relevance of every variable at
#' `penalty.1se`.
#'
#' If the task has groups, whole groups are held out, with their basis vectors; in other tasks
#' held-out basis vectors are kept by default. Weights are used, and in regression the column role
#' `"offset"`. Features are numbers, logicals and factors without missing values: impute gaps, turn
#' characters into factors, and do not encode factors (each is one feature of the kernel, see
#' [factors]). The model is the result of [cv.sparserls()], [sparserls()] or [cv.ardrls()] itself.
#' @section Types of predictions:
#' * `"se"`: standard errors of the fitted curve by the Gaussian-process view, for independent rows
#'   and without the noise of a new row. With a `family` there are none.
#' * `"quantiles"`: the ends of prediction intervals by the refits of the cross-validation
#'   ([`interval = "jackknife+"`][predict.sparserls_fit]); the quantiles 0.05 and 0.95 are the ends
#'   of level 0.9. With groups they are for a row of a new group. Set the type before `train()`, or
#'   the parameter `keep`.
#' * `"prob"`: calibrated on held-out scores, so classification always cross-validates; with
#'   `family = "binomial"`, those of the likelihood.
#' @return Learners of classes `LearnerRegrSparserls`, `LearnerClassifSparserls` and
#'   `LearnerRegrArdrls` (R6).
#' @examples
#' \donttest{
#' if (requireNamespace("mlr3", quietly = TRUE)) {
#'   library(mlr3)
#'   set.seed(1)
#'   chicks <- as.data.frame(ChickWeight)
#'   chicks$weight <- log(chicks$weight)
#'   task <- as_task_regr(chicks, target = "weight")
#'   task$set_col_roles("Chick", "group")       # whole chicks are held out, inside and outside
#'   learner <- lrn("regr.sparserls", predict_type = "quantiles")
#'   learner$quantiles <- c(0.05, 0.5, 0.95)    # the interval of level 0.9
#'   learner$quantile_response <- 0.5
#'   found <- resample(task, learner, rsmp("cv", folds = 5))
#'   print(found$aggregate(msrs(c("regr.rmse", "regr.rsq"))))
#'
#'   learner$train(task)
#'   plot(learner$model)                        # the error against lambda
#'   print(learner$predict_newdata(data.frame(Time = 21, Diet = factor(1:4)))$quantiles)
#' }
#' }
#' @name mlr3_learners
NULL

register_mlr3 <- function(...) {
  lapply(names(learner_kinds), function(id) {
    mlr3::mlr_learners$add(id, function() new_learner(id)$new())
  })
}

sparserls_parameters <- c("basis", "kernel", "gamma", "lambda", "family", "nfolds",
                          "holdout_basis", "reselect", "keep", "jitter", "importance")

# By their ids what tells learners apart. has: properties that not all have.
learner_kinds <- list(
  regr.sparserls = list(class = "LearnerRegrSparserls", has = "offset",
                        parameters = sparserls_parameters),
  classif.sparserls = list(class = "LearnerClassifSparserls", has = c("twoclass", "multiclass"),
                           parameters = sparserls_parameters),
  regr.ardrls = list(class = "LearnerRegrArdrls",
                     parameters = c("basis", "kernel", "penalty", "npenalty", "maxit", "map",
                                    "rank", "outer", "nfolds", "holdout_basis", "keep", "jitter"),
                     label = "with a Width for Each Feature")
)

# Classes inherit from those of mlr3: they are made when they are asked for.
new_learner <- function(id) {
  kind <- learner_kinds[[id]]
  task <- sub("[.].*", "", id)
  method <- sub(".*[.]", "", id)
  R6::R6Class(
    kind$class, inherit = if (task == "regr") mlr3::LearnerRegr else mlr3::LearnerClassif,
    parent_env = environment(),
    public = list(
      initialize = function() do.call(super$initialize, learner_settings(id, task, kind)),
      importance = function() learner_importance(self)
    ),
    private = list(
      .train = function(task) learner_train(self, task, private$.get_weights(task), method),
      .predict = function(task) {
        learner_predict(self, task, as.data.frame(task$data(cols = self$state$feature_names)))
      }
    )
  )
}

learner_settings <- function(id, task, kind) {
  # Older releases of mlr3 have no offsets.
  known <- mlr3::mlr_reflections$learner_properties[[task]]
  list(
    id = id, packages = c("mlr3", "sparserls"),
    feature_types = c("logical", "integer", "numeric", "factor", "ordered"),
    predict_types = c("response", if (task == "regr") c("se", "quantiles") else "prob"),
    properties = intersect(c("weights", kind$has, "importance"), known),
    param_set = do.call(paradox::ps, learner_parameters()[kind$parameters]),
    label = paste(c("Regularized Least Squares on a Subset of Regressors", kind$label),
                  collapse = " "),
    man = "sparserls::mlr3_learners"
  )
}

learner_parameters <- function() {
  any <- paradox::p_uty(tags = "train")
  flag <- paradox::p_lgl(tags = "train")
  list(
    basis = any, kernel = any, lambda = any, family = any, penalty = any, outer = any,
    nfolds = any, reselect = flag, keep = flag, importance = flag,
    gamma = paradox::p_dbl(lower = 0, tags = "train"),
    npenalty = paradox::p_int(lower = 1, upper = 1000, default = 6, tags = "train"),
    maxit = paradox::p_int(lower = 1, default = 100, tags = "train"),
    map = paradox::p_lgl(default = FALSE, tags = "train"),
    rank = paradox::p_int(lower = 1, tags = "train"),
    holdout_basis = paradox::p_fct(holdout_modes, tags = "train"),
    jitter = paradox::p_dbl(lower = 0, default = 1e-7, tags = "train")
  )
}

learner_train <- function(learner, task, weights, method) {
  given <- learner_arguments(learner, task, weights)
  if (!is.null(given$gamma)) {
    given$kernel <- with_gamma(given$kernel %||% kernel_gaussian(), given$gamma)
  }
  wanted <- isTRUE(given$importance)
  if (wanted) given$keep <- TRUE
  given[c("gamma", "importance")] <- NULL
  given$offset <- learner_offset(learner, task)
  # cv.ardrls() makes inner folds of what an outer one leaves.
  if (is.null(given$nfolds) && method != "ardrls") given$nfolds <- 10
  if (is.numeric(given$nfolds)) {
    given$nfolds <- possible_folds(given$nfolds, given$groups, nrow(given$x))
  }
  model <- adapter_fit(method, given, is.factor(given$y))
  if (wanted) model$importance <- importance(model, given$x)$importance
  model
}

learner_arguments <- function(learner, task, weights) {
  given <- learner$param_set$get_values(tags = "train")
  # In the order of the task's features, whatever that of its table.
  given$x <- as.data.frame(task$data(cols = task$feature_names))
  given$y <- task$truth()
  given$weights <- weights
  given$groups <- task$groups$group
  if (learner$predict_type == "quantiles") given$keep <- TRUE
  # Where rows have few different values a fold may hold all basis vectors.
  if (is.null(given$holdout_basis) && is.null(given$groups) && !isTRUE(given$reselect)) {
    given$holdout_basis <- "keep"
  }
  given
}

# The offsets of a task: mlr3 itself says that they are ignored where the task is no regression.
learner_offset <- function(learner, task) if ("offset" %in% learner$properties) task$offset$offset

learner_predict <- function(learner, task, rows) {
  offset <- learner_offset(learner, task)
  predicted <- function(...) predict(learner$model, rows, newoffset = offset, ...)
  switch(learner$predict_type,
    quantiles = list(quantiles = learner_quantiles(learner, predicted)),
    response = list(response = if (learner$task_type == "classif") predicted(type = "class")
                               else as.vector(predicted())),
    prob = list(prob = predicted(type = "prob")),
    se = setNames(lapply(predicted(se.fit = TRUE), as.vector), c("response", "se"))
  )
}

# Those of a row in order: both ends of short intervals may lie on one side of the prediction.
learner_quantiles <- function(learner, predicted) {
  mlr3::assert_quantiles(learner, quantile_response = TRUE)
  at <- function(p) {
    if (p == 0.5) return(as.vector(predicted()))
    predicted(interval = "jackknife+", level = abs(1 - 2 * p))[, if (p < 0.5) "lwr" else "upr"]
  }
  found <- do.call(cbind, warned_once(lapply(learner$quantiles, at)))
  found[] <- t(apply(found, 1, sort))
  structure(found, dimnames = NULL, probs = learner$quantiles, response = learner$quantile_response)
}

learner_importance <- function(learner) {
  found <- learner$model$importance
  if (is.null(found)) {
    fit <- final_fit(learner$model)
    must(inherits(fit, "ardrls"), "argument", "Importance was not requested in training.", NULL,
         "Set the parameter importance = TRUE before train().")
    # Terms put names that are not syntactic in backticks, features of a task do not.
    found <- setNames(fit$relevance[, fit$at], gsub("^`|`$", "", rownames(fit$relevance)))
  }
  sort(found, decreasing = TRUE)
}

# What R6 gives to methods.
utils::globalVariables(c("self", "private", "super"))
