# What other features say about the response and about a term, on held-out rows: kernel regressions
# on the rows, basis rows, folds and weights of a cross-validation, with its kernel without the
# term's columns (effect-partial.R).

# What all terms share: a problem of least squares on the fit's rows (problem.R), with its `folds`,
# rows of the `basis`, the `kernels` for y and for terms, and
#   used     of each row whether it is in a fold and has weight
#   y        rows x outputs, less the offset; weights; groups: of each row as a number, or NULL
new_nuisance <- function(object, asked, rows) {
  fit <- asked$fit
  cross <- cross_fits_at(asked, rows)
  if (!inherits(cross, "cross_fits")) stop_without(cross, "are no partial effects")
  folds <- list(kind = "rows", folds = whole_folds(cross$folds), groups = NULL, turn = NULL)
  whole <- is.null(fit$basis) || is_full(fit)
  must(whole || !identical(fit$selector, given_points), "basis",
       "Partial effects need a basis of rows.", NULL, "Give numbers of rows as `basis`.")
  # With those that were redundant: without a term others are.
  basis <- if (!whole) sort(unique(c(rows_of_basis(fit), cross$basis$redundant$rows)))
  p <- ncol(rows$x)
  columns <- width_names(fit$columns, p)
  problem <- structure(list(
    design = list(x = rows$x, weights = fit$weights), points = as_points(rows$x, fit$standard),
    standard = fit$standard, columns = columns, feature = fit$blueprint$feature,
    weights = fit$weights, intercept = fit$intercept, threads = check_threads(NULL), nlambda = 50,
    jitter = if (!whole) fit$jitter, solver = "auto", reselect = FALSE,
    holdout_basis = if (!whole) object$holdout_basis %||% "remove"
  ), class = c(if (whole) "rls_problem" else "sparserls_problem", "ridge_problem", "problem"))
  used <- logical(nrow(rows$x))
  used[unlist(cross$folds)] <- TRUE
  list(problem = problem, folds = folds, basis = basis,
       kernels = nuisance_kernels(fit$kernel), used = used & fit$weights > 0,
       y = response_less_offset(fit), weights = fit$weights, groups = cross$groups)
}

# A quarter, once and four times the width of a kernel, for y and for the columns of terms: widths
# by feature, or a map, were searched for y; a term has a common width, which starts at the default.
nuisance_kernels <- function(kernel) {
  scaled <- function(kernel) lapply(c(0.25, 1, 4), scaled_kernel, kernel = kernel)
  own <- has_widths(kernel) || has_map(kernel)
  list(y = scaled(kernel),
       terms = if (own) scaled(replace(kernel, c("gamma", "map", "shared"), list(NULL))))
}

# Linear kernels have no width: lambda is one.
scaled_kernel <- function(kernel, multiple) {
  if (has_map(kernel)) kernel$map <- kernel$map * sqrt(multiple)
  else if (!takes_gamma(kernel)) kernel
  else if (is.null(kernel$gamma)) kernel$multiple <- multiple
  else kernel$gamma <- kernel$gamma * multiple
  kernel
}

# The kernel and the problem where some columns of x are not there.
without_columns <- function(problem, columns) {
  left <- setdiff(seq_along(problem$columns), columns)
  problem$design$x <- columns_at(problem$design$x, left)
  problem$points <- point_features(problem$points, left)
  problem$standard <- lapply(problem$standard, `[`, left)
  problem$feature <- some_features(problem$feature, left)
  problem$columns <- problem$columns[left]
  problem
}

# Which columns belong together (terms_blueprint()), of some of them.
some_features <- function(feature, left) {
  if (is.null(feature)) return(NULL)
  counts <- attr(feature, "counts")
  feature <- feature[left]
  structure(match(feature, unique(feature)), names = names(feature), counts = counts[left])
}

kernel_without <- function(kernel, columns, problem) {
  seen <- unname(kernel$features %||% seq_along(problem$columns))
  stays <- !seen %in% columns
  if (has_map(kernel)) kernel$map <- unname(rows_at(kernel$map, stays))
  if (has_widths(kernel)) {
    known <- names(features_of(problem$feature, problem$columns, length(problem$columns)))[seen]
    kernel$gamma <- kernel$gamma[unique(known[stays])]
  }
  if (!is.null(kernel$features)) {
    kernel$features <- match(seen[stays], setdiff(seq_along(problem$columns), columns))
  }
  kernel
}

