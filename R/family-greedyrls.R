#' Greedy forward selection of features by exact leave-one-out error
#'
#' @description
#' Greedy RLS starts without features and adds one at a time: the one that, added to those
#' selected, gives the regularized least squares fit with the smallest leave-one-out error. It
#' finds what a wrapper around honest refits would find, in time `O(k m p)` for `k` of `p`
#' features and `m` rows (and for each output). The fit with features S minimizes
#'
#' `sum_i w_i (y_i - b0 - sum_{j in S} b_j x_ij)^2 + lambda sum_{j in S} b_j^2`
#'
#' over standardized x. The loss is a *sum*, not a mean, so `lambda` grows with the number of rows.
#'
#' @section The error of the selection is too good: The smallest of many errors is optimistic. The
#'   field `loo` is the error that guided the selection; for an honest error, and to choose `k` and
#'   `lambda`, use [cv.greedyrls()], which repeats the whole selection in every fold.
#' @section Cost: With `cache = TRUE` one m x p matrix beside `x`, read and written once for every
#'   selected feature. With `cache = FALSE` no copy of `x`: memory `(m + p) k`, time
#'   `O(k^2 m p)`: about four times as long for 50 features.
#'   `criterion = "folds"` costs `O(k p (m + M))`, M the number of held-out predictions (m where
#'   folds divide the rows), whatever the sizes of the folds, and two matrices, m x p and M x p.
#' @section Which features: A column that is constant on the rows of positive weight is never
#'   selected; without an intercept it may be, where it is not zero. Of columns that are equally
#'   good (within 1e-10 of the error) the one with the lower index is selected, so that repeated
#'   columns do no harm.
#' @section Weights: The leave-one-out error is the weighted mean of squared errors; each row is
#'   left out as a whole, whatever its weight. Rows of weight 0 neither train nor count.
#' @section Errors: As in [sparserls()], and `sparserls_error_k` for a `k` that does not fit;
#'   `sparserls_error_lambda` also where `lambda` is so small that `1 - h` of a row (h its
#'   leverage), or what is left of a feature beside those selected, vanishes in rounding errors.
#'
#' @inheritParams sparserls
#' @param formula,data,subset,na.action as in [sparserls()], with rows in memory as `data` (of
#'   [chunks] the `sample` of [chunks_survey()] is some).
#' @param x numeric matrix, data frame or Matrix of any class, `m` rows by `p` columns; factors of
#'   a data frame are coded by contrasts, and each column counts as a feature. Sparse matrices are
#'   made dense (`sparserls_error_x` where that is not possible).
#' @param y response as in [sparserls()]. Several outputs, or more than two classes, share the
#'   selected features: the error is summed over outputs.
#' @param k how many features to select; or `"loo"`: stop when the error (of either criterion) has
#'   not improved for `patience` features, and keep the features up to the smallest error, one at
#'   least (at most as many as rows are tried).
#' @param lambda regularization parameter, one positive number.
#' @param criterion `"loo"`, the leave-one-out error; or `"folds"`, the exact hold-out error of
#'   the folds.
#' @param foldid,groups,folds the folds of `criterion = "folds"`, as in [cv.sparserls()]: labels
#'   of folds, labels of groups that are left out one after the other, or a list of vectors of row
#'   numbers or of `list(score = , omit = )`. Without them ten random folds.
#' @param patience with `k = "loo"`, how many features without improvement are tried.
#' @param weights one non-negative weight per row, see below; weight 2 in the loss is the same as
#'   the row twice. For classes of unequal size see [class_weights()].
#' @param standardize whether to centre the columns of `x` beforehand and to divide them by their
#'   standard deviations (weighted, divisor `sum(weights)`); without an intercept they are divided
#'   only.
#' @param cache whether to keep a matrix of the size of `x`, see below. `FALSE` needs a number
#'   `k` and `criterion = "loo"`.
#' @param threads threads for candidates; `NULL` means `getOption("sparserls.threads", 1)`.
#' @return An object of class `greedyrls`, a list with
#'   \item{selected}{column numbers of x in order of selection}
#'   \item{loo}{mean squared leave-one-out error after each step, summed over outputs; with
#'     `criterion = "folds"` the field is `holdout`, the mean squared error of
#'     held-out predictions}
#'   \item{lambda, criterion, intercept, standardize, call, nobs}{what was used}
#'
#'   The other fields are what [coef()][coef.greedyrls], [predict()][predict.greedyrls] and
#'   `fitted()` need.
#' @references Pahikkala, T., Airola, A. and Salakoski, T. (2010) Speeding up greedy forward
#'   selection for regularized least-squares. *ICMLA 2010*, 325-330.
#' @seealso [cv.greedyrls()]
#' @examples
#' fit <- greedyrls(lpsa ~ . - train, data = prostate, subset = train, k = 5)
#' fit
#' coef(fit, k = 1:5)
#' predict(fit, prostate[!prostate$train, ], k = 3)
#' greedyrls(lpsa ~ . - train, data = prostate, subset = train, k = "loo")
#' @export
greedyrls <- function(x, ...) UseMethod("greedyrls")

