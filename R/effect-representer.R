# Riesz representers of average effects. An average effect is theta = sum_i s_i m(x_i; f) / sum s, m
# linear in f; its representer alpha is the function for which sum_i s_i m(x_i; g) = sum_i w_i
# alpha(x_i) g(x_i) for every g. It is fitted in the terms of f, by the penalized minimum of
#   sum_i w_i alpha(x_i)^2 - 2 sum_i s_i m(x_i; alpha) + lambda_a |a|^2,
# which is (C'WC + lambda_a I) a = G, G = sum_i s_i m(x_i; c), c a row [1, z] of the design: the
# normal equations of the fit with another right side (Chernozhukov, Newey and Singh, 2022). The
# constant has no penalty, and m(x; 1) = 0. Without a fold G loses the moment of its rows.
#
# Here s and w are shares: each adds up to one. A moment is the sum of s_i m(x_i; .) over some rows
# by the terms of a part (effect-crossfit.R), terms x effects. A solver is a function of folds'
# numbers; it answers for each of them a list of
#   alpha   rows of the fold x effects x lambda_a: of the representers without the fold
#   moment  effects x lambda_a: sum of s_i m(x_i; alpha) over its rows
# lambda_a is decreasing, in the user's units of lambda. moments: a list of functions of a fold's
# number, `fold`, the moment of its rows, and `others`, that of all other rows, both by its terms;
# and where all refits share their terms `all`, of all rows.

representer_solver <- function(cross, fit, x, lambda, moments) {
  if (is.null(cross$basis)) own_solver(cross, fit, x, lambda, moments)
  else shared_solver(cross, fit, x, lambda, moments)
}

# ---- refits that share their terms: by the hold-out of cv.sparserls() ---------------------

shared_solver <- function(cross, fit, x, lambda, moments) {
  trained <- if (is_full(fit)) full_terms(fit, x) else known_terms(cross, fit, x)
  by_z <- function(moment) trained$training$sum_weights * (trained$map %*% moment)
  training <- with_moments(trained$training, by_z(moments$all))
  effects <- ncol(training$zy)
  plan <- fold_plan(lapply(cross$folds, function(rows) list(score = rows, omit = rows)),
                    trained$basis$rows, if (length(trained$basis$rows)) "remove" else "keep",
                    training$weights, trained$basis$redundant)
  plan$forms <- holdout_forms("auto", plan, nrow(x), nrow(training$z), effects, length(lambda))
  function(folds) {
    moved <- do.call(cbind, lapply(folds, function(k) by_z(moments$fold(k))))
    inside <- seq_along(cross$folds) %in% folds
    result <- .Call(ffi_fold_representers, training, lambda, some_folds(plan, inside), moved)
    stop_status(result$status, sprintf("fold %d", folds[result$fold]))
    solved_folds(result, plan, folds, effects, length(lambda), training$sum_weights)
  }
}

# Predictions come for the rows that leave, which may be others than those of the fold (twins, see
# fold_plan()).
solved_folds <- function(result, plan, folds, effects, lambdas, sum_weights) {
  leaving <- which(rep(seq_along(plan$h), plan$h) %in% folds)
  alpha <- matrix(NA_real_, length(plan$leave), effects * lambdas)
  alpha[leaving, ] <- result$alpha
  if (!is.null(plan$answer)) alpha <- alpha[plan$answer, , drop = FALSE]
  lapply(seq_along(folds), function(i) {
    rows <- which(plan$fold == folds[i])
    list(alpha = array(alpha[rows, ], c(length(rows), effects, lambdas)),
         moment = matrix(result$moment[, i], effects) / sum_weights)
  })
}

# The training list of the core for these right sides, n x effects: as of as many outputs whose y
# are zero.
with_moments <- function(training, moments) {
  training$zy <- moments
  training$spectrum$zy <- moments
  training$y <- matrix(0, ncol(training$z), ncol(moments))
  training$y_mean <- numeric(ncol(moments))
  training
}

# What the fit's spectrum says of its rows: the training list in the coordinates of the
# eigenvectors, `map`, which takes moments there, and the `basis` that leaves. Rows that are terms
# have their jitter, as they had it in training.
known_terms <- function(cross, fit, x) {
  spectrum <- fit$spectrum
  weights <- fit$weights
  k <- term_values(fit, x)
  own <- cbind(seq_along(cross$basis$terms), cross$basis$terms)
  k[own] <- k[own] + fit$jitter
  z <- spectrum$map %*% k - spectrum$z_mean
  list(map = spectrum$map, basis = cross$basis,
       training = new_terms(z, weights, fit$intercept, spectrum))
}

