#' One kernel width for each feature
#'
#' @description
#' Fits [sparserls()] with a kernel that has a width of its own for every feature (automatic
#' relevance determination). Widths and `lambda` come from minimizing the exact cross-validated
#' error, whose gradient by all of them costs about as much as two fits, however many features
#' there are.
#'
#' With few rows, free widths overfit the error that they minimize. Hence a path of penalties: at
#' each `penalty` the function goes down towards a minimum over gamma and lambda of
#'
#' `log(error) + penalty sum_d (log gamma_d - mean log gamma)^2 / m`
#'
#' and stops near it, which is a part of the regularization (see the section The search): from one
#' width common to all features (`penalty = Inf`) to free widths (`penalty = 0`). With
#' `map = TRUE` it goes on to linear maps of the features: directions that are no axes.
#' [cv.ardrls()] says how far to go.
#'
#' @section Maps: With a map the kernel sees `L'x` in place of x, x standardized. Widths are a
#'   diagonal L; any other one mixes features, and f may vary fast along one direction and slowly
#'   across it: what depends on the difference of two features needs a single direction, where
#'   widths make the kernel narrow in both features. `map = TRUE` adds steps to the path, behind
#'   those of widths: at each `penalty` the search goes down towards a minimum over A and lambda of
#'
#'   `log(error) + penalty |A|^2 / m`, `L = D + (g D)^(1/2) A`,
#'
#'   where D is diagonal, the roots of the widths of the last penalty of at least 1 (or of the last
#'   one: freer widths may have overfitted), and g their root mean square. With a `rank` the map
#'   starts from so many directions along which the fit with these widths varies the most.
#'
#'   Penalties of the two kinds may be the same numbers: the field `kind` tells them apart, and `s`
#'   of [predict()][predict.ardrls] names a step of maps by a list. A map has many more numbers than
#'   there are widths: with few rows it may overfit the error that is minimized more than they do.
#' @section Factors: A factor, character or logical variable is one feature, with one width for all
#'   of its columns; so is an interaction with one, and an ordered factor is a number (see the
#'   section Factors of [sparserls()]). With [kernel_linear()] they are coded by contrasts, and
#'   every column has a weight of its own.
#' @section The error that is minimized: Held-out predictions are those of honest refits, with basis
#'   vectors of the fold removed, as in [cv.sparserls()]; the error is the weighted mean of squared
#'   errors of all held-out rows, summed over outputs (of classes: of the scores). Once minimized it
#'   is optimistic. It may have several minima, and the search finds one that it comes to from where
#'   it starts. With few rows compare it with [cv.sparserls()], or let the search start elsewhere by
#'   the `gamma` of the kernel.
#' @section The search: It starts with the default gamma of the kernel (or the kernel's own) and the
#'   best lambda of a grid; of up to 300 rows with the best of a walk over multiples of the default
#'   gamma, by factors of 4. Each penalty starts where the one before ended and is minimized by
#'   L-BFGS-B ([stats::optim()]) until an iteration lowers the log of the error by less than
#'   `0.05 sqrt(2 / m)`, a twentieth of the standard error of such a logarithm with normal errors,
#'   at `penalty = Inf` three thousandths. This stop is a part of the regularization, no detail of
#'   the computation: widths and maps are near a minimum of the objective, not at it, and single
#'   gammas may be far from where they would be there (`vignette("relevance")`).
#'   Gammas stay within factors of exp(-12) and exp(8) of where they start. The same seed gives the
#'   same result. Columns that do not vary have a gamma of 0.
#'
#'   Where rows are many, 8000 or more and at least twenty for each basis vector, the search begins
#'   on some of them, drawn at random: 4000, or ten for each basis vector if these are more, with
#'   the basis vectors among them. From where it ends there it goes on in all rows, at every
#'   penalty, by at most eight quasi-Newton steps, until a step promises less than a tenth of that
#'   standard error. So `loss`, `lambda` and fits are of all rows.
#' @section The basis: A selector that looks at the kernel, [basis_rpcholesky()], selects anew for
#'   every penalty, with the widths of the one before, and keeps what it selects where that lowers
#'   the error at these widths; not where it has selected more than half of the rows. Other bases
#'   stay as they are. [basis_greedy()] is refused: it looks at the responses that are held out.
#'
#'   Widths that were found with few basis vectors are good for many. So the last step of the path,
#'   in [cv.ardrls()] the one at `penalty.1se`, is fitted anew with a larger basis: that of the
#'   search and other rows, drawn at random. Its `lambda` is the best of five, from 64 times that of
#'   the search to a quarter of it, by the same held-out error. `final_basis` says how many vectors
#'   it has. By default their number is doubled while that lowers the log of this error by at least
#'   `0.25 sqrt(2 / m)`.
#' @section Cost: One gradient takes about twice as long as `sparserls()` with one lambda, and
#'   memory for three m x n blocks, n basis vectors; a penalty takes some 3 to 30 gradients, where
#'   rows are many 1 to 9, and those of the search on some rows. The larger basis costs a
#'   cross-validation by [cv.sparserls()] with five values of lambda, and its memory.
#' @section Errors: As in [sparserls()] and [cv.sparserls()], and `sparserls_error_penalty`;
#'   `sparserls_error_kernel` for kernels without widths: polynomial, precomputed and normalized
#'   linear ones, and custom ones without a `slope`; with `map = TRUE` also for those that have no
#'   map, [kernel_laplacian()] and custom ones. There is no `family`: the gradient goes through the
#'   closed form of refits by least squares, and that of a likelihood would have to go through the
#'   weights at which every refit ends.
#'
#' @inheritParams sparserls
#' @inheritParams cv.sparserls
#' @param formula,data,subset,na.action as in [sparserls()], with rows in memory as `data` (of
#'   [chunks] the `sample` of [chunks_survey()] is some).
#' @param x as in [sparserls()]; sparse matrices are made dense.
#' @param basis as in [sparserls()], but for given points. `NULL`: of up to 600 rows
#'   [basis_rpcholesky()] of nine tenths, at most 300; of more rows 300, drawn at random, without a
#'   larger last basis half of them, at most 500. A number is that many in the same way: by
#'   [basis_rpcholesky()] of up to 600 rows, [basis_random()] of more.
#' @param kernel the kernel whose widths are sought: [kernel_matern()], [kernel_gaussian()],
#'   [kernel_laplacian()] or [kernel_linear()], which has a weight for each feature; or a
#'   [kernel_custom()] with a `slope`, whose function then sees every feature times the root of its
#'   gamma, 1 at the start (so `penalty = Inf` finds one common factor). The gamma of other kernels
#'   is where the search starts; one with names stands for widths whose ratios are kept at
#'   `penalty = Inf`.
#' @param penalty non-negative numbers, used and returned in decreasing order. `NULL`: `npenalty`
#'   values, `Inf`, a logarithmic sequence from 30 to 0.1, and 0. With `map = TRUE` these are of
#'   widths; `list(widths = , map = )` has both, each `NULL` for its default, of maps 1000, 100, 30
#'   and 10 (they must be finite: at `Inf` there would be the widths alone).
#' @param npenalty length of the default path of widths.
#' @param final_basis how many basis vectors the last basis has, see the section The basis; `FALSE`:
#'   none other than that of the search. `NULL`: as many as lower the error, at most nine tenths of
#'   the rows, and 3000, of more than 20,000 rows 60 million divided by their number; but none where
#'   `basis` is row numbers, or where basis vectors are not scored (`holdout_basis`).
#' @param maxit iterations at each penalty, at most.
#' @param map whether the path goes on from widths to maps, with [kernel_matern()],
#'   [kernel_gaussian()] or [kernel_linear()].
#' @param rank how many directions maps have, at most; `NULL`: as many as there are columns. Maps
#'   mix at most 200 columns, those of the largest widths: others keep their widths, or, with a
#'   `rank`, are left out.
#' @param nfolds,foldid,groups,strata,folds folds of the error that is minimized, as in
#'   [cv.sparserls()].
#' @param progress whether to say the error at each penalty, as a message.
#' @return An object of class `ardrls`, a list with
#'   \item{penalty, kind}{the steps of the path: `"widths"`, the penalty decreasing, then `"map"`,
#'     if asked for, decreasing again}
#'   \item{relevance}{the gammas, features x penalties, in units of standardized features; the rows
#'     are named by the variables. Of maps the diagonal of `L L'`, which of widths is gamma, summed
#'     over the columns of a factor}
#'   \item{lambda}{one for each penalty}
#'   \item{loss}{the cross-validated error at each, without the penalty}
#'   \item{at}{the position of the step that has the larger basis, if any has, and whose kernel is
#'     `kernel`: the last one}
#'   \item{gradients}{how many each penalty took, in all rows}
#'   \item{kernel}{the kernel with the widths, or the map, of the last step, which
#'     [cv.sparserls()], [rls()] and [rls2()] take as it is}
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
#' # one common width, without a grid
#' ardrls(lpsa ~ . - train, data = prostate, basis = 30, penalty = Inf)$kernel
#' @export
ardrls <- function(x, ...) {
  UseMethod("ardrls")
}

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
#' Leaves out each outer fold in turn, repeats the whole path of [ardrls()] without it,
#' standardization included, and predicts the fold at every `penalty`. The error at a penalty is
#' thus that of the whole procedure. (The inner error, which the search minimizes, is too small:
#' Varma and Simon, 2006.)
#' With `map = TRUE` the choice is over the whole path, simplest first: one width, widths, maps.
#'
#' @section Outer and inner folds: `nfolds`, `foldid`, `groups`, `strata` and `folds` are those of
#'   the inner folds, as in [ardrls()]. Outer folds keep groups whole, and balance `strata`, too.
#'   Inner folds are drawn among the rows that an outer fold leaves; those that are given lose its
#'   rows. A basis that is drawn, or selected, is drawn anew.
#' @section Cost: That of [ardrls()] times one more than the number of outer folds, with a split
#'   less than twice: where there is a single outer fold, the search in all rows, which is not what
#'   is assessed, starts at every penalty from the widths that were found without the fold, and
#'   takes a basis that was selected there. The larger basis of all rows then has the size and the
#'   lambda that were found without the fold, relative to the rows and to the lambda of the search.
#'   With a split of many rows (see the section The search) default penalties, of widths as of maps,
#'   end where a step lowers the error of the rows that are held out by no more than a tenth of its
#'   standard error; then there are fewer of them.
#' @section Widths or a map: A map is chosen, as `penalty.min` or `penalty.1se`, only where its
#'   error is below the smallest one of widths by more than a standard error of this difference
#'   (with `rule = "1se"`: of the error). Since the fits of the folds share rows, the standard error
#'   is multiplied by `sqrt(1 + t / r)`, t the number of rows that are tested, r that of rows that
#'   train (Nadeau and Bengio, 2003): with five folds by 1.5. The outer folds do not repeat this
#'   choice, nor that of the penalty.
#' @section The choice and the larger basis: The step is chosen among those with the basis of the
#'   search, and not anew when it has a larger one, without every outer fold too: at `penalty.1se`
#'   `cvm`, `cvsd`, the held-out predictions, intervals and probabilities are of the larger basis.
#'   So `cvm` may be smaller there than at `penalty.min`.
#' @section Errors: As in [ardrls()], and `sparserls_error_measure`.
#'
#' @inheritParams ardrls
#' @param outer the outer folds: a number of folds; `"split"`, a random fifth of the rows (or
#'   groups, one of fewer than five) once; or folds as in the argument `folds`. `NULL`: five folds
#'   (fewer where there are fewer groups), a split where there are more than 5000 rows.
#' @param type.measure,keep as in [cv.sparserls()].
#' @param rule what `penalty.1se` is: `"paired"`, the first step whose mean difference from the
#'   smallest error, on the same rows (or groups), is within one standard error of this difference;
#'   or `"1se"`, the usual rule, within one standard error of the smallest error. The latter goes
#'   too far where a few outliers or a single hard fold make all errors uncertain; formulas are in
#'   [cv.sparserls()].
#' @param progress whether to show a text bar.
#' @return An object of class `cv.ardrls`, a list with
#'   \item{penalty}{of every step, as in the fit}
#'   \item{cvm, cvsd, cvup, cvlo}{honest error at each, standard error, and error plus and minus it}
#'   \item{name, rule}{of the measure; the `rule` of `penalty.1se`}
#'   \item{penalty.min}{of the smallest error}
#'   \item{penalty.1se}{of the first step, the simplest, that is as good by `rule`}
#'   \item{index, kind}{their positions and kinds, `"widths"` or `"map"`}
#'   \item{foldid}{outer fold of every row; NULL where outer folds overlap or leave rows out}
#'   \item{outer}{`"split"` or `"folds"`}
#'   \item{fit}{the path of [ardrls()] with all rows; its `kernel` has the widths, or the map, of
#'     `penalty.1se`}
#'   \item{fit.preval}{with `keep`: held-out predictions, rows x penalties, or rows x outputs x
#'     penalties; NA where a row is not scored}
#'   \item{refits}{with `keep`: the fits without every outer fold, as in [cv.sparserls()]}
#'   \item{performance, calibration}{at `penalty.min` and `penalty.1se`, as in [cv.sparserls()]; the
#'     latter of classes}
#'   \item{nfolds, omits.more, ngroups, call}{number of outer folds, whether they omit rows that
#'     they do not score, the number of groups where there are some, and the call}
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
cv.ardrls <- function(x, ...) {
  UseMethod("cv.ardrls")
}

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
