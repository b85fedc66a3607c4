# A basis for every fold: the arguments allowed, and the choice.

check_reselect <- function(reselect, basis, mode) {
  selector <- is.null(basis) || inherits(basis, "sparserls_basis")
  if (!reselect && inherits(basis, "sparserls_basis") && basis$type == "greedy") {
    warn("selection",
         "The error is too good: basis_greedy() has seen the responses of the held-out rows.", NULL,
         "`reselect = TRUE` selects anew in every fold.")
  }
  if (!reselect) return(invisible())
  must(selector || is_basis_count(basis), "basis",
       "`reselect = TRUE` needs a `basis` that can be chosen anew.", shown(basis),
       "Use a number, or basis_random() and its like.")
  must(mode == "remove", "argument", "`holdout_basis` must be left alone with `reselect = TRUE`.",
       sprintf("\"%s\"", mode), "No basis vector is ever held out.")
}

# Before any kernel is looked at, so that all kernels of a search see the same random basis.
choose_fold_bases <- function(basis, design, rows, folds) {
  lapply(seq_along(folds), function(i) {
    located(sprintf("fold %d", i),
            choose_basis(basis, design, setdiff(rows, folds[[i]]$omit)))
  })
}
