#' Regularized least squares on all rows
#'
#' Ridge regression and kernel ridge regression: fits `f(x) = b0 + sum_i c_i k(x, x_i)` over all `m`
#' rows by minimizing
#'
#' `sum_i w_i (y_i - f(x_i))^2 + lambda ||f||^2`,
#'
#' with the linear kernel `f(x) = b0 + x'b` and `||f||^2 = |b|^2`. One decomposition serves every
#' lambda. The loss is a *sum*, not a mean: for ridge regression glmnet's lambda is
#' `lambda * sd(y) / m`, sd with divisor m.
#'
#' @section Solvers: `"dual"` decomposes the m x m kernel matrix, for any kernel: time of order
#'   m^3, memory of order m^2. With the linear kernel on p features there are two more: `"primal"`,
#'   the p x p gram matrix, and `"svd"`, the singular values of x, somewhat slower, but without
#'   squaring the condition number; both take time of order m p^2. `"auto"` takes the dual where
#'   p >= m and for other kernels, otherwise the gram matrix, and the singular values where the
#'   smallest eigenvalue of the gram matrix is below 1e-6 of the largest. Sparse x stays sparse in
#'   the dual; the other two hold the m x p block of coordinates. The full kernel needs no jitter.
#' @section Accuracy: As in [sparserls()], within 10 times of it for Gaussian kernels down to
#'   `gamma = 1e-4`. With an intercept the dual works with the values of Gaussian and Laplacian
#'   kernels less 1, which is the same problem, so that nothing is lost where all values are near 1.
#'   Values that come from outside have rounding errors of their own: for custom and precomputed
#'   kernels, L counts as at least the largest eigenvalue of the kernel matrix itself.
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
#'   leaves the row out of the fit.
#' @param solver see below.
#' @return An object of class `rls`, a list with
#'   \item{lambda}{the c values, decreasing}
#'   \item{df}{effective degrees of freedom for every lambda, without the intercept}
#'   \item{gcv}{generalized cross-validation, `m RSS / (m - df - 1)^2`; without an intercept
#'     `m RSS / (m - df)^2`; m counts rows of positive weight. Of several outputs the sum}
#'   \item{dev.ratio}{share of the (weighted) sum of squares that the fit explains}
#'   \item{solver}{the one used}
#'   \item{kernel, intercept, standard, call, nobs}{}
#'   and what [coef()][coef.sparserls_fit], [predict()][predict.sparserls_fit] and `fitted()` need.
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
  kernel <- single_kernel(kernel, "cv.rls()")
  design <- as_design(x, y, weights, list(kernel))
  lambda <- check_lambda_df(lambda)
  nlambda <- check_nlambda(nlambda)
  solver <- check_choice(solver, rls_solvers, "solver")
  if (!missing(standardize)) note_standardize(standardize, list(kernel))
  problem <- new_problem(design, list(kernel), intercept, standardize, threads)
  part <- rls_part(problem, kernel, solver)
  cache <- rls_cache(problem, part, rotate = FALSE)
  lambda <- rls_path(cache, lambda, nlambda)
  new_rls(design, problem, part, cache, lambda, generic_call(match.call(), "rls"))
}

#' @rdname rls
#' @export
rls.formula <- function(formula, data, ..., subset, na.action, weights) {
  check_formula_dots(...)
  call <- generic_call(match.call(), "rls")
  design <- formula_design(call, parent.frame(), character())
  fit <- rls.default(design, NULL, ...)
  fit$call <- call
  fit
}

rls_solvers <- c("auto", "dual", "svd", "primal")

check_lambda_df <- function(lambda) {
  if (inherits(lambda, "sparserls_df")) lambda else check_lambda(lambda)
}

