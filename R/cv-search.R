# What all cross-validations share: the folds and the measure that were asked for, the search over
# kernels, and what becomes of held-out predictions.

new_search <- function(design, nfolds, foldid, groups, strata, folds, type.measure, keep,
                       progress) {
  labels <- design$labels
  list(
    folds = read_folds(design, nfolds, if (is.null(foldid)) labels$foldid else foldid,
                       if (is.null(groups)) labels$groups else groups,
                       if (is.null(strata)) labels$strata else strata, folds),
    measure = read_measure(type.measure, design$response),
    keep = check_flag(keep, "keep"),
    progress = check_flag(progress, "progress")
  )
}

# The best of several kernels. evaluate(kernel, tick) answers a list of
#   kernel, lambda   what was resolved
#   pairs            scored predictions, see cv_error(); or error, what that would answer
#   fit              a function that makes the fit to all rows, of the index of the best lambdas
# Only the best keeps its fit and its predictions: every other one makes room for the next.
search_kernels <- function(kernels, search, design, evaluate) {
  bar <- new_progress(search$progress,
                      length(kernels) * min(progress_steps, length(search$folds$folds)))
  if (!is.null(bar)) on.exit(bar$close())
  best <- NULL
  curves <- vector("list", length(kernels))
  for (i in seq_along(kernels)) {
    tried <- evaluate(kernels[[i]], bar$tick)
    error <- tried$error
    if (is.null(error)) {
      error <- cv_error(search$measure, design$response, design$weights, tried$pairs)
    }
    index <- best_lambda(error$cvm, error$cvsd, search$measure$maximize)
    curves[[i]] <- c(tried[intersect(c("kernel", "size", "lambda"), names(tried))], error,
                     list(index = index))
    if (is_better(curves[[i]], best$curve, search$measure$maximize)) {
      best <- list(
        curve = curves[[i]], fit = tried$fit(index),
        preval = if (search$keep) held_out_means(tried$pairs, design)
      )
    }
    tried <- NULL
  }
  c(best, list(curves = curves))
}

is_better <- function(curve, best, maximize) {
  if (is.null(best)) return(TRUE)
  loss <- c(curve$cvm[curve$index["min"]], best$cvm[best$index["min"]]) * if (maximize) -1 else 1
  loss[1] < loss[2] - tolerance("tie") * abs(loss[2])
}

# The row-fold pairs that count, with the units of the standard error.
scored_pairs <- function(plan, scores, groups) {
  scored <- plan$scored
  row <- plan$rows[scored]
  fold <- plan$fold[scored]
  unit <- if (!is.null(groups)) as.integer(groups)[row]
          else if (length(row) >= 3 * length(unique(fold))) fold
  if (!all(scored)) scores <- scores[scored, , , drop = FALSE]
  list(row = row, fold = fold, unit = unit, scores = scores)
}

# Predictions of every row, averaged over the folds that hold it; NA where none does.
held_out_means <- function(pairs, design) {
  m <- nrow(design$x)
  shape <- dim(pairs$scores)
  means <- matrix(NA_real_, m, prod(shape[-1]))
  scores <- matrix(pairs$scores, shape[1])
  if (anyDuplicated(pairs$row)) {
    sums <- rowsum(scores, pairs$row)
    rows <- as.integer(rownames(sums))
    means[rows, ] <- sums / tabulate(pairs$row, m)[rows]
  } else {
    means[pairs$row, ] <- scores
  }
  means <- array(means, c(m, shape[-1]))
  rownames(means) <- design$rownames
  label_predictions(means, design$response, NULL)
}
