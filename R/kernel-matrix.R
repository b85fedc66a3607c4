# Values of kernels on points. The numeric work is in src/kernel.c; here it is
# decided which way the points go in.

#' Kernel matrix
#'
#' The values of a kernel for all pairs of two sets of points, or of one with itself.
#'
#' @param kernel a kernel, see [kernels]; with `gamma = NULL` the default for the rows of `x`.
#' @param x numeric matrix, Matrix or numeric data frame, rows are points. Nothing is standardized.
#' @param z points for the columns of the result, as `x`.
#' @return The matrix of k(x_i, z_j), rows of `x` by rows of `z`, with their names.
#' @section Errors: `sparserls_error_x`, `sparserls_error_kernel` for a kernel that does not fit,
#'   `sparserls_error_not_finite` where kernel values overflow.
#' @examples
#' kernel_matrix(kernel_gaussian(0.5), matrix(1:4, 2))
#' @export
kernel_matrix <- function(kernel, x, z = x) {
  kernel <- single_kernel(kernel, "A `cv.` function")
  same <- missing(z)
  x <- read_matrix(x, "x")
  if (is_precomputed(kernel)) {
    must(same, "kernel", "A precomputed kernel has no values for other points.")
    return(as.matrix(precomputed_points(kernel, x)$x))
  }
  z <- if (same) x else read_matrix(z, "z")
  must(ncol(z) == ncol(x), "x", "`x` and `z` must have the same columns.",
       sprintf("%d and %d columns", ncol(x), ncol(z)))
  px <- as_points(x, NULL)
  kernel <- resolve_kernel(kernel, px, colnames(x))
  a <- kernel_view(px, kernel)
  values <- kernel_values(kernel, a, kernel_view(as_points(z, NULL, "z"), kernel),
                          check_threads(NULL))
  check_kernel_values(values)
  if (same && is_custom(kernel)) check_symmetric(values)
  names <- list(rownames(x), rownames(z))
  if (any(lengths(names))) dimnames(values) <- names
  values
}

check_kernel_values <- function(values) {
  if (all(is.finite(values))) return(values)
  abort("not_finite", "Kernel values overflow.", NULL,
        "Rescale `x`, or lower `degree` or `scale` of the kernel.")
}

in_c <- function(kernel, points) !is_foreign(kernel) && is_dense(points)

# The point that squared distances are computed around lies among the bulk of the points: a mean
# would follow an outlier, and all others would lose digits. Other kernels do not use it.
kernel_centre <- function(kernel, points) {
  if (!is.null(points$centre)) points$centre
  else if (kernel_trait(kernel, "argument") == "squared distance") apply(points$x, 2, median)
  else numeric(ncol(points$x))
}

# Kept for predictions of few rows, which cost less than medians of many.
with_centre <- function(points, kernel) {
  if (in_c(kernel, points)) points$centre <- kernel_centre(kernel, points)
  points
}

# All values of two sets of points, nrow(a) x nrow(b). A sparse fit may meet dense new rows and the
# other way round: then both are dense.
kernel_values <- function(kernel, a, b, threads) {
  dense <- is_dense(a)
  if (dense != is_dense(b)) return(kernel_values(kernel, densify(a), densify(b), threads))
  if (dense && !is_foreign(kernel)) {
    centre <- kernel_centre(kernel, a)
    return(.Call(ffi_kernel_block, kernel_list(kernel), a$x, b$x, centre, threads))
  }
  switch(kernel_trait(kernel, "argument"),
    rows = unname(as.matrix(columns_at(a$x, b$at))),
    matrices = custom_values(kernel, a, b),
    `absolute distance` = dense_values(kernel, a, b, threads),
    sparse_values(kernel, a, b, threads)
  )
}

# k(x, x) of every row.
self_values <- function(kernel, points) {
  self <- switch(kernel_trait(kernel, "argument"),
    product = .Call(ffi_kernel_at, kernel_list(kernel), point_squares(points))$value,
    rows = as.double(Matrix::diag(points$x)),
    matrices = custom_self_values(kernel, points$x),
    rep(kernel_trait(kernel, "self"), nrow(points$x))
  )
  check_kernel_values(self)
  check_self(self)
  if (kernel$normalize && !is_precomputed(kernel)) as.double(self > 0) else self
}

# |x - shift|^2 of every row.
point_squares <- function(points) {
  squares <- rowSums(points$x^2)
  if (is.null(points$shift)) return(squares)
  squares - 2 * as.vector(points$x %*% points$shift) + sum(points$shift^2)
}

