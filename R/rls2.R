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
#'   weighted mean of the training rows' y all the same.
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
rls2 <- function(x, ...) {
  UseMethod("rls2")
}

#' @rdname rls2
#' @export
rls2.default <- function(x, y, kernels = NULL, lambda = NULL, nlambda = 50,
                         scaling = c("norm", "fisher", "none"), center = FALSE, newdata = NULL,
                         weights = NULL, intercept = TRUE, standardize = TRUE,
                         algorithm = c("newton", "alternate"), tol = 1e-8, threads = NULL, ...) {
  check_dots(..., known = names(formals()))
  kernels <- read_kernels(kernels)
  design <- as_design(x, y, weights, kernels)
  settings <- rls2_settings(scaling, center, algorithm, tol)
  if (!missing(standardize)) note_standardize(standardize, kernels)
  fit_problem(rls2_problem(design, generic_call(match.call(), "rls2"), kernels, lambda, nlambda,
                           newdata, settings, intercept, standardize, threads))
}

#' @rdname rls2
#' @export
rls2.formula <- function(formula, data, ..., subset, na.action, weights) {
  from_formula(formula_call(match.call(), "rls2", parent.frame(), formula, data), rls2.default, ...)
}

rls2_settings <- function(scaling, center, algorithm, tol) {
  if (!is_number(tol) || tol <= 0) {
    abort("argument", "`tol` must be a positive number.", describe(tol))
  }
  list(
    scaling = scaling,
    center = check_flag(center, "center"),
    algorithm = check_choice(algorithm, c("newton", "alternate"), "algorithm"),
    tol = as.double(tol),
    extra = 0
  )
}

# kernels: of read_kernels().
rls2_problem <- function(design, call, kernels, lambda, nlambda, newdata, settings, intercept,
                         standardize, threads, validation = NULL) {
  lambda <- check_lambda(lambda, infinite = TRUE)
  nlambda <- check_nlambda(nlambda)
  if (is.null(kernels)) design <- dense_design(design)
  count <- if (is.null(kernels)) ncol(design$x) else length(kernels)
  settings$scaling <- check_scaling(settings$scaling, count, design$response, newdata)
  problem <- new_problem("rls2", design, call,
                         if (is.null(kernels)) list(kernel_linear()) else kernels, intercept,
                         standardize, threads, validation, keep = TRUE, features = is.null(kernels),
                         settings = settings, newdata = newdata, rescale = is.null(newdata))
  problem$unit <- rls2_unit(problem$unit, settings$scaling)
  problem$asked <- list(lambda = scaled_lambda(lambda, problem$unit), nlambda = nlambda)
  problem <- with_bank(problem)
  warn_zero_kernels(problem)
  problem
}

# The bank of kernels on all rows, their scales and the path of lambda.
with_bank <- function(problem) {
  kernels <- if (!problem$features) problem$kernels
  problem$bank <- bank <- within_memory(problem, new_bank(problem, kernels))
  if (!is.null(problem$newdata)) problem$settings$extra <- transduce(problem)
  traces <- bank_traces(bank, problem$weights, problem$settings$center)
  problem$scale <- bank_scale(bank, problem, problem$weights, problem$settings, traces = traces)
  check_all_zero(problem)
  problem$lambda <- rls2_lambda(problem, problem$asked$lambda, problem$asked$nlambda,
                                max(problem$scale * traces))
  problem
}

# Scales by rule are in units of one over the kernels, those of "norm" over their weighted traces.
rls2_unit <- function(unit, scaling) {
  unit$scale <- if (identical(scaling, "norm")) -unit$lambda
                else if (identical(scaling, "fisher")) -2 * unit$x else 0
  unit$lambda <- unit$lambda + unit$scale
  unit
}

# What the new rows add to the traces of the kernels.
transduce <- function(problem) {
  if (is.null(problem$points)) {
    abort("newdata", "`newdata` cannot be used with a precomputed kernel.")
  }
  new <- as_points(forge(problem$design$blueprint, problem$newdata), problem$standard, "newdata")
  if (anyNA(if (is_dense(new)) new$x else new$x@x)) {
    abort("newdata", "`newdata` has missing values.", NULL, "Drop or impute those rows.")
  }
  times_two(newdata_traces(problem$bank, problem, new, problem$settings$center),
            -problem$unit$weights)
}

# largest: s_i tr K_i of all kernels, which no eigenvalue exceeds.
rls2_lambda <- function(problem, lambda, nlambda, largest) {
  if (is.null(lambda)) {
    found <- .Call(ffi_rls2_top, problem$bank$terms, problem$y, problem$weights, problem$intercept,
                   problem$settings$center, problem$scale)
    stop_status(found$status)
    # Where scales differ by many orders the end of the grid is what double precision resolves.
    least <- 10 * tolerance("resolution") * largest
    top <- max(found$top, 10 * least)
    lambda <- lambda_grid(top, max(1e-5 * top, least), nlambda)
  }
  check_resolvable(lambda, c(0, largest), problem$unit)
  lambda
}

