# Values of kernels on points. The numeric work is in src/kernel.c; here it is
# decided which way the points go in.

#' Kernel matrix
#'
#' @param kernel a kernel, see [kernels]; with `gamma = NULL` the default for the rows of `x`.
#' @param x numeric matrix, Matrix or numeric data frame, rows are points. Nothing is standardized.
#' @param z points of the columns of the result, as `x`.
#' @return The matrix of k(x_i, z_j), rows of `x` by rows of `z`, with their names.
#' @section Errors: `sparserls_error_x` for input that is no numeric matrix, `sparserls_error_kernel`
#'   for a kernel that does not fit it, `sparserls_error_not_finite` where kernel values overflow.
#' @examples
#' kernel_matrix(kernel_gaussian(0.5), matrix(1:4, 2))
#' @export
kernel_matrix <- function(kernel, x, z = x) {
  kernel <- single_kernel(kernel)
  same <- missing(z)
  x <- read_matrix(if (is.data.frame(x)) as.matrix(x) else x, "x")
  if (kernel$name == "precomputed") {
    if (!same) abort("kernel", "A precomputed kernel has no values for other points.")
    return(as.matrix(precomputed_points(kernel, x)$x))
  }
  z <- if (same) x else read_matrix(if (is.data.frame(z)) as.matrix(z) else z, "z")
  if (ncol(z) != ncol(x)) {
    abort("x", "`x` and `z` must have the same columns.",
          sprintf("%d and %d columns", ncol(x), ncol(z)))
  }
  px <- as_points(x, NULL)
  kernel <- resolve_kernel(kernel, px, colnames(x))
  a <- point_features(px, kernel$features)
  b <- point_features(as_points(z, NULL), kernel$features)
  values <- kernel_values(kernel, a, b, check_threads(NULL), same)
  check_kernel_values(values)
  names <- list(rownames(x), rownames(z))
  if (!all(vapply(names, is.null, NA))) dimnames(values) <- names
  values
}

check_kernel_values <- function(values) {
  if (!all(is.finite(values))) {
    abort("not_finite", "Kernel values overflow.", NULL,
          "Rescale `x`, or lower `degree` or `scale` of the kernel.")
  }
}

# What src/bridge_kernel.c reads.
kernel_list <- function(kernel) {
  list(type = kernel$type, gamma = as.double(c(kernel$gamma, NA)[1]),
       degree = as.integer(kernel$degree), scale = as.double(kernel$scale),
       offset = as.double(kernel$offset), normalize = kernel$normalize)
}

in_c <- function(kernel, points) !is.na(kernel$type) && is_dense(points)

# The mean of the points that a kernel of differences is computed around.
kernel_centre <- function(points) as.double(colMeans(points$x))

# All values of two sets of points, nrow(a) x nrow(b); `same`: a is b, so that the
# diagonal is known exactly.
kernel_values <- function(kernel, a, b, threads, same = FALSE) {
  values <- if (in_c(kernel, a) && is_dense(b)) {
    .Call(ffi_kernel_block, kernel_list(kernel), a$x, b$x, kernel_centre(a), threads)
  } else if (kernel$name == "custom") {
    custom_values(kernel, a, b)
  } else if (kernel$name == "laplacian") {
    sparse_laplacian(kernel, a, b, threads)
  } else {
    sparse_values(kernel, a, b, threads)
  }
  if (same && kernel$name %in% c("gaussian", "laplacian")) diag(values) <- 1
  values
}

# Sparse points by inner products. Linear and polynomial kernels centre implicitly,
# (x - s)'(z - s) = x'z - x's - z's + s's; the Gaussian sees differences only.
sparse_values <- function(kernel, a, b, threads) {
  products <- as.matrix(tcrossprod(a$x, b$x))
  a_squares <- rowSums(a$x^2)
  b_squares <- rowSums(b$x^2)
  shift <- a$shift
  if (!is.null(shift) && kernel$name != "gaussian") {
    a_shift <- as.vector(a$x %*% shift)
    b_shift <- as.vector(b$x %*% shift)
    products <- products - outer(a_shift, b_shift - sum(shift^2), "+")
    a_squares <- a_squares - 2 * a_shift + sum(shift^2)
    b_squares <- b_squares - 2 * b_shift + sum(shift^2)
  }
  dimnames(products) <- NULL
  .Call(ffi_kernel_from_products, kernel_list(kernel), products, as.double(a_squares),
        as.double(b_squares), threads)
}

