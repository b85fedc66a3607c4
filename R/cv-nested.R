# Nested cross-validation: the honest error of everything that a cross-validation chooses. The whole
# of it, centres and scales included, is repeated without each outer fold, and the model chosen
# there predicts the fold.

# What the public functions of every family end in: a cross-validation, which is the search
# (cv-search.R) and its nested error. drawn: of draw_search(), which draws all random numbers of the
# search.
cross_validate <- function(problem, drawn = draw_search(problem)) {
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

# The field `nested` of a cv object.
nested_error <- function(problem) {
  validation <- problem$validation
  outer <- draw_folds(validation$outer)
  bar <- new_progress(validation$progress, min(progress_steps, length(outer$folds)))
  if (!is.null(bar)) on.exit(bar$close())
  found <- nested(problem, outer, bar$tick)
  rows <- lengths(fold_rows(outer$folds, "score"))
  chosen <- data.frame(fold = seq_along(rows), rows = rows,
                       cvm = fold_errors(found$held, problem), found$chosen)
  c(errors(found$held, problem)[c("cvm", "cvsd")],
    list(nfolds = length(rows), fits = found$fits, foldid = outer$foldid, chosen = chosen))
}

# outer: folds of draw_folds(). A list of `held`, held_rows at one point; `chosen`, a data frame
# with a row for each fold; and `fits`, how many there were.
nested <- function(problem, outer, tick = NULL) {
  found <- refit_folds(list(problem = problem, folds = outer), nested_fold, "outer folds", tick,
                       measured = TRUE, function(payload, i) draw_nested(outer_rest(payload, i), i))
  list(held = found$held, chosen = do.call(rbind, lapply(found$each, `[[`, "chosen")),
       fits = sum(vapply(found$each, `[[`, 0, "fits")))
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
  if (is.null(drawn)) drawn <- draw_nested(rest, i)
  in_outer_fold(i, {
    cv <- search_candidates(rest, screen(rest, drawn))
    # What its choice predicts: rows x outputs x 1.
    scores <- coded_scores(cv$fit, problem$design$x[rows, , drop = FALSE], chosen_at(cv)[[1]])
    list(scores = with_offset(scores, problem, rows), chosen = chosen_values(cv),
         fits = max(1, length(cv$curves)) * fits_each(rest, cv$nfolds))
  })
}

# The problem as if the rows did not exist: they are not divided into folds either. Of its
# cross-validation only the choice matters.
without_rows <- function(problem, rows) {
  problem <- anew(without(problem, rows), setdiff(seq_along(problem$weights), rows))
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

# Columns of glance().
nested_columns <- function(x) {
  if (!is.null(x$nested)) {
    list(nested.estimate = x$nested$cvm, nested.std.error = x$nested$cvsd)
  }
}
