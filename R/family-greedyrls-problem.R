# The verbs of greedy feature selection (verbs.R), and the way into the numeric core. There is one
# candidate: the `folds` that the selection goes by (NULL: leave-one-out). The path has two axes, k
# and lambda. Fields of the problem, beside those of problem.R:
#   settings   k, criterion, intercept, standardize, cache, threads, patience
#   lambda     one or a grid
#   criterion  folds of the criterion, of a fit alone
#   rows       of the design that train

greedyrls_problem <- function(asked, design, criterion = NULL, validation = NULL) {
  refuse_offset(design, "greedyrls()")
  settings <- asked[c("k", "criterion", "intercept", "standardize", "cache", "threads", "patience")]
  settings$intercept <- settings$intercept && design$intercept
  structure(
    list(call = asked$call, design = design, y = design$response$y,
         weights = design$weights, rows = seq_len(nrow(design$x)),
         lambda = asked$lambda, settings = settings, criterion = criterion,
         validation = validation),
    class = c("greedyrls_problem", "problem")
  )
}

candidates.greedyrls_problem <- function(problem, folds = NULL) {
  by_folds <- problem$settings$criterion == "folds"
  criterion <- if (is.null(folds)) problem$criterion else if (by_folds) folds$folds
  list(list(criterion = criterion))
}

# The path is known, but for a k that training will find or refuse; the fit to all rows is made for
# one lambda only, at the end.
begin.greedyrls_problem <- function(problem, candidate) {
  k <- problem$settings$k
  list(candidate = candidate,
       path = new_path(k = if (is_count(k)) seq_len(min(k, ncol(problem$design$x))),
                       lambda = problem$lambda))
}

# A model: for every lambda the fits after 1, ..., k features.
train.greedyrls_problem <- function(problem, candidate, path = NULL) {
  data <- greedy_data(problem)
  criterion <- folds_of_rows(candidate$criterion, problem$rows)
  lapply(path$lambda, function(lambda) {
    found <- select_features(data, lambda, problem$settings, criterion)
    greedy_expansion(data, found$selected, lambda)
  })
}

# Every lambda has selections of its own, but in the last fit.
fits_each.greedyrls_problem <- function(problem, nfolds) nfolds * length(problem$lambda) + 1

# Standardization and selection see the other rows only.
without.greedyrls_problem <- function(problem, rows) {
  problem$rows <- setdiff(problem$rows, rows)
  problem
}

predict_rows.greedyrls_problem <- function(problem, model, rows) {
  x <- problem$design$x[rows, , drop = FALSE]
  steps <- seq_len(problem$settings$k)
  scores <- vapply(model, function(expansion) {
    greedy_scores(expansion, expansion_points(expansion, x), steps)
  }, array(0, c(length(rows), ncol(problem$y), length(steps))))
  array(scores, c(length(rows), ncol(problem$y), length(steps) * length(model)))
}

# A model is what predicts: the expansions after 1, ..., k features for every lambda.
predictor.greedyrls_problem <- function(problem, model) {
  structure(list(expansions = model), class = "greedy_model")
}

at_points.greedy_model <- function(predictor, at) {
  k <- length(predictor$expansions[[1]]$features)
  predictor$expansions <- lapply(at, function(at) {
    expansion <- predictor$expansions[[(at - 1L) %/% k + 1L]]
    used <- seq_len((at - 1L) %% k + 1L)
    expansion[c("features", "centre", "scale")] <-
      lapply(expansion[c("features", "centre", "scale")], `[`, used)
    expansion$beta <- expansion$beta[used, , length(used), drop = FALSE]
    expansion
  })
  predictor
}

model_scores.greedy_model <- function(model, fit, x, point) {
  expansion <- model$expansions[[point]]
  points <- expansion_points(expansion, x)
  beta <- matrix(expansion$beta, ncol(points))
  points %*% beta + rep(expansion$a0, each = nrow(points))
}

finish.greedyrls_problem <- function(problem, begun, choice = NULL) {
  lambda <- problem$lambda[if (is.null(choice)) 1L else choice[["column"]]]
  data <- greedy_data(problem)
  found <- select_features(data, lambda, problem$settings,
                           criterion_among(begun$candidate$criterion, problem))
  new_greedy_fit(problem, data, found, lambda)
}

# The folds of the criterion, in positions among the rows that train.
criterion_among <- function(folds, problem) {
  if (length(problem$rows) == nrow(problem$design$x)) return(folds)
  folds_of_rows(folds, problem$rows)
}

# Folds with positions among `rows` for rows; one that is left without any to score is dropped.
folds_of_rows <- function(folds, rows) {
  if (is.null(folds)) return(NULL)
  inner <- lapply(folds_among(folds, rows), lapply, match, rows)
  if (any(vapply(inner, function(fold) length(fold$omit) == length(rows), NA))) {
    abort("folds", "When one fold is left out, another holds all rows that remain.", NULL,
          "`criterion = \"folds\"` needs three folds or more.")
  }
  inner
}

# ---- the numeric core -----------------------------------------------------------