# Sparse points by inner products. Kernels of the inner product centre implicitly,
# (x - s)'(z - s) = x'z - x's - z's + s's; where this cancels more than four digits, the points lie
# far from the origin, and dense rows are used instead. Others see differences only.
sparse_values <- function(kernel, a, b, threads) {
  a_squares <- rowSums(a$x^2)
  b_squares <- rowSums(b$x^2)
  products <- as.matrix(tcrossprod(a$x, b$x))
  shift <- a$shift
  if (!sees_distances(kernel) && !is.null(shift)) {
    largest <- max(a_squares, b_squares)
    products <- products -
      outer(as.vector(a$x %*% shift), as.vector(b$x %*% shift) - sum(shift^2), "+")
    a_squares <- point_squares(a)
    b_squares <- point_squares(b)
    if (largest > 1e4 * max(a_squares, b_squares)) return(dense_values(kernel, a, b, threads))
  }
  dimnames(products) <- NULL
  by_row <- function(x) if (sees_distances(kernel)) as(x, "RsparseMatrix")
  .Call(ffi_kernel_from_products, kernel_list(kernel), products, by_row(a$x), by_row(b$x),
        as.double(a_squares), as.double(b_squares), threads)
}

# Values of sparse points from dense rows, some of b at a time.
dense_values <- function(kernel, a, b, threads) {
  a <- densify(a)
  do.call(cbind, lapply(row_blocks(nrow(b$x), ncol(b$x)), function(rows) {
    kernel_values(kernel, a, densify(point_rows(b, rows)), threads)
  }))
}

custom_values <- function(kernel, a, b) {
  must(is.null(a$shift), "kernel", "A custom kernel sees standardized rows, which are not sparse.",
       NULL, "Use standardize = FALSE or as.matrix(x).")
  values <- call_custom(kernel, a$x, b$x)
  if (!kernel$normalize) return(values)
  values * outer(custom_scales(kernel, a$x), custom_scales(kernel, b$x))
}

# k(x, x) of every row before normalization: of a few rows with each other at a time.
custom_self_values <- function(kernel, x) {
  unlist(lapply(split_by(seq_len(nrow(x)), 64), function(some) {
    some <- rows_at(x, some)
    diag(call_custom(kernel, some, some))
  }), use.names = FALSE)
}

custom_scales <- function(kernel, x) {
  self <- custom_self_values(kernel, x)
  check_self(self)
  inverse_roots(self)
}

# 1 / sqrt(k(x, x)) of every row, 0 where that is 0.
inverse_roots <- function(self) ifelse(self > 0, 1 / sqrt(pmax(self, .Machine$double.xmin)), 0)

call_custom <- function(kernel, x, z) custom_matrix(kernel$f(x, z), x, z, "custom kernel")

# What a user's function has returned, as a plain matrix; `who` is what errors call it.
custom_matrix <- function(values, x, z, who) {
  if (is(values, "Matrix")) values <- as.matrix(values)
  if (is.matrix(values)) values <- plain_matrix(values)
  must(is.matrix(values) && is_real(values) && identical(dim(values), c(nrow(x), nrow(z))),
       "kernel", sprintf("The %s must return a %d x %d matrix.", who, nrow(x), nrow(z)),
       shown(values))
  must(all(is.finite(values)), "kernel",
       sprintf("The %s returned values that are missing or not finite.", who))
  dimnames(values) <- NULL
  storage.mode(values) <- "double"
  values
}

# A kernel that R cannot vouch for: symmetric and positive semidefinite on the
# basis vectors.
check_psd <- function(k_bb) {
  check_symmetric(k_bb)
  check_definite(eigen(k_bb, symmetric = TRUE, only.values = TRUE)$values)
}

# Eigenvalues of a kernel matrix.
check_definite <- function(values) {
  must(min(values) >= -1e-8 * max(abs(values)), "kernel",
       "The kernel is not positive semidefinite.",
       sprintf("the kernel matrix has eigenvalues from %s to %s",
               three_digits(min(values)), three_digits(max(values))))
}

check_symmetric <- function(k) {
  must(max(abs(k - Matrix::t(k))) <= 1e-8 * max(abs(k)), "kernel",
       "The kernel matrix is not symmetric.", NULL, "k(x, z) must equal k(z, x).")
}

# Values of k(x, x).
check_self <- function(self) {
  must(!any(self < 0), "kernel", "The kernel is not positive semidefinite.",
       sprintf("k(x, x) is %s in row %d", three_digits(min(self)), which.min(self)))
}

# ---- precomputed kernels ---------------------------------------------------------

precomputed_points <- function(kernel, x) {
  must(nrow(x) == ncol(x), "kernel",
       "With a precomputed kernel `x` must be the square matrix of kernel values.",
       sprintf("%d x %d", nrow(x), ncol(x)))
  check_symmetric(x)
  self <- Matrix::diag(x)
  check_self(self)
  must(!any(x[self == 0, ] != 0), "kernel", "The kernel is not positive semidefinite.",
       "a row with k(x, x) = 0 has other values that are not zero")
  if (kernel$normalize) {
    scale <- inverse_roots(self)
    x <- if (is.matrix(x)) x * outer(scale, scale)
         else Diagonal(x = scale) %*% x %*% Diagonal(x = scale)
  }
  list(x = x, shift = NULL, at = seq_len(nrow(x)))
}
