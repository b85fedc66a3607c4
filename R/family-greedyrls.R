#' Greedy forward selection of features by exact leave-one-out error
#'
#' Selects a few features out of many for a linear model: each step adds the feature that gives the
#' best leave-one-out predictions, in time `O(k m p)` for `k` of `p` features and `m` rows.
#' [cv.greedyrls()] chooses how many.
#'
#' The fit with features S minimizes `sum_i w_i (y_i - b0 - sum_{j in S} b_j x_ij)^2 + lambda sum_{j
#' in S} b_j^2` over standardized x. The loss is a *sum*, not a mean, so `lambda` grows with the
#' number of rows.
#'
#' @inheritParams sparserls
#' @param formula,data,subset,na.action as in [sparserls()], with rows in memory as `data`.
#' @param x as in [sparserls()]; factors are coded by contrasts, and each column counts as a
#'   feature. Sparse matrices are made dense.
#' @param y as in [sparserls()]. Several outputs, or more than two classes, share the selected
#'   features: the error is summed over outputs.
#' @param k how many features to select; or `"loo"`: stop when the error has not improved for
#'   `patience` features, and keep the features up to the smallest error (at least one).
#' @param lambda penalty, one positive number.
#' @param criterion `"loo"`, the leave-one-out error; or `"folds"`, the exact hold-out error of the
#'   folds.
#' @param foldid,groups,folds the folds of `criterion = "folds"`, as in [cv.sparserls()]; without
#'   them ten random folds.
#' @param patience with `k = "loo"`, how many features without improvement are tried.
#'
#' @param cache whether to keep a matrix of the size of `x`. `FALSE`, about four times as slow for
#'   50 features, needs a number `k` and `criterion = "loo"`.
#' @param threads threads for candidates; `NULL` means `getOption("sparserls.threads", 1)`.
#' @param weights,intercept,standardize as in [sparserls()]; every column by itself.
#' @return An object of class `greedyrls`, a list with
#'   \item{selected}{column numbers of x in order of selection}
#'   \item{loo}{mean squared leave-one-out error after each step, summed over outputs: optimistic,
#'     since it guided the selection. With `criterion = "folds"` the field is `holdout`}
#'   \item{lambda, criterion, intercept, standardize, call, nobs}{what was used}
#' @section Which features: A constant column is never selected (without an intercept, a column of
#'   zeros). If several columns are equally good, the first is selected.
#' @section Errors: As in [sparserls()], and `sparserls_error_k` for a `k` that does not fit;
#'   `sparserls_error_lambda` also where `lambda` is too small.
#' @references Pahikkala, T., Airola, A. and Salakoski, T. (2010) Speeding up greedy forward
#'   selection for regularized least-squares. *ICMLA 2010*, 325-330.
#' @examples
#' fit <- greedyrls(lpsa ~ . - train, data = prostate, subset = train, k = 5)
#' fit
#' coef(fit, k = 1:5)
#' predict(fit, prostate[!prostate$train, ], k = 3)
#' @export
greedyrls <- function(x, ...) UseMethod("greedyrls")

#' @rdname greedyrls
#' @export
greedyrls.default <- with_defaults(function(x, y, k, lambda = 1,
  criterion, foldid, groups, folds, patience = 5, weights, intercept, standardize, cache, threads,
  ...) {
  public_call(fit_problem, greedyrls_problem(read_arguments("greedyrls", ...)))
})

#' @rdname greedyrls
#' @export
greedyrls.formula <- function(formula, data, ..., subset, na.action, weights, foldid, groups) {
  from_formula("greedyrls", formula, data, ...)
}

#' Honest cross-validation of greedy feature selection
#'
#' Chooses how many features [greedyrls()] selects, and estimates how well that predicts held-out
#' rows. The whole selection, standardization included, is repeated without each fold, for every
#' `lambda` and 1, ..., `k` features.
#'
#' @inheritParams greedyrls
#' @inheritParams cv.sparserls
#' @param k the largest number of features.
#' @param lambda penalties, positive; used and returned in decreasing order.
#' @param criterion what guides each selection: `"loo"`, the leave-one-out error of its training
#'   rows; or `"folds"`, the exact hold-out error of the other folds (at least two).
#' @param x,y,weights,intercept,standardize,cache,threads as in [greedyrls()].
#' @param nfolds,foldid,groups,strata,folds,type.measure,rule,keep,outer,progress as in
#'   [cv.sparserls()].
#' @return An object of class `cv.greedyrls`, with the fields of [cv.sparserls()], except
#'   \item{cvm, cvsd, cvup, cvlo}{matrices with one row for each number of features 1, ..., `k` and
#'     one column for each lambda}
#'   \item{k.min, lambda.min}{number of features and lambda of the smallest error}
#'   \item{k.1se}{the smallest number of features, at `lambda.min`, that is as good by `rule`}
#'   \item{index}{rows and columns of both in `cvm`}
#'   \item{lambdas}{a data frame, the smallest error for every lambda}
#'   \item{fit}{[greedyrls()] with all rows at `lambda.min`; its error is the selection's}
#'   \item{fit.preval}{with `keep`: held-out predictions, rows x (outputs x) k x lambdas}
#' @section Time: That of [greedyrls()] times the number of folds and of lambdas.
#' @section Errors: As in [greedyrls()] and [cv.sparserls()].
#' @examples
#' set.seed(1)
#' cv <- cv.greedyrls(lpsa ~ . - train, data = prostate, subset = train, k = 8)
#' cv
#' plot(cv)
#' predict(cv, prostate[!prostate$train, ], k = "k.1se")
#' @export
cv.greedyrls <- function(x, ...) UseMethod("cv.greedyrls")

#' @rdname cv.greedyrls
#' @export
cv.greedyrls.default <- with_defaults(function(x, y, k,
  lambda = 10^(2:-2), criterion, weights, intercept, standardize, cache, nfolds, foldid, groups,
  strata, folds, type.measure, rule, keep, outer, progress, threads, ...) {
  public_call(cross_validate, greedyrls_problem(read_arguments("cv.greedyrls", ...)))
})

#' @rdname cv.greedyrls
#' @export
cv.greedyrls.formula <- function(formula, data, ..., subset, na.action, weights, foldid, groups,
                                 strata) {
  from_formula("cv.greedyrls", formula, data, ...)
}
