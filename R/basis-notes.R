# What became of basis vectors that were asked for: dropped ones are said once.

note_basis <- function(dropped, lacking) {
  signalCondition(structure(
    class = c("sparserls_basis_note", "condition"),
    list(message = "basis", call = NULL, dropped = dropped, lacking = lacking)
  ))
}

# What basis vectors were dropped, and how many a selection did not find, is said once for all
# folds and kernels; on exit, so that an error about the folds does not hide it.
basis_warned <- function(code) {
  dropped <- character()
  lacking <- 0
  on.exit(warn_redundant(dropped, lacking))
  withCallingHandlers(code, sparserls_basis_note = function(note) {
    dropped <<- union(dropped, note$dropped)
    lacking <<- max(lacking, note$lacking)
  })
}

warn_redundant <- function(dropped, lacking) {
  if (lacking > 0) {
    warn("basis", sprintf("The selection found %s fewer than wanted.",
                          counted(lacking, "basis vector")), NULL,
         "All rows that are left coincide with them, or they span them to working precision.")
  }
  if (length(dropped) == 0) return(invisible())
  warn("basis", paste(counted(length(dropped), "redundant basis vector"), "dropped."),
       paste(if (length(dropped) == 1) "row" else "rows", enumerate(dropped, 10)),
       "Each coincides with another one, or the others span it to working precision.")
}
