#' Regularized least squares on all rows
#'
#' @description
#' Ridge regression and kernel ridge regression: fits `f(x) = b0 + sum_i c_i k(x, x_i)` over all `m`
#' rows by minimizing
#'
#' `sum_i w_i (y_i - f(x_i))^2 + lambda ||f||^2`,
#'
#' with the linear kernel `f(x) = b0 + x'b` and `||f||^2 = |b|^2`. One decomposition serves every
#' lambda. The loss is a *sum*, not a mean: for ridge regression glmnet's lambda is
#' `lambda * sd(y) / m`, sd with divisor m (without an intercept `sqrt(mean(y^2))` takes its place).
#'
#' @section Solvers: `"dual"` decomposes the m x m kernel matrix, for any kernel: time of order
#'   m^3, memory of order m^2. With the linear kernel on p features there are two more: `"primal"`,
#'   the p x p gram matrix, and `"svd"`, the singular values of x, somewhat slower, but without
#'   squaring the condition number; both take time of order m p^2. `"auto"` takes the dual where
#'   p >= m and for other kernels, otherwise the gram matrix, and the singular values where the
#'   smallest eigenvalue of the gram matrix is below 1e-6 of the largest. LAPACK takes at most 32000
#'   rows of the dual, 32000 features of the gram matrix and 20700 of the singular values; `"auto"`
#'   chooses accordingly, and [sparserls()] has no such limit on rows. Sparse x stays sparse in
#'   the dual; the other two hold the m x p block of coordinates. The full kernel needs no jitter.
#'   With an intercept and the linear kernel x is centred first (the field `standard`), which is the
#'   same model and loses no digits to an offset.
#' @section Accuracy: As in [sparserls()], within 10 times of it for Gaussian kernels down to `gamma
#'   = 1e-4`. With an intercept the dual works with the values of Gaussian, Laplacian and Matern
#'   kernels less 1, which is the same problem: digits that values near 1 have in common cost
#'   nothing. Values that come from outside have rounding errors of their own: for custom and
#'   precomputed kernels, L counts as at least the largest eigenvalue of the kernel matrix itself.
#' @section Errors: As in [sparserls()]; `sparserls_error_kernel` also for a kernel matrix that
#'   has an eigenvalue below -1e-8 of the largest, and for a solver that does not fit the kernel.
#'
#' @inheritParams sparserls
#' @param kernel a kernel, see [kernels]; the linear kernel by default.
#' @param lambda regularization parameters, positive, or [lambda_df()]; used and returned in
#'   decreasing order. `NULL`: `nlambda` values, evenly spaced on the log scale, over
#'   all that a choice could want: from `20 sum(L)`, L the eigenvalues of the problem, where the
#'   degrees of freedom are below 0.05 (the null model), down to the larger of `1e-8 max(L)` and the
#'   lambda at which they are 99 % of the rank. A single one (`nlambda = 1`) is `max(L)`.
#' @param weights one non-negative weight per row; weight 2 is the same as the row twice, weight 0
#'   leaves the row out of the fit. For classes of unequal size see [class_weights()].
#' @param solver see below.
#' @return An object of class `rls`, a list with
#'   \item{lambda}{the c values, decreasing}
#'   \item{df}{effective degrees of freedom for every lambda, without the intercept}
#'   \item{gcv}{generalized cross-validation, `m RSS / (m - df - 1)^2`; without an intercept
#'     `m RSS / (m - df)^2`; m counts rows of positive weight. Of several outputs the sum}
#'   \item{dev.ratio}{share of the (weighted) sum of squares that the fit explains}
#'   \item{solver}{the one used}
#'   \item{kernel, intercept, standard, call, nobs}{what was used}
#'
#'   The other fields are what [coef()][coef.sparserls_fit], [predict()][predict.sparserls_fit] and
#'   `fitted()` need.
#' @references Rifkin, R. and Lippert, R. (2007) Notes on regularized least squares.
#'   MIT-CSAIL-TR-2007-025.
#'
#'   Golub, G. H., Heath, M. and Wahba, G. (1979) Generalized cross-validation as a method for
#'   choosing a good ridge parameter. *Technometrics* 21, 215-223.
#' @seealso [cv.rls()] for leave-one-out and other cross-validation.
#' @examples
#' fit <- rls(lpsa ~ . - train, data = prostate, subset = train)
#' fit
#' coef(fit, s = fit$lambda[which.min(fit$gcv)])
#' @export
rls <- function(x, ...) {
  UseMethod("rls")
}

#' @rdname rls
#' @export
rls.default <- function(x, y, kernel = kernel_linear(), lambda = NULL, nlambda = 50,
                        weights = NULL, intercept = TRUE, standardize = TRUE,
                        solver = c("auto", "dual", "svd", "primal"), threads = NULL, ...) {
  check_dots(..., known = names(formals()))
  kernels <- list(single_kernel(kernel, "cv.rls()"))
  design <- as_design(x, y, weights, kernels)
  if (!missing(standardize)) note_standardize(standardize, kernels)
  fit_problem(rls_problem(design, generic_call(match.call(), "rls"), kernels, lambda, nlambda,
                          intercept, standardize, solver, threads))
}

#' @rdname rls
#' @export
rls.formula <- function(formula, data, ..., subset, na.action, weights) {
  given <- formula_call(match.call(), "rls", parent.frame(), formula, data)
  if (is_chunks(given$read$data)) return(from_chunks(given, rls_chunks, ...))
  from_formula(given, rls.default, ...)
}
