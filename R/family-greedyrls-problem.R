# The verbs of greedy feature selection (verbs.R), and the way into the numeric core. There is one
# candidate: the `folds` that the selection goes by (NULL: leave-one-out). The path has two axes, k
# and lambda. Fields of the problem, alongside those of problem.R:
#   settings   k, criterion, intercept, standardize, cache, threads, patience
#   lambda     one or a grid
#   criterion  folds of the criterion, of a fit alone
#   rows       of the design that train

# From read_arguments().
greedyrls_problem <- function(asked) {
  must("k" %in% names(asked), "k", "`k` is missing.", NULL, "How many features are to be selected?")
  stops <- identical(asked$k, "loo")
  crossed <- is_cv(asked)
  must(asked$cache || (!stops && asked$criterion == "loo"), "argument",
       "`cache = FALSE` needs a number `k` and `criterion = \"loo\"`.")
  must(!stops || !crossed, "k", "`k` must be a number here.", "\"loo\"",
       "The cross-validation chooses among 1, ..., k.")
  must(!crossed || !is.null(asked$lambda), "lambda", "`lambda` must be numeric.", "NULL")
  lambda <- if (crossed) check_lambda(asked$lambda, NULL) else check_single_lambda(asked$lambda)
  asked$patience <- if (stops) check_count(asked$patience, "patience") else 0L
  design <- dense_design(asked_design(asked))
  refuse_offset(design, "greedyrls()")
  settings <- asked[c("k", "criterion", "intercept", "standardize", "cache", "threads", "patience")]
  settings$intercept <- settings$intercept && design$intercept
  problem <- structure(
    list(call = asked$call, design = design, y = design$response$y,
         weights = design$weights, rows = seq_len(nrow(design$x)),
         lambda = lambda, settings = settings,
         criterion = if (!crossed) criterion_folds(asked, design),
         validation = new_validation(asked, design)),
    class = c("greedyrls_problem", "problem")
  )
  if (crossed) check_k(settings$k, greedy_data(problem))
  problem
}

# The folds of the criterion.
criterion_folds <- function(asked, design) {
  if (asked$criterion == "folds") return(draw_folds(asked_folds(asked, design))$folds)
  given <- names(not_null(asked[c("foldid", "groups", "folds")]))
  must(!length(given), "folds", sprintf("`%s` is for `criterion = \"folds\"`.", given[1]))
}

candidates.greedyrls_problem <- function(problem, folds = NULL) {
  list(list(criterion = if (is.null(folds)) problem$criterion
                        else if (problem$settings$criterion == "folds") folds$folds))
}

# The path is known, except for a k that training will find or refuse; the fit to all rows is made
# for one lambda only, at the end.
begin.greedyrls_problem <- function(problem, candidate) {
  k <- problem$settings$k
  list(candidate = candidate,
       path = new_path(k = if (is_count(k)) seq_len(min(k, ncol(problem$design$x))),
                       lambda = problem$lambda))
}

# A model: for every lambda the fits after 1, ..., k features.
train.greedyrls_problem <- function(problem, candidate, path = NULL) {
  data <- greedy_data(problem)
  plan <- criterion_plan(problem, candidate$criterion)
  lapply(path$lambda, function(lambda) {
    select_features(data, lambda, problem$settings, plan)$expansion
  })
}

# Standardization and selection see the other rows only.
without.greedyrls_problem <- function(problem, rows) {
  problem$rows <- setdiff(problem$rows, rows)
  problem
}

predict_rows.greedyrls_problem <- function(problem, model, rows) {
  x <- rows_at(problem$design$x, rows)
  steps <- seq_len(problem$settings$k)
  scores <- unlist(lapply(model, function(expansion) {
    greedy_scores(expansion, expansion_points(expansion, x), steps)
  }))
  array(scores, c(length(rows), ncol(problem$y), length(steps) * length(model)))
}

# A model is what predicts: the expansions after 1, ..., k features for every lambda.
predictor.greedyrls_problem <- function(problem, model) {
  structure(list(expansions = model), class = "greedy_model")
}

# What is chosen is chosen at one lambda.
at_points.greedy_model <- function(predictor, at) {
  k <- length(predictor$expansions[[1]]$features)
  fit <- structure(list(expansion = predictor$expansions[[(at[1] - 1L) %/% k + 1L]]),
                   class = "greedyrls")
  structure(list(fit = fit, points = (at - 1L) %% k + 1L), class = "whole_fit")
}

finish.greedyrls_problem <- function(problem, begun, choice = NULL) {
  lambda <- problem$lambda[if (is.null(choice)) 1L else choice[["column"]]]
  settings <- problem$settings
  found <- select_features(greedy_data(problem), lambda, settings,
                           criterion_plan(problem, begun$candidate$criterion))
  expansion <- found$expansion
  new_fit(problem, "greedyrls", c(
    list(selected = expansion$features),
    setNames(list(found$error), if (settings$criterion == "loo") "loo" else "holdout"),
    list(lambda = lambda), settings[c("criterion", "intercept", "standardize")],
    list(expansion = expansion, points = expansion_points(expansion, problem$design$x))
  ), seen = expansion$features)
}

