# What became of basis vectors that were asked for: dropped ones are said once.

note_basis <- function(dropped) {
  signalCondition(structure(
    class = c("sparserls_basis_note", "condition"),
    list(message = "basis", call = NULL, dropped = dropped)
  ))
}

# Users are told once, for all folds and kernels, which basis vectors were dropped; on exit, so that
# an error about the folds does not hide it.
basis_warned <- function(code) {
  dropped <- character()
  on.exit(warn_redundant(dropped))
  withCallingHandlers(code, sparserls_basis_note = function(note) {
    dropped <<- union(dropped, note$dropped)
  })
}

warn_redundant <- function(dropped) {
  if (length(dropped) == 0) return(invisible())
  warn("basis", paste(counted(length(dropped), "redundant basis vector"), "dropped."),
       paste(if (length(dropped) == 1) "row" else "rows", enumerate(dropped, 10)),
       "Each coincides with another one, or the others span it to working precision.")
}
