# Held-out predictions: from folds to what the numeric core reads, and back.

holdout_modes <- c("remove", "keep", "keep_loss", "skip")

# Rows and removed basis vectors of all folds one after the other, for the numeric core.
#   rows, fold   rows that are left out and the fold of each; h rows per fold
#   removed      positions in the basis; e per fold
#   scored       which of the rows count
# folds: list(score = , omit = ) each.
fold_plan <- function(folds, basis, mode, weights) {
  rows <- unlist(lapply(folds, `[[`, "omit"))
  fold <- rep(seq_along(folds), vapply(folds, function(fold) length(fold$omit), 0L))
  counts <- unlist(lapply(folds, function(fold) fold$omit %in% fold$score))
  position <- integer(length(weights))
  position[basis] <- seq_along(basis)
  member <- position[rows] > 0
  scored <- if (mode %in% c("remove", "keep")) counts else counts & !member
  removed <- if (mode == "remove") member else rep(FALSE, length(rows))
  held <- if (mode == "keep_loss") !member else rep(TRUE, length(rows))
  if (!any(scored)) {
    abort("folds", sprintf("With holdout_basis = \"%s\" no row is scored: all are basis vectors.",
                           mode), NULL, "Use fewer basis vectors or holdout_basis = \"remove\".")
  }
  plan <- list(
    rows = rows[held], fold = fold[held], scored = scored[held],
    removed = position[rows[removed]],
    h = tabulate(fold[held], length(folds)), e = tabulate(fold[removed], length(folds))
  )
  check_plan(plan, basis, weights)
  used <- plan$h > 0
  plan$h <- plan$h[used]
  plan$e <- plan$e[used]
  plan
}

check_plan <- function(plan, basis, weights) {
  emptied <- which(plan$e > 0 & plan$e == length(basis))
  if (length(emptied)) {
    abort("folds", "A fold holds all basis vectors: none is left for its refit.",
          sprintf("fold %s", enumerate(emptied)),
          "Use more basis vectors, smaller folds or holdout_basis = \"keep\".")
  }
  check_training(plan, weights)
  if (sum(weights[plan$rows[plan$scored]]) == 0) {
    abort("folds", "The folds hold only rows of weight zero: nothing is scored.")
  }
}

check_training <- function(plan, weights) {
  # Rows of weight zero do not train anything. Counted, not summed: exact.
  training <- sum(weights > 0) -
    tabulate(plan$fold[weights[plan$rows] > 0], length(plan$h))
  if (any(training == 0)) {
    abort("folds",
          "A fold holds all training rows (of positive weight): none is left for its refit.",
          sprintf("fold %s", enumerate(which(training == 0))), "Use more folds or smaller groups.")
  }
}

# The hold-out form of every fold, 0 update and 1 retrain as in src/methods.h.
holdout_forms <- function(solver, plan, m, n, v, c) {
  switch(solver,
    auto = .Call(ffi_plan_forms, m, n, v, c, plan$h, plan$e),
    update = integer(length(plan$h)),
    retrain = rep(1L, length(plan$h))
  )
}

# Held-out predictions of all pairs in plan$rows, an array of pairs x outputs x lambdas.
hold_out <- function(cache, lambda, plan, forms, tick) {
  chunks <- fold_chunks(length(plan$h), if (is.null(tick)) 1 else progress_steps)
  pair_chunk <- rep(chunks, plan$h)
  basis_chunk <- rep(chunks, plan$e)
  parts <- lapply(unique(chunks), function(chunk) {
    inside <- chunks == chunk
    result <- .Call(ffi_leave_folds_out, cache, lambda, plan$rows[pair_chunk == chunk],
                    plan$h[inside], plan$removed[basis_chunk == chunk], plan$e[inside],
                    forms[inside])
    stop_status(result$status, sprintf("fold %d", unique(plan$fold)[which(inside)[result$fold]]))
    if (!is.null(tick)) tick()
    result$prediction
  })
  prediction <- if (length(parts) == 1) parts[[1]] else do.call(rbind, parts)
  dim(prediction) <- c(length(plan$rows), ncol(cache$y), length(lambda))
  prediction
}

# The scored rows of a plan with their predictions.
held_by_plan <- function(folds, plan, scores) {
  scored <- plan$scored
  if (!all(scored)) scores <- scores[scored, , , drop = FALSE]
  held_rows(folds, plan$rows[scored], plan$fold[scored], scores)
}

# Predictions of some rows by a training cache.
cached_predictions <- function(model, rows) {
  cache <- model$cache
  fitted <- .Call(ffi_fitted, cache, model$path$lambda)$fitted
  fitted <- array(fitted, c(dim(cache$y), length(model$path$lambda)))
  fitted[rows, , , drop = FALSE]
}
