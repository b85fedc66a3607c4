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

# The steps of the path in all rows that train, and the `folds`. from: the steps of a path of most of
# the rows, or NULL; ends: NULL, or a function of the steps so far, whether they are enough.
search_path <- function(problem, from, ends) {
  folds <- draw_folds(problem$inner)
  check_folds(folds, problem)
  chosen <- chosen_basis(problem)
  widths <- start_widths(problem)
  many <- has_many_rows(problem, chosen)
  if (many && is.null(from)) from <- path_of_some_rows(problem, chosen, widths)
  list(steps = path_on(problem, folds, chosen, widths, from, many, ends), folds = folds)
}

# The steps of widths, then those of maps; arguments as of relevance_path().
path_on <- function(problem, folds, chosen, widths, from = NULL, near = FALSE, ends = NULL,
                    fits = TRUE) {
  maps <- problem$kind == "map"
  steps <- relevance_path(problem, folds, chosen, widths, from[!maps], near, ends, fits)
  if (!any(maps)) return(steps)
  c(steps, map_steps(problem, folds, widths, steps, from[maps], near, ends, fits))
}

has_many_rows <- function(problem, chosen) {
  sum(problem$weights > 0) >= 2 * search_rows(chosen)
}

# The steps of the first search: on random rows, among them those of the basis. chosen: of
# chosen_basis(). A penalty weighs as much beside the error as in all rows (penalty_weight()).
path_of_some_rows <- function(problem, chosen, widths) {
  trains <- which(problem$weights > 0)
  count <- search_rows(chosen)
  own <- if (is.list(chosen)) integer() else intersect(chosen, trains)
  others <- setdiff(trains, own)
  kept <- c(own, others[sample.int(length(others), count - length(own))])
  left_out <- setdiff(seq_along(problem$weights), kept)
  problem$inner <- recipe_without(problem$inner, left_out)
  problem$penalty_rows <- length(trains)
  problem$progress <- FALSE
  if (is.list(chosen)) chosen$rows <- intersect(chosen$rows, kept)
  path_on(without_weight(problem, left_out), draw_folds(problem$inner), chosen, widths,
          fits = FALSE)
}

# ---- the end of the path -----------------------------------------------------------------
# Where rows are many, and the path was left to us, it ends with the held-out error of a split: when
# a step gains no more than a tenth of its standard error (`worthwhile` of cv-width-search.R).

# A function of the steps so far; NULL where all penalties are wanted. fold: what is held out.
ends_with_error <- function(problem, folds) {
  fold <- folds$folds[[1]]
  if (!problem$open || is_users(problem$validation$measure)) return(NULL)
  best <- NULL
  function(steps) {
    last <- steps[length(steps)]
    held <- held_rows(folds, fold$score, rep(1L, length(fold$score)),
                      predict_rows(problem, list(steps = last), fold$score))
    error <- errors(held, problem)
    loss <- if (problem$validation$measure$maximize) -error$cvm else error$cvm
    gains <- is.null(best) || !isTRUE(best - loss <= worthwhile * error$cvsd)
    best <<- min(best, loss)
    !gains
  }
}

# The problem with the penalties of these steps: widths, and maps, may end before.
ended <- function(problem, steps) {
  problem$penalty <- vapply(steps, `[[`, 0, "penalty")
  problem$kind <- vapply(steps, `[[`, "", "kind")
  problem
}
