#' One kernel width for each feature
#'
#' @description
#' Fits a smooth function that may bend fast along one feature and slowly, or not at all, along
#' another, and so shows which features matter. [cv.ardrls()] chooses how far widths may differ.
#'
#' The fit is that of [sparserls()] with a width of its own for every feature (automatic relevance
#' determination). Widths and `lambda` minimize the exact cross-validated error. Since free widths
#' overfit that error with few rows, there is a path of penalties, from one common width
#' (`penalty = Inf`) to free widths (`penalty = 0`): at each, the search goes down towards a minimum
#' over gamma and lambda of
#'
#' `log(error) + penalty sum_d (log gamma_d - mean log gamma)^2 / m`
#'
#' and stops near it. With `map = TRUE` it goes on to linear maps of the features: directions that
#' are no axes.
#'
#' @inheritParams sparserls
#' @inheritParams cv.sparserls
#' @param formula,data,subset,na.action as in [sparserls()], with rows in memory as `data` (such as
#'   the `sample` of [chunks_survey()]).
#' @param x as in [sparserls()]; sparse matrices are made dense.
#' @param basis as in [sparserls()], except given points and [basis_greedy()]. `NULL`: for up to 600
#'   rows [basis_rpcholesky()] of nine tenths, at most 300; for more rows 300, drawn at random
#'   (without a larger last basis half of them, at most 500). A number is that many in the same way.
#' @param kernel the kernel whose widths are sought: [kernel_matern()], [kernel_gaussian()],
#'   [kernel_laplacian()], [kernel_linear()] (a weight for each feature), or a [kernel_custom()]
#'   with a `slope`. Its gamma, if given, is where the search starts; a named one keeps its ratios
#'   at `penalty = Inf`.
#' @param penalty non-negative numbers, used and returned in decreasing order. `NULL`: `npenalty`
#'   values, `Inf`, a logarithmic sequence from 30 to 0.1, and 0. With `map = TRUE` also
#'   `list(widths = , map = )`, each `NULL` for its default, which is 1000, 100, 30 and 10 for maps.
#' @param npenalty length of the default path of widths.
#' @param final_basis how many basis vectors the last step has, see The basis of [ardrls()].
#'   `FALSE`: those of the search. `NULL`: as many as lower the error, at most nine tenths of the
#'   rows, 3000, and 60 million divided by the rows; but those of the search where `basis` is row
#'   numbers, or where basis vectors are not scored (`holdout_basis`).
#' @param maxit iterations at each penalty, at most.
#' @param map whether the path goes on from widths to maps, with [kernel_matern()],
#'   [kernel_gaussian()] or [kernel_linear()].
#' @param rank how many directions maps have, at most; `NULL`: as many as columns. Maps mix at most
#'   200 columns, those of the largest widths.
#' @param nfolds,foldid,groups,strata,folds folds of the error that is minimized, as in
#'   [cv.sparserls()].
#' @param progress whether to say the error at each penalty, as a message.
#' @return An object of class `ardrls`, a list with
#'   \item{penalty, kind}{the steps of the path: `"widths"`, the penalty decreasing, then `"map"`,
#'     if asked for, decreasing again}
#'   \item{relevance}{the gammas, variables x penalties, in units of standardized features; for maps
#'     the diagonal of `L L'`, summed over the columns of a factor}
#'   \item{lambda, loss}{at each penalty; the cross-validated error, without the penalty}
#'   \item{at}{the step that has the larger basis, if any has, and whose kernel is `kernel`}
#'   \item{gradients}{how many each penalty took, in all rows}
#'   \item{kernel}{the kernel with the widths, or the map, of the last step, which
#'     [cv.sparserls()], [rls()] and [rls2()] take as it is}
#'   \item{fits}{for every penalty the fit to all rows, as of [sparserls()]}
#'   \item{holdout_basis, nobs, call}{what was used}
#' @section The search: The error is that of [cv.sparserls()], the weighted mean of squared errors
#'   of held-out rows, summed over outputs. Once minimized it is optimistic, and it may have several
#'   minima: compare with [cv.sparserls()], or start elsewhere by the `gamma` of the kernel. The
#'   search starts with the default gamma and the best lambda of a grid, goes on from penalty to
#'   penalty by L-BFGS-B ([stats::optim()]), and stops when an iteration lowers the log of the error
#'   by less than a hundredth of its standard error, `0.01 sqrt(2 / m)` (at `Inf` and 0 by three
#'   thousandths, of maps by a tenth). This stop is a part of the
#'   regularization (`vignette("relevance")`): single gammas may be far from the minimum of the
#'   objective. With 8000 rows or more, and at least twenty for each basis vector, the search begins
#'   on some of the rows and takes a few steps in all of them; `loss`, `lambda` and fits are of all
#'   rows.
#' @section Factors: A factor is one feature with one width, see [factors]; with [kernel_linear()]
#'   it is coded by contrasts, and every column has a weight.
#' @section Maps: The kernel sees `L'x` in place of x, x standardized; widths are a diagonal L. A
#'   function of the difference of two features needs a single direction, where widths make the
#'   kernel narrow in both. At each `penalty` the search goes down towards a minimum over A and
#'   lambda of `log(error) + penalty |A|^2 / m`, `L = D + (g D)^(1/2) A`, D the roots of the widths
#'   at the last penalty of at least 1, g their root mean square. The numbers of a map are many:
#'   with few rows it may overfit. In [predict()][predict.ardrls] a list names a step of maps.
#' @section The basis: [basis_rpcholesky()] selects again for every penalty, with the widths of the
#'   one before, where that lowers the error. The last step of the path (in [cv.ardrls()] that at
#'   `penalty.1se`) is fitted with a larger basis, that of the search and other rows drawn at
#'   random; its `lambda` is the best of five by the same held-out error. By default the number of
#'   basis vectors is doubled while that lowers the log of this error by at least
#'   `0.25 sqrt(2 / m)`.
#' @section Time: A gradient by all widths takes about as long as two fits of [sparserls()] with one
#'   lambda, and memory for three m x n blocks. A penalty takes 3 to 30 gradients, and the larger
#'   basis a cross-validation with five lambdas.
#' @section Errors: As in [cv.sparserls()], and `sparserls_error_penalty`; `sparserls_error_kernel`
#'   for kernels without widths, or with `map = TRUE` without maps. `family` is not supported.
#' @references MacKay, D. J. C. (1994) Bayesian nonlinear modeling for the prediction competition.
#'   *ASHRAE Transactions* 100, 1053-1062.
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
#' @export
ardrls <- function(x, ...) UseMethod("ardrls")

