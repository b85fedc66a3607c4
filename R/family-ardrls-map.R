# Linear maps that minimize the exact held-out error, behind the path of widths.
#
# The kernel sees z = L'x, of standardized x. At a penalty the minimum over A and log lambda of
#
#   log(held-out error) + penalty |A|^2 / m,    L = L0 + (g D)^(1/2) A,
#
# where D are the roots of the widths that the maps start from, g is the root of their mean square,
# and L0 is D; or, for `rank` directions, D V, V the leading eigenvectors of the average outer
# product of the gradients of f by D x. Where all widths are equal L is D (I + A). In units of D a
# feature that is hardly relevant could hardly come into any direction (bench/ardrls-map.txt).
#
# With more than `most_mapped` columns A would be large: those of the smallest widths keep these, or
# are left out where there is a `rank`.

most_mapped <- 200

# Maps start from the widths of the last penalty that is not below this one: free widths may have
# overfitted already.
map_start_penalty <- 1

# Maps with where their search starts, as widths_from(); steps: those of widths. Where they stand
# (`at`) is a `map` of the columns `rows`: another search may have had others.
maps_from <- function(problem, widths, steps, from) {
  maps <- start_maps(problem, widths, steps)
  there <- from[[1]]$at
  if (identical(there$rows, maps$rows) && identical(dim(there$map), dim(maps$start))) {
    maps$from <- from
  }
  maps
}

# ---- where they start --------------------------------------------------------------

# As start_widths() of widths; `most` columns have a map. A list of
#   kernel     without its widths
#   at         where the search stands, `map` with one row for each column that has one
#   selection  of the basis
#   start      L0
#   unit       what rows of A are multiplied by
#   x          the columns that have a map
#   rest       the others, scaled by their widths
#   full       the map of all columns that the kernel sees, except for `map`
#   rows       where the rows of `map` stand among its own
#   kind, kernel_at, gradient, scheme   "map", with_map(), map_gradient(), free_map()
start_maps <- function(problem, widths, steps, most = most_mapped) {
  penalty <- joined(steps, "penalty")
  early <- which(is.finite(penalty) & penalty >= map_start_penalty)
  step <- steps[[if (length(early)) max(early) else length(steps)]]
  kernel <- step$kernel
  scale <- sqrt(column_widths(kernel))
  columns <- which(scale > 0)
  leading <- sort(head(order(-scale[columns]), most))
  mapped <- columns[leading]
  start <- start_map(problem, step, scale[mapped], leading)
  others <- if (is.null(problem$rank)) columns[-leading]
  full <- matrix(0, length(scale), ncol(start) + length(others))
  full[cbind(others, ncol(start) + seq_along(others))] <- scale[others]
  names <- width_names(problem$columns, ncol(problem$design$x))
  if (!is.null(kernel$features)) names <- names[kernel$features]
  if (!anyDuplicated(names)) rownames(full) <- names
  x <- widths$x
  list(kernel = replace(kernel, c("gamma", "multiple", "shared"), NULL),
       at = list(map = start, log_lambda = step$at$log_lambda, bounds = step$at$bounds,
                 rows = mapped),
       selection = step$selection, start = start,
       unit = sqrt(sqrt(mean(scale[mapped]^2)) * scale[mapped]),
       x = columns_at(x, leading),
       rest = columns_at(x, match(others, columns)) * each_row(scale[others], x),
       full = full, rows = mapped, kind = "map", kernel_at = with_map, gradient = map_gradient,
       scheme = free_map)
}

# L0 of some columns, `leading` among those that the fit has points of; scale: roots of their
# widths. step: the one that maps start from; of some of the rows it has no fit.
start_map <- function(problem, step, scale, leading) {
  p <- length(scale)
  start <- diag(scale, p)
  if (is.null(problem$rank)) return(start)
  products <- gradient_products(problem, step$fit %||% fit_step(problem, step), leading)
  vectors <- eigen(products, symmetric = TRUE)$vectors
  start %*% columns_at(vectors, seq_len(min(problem$rank, p)))
}

