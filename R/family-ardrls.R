#' One kernel width for each feature
#'
#' @description
#' Fits [sparserls()] with a kernel that has a width of its own for every feature (automatic
#' relevance determination). Widths and `lambda` minimize the exact cross-validated error, whose
#' gradient by all of them costs about as much as two fits, however many features there are.
#'
#' With few rows, free widths overfit the error that they minimize. Hence a path of penalties: at
#' each `penalty` the function finds the minimum over gamma and lambda of
#'
#' `log(error) + penalty sum_d (log gamma_d - mean log gamma)^2 / m`
#'
#' from one width common to all features (`penalty = Inf`) to free widths (`penalty = 0`).
#' [cv.ardrls()] says how far to go.
#'
#' @section Factors: A factor, character or logical variable is one feature, with one width for all
#'   of its columns; so is an interaction with one, and an ordered factor is a number (see the
#'   section Factors of [sparserls()]). With [kernel_linear()] they are coded by contrasts, and
#'   every column has a weight of its own.
#' @section The error that is minimized: Held-out predictions are those of honest refits, with basis
#'   vectors of the fold removed, as in [cv.sparserls()]; the error is the weighted mean of squared
#'   errors of all held-out rows, summed over outputs (of classes: of the scores). Once minimized it
#'   is optimistic.
#' @section The search: It starts with the default gamma of the kernel (or the kernel's own) and the
#'   best lambda of a grid. Each penalty starts where the one before ended and is minimized by
#'   L-BFGS-B ([stats::optim()]) until an iteration lowers the log of the error by less than
#'   `0.01 sqrt(2 / m)`, a hundredth of the standard error of such a logarithm with normal errors,
#'   at `penalty` `Inf` and 0 three thousandths. Gammas stay within factors of exp(-12) and exp(8)
#'   of where they start. The same seed gives the same result. Columns that do not vary have a gamma
#'   of 0.
#' @section The basis: A selector that looks at the kernel, [basis_rpcholesky()], selects anew for
#'   every penalty, with the widths of the one before, and keeps what it selects where that lowers
#'   the error at these widths. Other bases stay as they are. [basis_greedy()] is refused: it looks
#'   at the responses that are held out.
#' @section Cost: One gradient takes about twice as long as `sparserls()` with one lambda, and
#'   memory for three m x n blocks, n basis vectors; a penalty takes some 3 to 30 of them.
#' @section Errors: As in [sparserls()] and [cv.sparserls()], and `sparserls_error_penalty`;
#'   `sparserls_error_kernel` for kernels without widths: polynomial, precomputed and normalized
#'   linear ones, and custom ones without a `slope`.
#'
#' @inheritParams sparserls
#' @inheritParams cv.sparserls
#' @param formula,data,subset,na.action as in [sparserls()], with rows in memory as `data` (of
#'   [chunks] the `sample` of [chunks_survey()] is some).
#' @param x as in [sparserls()]; sparse matrices are made dense.
#' @param basis as in [sparserls()], but for given points. `NULL`: of up to 600 rows
#'   [basis_rpcholesky()] of nine tenths, at most 300; of more rows half of them, at most 500, drawn
#'   at random.
#' @param kernel the kernel whose widths are sought: [kernel_matern()], [kernel_gaussian()],
#'   [kernel_laplacian()] or [kernel_linear()], which has a weight for each feature; or a
#'   [kernel_custom()] with a `slope`, whose function then sees every feature times the root of its
#'   gamma, 1 at the start (so `penalty = Inf` finds one common factor). The gamma of other kernels
#'   is where the search starts; one with names stands for widths whose ratios are kept at
#'   `penalty = Inf`.
#' @param penalty non-negative numbers, used and returned in decreasing order. `NULL`: `npenalty`
#'   values, `Inf`, a logarithmic sequence from 30 to 0.1, and 0.
#' @param npenalty length of the default path.
#' @param maxit iterations at each penalty, at most.
#' @param nfolds,foldid,groups,strata,folds folds of the error that is minimized, as in
#'   [cv.sparserls()].
#' @param progress whether to say the error at each penalty, as a message.
#' @return An object of class `ardrls`, a list with
#'   \item{penalty}{decreasing}
#'   \item{relevance}{the gammas, features x penalties, in units of standardized features; the rows
#'     are named by the variables}
#'   \item{lambda}{one for each penalty}
#'   \item{loss}{the cross-validated error at each, without the penalty}
#'   \item{gradients}{how many each penalty took}
#'   \item{kernel}{the kernel with the widths of the last penalty, which [cv.sparserls()], [rls()]
#'     and [rls2()] take as it is}
#'   \item{fits}{for every penalty the fit to all rows, as of [sparserls()]}
#'   \item{holdout_basis, nobs, call}{what was used}
#' @references MacKay, D. J. C. (1994) Bayesian nonlinear modeling for the prediction competition.
#'   *ASHRAE Transactions* 100, 1053-1062.
#'
#'   Neal, R. M. (1996) *Bayesian Learning for Neural Networks*. Springer.
#'
#'   Sundararajan, S. and Keerthi, S. S. (2001) Predictive approaches for choosing hyperparameters
#'   in Gaussian processes. *Neural Computation* 13, 1103-1118.
#'
#'   Chapelle, O., Vapnik, V., Bousquet, O. and Mukherjee, S. (2002) Choosing multiple parameters
#'   for support vector machines. *Machine Learning* 46, 131-159.
#' @seealso [cv.ardrls()], which chooses the penalty
#' @examples
#' set.seed(1)
#' fit <- ardrls(lpsa ~ . - train, data = prostate, subset = train, basis = 30)
#' fit
#' plot(fit)
#' predict(fit, prostate[!prostate$train, ], s = Inf)
#'
#' # the best common width, without a grid
#' ardrls(lpsa ~ . - train, data = prostate, basis = 30, penalty = Inf)$kernel
#' @export
ardrls <- function(x, ...) {
  UseMethod("ardrls")
}