# The path for the rows of positive weight; keep: with the weights of kernels and what predicts
# new rows.
rls2_path <- function(problem, lambda = problem$lambda, keep = TRUE) {
  settings <- problem$settings
  path <- .Call(ffi_rls2_path, problem$bank$terms, problem$y, problem$weights, problem$intercept,
                settings$center, problem$scale, lambda, settings$tol,
                settings$algorithm == "alternate", keep)
  user <- times_two(lambda, problem$unit$lambda)
  if (status_name(path$status) == "not_positive") {
    abort("lambda", "`lambda` is too small: the system is singular to working precision.",
          sprintf("lambda %s", format(user[path$reached], digits = 3)), "Use a larger `lambda`.")
  }
  stop_status(path$status)
  warn_gap(path$gap, rep(user, each = ncol(problem$y)), settings)
  shape <- c(ncol(problem$y), length(lambda))
  each <- c("objective", "gap", "df", "iterations", "a0")
  path[each] <- lapply(path[each], matrix, shape[1], shape[2])
  for (name in c("d", "slope", "alpha", "fitted")) {
    if (!is.null(path[[name]])) dim(path[[name]]) <- c(length(path[[name]]) / prod(shape), shape)
  }
  path
}

# gap and lambda: one value for each output and lambda.
warn_gap <- function(gap, lambda, settings) {
  open <- which(gap > settings$tol)
  if (settings$algorithm == "alternate" || length(open) == 0) return(invisible())
  warn("gap", "The relative duality gap stays above `tol`.",
       sprintf("up to %s, at lambda %s", format(max(gap), digits = 2),
               enumerate(unique(format(lambda[open], digits = 3)))),
       "Rounding errors grow as lambda falls: use larger values of `lambda`, or a larger `tol`.")
}

# What solves for values between those of the path.
rls2_solves_from <- c("points", "x", "columns", "labels", "unit", "y", "weights", "intercept",
                      "threads", "settings", "scale", "lambda")

# index: positions of the lambdas whose fitted values matter most.
new_rls2 <- function(problem, path, index = NULL) {
  design <- problem$design
  at <- fitted_positions(nrow(problem$y), ncol(problem$y), length(problem$lambda), index)
  rss <- rls2_squares(problem, path$fitted)
  nulldev <- total_squares(problem)
  unit <- problem$unit
  back <- bring_back(
    c(list(scale = problem$scale, objective = path$objective, nulldev = nulldev),
      rls2_criteria(problem, rss, path$df)),
    list(unit$scale, unit$weights + 2 * unit$y, squares_exponent(unit), 0, 0,
         squares_exponent(unit), 0)
  )
  one <- ncol(problem$y) == 1
  by_lambda <- function(values) if (one) drop(values) else t(values)
  d <- aperm(path$d, c(1, 3, 2))
  dimnames(d) <- list(problem$bank$names, NULL, design$response$outputs)
  settings <- problem$settings
  new_family_fit(problem, "rls2", c(
    list(
      lambda = user_lambda(problem$lambda, unit),
      d = if (one) matrix(d, nrow(d), dimnames = dimnames(d)[1:2]) else d,
      scale = if (one) drop(back$scale) else back$scale,
      objective = by_lambda(back$objective), gap = by_lambda(path$gap), df = by_lambda(path$df),
      nkernels = by_lambda(apply(path$d > 0, 2:3, sum)), iterations = by_lambda(path$iterations)
    ),
    back[c("aic", "bic", "gcv", "cp")],
    list(
      dev.ratio = explained(shared_squares(rss, unit), nulldev), nulldev = back$nulldev,
      kernels = problem$bank$kernels,
      names = problem$bank$names, scaling = settings$scaling, center = settings$center,
      algorithm = settings$algorithm, tol = settings$tol, intercept = problem$intercept,
      standard = problem$standard, expansion = rls2_expansion(path, unit),
      fitted = outputs_times_two(path$fitted[, , at, drop = FALSE], unit$y), fitted_at = at,
      problem = problem[rls2_solves_from]
    )
  ))
}

# What predicts, beside d and the scales of the problem: slopes of features are kept sparse,
# features x (outputs lambdas).
rls2_expansion <- function(path, unit) {
  shape <- dim(path$d)
  list(
    a0 = times_two(path$a0, unit$y),
    alpha = if (!is.null(path$alpha)) outputs_times_two(path$alpha, unit$y),
    slope = if (!is.null(path$slope)) {
      sparse_matrix(matrix(outputs_times_two(path$slope, unit$y), shape[1]))
    }
  )
}

# as(x, "CsparseMatrix") takes a square matrix of tiny values for a symmetric one.
sparse_matrix <- function(x) {
  at <- which(x != 0, arr.ind = TRUE)
  Matrix::sparseMatrix(at[, 1], at[, 2], x = x[at], dims = dim(x))
}

# Weighted residual sums of squares, outputs x lambdas.
rls2_squares <- function(problem, fitted) {
  apply(problem$weights * (as.vector(problem$y) - fitted)^2, 2:3, sum)
}

# Of all outputs together, in the units of the largest.
shared_squares <- function(rss, unit) colSums(output_shares(unit)^2 * rss)

# Criteria for every lambda, summed over outputs, gcv in the units of the problem; rss and df:
# outputs x lambdas. Without a degree of freedom left (the intercept is counted although the kernels
# may span it) they mean nothing.
rls2_criteria <- function(problem, rss, df) {
  m <- sum(problem$weights > 0)
  q <- df + problem$intercept
  q[m - q < 1] <- NA
  last <- ncol(rss)
  s2 <- rss[, last] / (m - q[, last])
  unit <- problem$unit
  log_mean <- log(rss / m) + (unit$weights + 2 * unit$y) * log(2)
  list(
    aic = colSums(m * log_mean + 2 * q), bic = colSums(m * log_mean + log(m) * q),
    gcv = shared_squares(m * rss / (m - q)^2, unit), cp = colSums(rss / s2 - m + 2 * q)
  )
}
