# Cross-fitting: every row's prediction, and later its representer, are of a fit that has not seen
# it. Debiased averages take the refits that a cross-validation has kept. cross_fits() answers a
# list of class `cross_fits`,
#   folds   the rows of every fold; together all rows of positive weight, and maybe others
#   groups  m: the group of each row as a number, or NULL
#   parts   a function of a fold's number: list(fit, expansion), what predicts its rows
#   held    m x outputs: the held-out predictions that the cross-validation has kept, less offsets
#   basis   where all refits have the terms of the fit: what leaves with the rows of a fold, a list
#           of `rows` (of the basis vectors) and `redundant` (train-coordinates.R), or of no rows
# or, of class `no_cross_fits`, why there are none: list(name, why, remedy), as for abort().

cross_fits <- function(object, fit, lambda) {
  if (!has_family(fit)) UseMethod("cross_fits")
  else no_cross_fits("family", "averages with a `family` are not debiased",
                     "Type is \"jackknife\" or \"sandwich\".")
}

cross_fits.default <- function(object, fit, lambda) {
  no_cross_fits("keep", "they need refits without each fold, which a fit alone does not have",
                if (is.null(fit$chunks)) "Cross-validate with keep = TRUE." else sample_remedy)
}

no_cross_fits <- function(name, why, remedy) {
  structure(list(name = name, why = why, remedy = remedy), class = "no_cross_fits")
}

# what: "refits", "scores".
kept_at_chosen <- function(what) {
  no_cross_fits("lambda", paste(what, "were kept only at the chosen values"),
                "Use \"lambda.min\" or \"lambda.1se\".")
}

# what: "is no jackknife", ...; reason: of no_cross_fits().
stop_without <- function(reason, what, remedy = reason$remedy) {
  abort(reason$name, sprintf("There %s: %s.", what, reason$why), NULL, remedy)
}

cross_fits.sparserls_cv <- function(object, fit, lambda) {
  refits <- object$refits
  reason <- why_no_refits(object, fit)
  if (!is.null(reason)) return(reason)
  point <- match_points(lambda, refits$at)
  if (is.na(point)) return(kept_at_chosen("refits"))
  held <- less_offset(matrix(refits$scores[, , point], fit$nobs), fit$offset)
  # With holdout_basis = "remove" basis vectors leave with their rows; of the full kernel every row
  # is one, which full_terms() finds out about.
  basis <- refits$basis %||% list(rows = integer(), redundant = no_redundant)
  new_cross_fits(refits, held, refit_part(refits, fit, point), if (is.null(refits$models)) basis)
}

new_cross_fits <- function(refits, held, parts, basis = NULL) {
  folds <- lapply(seq_len(refit_count(refits)), function(k) which(refits$fold == k))
  structure(list(folds = folds, groups = refits$groups, parts = parts, held = held,
                 basis = basis), class = "cross_fits")
}

why_no_refits <- function(cv, fit) {
  refits <- cv$refits
  if (!is.null(fit$chunks)) {
    no_cross_fits("keep", "they need rows in memory", sample_remedy)
  } else if (is.null(cv$fit.preval)) {
    no_cross_fits("keep", "the cross-validation has not kept its refits",
                  "Cross-validate with keep = TRUE.")
  } else if (is.null(refits)) undivided("rows are held out more than once")
  else if (isTRUE(cv$omits.more)) undivided("folds leave out more rows than they score")
  else if (anyNA(refits$fold[fit$weights > 0])) undivided("some rows are not held out and scored")
}

undivided <- function(why) {
  no_cross_fits("folds", why, "Use folds that hold every row once, and score all that they hold.")
}

# For cv.ardrls() the fits without its outer folds, each with kernel, basis and lambda of its own.
cross_fits.outer_fits <- function(object, fit, lambda) {
  if (is.null(object$fits)) return(no_cross_fits("keep", "they need outer fits", object$why))
  refits <- object$refits
  if (anyNA(refits$fold[fit$weights > 0])) return(undivided("some rows are in no outer fold"))
  new_cross_fits(refits, object$held, function(k) {
    fit <- object$fits[[k]]
    list(fit = fit, expansion = expansion_at(fit, fit$lambda))
  })
}

# Those at rows that must be the fit's. asked: of asked_effects().
cross_fits_at <- function(asked, rows) {
  cross <- cross_fits(asked$known, asked$fit, asked$lambda)
  if (!inherits(cross, "cross_fits")) return(cross)
  if (!rows$own) {
    return(no_cross_fits("newdata", "`newdata` are not the rows of the fit",
                         paste("Give the rows of the fit, all of them and in their order;",
                               "averages take `weights` of zero.")))
  }
  if (any(rows$share[-unlist(cross$folds)] > 0)) {
    return(no_cross_fits("weights", "some rows of the average are in no fold",
                         "Give these rows `weights` of zero."))
  }
  cross
}

