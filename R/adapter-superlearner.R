#' Wrappers for SuperLearner
#'
#' Learners for the `SL.library` of SuperLearner: `"SL.sparserls"`, kernel regularized least squares
#' on a subset of regressors with lambda chosen by exact cross-validation, and `"SL.ardrls"`, the
#' same with one kernel width for each feature and a penalty chosen by the outer folds of
#' [cv.ardrls()], which is slow. SuperLearner finds them where both packages are attached by
#' `library()`.
#'
#' With `family = binomial()` of SuperLearner the classes 0 and 1 are fitted by least squares, and
#' the probability of 1 is calibrated on held-out scores. `likelihood = TRUE` fits the binomial
#' likelihood in its place, the family `"binomial"` of [cv.sparserls()], whose predictions are
#' probabilities as they are. It takes shares between 0 and 1, too, but some ten times as long.
#'
#' `id` of SuperLearner, the groups that stay together, are `groups` here: whole groups are held out
#' when lambda is chosen, by ten folds of them. Make factors of characters in `X`: the levels of a
#' rare one may be missing in some folds.
#'
#' `fitLibrary[[...]]$object` is the cross-validation itself: `plot()` it, or, where the learner
#' has `keep = TRUE`, see [prediction intervals][predict.sparserls_fit].
#'
#' @param Y,X,newX,family,obsWeights,id as SuperLearner hands them over.
#' @param likelihood whether `family = binomial()` is the likelihood that is maximized.
#' @param object,newdata as of [stats::predict()].
#' @param ... further arguments of [cv.sparserls()] or [cv.ardrls()]; unused by `predict()`. Fix
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
  if (!check_flag(likelihood, "likelihood") || !classes) {
    return(learn(cv.sparserls, Y, X, newX, classes, obsWeights, id, ...))
  }
  # Zeros and ones have means, as numbers have.
  learn(cv.sparserls, Y, X, newX, FALSE, obsWeights, id, family = "binomial", ...)
}

#' @rdname SL.sparserls
#' @export
SL.ardrls <- function(Y, X, newX, family, obsWeights = NULL, id = NULL, ...) {
  learn(cv.ardrls, Y, X, newX, is_binomial(family), obsWeights, id, ...)
}

is_binomial <- function(family) {
  if (!inherits(family, "family")) {
    abort("argument", "`family` must be a family object.", shown(family), "Use gaussian().")
  }
  family$family == "binomial"
}

# classes: whether 0 and 1 are classes, with probabilities that are calibrated.
learn <- function(method, Y, X, newX, classes, obsWeights, id, ...) {
  folds <- learner_folds(id, NROW(X))
  object <- method(X, if (classes) Y == 1 else Y, weights = obsWeights, ...,
                   groups = folds$groups, nfolds = folds$nfolds, progress = FALSE)
  fit <- structure(list(object = object, classes = classes), class = "SL.sparserls")
  list(pred = predict(fit, newX), fit = fit)
}

# Rows that are their own groups are none.
learner_folds <- function(id, m) {
  if (!is.null(id)) id <- check_labels(id, m, "id")
  groups <- if (anyDuplicated(id)) id
  list(groups = groups, nfolds = possible_folds(10, groups, m))
}

#' @rdname SL.sparserls
#' @export
predict.SL.sparserls <- function(object, newdata, ...) {
  if (object$classes) unname(predict(object$object, newdata, type = "prob")[, 2])
  else as.vector(predict(object$object, newdata))
}