# ---- the numeric core -----------------------------------------------------------

# The rows that train, as the numeric core reads them (src/bridge_greedy.c).
greedy_data <- function(problem) {
  x <- problem$design$x
  rows <- problem$rows
  if (length(rows) < nrow(x)) x <- rows_at(x, rows)
  weights <- problem$weights[rows]
  moments <- column_moments(x, weights)
  varies <- moments$sd > 0
  intercept <- problem$settings$intercept
  list(
    x = x, y = rows_at(problem$y, rows), weights = weights,
    centre = if (intercept) moments$centre else numeric(ncol(x)),
    scale = if (problem$settings$standardize) ifelse(varies, moments$sd, 1) else rep(1, ncol(x)),
    intercept = intercept,
    # Without an intercept a constant is a feature like others.
    candidates = if (intercept) varies else varies | moments$centre != 0
  )
}

# How many features to select of greedy_data().
check_k <- function(k, data) {
  most <- sum(data$candidates)
  must(most > 0, "x",
       sprintf("All columns of `x` are %s.", if (data$intercept) "constant" else "zero"))
  if (identical(k, "loo")) return(min(most, nrow(data$x)))
  must(is_count(k) && k <= most, "k",
       sprintf("`k` must be a whole number from 1 to %d, the number of columns that %s.", most,
               if (data$intercept) "vary" else "are not zero"), shown(k),
       "For greedyrls() it may also be \"loo\", a stopping rule.")
  as.integer(k)
}

# The folds of the criterion, NULL for leave-one-out, as the core reads them, among the rows that
# train; one that is left without any to score is dropped. scores: how many rows of each fold count.
criterion_plan <- function(problem, folds) {
  if (is.null(folds)) return(NULL)
  rows <- problem$rows
  if (length(rows) < nrow(problem$design$x)) {
    folds <- lapply(folds_among(folds, rows), lapply, match, rows)
    must(all(lengths(fold_rows(folds, "omit")) < length(rows)), "folds",
         "When one fold is left out, another holds all rows that remain.", NULL,
         "`criterion = \"folds\"` needs three folds or more.")
  }
  plan <- fold_plan(folds, integer(), "keep", problem$weights[rows])
  c(plan, list(scores = tabulate(plan$fold[plan$scored], length(folds))))
}

# The selected features: the criterion after each step, and the fits, on the scale of standardized
# features: f(x) = a0 + sum_l beta_l (x_l - centre_l) / scale_l over the selected features l; beta
# is k x outputs x steps. data: of greedy_data(); plan: of criterion_plan().
select_features <- function(data, lambda, settings, plan) {
  k <- check_k(settings$k, data)
  found <- .Call(ffi_greedy_select, data, lambda, data$candidates, k, settings$patience,
                 settings$cache, plan, settings$threads)
  must(status_name(found$status) != "ill_posed", "lambda",
       "`lambda` is too small: 1 - h of a row, or what is left of a feature, vanishes.",
       sprintf("lambda %s, step %d", three_digits(lambda), length(found$selected) + 1L),
       "Use a larger `lambda` or select fewer features.")
  counted <- if (is.null(plan)) data$weights else data$weights[plan$rows[plan$scored]]
  error <- computed(found)$error / sum(counted)
  # Without a stopping rule all features are kept, with one those up to the smallest error.
  if (settings$patience > 0) k <- best_of(error, FALSE)
  selected <- found$selected[seq_len(k)]
  data$x <- columns_at(data$x, selected)
  data[c("centre", "scale")] <- lapply(data[c("centre", "scale")], `[`, selected)
  path <- computed(.Call(ffi_greedy_path, data, lambda))
  list(error = error[seq_len(k)], expansion = list(
    features = selected, centre = path$centre, scale = data$scale, a0 = path$a0,
    beta = array(path$beta, c(k, ncol(data$y), k))
  ))
}

# The selected columns of x, standardized.
expansion_points <- function(expansion, x) {
  x <- as.matrix(columns_at(x, expansion$features))
  dimnames(x) <- NULL
  (x - each_row(expansion$centre, x)) / each_row(expansion$scale, x)
}

# Predictions after the given steps, rows x outputs x steps. A missing value matters only from the
# step on at which its feature was selected.
greedy_scores <- function(expansion, points, steps) {
  scores <- lapply(steps, function(step) {
    used <- seq_len(step)
    columns_at(points, used) %*% matrix(expansion$beta[used, , step], step) +
      each_row(expansion$a0, points)
  })
  array(unlist(scores), c(nrow(points), length(expansion$a0), length(steps)))
}