# The sum of the outer products of the gradients of f, by some coordinates of the points as the
# kernel sees them.
gradient_products <- function(problem, fit, coordinates) {
  alpha <- expansion_at(fit, fit$lambda)$alpha
  alpha <- matrix(alpha, nrow(alpha))
  points <- densify(kernel_view(problem$points, fit$kernel))
  slopes <- .Call(ffi_slopes, kernel_list(fit$kernel), fit$points$x, fit$points$centre, alpha,
                  points$x, problem$weights, problem$threads)$slopes
  p <- ncol(points$x)
  Reduce(`+`, lapply(seq_len(ncol(alpha)), function(k) {
    crossprod(sqrt(problem$weights) * columns_at(slopes, (k - 1) * p + coordinates))
  }))
}

# The kernel with a map, turned: that changes no kernel value.
with_map <- function(maps, at) {
  full <- maps$full
  full[maps$rows, seq_len(ncol(at$map))] <- turned_map(at$map)$map
  replace(maps$kernel, "map", list(full))
}

# U S of a map U S V': its columns are orthogonal, the longest first, each with a positive largest
# number. `lengths`: those of the columns.
turned_map <- function(map) {
  found <- svd(map, nv = 0)
  sign <- apply(found$u, 2, function(u) sign(u[which.max(abs(u))]))
  list(map = found$u * each_row(sign * found$d, map), lengths = found$d)
}

# ---- the error and its gradient ------------------------------------------------------

# A function of the map and lambda: the loss and its gradient by both. problem: of the `rows` that
# are used.
map_gradient <- function(maps, problem, basis, plan, rows) {
  gradient <- point_gradient(with_map(maps, maps$at), problem, basis, plan)
  x <- rows_at(maps$x, rows)
  rest <- rows_at(maps$rest, rows)
  middle <- function(x) kernel_centre(maps$kernel, list(x = rows_at(x, basis)))
  mapped <- list(x = x, centre = middle(x))
  rest_middle <- middle(rest)
  function(map, lambda) {
    found <- gradient(cbind(x %*% map, rest), c(drop(mapped$centre %*% map), rest_middle), lambda,
                      mapped)
    if (status_name(found$status) == "ok") found$by_point <- 2 * found$moments %*% map
    found
  }
}

# The share of new_scheme(): most of what maps gain they gain in their first 30 gradients.
map_share <- 0.1

# As width_scheme() of widths.
free_map <- function(at, maps, penalty, problem) {
  unbounded <- rep(Inf, length(maps$start))
  new_scheme(at, "map", function(added) maps$start + maps$unit * added,
             function(map) (map - maps$start) / maps$unit,
             function(by_map) maps$unit * by_map, -unbounded, unbounded, map_share,
             penalty_weight(problem, penalty), identity)
}

# ---- whether they pay ----------------------------------------------------------------

# chosen_points(), but among widths alone where the best map does not gain more over the best widths
# than the standard error of this difference. Folds share rows that train, so that this is larger
# than that of independent rows (Nadeau and Bengio 2003, Machine Learning 52, 239-281). found: of
# evaluate(), the model with its steps; `folds` are the outer ones.
chosen_step <- function(problem, found, folds) {
  held <- found$held
  error <- choice_errors(held, problem)
  index <- chosen_points(problem, found$path, held, error)
  widths <- which(joined(found$model$steps, "kind") == "widths")
  best <- index[["min"]]
  if (best %in% widths) return(index)
  held$scores <- held$scores[, , widths, drop = FALSE]
  among <- chosen_points(problem, list(widths), held, lapply(error, `[`, widths))
  from <- among[["min"]]
  apart <- if (!is_paired(problem$validation$rule)) error
           else differences(found$held, problem, from)
  tested <- lengths(fold_rows(folds$folds, "score"))
  trained <- length(problem$weights) - lengths(fold_rows(folds$folds, "omit"))
  excess <- sqrt(1 + sum(tested) / mean(trained))
  gain <- abs(apart$cvm[best] - apart$cvm[from])
  if (isTRUE(gain > excess * apart$cvsd[best])) index else among
}
