# What models of other packages are fitted by: with one value of lambda a fit alone, unless held-out
# predictions are wanted; otherwise a cross-validation.

# method: "sparserls", "rls" or "ardrls". given: arguments of its `cv.` function; those that the
# method itself does not have are left out of a fit. classes: whether probabilities are wanted,
# which are made from held-out scores where there is no likelihood. The call would hold the data: it
# is left empty.
adapter_fit <- function(method, given, classes) {
  validation <- paste0("cv.", method)
  arguments <- function(name) names(formals(get(paste0(name, ".default"))))
  single <- length(given$lambda) == 1
  if (single && !(classes && is.null(given$family)) && !isTRUE(given$keep)) {
    choice <- names(given) %in% setdiff(arguments(validation), arguments(method))
    return(with_calls(call_by_place(method, given[!choice]), call(method)))
  }
  given$progress <- FALSE
  cv <- withCallingHandlers(call_by_place(validation, given), sparserls_message = function(note) {
    # A single lambda was not chosen at an edge.
    if (single) tryInvokeRestart("muffleMessage")
  })
  with_calls(cv, call(validation))
}

# As do.call(), but fits inside of the answer, which keep the call, have no data in theirs. (With a
# formula arguments are evaluated where `given` is not.)
call_by_place <- function(name, given) {
  if (inherits(given[[1]], "formula")) return(do.call(name, given))
  places <- lapply(seq_along(given), function(i) call("[[", quote(given), i))
  eval(as.call(c(as.name(name), setNames(places, names(given)))))
}

# No more folds than there are rows, or groups of them.
possible_folds <- function(nfolds, groups, rows) {
  min(nfolds, if (is.null(groups)) rows else length(unique(groups)))
}

# ---- caret -----------------------------------------------------------------------------------

#' A model for caret
#'
#' A `method` for caret's `train()`: kernel regularized least squares on a subset of regressors for
#' numbers and classes, with the two parameters `lambda` and `gamma` (Gaussian kernel, columns
#' standardized).
#'
#' caret refits for each value of `lambda` in each resample; [cv.sparserls()] chooses among the same
#' values many times faster, with the same folds. Probabilities of classes (`classProbs = TRUE` of
#' `caret::trainControl()`) are calibrated on the held-out scores of an inner cross-validation of
#' ten folds.
#'
#' Further arguments of `train()` are those of [sparserls()]: `basis`, `jitter`, `weights`, `kernel`
#' (any but the Gaussian needs a `tuneGrid`) and `family`, whose probabilities are those of the
#' likelihood. With `train(x, y)` columns of `x` may be factors, each then one feature (see
#' [factors]); `train(formula)` turns them into contrasts. `caret::groupKFold()` holds out whole
#' groups. caret has no offsets or prediction intervals: for those use [cv.sparserls()] with the
#' gamma that was found.
#' @return A list, see `caret::getModelInfo()`.
#' @examples
#' \donttest{
#' if (requireNamespace("caret", quietly = TRUE)) {
#'   set.seed(1)
#'   chicks <- as.data.frame(ChickWeight)
#'   folds <- caret::groupKFold(chicks$Chick, 5)
#'   found <- caret::train(log(weight) ~ Time + Diet, data = chicks, method = caret_sparserls(),
#'                         tuneLength = 3, basis = basis_rpcholesky(15),
#'                         trControl = caret::trainControl("cv", index = folds))
#'   print(plot(found))
#'   cv <- cv.sparserls(log(weight) ~ Time + Diet, chicks, basis_rpcholesky(15),
#'                      kernel_gaussian(found$bestTune$gamma), groups = "Chick", keep = TRUE)
#'   predict(cv, data.frame(Time = 21, Diet = factor(1:4)), interval = "jackknife+")
#' }
#' }
#' @export
caret_sparserls <- function() {
  parameters <- data.frame(parameter = c("lambda", "gamma"), class = "numeric",
                           label = c("Regularization Parameter", "Inverse Squared Width"))
  list(
    label = "Regularized Least Squares on a Subset of Regressors", library = "sparserls",
    type = c("Regression", "Classification"), parameters = parameters, grid = caret_grid,
    loop = NULL, fit = caret_fit, predict = caret_predict,
    prob = function(modelFit, newdata, submodels = NULL) {
      as.data.frame(predict(modelFit, newdata, type = "prob"))
    },
    predictors = function(x, ...) x$xNames, levels = function(x) x$obsLevels,
    tags = c("Kernel Method", "L2 Regularization"), sort = function(x) x[order(-x$lambda), ]
  )
}

