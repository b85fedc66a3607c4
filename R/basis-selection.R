# Selectors that look at the kernel: the numeric work is in src/basis.c; here it is decided which
# rows, which kernel columns and which random numbers it sees.

# Row numbers of the problem, in order of selection. selector: of choose_basis(), with the `rows`
# it may look at.
select_basis <- function(selector, problem, on_points) {
  check_size(selector$n, "basis vectors", "basis")
  rows <- selector$rows
  kernel <- on_points$kernel
  points <- on_points$points
  columns <- kernel_columns(kernel, points, rows, problem$threads)
  found <- switch(selector$type,
    rpcholesky = .Call(ffi_rpcholesky, columns, self_values(kernel, points, rows, problem$threads),
                       runif(selector$n)),
    greedy = greedy_basis(selector, columns, problem, on_points)
  )
  stop_status(found$status, format(kernel))
  rows[found$rows]
}

# A function of positions in `rows`: kernel columns of those rows with all `rows`.
kernel_columns <- function(kernel, points, rows, threads) {
  if (kernel$name == "precomputed") {
    return(function(i) as.double(as.matrix(points$x[rows, rows[i], drop = FALSE])))
  }
  points <- point_rows(points, rows)
  if (!in_c(kernel, points)) {
    return(function(i) kernel_values(kernel, points, point_rows(points, i), threads))
  }
  spec <- kernel_list(kernel)
  centre <- kernel_centre(kernel, points)
  function(i) .Call(ffi_kernel_block, spec, points$x, points$x[i, , drop = FALSE], centre, threads)
}

# k(x, x) of some rows, a few at a time.
self_values <- function(kernel, points, rows, threads) {
  if (kernel$name == "precomputed") return(as.double(Matrix::diag(points$x)[rows]))
  self <- unlist(lapply(split(rows, (seq_along(rows) - 1) %/% 64), function(some) {
    some <- point_rows(points, some)
    diag(kernel_values(kernel, some, some, threads, same = TRUE))
  }), use.names = FALSE)
  check_kernel_values(self)
  check_self(self)
  self
}

greedy_basis <- function(selector, columns, problem, on_points) {
  rows <- selector$rows
  weights <- problem$weights[rows]
  if (sum(weights) == 0) abort("weights", "All `weights` of the rows to select from are zero.")
  lambda <- selector$lambda
  if (is.null(lambda)) {
    self <- self_values(on_points$kernel, on_points$points, rows, problem$threads)
    lambda <- 1e-4 * sum(weights * self)
    if (lambda == 0) abort("kernel", "The kernel is zero on all rows.", format(on_points$kernel))
  }
  # Rows that repeat another one would hide behind the jitter.
  open <- which(!repeated_rows(point_rows(on_points$points, rows)))
  draws <- draw_candidates(length(open), min(selector$n, length(open)), selector$candidates)
  data <- list(x = matrix(0, length(rows), 0), y = problem$y[rows, , drop = FALSE],
               weights = weights, centre = numeric(), scale = numeric(),
               intercept = problem$intercept)
  .Call(ffi_greedy_basis, columns, data, lambda, problem$jitter, open, lengths(draws),
        unlist(draws))
}

# For each of n steps the positions of the candidates among the rows not chosen yet.
draw_candidates <- function(open, n, candidates) {
  lapply(seq_len(n), function(step) {
    left <- open - step + 1L
    sample.int(left, min(candidates, left))
  })
}
