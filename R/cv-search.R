# The search of a cross-validation: the errors of all candidates, round by round, and what is kept
# of the best one. It serves every family; verbs.R says what a family answers.
#
# A *best* is a list of the `curve`, `fit`, `own` fields and `position` of the best candidate so
# far. What only the winner needs (predictions, refits, covariance, calibration) is added once, at
# the end, by with_kept(), from `found`, the list of evaluate(): where refits are kept it holds a
# whole training, elsewhere as much as a calibration needs.

# What the public functions of every family end in: a cross-validation, which is the search and its
# nested error. draw_search() draws all random numbers of the search.
cross_validate <- function(problem) {
  drawn <- draw_search(problem)
  bar <- new_progress(problem$validation$progress, length(drawn$folds$folds))
  if (!is.null(bar)) on.exit(bar$close())
  drawn <- screen(problem, c(drawn, list(bar = bar)))
  problem <- settle(problem, drawn$tried[[1]], drawn)
  cv <- search_candidates(problem, drawn)
  if (!is.null(bar)) bar$finish()
  # Last, so that it changes none of the other results.
  if (!is.null(problem$validation$outer)) cv$nested <- nested_error(problem)
  cv
}

draw_search <- function(problem) {
  folds <- draw_folds(problem$validation$folds)
  check_folds(folds, problem)
  list(folds = folds, tried = candidates(problem, folds))
}

# drawn: what the family's screen() leaves of draw_search().
search_candidates <- function(problem, drawn) {
  found <- search_rounds(problem, drawn, c("walk", "origin"))
  new_cv(problem, drawn$folds, with_kept(problem, drawn$folds, found$best),
         widths_in_order(c(found$curves, drawn$screened)))
}

# Batch by batch, until refine() has nothing more to try: the best, all curves, and `tried`, these
# fields of candidates. (Those of rows in chunks are large, they hold sums.) share: of what is left
# of the bar, that of every candidate; how many come is not known while widths are searched.
search_rounds <- function(problem, drawn, fields, share = NULL) {
  share <- share %||% (if (any(lengths(lapply(drawn$tried, `[[`, "origin")))) 0.2 else 1)
  folds <- drawn$folds
  tried <- curves <- list()
  best <- NULL
  batch <- drawn$tried
  while (length(batch)) {
    count <- length(batch)
    tick <- folds_tick(drawn$bar, folds$folds, count, 1 - (1 - share)^count)
    found <- search_batch(problem, folds, batch, tick)
    curves <- c(curves, found$curves)
    if (is_better(found$best$curve, best$curve, problem$validation$measure$maximize)) {
      best <- found$best
    }
    tried <- c(tried, lapply(batch, picked, fields))
    batch <- refine(problem, tried, curves, folds)
  }
  list(best = best, curves = curves, tried = tried)
}

search_batch <- function(problem, folds, tried, tick) {
  payload <- list(problem = problem, folds = folds, tried = lapply(tried, replace, "origin", NULL),
                  tick = tick)
  if (!isNamespaceLoaded("future") || !goes_parallel(problem, length(tried), measured = TRUE)) {
    return(search_share(payload, seq_along(tried)))
  }
  search_shares(replace(payload, "tick", list(NULL)))
}

# The curves of some candidates, and what is kept of the best one.
search_share <- function(payload, positions) {
  problem <- payload$problem
  best <- NULL
  curves <- vector("list", length(positions))
  for (i in seq_along(positions)) {
    candidate <- payload$tried[[positions[i]]]
    found <- evaluate(problem, candidate, payload$folds, payload$tick)
    curves[[i]] <- error_curve(problem, found, candidate)
    # Only the best keeps what was found: every other one makes room for the next.
    if (is_better(curves[[i]], best$curve, problem$validation$measure$maximize)) {
      best <- new_best(problem, found, payload$folds, curves[[i]], positions[i])
    }
    found <- NULL
  }
  list(best = best, curves = curves)
}

# The errors of a candidate over its path, and what is chosen from them.
error_curve <- function(problem, found, candidate) {
  error <- choice_errors(found$held, problem)
  index <- found$index %||% chosen_points(problem, found$path, found$held, error)
  c(list(kernel = found$candidate$kernel, size = found$candidate$size, path = found$path), error,
    list(index = index),
    if (isTRUE(problem$validation$by_output)) list(output = output_curves(problem, found)),
    picked(candidate, "walk"))
}

new_best <- function(problem, found, folds, curve, position) {
  index <- curve$index
  # The fit keeps the fitted values there in any case.
  fit <- finish(problem, found, c(index, unique(as.vector(curve$output$index))))
  list(curve = curve, fit = fit, position = position,
       own = c(own_fields(problem, found, fit, path_choice(index)), found$certified),
       performance = new_performance(problem, found, folds, index),
       found = if (problem$validation$keep) found
               else if (is_class(problem$design$response)) found[c("path", "held")])
}

with_kept <- function(problem, folds, best) {
  found <- best$found
  if (is.null(found)) return(best)
  index <- best$curve$index
  best$found <- NULL
  best$calibration <- new_calibration(problem, found, index, folds$groups, path_df(best$fit))
  if (!problem$validation$keep) return(best)
  c(best, list(fit.preval = kept_predictions(problem, found),
               refits = kept_refits(problem, found, folds, index, path_axis(best$fit)),
               covariance = kept_covariance(problem, found, folds, index)))
}

