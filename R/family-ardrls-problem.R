# The verbs of RLS with one width for each feature (verbs.R). Such a problem is one of a subset of
# regressors with a single kernel; training it follows a path of penalties (family-ardrls-path.R),
# whose values are the path. Fields in addition to those of family-ridge-problem.R:
#   penalty, kind    the steps of the path: "widths", penalties decreasing from the common width on,
#                    then perhaps "map", decreasing again
#   walks            whether the search begins with a walk over widths
#   maxit, rank      iterations at each step; how many directions maps have, or NULL
#   final            how many basis vectors the last basis has, 0 for no other than that of the
#                    search, NULL for the default
#   inner            recipe of the folds whose error is minimized; those of the validation are outer
#   progress         whether to say how far the path is
# and, while it is evaluated or searched:
#   keeps            whether the fits without every outer fold are kept
#   penalty_rows     where the search is on some of the rows, how many there are in all
#   multiples        of the search's lambda, those of the last basis where they are not the default

# From read_arguments(). Folds that are asked for are the inner ones, whose error is minimized.
ardrls_problem <- function(asked) {
  crossed <- is_cv(asked)
  asked$kernels <- list(check_ard_kernel(asked$kernel, paste0(asked$public, "()"), asked$map))
  design <- dense_design(asked_design(asked))
  inner <- asked_folds(asked, design)
  validation <- if (crossed) {
    new_validation(replace(asked, "outer", list(NULL)), design,
                   ard_outer_recipe(asked$outer, design, inner))
  }
  refuse_offset(design, "ardrls()")
  steps <- check_steps(asked$penalty, asked$npenalty, asked$map)
  rank <- asked$rank
  if (!is.null(rank)) {
    must(asked$map, "argument", "`rank` is one of maps.", shown(rank), "Use map = TRUE.")
    rank <- check_count(rank, "rank")
  }
  check_ard_basis(asked$basis)
  final <- asked_final_basis(asked$final_basis, asked$basis, asked$holdout_basis)
  asked$nlambda <- 20L
  problem <- sparserls_problem(asked, design, validation, inner = inner, final = final, rank = rank,
                               maxit = asked$maxit, progress = asked$progress && !crossed)
  problem[names(steps)] <- steps
  problem$walks <- isTRUE(searched_width(asked$kernels[[1]])$search) &&
    nrow(design$x) <= walked_rows
  structure(problem, class = c("ardrls_problem", "problem"))
}

# With more rows one width has hardly more than one minimum.
walked_rows <- 300

# map: whether maps are sought, too.
check_ard_kernel <- function(kernel, caller, map) {
  kernel <- single_kernel(kernel, "cv.sparserls()")
  must(!map || takes_map(kernel), "kernel", "`map = TRUE` needs a kernel that can have a map.",
       format(kernel), sprintf("Use %s.", constructors(takes_map, "or")))
  must(may_have_widths(kernel), "kernel",
       sprintf("%s needs a kernel with a width for each feature.", caller), format(kernel),
       sprintf("Use %s.", constructors(may_have_widths, "or")))
  kernel
}

# A linear kernel has weights of features, a map has the widths in it.
may_have_widths <- function(kernel) {
  !has_map(kernel) &&
    (takes_gamma(kernel) || (kernel_trait(kernel, "slopes") && !kernel$normalize))
}

check_ard_basis <- function(basis) {
  refuse_sizes(basis)
  must(!is_point_basis(basis), "basis", "The basis of a search for widths must be rows.",
       shown(basis), "Use a number, row numbers or a basis_*(); sparserls() takes points.")
  must(!inherits(basis, "sparserls_basis") || basis$type != "greedy", "basis",
       "basis_greedy() has seen the responses of the rows that are held out.", NULL,
       "Use basis_rpcholesky() or basis_random().")
}

# More rows than this are split once.
split_above <- 5000