# The kernel on the problem's points with the solver that serves it ("auto" where the gram matrix
# has still to show whether it is good enough); basis: the rows of the expansion, NULL where the
# terms are slopes.
rls_part <- function(problem, kernel, solver) {
  part <- kernel_points(problem, kernel)
  linear <- has_slopes(part$kernel)
  wide <- ncol(part$points$x) >= nrow(problem$y)
  if (solver == "auto" && (!linear || wide)) solver <- "dual"
  if (solver != "dual" && !linear) {
    abort("kernel", sprintf("The solver \"%s\" needs the plain linear kernel.", solver),
          format(part$kernel), "Use solver = \"dual\".")
  }
  if (solver == "svd" && ncol(part$points$x) > nrow(problem$y)) {
    abort("argument", "The solver \"svd\" needs at least as many rows as features.",
          sprintf("%d rows, %d features", nrow(problem$y), ncol(part$points$x)),
          "Use solver = \"dual\".")
  }
  c(part, list(solver = solver, basis = if (solver == "dual") which(problem$weights > 0)))
}

# The training cache, with the solver that was used.
rls_cache <- function(problem, part, rotate) {
  solver <- part$solver
  cache <- if (solver == "dual") dual_cache(problem, part)
           else primal_cache(problem, part, solver == "svd", rotate)
  if (solver == "auto") {
    values <- cache$spectrum$values
    solver <- if (min(values) > 1e-6 * max(values)) "primal" else "svd"
    if (solver == "svd") cache <- primal_cache(problem, part, TRUE, rotate)
  }
  check_kernel_varies(cache, part)
  c(cache, list(solver = solver))
}

primal_cache <- function(problem, part, singular, rotate) {
  cache <- .Call(ffi_primal, densify(part$points)$x, problem$y, problem$weights,
                 problem$intercept, singular, rotate)
  stop_status(cache$status, format(part$kernel))
  cache
}

# A constant kernel has no eigenvalues but rounding errors of k(x, x), the same for all rows.
check_kernel_varies <- function(cache, part) {
  rounding <- length(cache$weights) * .Machine$double.eps^2 * full_values(part, 1L, 1L, 1L)
  if (max(cache$spectrum$values) <= max(rounding, 0)) {
    abort("kernel", "The kernel is constant over the rows: there is nothing to fit.",
          format(part$kernel), "Look at `x` and the kernel's parameters.")
  }
}

dual_cache <- function(problem, part) {
  rows <- part$basis
  if (length(rows) <= problem$intercept) {
    abort("x", "With an intercept at least two rows of positive weight are needed.")
  }
  check_size(length(rows), "rows in the full kernel", "x",
             "Use sparserls() with a subset of them as basis.")
  others <- setdiff(seq_along(problem$weights), rows)
  # With an intercept a constant added to the kernel changes nothing. Without the 1 that values near
  # 1 share, their differences keep all digits.
  part$kernel$less_one <- problem$intercept
  kernel <- full_values(part, rows, rows, problem$threads)
  cross <- full_values(part, rows, others, problem$threads)
  check_kernel_values(kernel)
  if (is_custom(part$kernel)) check_symmetric(kernel)
  cache <- .Call(ffi_dual, kernel, cross, problem$y, problem$weights, problem$intercept)
  stop_status(cache$status, format(part$kernel))
  check_definite(cache$spectrum$values)
  cache$spectrum$values <- pmax(cache$spectrum$values, 0)
  cache
}

# Kernel of rows with rows.
full_values <- function(part, a, b, threads) {
  if (length(b) == 0) return(matrix(0, length(a), 0))
  if (is_precomputed(part$kernel)) {
    return(unname(as.matrix(part$points$x[a, b, drop = FALSE])))
  }
  kernel_values(part$kernel, point_rows(part$points, a), point_rows(part$points, b), threads)
}

rls_path <- function(cache, lambda, nlambda) {
  values <- cache$spectrum$values
  if (inherits(lambda, "sparserls_df")) lambda <- check_lambda(solve_df(lambda, values))
  if (is.null(lambda)) lambda <- default_lambda(values, nlambda)
  check_resolvable(lambda, values)
  lambda
}

new_rls <- function(design, problem, part, cache, lambda, call, index = NULL) {
  fit <- new_fit(design, problem, part, cache, lambda, call, "rls", index, solver = cache$solver)
  rows <- sum(problem$weights > 0)
  rss <- (1 - fit$dev.ratio) * fit$nulldev
  fit$gcv <- rows * rss / (rows - fit$df - problem$intercept)^2
  fit
}
