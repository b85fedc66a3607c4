# Where the training rows of a fit end: what new rows are held against (predict-scores.R). Fields
#   ranges    2 x p, the lowest and the highest value of every column of x; without bounds where the
#             column belongs to a factor, or predictions do not read it; NULL without columns
#   nearest   of kernels of differences: how near training rows are to the basis (nearest_value())

# seen: the columns that predictions read, NULL for all.
fit_ranges <- function(problem, kernels, seen) {
  if (any(vapply(kernels, is_precomputed, NA))) return(NULL)
  read <- lapply(kernels, read_columns)
  if (length(read) && !any(vapply(read, is.null, NA))) seen <- unlist(read)
  bounded(column_ranges(problem$design$x, problem$weights > 0), problem$design$blueprint, seen)
}

# The columns that a kernel reads, NULL for all.
read_columns <- function(kernel) {
  if (!has_widths(kernel)) return(kernel$features)
  read <- column_widths(kernel) > 0
  if (is.null(kernel$features)) which(read) else kernel$features[read]
}

bounded <- function(ranges, blueprint, seen = NULL) {
  free <- seq_len(ncol(ranges)) %in% blueprint$leveled
  if (!is.null(seen)) free[-seen] <- TRUE
  ranges[, free] <- c(-Inf, Inf)
  ranges
}

# used: which rows count. Of columns without rows Inf and -Inf.
column_ranges <- function(x, used) {
  if (!is.matrix(x)) return(sparse_ranges(x, used))
  if (!any(used)) return(matrix(c(Inf, -Inf), 2, ncol(x)))
  unname(vapply(seq_len(ncol(x)), function(j) range(x[used, j]), numeric(2)))
}

# Entries that are not stored are zeros.
sparse_ranges <- function(x, used) {
  kept <- used[x@i + 1L]
  column <- rep(seq_len(ncol(x)), diff(x@p))[kept]
  full <- tabulate(column, ncol(x)) == sum(used)
  ranges <- rbind(ifelse(full, Inf, 0), ifelse(full, -Inf, 0))
  stored <- vapply(split(x@x[kept], column), range, numeric(2))
  at <- unique(sort(column))
  ranges[1, at] <- pmin(ranges[1, at], stored[1, ])
  ranges[2, at] <- pmax(ranges[2, at], stored[2, ])
  ranges
}

# The smallest, over training rows x, of the largest k(x, b) over the basis vectors b elsewhere than
# x. As a basis vector is near itself, one in a thousand of all rows may be farther from the others,
# if it is one: a few odd rows are not to hide all others.
# largest: of kernel_source (src/ridge.h).
nearest_value <- function(problem, part, largest) {
  if (!sees_distances(part$kernel)) return(NULL)
  own <- seq_along(largest) %in% if (is.null(part$rows)) part$basis
  used <- problem$weights > 0 & is.finite(largest)
  if (!any(used)) return(NULL)
  sorted <- sort(largest[used])
  min(sorted[1 + length(sorted) %/% 1000], largest[used & !own])
}
