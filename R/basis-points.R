# A basis of points that are given, as a matrix or a data frame, and need not be rows: cluster
# centres, or a basis from elsewhere. No fold ever holds any of them out.

is_point_basis <- function(basis) {
  is.data.frame(basis) || is.matrix(basis) || inherits(basis, "Matrix")
}

# The points, coded and dense, as the columns of x are (blueprint); rows are named by the user, or
# "point 1" and so on. NULL where the basis is none of points.
basis_points <- function(basis, blueprint) {
  if (!is_point_basis(basis)) return(NULL)
  must(nrow(basis) > 0, "basis", "`basis` has no rows.")
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
  rownames(points) <- if (is.null(names)) sprintf("point %d", seq_len(nrow(points))) else names
  points
}

# The same for rows in memory, sparse where x is.
points_of_basis <- function(basis, design, kernels) {
  must(!is_point_basis(basis) || !any(vapply(kernels, is_precomputed, NA)), "basis",
       "A precomputed kernel has no values for points that are no rows.", shown(basis),
       "Give numbers of rows.")
  points <- basis_points(basis, design$blueprint)
  if (is.null(points) || is.matrix(design$x)) return(points)
  as(as(points, "CsparseMatrix"), "generalMatrix")
}

# The kernel of a problem on given points, like kernel_problem(); `rows` are the problem's own, as
# the kernel sees them. standard: that of the rows.
points_problem <- function(problem, on_points, given, standard) {
  kernel <- on_points$kernel
  points <- kernel_view(as_points(given, standard, "basis"), kernel)
  count <- nrow(given)
  problem$labels <- rownames(given)
  part <- kernel_problem(problem, list(kernel = kernel, points = points),
                         list(rows = seq_len(count), wanted = count, named = TRUE,
                              selector = "given as points"))
  part$redundant <- no_redundant
  part$rows <- on_points$points
  part$labels <- problem$labels
  part
}
