# The one cross-validation that serves every family. verbs.R says what a family answers.

cross_validate <- function(problem) {
  within_memory(problem, {
    cv <- search_candidates(problem)
    # Last, so that all else is as it is without.
    cv$nested <- nested_error(problem)
    cv
  })
}

search_candidates <- function(problem) {
  recipe <- problem$validation
  folds <- draw_folds(recipe$folds)
  check_folds(folds, problem)
  tried <- candidates(problem, folds)
  bar <- new_progress(recipe$progress,
                      length(tried) * min(progress_steps, length(folds$folds)))
  if (!is.null(bar)) on.exit(bar$close())
  best <- NULL
  curves <- vector("list", length(tried))
  for (i in seq_along(tried)) {
    found <- evaluate(problem, tried[[i]], folds, bar$tick)
    curves[[i]] <- error_curve(problem, found)
    # Only the best keeps its fit and its predictions: every other one makes room for the next.
    if (is_better(curves[[i]], best$curve, recipe$measure$maximize)) {
      best <- list(
        curve = curves[[i]], fit = finish(problem, found, chosen_positions(curves[[i]])),
        preval = if (recipe$keep) kept_predictions(problem, found),
        refits = if (recipe$keep) kept_refits(problem, found, folds, curves[[i]]$index),
        covariance = if (recipe$keep) kept_covariance(problem, found, folds, curves[[i]]$index),
        calibration = new_calibration(problem, found, curves[[i]]$index, folds$groups)
      )
    }
    found <- NULL
  }
  new_cv(problem, folds, best, curves)
}

# Every fold leaves rows to train, and some row counts.
check_folds <- function(folds, problem) {
  if (folds$kind == "rows") fold_plan(folds$folds, integer(), "keep", problem$weights)
}

# The errors of a candidate over its path, and what is chosen from them.
error_curve <- function(problem, found) {
  error <- errors(found$held, problem)
  maximize <- problem$validation$measure$maximize
  curve <- list(kernel = found$candidate$kernel, size = found$candidate$size, path = found$path,
                cvm = error$cvm, cvsd = error$cvsd, index = choose(found$path, error, maximize))
  if (isTRUE(problem$validation$by_output)) curve$output <- output_curves(problem, found, maximize)
  curve
}

is_better <- function(curve, best, maximize) {
  if (is.null(best)) return(TRUE)
  loss <- c(smallest_error(curve), smallest_error(best)) * if (maximize) -1 else 1
  loss[1] < loss[2] - tolerance("tie") * abs(loss[2])
}

smallest_error <- function(curve) {
  rows <- length(curve$path[[1]])
  curve$cvm[curve$index[["min"]] + rows * (curve$index[["column"]] - 1L)]
}

# Held-out predictions as the user gets them, rows (x outputs) x path.
kept_predictions <- function(problem, found) {
  means <- label_predictions(held_out_means(found$held, problem), problem$design$response, NULL)
  if (length(found$path) == 1) return(means)
  kept <- array(means, c(dim(means)[-length(dim(means))], unname(lengths(found$path))))
  rownames(kept) <- problem$design$rownames
  kept
}