# ---- representers ------------------------------------------------------------------------
# Riesz representers of average effects. An average effect is theta = sum_i s_i m(x_i; f) / sum s, m
# linear in f; its representer alpha is the function for which sum_i s_i m(x_i; g) = sum_i w_i
# alpha(x_i) g(x_i) for every g. It is fitted in the terms of f, by the penalized minimum of
#   sum_i w_i alpha(x_i)^2 - 2 sum_i s_i m(x_i; alpha) + lambda_a |a|^2,
# which is (C'WC + lambda_a I) a = G, G = sum_i s_i m(x_i; c), c a row [1, z] of the design: the
# normal equations of the fit with another right side (Chernozhukov, Newey and Singh, 2022). The
# constant has no penalty, and m(x; 1) = 0. Without a fold G loses the moment of its rows.
#
# Here s and w are shares: each adds up to one. A moment is the sum of s_i m(x_i; .) over some rows
# by the terms of a part (cross_fits()), terms x effects. A solver is a function of folds'
# numbers; it answers for each of them a list of
#   alpha   rows of the fold x effects x lambda_a: of the representers without the fold
#   moment  effects x lambda_a: sum of s_i m(x_i; alpha) over its rows
# lambda_a is decreasing. moments: a list of functions of a fold's number, `fold`, the moment of its
# rows, and `others`, that of all other rows, both by its terms; and where all refits share their
# terms `all`, of all rows. effects: which of their columns are asked for.

representer_solver <- function(cross, fit, x, lambda, moments, effects) {
  of <- function(moment) columns_at(moment, effects)
  if (is.null(cross$basis)) return(function(folds) {
    lapply(folds, function(k) {
      own_representers(cross, k, fit$weights, x, lambda, of(moments$others(k)),
                       of(moments$fold(k)))
    })
  })
  trained <- if (is_full(fit)) full_terms(fit, x) else {
    # In the coordinates of the eigenvectors that the fit has.
    map <- fit$spectrum$map
    z <- map %*% training_terms(fit, x) - fit$spectrum$z_mean
    list(map = map, basis = cross$basis, training = fit_training(fit, z, NULL, fit$weights))
  }
  by_z <- function(moment) trained$training$sum_weights * (trained$map %*% of(moment))
  training <- functional_training(trained$training, by_z(moments$all))
  plan <- fold_plan(whole_folds(cross$folds), trained$basis$rows,
                    if (length(trained$basis$rows)) "remove" else "keep", training$weights,
                    trained$basis$redundant)
  function(folds) {
    moved <- do.call(cbind, lapply(folds, function(k) by_z(moments$fold(k))))
    result <- hold_out(training, plan, lambda, "representers", folds, moved)
    solved_folds(result, plan, folds, length(effects), length(lambda), training$sum_weights)
  }
}

# ---- refits that share their terms: by the hold-out of cv.sparserls() ---------------------

# Predictions come for the rows that leave, which may be others than those of the fold (twins, see
# fold_plan()).
solved_folds <- function(result, plan, folds, effects, lambdas, sum_weights) {
  leaving <- which(rep(seq_along(plan$h), plan$h) %in% folds)
  alpha <- matrix(NA_real_, length(plan$leave), effects * lambdas)
  alpha[leaving, ] <- result$values
  if (!is.null(plan$answer)) alpha <- rows_at(alpha, plan$answer)
  lapply(seq_along(folds), function(i) {
    rows <- which(plan$fold == folds[i])
    list(alpha = array(alpha[rows, ], c(length(rows), effects, lambdas)),
         moment = matrix(result$offsets[, i], effects) / sum_weights)
  })
}

# Terms x rows of the fit, as in training: basis vectors that are rows have their jitter.
training_terms <- function(fit, x) {
  k <- term_values(fit, x)
  if (is.null(fit$jitter) || identical(fit$selector, given_points)) return(k)
  own <- cbind(seq_along(fit$basis), rows_of_basis(fit))
  k[own] <- k[own] + fit$jitter
  k
}

# Which of the fit's rows its basis vectors are.
rows_of_basis <- function(fit) if (is.null(fit$rows)) fit$basis else match(fit$basis, fit$rows)

# The training list, the `map` that takes moments there, and the `basis` that leaves. On the full
# kernel every row of positive weight is a basis vector; those that others span are redundant.
full_terms <- function(fit, x) {
  weights <- fit$weights
  basis <- which(weights > 0)
  k <- term_values(fit, x)
  first <- first_equal(point_rows(kernel_view(new_points(fit, x), fit$kernel), basis))
  distinct <- unique(first)
  k_bb <- k[distinct, basis[distinct], drop = FALSE]
  k_bb <- (k_bb + t(k_bb)) / 2
  independent <- independent_basis(k_bb)
  kept <- distinct[independent]
  zero <- distinct[diag(k_bb) == 0]
  k_bb <- k_bb[independent, independent, drop = FALSE]
  training <- .Call(ffi_train, rows_at(k, kept), k_bb, basis[kept], matrix(0, ncol(k), 1),
                    weights, fit$intercept, 1L)
  stop_status(training$status, "representer")
  map <- matrix(0, length(kept), length(basis))
  map[, kept] <- training$spectrum$map
  redundant <- redundant_basis(basis, kept, first, zero)
  list(map = map, training = turned(training),
       basis = list(rows = basis[kept], redundant = redundant))
}

# ---- refits with terms of their own ---------------------------------------------------

# Each is a fit of its own, whose spectrum solves at any lambda_a.
# moment: of the rows that train; held: of those of the fold.
own_representers <- function(cross, k, weights, x, lambda, moment, held) {
  rows <- cross$folds[[k]]
  part <- cross$parts(k)
  solved <- part$fit$spectrum
  z <- solved$map %*% term_values(part$fit, rows_at(x, rows)) - solved$z_mean
  right <- sum(weights) * (solved$map %*% moment)
  held <- solved$map %*% held
  each <- lapply(lambda, function(lambda) {
    a <- right / (solved$values + lambda)
    list(alpha = crossprod(z, a), moment = colSums(held * a))
  })
  list(alpha = array(joined(each, "alpha"), c(length(rows), ncol(right), length(lambda))),
       moment = matrix(joined(each, "moment"), ncol(right)))
}
