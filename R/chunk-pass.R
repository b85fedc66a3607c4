# Passes over chunks, and the names that they have in a checkpoint.

# How map_chunks() goes through the chunks for what `name` says. cells: what it is computed of,
# where a call has several such passes; part of the name that the pass has in a checkpoint.
pass <- function(run, name, cells = NULL) {
  mark <- if (length(cells)) {
    paste0("-", substr(fingerprint(lapply(cells, cell_identity)), 1, 8))
  }
  list(label = name, pass = paste0(name, mark), progress = run$progress,
       checkpoint = run$checkpoint)
}

# By which a cell is told from the others of its problem: the kernel, its values (two functions may
# have one text), and the rows of the basis.
cell_identity <- function(cell) {
  list(portable_settings(cell$part$kernel), cell$part$k_bb, cell$members[c("chunk", "row")])
}