new_terms <- function(z, weights, intercept, spectrum) {
  list(z = z, weights = weights, sum_weights = sum(weights), unit_weights = all(weights == 1),
       intercept = intercept, partial = FALSE, dual = FALSE, map = spectrum$map, gram = NULL,
       z_mean = spectrum$z_mean, spectrum = spectrum[c("values", "map", "z_mean")], vectors = NULL)
}

# On the full kernel every row of positive weight is a basis vector; those that others span are
# redundant.
full_terms <- function(fit, x) {
  weights <- fit$weights
  basis <- which(weights > 0)
  k <- term_values(fit, x)
  first <- first_equal(point_rows(kernel_view(new_points(fit, x), fit$kernel), basis))
  distinct <- unique(first)
  k_bb <- k[distinct, basis[distinct], drop = FALSE]
  kept <- distinct[independent_basis((k_bb + t(k_bb)) / 2)]
  trained <- trained_terms(k[kept, , drop = FALSE], k[kept, basis[kept], drop = FALSE], basis[kept],
                           weights, fit$intercept)
  map <- matrix(0, nrow(trained$map), length(basis))
  map[, kept] <- trained$map
  redundant <- redundant_basis(basis, kept, first, distinct[diag(k_bb) == 0])
  list(map = map, training = trained,
       basis = list(rows = basis[kept], redundant = redundant))
}

# k: terms x rows; k_bb: terms x terms; basis: rows that the terms are, or NULL.
trained_terms <- function(k, k_bb, basis, weights, intercept) {
  training <- .Call(ffi_train, k, (k_bb + t(k_bb)) / 2, basis, matrix(0, ncol(k), 1), weights,
                    intercept, TRUE, 1L)
  stop_status(training$status, "representer")
  training
}

# ---- refits with terms of their own ---------------------------------------------------

# Each is a fit of its own, whose spectrum solves at any lambda_a.
own_solver <- function(cross, fit, x, lambda, moments) {
  function(folds) {
    lapply(folds, function(k) {
      own_representers(cross, k, fit$weights, x, lambda, moments$others(k), moments$fold(k))
    })
  }
}

# moment: of the rows that train; held: of those of the fold.
own_representers <- function(cross, k, weights, x, lambda, moment, held) {
  rows <- cross$folds[[k]]
  part <- cross$parts(k)
  solved <- if (is.null(part$spectrum)) own_spectrum(part$fit, weights, rows, x)
            else known_spectrum(part$spectrum)
  z <- solved$map %*% term_values(part$fit, x[rows, , drop = FALSE]) - solved$z_mean
  right <- sum(weights) * (solved$map %*% moment)
  a <- vapply(lambda, function(lambda) {
    right / (solved$values + lambda)
  }, right)
  shape <- c(ncol(right), length(lambda))
  moved <- as.vector(solved$map %*% held) * as.vector(a)
  list(alpha = array(crossprod(z, matrix(a, nrow(right))), c(length(rows), shape)),
       moment = matrix(colSums(matrix(moved, nrow(right))), shape[1]))
}

# map, values and z_mean of a fit's terms over the rows that train.
known_spectrum <- function(spectrum) {
  spectrum[c("map", "values", "z_mean")]
}

# The same of terms that come without. held: the rows that do not train.
own_spectrum <- function(fit, weights, held, x) {
  train <- setdiff(which(weights > 0), held)
  k_bb <- if (is_precomputed(fit$kernel)) term_values(fit, x[fit$basis, , drop = FALSE])
          else kernel_values(fit$kernel, fit$points, fit$points, 1L)
  kept <- independent_basis((k_bb + t(k_bb)) / 2)
  trained <- trained_terms(term_values(fit, x[train, , drop = FALSE])[kept, , drop = FALSE],
                           k_bb[kept, kept, drop = FALSE], NULL,
                           weights[train], fit$intercept)
  map <- matrix(0, length(kept), nrow(k_bb))
  map[, kept] <- trained$map
  list(map = map, values = trained$spectrum$values, z_mean = trained$z_mean)
}