# How many features to select, of a problem's candidates.
check_k <- function(k, problem) {
  most <- sum(problem$candidates)
  if (most == 0) {
    abort("x", sprintf("All columns of `x` are %s.", if (problem$intercept) "constant" else "zero"))
  }
  if (identical(k, "loo")) return(min(most, nrow(problem$x)))
  if (!is_count(k) || k > most) {
    abort("k", sprintf("`k` must be a whole number from 1 to %d, the number of columns that %s.",
                       most, if (problem$intercept) "vary" else "are not zero"), shown(k),
          "For greedyrls() it may also be \"loo\", a stopping rule.")
  }
  as.integer(k)
}

# The rows that train, as the numeric core reads them (src/bridge_greedy.c).
greedy_data <- function(problem) {
  design <- problem$design
  settings <- problem$settings
  rows <- problem$rows
  x <- if (length(rows) == nrow(design$x)) design$x else design$x[rows, , drop = FALSE]
  weights <- design$weights[rows]
  moments <- column_moments(x, weights)
  varies <- moments$sd > 0
  # Without an intercept a constant is a feature like others.
  counts <- if (settings$intercept) varies else varies | moments$centre != 0
  list(
    x = x, y = design$response$y[rows, , drop = FALSE], weights = weights,
    centre = if (settings$intercept) moments$centre else numeric(ncol(x)),
    scale = if (settings$standardize) ifelse(varies, moments$sd, 1) else rep(1, ncol(x)),
    intercept = settings$intercept, candidates = counts
  )
}

# Selected features and the criterion after each step. folds: list(score = , omit = ) each, row
# numbers of the problem; or NULL for leave-one-out.
select_features <- function(problem, lambda, settings, folds = NULL) {
  k <- check_k(settings$k, problem)
  plan <- if (!is.null(folds)) criterion_plan(folds, problem$weights)
  found <- .Call(ffi_greedy_select, problem, lambda, problem$candidates, k, settings$patience,
                 settings$cache, plan, settings$threads)
  stop_greedy(found, lambda)
  counted <- if (is.null(plan)) problem$weights else problem$weights[plan$rows[plan$scored]]
  error <- found$error / sum(counted)
  # Without a stopping rule all features are kept, with one those up to the smallest error.
  kept <- seq_len(if (settings$patience == 0) k else best_of(error, FALSE))
  list(selected = found$selected[kept], error = error[kept])
}

# scores: how many rows of each fold count. All folds have rows: none drops out of the plan.
criterion_plan <- function(folds, weights) {
  plan <- fold_plan(folds, integer(), "keep", weights)
  c(plan, list(scores = tabulate(plan$fold[plan$scored], length(folds))))
}

stop_greedy <- function(found, lambda) {
  if (status_name(found$status) != "ill_posed") return(stop_status(found$status))
  abort("lambda", "`lambda` is too small: 1 - h of a row, or what is left of a feature, vanishes.",
        sprintf("lambda %s, step %d", format(lambda, digits = 3), length(found$selected) + 1L),
        "Use a larger `lambda` or select fewer features.")
}

# The fits after each step, on the scale of standardized features: f(x) = a0 + sum_l beta_l
# (x_l - centre_l) / scale_l over the selected features l; beta is k x outputs x steps.
greedy_expansion <- function(problem, selected, lambda) {
  problem$x <- problem$x[, selected, drop = FALSE]
  problem$centre <- problem$centre[selected]
  problem$scale <- problem$scale[selected]
  path <- .Call(ffi_greedy_path, problem, lambda)
  stop_status(path$status)
  k <- length(selected)
  list(features = selected, centre = path$centre, scale = problem$scale, a0 = path$a0,
       beta = array(path$beta, c(k, ncol(problem$y), k)))
}

# The selected columns of x, standardized.
expansion_points <- function(expansion, x) {
  x <- as.matrix(x[, expansion$features, drop = FALSE])
  dimnames(x) <- NULL
  (x - rep(expansion$centre, each = nrow(x))) / rep(expansion$scale, each = nrow(x))
}

# Predictions after the given steps, rows x outputs x steps. A missing value matters only from the
# step on at which its feature was selected.
greedy_scores <- function(expansion, points, steps) {
  outputs <- length(expansion$a0)
  scores <- vapply(steps, function(step) {
    used <- seq_len(step)
    beta <- matrix(expansion$beta[used, , step], step)
    points[, used, drop = FALSE] %*% beta + rep(expansion$a0, each = nrow(points))
  }, matrix(0, nrow(points), outputs))
  array(scores, c(nrow(points), outputs, length(steps)))
}

new_greedy_fit <- function(problem, data, found, lambda) {
  settings <- problem$settings
  expansion <- greedy_expansion(data, found$selected, lambda)
  error <- setNames(list(found$error), if (settings$criterion == "loo") "loo" else "holdout")
  new_family_fit(problem, "greedyrls", c(
    list(selected = found$selected), error,
    list(lambda = lambda, criterion = settings$criterion,
         intercept = settings$intercept, standardize = settings$standardize, expansion = expansion,
         points = expansion_points(expansion, problem$design$x))
  ), seen = found$selected)
}
