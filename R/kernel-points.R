# Points: rows of x as the kernels see them. A list of
#   x      the standardized rows, dense; or sparse rows that are scaled only, with
#   shift  what has to be subtracted from every sparse row to centre it (p values)
# and, of the points that a fit keeps, `centre`, of kernel_centre(); of precomputed kernels, whose x
# are the values with all rows, `at`, which of these the points are.
# Sparse x is never centred explicitly, which would fill it.

# centred: of is_centred(). feature: which columns belong together, NULL for none
# (terms_blueprint()).
standardizer <- function(x, weights, standardize, centred, feature = NULL) {
  if (!standardize) return(NULL)
  moments <- column_moments(x, weights)
  list(centre = if (centred) moments$centre else numeric(ncol(x)),
       scale = feature_scales(moments$sd, feature))
}

# What columns are divided by: their standard deviations, all columns of a feature by the root of
# the sum of their variances, so that every feature adds 2 to the expected squared distance of two
# rows. What does not vary stays as it is. Columns that count differently are multiplied first
# (column_features()).
feature_scales <- function(sd, feature) {
  counts <- attr(feature, "counts")
  if (!is.null(counts)) return(feature_scales(sd * counts, c(feature)) / counts)
  if (!is.null(feature)) sd <- sqrt(as.vector(rowsum(sd^2, feature)))[feature]
  ifelse(sd > 0, sd, 1)
}

# Whether standardized columns are centred. Without an intercept f is to go through the origin of
# the user's x. Kernels of differences do not see the origin, but keep more digits near it.
is_centred <- function(intercept, kernels) intercept || all(vapply(kernels, sees_distances, NA))

# Weighted means and standard deviations, see src/standardize.c.
column_moments <- function(x, weights) {
  if (is.matrix(x)) .Call(ffi_standard_moments, x, weights) else sparse_moments(x, weights)
}

# What src/standardize.c does for dense x, from the entries that are stored:
# sum_i w_i (x_i - c)^2 over them, and c^2 for the others.
sparse_moments <- function(x, weights) {
  share <- weights / sum(weights)
  used <- share > 0
  column <- rep(seq_len(ncol(x)), diff(x@p))
  centre <- as.vector(Matrix::crossprod(x, share))
  weight <- share[x@i + 1L]
  stored <- squares <- Matrix::sparseMatrix(i = x@i, p = x@p, x = weight, dims = dim(x),
                                            index1 = FALSE)
  squares@x <- weight * (x@x - centre[column])^2
  full <- colSums(stored > 0) == sum(used)
  empty <- ifelse(full, 0, pmax(1 - colSums(stored), 0))
  sd <- sqrt(colSums(squares) + empty * centre^2)
  for (j in which(full)) {
    values <- x[used, j]
    if (all(values == values[1])) {
      centre[j] <- values[1]
      sd[j] <- 0
    }
  }
  list(centre = centre, sd = sd)
}

# name: what errors call it.
as_points <- function(x, standard, name = "x") {
  shift <- NULL
  if (!is.null(standard) && is.matrix(x)) {
    x <- .Call(ffi_standardize, x, standard$centre, standard$scale)
  } else if (!is.null(standard)) {
    x <- x %*% Diagonal(x = 1 / standard$scale)
    if (any(standard$centre != 0)) shift <- standard$centre / standard$scale
  }
  check_range(x, name)
  list(x = x, shift = shift)
}

point_rows <- function(points, rows) {
  list(x = points$x[rows, , drop = FALSE], shift = points$shift, at = points$at[rows])
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
  if (!is.null(points$shift)) x <- x - each_row(points$shift, x)
  list(x = x, shift = NULL)
}

# For every row the first that equals it.
first_equal <- function(points) {
  rows <- row_list(points)
  repeated <- duplicated(rows)
  first <- seq_along(rows)
  origins <- which(duplicated(rows, fromLast = TRUE) & !repeated)
  first[repeated] <- vapply(rows[repeated], function(row) {
    Find(function(origin) identical(rows[[origin]], row), origins)
  }, 0L)
  first
}

row_list <- function(points) {
  if (is_dense(points)) return(lapply(seq_len(nrow(points$x)), function(i) points$x[i, ]))
  by_row <- as(points$x, "RsparseMatrix")
  lapply(seq_len(nrow(by_row)), function(i) {
    entries <- seq.int(by_row@p[i] + 1L, length.out = by_row@p[i + 1L] - by_row@p[i])
    list(by_row@j[entries], by_row@x[entries])
  })
}

# ---- as a kernel sees them, and its widths -----------------------------------------------------

# Points as a resolved kernel sees them: its features; of a map their products with it; with one
# width for each of them the columns times sqrt(gamma), or gamma where distances are absolute. What
# is left of these is gamma = 1 (kernel_list()).
kernel_view <- function(points, kernel) {
  if (has_map(kernel)) return(mapped(point_features(points, kernel$features), kernel_map(kernel)))
  if (!has_widths(kernel)) return(point_features(points, kernel$features))
  used <- which(column_widths(kernel) > 0)
  scale <- width_scales(kernel)
  points <- point_features(points, if (is.null(kernel$features)) used else kernel$features[used])
  if (is_dense(points)) {
    points$x <- points$x * each_row(scale, points$x)
  } else {
    points$x <- points$x %*% Diagonal(x = scale)
    if (!is.null(points$shift)) points$shift <- points$shift * scale
  }
  check_range(points$x, "sqrt(gamma) x")
  points
}

# L'x of every row, dense. R's own product does the same sums for a row among others and alone:
# equal rows are to stay equal, to find repeated ones and for kinks.
mapped <- function(points, map) {
  old <- options(matprod = "internal")
  on.exit(options(old))
  x <- as.matrix(points$x %*% map)
  dimnames(x) <- NULL
  if (!is.null(points$shift)) x <- x - each_row(points$shift %*% map, x)
  check_range(x, "x map")
  list(x = x, shift = NULL)
}

# What power of its width scales a column.
width_power <- function(kernel) {
  if (kernel_trait(kernel, "argument") == "absolute distance") 1 else 0.5
}

# What widths that are not zero scale their columns by.
width_scales <- function(kernel) {
  gamma <- column_widths(kernel)
  unname(gamma[gamma > 0])^width_power(kernel)
}

# The width of every column that a resolved kernel sees.
column_widths <- function(kernel) {
  if (is.null(kernel$shared)) kernel$gamma else kernel$gamma[kernel$shared]
}

# Names of all columns, V1, V2, ... of those that have none.
width_names <- function(columns, p) {
  numbered <- paste0("V", seq_len(p))
  if (is.null(columns)) numbered else ifelse(columns %in% c("", NA), numbered, columns)
}

# The same for any columns.
features_of <- function(feature, columns, p) {
  feature %||% setNames(seq_len(p), width_names(columns, p))
}
