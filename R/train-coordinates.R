# From a problem to rows in coordinates: a `part`, the kernel with what it is expanded by, and the
# training list (train-training.R) of the core. Coordinates are those of a kernel with basis
# vectors, of the features, or of the full kernel.

# ---- basis vectors -----------------------------------------------------------------------------

# A kernel on the problem's points (of kernel_points()) with basis vectors (of new_selection()): its
# values on those that are not redundant, and where the core finds the values of all rows (`rows` of
# points_part(), where basis vectors are none of them).
kernel_part <- function(problem, on_points, selection) {
  kernel <- on_points$kernel
  points <- on_points$points
  basis <- selection$rows
  if (length(basis) == 0) stop_zero_kernel(kernel)
  check_size(selection$wanted, "basis vectors", "basis")
  first <- first_equal(point_rows(points, basis))
  distinct <- unique(first)
  k_bb <- basis_kernel(kernel, points, basis[distinct], problem)
  independent <- independent_basis(k_bb)
  kept <- distinct[independent]
  if (selection$named && length(kept) < length(basis)) {
    warn("basis", "Redundant basis vectors are dropped.",
         paste("rows", enumerate(problem$labels[basis[-kept]], 10)),
         "Each coincides with another one, or the others span it to working precision.")
  }
  members <- c(basis, selection$spanned)
  if (length(selection$spanned)) first <- first_equal(point_rows(points, members))
  list(kernel = kernel, points = points, basis = basis[kept],
       k_bb = k_bb[independent, independent, drop = FALSE], selector = selection$selector,
       redundant = redundant_basis(members, kept, first, distinct[diag(k_bb) == 0]))
}

stop_zero_kernel <- function(kernel) {
  abort("kernel", "The kernel is zero on all rows.", format(kernel),
        "Look at `x` and the kernel's parameters.")
}

# Basis vectors that were dropped, except those on which the kernel is zero: their rows, and
# twin_of, the position (in the basis that was kept) of the vector with which one coincides; 0
# where it is only spanned by others.
redundant_basis <- function(basis, kept, first, zero) {
  dropped <- setdiff(which(!first %in% zero), kept)
  list(rows = basis[dropped], twin_of = match(first[dropped], kept, nomatch = 0L))
}

# K_BB with the jitter on its diagonal.
basis_kernel <- function(kernel, points, basis, problem) {
  some <- point_rows(points, basis)
  k_bb <- kernel_values(kernel, some, some, problem$threads)
  check_kernel_values(k_bb)
  if (is_foreign(kernel)) check_psd(k_bb)
  k_bb <- (k_bb + t(k_bb)) / 2
  largest <- max(diag(k_bb))
  must(largest + problem$jitter > 0,
       "kernel", "The kernel is zero on all basis vectors.", format(kernel))
  # What the fit makes of the rows is then the jitter alone.
  if (largest <= .Machine$double.eps * problem$jitter) {
    warn("jitter", "The kernel's values vanish next to the jitter.",
         sprintf("values up to %s, jitter %s", three_digits(largest), format(problem$jitter)),
         "Look at `x`, or use a smaller `jitter` or standardize = TRUE.")
  }
  diag(k_bb) <- diag(k_bb) + problem$jitter
  k_bb
}

# Pivots of the matrix scaled to a unit diagonal: Cholesky does not care about the
# scale of single basis vectors, so an outlier must not make all others look redundant.
independent_basis <- function(k_bb) {
  scale <- inverse_roots(diag(k_bb))
  computed(.Call(ffi_independent, scale * k_bb * each_row(scale, k_bb),
                 nrow(k_bb) * .Machine$double.eps))$kept
}

# The training list of the core.
core_training <- function(problem, part) {
  among <- is.null(part$rows)
  source <- kernel_source(part$kernel, point_rows(part$points, part$basis),
                          if (among) part$points else part$rows, problem$threads)
  computed(.Call(ffi_train, source, part$k_bb, if (among) part$basis, problem$y, problem$weights,
                 problem$intercept, problem$threads), format(part$kernel))
}

# The kernel of basis vectors with rows, for C: how it finds it, or the values.
kernel_source <- function(kernel, basis, rows, threads) {
  if (!in_c(kernel, rows)) return(kernel_values(kernel, basis, rows, threads))
  list(kernel = kernel_list(kernel), basis = basis$x, rows = rows$x,
       centre = kernel_centre(kernel, basis))
}

# The values of lambda, of a path that was asked for, or (NULL) that fit the data.
ridge_path <- function(problem, part, training, lambda) {
  values <- training$spectrum$values
  if (inherits(lambda, "sparserls_df")) lambda <- check_lambda(solve_df(lambda, values))
  lambda <- lambda %||% fitting_lambda(problem, part, values, max(values) / max(problem$weights),
                                       jitter_shares(problem, part, training))
  check_resolvable(lambda, values)
  # Singular values do not square the condition number.
  if (!identical(training$solver, "svd")) warn_ill_conditioned(lambda, values)
  lambda
}

# The default for eigenvalues `values`; top: of check_varies(); shift: of shift_shares(), or NULL.
fitting_lambda <- function(problem, part, values, top, shift) {
  if (!is.null(problem$jitter)) check_varies(top, part, problem$jitter)
  default_lambda(values, problem$nlambda, shift)
}

# What the jitter makes of the spectrum (shift_shares() in lambda.R); NULL of rls(), which has none.
# weights: of the basis vectors; those that are no rows carry none.
jitter_shares <- function(problem, part, training, weights = problem$weights[part$basis]) {
  if (is.null(problem$jitter)) return(NULL)
  if (!is.null(part$rows)) weights <- numeric(length(part$basis))
  shift_shares(training$spectrum$map, weights, problem$jitter)
}

