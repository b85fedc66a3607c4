# Large data: the last basis is larger, and the first search is on some of the rows.

# ---- the last basis ------------------------------------------------------------------------
# Widths and maps that are found with a small basis serve a larger one
# (bench/ardrls.md). So one step is fitted again with more basis vectors, and its lambda found again
# by the exact held-out error, of the same inner folds: the last step of a fit alone, of a
# cross-validation the one that is chosen, penalty.1se, there in every outer fold, too. The choice
# is made before, among steps with the basis of the search.

# As multiples of the search's lambda: with 3000 basis vectors the best was a larger one
# (bench/ardrls.md).
final_multiples <- 4^(3:-1)
# The default: so many basis vectors at most, this share of the rows that train, and no larger block
# of rows by basis vectors.
most_final <- 3000
final_share <- 0.9
most_final_numbers <- 6e7
# It grows while twice as many vectors lower the log of the held-out error by so much of its
# standard error.
worthwhile_size <- 0.25

# What was asked for, for any number of rows: a number, 0 for none, or NULL, the default. Rows that
# were given are meant; and where basis vectors are not scored few rows would be left that are.
asked_final_basis <- function(final, basis, mode) {
  if (identical(final, FALSE)) return(0)
  if (!is.null(final)) return(check_count(final, "final_basis", "NULL: a default, FALSE: none."))
  if (names_rows(basis) || !mode %in% c("remove", "keep")) 0
}

# rows: of the basis of the search. All of them first, then others that train, drawn at random; NULL
# where there are no more.
final_rows <- function(problem, rows) {
  trains <- rows_that_train(problem)
  size <- problem$final %||% default_final_size(length(trains))
  others <- setdiff(trains, rows)
  count <- min(size - length(rows), length(others))
  if (count > 0) c(rows, others[sample.int(length(others), count)])
}

# How many of the `rows` of the largest basis are tried: a default one grows by doubling that of the
# search, of `size` vectors, except for a last step of less than half as much again.
final_sizes <- function(problem, size, rows) {
  most <- length(rows)
  if (!is.null(problem$final)) return(most)
  doubled <- size * 2^seq_len(max(0, floor(log2(most / size))))
  c(doubled[1.5 * doubled < most], most)
}

rows_that_train <- function(problem) intersect(problem$rows, which(problem$weights > 0))

default_final_size <- function(m) floor(min(most_final, final_share * m, most_final_numbers / m))

# A step with the larger basis, NULL where there is none. step: with `selection`, `kernel`,
# `log_lambda` and `loss`; folds: those of the search, drawn.
final_step <- function(problem, step, folds) {
  rows <- final_rows(problem, step$selection$rows)
  if (is.null(rows)) return(NULL)
  problem$lambda <- exp(step$log_lambda) *
    problem$multiples %||% final_multiples
  for (size in final_sizes(problem, length(step$selection$rows), rows)) {
    before <- step$loss
    make_room(nrow(problem$y), size)
    step$selection <- list(rows = rows[seq_len(size)], wanted = size,
                           selector = step$selection$selector, named = FALSE)
    found <- held_out_error(problem, step[c("kernel", "selection")], folds)
    step$loss <- found$loss
    if (log(before / step$loss) < worthwhile_size * log_error_deviation(problem)) break
  }
  found$model$path <- new_path(lambda = found$lambda[found$best])
  step$fit <- finish(as_sparserls(problem), found)
  step
}

# The model with the larger basis at one of its steps; a message where a number that was asked for
# is not larger.
with_final_step <- function(problem, model, k) {
  step <- final_step(problem, model$steps[[k]], model$folds)
  if (!is.null(step)) {
    model$steps[[k]] <- step
  } else if (!is.null(problem$final) && problem$final > 0) {
    inform(sprintf("`final_basis` (%d) is no larger than the basis of the search, or the rows.",
                   problem$final))
  }
  model
}

# The same of a cross-validation, at the step that is chosen. found: of evaluate(), with the models
# of all outer folds. After a split lambda and the size come from the one without its rows.
with_final_basis <- function(problem, found, folds) {
  k <- found$index[["1se"]]
  for (i in seq_along(folds$folds)) {
    fold <- folds$folds[[i]]
    end <- found$models[[i]]$end
    rest <- without(problem, fold$omit)
    step <- located(sprintf("fold %d", i), final_step(rest, end$steps[[k]], end$folds))
    if (is.null(step)) next
    if (problem$keeps) found$models[[i]]$fits[[k]] <- step$fit
    found$held$scores[found$held$fold == i, , k] <-
      predict_rows(problem, list(steps = list(step)), fold$score)
    if (length(folds$folds) == 1) {
      problem$multiples <- step$fit$lambda / exp(end$steps[[k]]$log_lambda)
      if (is.null(problem$final)) {
        trains <- lengths(lapply(list(problem, rest), rows_that_train))
        problem$final <- min(default_final_size(trains[1]),
                             round(length(step$selection$rows) * trains[1] / trains[2]))
      }
    }
  }
  found$model <- with_final_step(problem, found$model, k)
  found
}

# ---- the search on some of the rows ----------------------------------------------------------
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

# The steps of widths, then those of maps; arguments as of widths_from() and follow_steps().
path_on <- function(problem, folds, chosen, widths, from = NULL, near = FALSE, fits = TRUE) {
  maps <- problem$kind == "map"
  space <- widths_from(problem, folds, chosen, widths, from[!maps])
  steps <- follow_steps(problem, folds, space, chosen, near, fits)
  if (!any(maps)) return(steps)
  space <- maps_from(problem, widths, steps, from[maps])
  c(steps, follow_steps(problem, folds, space, NULL, near, fits))
}

has_many_rows <- function(problem, chosen) {
  sum(problem$weights > 0) >= 2 * search_rows(chosen)
}

# The steps of the first search: on random rows, among them those of the basis, with the folds that
# all rows have; NULL where these hold none of them. chosen: of chosen_basis(). A penalty weighs as
# much relative to the error as in all rows (penalty_weight()).
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
  path_on(without.default(problem, left_out), draw_folds(recipe), chosen, widths, fits = FALSE)
}