#' @rdname ardrls
#' @export
ardrls.default <- function(x, y, basis = NULL, kernel = kernel_matern(), penalty = NULL,
                           npenalty = 6, final_basis = NULL, maxit = 100, map = FALSE,
                           rank = NULL, nfolds = NULL,
                           foldid = NULL, groups = NULL, strata = NULL, folds = NULL,
                           holdout_basis = c("remove", "keep", "keep_loss", "skip"),
                           weights = NULL, intercept = TRUE, standardize = TRUE, jitter = 1e-7,
                           threads = NULL, progress = interactive(), ...) {
  asked <- read_arguments("ardrls", match.call(), environment(), ...)
  public_call(fit_problem, ardrls_problem(asked))
}

#' @rdname ardrls
#' @export
ardrls.formula <- function(formula, data, basis = NULL, ..., subset, na.action, weights, foldid,
                           groups, strata) {
  given <- formula_call(match.call(), "ardrls", parent.frame(), formula, data)
  from_formula(given, ardrls.default, formula_basis(basis, given), ...,
               labels = c("foldid", "groups", "strata"))
}

#' Honest cross-validation of widths for each feature
#'
#' @description
#' Fits a smooth function with a width for every feature, chooses how far widths may differ, and
#' says how well the result predicts rows that were held out.
#'
#' Each outer fold is left out, the whole path of [ardrls()] is repeated without it, standardization
#' included, and predicts the fold at every `penalty`. (The inner error, which the search minimizes,
#' is too small: Varma and Simon, 2006.) With `map = TRUE` the choice is over the whole path,
#' simplest first: one width, widths, maps.
#'
#' @inheritParams ardrls
#' @param outer the outer folds: a number of folds; `"split"`, a random fifth of the rows (or
#'   groups, one of fewer than five) once; or folds as in the argument `folds`. `NULL`: five folds
#'   (fewer where there are fewer groups), a split where there are more than 5000 rows.
#' @param type.measure,keep as in [cv.sparserls()].
#' @param rule what `penalty.1se` is: `"paired"`, the first step whose mean difference from the
#'   smallest error, on the same rows (or groups), is within one standard error of this difference;
#'   or `"1se"`, within one standard error of the smallest error.
#' @param progress whether to show a text bar.
#' @return An object of class `cv.ardrls`, a list with
#'   \item{penalty}{of every step, as in the fit}
#'   \item{cvm, cvsd, cvup, cvlo}{honest error at each, standard error, and error plus and minus it}
#'   \item{name, rule}{of the measure; the `rule` of `penalty.1se`}
#'   \item{penalty.min, penalty.1se}{of the smallest error; of the first step, the simplest, that is
#'     as good by `rule`}
#'   \item{index, kind}{their positions and kinds, `"widths"` or `"map"`}
#'   \item{foldid}{outer fold of every row; NULL where outer folds overlap or leave rows out}
#'   \item{outer}{`"split"` or `"folds"`}
#'   \item{fit}{the path of [ardrls()] with all rows; its `kernel` has the widths, or the map, of
#'     `penalty.1se`}
#'   \item{fit.preval, refits}{with `keep`: held-out predictions, rows x (outputs x) penalties, NA
#'     where a row is not scored; and the fits without every outer fold}
#'   \item{performance, calibration}{at `penalty.min` and `penalty.1se`, as in [cv.sparserls()]}
#'   \item{nfolds, omits.more, ngroups, call}{number of outer folds, whether they omit rows that
#'     they do not score, the number of groups where there are some, and the call}
#' @section Outer and inner folds: `nfolds`, `foldid`, `groups`, `strata` and `folds` are those of
#'   the inner folds, as in [ardrls()]. Outer folds keep groups whole and balance `strata`, too.
#'   Inner folds are drawn among the rows that an outer fold leaves, given ones lose its rows. A
#'   basis that is drawn or selected is drawn again.
#' @section Widths or a map: A map is chosen only where its error is below the smallest one of
#'   widths by more than a standard error of this difference (with `rule = "1se"`: of the error).
#'   Since the fits of the folds share rows, the standard error is multiplied by `sqrt(1 + t / r)`
#'   for t tested and r training rows (Nadeau and Bengio, 2003). The outer folds repeat neither this
#'   choice nor that of the penalty.
#' @section The larger basis: The step is chosen with the basis of the search. At `penalty.1se`,
#'   `cvm`, `cvsd`, held-out predictions, intervals and probabilities are of the larger basis, so
#'   that `cvm` may be smaller there than at `penalty.min`.
#' @section Time: That of [ardrls()] times one more than the number of outer folds; with a split
#'   less than twice, since the search in all rows then starts from what was found without the fold.
#'   With a split of 8000 rows or more default penalties end where a step lowers the held-out error
#'   by no more than a tenth of its standard error.
#' @section Errors: As in [ardrls()], and `sparserls_error_measure`.
#' @references As for [ardrls()], and
#'
#'   Nadeau, C. and Bengio, Y. (2003) Inference for the generalization error. *Machine Learning* 52,
#'   239-281.
#'
#'   Varma, S. and Simon, R. (2006) Bias in error estimation when using cross-validation for model
#'   selection. *BMC Bioinformatics* 7, 91.
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
cv.ardrls.default <- function(x, y, basis = NULL, kernel = kernel_matern(), penalty = NULL,
                              npenalty = 6, final_basis = NULL, maxit = 100, map = FALSE,
                              rank = NULL, outer = NULL,
                              nfolds = NULL, foldid = NULL, groups = NULL, strata = NULL,
                              folds = NULL,
                              holdout_basis = c("remove", "keep", "keep_loss", "skip"),
                              type.measure = NULL, rule = c("paired", "1se"), keep = FALSE,
                              weights = NULL, intercept = TRUE, standardize = TRUE, jitter = 1e-7,
                              threads = NULL, progress = interactive(), ...) {
  asked <- read_arguments("cv.ardrls", match.call(), environment(), ...)
  public_call(cross_validate, ardrls_problem(asked))
}

#' @rdname cv.ardrls
#' @export
cv.ardrls.formula <- function(formula, data, basis = NULL, ..., subset, na.action, weights, foldid,
                              groups, strata) {
  given <- formula_call(match.call(), "cv.ardrls", parent.frame(), formula, data)
  from_formula(given, cv.ardrls.default, formula_basis(basis, given), ...,
               labels = c("foldid", "groups", "strata"))
}
