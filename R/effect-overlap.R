# Effects of levels where there are no rows, of fits with a family. (Of least squares the balancing
# weights say what the data cannot tell.) An effect moves rows to a level; where these are farther
# from all rows that have it than those are from each other, the average is extrapolated. Distances
# are those that the kernel sees, so that they order rows as its values do. Linear kernels are taken
# at their word: everything in them is extrapolated by straight lines.

# Of every effect in every part of the rows the share of the rows that are moved where there are
# none; 0 where so few may be chance, NULL where nothing is known. shares: of the complete rows, a
# column for each part.
uncovered_shares <- function(fit, rows, effects, shares) {
  if (!is_likelihood(fit$family) || has_slopes(fit$kernel) || is_foreign(fit$kernel)) return(NULL)
  x <- rows$x[rows$complete, , drop = FALSE]
  found <- vapply(effects, function(effect) {
    if (!effect$difference) return(numeric(ncol(shares)))
    ends <- lapply(1:2, function(end) uncovered_rows(fit, x, rows_at(fit, rows, effect, end)))
    share <- colSums(shares * (ends[[1]]$far | ends[[2]]$far))
    share * (share > 0.1 + 2 / min(ends[[1]]$fewest, ends[[2]]$fewest))
  }, numeric(ncol(shares)))
  as.vector(t(matrix(found, ncol(shares))))
}

# Which rows, as they are moved, are `far` from all of x that have their new levels (columns of two
# values); and the number of these where they are `fewest`: of n distances the largest is exceeded
# by a share of about 1 / n of others.
uncovered_rows <- function(fit, x, moved) {
  changed <- unname(which(Matrix::colSums(moved != x) > 0))
  levels <- Filter(function(j) length(unique(x[, j])) <= 2, changed)
  far <- logical(nrow(x))
  fewest <- Inf
  pattern <- function(x) do.call(paste, as.data.frame(as.matrix(x[, levels, drop = FALSE])))
  if (length(levels) == 0) return(list(far = far, fewest = fewest))
  has <- pattern(x)
  gets <- pattern(moved)
  view <- function(x) densify(kernel_view(new_points(fit, x), fit$kernel))$x
  for (level in unique(gets[gets != has])) {
    there <- which(has == level)
    there <- there[even_rows(length(there), 1000)]
    arrived <- which(gets == level & has != level)
    fewest <- min(fewest, max(2, length(there)))
    if (length(there) < 2) {
      far[arrived] <- TRUE
      next
    }
    known <- view(x[there, , drop = FALSE])
    among <- stats::quantile(nearest_distances(known, known, TRUE), 0.99)
    far[arrived] <- nearest_distances(view(moved[arrived, , drop = FALSE]), known) >
      among + 1e-9 * sum(known^2) / nrow(known)
  }
  list(far = far, fewest = fewest)
}

# Squared, of every row of x to the nearest of z. own: z is x, and no row is its own neighbour.
nearest_distances <- function(x, z, own = FALSE) {
  found <- lapply(row_blocks(nrow(x), nrow(z)), function(rows) {
    part <- x[rows, , drop = FALSE]
    distance <- outer(rowSums(part^2), rowSums(z^2), "+") - 2 * tcrossprod(part, z)
    if (own) distance[cbind(seq_along(rows), rows)] <- Inf
    do.call(pmin, as.data.frame(distance))
  })
  unlist(found, use.names = FALSE)
}

# ---- levels without basis vectors --------------------------------------------------------------
# A basis that leaves a level out takes its rows as others that are near, whatever their response:
# neither the errors nor the balancing weights, which are of the same basis, know what is missing.

# How many basis vectors a level has at least, by simulation (help of derivatives()).
own_vectors <- 5

# Of every effect in every part of the rows, as uncovered_shares(), whether a tenth of the rows are
# moved from or to levels of fewer basis vectors. What a map mixes is not known by columns; of the
# full kernel a level has all that there are.
short_of_vectors <- function(fit, rows, effects, shares) {
  known <- !is.null(coordinates(fit)) && !is_foreign(fit$kernel) && !has_map(fit$kernel)
  if (!known || has_slopes(fit$kernel) || is_full(fit)) return(NULL)
  seen <- seen_columns(fit, fit$kernel)
  centre <- if (is.null(fit$standard)) 0 * seen$column else fit$standard$centre[seen$column]
  basis <- densify(fit$points)$x
  basis <- basis / rep(seen$rate, each = nrow(basis)) + rep(centre, each = nrow(basis))
  found <- vapply(effects, function(effect) {
    if (!effect$difference) return(logical(ncol(shares)))
    colSums(shares * few_vectors(basis, seen$column, rows_at(fit, rows, effect, 1),
                                 rows_at(fit, rows, effect, 2))) > 0.1
  }, logical(ncol(shares)))
  as.vector(t(matrix(found, ncol(shares))))
}

# basis: in the user's units, of the columns that the kernel sees.
few_vectors <- function(basis, columns, low, high) {
  moved <- Filter(function(j) any(low[, j] != high[, j]), columns)
  values <- lapply(moved, function(j) unique(c(low[, j], high[, j])))
  leveled <- moved[lengths(values) == 2]
  middle <- vapply(values[lengths(values) == 2], mean, 0)
  if (length(leveled) == 0) return(logical(nrow(low)))
  level <- function(x, at) {
    x <- as.matrix(x[, at, drop = FALSE]) > rep(middle, each = nrow(x))
    do.call(paste, as.data.frame(x))
  }
  counts <- table(level(basis, match(leveled, columns)))
  few <- function(x) !level(x, leveled) %in% names(counts)[counts >= own_vectors]
  level(low, leveled) != level(high, leveled) & (few(low) | few(high))
}
