# Points as a kernel sees them, and one width for each feature.

# Points as a resolved kernel sees them: its features, and with one width for each of them the
# columns times sqrt(gamma), or gamma where distances are absolute, so that what is left is
# gamma = 1 (kernel_list()).
kernel_view <- function(points, kernel) {
  if (!has_widths(kernel)) return(point_features(points, kernel$features))
  used <- which(column_widths(kernel) > 0)
  scale <- width_scales(kernel)
  points <- point_features(points, if (is.null(kernel$features)) used else kernel$features[used])
  if (is_dense(points)) {
    points$x <- points$x * rep(scale, each = nrow(points$x))
  } else {
    points$x <- points$x %*% Diagonal(x = scale)
    if (!is.null(points$shift)) points$shift <- points$shift * scale
  }
  check_range(if (is_dense(points)) points$x else points$x@x, "sqrt(gamma) x")
  points
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
  if (is.null(feature)) setNames(seq_len(p), width_names(columns, p)) else feature
}