# The outer folds, which keep the groups of the inner ones, but not inner folds that are given.
ard_outer_recipe <- function(outer, design, inner) {
  units <- unit_count(inner$groups, design)
  must(is.list(outer) || units >= 3, "folds",
       sprintf("cv.ardrls() needs at least three %s.",
               if (is.null(inner$groups)) "rows" else "groups"),
       sprintf("%d", units), "Inner folds divide what an outer fold leaves.")
  outer <- outer %||% if (nrow(design$x) > split_above) "split" else min(5, units)
  if (!identical(outer, "split")) {
    return(nested_recipe(outer, design, inner[c("groups", "strata")], "split"))
  }
  # A fifth of the rows, in whole groups.
  held <- cv_folds(nrow(design$x), min(5, units), inner$groups, inner$strata)[1]
  replace(fold_recipe(design, groups = inner$groups), "folds", list(whole_folds(held)))
}

# The steps of the path, a list of `penalty` and `kind`.
check_steps <- function(penalty, npenalty, map) {
  given <- if (is.list(penalty)) penalty else list(widths = penalty)
  kinds <- c("widths", if (map) "map")
  must(length(names(given)) > 0 && all(names(given) %in% kinds) && !anyDuplicated(names(given)),
       "penalty", "`penalty` as a list must be list(widths = , map = ).", shown(penalty),
       if (!map) "Values for maps need map = TRUE.")
  npenalty <- check_count(npenalty, "npenalty")
  between <- exp(seq(log(30), log(0.1), length.out = max(0, npenalty - 2)))
  default <- list(widths = head(c(Inf, if (npenalty > 1) c(between, 0)), npenalty),
                  map = default_map_penalty)
  steps <- Map(check_penalty, utils::modifyList(default, not_null(given))[kinds], kinds == "map",
               USE.NAMES = FALSE)
  list(penalty = unlist(steps), kind = rep(kinds, lengths(steps)))
}

# Decreasing.
check_penalty <- function(penalty, maps) {
  fine <- is_real(penalty) && length(penalty) > 0 && !anyNA(penalty) && all(penalty >= 0) &&
    !(maps && any(is.infinite(penalty)))
  must(fine, "penalty",
       if (maps) "`penalty` of maps must be finite numbers that are not negative."
       else "`penalty` must be numbers that are not negative.",
       if (is_real(penalty) && length(penalty) > 1) enumerate(penalty) else shown(penalty),
       if (maps) "0 is a free map; at Inf there would be the widths alone."
       else "Inf is one width for all features, 0 free widths.")
  sort(unique(as.double(penalty)), decreasing = TRUE)
}

# bench/ardrls-map.txt
default_map_penalty <- c(1000, 100, 30, 10)

# Everything is found in training: the basis too belongs to the rows that train. candidate: `from`,
# NULL or the steps of a path of most of the rows.
train.ardrls_problem <- function(problem, candidate, path = NULL) {
  folds <- draw_folds(problem$inner)
  check_folds(folds, problem)
  chosen <- chosen_basis(problem)
  widths <- start_widths(problem)
  many <- has_many_rows(problem, chosen)
  from <- candidate$from
  if (many && is.null(from)) from <- path_of_some_rows(problem, folds, chosen, widths)
  list(candidate = candidate, path = new_path(penalty = problem$penalty, kind = problem$kind),
       steps = path_on(problem, folds, chosen, widths, from, many), folds = folds)
}

# The widths have seen the rows of every inner fold, so there is no shortcut.
evaluate.ardrls_problem <- function(problem, candidate, folds, tick) {
  problem$progress <- problem$progress && is.null(tick)
  larger <- !identical(problem$final, 0)
  # What with_final_basis() needs of every fold comes as kept models do.
  problem$keeps <- problem$validation$keep
  problem$validation$keep <- problem$keeps || larger
  refit <- if (length(folds$folds) == 1) evaluate_split else evaluate.default
  found <- refit(problem, candidate, folds, tick)
  found$index <- chosen_step(problem, found, folds)
  if (larger) found <- with_final_basis(problem, found, folds)
  if (!problem$keeps) found["models"] <- list(NULL)
  found
}

# The widths found from all rows are not what is assessed, so their search may start from those of
# the split.
evaluate_split <- function(problem, candidate, folds, tick) {
  problem$validation$keep <- TRUE
  payload <- list(problem = problem, candidate = candidate, folds = folds)
  found <- refit_folds(payload, evaluate_fold, "folds", tick, measured = FALSE)
  models <- lapply(found$each, `[[`, "predictor")
  c(begin(problem, list(from = models[[1]]$end$steps)), list(held = found$held, models = models))
}