# The same by parts, one for each worker, which finishes its own best, as trainings are not sent.
# The best is found among all curves in their order: near-ties depend on it, and where the best of
# all is none of a part's it is evaluated again.
search_shares <- function(payload) {
  count <- length(payload$tried)
  parts <- unname(split(seq_len(count), rep_len(seq_len(min(worker_count(), count)), count)))
  found <- in_parallel(parts, finished_share, payload, "kernels or sizes")
  curves <- vector("list", count)
  for (i in seq_along(parts)) curves[parts[[i]]] <- found[[i]]$curves
  best <- best_curve(curves, payload$problem$validation$measure$maximize)
  at <- vapply(found, function(part) part$best$position, 0L)
  kept <- if (best %in% at) found[[match(best, at)]]$best else search_share(payload, best)$best
  # With the environments of the user's formula, which no worker has had.
  kept$fit[c("terms", "blueprint")] <- payload$problem$design[c("terms", "blueprint")]
  list(best = kept, curves = curves)
}

finished_share <- function(payload, positions) {
  share <- search_share(payload, positions)
  share$best <- with_kept(payload$problem, payload$folds, share$best)
  share
}

# Every fold leaves rows to train, and some row counts.
check_folds <- function(folds, problem) {
  if (folds$kind == "rows") fold_plan(folds$folds, integer(), "keep", problem$weights)
}

# Held-out predictions as the field `fit.preval` has them, rows (x outputs) x path.
kept_predictions <- function(problem, found) {
  means <- held_out_means(found$held, problem)
  several <- ncol(means) > 1
  path <- unname(lengths(found$path))
  kept <- array(means, c(nrow(means), if (several) ncol(means), path))
  rownames(kept) <- rownames(means)
  if (several && length(path) == 1) colnames(kept) <- problem$design$response$outputs
  kept
}

# ---- nested cross-validation ---------------------------------------------------------------
# The honest error of everything that a cross-validation chooses. The whole of it, centres and
# scales included, is repeated without each outer fold, and the model chosen there predicts it.

# The field `nested` of a cv object.
nested_error <- function(problem) {
  validation <- problem$validation
  outer <- draw_folds(validation$outer)
  bar <- new_progress(validation$progress, min(progress_steps, length(outer$folds)))
  if (!is.null(bar)) on.exit(bar$close())
  found <- refit_folds(list(problem = problem, folds = outer), nested_fold, "outer folds", bar$tick,
                       measured = TRUE, function(payload, i) draw_nested(outer_rest(payload, i), i))
  rows <- lengths(fold_rows(outer$folds, "score"))
  chosen <- data.frame(fold = seq_along(rows), rows = rows,
                       cvm = fold_errors(found$held, problem), joined(found$each, "chosen", rbind))
  c(errors(found$held, problem)[c("cvm", "cvsd")],
    list(nfolds = length(rows), foldid = outer$foldid, chosen = chosen),
    if (validation$keep) list(scores = held_out_means(found$held, problem)))
}

in_outer_fold <- function(i, code) {
  withCallingHandlers(
    located(sprintf("outer fold %d", i), code),
    sparserls_message = function(note) tryInvokeRestart("muffleMessage")
  )
}

# The problem without outer fold i.
outer_rest <- function(payload, i) {
  in_outer_fold(i, {
    problem <- payload$problem
    omit <- payload$folds$folds[[i]]$omit
    must(any(problem$weights[-omit] > 0),
         "folds", "An outer fold leaves no row of positive weight.",
         sprintf("%d rows omitted", length(omit)))
    without_rows(problem, omit)
  })
}

# The random numbers of its search.
draw_nested <- function(rest, i) in_outer_fold(i, draw_search(rest))

nested_fold <- function(payload, i, drawn) {
  problem <- payload$problem
  rows <- payload$folds$folds[[i]]$score
  rest <- outer_rest(payload, i)
  drawn <- drawn %||% draw_nested(rest, i)
  in_outer_fold(i, {
    cv <- search_candidates(rest, screen(rest, drawn))
    # What its choice predicts: rows x outputs x 1.
    scores <- coded_scores(cv$fit, problem$design$x[rows, , drop = FALSE], chosen_at(cv)[[1]])
    list(scores = with_offset(scores, problem, rows), chosen = chosen_values(cv))
  })
}

# The problem as if the rows did not exist: they are not divided into folds either. For its
# cross-validation only the choice matters.
without_rows <- function(problem, rows) {
  problem <- remade(without(problem, rows), setdiff(seq_along(problem$weights), rows))
  problem$validation$folds <- recipe_without(problem$validation$folds, rows)
  unwanted <- list(outer = NULL, keep = FALSE, by_output = FALSE, progress = FALSE)
  problem$validation[names(unwanted)] <- unwanted
  problem
}

# The choice itself, a data frame of one row.
chosen_values <- function(cv) {
  several <- length(cv$curves) > 1
  axes <- unique(c(chosen_axis(cv), "lambda"))
  as.data.frame(Filter(length, c(list(kernel = if (several) format(cv$kernel), size = cv$size),
                                 setNames(unclass(cv)[paste0(axes, ".min")], axes))))
}

# The error of every fold alone; NA for measures of sets of rows where there is none.
fold_errors <- function(held, problem) {
  held$turn <- NULL
  vapply(split(seq_along(held$row), held$fold), function(i) {
    tryCatch(errors(some_rows(held, i), problem)$cvm,
             sparserls_error_measure = function(e) NA_real_)
  }, 0, USE.NAMES = FALSE)
}