# The degrees of freedom that are the jitter's, one for each point of a model's path.
model_shift_df <- function(problem, model) {
  shift_df(jitter_shares(problem, model$part, model$training), model$training$spectrum$values,
           model$path$lambda)
}

# Where all rows coincide, one basis vector is left and the intercept takes up its kernel, except
# for what the shift makes of it, an eigenvalue jitter^2 / k(x, x). top: the largest eigenvalue, for
# weights up to one.
check_varies <- function(top, part, jitter) {
  largest <- max(diag(part$k_bb))
  shift <- if (length(part$basis) == 1) 1.01 * jitter * (jitter / largest) else 0
  must(top > shift + length(part$basis) * .Machine$double.eps * largest,
       "lambda", "The kernel is constant over the rows: no default `lambda` fits it.",
       format(part$kernel), "Give `lambda`, or look at `x` and the kernel's parameters.")
}

no_redundant <- list(rows = integer(), twin_of = integer())

# ---- all rows: the features or the full kernel ------------------------------------------------

# A kernel on the problem's points (of kernel_points()) with the solver that serves it ("auto" where
# the gram matrix has still to show whether it is good enough); basis: the rows of the expansion,
# NULL where the terms are slopes.
rls_part <- function(problem, part, solver) {
  linear <- has_slopes(part$kernel)
  features <- ncol(part$points$x)
  # Singular values, which an ill-conditioned gram matrix needs, may be too many.
  wide <- features >= nrow(problem$y) ||
    (features > most_singular_values && nrow(problem$y) <= most_eigenvalues)
  if (solver == "auto" && (!linear || wide)) solver <- "dual"
  must(linear || solver == "dual",
       "kernel", sprintf("The solver \"%s\" needs the plain linear kernel.", solver),
       format(part$kernel), "Use solver = \"dual\".")
  must(solver != "svd" || features <= nrow(problem$y),
       "argument", "The solver \"svd\" needs at least as many rows as features.",
       sprintf("%d rows, %d features", nrow(problem$y), features), "Use solver = \"dual\".")
  if (linear && problem$intercept) part <- centre_part(part, problem)
  c(part, list(solver = solver, basis = if (solver == "dual") which(problem$weights > 0)))
}

# With an intercept x may be centred: the same model, without the digits that an offset takes from
# inner products, and constant columns are found to be constant. `standard`: of the fit, for all
# columns.
centre_part <- function(part, problem) {
  standard <- problem$standard
  if (any(standard$centre != 0)) return(part)
  p <- ncol(problem$points$x)
  features <- part$kernel$features %||% seq_len(p)
  centre <- column_moments(part$points$x, problem$weights)$centre
  part$points <- as_points(part$points$x, list(centre = centre, scale = rep(1, length(centre))))
  standard <- standard %||% list(centre = numeric(p), scale = rep(1, p))
  standard$centre[features] <- centre * standard$scale[features]
  part$standard <- standard
  part
}

# The training list of the core, with the solver that was used.
rls_training <- function(problem, part) {
  solver <- part$solver
  training <- if (solver == "dual") dual_training(problem, part)
              else primal_training(problem, part, solver == "svd")
  if (solver == "auto") {
    values <- training$spectrum$values
    solver <- if (min(values) > 1e-6 * max(values)) "primal" else "svd"
    if (solver == "svd") training <- primal_training(problem, part, TRUE)
  }
  c(training, list(solver = solver))
}

primal_training <- function(problem, part, singular) {
  check_size(ncol(part$points$x),
             sprintf("features for solver = \"%s\"", if (singular) "svd" else "primal"), "x",
             sprintf("Up to %d rows take solver = \"dual\", more of them sparserls().",
                     most_eigenvalues),
             if (singular) most_singular_values else most_eigenvalues)
  training <- computed(.Call(ffi_primal, densify(part$points)$x, problem$y, problem$weights,
                             problem$intercept, singular), format(part$kernel))
  # A constant kernel has no eigenvalues but rounding errors of k(x, x), the same for all rows.
  rounding <- nrow(problem$y) * .Machine$double.eps^2 * max(problem$weights) *
    full_values(part, 1L, 1L, 1L)
  if (max(training$spectrum$values) <= rounding) stop_constant(part)
  training
}

stop_constant <- function(part) {
  abort("kernel", "The kernel is constant over the rows: there is nothing to fit.",
        format(part$kernel), "Look at `x` and the kernel's parameters.")
}

dual_training <- function(problem, part) {
  rows <- part$basis
  must(length(rows) > problem$intercept,
       "x", "With an intercept at least two rows of positive weight are needed.")
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
  # For eigenvalues: the kernel's values have rounding errors, and the reflection that takes the
  # constant out adds to them.
  rounding <- 10 * length(rows) * .Machine$double.eps * max(problem$weights) * largest_value(kernel)
  training <- computed(.Call(ffi_dual, kernel, cross, problem$y, problem$weights,
                             problem$intercept), format(part$kernel))
  check_full_spectrum(training$spectrum$values, max(rounding, .Machine$double.xmin), part)
  training$spectrum$values <- pmax(training$spectrum$values, 0)
  training$spectrum$self_mean <- self_mean(problem, part, kernel)
  # For kernels of differences, k(x, x) = 1.
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
  must(min(values) >= -1e-8 * max(values) || min(values) < -rounding,
       "kernel", "Rounding errors of the kernel's values hide how it varies over the rows.",
       format(part$kernel),
       "Use standardize = TRUE, or kernel parameters that tell the rows apart.")
  check_definite(values)
}

# Kernel of rows with rows.
full_values <- function(part, a, b, threads) {
  if (length(b) == 0) return(matrix(0, length(a), 0))
  kernel_values(part$kernel, point_rows(part$points, a), point_rows(part$points, b), threads)
}