# Its folds are outer ones.
without.ardrls_problem <- function(problem, rows) {
  rest <- structure(without(as_sparserls(problem), rows), class = class(problem))
  rest$inner <- recipe_without(rest$inner, rows)
  remade(rest, rest$rows)
}

predict_rows.ardrls_problem <- function(problem, model, rows) {
  step_scores(lapply(model$steps, `[[`, "fit"), rows_at(problem$design$x, rows))
}

# A model is what predicts: its fits at every penalty, in the user's units; and, until the larger
# basis has been fitted, what that needs and a search from there.
predictor.ardrls_problem <- function(problem, model) {
  end <- lapply(model$steps, `[`, c("at", "log_lambda", "selection", "kernel", "loss"))
  structure(list(fits = if (keeps_fits(problem)) lapply(model$steps, `[[`, "fit"),
                 end = list(steps = end, folds = model$folds)),
            class = "width_model")
}

at_points.width_model <- function(predictor, at) {
  predictor$fits <- predictor$fits[at]
  predictor$end <- NULL
  predictor
}

model_scores.width_model <- function(model, x, point) {
  matrix(step_scores(model$fits[point], x), nrow(x))
}

# Scores of coded rows by several fits at one lambda each: rows x outputs x fits.
step_scores <- function(fits, x) {
  scores <- lapply(fits, function(fit) coded_scores(fit, x, fit$lambda))
  structure(array(unlist(scores), c(dim(scores[[1]])[1:2], length(fits))),
            outside = Reduce(`|`, Filter(length, lapply(scores, attr, "outside"))))
}

# What leaving whole outer folds out says of errors of effects (effect-carriers.R).
kept_covariance.ardrls_problem <- function(problem, found, folds, index) {
  if (is.null(folds$foldid)) return(NULL)
  list(carriers = carriers(problem$design, problem$weights, folds$foldid))
}

# The inner folds, the basis, or some of many rows are drawn while it trains. With `keep` it stays
# in the main session, too, as whole fits would have to come back. (A larger basis is fitted there.)
draws_in_training.ardrls_problem <- function(problem) {
  inner <- problem$inner
  (is.null(inner$foldid) && is.null(inner$folds)) || !names_rows(problem$basis) ||
    is.null(problem$chosen) || has_many_rows(problem, problem$chosen) || keeps_fits(problem)
}

keeps_fits <- function(problem) {
  problem$keeps %||% isTRUE(problem$validation$keep)
}

finish.ardrls_problem <- function(problem, begun, choice = NULL) {
  model <- begun$model
  if (is.null(choice)) model <- with_final_step(problem, model, length(model$steps))
  fits <- lapply(model$steps, `[[`, "fit")
  at <- if (is.null(choice)) length(fits) else choice[["1se"]]
  relevance <- do.call(cbind, lapply(fits, relevance_of))
  colnames(relevance) <- sprintf("s%d", seq_along(fits))
  new_fit(problem, "ardrls", list(
    penalty = problem$penalty, kind = problem$kind, relevance = relevance,
    lambda = joined(fits, "lambda"), shift_df = joined(fits, "shift_df"),
    loss = joined(model$steps, "loss"), gradients = joined(model$steps, "gradients"),
    kernel = fits[[at]]$kernel, at = at, fits = fits, holdout_basis = problem$holdout_basis
  ))
}

own_fields.ardrls_problem <- function(problem, found, fit, index) {
  list(outer = if (length(problem$validation$folds$folds) == 1) "split" else "folds",
       kind = setNames(fit$kind[index], names(index)))
}

# One gamma for each feature, of a map L the diagonal of L L', summed over a factor's columns; 0 of
# features that the kernel does not see.
relevance_of <- function(fit) {
  feature <- features_of(fit$blueprint$feature, fit$columns, fit$blueprint$p)
  gamma <- setNames(numeric(max(feature)), names(feature)[!duplicated(feature)])
  seen <- fit$kernel$features
  if (!is.null(seen)) feature <- feature[seen]
  if (has_map(fit$kernel)) {
    found <- rowsum(rowSums(kernel_map(fit$kernel)^2), feature)
    return(replace(gamma, as.integer(rownames(found)), found))
  }
  gamma[feature] <- column_widths(fit$kernel)
  gamma
}
