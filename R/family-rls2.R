#' Multiple kernel learning: regularized least squares with two layers
#'
#' @description
#' Learns a convex combination of kernels together with the predictor: over the functions
#' `f(x) = b0 + sum_j c_j k(x, x_j)` with `k = sum_i d_i s_i k_i`, `d_i >= 0` and `sum_i d_i = 1`,
#' it minimizes
#'
#' `(1/2) sum_j w_j (y_j - f(x_j))^2 + (lambda / 2) ||f||^2`
#'
#' in c and d. Many weights d come out as exactly zero, at large lambda all but one: with
#' `kernels = NULL`, one linear kernel for every feature, this selects features, and with
#' [kernel_bank()] kernels and features. The whole path of lambda is computed, from large values
#' down. The loss is a *sum*, as everywhere here.
#'
#' @section The optimum: With `R(d) = sum_i d_i s_i K_i` and `c = (R + lambda I)^-1 y` the problem
#'   is the convex one of minimizing `J(d) = (lambda / 2) y'c`, and `(lambda / 2) (max_i s_i c'K_i
#'   c - c'R c)` is at least `J(d) - min J`. The field `gap` is this divided by J(d). `"newton"`
#'   goes on until it is at most `tol`; a warning says where rounding did not allow that. Kernels
#'   that provably stay out are not touched. `"alternate"` is the paper's algorithm, which solves
#'   for c and d in turn until the squared relative residual of the linear system is at most `tol`
#'   (in the paper 1e-4); slow, for teaching. `iterations` counts Newton steps, or rounds.
#' @section Scaling: A large scale `s_i` favours a kernel. `"norm"`, rules (17) and (19) of the
#'   paper: one over the trace of `K_i` over the training rows, for a feature its squared norm, so
#'   that heavy regularization takes the feature of largest correlation. With `newdata` the trace
#'   is over these rows too (transductive). `"fisher"`, rule (18), for classes: one over the sum of
#'   the variances within both classes (of features, or in feature space; divisor n), for each
#'   class against the others. `"none"`: 1. Or numbers, one for each kernel (a matrix, kernels x
#'   outputs).
#' @section Memory: Kernel matrices of rank at most m / 4 (to working precision) are held as factors
#'   of that rank, others as m x m matrices up to 1 GiB in all; the rest is computed in blocks
#'   whenever it is needed. Custom and precomputed kernels and those of sparse x are always held.
#'   The problem itself takes a few m x m matrices. Linear features take x, which is made dense.
#' @section Errors: As in [sparserls()]; `sparserls_error_kernel` also for an empty list of kernels,
#'   for kernels that are all zero on the rows, or not positive semidefinite;
#'   `sparserls_error_scaling` for a rule that does not fit `y`, a kernel that does not vary within
#'   the classes, or numbers that do not fit the kernels. Warnings:
#'   `sparserls_warning_kernel` for kernels that are zero on the rows, `sparserls_warning_gap`.
#'
#' @inheritParams sparserls
#' @param formula,data,subset,na.action as in [sparserls()], with rows in memory as `data` (of
#'   [chunks] the `sample` of [chunks_survey()] is some).
#' @param kernels a list of [kernels], each on any features, from [kernel_bank()] or made by hand;
#'   or a single one. `NULL`: the linear kernel on every feature. Of identical kernels the first is
#'   taken.
#' @param lambda regularization parameters, positive, used and returned in decreasing order; `Inf`
#'   is the limit, all weight on the kernel of largest alignment `s_i y'K_i y` and f constant.
#'   `NULL`: `nlambda` values, evenly spaced on the log scale, from the smallest lambda above which
#'   one kernel carries all the weight down to 1e-5 of it.
#' @param scaling the scales of the kernels: a rule or numbers, see below.
#' @param center whether to centre the kernels in feature space, by the training rows' weighted
#'   mean. The intercept is then the unpenalized one; without centring (as in the paper) it is the
#'   weighted mean of the training rows' y all the same. Refits of [cv.rls2()] then have x centred
#'   over all rows and y over their own: with a linear kernel that explains nearly all of y this
#'   makes the error far too large (leave-one-out of the log of `pressure` by 1 / temperature: 0.087
#'   in place of 0.0029, that of least squares), and a message says so. With
#'   `center = TRUE` it is not.
#' @param newdata rows without response, whose kernel values enter the scaling `"norm"`.
#' @param weights one non-negative weight per row; weight 2 is the same as the row twice, weight 0
#'   leaves the row out of the fit. For classes of unequal size see [class_weights()].
#' @param intercept whether f has the constant b0, the weighted mean of y.
#' @param algorithm `"newton"` or the paper's `"alternate"`.
#' @param tol when to stop: at which relative duality gap, or (`"alternate"`) squared relative
#'   residual.
#' @return An object of class `rls2`, a list with
#'   \item{lambda}{the c values, decreasing}
#'   \item{d}{weights, kernels x lambdas (x outputs)}
#'   \item{scale}{s_i, one per kernel; for several outputs kernels x outputs}
#'   \item{objective, gap, df, nkernels, iterations}{for every lambda (for several outputs matrices,
#'     lambdas x outputs): J, the relative duality gap, the degrees of freedom
#'     `tr(R (R + lambda I)^-1)` with d as if it were given, without the intercept (formula 16), the
#'     number of positive weights, and the steps of the algorithm}
#'   \item{aic, bic, gcv, cp}{for every lambda, of several outputs the sum:
#'     `m log(RSS / m) + 2 q`, `m log(RSS / m) + log(m) q`, `m RSS / (m - q)^2` and Mallows'
#'     `RSS / s2 - m + 2 q`, where q is df, plus 1 with an intercept, m counts rows of positive
#'     weight, and s2 is `RSS / (m - q)` at the smallest lambda. NA where m - q is below 1}
#'   \item{dev.ratio}{share of the (weighted) sum of squares that the fit explains}
#'   \item{kernels}{the kernels, `NULL` for features; \code{names} those that are shown}
#'   \item{scaling, center, algorithm, tol, intercept, standard, call, nobs}{what was used}
#'
#'   The other fields are what `predict()` needs. Between the values of its path `predict()` and
#'   `coef()` solve anew.
#' @references Dinuzzo, F. (2010) Kernel machines with two layers and multiple kernel learning.
#'   arXiv:1001.2709.
#' @seealso [cv.rls2()], [coef.rls2()], [plot.rls2()]
#' @examples
#' fit <- rls2(lpsa ~ . - train, data = prostate, subset = train)
#' fit
#' coef(fit, s = fit$lambda[which.min(fit$gcv)])
#'
#' # kernels on all features and on each
#' x <- as.matrix(prostate[, 1:8])
#' fit <- rls2(x, prostate$lpsa, kernel_bank(x), nlambda = 10)
#' summary(fit, s = fit$lambda[5])
#' @export
rls2 <- function(x, ...) UseMethod("rls2")

