# The verbs of RLS on all rows (verbs.R). A candidate is a kernel. Fields of the problem, beside
# those of problem.R: lambda (numbers, lambda_df() or NULL), nlambda and solver, as asked for.

rls_problem <- function(asked, design, validation = NULL) {
  new_problem("rls", asked, design, validation, takes_offset = TRUE, lambda = asked$lambda,
              nlambda = asked$nlambda, solver = asked$solver)
}

candidates.rls_problem <- function(problem, folds = NULL) {
  candidates_by_kernel(problem, NULL)
}

kernel_candidates.rls_problem <- function(problem, kernel, bases) list(list(kernel = kernel))

# A model: the kernel with its solver (`part`), the training list of the core, and the path.
train.rls_problem <- function(problem, candidate, path = NULL) {
  part <- rls_part(problem, candidate$kernel, problem$solver)
  training <- rls_training(problem, part)
  lambda <- rls_path(training, if (is.null(path)) problem$lambda else path$lambda,
                     problem$nlambda)
  list(candidate = part["kernel"], path = new_path(lambda = lambda), part = part,
       training = training)
}

evaluate.rls_problem <- function(problem, candidate, folds, tick) {
  model <- train(problem, candidate)
  if (folds$kind == "pairs") return(evaluate_pairs(model))
  plan <- fold_plan(folds$folds, integer(), "keep", problem$weights)
  evaluate_plan(problem, model, folds, plan, tick)
}

refits.rls_problem <- function(problem, found, folds, at) shortcut_refits(problem, found, at)

# All pairs of rows that differ in y, held out two at a time.
evaluate_pairs <- function(model) {
  model$training <- turned(model$training)
  counts <- .Call(ffi_leave_pairs_out, model$training, model$path$lambda)
  stop_status(counts$status)
  held <- structure(counts[c("concordant", "pairs")], class = "held_pairs")
  list(candidate = model$candidate, path = model$path, model = model, held = held)
}

fits_each.rls_problem <- function(problem, nfolds) 1

predict_rows.rls_problem <- function(problem, model, rows) {
  with_offset(trained_predictions(model, rows), problem, rows)
}

finish.rls_problem <- function(problem, begun, choice = NULL) {
  new_rls(problem, begun$model, path_choice(choice))
}

largest_block.rls_problem <- function(problem) {
  plain <- vapply(problem$kernels, has_slopes, NA)
  if (all(plain) && ncol(problem$design$x) < nrow(problem$y)) return(NextMethod())
  full_kernel_block(problem)
}
