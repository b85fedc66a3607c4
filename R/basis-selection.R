# Selectors that look at the kernel: the numeric work is in src/basis.c; here it is decided which
# rows, which kernel columns and which random numbers it sees.

# basis: of choose_basis(), or a selection, which stays as it is. A list of
#   rows      of the problem, in order of selection
#   spanned   further rows, where those that were found span all rows: as many as are lacking. They
#             are redundant, but members of the basis: refits have them back when those that span
#             them are held out
#   wanted    how many were to be found
#   selector  in words, where it looks at the kernel
#   named     whether the user named the rows, and is told which of them are redundant
new_selection <- function(basis, problem, on_points) {
  if (!is.list(basis)) return(list(rows = basis, wanted = length(basis), named = TRUE))
  if (!is.null(basis$wanted)) return(basis)
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
  points <- on_points$points
  if (length(rows) < nrow(points$x)) {
    points <- point_rows(points, rows)
    # A precomputed kernel: its values of these rows with each other.
    if (is_precomputed(kernel)) points$x <- columns_at(points$x, rows)
  }
  found <- if (selector$type == "greedy") greedy_basis(selector, kernel, points, problem, rows)
           else rpcholesky_basis(selector, kernel, points, problem$threads)
  rows[computed(found, format(kernel))$rows]
}

# One draw of the user's stream, however many rows are proposed and rejected: what is drawn next
# does not depend on the kernel.
rpcholesky_basis <- function(selector, kernel, points, threads) {
  seed <- sample.int(.Machine$integer.max, 1)
  with_random_seed(seed, .Call(ffi_rpcholesky, kernel_columns(kernel, points, threads),
                               self_values(kernel, points), min(selector$n, nrow(points$x)),
                               threads))
}

# points: of `rows` of the problem.
greedy_basis <- function(selector, kernel, points, problem, rows) {
  weights <- problem$weights[rows]
  must(sum(weights) > 0, "weights", "All `weights` of the rows to select from are zero.")
  lambda <- selector$lambda %||% (1e-4 * sum(weights * self_values(kernel, points)))
  if (lambda == 0) stop_zero_kernel(kernel)
  # Rows that repeat another one would hide behind the jitter.
  open <- which(!duplicated(if (is_dense(points)) points$x else row_list(points)))
  # For each step the positions of the candidates among the rows not chosen yet.
  left <- length(open) + 1L - seq_len(min(selector$n, length(open)))
  draws <- lapply(left, function(left) sample.int(left, min(selector$candidates, left)))
  data <- list(x = matrix(0, length(rows), 0), y = rows_at(problem$y, rows),
               weights = weights, centre = numeric(), scale = numeric(),
               intercept = problem$intercept)
  .Call(ffi_greedy_basis, kernel_columns(kernel, points, problem$threads), data, lambda,
        problem$jitter, open, lengths(draws), unlist(draws), problem$threads)
}

# The kernel of all points with some of them, for C: how it finds it, or a function of row numbers.
kernel_columns <- function(kernel, points, threads) {
  if (in_c(kernel, points)) return(kernel_source(kernel, points, points, threads))
  if (is_precomputed(kernel)) {
    return(function(rows) as.double(as.matrix(columns_at(points$x, rows))))
  }
  function(rows) kernel_values(kernel, points, point_rows(points, rows), threads)
}

# ---- points that are given -----------------------------------------------------------------------

# A basis of points that are given, as a matrix or a data frame, and need not be rows: cluster
# centres, or a basis from elsewhere. No fold ever holds any of them out.

# The points, coded and dense, as the columns of x are (blueprint); rows are named by the user, or
# "point 1" and so on. NULL where the basis is none of points.
basis_points <- function(basis, blueprint) {
  if (!is_point_basis(basis)) return(NULL)
  must(nrow(basis), "basis", "`basis` has no rows.")
  names <- if (is.data.frame(basis)) frame_rownames(basis) else rownames(basis)
  points <- tryCatch(
    if (is.data.frame(basis)) forge(blueprint, basis)
    else pick_columns(read_matrix(basis, "basis", TRUE), blueprint, colnames(basis)),
    sparserls_error = function(e) {
      abort("basis", "The points in `basis` do not fit the columns of `x`.",
            gsub("`newdata`", "`basis`", c(e$problem, e$given), fixed = TRUE),
            "Columns are matched by name. Row numbers are a vector: as.vector(basis).")
    }
  )
  points <- as.matrix(points)
  gaps <- which(rowSums(is.na(points)) > 0)
  must(!length(gaps), "basis", "The points in `basis` have missing values.",
       sprintf("rows %s", enumerate(gaps)), "Drop or impute them.")
  rownames(points) <- names %||% sprintf("point %d", seq_len(nrow(points)))
  points
}

# The same for rows in memory, sparse where x is.
points_of_basis <- function(basis, design, kernels) {
  must(!is_point_basis(basis) || !any(vapply(kernels, is_precomputed, NA)), "basis",
       "A precomputed kernel has no values for points that are not rows.", shown(basis),
       "Give numbers of rows.")
  points <- basis_points(basis, design$blueprint)
  if (is.null(points) || is.matrix(design$x)) return(points)
  as(as(points, "CsparseMatrix"), "generalMatrix")
}

given_points <- "given as points"

# The kernel of a problem on given points, like kernel_part(); `rows` are the problem's own, as
# the kernel sees them. standard: that of the rows.
points_part <- function(problem, on_points, given, standard) {
  kernel <- on_points$kernel
  points <- kernel_view(as_points(given, standard, "basis"), kernel)
  count <- nrow(given)
  problem$labels <- rownames(given)
  part <- kernel_part(problem, list(kernel = kernel, points = points),
                         list(rows = seq_len(count), wanted = count, named = TRUE,
                              selector = given_points))
  part$redundant <- no_redundant
  part$rows <- on_points$points
  part$labels <- problem$labels
  part
}