# Around the default gamma of kernel_gaussian(), and lambda by decades.
caret_grid <- function(x, y, len = NULL, search = "grid") {
  design <- as_design(x, y, NULL, list(kernel_gaussian()))
  x <- design$x
  feature <- design$blueprint$feature
  points <- as_points(x, standardizer(x, rep(1, nrow(x)), TRUE, TRUE, feature))
  gamma <- resolve_kernel(kernel_gaussian(), points, colnames(x), feature)$gamma
  if (search == "random") {
    return(data.frame(lambda = 10^runif(len, -3, 4), gamma = gamma * 2^runif(len, -5, 3)))
  }
  expand.grid(lambda = 10^seq(3, -2, length.out = 2 * len),
              gamma = gamma * 2^seq(-4, 2, length.out = len))
}

caret_fit <- function(x, y, wts, param, lev, last, classProbs, kernel = kernel_gaussian(),
                      family = NULL, ...) {
  adapter_fit("sparserls", list(x, y, kernel = with_gamma(kernel, param$gamma),
                                lambda = param$lambda, weights = wts, family = family, ...),
              classProbs)
}

caret_predict <- function(modelFit, newdata, submodels = NULL) {
  fit <- final_fit(modelFit)
  # Factors become strings.
  as.vector(predict(fit, newdata, type = if (is_class(fit$response)) "class" else "response"))
}

# ---- SuperLearner ----------------------------------------------------------------------------

#' Wrappers for SuperLearner
#'
#' Learners for the `SL.library` of SuperLearner: `"SL.sparserls"`, kernel regularized least squares
#' on a subset of regressors with lambda chosen by exact cross-validation, and `"SL.ardrls"`, the
#' same with one kernel width for each feature, which is slow. SuperLearner finds them if both
#' packages are attached by `library()`.
#'
#' With `family = binomial()` classes are fitted by least squares, and the probability of 1 is
#' calibrated on held-out scores; `likelihood = TRUE` fits the binomial likelihood, which also takes
#' shares between 0 and 1 and is about ten times slower. `id`, the groups that stay together, is
#' `groups` here. Turn characters in `X` into factors. `fitLibrary[[...]]$object` is the
#' cross-validation itself.
#'
#' @param Y,X,newX,family,obsWeights,id as SuperLearner passes them.
#' @param likelihood whether `family = binomial()` maximizes the likelihood.
#' @param object,newdata as in [stats::predict()].
#' @param ... further arguments of [cv.sparserls()] or [cv.ardrls()]; unused by `predict()`. Set
#'   them in a learner of your own: `function(...) SL.sparserls(..., kernel = kernel_matern())`.
#' @return A list of `pred`, the predictions of `newX`, and `fit`, as SuperLearner wants it.
#' @examples
#' \donttest{
#' if (requireNamespace("SuperLearner", quietly = TRUE)) {
#'   library(SuperLearner)
#'   set.seed(1)
#'   chicks <- as.data.frame(ChickWeight)
#'   SL.kept <- function(...) SL.sparserls(..., keep = TRUE)
#'   found <- SuperLearner(log(chicks$weight), chicks[c("Time", "Diet")], id = chicks$Chick,
#'                         SL.library = c("SL.mean", "SL.kept"), cvControl = list(V = 5))
#'   print(found)
#'   cv <- found$fitLibrary$SL.kept_All$object
#'   plot(cv)
#'   predict(cv, data.frame(Time = 21, Diet = factor(1:4)), interval = "jackknife+")
#' }
#' }
#' @export
SL.sparserls <- function(Y, X, newX, family, obsWeights = NULL, id = NULL, ...,
                         likelihood = FALSE) {
  classes <- is_binomial(family)
  # Zeros and ones have means, as numbers have.
  likelihood <- check_flag(likelihood, "likelihood") && classes
  learn(cv.sparserls, Y, X, newX, classes && !likelihood, obsWeights, id,
        family = if (likelihood) "binomial", ...)
}

#' @rdname SL.sparserls
#' @export
SL.ardrls <- function(Y, X, newX, family, obsWeights = NULL, id = NULL, ...) {
  learn(cv.ardrls, Y, X, newX, is_binomial(family), obsWeights, id, ...)
}

is_binomial <- function(family) {
  must(inherits(family, "family"), "argument", "`family` must be a family object.", shown(family),
       "Use gaussian().")
  family$family == "binomial"
}

# classes: whether 0 and 1 are classes, with probabilities that are calibrated.
learn <- function(method, Y, X, newX, classes, obsWeights, id, ...) {
  m <- NROW(X)
  id <- check_labels(id, m, "id")
  # Rows that are their own groups are none.
  groups <- if (anyDuplicated(id)) id
  object <- method(X, if (classes) Y == 1 else Y, weights = obsWeights, ..., groups = groups,
                   nfolds = possible_folds(10, groups, m), progress = FALSE)
  fit <- structure(list(object = object, classes = classes), class = "SL.sparserls")
  list(pred = predict(fit, newX), fit = fit)
}

#' @rdname SL.sparserls
#' @export
predict.SL.sparserls <- function(object, newdata, ...) {
  if (object$classes) unname(predict(object$object, newdata, type = "prob")[, 2])
  else as.vector(predict(object$object, newdata))
}