#' @rdname greedyrls
#' @export
greedyrls.default <- function(x, y, k, lambda = 1, criterion = c("loo", "folds"), foldid = NULL,
                              groups = NULL, folds = NULL, patience = 5, weights = NULL,
                              intercept = TRUE, standardize = TRUE, cache = TRUE, threads = NULL,
                              ...) {
  asked <- read_arguments("greedyrls", match.call(), environment(), ...)
  public_call(fit_problem, greedyrls_problem(asked))
}

#' @rdname greedyrls
#' @export
greedyrls.formula <- function(formula, data, ..., subset, na.action, weights, foldid, groups) {
  given <- formula_call(match.call(), "greedyrls", parent.frame(), formula, data)
  from_formula(given, greedyrls.default, ..., labels = c("foldid", "groups"))
}

#' Honest cross-validation of greedy feature selection
#'
#' Leaves out each fold in turn, repeats the whole selection of [greedyrls()] without it,
#' standardization included, for every `lambda`, and predicts the fold after 1, ..., `k` features.
#' The error at `k` features is thus that of the procedure "select k features and fit them". (The
#' error that guides the selection is too small.)
#'
#' @section Which folds: `criterion = "folds"` needs three folds or more.
#' @section A choice at the edge of its grid: A message and the print say when `lambda.min` is the
#'   smallest or the largest of several lambdas, and when `k.min` is `k` and there are more
#'   features.
#' @section Cost: That of [greedyrls()] times the number of folds and of lambdas.
#' @section Errors: As in [greedyrls()], and `sparserls_error_folds` and `sparserls_error_measure`
#'   as in [cv.sparserls()].
#'
#' @inheritParams greedyrls
#' @inheritParams cv.sparserls
#' @param k the largest number of features.
#' @param weights one non-negative weight per row; a fold's error counts with the weights of its
#'   rows. For classes of unequal size see [class_weights()].
#' @param foldid labels of any type, one per row: the folds.
#' @param groups labels, one per row: rows of a group are held out together.
#' @param folds a list of vectors of row numbers, of `list(score = , omit = )`, or resamples, as in
#'   [cv.sparserls()].
#' @param criterion what guides each selection: `"loo"`, the leave-one-out error of its training
#'   rows; or `"folds"`, the exact hold-out error of the other folds.
#' @param cache whether to keep a matrix of the size of `x`, as in [greedyrls()]; `FALSE` needs
#'   `criterion = "loo"`.
#' @param lambda a grid of regularization parameters, positive; used and returned in decreasing
#'   order.
#' @return An object of class `cv.greedyrls`, a list with
#'   \item{lambda}{decreasing}
#'   \item{cvm, cvsd, cvup, cvlo}{error, standard error, and error plus and minus it: matrices with
#'     one row for each number of features 1, ..., `k` and one column for each lambda}
#'   \item{name}{of the measure}
#'   \item{k.min, lambda.min}{number of features and lambda of the smallest error}
#'   \item{k.1se}{the smallest number of features, at `lambda.min`, with an error within one
#'     standard error of it}
#'   \item{index}{rows and columns of both in `cvm`}
#'   \item{lambdas}{a data frame, the smallest error for every lambda}
#'   \item{foldid}{fold of every row; NULL where folds overlap or leave rows out}
#'   \item{nested}{with `outer`, as in [cv.sparserls()]: the error with `k` and `lambda` chosen}
#'   \item{performance, calibration}{at `k.min` and `k.1se`, as in [cv.sparserls()]; the latter of
#'     classes}
#'   \item{fit}{[greedyrls()] with all rows at `lambda.min`; its error is the selection's}
#'   \item{fit.preval}{with `keep`: held-out predictions, rows x k x lambdas, or rows x outputs x k
#'     x lambdas; NA where a row is not scored}
#'   \item{refits}{with `keep`, as in [cv.sparserls()]}
#'   \item{nfolds, omits.more, ngroups, call}{number of folds, whether they omit rows that they do
#'     not score, the number of groups where there are some, and the call}
#' @references As for [greedyrls()].
#' @seealso [plot.cv.greedyrls()]
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
cv.greedyrls.default <- function(x, y, k, lambda = 10^(2:-2), criterion = c("loo", "folds"),
                                 weights = NULL, intercept = TRUE, standardize = TRUE,
                                 cache = TRUE, nfolds = NULL, foldid = NULL, groups = NULL,
                                 strata = NULL, folds = NULL, type.measure = NULL,
                                 rule = c("1se", "paired"), keep = FALSE, outer = NULL,
                                 progress = interactive(), threads = NULL, ...) {
  asked <- read_arguments("cv.greedyrls", match.call(), environment(), ...)
  public_call(cross_validate, greedyrls_problem(asked))
}

#' @rdname cv.greedyrls
#' @export
cv.greedyrls.formula <- function(formula, data, ..., subset, na.action, weights, foldid, groups,
                                 strata) {
  given <- formula_call(match.call(), "cv.greedyrls", parent.frame(), formula, data)
  from_formula(given, cv.greedyrls.default, ..., labels = c("foldid", "groups", "strata"))
}
