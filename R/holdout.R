# Held-out predictions: from folds to what the numeric core reads, and back.

holdout_modes <- c("remove", "keep", "keep_loss", "skip")

# Rows and removed basis vectors of all folds one after the other.
#   rows, fold   held-out rows and the fold of each; h rows per fold
#   removed      positions in the basis; e per fold
#   scored       which of the rows count
fold_plan <- function(folds, basis, mode, weights) {
  rows <- unlist(folds)
  fold <- rep(seq_along(folds), lengths(folds))
  position <- integer(length(weights))
  position[basis] <- seq_along(basis)
  member <- position[rows] > 0
  scored <- if (mode %in% c("remove", "keep")) rep(TRUE, length(rows)) else !member
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

# The hold-out form of every fold as a code.
holdout_forms <- function(solver, plan, m, n, v, c) {
  if (solver == "auto") .Call(ffi_plan_forms, m, n, v, c, plan$h, plan$e)
  else rep(form_code(solver), length(plan$h))
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

# One fold of a plan without basis vectors.
single_fold <- function(plan, i) {
  inside <- plan$fold == i
  list(rows = plan$rows[inside], fold = plan$fold[inside], scored = plan$scored[inside],
       removed = integer(), h = sum(inside), e = 0L)
}

progress_steps <- 50

fold_chunks <- function(folds, steps) {
  as.integer(ceiling(seq_len(folds) * min(steps, folds) / folds))
}

# A text bar on stderr; NULL where none is wanted.
new_progress <- function(progress, steps) {
  if (!check_flag(progress, "progress")) return(NULL)
  bar <- txtProgressBar(max = steps, style = 3, file = stderr())
  done <- 0
  list(
    tick = function() {
      done <<- done + 1
      setTxtProgressBar(bar, done)
    },
    close = function() close(bar)
  )
}
