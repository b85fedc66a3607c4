# Selectors that look at the kernel: the numeric work is in src/basis.c; here it is decided which
# rows, which kernel columns and which random numbers it sees.

# basis: of choose_basis(). A list of
#   rows      of the problem, in order of selection
#   spanned   further rows, where those that were found span all rows: as many as are lacking. They
#             are redundant, but members of the basis: refits have them back when those that span
#             them are held out
#   wanted    how many were to be found
#   selector  in words, where it looks at the kernel
#   named     whether the user named the rows, and is told which of them are redundant
new_selection <- function(basis, problem, on_points) {
  if (!is.list(basis)) return(list(rows = basis, wanted = length(basis), named = TRUE))
  rows <- select_basis(basis, problem, on_points)
  others <- setdiff(basis$rows, rows)
  spanned <- others[even_rows(length(others), basis$n - length(rows))]
  list(rows = rows, spanned = spanned, wanted = basis$n,
       selector = paste0(selector_words(basis), if (isTRUE(basis$default)) " (the default)"),
       named = FALSE)
}

# Row numbers of the problem, in order of selection. selector: of choose_basis(), with the `rows`
# it may look at.
select_basis <- function(selector, problem, on_points) {
  check_size(selector$n, "basis vectors", "basis")
  rows <- selector$rows
  kernel <- on_points$kernel
  points <- points_among(on_points$points, rows, kernel)
  found <- switch(selector$type,
    rpcholesky = rpcholesky_basis(selector, kernel, points, problem$threads),
    greedy = greedy_basis(selector, kernel, points, problem, rows)
  )
  stop_status(found$status, format(kernel))
  rows[found$rows]
}

# The points of some rows; of a precomputed kernel their values with each other only.
points_among <- function(points, rows, kernel) {
  if (length(rows) == nrow(points$x)) return(points)
  points <- point_rows(points, rows)
  if (is_precomputed(kernel)) points$x <- points$x[, rows, drop = FALSE]
  points
}

rpcholesky_basis <- function(selector, kernel, points, threads) {
  .Call(ffi_rpcholesky, kernel_columns(kernel, points, threads),
        self_values(kernel, points), min(selector$n, nrow(points$x)))
}

# points: of `rows` of the problem.
greedy_basis <- function(selector, kernel, points, problem, rows) {
  weights <- problem$weights[rows]
  if (sum(weights) == 0) abort("weights", "All `weights` of the rows to select from are zero.")
  lambda <- selector$lambda
  if (is.null(lambda)) lambda <- 1e-4 * sum(weights * self_values(kernel, points))
  if (lambda == 0) stop_zero_kernel(kernel)
  # Rows that repeat another one would hide behind the jitter.
  open <- which(!repeated_rows(points))
  draws <- draw_candidates(length(open), min(selector$n, length(open)), selector$candidates)
  data <- list(x = matrix(0, length(rows), 0), y = problem$y[rows, , drop = FALSE],
               weights = weights, centre = numeric(), scale = numeric(),
               intercept = problem$intercept)
  .Call(ffi_greedy_basis, kernel_columns(kernel, points, problem$threads), data, lambda,
        problem$jitter, open, lengths(draws), unlist(draws))
}

# For each of n steps the positions of the candidates among the rows not chosen yet.
draw_candidates <- function(open, n, candidates) {
  lapply(seq_len(n), function(step) {
    left <- open - step + 1L
    sample.int(left, min(candidates, left))
  })
}

# A function of row numbers: the kernel of all points with those.
kernel_columns <- function(kernel, points, threads) {
  if (is_precomputed(kernel)) {
    return(function(rows) as.double(as.matrix(points$x[, rows, drop = FALSE])))
  }
  if (!in_c(kernel, points)) {
    return(function(rows) kernel_values(kernel, points, point_rows(points, rows), threads))
  }
  spec <- kernel_list(kernel)
  centre <- kernel_centre(kernel, points)
  function(rows) {
    .Call(ffi_kernel_block, spec, points$x, points$x[rows, , drop = FALSE], centre, threads)
  }
}
