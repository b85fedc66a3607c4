# Plans: folds as the numeric core reads them, and the held-out predictions that it answers.

holdout_modes <- c("remove", "keep", "keep_loss", "skip")

# Rows and removed basis vectors of all folds one after the other, for the numeric core.
#   rows, fold      rows that are left out and the fold of each
#   scored          which of the rows count
#   leave           the rows that leave the training rows; h per fold
#   answer          where the predictions of `rows` are among those of `leave`; NULL: the same
#   removed         positions in the basis; e per fold
#   twins, twin_of  rows that train in place of others, see src/constraint.c; s per fold
#   spanned         rows of dropped basis vectors
#   solver          how refits without the folds are found (src/holdout.h): "update", "retrain", or
#                   "auto", at the lower cost for each fold
# folds: list(score = , omit = ) each; redundant: the basis vectors that were dropped, see
# redundant_basis(); all: whether these are all rows, or others train too; unused: whether folds
# that leave nothing out have a place.
fold_plan <- function(folds, basis, mode, weights, redundant = no_redundant, solver = "auto",
                      all = TRUE, unused = FALSE) {
  omitted <- fold_rows(folds, "omit")
  sizes <- lengths(omitted)
  rows <- unlist(omitted)
  fold <- rep(seq_along(folds), sizes)
  # The scored rows of a fold come first.
  counts <- sequence(sizes) <= rep(lengths(fold_rows(folds, "score")), sizes)
  position <- integer(length(weights))
  position[basis] <- seq_along(basis)
  member <- rows %in% c(basis, redundant$rows)
  scored <- if (mode %in% c("remove", "keep")) counts else counts & !member
  removed <- mode == "remove" & position[rows] > 0
  held <- if (mode == "keep_loss") !member else rep(TRUE, length(rows))
  if (all && !any(scored)) stop_unscored(mode)
  plan <- list(
    rows = rows[held], fold = fold[held], scored = scored[held],
    leave = rows[held], removed = position[rows[removed]],
    h = tabulate(fold[held], length(folds)), e = tabulate(fold[removed], length(folds)),
    twins = integer(), twin_of = integer(), s = integer(length(folds)),
    spanned = redundant$rows[redundant$twin_of == 0], solver = solver
  )
  if (mode == "remove") check_basis_left(tabulate(fold[member], length(folds)), basis, redundant)
  if (all) check_training(plan, weights)
  must(!all || sum(weights[plan$rows[plan$scored]]) > 0,
       "folds", "The folds hold only rows of weight zero: nothing is scored.")
  present <- if (unused) seq_along(folds) else which(plan$h > 0)
  plan[c("h", "e", "s")] <- lapply(plan[c("h", "e", "s")], `[`, present)
  if (mode == "remove" && any(redundant$twin_of > 0)) {
    plan <- join_twins(plan, folds, basis, weights, redundant, present)
  }
  plan
}

stop_unscored <- function(mode) {
  abort("folds", sprintf("With holdout_basis = \"%s\" no row is scored: all are basis vectors.",
                         mode), NULL,
        "Use fewer basis vectors or holdout_basis = \"remove\".")
}

# Where a basis vector is held out and its twin, a row that coincides with it, is not, the refit
# has the twin as its basis vector: the first of them, as in redundant_basis().
# present: the folds that plan$h counts.
join_twins <- function(plan, folds, basis, weights, redundant, present) {
  is_twin <- redundant$twin_of > 0
  twin_of <- basis[redundant$twin_of[is_twin]]
  held <- which(plan$rows %in% basis)
  twin <- vapply(held, function(i) {
    setdiff(redundant$rows[is_twin][twin_of == plan$rows[i]], folds[[plan$fold[i]]]$omit)[1]
  }, 0L)
  stays <- !is.na(twin)
  at <- held[stays]
  twin <- twin[stays]
  fold <- match(plan$fold[at], present)
  per_fold <- function(fold) tabulate(fold, length(plan$h))
  trains <- weights[twin] > 0
  plan$twins <- twin[trains]
  plan$twin_of <- plan$rows[at[trains]]
  plan$s <- per_fold(fold[trains])
  plan$removed <- plan$removed[!stays]
  plan$e <- plan$e - per_fold(fold)
  plan$h <- plan$h + per_fold(fold)
  order <- order(c(plan$fold, plan$fold[at]))
  plan$leave <- c(plan$rows, twin)[order]
  plan$answer <- order(order)[replace(seq_along(plan$rows), at, length(plan$rows) + seq_along(at))]
  plan
}

check_basis_left <- function(members, basis, redundant) {
  emptied <- which(members > 0 & members == length(basis) + length(redundant$rows))
  must(!length(emptied), "folds", "A fold holds all basis vectors: none is left for its refit.",
       sprintf("fold %s", enumerate(emptied)),
       if (length(basis) == 1) "There is one basis vector: use more, or are all rows of `x` alike?"
       else "Use more basis vectors, smaller folds or holdout_basis = \"keep\".")
}

# A field of a cross-validation that removes held-out basis vectors: for every fold that holds out
# some, the vectors that were dropped as redundant and that it does not hold out. With what is left
# of the basis they are that of the fold's refit. No field where there are none.
# held: rows of each fold, named by it; numbers: of rows as supplied.
stand_ins <- function(held, basis, dropped, numbers) {
  if (!length(dropped)) return(NULL)
  holding <- Filter(function(rows) any(rows %in% basis), held)
  found <- Filter(length, lapply(holding, function(rows) numbers[setdiff(dropped, rows)]))
  if (length(found)) list(stand_ins = found)
}

check_training <- function(plan, weights) {
  # Rows of weight zero do not train anything. Counted, not summed: exact.
  training <- sum(weights > 0) - tabulate(plan$fold[weights[plan$rows] > 0], length(plan$h))
  must(all(training > 0), "folds",
       "A fold holds all training rows (of positive weight): none is left for its refit.",
       sprintf("fold %s", enumerate(which(training == 0))), "Use more folds or smaller groups.")
}
