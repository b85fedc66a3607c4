# Penalized likelihood of rows in chunks: the verbs of problems with a family, class "chunked_glm",
# whose field `local` is the family's own problem on a sample (family-likelihood.R). The path is
# made of passes (chunk-newton.R); a model has its `solved` in the form of core_path(), and `state`.

# ---- search --------------------------------------------------------------------------------------

candidates.chunked_glm <- function(problem, folds = NULL) {
  with_random_seed(problem$survey$frame$seed, candidates(problem$local))
}

refine.chunked_glm <- function(problem, tried, curves, folds) list()

# By squares of the working response, in passes over all chunks.
screen.chunked_glm <- function(problem, drawn) {
  if (!is_search(problem, drawn)) return(drawn)
  working <- working_chunks(problem)
  search_squares(working, replace(drawn, "tried", list(with_cells(working, drawn$tried,
                                                                  drawn$folds))))
}

# Least squares on the working response; its field `working` is the intercept of the null model.
working_chunks <- function(problem) {
  local <- working_problem(problem$local)
  survey <- problem$survey
  survey$y <- list(mean = sum(local$weights * local$y) / sum(local$weights))
  new <- list(survey = survey, local = local, working = null_start(problem$local),
              validation = local$validation, weights = local$weights, y = local$y,
              design = local$design)
  problem[names(new)] <- new
  structure(problem, class = setdiff(class(problem), "chunked_glm"))
}

# ---- models --------------------------------------------------------------------------------------

train.chunked_glm <- function(problem, candidate, path = NULL) {
  folds <- new_chunk_folds("each", 0)
  candidate$cell <- new_cell(problem, candidate, folds)
  solved_chunks(problem, candidate, folds, NULL, fold_tolerance)
}

evaluate.chunked_glm <- function(problem, candidate, folds, tick) {
  cell <- candidate$cell <- new_cell(problem, candidate, folds)
  plan <- member_plan(problem, cell, length(folds$folds))
  model <- solved_chunks(problem, candidate, folds, plan,
                         problem$validation$certificate %||% path_tolerance)
  held_of <- function(model) held_out_chunks(problem, model, plan, folds)
  model <- exact_choice(problem, model, held_of, exact_chunks)
  begun_with(model, certified = certified_folds(model), held = held_of(model),
             refits = c(state_refits(model$state), list(cell = cell, plan = plan)))
}

# The deviance is that of the passes; other losses take another look at the rows.
held_out_chunks <- function(problem, model, plan, folds) {
  deviance <- fold_deviance(model$state)
  if (problem$validation$measure$type == "deviance") return(deviance)
  held <- score_chunks(problem, model$candidate$cell, plan, state_refits(model$state), folds)
  replace(held, "squared", list(deviance))
}

finish.chunked_glm <- function(problem, begun, choice = NULL) {
  model <- begun$model
  null <- model$null
  lambda <- model$path$lambda
  nulldev <- model$state$columns$deviance[1]
  expansion <- path_expansion(model)
  chunked_fit(
    problem, begun, choice, "glmrls", family = problem$family,
    df = filled_df(model)[, 1],
    dev.ratio = 1 - solved_table(model, "deviance")[, 1] / nulldev, nulldev = nulldev,
    alpha = expansion$alpha, a0 = expansion$a0,
    shift_df = if (length(model$part$basis)) shift_df(null$shift, null$values, lambda),
    coordinates = model$training[c("map", "z_mean")],
    certificate = solved_table(model, "certificate")[, 1],
    steps = as.integer(solved_table(model, "steps"))
  )
}

