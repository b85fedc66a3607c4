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

# ---- its fields (check-model.R) ----------------------------------------------------

object_table.rls2 <- function(object) field_table(expression(
  lambda = is_path(lambda, TRUE), names = n >= 1 && strings(names),
  d = numbers(d, if (v == 1) c(n, c) else c(n, c, v)) && all(d >= 0),
  scale = reals(scale, n * v) && !anyNA(scale), df = numbers(df, c * v), gap = numbers(gap, c * v),
  gcv = reals(gcv, c), dev.ratio = reals(dev.ratio, c), intercept = is_flag(intercept),
  center = is_flag(center), standard = is_standard(standard, p),
  scaling = is.numeric(scaling) || among(scaling, scaling_rules),
  kernels = is.null(kernels) ||
    (length(kernels) == n && all(vapply(kernels, is_resolved, NA, p = p))),
  # Predictions by kernels read them.
  weights = is_weights(weights, m),
  expansion = is.list(expansion) && numbers(expansion$a0, c(v, c)) &&
    if (is.null(kernels)) {
      p == n && is.null(expansion$alpha) && is_sparse(expansion$slope, c(n, v * c))
    } else is.null(expansion$slope) && numbers(expansion$alpha, c(m, v, c)),
  problem = is_rls2_problem(problem, m, v, p, n, c),
  fitted_at = positions(fitted_at, c), nulldev = reals(nulldev, 1) && !is.na(nulldev),
  fitted = numbers(fitted, c(m, v, length(fitted_at)))
), expression(c = length(lambda), n = length(names)), "kernels")

# What values between those of the path are solved from.
is_rls2_problem <- function(problem, m, v, p, n, c) {
  settings <- problem$settings
  is.list(problem) && is.list(settings) && is_number(settings$tol) && settings$tol > 0 &&
    is_flag(settings$center) && among(settings$algorithm, c("newton", "alternate")) &&
    is_flag(problem$intercept) && numbers(problem$y, c(m, v)) && is_weights(problem$weights, m) &&
    sum(problem$weights) > 0 && numbers(problem$scale, c(n, v)) &&
    is_path(problem$lambda, TRUE) && length(problem$lambda) == c && is_count(problem$threads) &&
    strings(problem$labels, m) && (is.null(problem$columns) || strings(problem$columns, p)) &&
    is_standard(problem$standard, p) && is_unit(problem$unit, v) &&
    numbers(problem$unit$scale, 1) && numbers(problem$unit$x, 1) &&
    if (is.null(problem$points)) is_points(list(x = problem$x), m, m)
    else is_points(problem$points, m, p)
}

object_table.summary.rls2 <- function(object) field_table(expression(
  description = strings(description), lambda = is.numeric(lambda) && length(lambda) == 1,
  selected = is_table(selected)
))
