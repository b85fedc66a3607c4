# Linear maps that minimize the exact held-out error, behind the path of widths.
#
# The kernel sees z = L'x, of standardized x. At a penalty the minimum over A and log lambda of
#
#   log(held-out error) + penalty |A|^2 / m,    L = L0 + (g D)^(1/2) A,
#
# where D are the roots of the widths that the maps start from, g is the root of their mean square,
# and L0 is D; or, for `rank` directions, D V, V the leading eigenvectors of the average outer
# product of the gradients of f by D x. Where all widths are equal L is D (I + A). In units of D a
# feature that is hardly relevant could hardly come into any direction (bench/ardrls-map.md).
#
# With more than `most_mapped` columns A would be large: those of the smallest widths keep these, or
# are left out where there is a `rank`.

most_mapped <- 200

# Maps start from the widths of the last penalty that is not below this one: free widths may have
# overfitted already.
map_start_penalty <- 1

# widths, folds: of the search; steps: those of widths. It answers steps of maps as
# relevance_path() does those of widths; where they stand (`at`) is a `map` of the columns that have
# one. from, near, ends, fits: as there.
map_steps <- function(problem, folds, widths, steps, from = NULL, near = FALSE, ends = NULL,
                      fits = TRUE) {
  maps <- start_maps(problem, widths, steps)
  known <- c("rows", "start", "unit")
  alike <- identical(from[[1]]$at$rows, maps$rows) &&
    identical(dim(from[[1]]$at$map), dim(maps$start))
  if (!alike) from <- NULL
  near <- near && alike
  # What was seen on the way to those is in their units.
  if (near) maps[known] <- from[[1]]$at[known]
  at <- maps$at
  found <- list()
  for (i in which(problem$kind == "map")) {
    search <- on_basis(problem, maps, maps$selection, folds)
    k <- length(found) + 1
    other <- from[[k]]$at
    if (near && k > 1) other <- shifted(other, from[[k - 1]]$at, at)
    at <- minimize_error(search$objective, at, problem$penalty[i], maps, problem, other, near)
    # It holds three m x n blocks.
    search <- NULL
    at[known] <- maps[known]
    found <- c(found, list(new_step(problem, i, with_map(maps, at$map), maps$selection, at, fits)))
    if (!is.null(ends) && ends(found)) break
  }
  found
}

# The share of error_tolerance(): most of what maps gain they gain in their first 30 gradients.
map_share <- 0.1

# ---- where they start --------------------------------------------------------------

# As start_widths() of widths; `most` columns have a map. A list of
#   kernel     without its widths
#   at         where the search stands, `map` with one row for each column that has one
#   selection  of the basis
#   start      L0
#   unit       what rows of A are multiplied by
#   x          the columns that have a map
#   rest       the others, scaled by their widths
#   full       the map of all columns that the kernel sees, but for `map`
#   rows       where the rows of `map` stand among its own
#   gradient, scheme   map_gradient(), free_map()
start_maps <- function(problem, widths, steps, most = most_mapped) {
  step <- steps[[start_step(vapply(steps, `[[`, 0, "penalty"))]]
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
       at = list(map = start, log_lambda = step$at$log_lambda, bounds = step$at$bounds),
       selection = step$selection, start = start,
       unit = sqrt(sqrt(mean(scale[mapped]^2)) * scale[mapped]),
       x = x[, leading, drop = FALSE],
       rest = x[, match(others, columns), drop = FALSE] * rep(scale[others], each = nrow(x)),
       full = full, rows = mapped, gradient = map_gradient, scheme = free_map)
}

# penalty: of the steps of widths.
start_step <- function(penalty) {
  early <- which(is.finite(penalty) & penalty >= map_start_penalty)
  if (length(early)) max(early) else length(penalty)
}

# L0 of some columns, `leading` among those that the fit has points of; scale: roots of their
# widths. step: the one that maps start from; of some of the rows it has no fit.
start_map <- function(problem, step, scale, leading) {
  p <- length(scale)
  start <- diag(scale, p)
  if (is.null(problem$rank)) return(start)
  fit <- step$fit
  if (is.null(fit)) fit <- fit_step(problem, step$kernel, step$selection, step$at)
  vectors <- eigen(gradient_products(problem, fit, leading), symmetric = TRUE)$vectors
  start %*% vectors[, seq_len(min(problem$rank, p)), drop = FALSE]
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
  parts <- lapply(seq_len(ncol(alpha)), function(k) {
    crossprod(sqrt(problem$weights) * slopes[, (k - 1) * p + coordinates, drop = FALSE])
  })
  Reduce(`+`, parts)
}

# The kernel with a map, turned: that changes no kernel value.
with_map <- function(maps, map) {
  full <- maps$full
  full[maps$rows, seq_len(ncol(map))] <- turned_map(map)$map
  replace(maps$kernel, "map", list(full))
}

# U S of a map U S V': its columns are orthogonal, the longest first, each with a positive largest
# number. `lengths`: those of the columns.
turned_map <- function(map) {
  found <- svd(map, nv = 0)
  sign <- apply(found$u, 2, function(u) sign(u[which.max(abs(u))]))
  list(map = found$u * rep(sign * found$d, each = nrow(map)), lengths = found$d)
}

# ---- the error and its gradient ------------------------------------------------------

# A function of the map and lambda: the loss and its gradient by both. problem: of the `rows` that
# are used.
map_gradient <- function(maps, problem, basis, plan, rows) {
  gradient <- point_gradient(with_map(maps, maps$start), problem, basis, plan)
  x <- maps$x[rows, , drop = FALSE]
  rest <- maps$rest[rows, , drop = FALSE]
  middle <- function(x) kernel_centre(maps$kernel, list(x = x[basis, , drop = FALSE]))
  mapped <- list(x = x, centre = middle(x))
  rest_middle <- middle(rest)
  function(map, lambda) {
    found <- gradient(cbind(x %*% map, rest), c(drop(mapped$centre %*% map), rest_middle), lambda,
                      mapped)
    if (status_name(found$status) == "ok") found$by_point <- 2 * found$moments %*% map
    found
  }
}

# As free_widths() of widths.
free_map <- function(at, maps, penalty, problem) {
  entries <- seq_along(maps$start)
  weight <- penalty_weight(problem, penalty)
  point <- function(par) {
    list(map = maps$start + maps$unit * par[entries], log_lambda = par[-entries])
  }
  par <- function(at) c((at$map - maps$start) / maps$unit, at$log_lambda)
  look <- function(par, objective) {
    at <- point(par)
    found <- objective(at$map, at$log_lambda)
    if (is.null(found$value)) return(found)
    added <- par[entries]
    list(value = found$value + weight * sum(added^2),
         gradient = c(maps$unit * found$by_point + 2 * weight * added, found$by_lambda),
         error = found$value)
  }
  unbounded <- rep(Inf, length(entries))
  list(start = par(at), look = look, point = point, par = par,
       lower = c(-unbounded, at$bounds[1]), upper = c(unbounded, at$bounds[2]), share = map_share)
}
