# Honest refits: every fold is left out in turn, which serves any method that can be trained.

# The refits, on the workers of the user's plan or here. A list of
#   each   what work(payload, i, drawn) answers for fold i, a list with `scores` of the rows that it
#          scores
#   held   all of these (cv-held.R)
# payload: a list with `problem` and `folds`; measured: whether work() asks the measure; draw: a
# function of payload and i, the random numbers that a worker must be given; here work() draws them
# itself (drawn is NULL).
refit_folds <- function(payload, work, what, tick, measured, draw = function(payload, i) NULL) {
  folds <- payload$folds
  count <- length(folds$folds)
  each <- if (goes_parallel(payload$problem, count, measured)) {
    items <- lapply(seq_len(count), function(i) list(i = i, drawn = draw(payload, i)))
    payload$work <- work
    in_parallel(items, refit_item, payload, what)
  } else each_fold(folds, tick, function(i) work(payload, i, NULL))
  rows <- fold_rows(folds$folds, "score")
  list(each = each, held = held_rows(folds, unlist(rows), rep(seq_along(rows), lengths(rows)),
                                     stack_rows(lapply(each, `[[`, "scores"))))
}

evaluate.default <- function(problem, candidate, folds, tick) {
  begun <- begin(problem, candidate)
  payload <- list(problem = problem, candidate = candidate, folds = folds, path = begun$path)
  found <- refit_folds(payload, evaluate_fold, "folds", tick, measured = FALSE)
  predictors <- lapply(found$each, `[[`, "predictor")
  c(begun, list(held = found$held,
                models = if (!any(vapply(predictors, is.null, NA))) predictors))
}

evaluate_fold <- function(payload, i, drawn) {
  located(sprintf("fold %d", i), {
    problem <- payload$problem
    fold <- payload$folds$folds[[i]]
    rest <- without(problem, fold$omit)
    model <- train(rest, for_fold(payload$candidate, i), payload$path)
    list(scores = predict_rows(problem, model, fold$score),
         predictor = if (isTRUE(problem$validation$keep)) predictor(rest, model))
  })
}

# f(i) for every fold.
each_fold <- function(folds, tick, f) {
  steps <- steps_of_folds(length(folds$folds), progress_steps)
  lapply(seq_along(folds$folds), function(i) {
    value <- f(i)
    if (!is.null(tick) && !isTRUE(steps[i] == steps[i + 1])) tick()
    value
  })
}

# A candidate may say what it is in each fold, its field `folds`.
for_fold <- function(candidate, i) {
  if (length(candidate$folds)) candidate$folds[[i]] else candidate
}

# Arrays of rows x outputs x points, one below the other.
stack_rows <- function(parts) {
  shape <- dim(parts[[1]])
  rows <- vapply(parts, nrow, 0L)
  array(do.call(rbind, lapply(parts, matrix, ncol = prod(shape[-1]))), c(sum(rows), shape[-1]))
}

refit_item <- function(payload, item) payload$work(payload, item$i, item$drawn)

begin.default <- function(problem, candidate) {
  model <- train(problem, candidate)
  list(candidate = model$candidate, path = model$path, model = model)
}
