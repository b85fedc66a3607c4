# Points: rows of x as the kernels see them. A list of
#   x      the standardized rows, dense; or sparse rows that are scaled only, with
#   shift  what has to be subtracted from every sparse row to centre it (p values)
# Sparse x is never centred explicitly, which would fill it.

standardizer <- function(x, weights, standardize) {
  if (!standardize) return(NULL)
  moments <- column_moments(x, weights)
  list(centre = moments$centre, scale = ifelse(moments$spread > 0, moments$spread, 1))
}

# Weighted means and standard deviations with divisor sum(w); the latter exactly 0 for columns that
# are constant on the rows of positive weight.
column_moments <- function(x, weights) {
  share <- weights / sum(weights)
  centre <- as.vector(Matrix::crossprod(x, share))
  list(centre = centre,
       spread = if (is.matrix(x)) dense_spread(x, share, centre) else sparse_spread(x, share, centre))
}

# Divide by the largest value first: squares of 1e200 or 1e-200 are no doubles.
dense_spread <- function(x, share, centre) {
  used <- which(share > 0)
  all <- length(used) == nrow(x)
  share <- share[used]
  vapply(seq_len(ncol(x)), function(j) {
    column <- if (all) x[, j] else x[used, j]
    top <- max(column)
    bottom <- min(column)
    if (top == bottom) return(0)
    size <- max(top, -bottom)
    size * sqrt(sum(share * ((column - centre[j]) / size)^2))
  }, 0)
}

sparse_size <- function(x) {
  size <- rep(1, ncol(x))
  largest <- tapply(abs(x@x), rep(seq_len(ncol(x)), diff(x@p)), max)
  size[as.integer(names(largest))] <- largest
  replace(size, size == 0, 1)
}

# sum_i w_i (x_i - c)^2 over the entries that are stored, and c^2 for the others.
sparse_spread <- function(x, share, centre) {
  size <- sparse_size(x)
  column <- rep(seq_len(ncol(x)), diff(x@p))
  weight <- share[x@i + 1L]
  deviations <- ((x@x - centre[column]) / size[column])^2
  stored <- Matrix::sparseMatrix(i = x@i, p = x@p, x = weight, dims = dim(x), index1 = FALSE)
  squares <- stored
  squares@x <- weight * deviations
  used <- share > 0
  full <- colSums(stored > 0) == sum(used)
  empty <- ifelse(full, 0, pmax(1 - colSums(stored), 0))
  spread <- size * sqrt(colSums(squares) + empty * (centre / size)^2)
  for (j in which(full)) if (diff(range(x[used, j])) == 0) spread[j] <- 0
  spread
}

# name: what errors call it.
as_points <- function(x, standard, name = "x") {
  if (is.matrix(x)) {
    if (!is.null(standard)) {
      x <- (x - rep(standard$centre, each = nrow(x))) / rep(standard$scale, each = nrow(x))
      dimnames(x) <- NULL
    }
    check_range(x[is.finite(x)], name)
    return(list(x = x, shift = NULL))
  }
  shift <- NULL
  if (!is.null(standard)) {
    x <- x %*% Diagonal(x = 1 / standard$scale)
    shift <- standard$centre / standard$scale
  }
  check_range(x@x, name)
  list(x = x, shift = shift)
}

point_rows <- function(points, rows) {
  points$x <- points$x[rows, , drop = FALSE]
  points
}

point_features <- function(points, features) {
  if (is.null(features)) return(points)
  list(x = points$x[, features, drop = FALSE], shift = points$shift[features])
}

is_dense <- function(points) is.matrix(points$x)

# The standardized rows themselves.
densify <- function(points) {
  if (is_dense(points)) return(points)
  x <- as.matrix(points$x)
  dimnames(x) <- NULL
  if (!is.null(points$shift)) x <- x - rep(points$shift, each = nrow(x))
  list(x = x, shift = NULL)
}

# Rows that repeat an earlier one.
repeated_rows <- function(points) {
  if (is_dense(points)) return(duplicated(points$x))
  by_row <- as(points$x, "RsparseMatrix")
  duplicated(lapply(seq_len(nrow(by_row)), function(i) {
    entries <- seq.int(by_row@p[i] + 1L, length.out = by_row@p[i + 1L] - by_row@p[i])
    list(by_row@j[entries], by_row@x[entries])
  }))
}
