# The pass over chunks that adds up: for every cell (chunk-cell.R) and fold the sums that refits
# need (src/chunk_sums.h).

# A list of tables, one for each cell. pass: of pass().
sum_chunks <- function(problem, cells, folds, pass) {
  survey <- problem$survey
  payload <- list(frame = survey$frame, each = survey$each, standard = problem$local$standard,
                  y_centre = problem_centre(problem), folds = folds, threads = problem$threads,
                  cells = lapply(cells, cell_payload))
  map_chunks(chunk_count(survey$frame$source), sums_work, payload, combine_sums,
             pass)$tables
}

sums_work <- function(payload, i) {
  rows <- known_rows(payload, i)
  fold <- fold_of(payload$frame, payload$folds, rows)
  points <- as_points(rows$x, payload$standard)
  count <- max(1, length(payload$folds$folds))
  tables <- lapply(payload$cells, function(cell) {
    used <- others(cell, rows)
    used <- used[order(fold[used])]
    found <- .Call(ffi_chunk_sums, cell_coordinates(cell, point_rows(points, used),
                                                    payload$threads),
                   tabulate(fold[used], count), rows$y[used, , drop = FALSE], rows$weights[used],
                   payload$y_centre, payload$threads)
    located(chunk_label(payload$frame$source, i), stop_status(found$status))
    found$table
  })
  list(rows = as.double(length(rows$rows)), tables = tables)
}

combine_sums <- function(a, b) {
  list(rows = a$rows + b$rows,
       tables = Map(function(x, y) Map(`+`, x, y), a$tables, b$tables))
}

# The rows of a chunk, which must be those that the first pass saw.
known_rows <- function(payload, i) {
  rows <- chunk_rows(payload$frame, i)
  if (!identical(chunk_mark(rows), payload$each[[i]])) {
    abort("chunks", "A chunk is not what it was in the first pass.",
          chunk_label(payload$frame$source, i),
          "Chunks must be the same every time they are read: give a query an order.")
  }
  rows
}

# Positions of the rows that are no members of the basis.
others <- function(cell, rows) {
  members <- cell$members$row[cell$members$chunk == rows$chunk]
  which(!rows$rows %in% members)
}
