# Where rows are very many for the basis the search over widths and maps begins on some of them.
# Where it ends there it goes on in all rows, at every step of the path, with a few iterations, so
# that errors, widths, maps and lambda of the path are those of all rows.

# Rows that the first search takes: so many for each basis vector, and no fewer than the latter.
# Twice as many are many.
rows_per_vector <- 10
least_search_rows <- 4000

search_rows <- function(chosen) {
  size <- if (is.list(chosen)) chosen$n else length(chosen)
  max(least_search_rows, rows_per_vector * size)
}

# The steps of the path in all rows that train, and the `folds`. from: the steps of a path of most
# of the rows, or NULL; ends: NULL, or what says of many rows that the path ends
# (ends_with_error()).
search_path <- function(problem, from, ends) {
  folds <- draw_folds(problem$inner)
  check_folds(folds, problem)
  chosen <- chosen_basis(problem)
  widths <- start_widths(problem)
  many <- has_many_rows(problem, chosen)
  if (many && is.null(from)) from <- path_of_some_rows(problem, folds, chosen, widths)
  steps <- path_on(problem, folds, chosen, widths, from, many, if (many) ends)
  list(steps = steps, folds = folds)
}

# The steps of widths, then those of maps; arguments as of widths_from() and follow_steps().
path_on <- function(problem, folds, chosen, widths, from = NULL, near = FALSE, ends = NULL,
                    fits = TRUE) {
  maps <- problem$kind == "map"
  space <- widths_from(problem, folds, chosen, widths, from[!maps])
  steps <- follow_steps(problem, folds, space, chosen, near, ends, fits)
  if (!any(maps)) return(steps)
  space <- maps_from(problem, widths, steps, from[maps], near)
  c(steps, follow_steps(problem, folds, space, NULL, near, ends, fits))
}

has_many_rows <- function(problem, chosen) {
  sum(problem$weights > 0) >= 2 * search_rows(chosen)
}

# The steps of the first search: on random rows, among them those of the basis, with the folds that
# all rows have; NULL where these hold none of them. chosen: of chosen_basis(). A penalty weighs as
# much beside the error as in all rows (penalty_weight()).
path_of_some_rows <- function(problem, folds, chosen, widths) {
  trains <- which(problem$weights > 0)
  count <- search_rows(chosen)
  own <- if (is.list(chosen)) integer() else intersect(chosen, trains)
  others <- setdiff(trains, own)
  kept <- c(own, others[sample.int(length(others), count - length(own))])
  if (!any(unlist(fold_rows(folds$folds, "score")) %in% kept)) return(NULL)
  left_out <- setdiff(seq_along(problem$weights), kept)
  recipe <- replace(recipe_without(problem$inner, left_out), "folds", list(folds$folds))
  problem$penalty_rows <- length(trains)
  problem$progress <- FALSE
  if (is.list(chosen)) chosen$rows <- intersect(chosen$rows, kept)
  path_on(without_weight(problem, left_out), draw_folds(recipe), chosen, widths, fits = FALSE)
}

# ---- the end of the path -----------------------------------------------------------------
# Where rows are many, and penalties of a kind were left to us, these end with the held-out error of
# a split: when a step gains no more than a tenth of its standard error (`worthwhile` of
# cv-width-search.R) over the best one before it. The first map is no such step: maps start from
# widths that need not be the best.

# A function of the steps of one kind so far, whether they are enough; NULL where the measure is a
# function of the user's. folds: a single one.
ends_with_error <- function(problem, folds) {
  fold <- folds$folds[[1]]
  if (is_users(problem$validation$measure)) return(NULL)
  best <- Inf
  function(steps) {
    last <- steps[length(steps)]
    if (!last[[1]]$kind %in% problem$open) return(FALSE)
    held <- held_rows(folds, fold$score, rep(1L, length(fold$score)),
                      predict_rows(problem, list(steps = last), fold$score))
    error <- errors(held, problem)
    loss <- if (problem$validation$measure$maximize) -error$cvm else error$cvm
    first <- length(steps) == 1
    enough <- !first && isTRUE(best - loss <= worthwhile * error$cvsd)
    best <<- if (first) loss else min(best, loss)
    enough
  }
}

# The problem with the penalties of these steps: widths, and maps, may end before.
ended <- function(problem, steps) {
  problem$penalty <- vapply(steps, `[[`, 0, "penalty")
  problem$kind <- vapply(steps, `[[`, "", "kind")
  problem
}
