# Training of RLS on all rows: from a problem to the training list of the core (new_training() in
# src/bridge_train.c).

rls_solvers <- c("auto", "dual", "svd", "primal")

# The kernel on the problem's points with the solver that serves it ("auto" where the gram matrix
# has still to show whether it is good enough); basis: the rows of the expansion, NULL where the
# terms are slopes.
rls_part <- function(problem, kernel, solver) {
  part <- kernel_points(problem, kernel)
  linear <- has_slopes(part$kernel)
  features <- ncol(part$points$x)
  if (solver == "auto" && (!linear || dual_is_better(features, nrow(problem$y)))) solver <- "dual"
  if (solver != "dual" && !linear) {
    abort("kernel", sprintf("The solver \"%s\" needs the plain linear kernel.", solver),
          format(part$kernel), "Use solver = \"dual\".")
  }
  if (solver == "svd" && features > nrow(problem$y)) {
    abort("argument", "The solver \"svd\" needs at least as many rows as features.",
          sprintf("%d rows, %d features", nrow(problem$y), features), "Use solver = \"dual\".")
  }
  if (solver == "svd") check_svd_size(features)
  if (solver %in% c("auto", "primal")) {
    check_size(features, "features for solver = \"primal\"", "x", size_remedy)
  }
  if (linear && problem$intercept) part <- centre_part(part, problem)
  c(part, list(solver = solver, basis = if (solver == "dual") which(problem$weights > 0)))
}

# Where there are no more rows than features, or where singular values, which an ill-conditioned
# gram matrix needs, would be too many.
dual_is_better <- function(features, rows) {
  features >= rows || (features > most_singular_values && rows <= most_eigenvalues)
}

size_remedy <- sprintf("Up to %d rows take solver = \"dual\", more of them sparserls().",
                       most_eigenvalues)

check_svd_size <- function(features) {
  check_size(features, "features for solver = \"svd\"", "x",
             c(size_remedy, sprintf("solver = \"primal\" takes %d features.", most_eigenvalues)),
             most_singular_values)
}

# With an intercept x may be centred: the same model, without the digits that an offset takes from
# inner products, and constant columns are found to be constant. `standard`: of the fit, for all
# columns.
centre_part <- function(part, problem) {
  standard <- problem$standard
  if (any(standard$centre != 0)) return(part)
  p <- ncol(problem$points$x)
  features <- part$kernel$features
  if (is.null(features)) features <- seq_len(p)
  centre <- column_moments(part$points$x, problem$weights)$centre
  part$points <- as_points(part$points$x, list(centre = centre, scale = rep(1, length(centre))))
  if (is.null(standard)) standard <- list(centre = numeric(p), scale = rep(1, p))
  standard$centre[features] <- centre * standard$scale[features]
  part$standard <- standard
  part
}

# The training list of the core, with the solver that was used.
rls_training <- function(problem, part, rotate) {
  solver <- part$solver
  training <- if (solver == "dual") dual_training(problem, part)
              else primal_training(problem, part, solver == "svd", rotate)
  if (solver == "auto") {
    values <- training$spectrum$values
    solver <- if (min(values) > 1e-6 * max(values)) "primal" else "svd"
    if (solver == "svd") {
      check_svd_size(length(values))
      training <- primal_training(problem, part, TRUE, rotate)
    }
  }
  check_kernel_varies(training, part)
  c(training, list(solver = solver))
}

primal_training <- function(problem, part, singular, rotate) {
  training <- .Call(ffi_primal, densify(part$points)$x, problem$y, problem$weights,
                 problem$intercept, singular, rotate)
  stop_status(training$status, format(part$kernel))
  training
}

# A constant kernel has no eigenvalues but rounding errors of k(x, x), the same for all rows.
check_kernel_varies <- function(training, part) {
  rounding <- length(training$weights) * .Machine$double.eps^2 * max(training$weights) *
    full_values(part, 1L, 1L, 1L)
  if (max(training$spectrum$values) <= max(rounding, 0)) stop_constant(part)
}

stop_constant <- function(part) {
  abort("kernel", "The kernel is constant over the rows: there is nothing to fit.",
        format(part$kernel), "Look at `x` and the kernel's parameters.")
}

dual_training <- function(problem, part) {
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
  # Of eigenvalues: the kernel's values have rounding errors, and the reflection that takes the
  # constant out adds to them.
  rounding <- 10 * length(rows) * .Machine$double.eps * max(problem$weights) * largest_value(kernel)
  training <- .Call(ffi_dual, kernel, cross, problem$y, problem$weights, problem$intercept)
  stop_status(training$status, format(part$kernel))
  check_full_spectrum(training$spectrum$values, max(rounding, .Machine$double.xmin), part)
  training$spectrum$values <- pmax(training$spectrum$values, 0)
  training$spectrum$self_mean <- self_mean(problem, part, kernel)
  # Of kernels of differences, k(x, x) = 1.
  training$largest <- replace(rep(-Inf, length(problem$weights)), rows,
                              .Call(ffi_largest, kernel, kernel[1, 1]) + 1 - kernel[1, 1])
  training
}

# The weighted mean of k over all pairs of training rows; kernel: their values, less 1 where that
# was taken away.
self_mean <- function(problem, part, kernel) {
  share <- problem$weights[part$basis] / sum(problem$weights)
  row <- part$basis[1]
  part$kernel$less_one <- NULL
  sum(share * (kernel %*% share)) + drop(full_values(part, row, row, 1L) - kernel[1, 1])
}

check_full_spectrum <- function(values, rounding, part) {
  if (is_foreign(part$kernel) && min(values) < -rounding) check_definite(values)
  if (max(values) <= rounding) stop_constant(part)
  if (min(values) < -1e-8 * max(values) && min(values) >= -rounding) {
    abort("kernel", "Rounding errors of the kernel's values hide how it varies over the rows.",
          format(part$kernel),
          "Use standardize = TRUE, or kernel parameters that tell the rows apart.")
  }
  check_definite(values)
}

# Kernel of rows with rows.
full_values <- function(part, a, b, threads) {
  if (length(b) == 0) return(matrix(0, length(a), 0))
  if (is_precomputed(part$kernel)) {
    return(unname(as.matrix(part$points$x[a, b, drop = FALSE])))
  }
  kernel_values(part$kernel, point_rows(part$points, a), point_rows(part$points, b), threads)
}

rls_path <- function(training, lambda, nlambda) {
  values <- training$spectrum$values
  if (inherits(lambda, "sparserls_df")) lambda <- check_lambda(solve_df(lambda, values))
  if (is.null(lambda)) lambda <- default_lambda(values, nlambda)
  check_resolvable(lambda, values)
  # Singular values do not square the condition number.
  if (!identical(training$solver, "svd")) warn_ill_conditioned(lambda, values)
  lambda
}

new_rls <- function(problem, model, index = NULL) {
  fit <- new_fit(problem, model, "rls", index, solver = model$training$solver)
  rows <- sum(problem$weights > 0)
  rss <- (1 - fit$dev.ratio) * total_squares(problem)
  fit$gcv <- rows * rss / (rows - fit$df - problem$intercept)^2
  fit
}
