# Large data: the last basis is larger, and the first search is on some of the rows.

# ---- the last basis ------------------------------------------------------------------------
# Widths and maps that are found with a small basis serve a larger one
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
  multiples <- if (is.null(problem$multiples)) final_multiples else problem$multiples
  problem$lambda <- exp(step$log_lambda) * multiples
  step$selection <- list(rows = rows, wanted = length(rows), selector = step$selection$selector,
                         named = FALSE)
  found <- held_out_error(problem, step[c("kernel", "selection")], folds)
  found$model$path <- new_path(lambda = found$lambda[found$best])
  step$loss <- found$loss
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
    inform(sprintf(paste("No step has a larger basis than that of the search, of %d vectors:",
                         "`final_basis` is %d, and %s can be in it."),
                   length(model$steps[[k]]$selection$rows), problem$final,
                   counted(length(rows_that_train(problem)), "row")))
  }
  model
}

# The same of a cross-validation, at the step that is chosen. found: of evaluate(), with the models
# of all outer folds. After a split lambda comes from the one without its rows.
with_final_basis <- function(problem, found, folds) {
  k <- found$index[["1se"]]
  for (i in seq_along(folds$folds)) {
    fold <- folds$folds[[i]]
    end <- found$models[[i]]$end
    step <- located(sprintf("fold %d", i),
                    final_step(without(problem, fold$omit), end$steps[[k]], end$folds))
    if (is.null(step)) next
    if (problem$keeps) found$models[[i]]$fits[[k]] <- step$fit
    found$held$scores[found$held$fold == i, , k] <-
      predict_rows(problem, list(steps = list(step)), fold$score)
    if (length(folds$folds) == 1) {
      problem$multiples <- step$fit$lambda / exp(end$steps[[k]]$log_lambda)
    }
  }
  found$model <- with_final_step(problem, found$model, k)
  found
}

# ---- the first search -----------------------------------------------------------------------
# The search over widths and maps begins with few basis vectors, and on some of the rows where these
# are many: most looks are cheap there. From where it ends it goes on with all of them, at every
# step of the path, with a few iterations, so that errors, widths, maps and lambda of the path are
# those of the whole basis and of all rows.

# Basis vectors and rows of the first search. Twice as many are many. Where the basis has more than
# half of the rows fewer vectors lead elsewhere: Boston had a test error of .127 for .112 at penalty
# 30, with three splits.
search_vectors <- 100
search_rows <- 4000

# The steps of the path in all rows that train, and the `folds`. from: the steps of a path of most
# of the rows, or NULL; ends: NULL, or a function of the steps of one kind so far, whether they are
# enough.
search_path <- function(problem, from, ends) {
  folds <- draw_folds(problem$inner)
  check_folds(folds, problem)
  chosen <- chosen_basis(problem)
  widths <- start_widths(problem)
  many <- has_many_rows(problem)
  large <- basis_size(chosen) >= 2 * search_vectors
  near <- many || (large && 2 * basis_size(chosen) <= length(problem$rows))
  if (near && is.null(from)) from <- first_path(problem, folds, chosen, widths, many)
  steps <- path_on(problem, folds, chosen, widths, from, near, if (near || large) ends)
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

has_many_rows <- function(problem) sum(problem$weights > 0) >= 2 * search_rows

# chosen: of chosen_basis().
basis_size <- function(chosen) if (is.list(chosen)) chosen$n else length(chosen)

# The steps of the first search, with the folds that all rows have, without a `selection` where
# their basis is smaller. `many` rows: on random ones, among them those of the basis; NULL where the folds
# hold none of them. A penalty weighs as much relative to the error as in all rows
# (penalty_weight()).
first_path <- function(problem, folds, chosen, widths, many) {
  trains <- which(problem$weights > 0)
  few <- fewer_vectors(chosen)
  problem$penalty_rows <- length(trains)
  problem$progress <- FALSE
  if (many) {
    own <- if (is.list(few)) integer() else intersect(few, trains)
    others <- setdiff(trains, own)
    kept <- c(own, others[sample.int(length(others), search_rows - length(own))])
    if (!any(unlist(fold_rows(folds$folds, "score")) %in% kept)) return(NULL)
    left_out <- setdiff(seq_along(problem$weights), kept)
    folds <- draw_folds(replace(recipe_without(problem$inner, left_out), "folds",
                                list(folds$folds)))
    problem <- without_weight(problem, left_out)
    if (is.list(few)) few$rows <- intersect(few$rows, kept)
  }
  steps <- path_on(problem, folds, few, widths, fits = FALSE)
  if (identical(basis_size(few), basis_size(chosen))) steps
  else lapply(steps, replace, "selection", list(NULL))
}

# Of rows that are named, or drawn, some in their order.
fewer_vectors <- function(chosen) {
  size <- basis_size(chosen)
  if (size < 2 * search_vectors) chosen
  else if (is.list(chosen)) replace(chosen, "n", search_vectors)
  else chosen[round(seq(1, size, length.out = search_vectors))]
}

# ---- the end of the path -----------------------------------------------------------------
# Where rows or basis vectors are many, and penalties of a kind were left to us, these end when a
# step gains no more than a tenth of a standard error (`worthwhile` of cv-width-search.R): of a split
# of its held-out error, over the best one before it; of folds a fiftieth, of the error that is
# minimized in all rows, over the step before it, and the folds follow that path. The first map is no
# such step: maps start from widths that need not be the best.

# A function of the steps of one kind so far, whether they are enough; NULL where the measure is a
# function of the user's. folds: a single one.
ends_with_error <- function(problem, folds) {
  measure <- problem$validation$measure
  if (is_users(measure)) return(NULL)
  best <- Inf
  function(steps) {
    last <- steps[length(steps)]
    if (!last[[1]]$kind %in% problem$open) return(FALSE)
    error <- errors(held_of_split(problem, folds, list(steps = last)), problem)
    loss <- if (measure$maximize) -error$cvm else error$cvm
    first <- length(steps) == 1
    enough <- !first && isTRUE(best - loss <= worthwhile * error$cvsd)
    best <<- if (first) loss else min(best, loss)
    enough
  }
}

# A tenth ended the path of ISLR2::Wage at 30, before its smallest outer error.
least_gain <- 0.02

ends_with_loss <- function(problem) {
  function(steps) {
    last <- utils::tail(steps, 2)
    gain <- log(last[[1]]$loss) - log(last[[length(last)]]$loss)
    last[[1]]$kind %in% problem$open && length(last) > 1 &&
      gain <= least_gain * log_error_deviation(problem)
  }
}

# Held-out predictions of the one fold of a split.
held_of_split <- function(problem, folds, model) {
  rows <- folds$folds[[1]]$score
  held_rows(folds, rows, rep(1L, length(rows)), predict_rows(problem, model, rows))
}

# The problem with the penalties of these steps: widths, and maps, may end before.
ended <- function(problem, steps) {
  problem$penalty <- vapply(steps, `[[`, 0, "penalty")
  problem$kind <- vapply(steps, `[[`, "", "kind")
  problem
}
