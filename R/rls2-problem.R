# The verbs of RLS with two layers (verbs.R). There is one candidate, the whole bank of kernels.
# Fields of the problem, beside those of problem.R:
#   bank      the kernels on all rows (kernel-bank.R)
#   settings  of rls2_settings()
#   scale     s_i, kernels x outputs; rescale: whether they are computed anew without a fold
#   lambda    the path
#   keep      whether a model holds the weights of kernels and what predicts new rows

candidates.rls2_problem <- function(problem, folds = NULL) list(list(kernel = bank_label(problem)))

train.rls2_problem <- function(problem, candidate, path = NULL) {
  c(rls2_path(problem, keep = problem$keep),
    list(path = new_path(lambda = problem$lambda), candidate = candidate))
}

# The path is known and the fit to all rows is made once, at the end.
begin.rls2_problem <- function(problem, candidate) {
  list(candidate = candidate, path = new_path(lambda = problem$lambda))
}

without.rls2_problem <- function(problem, rows) {
  problem <- without_weight(problem, rows)
  problem$keep <- FALSE
  if (problem$rescale) {
    problem$scale <- bank_scale(problem$bank, problem, problem$weights, problem$settings)
  }
  problem
}

predict_rows.rls2_problem <- function(problem, model, rows) model$fitted[rows, , , drop = FALSE]

finish.rls2_problem <- function(problem, begun, choice = NULL) {
  new_rls2(problem, train(problem, begun$candidate), path_choice(choice))
}

# What the bank is, without its data.
bank_label <- function(problem) {
  label <- problem$bank
  label$terms <- NULL
  label
}
