#' Heat map of a kernel matrix
#'
#' Draws the values of a kernel matrix, rows from the top down, with the groups of rows and columns
#' marked: members of a group are side by side, and blocks whose rows and columns belong to the same
#' group are framed. Values that are much larger within groups than between them are a sign that the
#' rows of a group must be held out together, with their basis vectors.
#'
#' @param k numeric matrix, such as a [kernel_matrix()] of basis vectors (rows) with all rows.
#' @param row_groups one label per row of `k`; rows are drawn in the order of the labels.
#' @param column_groups one label per column; for a square matrix the same as `row_groups`.
#' @param absolute whether to draw absolute values.
#' @param ... passed on to [graphics::image()].
#' @return `k`, invisibly.
#' @section Errors: `sparserls_error_x` for a `k` that is no finite numeric matrix,
#'   `sparserls_error_argument` for labels that do not fit it.
#' @references Pahikkala, T., Suominen, H. and Boberg, J. (2012) Efficient cross-validation for
#'   kernelized least-squares regression with sparse basis expansions. *Machine Learning*
#'   87, 381-407. Figure 9.
#' @examples
#' set.seed(1)
#' group <- rep(1:8, each = 5)
#' x <- matrix(rnorm(40 * 3), 40) + 2 * matrix(rnorm(8 * 3), 8)[group, ]
#' first <- which(!duplicated(group))
#' kernel_heatmap(kernel_matrix(kernel_gaussian(0.1), x[first, ], x), group[first], group)
#' @export
kernel_heatmap <- function(k, row_groups = NULL,
                           column_groups = if (nrow(k) == ncol(k)) row_groups, absolute = FALSE,
                           ...) {
  k <- as.matrix(read_matrix(k, "k"))
  absolute <- check_flag(absolute, "absolute")
  rows <- group_order(row_groups, nrow(k), "row_groups")
  columns <- group_order(column_groups, ncol(k), "column_groups")
  shown <- unname(k[rows$order, columns$order, drop = FALSE])
  if (absolute) shown <- abs(shown)
  scale <- heat_scale(shown)
  old <- par(mar = par("mar") + c(0, 0, 0, 3))
  on.exit(par(old))
  upwards <- shown[nrow(k):1, , drop = FALSE]
  settings <- list(x = seq_len(ncol(k)), y = seq_len(nrow(k)), z = t(upwards),
                   col = scale$colours, zlim = scale$limits, xlab = "columns", ylab = "rows",
                   las = 1, xaxt = "n", yaxt = "n")
  plot_with(settings, ..., draw = graphics::image)
  axis(1, whole_ticks(c(1, ncol(k))))
  ticks <- whole_ticks(c(1, nrow(k)))
  axis(2, nrow(k) + 1 - ticks, ticks, las = 1)
  mark_groups(rows$groups, columns$groups)
  colour_key(scale)
  invisible(k)
}

# The order that brings groups together, and the groups in that order.
group_order <- function(groups, size, name) {
  if (is.null(groups)) return(list(order = seq_len(size), groups = NULL))
  groups <- check_labels(groups, size, name, "argument")
  order <- order(groups)
  list(order = order, groups = as.character(groups[order]))
}

# Positive values from light to dark; values of both signs around a light zero.
heat_scale <- function(values) {
  limits <- range(values)
  if (limits[1] >= 0) {
    largest <- if (limits[2] > 0) limits[2] else 1
    return(list(limits = c(0, largest), colours = grDevices::hcl.colors(64, "Blues 3", rev = TRUE)))
  }
  list(limits = c(-1, 1) * max(abs(limits)), colours = grDevices::hcl.colors(65, "Blue-Red 3"))
}

# Frames where the groups of rows and columns agree.
mark_groups <- function(rows, columns) {
  for (group in intersect(rows, columns)) {
    y <- length(rows) + 1 - range(which(rows == group))
    x <- range(which(columns == group))
    graphics::rect(x[1] - 0.5, y[2] - 0.5, x[2] + 0.5, y[1] + 0.5, lwd = 1.5)
  }
}

# Right of the picture, over its whole height.
colour_key <- function(scale) {
  box <- par("usr")
  width <- diff(box[1:2]) / 30
  left <- box[2] + width
  edges <- seq(box[3], box[4], length.out = length(scale$colours) + 1)
  graphics::rect(left, edges[-length(edges)], left + width, edges[-1], col = scale$colours,
                 border = NA, xpd = NA)
  ticks <- pretty(scale$limits, 4)
  ticks <- ticks[ticks >= scale$limits[1] & ticks <= scale$limits[2]]
  at <- box[3] + (ticks - scale$limits[1]) / diff(scale$limits) * diff(box[3:4])
  graphics::text(left + 1.3 * width, at, format(ticks), adj = 0, cex = 0.8, xpd = NA)
}