# Held-out predictions of the columns of `y` by the features without some, for each kernel: an array
# rows x columns of y x lambda.
held_out_by <- function(nuisance, columns, y, kernels) {
  problem <- without_columns(nuisance$problem, columns)
  if (!any(varying_columns(problem$points$x))) return(held_out_average(nuisance, y))
  problem$y <- y
  kernels <- lapply(kernels, kernel_without, columns, nuisance$problem)
  # The default grid for features ends before shrinkage does.
  if (has_slopes(kernels[[1]])) {
    top <- sum(problem$weights * point_squares(problem$points))
    problem$lambda <- top * 10^seq(0, -10, length.out = problem$nlambda)
  }
  lapply(kernels, function(kernel) {
    candidate <- list(kernel = kernel, selection = list(
      rows = nuisance$basis, wanted = length(nuisance$basis), named = FALSE
    ))
    held_out_means(evaluate(problem, candidate, nuisance$folds, NULL)$held, problem)
  })
}

# By the mean of the rows of other folds, where no other feature varies.
held_out_average <- function(nuisance, y) {
  found <- array(NA_real_, c(dim(y), 1))
  for (fold in nuisance$folds$folds) {
    mean <- colSums(replace(nuisance$weights, fold$omit, 0) * y) /
      sum(nuisance$weights[-fold$omit])
    found[fold$omit, , 1] <- rep(mean, each = length(fold$omit))
  }
  list(found)
}

# For some columns the predictions at the kernel and lambda of the smallest sum of their squared
# errors, rows x columns.
best_held_out <- function(found, y, columns, weights) {
  losses <- lapply(found, function(held) {
    error <- weights * (held[, columns, , drop = FALSE] - as.vector(y[, columns]))^2
    colSums(error, na.rm = TRUE, dims = 2)
  })
  best <- which.min(vapply(losses, min, 0))
  matrix(found[[best]][, columns, which.min(losses[[best]])], nrow(y))
}

# ---- what others leave -----------------------------------------------------------------

# For every term (partial_terms()) with what others leave of y, `r` (rows x outputs), and of its
# columns, `left`, without the reference; and of numbers with more than two values what they leave
# of D^2, D^3 and D times the response that others predict, `more`.
partial_residuals <- function(nuisance, terms, progress) {
  if (goes_parallel(nuisance$problem, length(terms), measured = FALSE)) {
    return(in_parallel(terms, term_residuals, nuisance, "terms"))
  }
  bar <- new_progress(progress, length(terms))
  if (!is.null(bar)) on.exit(bar$close())
  lapply(terms, function(term) {
    if (!is.null(bar)) on.exit(bar$tick())
    term_residuals(nuisance, term)
  })
}

term_residuals <- function(nuisance, term) {
  y <- nuisance$y
  used <- nuisance$used
  d <- term$d
  curved <- ncol(d) == 1 && !term$first && length(unique(d[used])) > 2
  # Near one, so that their powers are.
  z <- if (curved) (d - mean(d[used])) / sd(d[used])
  all <- cbind(y, d, if (curved) cbind(z^2, z^3))
  by_others <- function(kernels) held_out_by(nuisance, term$columns, all, kernels)
  found <- by_others(nuisance$kernels$y)
  for_terms <- if (is.null(nuisance$kernels$terms)) found else by_others(nuisance$kernels$terms)
  said <- function(found, column) best_held_out(found, all, column, nuisance$weights)
  known <- do.call(cbind, lapply(seq_len(ncol(y)), said, found = found))
  of_term <- ncol(y) + seq_len(ncol(d))
  left <- d - said(for_terms, of_term)
  more <- if (curved) {
    # The mean of the same rows falls as a row's own y rises: its product with D would find slopes
    # that differ between groups, and noise that grows with D.
    moved <- known - held_out_average(nuisance, y)[[1]][, , 1]
    cbind(z^2 - said(for_terms, of_term + 1), z^3 - said(for_terms, of_term + 2),
          left[, 1] * moved)
  }
  keep <- if (term$first) -1L else seq_len(ncol(d))
  c(term[c("names", "first")], list(d = columns_at(d, keep), r = y - known,
                                    left = columns_at(left, keep), more = more))
}
