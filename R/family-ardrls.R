#' One kernel width for each feature
#'
#' Fits a smooth function that may bend fast along one feature and slowly, or not at all, along
#' another, and so shows which features matter. [cv.ardrls()] also estimates how well it predicts,
#' and chooses how far widths may differ.
#'
#' The fit is that of [sparserls()] with a width for every feature (automatic relevance
#' determination). Widths `gamma` and `lambda` minimize the exact cross-validated error. With few
#' rows, free widths overfit that error. So there is a path of penalties, from one common width
#' (`penalty = Inf`) to free widths (`penalty = 0`). At each penalty the search approaches a minimum
#' of `log(error) + penalty sum_d (log gamma_d - mean log gamma)^2 / m` and stops close to it.
#'
#' @inheritParams sparserls
#' @inheritParams cv.sparserls
#' @param formula,data,subset,na.action as in [sparserls()], with rows in memory as `data`.
#' @param x as in [sparserls()]; sparse matrices are made dense.
#' @param basis as in [sparserls()], except given points and [basis_greedy()]. `NULL`: for up to 600
#'   rows [basis_rpcholesky()] of nine tenths, at most 300; for more rows 300, drawn at random. A
#'   number is the size of a basis chosen in the same way.
#' @param kernel the kernel whose widths are sought: [kernel_matern()], [kernel_gaussian()],
#'   [kernel_laplacian()] or [kernel_linear()] (a weight for each feature). The search starts at its
#'   gamma, if given.
#' @param penalty non-negative numbers. `NULL`: `npenalty` values, `Inf`, a logarithmic sequence
#'   from 30 to 0.1, and 0. With `map = TRUE` also `list(widths = , map = )`; the default of maps is
#'   1000, 100, 30 and 10.
#' @param npenalty length of the default path of widths.
#' @param final_basis size of the basis of the last step: the basis of the search and other rows
#'   drawn at random. `FALSE`: the basis of the search. `NULL`: the size is doubled while that
#'   lowers the held-out error, up to nine tenths of the rows and 3000 (not if `basis` is row
#'   numbers).
#' @param maxit iterations at each penalty, at most.
#' @param map whether the path continues from widths to linear maps of the features, see Maps.
#' @param rank how many directions maps have, at most; `NULL`: as many as columns.
#' @param nfolds,foldid,groups,strata,folds folds of the error that is minimized, as in
#'   [cv.sparserls()].
#' @param progress whether to report the error at each penalty, as a message.
#' @param y,weights,intercept,standardize,jitter,holdout_basis,threads as in [sparserls()] and
#'   [cv.sparserls()].
#' @return An object of class `ardrls`, a list with
#'   \item{penalty, kind}{the steps of the path: `"widths"`, the penalty decreasing, then `"map"`}
#'   \item{relevance}{the gammas, features x penalties, in units of standardized features; for maps
#'     the diagonal of `L L'`, summed over the columns of a factor}
#'   \item{lambda, loss}{at each penalty; `loss` is the error that was minimized}
#'   \item{at, kernel}{the step with the larger basis (the last, or the chosen one), and its kernel,
#'     which other methods accept}
#'   \item{fits}{for every penalty the fit to all rows, as in [sparserls()]}
#'   \item{gradients, holdout_basis, nobs, call}{number of gradients at each penalty; what was used}
#' @section What is approximate: `loss`, a weighted mean of squared errors, is optimistic once
#'   minimized, and may have several minima: the `gamma` of the kernel sets another start. The
#'   search ([stats::optim()]) stops when an iteration lowers the log of the error by less than a
#'   hundredth of its standard error (a tenth for maps), so single gammas may be far from the
#'   minimum; `vignette("relevance")` says why that helps. With 8000 rows or more, and at least
#'   twenty per basis vector, most of the search uses a subset of the rows.
#' @section Maps: With `map = TRUE` and [kernel_matern()], [kernel_gaussian()] or [kernel_linear()]
#'   the kernel sees `L'x` instead of the standardized x; widths are a diagonal L. The penalty is on
#'   the distance of L from the widths. A map has many parameters and may overfit with few rows. At
#'   most 200 columns are mixed, those with the largest widths. [predict.ardrls()] selects such a
#'   step by a list.
#'
#' @section Errors: As in [cv.sparserls()], and `sparserls_error_penalty`; `sparserls_error_kernel`
#'   for kernels without widths, or with `map = TRUE` without maps. A factor is one feature, see
#'   [factors]. `family` is not supported.
#' @references Sundararajan, S. and Keerthi, S. S. (2001) Predictive approaches for choosing
#'   hyperparameters in Gaussian processes. *Neural Computation* 13, 1103-1118.
#' @examples
#' set.seed(1)
#' fit <- ardrls(lpsa ~ . - train, data = prostate, subset = train, basis = 30)
#' fit
#' plot(fit)
#' predict(fit, prostate[!prostate$train, ], s = Inf)
#' @export
ardrls <- function(x, ...) UseMethod("ardrls")

