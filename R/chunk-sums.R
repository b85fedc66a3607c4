# The pass over chunks that adds up: for every cell (below) and fold the sums that refits
# need (src/chunk_sums.h).

# What `work` answers of every chunk of a problem, combined; name, cells: of pass().
over_chunks <- function(problem, work, payload, name, cells = NULL, combine = add_fields) {
  map_chunks(chunk_count(problem$survey$frame$source), work, payload, combine,
             pass(problem$run, name, cells))
}

add_fields <- function(a, b) Map(`+`, a, b)

# What workers need to know of a problem; ...: of what they do.
chunk_payload <- function(problem, folds, cells, ...) {
  survey <- problem$survey
  list(frame = survey$frame, each = survey$each, standard = problem$local$standard,
       threads = problem$threads, family = problem$family, working = problem$working,
       folds = folds, cells = lapply(cells, cell_payload), ...)
}

# Of tables, one for each cell.
add_tables <- function(a, b) Map(add_fields, a, b)

sums_work <- function(payload, i) {
  rows <- known_rows(payload, i)
  lapply(payload$cells, function(cell) {
    others <- other_rows(payload, cell, rows)
    computed(.Call(
      ffi_chunk_sums, others$coordinates, others$counts, rows_at(rows$y, others$used),
      rows$weights[others$used], payload$y_centre, payload$threads
    ))$table
  })
}

# The rows of a chunk, which must be those that the first pass saw, as the family reads them; with
# their `points` and their `fold`.
known_rows <- function(payload, i) {
  rows <- chunk_rows(payload$frame, i)
  must(identical(chunk_mark(rows), payload$each[[i]]),
       "chunks", "A chunk has changed since the first pass.", NULL,
       "Chunks must be the same every time they are read: give a query an order.")
  if (!is.null(payload$family)) rows <- family_rows(rows, payload)
  c(rows, list(points = as_points(rows$x, payload$standard),
               fold = fold_of(payload$frame, payload$folds, rows)))
}

# The rows that are no members of the basis, fold after fold: their positions (`used`), how many
# each fold has (`counts`), and what C needs to find their coordinates.
other_rows <- function(payload, cell, rows) {
  members <- cell$members$row[cell$members$chunk == rows$chunk]
  used <- which(!rows$rows %in% members)
  used <- used[order(rows$fold[used])]
  list(used = used, counts = tabulate(rows$fold[used], max(1, length(payload$folds$folds))),
       coordinates = cell_coordinates(cell, point_rows(rows$points, used), payload$threads))
}

# ---- cells ------------------------------------------------------------------------------------
# Cells: what workers need to know to see rows in the coordinates of a candidate, and the members of
# its basis. A cell is a list of
#   part         the kernel with its basis, of kernel_part(), or of the features alone (rls)
#   basis        the basis vectors as the kernel sees them; NULL with features
#   cholesky     factor of the kernel's matrix of the basis (with the jitter); NULL with features
#   coordinates  what C needs with the rows: cholesky and centre, the provisional means of z
#   members      rows that are basis vectors, dropped ones included: `chunk` and `row`, `fold`, z
#                and y less their centres, weights. They are no part of the sums over chunks.

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

# What sums are taken about: y's means, where there is an intercept and no likelihood.
problem_centre <- function(problem) {
  mean <- problem$survey$y$mean
  if (problem$intercept && !inherits(problem, "chunked_glm")) mean else 0 * mean
}