#' @rdname ardrls
#' @export
ardrls.default <- function(x, y, basis = NULL, kernel = kernel_matern(), penalty = NULL,
                           npenalty = 8, maxit = 100, nfolds = NULL, foldid = NULL, groups = NULL,
                           strata = NULL, folds = NULL,
                           holdout_basis = c("remove", "keep", "keep_loss", "skip"),
                           weights = NULL, intercept = TRUE, standardize = TRUE, jitter = 1e-7,
                           threads = NULL, progress = interactive(), ...) {
  check_dots(..., known = names(formals()))
  kernel <- check_ard_kernel(kernel, "ardrls()")
  call <- generic_call(match.call(), "ardrls")
  warned_once(basis_warned(fit_problem(ardrls_problem(
    call, x, y, basis, kernel, penalty, npenalty, maxit, nfolds, foldid, groups, strata, folds,
    holdout_basis, weights, intercept, standardize, jitter, threads, progress
  ))))
}

#' @rdname ardrls
#' @export
ardrls.formula <- function(formula, data, basis = NULL, ..., subset, na.action, weights, foldid,
                           groups, strata) {
  given <- formula_call(match.call(), "ardrls", parent.frame(), formula, data)
  from_formula(given, ardrls.default, formula_basis(basis, given), ...,
               labels = c("foldid", "groups", "strata"))
}

# ---- what may be asked for ---------------------------------------------------------------

check_ard_kernel <- function(kernel, caller) {
  if (inherits(kernel, "sparserls_kernel") && length(unclass(kernel)$gamma) > 1 &&
      !has_widths(kernel)) {
    abort("kernel", "The search starts from a single `gamma`, or from one for each feature.",
          sprintf("%d values without names", length(kernel$gamma)),
          "Name those of features by the columns of `x`.")
  }
  kernel <- single_kernel(kernel, "cv.sparserls()")
  if (!may_have_widths(kernel)) {
    abort("kernel", sprintf("%s needs a kernel with a width for each feature.", caller),
          format(kernel), sprintf("Use %s, or kernel_custom() with a `slope`.",
                                  constructors(may_have_widths, "or")))
  }
  kernel
}

# A linear kernel has weights of features, a user's function sees them multiplied by roots of
# widths.
may_have_widths <- function(kernel) {
  takes_gamma(kernel) || (kernel_trait(kernel, "slopes") && !kernel$normalize) ||
    (is_custom(kernel) && !is.null(kernel$slope))
}
