# Slopes: the derivatives of f by the columns of x, in the user's units of both.

expansion_slopes.sparserls_fit <- function(object, expansion, x, share) {
  check_expansion(object, "derivatives")
  alpha <- matrix(expansion$alpha, nrow(expansion$alpha))
  if (!is.null(object$basis)) {
    check_slopes(object$kernel)
    return(kernel_slopes(object, object$kernel, object$points, alpha, x, share))
  }
  seen <- seen_columns(object, object$kernel)
  rates <- matrix(0, nrow(alpha), ncol(x))
  rates[cbind(seq_along(seen$column), seen$column)] <- seen$rate
  list(slopes = array(each_row(crossprod(rates, alpha), x),
                      c(nrow(x), ncol(x), ncol(alpha))),
       average = sum(share) * rates)
}

check_slopes <- function(kernel) {
  unknown <- is_precomputed(kernel) || is_custom(kernel) && is.null(kernel$slope)
  must(!unknown, "kernel", "Derivatives need a kernel whose derivative is known.", format(kernel),
       if (is_custom(kernel)) "Give kernel_custom() the `slope` of its function."
       else "Use kernel_gaussian() or another of ?kernels.")
}

# The columns of x that a kernel sees, and how fast its coordinates (with a map what it maps) move
# with each of them.
seen_columns <- function(object, kernel) {
  column <- unname(kernel$features %||% seq_len(object$blueprint$p))
  rate <- rep(1, length(column))
  if (has_widths(kernel)) {
    used <- which(column_widths(kernel) > 0)
    column <- column[used]
    rate <- width_scales(kernel)
  }
  if (!is.null(object$standard)) rate <- rate / object$standard$scale[column]
  list(column = column, rate = rate)
}

# points: the terms of the expansion as the kernel sees them. Blocks of rows: sparse ones become
# dense, and a user's function answers a row for each with all points.
kernel_slopes <- function(object, kernel, points, alpha, x, share) {
  sparse <- !is_dense(points)
  points <- densify(points)
  seen <- seen_columns(object, kernel)
  centre <- kernel_centre(kernel, points)
  slopes <- array(0, c(nrow(x), ncol(x), ncol(alpha)))
  average <- matrix(0, nrow(alpha), ncol(x))
  for (rows in row_blocks(nrow(x), max(ncol(points$x), if (is_custom(kernel)) nrow(points$x)))) {
    new <- alike(rows_at(x, rows), sparse)
    new <- densify(kernel_view(new_points(object, new), kernel))
    found <- if (is_custom(kernel)) custom_slopes(kernel, points$x, alpha, new$x, share[rows])
             else .Call(ffi_slopes, kernel_list(kernel), points$x, centre, alpha, new$x,
                        share[rows], check_threads(NULL))
    slopes[rows, seen$column, ] <- by_column(kernel, found$slopes)
    average[, seen$column] <- average[, seen$column] + by_column(kernel, found$average)
  }
  check_kernel_values(slopes)
  rate <- replace(numeric(ncol(x)), seen$column, seen$rate)
  list(slopes = slopes * each_row(rate, x),
       average = average * each_row(rate, average))
}

# Derivatives by L'x, rows x (directions x outputs), as those by the columns of x that a kernel with
# a map L sees, rows x (columns x outputs); without a map they are these.
by_column <- function(kernel, slopes) {
  if (!has_map(kernel)) return(slopes)
  map <- kernel_map(kernel)
  outputs <- split_by(seq_len(ncol(slopes)), ncol(map))
  do.call(cbind, lapply(outputs, function(of) tcrossprod(columns_at(slopes, of), map)))
}

# What ffi_slopes answers, of a user's function.
custom_slopes <- function(kernel, basis, alpha, x, share) {
  check_custom_slope(kernel, x, basis)
  rates <- lapply(seq_len(ncol(x)), custom_slope(kernel, x, basis))
  slopes <- array(unlist(lapply(rates, `%*%`, alpha)), c(nrow(x), ncol(alpha), ncol(x)))
  list(slopes = aperm(slopes, c(1, 3, 2)),
       average = vapply(rates, crossprod, numeric(nrow(basis)), share))
}

# The function of d that answers dk(x_i, z_k) / dx_id for all pairs. For a normalized kernel, with
# s = sqrt(k(x, x)) and d k(x, x) / dx_d twice the derivative by one side,
#   dk / (s_x s_z) - k / (s_x s_z) dk(x, x) / k(x, x)
custom_slope <- function(kernel, x, z) {
  if (!kernel$normalize) return(function(d) custom_rates(kernel, x, z, d))
  left <- custom_scales(kernel, x)
  scales <- outer(left, custom_scales(kernel, z))
  values <- call_custom(kernel, x, z) * scales
  function(d) {
    rows <- lapply(seq_len(nrow(x)), rows_at, x = x)
    self <- vapply(rows, function(row) custom_rates(kernel, row, row, d)[1], 0)
    custom_rates(kernel, x, z, d) * scales - values * self * left^2
  }
}

# What the user's function answers.
custom_rates <- function(kernel, x, z, d) {
  custom_matrix(kernel$slope(x, z, d), x, z, "slope of the custom kernel")
}

# A wrong slope would go unnoticed: it is held against differences of `f` at pairs of a few rows of
# x and z, where those on both sides agree (`f` may have kinks, or fail), in columns that inner
# products can tell apart.
check_custom_slope <- function(kernel, x, z) {
  x <- rows_at(x, even_rows(nrow(x), 6))
  z <- rows_at(z, even_rows(nrow(z), 5))
  for (d in seq_len(ncol(x))) {
    spread <- diff(range(x[, d], z[, d]))
    if (spread <= 1e-3 * sqrt(max(rowSums(x^2)))) next
    step <- 1e-5 * spread
    values <- lapply(c(-step, 0, step), function(by) {
      x[, d] <- x[, d] + by
      or_null(suppressWarnings(as.matrix(kernel$f(x, z))))
    })
    slope <- custom_rates(kernel, x, z, d)
    difference <- (values[[3]] - values[[1]]) / (2 * step)
    size <- pmax(abs(slope), abs(difference))
    bend <- abs(values[[3]] - 2 * values[[2]] + values[[1]]) / step
    seen <- which(bend <= max(0, size, na.rm = TRUE) / 20)
    error <- abs(slope - difference)[seen]
    if (length(seen) < length(slope) / 2 || sum(error) <= sum(size[seen]) / 20) next
    worst <- seen[which.max(error)]
    abort("kernel", "The `slope` of the custom kernel is not the derivative of its `f`.",
          sprintf("by column %d, at a pair of rows: slope %s, central difference of `f` %s", d,
                  format(slope[worst], digits = 4), format(difference[worst], digits = 4)),
          "It returns dk(x, z) / dx_j: by column j of the first matrix, not of the second.")
  }
}

# Rows as those of the fit were: the same values are then the same numbers, which kinks ask for.
alike <- function(x, sparse) {
  if (sparse == !is.matrix(x)) x else if (sparse) as(x, "CsparseMatrix") else as.matrix(x)
}