# Sums of absolute differences need dense rows: some at a time.
sparse_laplacian <- function(kernel, a, b, threads) {
  dense <- list(x = as.matrix(a$x), shift = NULL)
  blocks <- row_blocks(nrow(b$x), ncol(b$x))
  do.call(cbind, lapply(blocks, function(rows) {
    some <- list(x = as.matrix(b$x[rows, , drop = FALSE]), shift = NULL)
    kernel_values(kernel, dense, some, threads)
  }))
}

# Rows in blocks of about a million values.
row_blocks <- function(m, p) {
  size <- max(1, floor(2^20 / p))
  split(seq_len(m), (seq_len(m) - 1) %/% size)
}

custom_values <- function(kernel, a, b) {
  if (!is.null(a$shift)) {
    abort("kernel", "A custom kernel sees standardized rows, which are not sparse.", NULL,
          "Use standardize = FALSE or as.matrix(x).")
  }
  values <- call_custom(kernel, a$x, b$x)
  if (!kernel$normalize) return(values)
  scales <- function(x) {
    self <- vapply(seq_len(nrow(x)), function(i) {
      row <- x[i, , drop = FALSE]
      call_custom(kernel, row, row)[1]
    }, 0)
    ifelse(self > 0, 1 / sqrt(pmax(self, .Machine$double.xmin)), 0)
  }
  values * outer(scales(a$x), scales(b$x))
}

call_custom <- function(kernel, x, z) {
  values <- kernel$f(x, z)
  if (is(values, "Matrix")) values <- as.matrix(values)
  if (!is.matrix(values) || !is.numeric(values) || !identical(dim(values), c(nrow(x), nrow(z)))) {
    abort("kernel", sprintf("The custom kernel must return a %d x %d matrix.", nrow(x), nrow(z)),
          describe(values))
  }
  if (!all(is.finite(values))) {
    abort("kernel", "The custom kernel returned values that are missing or not finite.")
  }
  dimnames(values) <- NULL
  storage.mode(values) <- "double"
  values
}

# A kernel that R cannot vouch for: symmetric and positive semidefinite on the
# basis vectors.
check_psd <- function(k_bb) {
  size <- max(abs(k_bb))
  if (max(abs(k_bb - t(k_bb))) > 1e-8 * size) {
    abort("kernel", "The kernel matrix is not symmetric.", NULL, "k(x, z) must equal k(z, x).")
  }
  values <- eigen(k_bb, symmetric = TRUE, only.values = TRUE)$values
  if (min(values) < -1e-8 * max(abs(values))) {
    abort("kernel", "The kernel is not positive semidefinite.",
          sprintf("the kernel matrix of the basis vectors has eigenvalues from %s to %s",
                  format(min(values), digits = 3), format(max(values), digits = 3)))
  }
}

# ---- precomputed kernels ---------------------------------------------------------

precomputed_points <- function(kernel, x) {
  if (nrow(x) != ncol(x)) {
    abort("kernel", "With a precomputed kernel `x` must be the square matrix of kernel values.",
          sprintf("%d x %d", nrow(x), ncol(x)))
  }
  if (max(abs(x - Matrix::t(x))) > 1e-8 * max(abs(x))) {
    abort("kernel", "The precomputed kernel matrix is not symmetric.")
  }
  self <- Matrix::diag(x)
  if (any(self < 0)) {
    abort("kernel", "The precomputed kernel is not positive semidefinite.",
          sprintf("its diagonal has %s in row %d", format(min(self)), which.min(self)))
  }
  if (kernel$normalize) {
    scale <- ifelse(self > 0, 1 / sqrt(pmax(self, .Machine$double.xmin)), 0)
    x <- if (is.matrix(x)) x * outer(scale, scale) else Diagonal(x = scale) %*% x %*% Diagonal(x = scale)
  }
  list(x = x, shift = NULL)
}
