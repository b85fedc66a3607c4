#' Multiple kernel learning: regularized least squares with two layers
#'
#' @description
#' Combines several kernels, or single features, into one model, and gives those that are not needed
#' a weight of zero. [cv.rls2()] chooses how many are needed.
#'
#' Over the functions `f(x) = b0 + sum_j c_j k(x, x_j)` with `k = sum_i d_i s_i k_i`, `d_i >= 0` and
#' `sum_i d_i = 1`, it minimizes in c and d
#'
#' `(1/2) sum_j w_j (y_j - f(x_j))^2 + (lambda / 2) ||f||^2`.
#'
#' At large lambda all weights d but one are zero. The whole path of lambda is computed, from large
#' values down. The loss is a *sum*, not a mean.
#'
#' @inheritParams sparserls
#' @param formula,data,subset,na.action as in [sparserls()], with rows in memory as `data` (such as
#'   the `sample` of [chunks_survey()]).
#' @param kernels a list of [kernels], each on any features, from [kernel_bank()] or made by hand;
#'   or a single one. `NULL`: the linear kernel on every feature, which selects features. Of
#'   identical kernels the first is taken.
#' @param lambda penalties, positive, used and returned in decreasing order; `Inf` is the limit, all
#'   weight on the kernel of largest alignment `s_i y'K_i y` and f constant. `NULL`: `nlambda`
#'   values, evenly spaced on the log scale, from the smallest lambda above which one kernel carries
#'   all the weight down to 1e-5 of it.
#' @param scaling the scales of the kernels: a rule or numbers, see below.
#' @param center whether to centre the kernels in feature space, by the weighted mean of the
#'   training rows; the intercept is then unpenalized. Without it (as in the paper) the intercept is
#'   the weighted mean of y, and the error of [cv.rls2()] is far too large for a linear kernel that
#'   explains nearly all of y; a message says so.
#' @param newdata rows without response, whose kernel values enter the scaling `"norm"`.
#' @param intercept whether f has the constant b0.
#' @param algorithm `"newton"` or the paper's `"alternate"`, which is slow and for teaching.
#' @param tol when to stop: at which relative duality gap, or (`"alternate"`) squared relative
#'   residual of the linear system (in the paper 1e-4).
#' @return An object of class `rls2`, a list with
#'   \item{lambda}{the c values, decreasing}
#'   \item{d}{weights, kernels x lambdas (x outputs)}
#'   \item{scale}{s_i, one per kernel; for several outputs kernels x outputs}
#'   \item{objective, gap, nkernels, iterations}{for every lambda (x outputs): J, the relative
#'     duality gap, the number of positive weights, and Newton steps or rounds}
#'   \item{df}{degrees of freedom `tr(R (R + lambda I)^-1)` with d as if it were given, without the
#'     intercept (formula 16 of the paper)}
#'   \item{aic, bic, gcv, cp}{for every lambda, for several outputs the sum:
#'     `m log(RSS / m) + 2 q`, `m log(RSS / m) + log(m) q`, `m RSS / (m - q)^2` and Mallows'
#'     `RSS / s2 - m + 2 q`; q is df, plus 1 with an intercept, m counts rows of positive weight,
#'     and s2 is `RSS / (m - q)` at the smallest lambda. NA where m - q is below 1}
#'   \item{dev.ratio}{share of the (weighted) sum of squares that the fit explains}
#'   \item{kernels}{the kernels, `NULL` for features; \code{names} those that are shown}
#'   \item{scaling, center, algorithm, tol, intercept, standard, call, nobs}{what was used}
#'
#'   The other fields are what `predict()` needs. Between the values of its path, `predict()` and
#'   `coef()` solve again.
#' @section The optimum: With `R(d) = sum_i d_i s_i K_i` and `c = (R + lambda I)^-1 y` the problem
#'   is the convex one of minimizing `J(d) = (lambda / 2) y'c`, and `(lambda / 2) (max_i s_i c'K_i
#'   c - c'R c)` is at least `J(d) - min J`. The field `gap` is this divided by J(d); a warning says
#'   where rounding kept it above `tol`.
#' @section Scaling: A large scale `s_i` favours a kernel. `"norm"` is one over the trace of `K_i`
#'   over the training rows (and `newdata`): heavy regularization then takes the feature of largest
#'   correlation. `"fisher"`, for classes, is one over the sum of the variances within both classes
#'   (rules 17 to 19 of the paper). `"none"` is 1. Or numbers, one for each kernel (or kernels x
#'   outputs).
#' @section Memory: A few m x m matrices, and up to 1 GiB of kernel matrices; others are computed
#'   again when they are needed. Linear features take x, which is made dense.
#' @section Errors: As in [sparserls()]; `sparserls_error_kernel` also for kernels that are all zero
#'   on the rows or not positive semidefinite; `sparserls_error_scaling`. Warnings:
#'   `sparserls_warning_kernel` for kernels that are zero on the rows, `sparserls_warning_gap`.
#' @references Dinuzzo, F. (2010) Kernel machines with two layers and multiple kernel learning.
#'   arXiv:1001.2709.
#' @seealso [cv.rls2()], [coef.rls2()], [plot.rls2()], `vignette("fourteen-cancers")`
#' @examples
#' fit <- rls2(lpsa ~ . - train, data = prostate, subset = train)
#' fit
#' coef(fit, s = fit$lambda[which.min(fit$gcv)])
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
#' @description
#' Chooses how many kernels or features [rls2()] combines, by the error on rows that were held out.
#' For every fold the whole path of lambda is followed again without its rows.
#'
#' Scales of kernels are found without the fold too, unless they are given as numbers or `newdata`
#' brings in all rows. Standardization, a default `gamma` and the grid of lambda are those of all
#' rows. More than two classes are fitted one-versus-all.
#'
#' @inheritParams rls2
#' @inheritParams cv.sparserls
#' @return An object of class `cv.rls2`, with the fields of [cv.sparserls()]; `fit` is the
#'   [rls2()] fit to all rows.
#' @section Scaling in the folds: `"fisher"` looks at y and is never computed with held-out rows. To
#'   repeat the paper, which computes it once, pass the field `scale` of a fit to all rows as
#'   `scaling`.
#' @section A choice at the edge of its grid: A message and the print say so, as in
#'   [cv.sparserls()]. The default grid reaches neither the null model (`lambda = Inf`) nor the
#'   unregularized end: a `lambda.min` at one of its ends calls for a longer grid.
#' @section Errors: As in [rls2()] and [cv.sparserls()].
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
