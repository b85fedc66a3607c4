# The verbs of RLS with two layers (verbs.R). There is one candidate, the whole bank of kernels.
# Fields of the problem, beside those of problem.R:
#   bank      the kernels on all rows (kernel-bank.R); features: whether they are those of `kernels`
#             NULL, one linear kernel for each feature
#   settings  of rls2_settings()
#   scale     s_i, kernels x outputs; rescale: whether they are computed anew without a fold
#   newdata   rows that count in the scales, or NULL
#   lambda    the path; asked: lambda and nlambda as asked for
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
  problem$keep <- isTRUE(problem$validation$keep)
  if (problem$rescale) {
    problem$scale <- bank_scale(problem$bank, problem, problem$weights, problem$settings)
  }
  problem
}

anew.rls2_problem <- function(problem, left) with_bank(NextMethod())

predict_rows.rls2_problem <- function(problem, model, rows) model$fitted[rows, , , drop = FALSE]

finish.rls2_problem <- function(problem, begun, choice = NULL) {
  # In an outer fold the problem is one of without().
  problem$keep <- TRUE
  new_rls2(problem, train(problem, begun$candidate), path_choice(choice))
}

predictor.rls2_problem <- function(problem, model) {
  model$d <- model$d * as.vector(problem$scale)
  c(rls2_expansion(model, problem$unit), model["d"])
}

# The weights of kernels in all refits are in units of the fit's scales.
refits.rls2_problem <- function(problem, found, folds, at) {
  models <- lapply(found$models, pick_expansion, at)
  scale <- ifelse(problem$scale > 0, 1 / problem$scale, 0)
  joined <- function(name) bind_points(lapply(models, `[[`, name))
  list(folds = seq_along(folds$folds), expansion = list(
    a0 = joined("a0"), d = joined("d") * as.vector(scale), alpha = joined("alpha"),
    slope = joined("slope")
  ))
}

# Arrays, or sparse matrices, whose last axis is one of points, one after the other.
bind_points <- function(parts) {
  if (is.null(parts[[1]])) return(NULL)
  if (isS4(parts[[1]])) return(do.call(cbind, parts))
  shape <- dim(parts[[1]])
  last <- length(shape)
  array(unlist(parts), c(shape[-last], shape[last] * length(parts)))
}

# What the bank is, without its data.
bank_label <- function(problem) {
  label <- problem$bank
  label$terms <- NULL
  label
}
