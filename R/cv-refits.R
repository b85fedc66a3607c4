# What a cross-validation with keep = TRUE keeps of the refits that its held-out predictions come
# from, at the values that it has chosen (lambda.min and lambda.1se, or k.min and k.1se). Its field
# `refits` is NULL where a row is held out more than once, or a list of
#   at       the points (path.R): values in the user's units, or positions; each once
#   fold     m: the number of the refit that was made without the row and scores it; NA where
#            none does. (Folds that leave nothing out have no refit and no number.)
#   groups   m: the group of each row as a number, and `group_names`; NULL where there are none
#   scores   m x outputs x at: held-out predictions; NA where no refit scores the row
#   marks    m: of row_marks(), by which the rows are known again
# and what predicts, in the user's units: either
#   expansion  of all refits over the terms of the fit: alpha (terms x outputs x points) or slope
#              (features x (outputs points), sparse), a0 (outputs x points), and of kernels with
#              weights d (kernels x outputs x points). Points are `at` of the first refit, then of
#              the next one
#   basis      where basis vectors leave with their rows: their `rows`, and those that are
#              `redundant` (redundant_basis() in train-coordinates.R)
# or
#   models     one for every refit, each with its own terms (at_points() and model_scores() of
#              verbs.R)

# index: positions on the path that were chosen, of choose_point(); axis: of the fit.
kept_refits <- function(problem, found, folds, index, axis) {
  held <- found$held
  if (!inherits(held, "held_rows") || anyDuplicated(held$row)) return(NULL)
  along <- unique(path_choice(index))
  at <- unique(path_chosen(found$path, index))
  answer <- refits(problem, found, folds, at)
  if (is.null(answer)) return(NULL)
  held$scores <- held$scores[, , at, drop = FALSE]
  fold <- rep(NA_integer_, nrow(problem$design$x))
  fold[held$row] <- match(held$fold, answer$folds)
  groups <- if (!is.null(folds$groups)) droplevels(folds$groups)
  c(list(at = as.double(points_at(axis, along)), fold = fold,
         groups = if (!is.null(groups)) as.integer(groups), group_names = levels(groups),
         scores = unname(held_out_means(held, problem)), marks = row_marks(problem$design$x)),
    Filter(length, answer[intersect(c("expansion", "models", "basis"), names(answer))]))
}

# ---- verbs (verbs.R) -----------------------------------------------------------------

# For honest refits their predictors, at some points of the path.
refits.default <- function(problem, found, folds, at) {
  if (is.null(found$models)) return(NULL)
  list(folds = seq_along(folds$folds),
       models = lapply(found$models, function(model) at_points(model, at)))
}

# The fit itself.
predictor.default <- function(problem, model) {
  structure(list(fit = finish(problem, begun_with(model))), class = "whole_fit")
}

# By the hold-out shortcut: the coefficients of all refits. found: of evaluate().
shortcut_refits <- function(problem, found, at) {
  model <- found[["model"]]
  result <- hold_out(model$training, found$plan, found$path$lambda[at], "coefficients")
  folds <- unique(found$plan$fold)
  v <- ncol(problem$y)
  points <- length(at) * length(folds)
  part <- model$part
  leave <- is.null(part$rows) && identical(problem$holdout_basis, "remove")
  list(folds = folds, expansion = list(
    alpha = array(result$values, c(nrow(result$values), v, points)),
    a0 = matrix(result$offsets, v, points)
  ), basis = if (leave) list(rows = part$basis, redundant = part$redundant))
}

# ---- predictions ---------------------------------------------------------------------

# The refits of a cross-validation that has some.
cv_refits <- function(cv) {
  kept <- !is.null(cv$refits)
  must(kept || !is.null(cv$fit.preval), "keep", "The cross-validation has not kept its refits.",
       NULL, if (is.null(cv$fit$chunks)) "Cross-validate with keep = TRUE."
             else "With rows in chunks give `keep` a folder, and folds of rows rather than groups.")
  must(kept, "folds", "Rows that are held out more than once have no refit of their own.",
       "folds that overlap or are repeated", "Use folds that hold every row once.")
  cv$refits
}

# The position in refits$at of a point of the path.
refit_point <- function(cv, point) {
  kept <- cv$refits$at
  at <- match_points(point, kept)
  axis <- path_axis(cv$fit)
  must(length(at) == 1 && !is.na(at),
       axis$name, "The refits were kept only at the chosen values.",
       enumerate(format_points(axis, point)),
       sprintf("Use one of %s.", enumerate(format_points(axis, kept, digits = 15))))
  at
}

refit_count <- function(refits) {
  if (is.null(refits$models)) ncol(refits$expansion$a0) / length(refits$at)
  else length(refits$models)
}

# At one point of refits$at a function of a refit's number: list(fit, expansion), what predicts;
# where refits share their terms also of several numbers.
refit_part <- function(refits, fit, point) {
  if (!is.null(refits$models)) return(function(k) {
    model <- refits$models[[k]]
    list(fit = model$fit, expansion = expansion_at(model$fit, model$points[point]))
  })
  expansion <- refit_expansion(refits, point)
  function(k) list(fit = fit, expansion = pick_expansion(expansion, k))
}

# The terms of refits at one point: alpha or slope, a0 (outputs x refits) and d.
refit_expansion <- function(refits, point, which = seq_len(refit_count(refits))) {
  pick_expansion(refits$expansion, point + length(refits$at) * (which - 1L))
}

# An expansion at some of its points.
pick_expansion <- function(expansion, at) {
  v <- nrow(expansion$a0)
  columns <- as.vector(outer(seq_len(v), (at - 1L) * v, "+"))
  of <- function(values) if (!is.null(values)) values[, , at, drop = FALSE]
  list(a0 = expansion$a0[, at, drop = FALSE], d = of(expansion$d), alpha = of(expansion$alpha),
       slope = if (!is.null(expansion$slope)) expansion$slope[, columns, drop = FALSE])
}

# What predicts by every refit, or some, at one point: `scores`, a function of coded rows without
# missing values, rows x (outputs refits), and `offset`, outputs x refits, which is to be added.
fold_predictor <- function(cv, point, which = seq_len(refit_count(cv$refits))) {
  refits <- cv$refits
  v <- output_count(cv$fit)
  if (!is.null(refits$models)) {
    return(list(offset = matrix(0, v, length(which)), scores = function(x) {
      matrix(vapply(refits$models[which], function(model) model_scores(model, x, point),
                    matrix(0, nrow(x), v)), nrow(x))
    }))
  }
  expansion <- refit_expansion(refits, point, which)
  if (!is.null(expansion$alpha)) expansion$alpha <- matrix(expansion$alpha, nrow(expansion$alpha))
  list(scores = function(x) as.matrix(expansion_scores(cv$fit, expansion, x)),
       offset = expansion$a0)
}

# ---- a whole fit ----------------------------------------------------------------------
# One to the rows that trained, with the `points` of its path that were chosen.

at_points.whole_fit <- function(predictor, at) {
  predictor$points <- points_at(path_axis(predictor$fit), at)
  # Values of rows, which nobody asks a refit for.
  predictor$fit[c("fitted", "marks", "rownames")] <- NULL
  predictor
}

model_scores.whole_fit <- function(model, x, point) {
  matrix(coded_scores(model$fit, x, model$points[point]), nrow(x))
}
