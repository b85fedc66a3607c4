#' Multiple kernel learning: regularized least squares with two layers
#'
#' Combines several kernels, or single features, into one model, and gives those that are not needed
#' a weight of zero. [cv.rls2()] chooses how many are needed.
#'
#' Over the functions `f(x) = b0 + sum_j c_j k(x, x_j)` with `k = sum_i d_i s_i k_i`, `d_i >= 0` and
#' `sum_i d_i = 1`, it minimizes in c and d `(1/2) sum_j w_j (y_j - f(x_j))^2 + (lambda / 2)
#' ||f||^2`. The loss is a *sum*, not a mean. At large lambda all weights d but one are zero.
#'
#' @inheritParams sparserls
#' @param formula,data,subset,na.action as in [sparserls()], with rows in memory as `data`.
#' @param kernels a list of [kernels], each on any features, from [kernel_bank()] or made by hand;
#'   or a single one. `NULL`: the linear kernel on every feature, which selects features.
#' @param lambda penalties, positive, returned in decreasing order; at `Inf`, f is constant. `NULL`:
#'   `nlambda` values, evenly spaced on the log scale, from the lambda above which one kernel has
#'   all the weight down to 1e-5 times this value.
#' @param scaling the scales `s_i` of the kernels; a large one favours a kernel. `"norm"`: one over
#'   the trace of the kernel matrix of the training rows (and `newdata`). `"fisher"`, for classes:
#'   one over the sum of the variances within both classes. `"none"`: 1. Or numbers, one for each
#'   kernel (or kernels x outputs).
#' @param center whether to centre the kernels in feature space, by the weighted mean of the
#'   training rows; the intercept is then unpenalized. With `FALSE` (as in the paper) the intercept
#'   is the weighted mean of y, and the error of [cv.rls2()] may be too large, as a message then
#'   says.
#' @param newdata rows without response, whose kernel values enter the scaling `"norm"`.
#' @param intercept whether f has the constant b0.
#' @param algorithm `"newton"` or the paper's `"alternate"`, which is slow and for teaching.
#' @param tol stop at this relative duality gap or (`"alternate"`) this squared relative residual of
#'   the linear system.
#' @param y,weights,standardize,nlambda,threads as in [sparserls()].
#' @return An object of class `rls2`, a list with
#'   \item{lambda}{the penalties, decreasing}
#'   \item{d, scale}{weights, kernels x lambdas (x outputs); s_i}
#'   \item{objective, gap, nkernels, iterations}{for every lambda (x outputs): the objective, its
#'     largest relative distance from the minimum, the number of positive weights, steps}
#'   \item{df, dev.ratio}{degrees of freedom with d as if it were given, without the intercept;
#'     share of the (weighted) sum of squares that the fit explains}
#'   \item{aic, bic, gcv, cp}{for every lambda, summed over outputs; NA if less than one degree of
#'     freedom is left}
#'   \item{kernels, names}{the kernels, `NULL` for features; their names}
#'   \item{scaling, center, algorithm, tol, call, nobs}{what was used}
#'
#'   Between values of the path, `predict()` and `coef()` solve the problem again.
#' @section Memory: It holds a few m x m matrices and up to 1 GiB of kernel matrices; x is made
#'   dense.
#' @section Errors: As in [sparserls()]; `sparserls_error_kernel` also for kernels that are all zero
#'   on the rows or not positive semidefinite; `sparserls_error_scaling`. Warnings:
#'   `sparserls_warning_kernel`, `sparserls_warning_gap` if rounding kept `gap` above `tol`.
#' @references Dinuzzo, F. (2010) Kernel machines with two layers and multiple kernel learning.
#'   arXiv:1001.2709.
#' @seealso [summary.rls2()], [plot.rls2()], `vignette("fourteen-cancers")`
#' @examples
#' fit <- rls2(lpsa ~ . - train, data = prostate, subset = train)
#' fit
#' coef(fit, s = fit$lambda[which.min(fit$gcv)])
#' @export
rls2 <- function(x, ...) UseMethod("rls2")

#' @rdname rls2
#' @export
rls2.default <- with_defaults(function(x, y, kernels = NULL, lambda = NULL,
  nlambda, scaling = c("norm", "fisher", "none"), center, newdata = NULL, weights, intercept,
  standardize, algorithm, tol = 1e-8, threads, ...) {
  public_call(fit_problem, rls2_problem(read_arguments("rls2", ...)))
})

#' @rdname rls2
#' @export
rls2.formula <- function(formula, data, ..., subset, na.action, weights) {
  from_formula("rls2", formula, data, ...)
}

#' Cross-validation of multiple kernel learning
#'
#' Chooses how many kernels or features [rls2()] combines, by the error on held-out rows. For every
#' fold the whole path of lambda is computed again without its rows.
#'
#' Scales of kernels are computed without the fold too, unless they are numbers or `newdata` has all
#' rows. Standardization, a default `gamma` and the grid of lambda are those of all rows.
#'
#' @inheritParams rls2
#' @inheritParams cv.sparserls
#' @param kernels,lambda,nlambda,scaling,center,newdata,intercept,algorithm,tol as in [rls2()].
#' @param y,weights,standardize,nfolds,foldid,groups,strata,folds as in [cv.sparserls()].
#' @param type.measure,rule,keep,by.output,outer,progress,threads as in [cv.sparserls()].
#' @return An object of class `cv.rls2`, with the fields of [cv.sparserls()]; `fit` is the [rls2()]
#'   fit to all rows.
#' @section A choice at the edge of its grid: The default grid stops short of the null model
#'   (`lambda = Inf`) and of the unregularized end. If `lambda.min` is at an end of the grid, a
#'   message says so: give a longer grid.
#' @section Errors: As in [rls2()] and [cv.sparserls()].
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
cv.rls2.default <- with_defaults(function(x, y, kernels = NULL,
  lambda = NULL, nlambda, scaling = c("norm", "fisher", "none"), center, newdata = NULL, weights,
  intercept, standardize, algorithm, tol = 1e-8, nfolds, foldid, groups, strata, folds,
  type.measure, rule, keep, by.output, outer, progress, threads, ...) {
  public_call(cross_validate, rls2_problem(read_arguments("cv.rls2", ...)))
})

#' @rdname cv.rls2
#' @export
cv.rls2.formula <- function(formula, data, ..., subset, na.action, weights, foldid, groups,
                            strata) {
  from_formula("cv.rls2", formula, data, ...)
}
