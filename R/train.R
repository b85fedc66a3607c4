# From a problem to the training list of the core (new_training() in src/bridge_train.c).

# A kernel on the problem's points (of kernel_points()) with basis vectors (of new_selection()): its
# values on those that are not redundant, and where the core finds the values of all rows (`rows` of
# points_problem(), where basis vectors are none of them).
kernel_problem <- function(problem, on_points, selection) {
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
  if (selection$named) note_basis(problem$labels[basis[-kept]])
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

# Basis vectors that were dropped but for those on which the kernel is zero: their rows, and
# twin_of, the position (in the basis that was kept) of the vector with which one coincides; 0
# where it is only spanned by others.
redundant_basis <- function(basis, kept, first, zero) {
  dropped <- setdiff(which(!first %in% zero), kept)
  list(rows = basis[dropped], twin_of = match(first[dropped], kept, nomatch = 0L))
}

# K_BB with the jitter on its diagonal.
basis_kernel <- function(kernel, points, basis, problem) {
  k_bb <- if (is_precomputed(kernel)) {
    unname(as.matrix(points$x[basis, basis, drop = FALSE]))
  } else {
    some <- point_rows(points, basis)
    kernel_values(kernel, some, some, problem$threads)
  }
  check_kernel_values(k_bb)
  if (is_foreign(kernel)) check_psd(k_bb)
  k_bb <- (k_bb + t(k_bb)) / 2
  if (max(diag(k_bb)) + problem$jitter <= 0) {
    abort("kernel", "The kernel is zero on all basis vectors.", format(kernel))
  }
  warn_drowned(max(diag(k_bb)), problem)
  diag(k_bb) <- diag(k_bb) + problem$jitter
  k_bb
}

# largest: of the kernel's values. What the fit makes of the rows is then the jitter alone.
warn_drowned <- function(largest, problem) {
  if (largest > .Machine$double.eps * problem$jitter) return(invisible())
  warn("jitter", "The kernel's values vanish beside the jitter.",
       sprintf("values up to %s, jitter %s", format(largest, digits = 3), format(problem$jitter)),
       "Look at `x`, or use a smaller `jitter` or standardize = TRUE.")
}

# Pivots of the matrix scaled to a unit diagonal: Cholesky does not care about the
# scale of single basis vectors, so an outlier must not make all others look redundant.
independent_basis <- function(k_bb) {
  scale <- ifelse(diag(k_bb) > 0, 1 / sqrt(pmax(diag(k_bb), .Machine$double.xmin)), 0)
  scaled <- scale * k_bb * rep(scale, each = nrow(k_bb))
  result <- .Call(ffi_independent, scaled, nrow(k_bb) * .Machine$double.eps)
  stop_status(result$status)
  result$kept
}

# The training list of the core. rotate: prepare for the update form of the hold-out.
core_training <- function(problem, part, rotate) {
  among <- is.null(part$rows)
  rows <- if (among) part$points else part$rows
  source <- if (in_c(part$kernel, part$points)) {
    some <- point_rows(part$points, part$basis)
    list(kernel = kernel_list(part$kernel), basis = some$x, rows = rows$x,
         centre = kernel_centre(part$kernel, some))
  } else if (is_precomputed(part$kernel)) {
    unname(as.matrix(part$points$x[part$basis, , drop = FALSE]))
  } else {
    kernel_values(part$kernel, point_rows(part$points, part$basis), rows, problem$threads)
  }
  training <- .Call(ffi_train, source, part$k_bb, if (among) part$basis, problem$y,
                    problem$weights, problem$intercept, rotate, problem$threads)
  stop_status(training$status, format(part$kernel))
  training
}

# weights: of the basis vectors, see shift_shares().
path_lambda <- function(training, part, weights, jitter, lambda, nlambda) {
  values <- training$spectrum$values
  if (is.null(lambda)) {
    check_varies(max(values) / max(training$weights), part, jitter)
    lambda <- default_lambda(values, nlambda,
                             shift_shares(training$spectrum$map, weights, jitter))
  }
  check_resolvable(lambda, values)
  warn_ill_conditioned(lambda, values)
  lambda
}

# Of basis vectors that are rows; others carry no jitter.
basis_weights <- function(problem, part) {
  if (is.null(part$rows)) problem$weights[part$basis] else numeric(length(part$basis))
}

# The degrees of freedom that are the jitter's, one for each point of a model's path.
model_shift_df <- function(problem, model) {
  spectrum <- model$training$spectrum
  weights <- basis_weights(problem, model$part)
  shift_df(shift_shares(spectrum$map, weights, problem$jitter), spectrum$values, model$path$lambda)
}

# Where all rows coincide, one basis vector is left and the intercept takes up its kernel: but for
# what the shift makes of it, an eigenvalue jitter^2 / k(x, x). top: the largest eigenvalue, for
# weights up to one.
check_varies <- function(top, part, jitter) {
  largest <- max(diag(part$k_bb))
  shift <- if (length(part$basis) == 1) 1.01 * jitter * (jitter / largest) else 0
  if (top <= shift + length(part$basis) * .Machine$double.eps * largest) {
    abort("lambda", "The kernel is constant over the rows: no default `lambda` fits it.",
          format(part$kernel), "Give `lambda`, or look at `x` and the kernel's parameters.")
  }
}

no_redundant <- list(rows = integer(), twin_of = integer())
