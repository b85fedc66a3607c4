# What a method is: the verbs that every family of models answers. Read this file first.
#
# A *problem* is a classed value, c("<family>_problem", "problem"), made by the public
# functions of its family from arguments that have been checked: data, settings, and how it is to be
# cross-validated (new_problem() in problem.R lists the fields). It is never changed, only replaced.
# A *candidate* is one point of what is searched beside the path: a kernel with its basis. A *path*
# (path.R) holds the values that one training serves: lambda, or k and lambda. A *model* is what
# training leaves behind, in whatever shape the family likes; only its own verbs look inside.
#
#   fit(problem)            candidates -> begin -> finish                        sparserls(), ...
#   cross_validate(problem) candidates -> evaluate -> errors -> choose -> refine ... -> finish
#                                                                                cv.sparserls(), ...
#   nested(problem, outer)  cross_validate(anew(without(problem, rows))) -> chosen_scores
#
# To add a method write its problem and these verbs in one R file; see CONTRIBUTING.md.

# What is searched, a list of candidates, drawn in this order from the user's random numbers.
# folds: those of the cross-validation, NULL for a fit alone.
candidates <- function(problem, folds = NULL) UseMethod("candidates")

# Further candidates that the errors of those tried suggest, a list; empty where the search is done.
# It leaves the random stream as it is. tried: of candidates their `walk` and `origin`
# (width-search.R); curves: of error_curve(), one for each that was tried.
refine <- function(problem, tried, curves, folds) UseMethod("refine")

# The model of a candidate on all rows of positive weight. path: a path, or NULL for the one
# that was asked for or that fits the data. The model says which it was, in its field `path`, and
# what became of the candidate, in `candidate`.
train <- function(problem, candidate, path = NULL) UseMethod("train")

# What is known before any fold is left out, a list of
#   candidate   with everything resolved that was left open (a default gamma)
#   path        that all folds share
#   model       on all rows, or NULL where the path did not need one
begin <- function(problem, candidate) UseMethod("begin")

# The held-out predictions of a candidate: begin()'s list with `held` (held.R). The default
# refits without every fold in turn, which is honest for any method that has the other verbs.
# Methods with a shortcut answer the same numbers. tick: a function to call now and then.
evaluate <- function(problem, candidate, folds, tick) UseMethod("evaluate")

# The problem for training without these rows.
without <- function(problem, rows) UseMethod("without")

# The problem of without(), with centres and scales of the columns and default gammas of the rows
# that are `left`. (All folds of one cross-validation share those of all rows.)
anew <- function(problem, left) UseMethod("anew")

# Predictions of rows of the problem by a model that was trained without them (or not): an array of
# rows x outputs x points of the path, the first axis of the path running fastest.
predict_rows <- function(problem, model, rows) UseMethod("predict_rows")

# The fit that the user gets. begun: a list of begin() or evaluate(). choice: of choose(), with
# whatever else was chosen of the path; or NULL for a fit alone.
finish <- function(problem, begun, choice = NULL) UseMethod("finish")

# What a cross-validation keeps with keep = TRUE of the refits behind its held-out predictions
# (refits.R): a list of `folds`, the numbers of the folds that they leave out, and `expansion` or
# `models`, what predicts at the positions `at` of the path; NULL where a family keeps none.
# found: the list of evaluate(). The default needs predictor().
refits <- function(problem, found, folds, at) UseMethod("refits")

# What predicts of a model, without its training rows, for which refits.R has at_points() and
# model_scores(); or NULL.
predictor <- function(problem, model) UseMethod("predictor")

# ---- defaults --------------------------------------------------------------------

# Problems without points (precomputed kernels, features) have nothing to find anew.
anew.default <- function(problem, left) {
  if (is.null(problem$points)) return(problem)
  problem <- standardized(problem)
  points <- point_rows(problem$points, left)
  problem$kernels <- lapply(problem$kernels, resolve_kernel, points, problem$columns,
                            problem$feature)
  problem
}

refine.default <- function(problem, tried, curves, folds) {
  next_widths(problem, tried, curves)
}

begin.default <- function(problem, candidate) {
  model <- train(problem, candidate)
  list(candidate = model$candidate, path = model$path, model = model)
}

evaluate.default <- function(problem, candidate, folds, tick) {
  plan <- fold_plan(folds$folds, integer(), "keep", problem$weights)
  begun <- begin(problem, candidate)
  payload <- list(problem = problem, candidate = candidate, folds = folds, plan = plan,
                  path = begun$path)
  count <- length(folds$folds)
  found <- if (goes_parallel(problem, count, measured = FALSE)) {
    in_parallel(seq_len(count), evaluate_fold, payload, "folds")
  } else each_fold(folds, tick, function(i) evaluate_fold(payload, i))
  scores <- stack_rows(lapply(found, `[[`, "scores"))
  held <- held_rows(folds, plan$rows[plan$scored], plan$fold[plan$scored], scores)
  predictors <- lapply(found, `[[`, "predictor")
  c(begun, list(held = held, models = if (!any(vapply(predictors, is.null, NA))) predictors))
}

# An honest refit without fold i.
evaluate_fold <- function(payload, i) {
  located(sprintf("fold %d", i), {
    problem <- payload$problem
    plan <- payload$plan
    rest <- without(problem, payload$folds$folds[[i]]$omit)
    model <- train(rest, for_fold(payload$candidate, i), payload$path)
    list(scores = predict_rows(problem, model, plan$rows[plan$scored & plan$fold == i]),
         predictor = if (isTRUE(problem$validation$keep)) predictor(rest, model))
  })
}

# A candidate may say what it is in each fold, its field `folds`.
for_fold <- function(candidate, i) {
  if (length(candidate$folds)) candidate$folds[[i]] else candidate
}

# f(i) for every fold.
each_fold <- function(folds, tick, f) {
  steps <- fold_chunks(length(folds$folds), progress_steps)
  lapply(seq_along(folds$folds), function(i) {
    value <- f(i)
    if (!is.null(tick) && !isTRUE(steps[i] == steps[i + 1])) tick()
    value
  })
}

# Arrays of rows x outputs x points, one below the other.
stack_rows <- function(parts) {
  shape <- dim(parts[[1]])
  rows <- vapply(parts, nrow, 0L)
  array(do.call(rbind, lapply(parts, matrix, ncol = prod(shape[-1]))), c(sum(rows), shape[-1]))
}