#' @rdname rls2
#' @export
rls2.default <- function(x, y, kernels = NULL, lambda = NULL, nlambda = 50,
                         scaling = c("norm", "fisher", "none"), center = FALSE, newdata = NULL,
                         weights = NULL, intercept = TRUE, standardize = TRUE,
                         algorithm = c("newton", "alternate"), tol = 1e-8, threads = NULL, ...) {
  asked <- read_arguments("rls2", match.call(), environment(), ...)
  public_call(fit_problem, rls2_problem(asked))
}

#' @rdname rls2
#' @export
rls2.formula <- function(formula, data, ..., subset, na.action, weights) {
  from_formula(formula_call(match.call(), "rls2", parent.frame(), formula, data), rls2.default, ...)
}

#' Cross-validation of multiple kernel learning
#'
#' Cross-validates [rls2()] over its path of lambda: for every fold the path is followed anew from
#' its beginning, without the fold's rows, and with scales computed without them too (unless the
#' scales are given as numbers, or `newdata` brings all rows into them). Standardization, a default
#' `gamma` and the default grid of lambda are those of all rows. More than two classes are fitted
#' one-versus-all.
#'
#' @section Scaling in the folds: `"fisher"` looks at y and is therefore never computed with the
#'   held-out rows. The paper computes it once; to repeat that, pass its numbers (the field
#'   `scale` of a fit to all rows) as `scaling`.
#' @section A choice at the edge of its grid: As in [cv.sparserls()] a message and the print say so.
#'   The default grid reaches neither the null model (`lambda = Inf`) nor the unregularized end, so
#'   a `lambda.min` at one of its ends calls for a longer grid. With `algorithm = "alternate"` they
#'   also say when `lambda.min` is the smallest of the grid and the alternation stopped short of the
#'   optimum there: such a fit owes its error to the early stop, not to lambda.
#' @section Errors: As in [rls2()], and `sparserls_error_folds` and `sparserls_error_measure` as in
#'   [cv.sparserls()].
#'
#' @inheritParams rls2
#' @inheritParams cv.sparserls
#' @return An object of class `cv.rls2`, with the fields of [cv.sparserls()] (`lambda.1se` is the
#'   largest lambda with an error within one standard error of the smallest); `fit` is the
#'   [rls2()] fit to all rows.
#' @references As for [rls2()].
#' @examples
#' set.seed(1)
#' cv <- cv.rls2(lpsa ~ . - train, data = prostate, subset = train)
#' cv
#' coef(cv, s = "lambda.1se")
#' plot(cv)
#' @export
cv.rls2 <- function(x, ...) UseMethod("cv.rls2")

#' @rdname cv.rls2
#' @export
cv.rls2.default <- function(x, y, kernels = NULL, lambda = NULL, nlambda = 50,
                            scaling = c("norm", "fisher", "none"), center = FALSE, newdata = NULL,
                            weights = NULL, intercept = TRUE, standardize = TRUE,
                            algorithm = c("newton", "alternate"), tol = 1e-8, nfolds = NULL,
                            foldid = NULL, groups = NULL, strata = NULL, folds = NULL,
                            type.measure = NULL, rule = c("1se", "paired"), keep = FALSE,
                            by.output = FALSE, outer = NULL, progress = interactive(),
                            threads = NULL, ...) {
  asked <- read_arguments("cv.rls2", match.call(), environment(), ...)
  public_call(cross_validate, rls2_problem(asked))
}

#' @rdname cv.rls2
#' @export
cv.rls2.formula <- function(formula, data, ..., subset, na.action, weights, foldid, groups,
                            strata) {
  given <- formula_call(match.call(), "cv.rls2", parent.frame(), formula, data)
  from_formula(given, cv.rls2.default, ..., labels = c("foldid", "groups", "strata"))
}