#' @rdname ardrls
#' @export
ardrls.default <- with_defaults(function(x, y, basis = NULL,
  kernel = kernel_matern(), penalty = NULL, npenalty = 6, final_basis = NULL, maxit, map,
  rank = NULL, nfolds, foldid, groups, strata, folds, holdout_basis, weights, intercept,
  standardize, jitter, threads, progress, ...) {
  public_call(fit_problem, ardrls_problem(read_arguments("ardrls", ...)))
})

#' @rdname ardrls
#' @export
ardrls.formula <- function(formula, data, basis = NULL, ..., subset, na.action, weights, foldid,
                           groups, strata) {
  from_formula("ardrls", formula, data, ..., .basis = basis)
}

#' Honest cross-validation of widths for each feature
#'
#' Chooses how far the widths of [ardrls()] may differ, and estimates how well the result predicts
#' held-out rows.
#'
#' For each outer fold, the whole path of [ardrls()] is repeated without the fold, standardization
#' and basis included, and predicts the fold at every `penalty`.
#'
#' @inheritParams ardrls
#' @param outer the outer folds: a number of folds; `"split"`, a random fifth of the rows (or
#'   groups) once; or folds as in the argument `folds`. `NULL`: five folds, a split where there are
#'   more than 5000 rows. They keep groups whole and balance `strata`.
#' @param nfolds,foldid,groups,strata,folds the inner folds, as in [ardrls()], without the rows of
#'   the outer fold.
#' @param rule what `penalty.1se` is: `"paired"`, the first step whose mean difference from the
#'   smallest error, on the same rows (or groups), is within one standard error of this difference;
#'   or `"1se"`, within one standard error of the smallest error.
#' @param progress whether to show a text bar.
#' @param basis,kernel,penalty,npenalty,final_basis,maxit,map,rank as in [ardrls()].
#' @param y,weights,intercept,standardize,jitter,holdout_basis,type.measure,keep,threads as in
#'   [cv.sparserls()].
#' @return An object of class `cv.ardrls`, a list with
#'   \item{penalty, index, kind}{of every step, as in the fit; positions and kinds of the two that
#'     are chosen}
#'   \item{cvm, cvsd, cvup, cvlo}{honest error at each, standard error, and error plus and minus it}
#'   \item{penalty.min, penalty.1se}{of the smallest error; of the first step, the simplest, that is
#'     as good by `rule`}
#'   \item{fit}{the path of [ardrls()] with all rows; its `kernel` is that of `penalty.1se`}
#'   \item{fit.preval, refits}{with `keep`: held-out predictions, rows x (outputs x) penalties, NA
#'     where a row is not scored; and the fits without every outer fold}
#'   \item{outer, foldid}{`"split"` or `"folds"`; outer fold of every row, NULL where outer folds
#'     overlap or leave rows out}
#'   \item{name, rule, nfolds, omits.more, ngroups, performance, calibration, call}{as in
#'     [cv.sparserls()], of the outer folds}
#' @section What is chosen: A map is chosen only if its error is below the smallest error of widths
#'   by more than a standard error of the difference, corrected for training rows that folds share
#'   (Nadeau and Bengio, 2003). The outer folds do not repeat this choice, or that of the penalty.
#'   The step is chosen with the basis of the search. At `penalty.1se` errors and predictions are
#'   then those of the larger basis (`final_basis`), so `cvm` may be smaller there than at
#'   `penalty.min`.
#'
#' @section Errors: As in [ardrls()], and `sparserls_error_measure`.
#' @references Nadeau, C. and Bengio, Y. (2003) Inference for the generalization error. *Machine
#'   Learning* 52, 239-281.
#' @examples
#' set.seed(1)
#' cv <- cv.ardrls(lpsa ~ . - train, data = prostate, subset = train, basis = 30, npenalty = 4)
#' cv
#' plot(cv)
#' predict(cv, prostate[!prostate$train, ])
#' @export
cv.ardrls <- function(x, ...) UseMethod("cv.ardrls")

#' @rdname cv.ardrls
#' @export
cv.ardrls.default <- with_defaults(function(x, y, basis = NULL,
  kernel = kernel_matern(), penalty = NULL, npenalty = 6, final_basis = NULL, maxit, map,
  rank = NULL, outer, nfolds, foldid, groups, strata, folds, holdout_basis, type.measure,
  rule = c("paired", "1se"), keep, weights, intercept, standardize, jitter, threads, progress,
  ...) {
  public_call(cross_validate, ardrls_problem(read_arguments("cv.ardrls", ...)))
})

#' @rdname cv.ardrls
#' @export
cv.ardrls.formula <- function(formula, data, basis = NULL, ..., subset, na.action, weights, foldid,
                              groups, strata) {
  from_formula("cv.ardrls", formula, data, ..., .basis = basis)
}
