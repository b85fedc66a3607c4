# Cells: what workers need to know to see rows in the coordinates of a candidate, and the members of
# its basis. A cell is a list of
#   part         the kernel with its basis, of kernel_problem(), or of the features alone (rls)
#   basis        the basis vectors as the kernel sees them; NULL with features
#   cholesky     factor of the kernel's matrix of the basis (with the jitter); NULL with features
#   coordinates  what C needs beside the rows: cholesky and centre, the provisional means of z
#   members      rows that are basis vectors, dropped ones included: `chunk` and `row`, `fold`, z
#                and y less their centres, weights. They are no part of the sums over chunks.

no_members <- function(n, v) {
  list(z = matrix(0, n, 0), y = matrix(0, 0, v), weights = numeric(), chunk = integer(),
       row = integer(), fold = integer())
}

# points: a sample of rows, whose means are the provisional centre.
kernel_cell <- function(problem, part, points) {
  basis <- point_rows(part$points, part$basis)
  cholesky <- t(chol(part$k_bb))
  some <- point_rows(points, seq_len(min(1000, nrow(points$x))))
  centre <- numeric(length(part$basis))
  if (problem$intercept) {
    values <- kernel_values(part$kernel, basis, some, problem$threads)
    centre <- as.vector(forwardsolve(cholesky, rowMeans(values)))
  }
  list(part = part, basis = basis, cholesky = cholesky,
       coordinates = list(cholesky = cholesky, centre = centre))
}

# What goes to the workers: not the sample.
cell_payload <- function(cell) {
  list(kernel = cell$part$kernel, basis = cell$basis, coordinates = cell$coordinates,
       members = cell$members[c("chunk", "row")])
}

# Coordinates for C with the rows of x, as the kernel sees them.
cell_coordinates <- function(cell, x, threads) {
  kernel <- cell$kernel
  coordinates <- cell$coordinates
  view <- kernel_view(x, kernel)
  coordinates$source <- if (is.null(cell$basis)) t(view$x)
                        else kernel_source(kernel, cell$basis, view, threads)
  coordinates
}

# What sums are taken about: y's means, where there is an intercept.
problem_centre <- function(problem) {
  if (problem$intercept) problem$survey$y$mean else numeric(length(problem$survey$y$mean))
}
