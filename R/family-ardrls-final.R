# The last basis is larger. Widths and maps that are found with a small basis serve a larger one
# (bench/ardrls.md). So one step is fitted anew with more basis vectors, and its lambda found anew
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
  size <- if (is.null(problem$final)) default_final_size(length(trains)) else problem$final
  others <- setdiff(trains, rows)
  count <- min(size - length(rows), length(others))
  if (count > 0) c(rows, others[sample.int(length(others), count)])
}

rows_that_train <- function(problem) intersect(problem$rows, which(problem$weights > 0))

default_final_size <- function(m) floor(min(most_final, final_share * m, most_final_numbers / m))

# A step with the larger basis, NULL where there is none. step: with `selection`, `kernel` and
# `log_lambda`; folds: those of the search, drawn.
final_step <- function(problem, step, folds) {
  rows <- final_rows(problem, step$selection$rows)
  if (is.null(rows)) return(NULL)
  make_room(nrow(problem$y), length(rows))
  problem$lambda <- exp(step$log_lambda) * final_multiples
  step$selection <- list(rows = rows, wanted = length(rows), selector = step$selection$selector,
                         named = FALSE)
  found <- held_out_error(problem, step[c("kernel", "selection")], folds)
  found$model$path <- new_path(lambda = found$lambda[found$best])
  step$loss <- found$loss
  step$fit <- finish(as_sparserls(problem), found)
  step
}

# The model with the larger basis at one of its steps.
with_final_step <- function(problem, model, k) {
  step <- final_step(problem, model$steps[[k]], model$folds)
  if (is.null(step)) tell_not_larger(problem, model$steps[[k]])
  else model$steps[[k]] <- step
  model
}

# Of a number that was asked for.
tell_not_larger <- function(problem, step) {
  if (is.null(problem$final) || problem$final == 0) return(invisible())
  inform(sprintf(paste("No step has a larger basis than that of the search, of %d vectors:",
                       "`final_basis` is %d, and %s can be in it."),
                 length(step$selection$rows), problem$final,
                 counted(length(rows_that_train(problem)), "row")))
}

# The same of a cross-validation, at the step that is chosen. found: of evaluate(), with the models
# of all outer folds.
with_final_basis <- function(problem, found, folds) {
  error <- choice_errors(found$held, problem)
  found$index <- chosen_points(problem, found$path, found$held, error)
  k <- found$index[["1se"]]
  for (i in seq_along(folds$folds)) {
    fold <- folds$folds[[i]]
    step <- located(sprintf("fold %d", i), {
      end <- found$models[[i]]$end
      final_step(without(problem, fold$omit), end$steps[[k]], end$folds)
    })
    if (is.null(step)) next
    if (problem$keeps) found$models[[i]]$fits[[k]] <- step$fit
    found$held$scores[found$held$fold == i, , k] <-
      predict_rows(problem, list(steps = list(step)), fold$score)
  }
  found$model <- with_final_step(problem, found$model, k)
  found
}
