# Covariances of fits that maximize a penalized likelihood (loss.R). What they are of depends on the
# coefficients linearly or not (average effects on means), a list as verbs.R has it for
# average_covariance().
#
# jackknife  as of least squares (vcov-covariance.R), from the refits that a cross-validation has
#            kept, where each of its folds is a unit: a row, or a group where there are groups
# sandwich   sum_g r_g r_g', r_g = A^-1 sum_{i in g} s_i (z_i, 1) with the scores s_i and the
#            penalized Hessian A; the same factors as there. By the delta method of estimates.

likelihood_types <- c("jackknife", "sandwich")

# The types that there are. part: of single_fit().
covariance_choices <- function(part) {
  if (has_family(part$fit)) likelihood_types
  else if (inherits(part$known, "outer_fits")) outer_types else covariance_types
}

# Whether there is a delta method. NULL: of coefficients.
has_delta <- function(estimates) {
  is.null(estimates) || !is.null(estimates$functionals) || !is.null(estimates$gradient)
}

# The type for coefficients, where none is asked for. part: of single_fit().
likelihood_type <- function(part) {
  units <- why_no_units(part$known, part$fit, part$lambda)
  if (is.null(units) || !has_slopes(part$fit$kernel) ||
      !is.null(why_no_sandwich(part$known, part$fit, part$lambda))) return("jackknife")
  inform(sprintf("Errors are by the sandwich, not the jackknife: %s.", units$why))
  "sandwich"
}

# ---- jackknife -----------------------------------------------------------------------------

# Why a cross-validation has no refits without every unit at this lambda, as no_cross_fits() has it;
# NULL where it has.
why_no_units <- function(cv, fit, lambda) {
  if (!is.null(fit$chunks)) return(no_chunk_errors)
  if (!inherits(cv, "sparserls_cv")) {
    return(no_cross_fits("keep", "a fit alone has no refits", unit_remedy(NULL)))
  }
  refits <- cv$refits
  reason <- why_no_refits(cv, fit)
  if (!is.null(reason)) return(replace(reason, "remedy", unit_remedy(cv$ngroups)))
  used <- fit$weights > 0
  unit <- (refits$groups %||% seq_along(used))[used]
  pairs <- unique(cbind(unit, refits$fold[used]))
  if (anyDuplicated(pairs[, 1]) || anyDuplicated(pairs[, 2])) {
    return(no_cross_fits("folds", paste("the folds are not single", units_by(refits$groups)),
                         unit_remedy(refits$groups)))
  }
  if (is.na(match_points(lambda, refits$at))) kept_at_chosen("refits")
}

no_chunk_errors <- no_cross_fits("family", "fits with a family to rows in chunks have none",
                                 "Fit a sample of the rows, as chunks_survey() draws, in memory.")

unit_remedy <- function(groups) {
  sprintf("Cross-validate with keep = TRUE and %s, or use type = \"sandwich\".",
          if (is.null(groups)) "nfolds = \"loo\" (or `groups`, a fold for each)"
          else "a fold for each group")
}

unit_jackknife <- function(cv, fit, lambda, estimates) {
  reason <- why_no_units(cv, fit, lambda)
  if (!is.null(reason)) stop_without(reason, "is no jackknife")
  refits <- cv$refits
  whole <- as.matrix(estimates$value(fit, expansion_at(fit, lambda)))
  units <- unique(refits$fold[fit$weights > 0])
  # Units at a time: numbers of about 64 MB, at least one.
  size <- fit$nobs * (nrow(whole) + expansion_terms(fit) / 50) * ncol(whole)
  part_of <- refit_part(refits, fit, match_points(lambda, refits$at))
  parts <- split_by(units, if (is.null(refits$models)) floor(2^23 / size) else 1)
  values <- lapply(parts, function(some) {
    part <- part_of(some)
    estimates$value(part$fit, part$expansion)
  })
  values <- array(unlist(values), c(dim(whole), length(units)))
  jackknife_covariance(values - as.vector(whole), units_by(refits$groups))
}

# ---- sandwich ------------------------------------------------------------------------------

# The covariance of b and the intercept in the coordinates of the fit, as coefficient_covariance()
# has it: of the sums that a cross-validation has kept, else of the rows of the fit.
kept_sandwich <- function(object, fit, lambda) {
  reason <- why_no_sandwich(object, fit, lambda)
  if (!is.null(reason)) stop_without(reason, "is no sandwich")
  kept <- kept_sums(object)
  at <- match_points(lambda, as.double(kept$at))
  sums <- if (is.na(at)) fit_sandwich(fit, rows_again(fit), lambda, kept$groups)
          else array(kept$sandwich[, , , at], dim(kept$sandwich)[1:3])
  new_covariance(fit, lambda, "sandwich", sums, kept$groups)
}

# As why_no_units().
why_no_sandwich <- function(object, fit, lambda) {
  if (!is.null(fit$chunks)) return(no_chunk_errors)
  kept <- kept_sums(object)
  if (!is.na(match_points(lambda, as.double(kept$at)))) return(NULL)
  grouped <- is.null(kept) && !is.null(object$ngroups)
  if (!grouped && !is.null(rows_again(fit))) return(NULL)
  if (!is.null(kept)) return(kept_at_chosen("scores"))
  no_cross_fits("keep", "the scores of the rows were not kept", paste0(
    "Cross-validate with keep = TRUE", if (!grouped) ", or fit by a formula with `data`", "."
  ))
}

# The coded rows of a fit by a formula, NULL where they are not to be had.
rows_again <- function(fit) {
  if (is.null(fit$terms)) return(NULL)
  or_null(effect_rows(list(fit = fit, own = TRUE, scale = "link"))$x)
}

fit_sandwich <- function(fit, x, lambda, groups) {
  solved <- fit$coordinates
  expansion <- expansion_at(fit, lambda)
  terms <- term_values(fit, x)
  eta <- plus_offset(crossprod(terms, matrix(expansion$alpha, nrow(terms))) +
                       each_row(as.vector(expansion$a0), x), fit$offset$values)
  score_sums(fit$family, solved$map %*% terms - drop(solved$z_mean), fit$response$y, eta,
             fit$weights, lambda, fit$intercept, groups)
}

# The sums of r_g r_g', (n + 1) x (n + 1) x outputs. z: n x rows, centred as in training; y and eta:
# rows x outputs, eta with the offset.
score_sums <- function(family, z, y, eta, weights, lambda, intercept, groups) {
  n <- nrow(z)
  kept <- seq_len(n + intercept)
  design <- rows_at(rbind(z, 1), kept)
  sums <- array(0, c(n + 1, n + 1, ncol(y)))
  for (j in seq_len(ncol(y))) {
    values <- loss_values(family, y[, j], eta[, j])
    hessian <- tcrossprod(design * each_row(weights * values$weight, design), design)
    diag(hessian)[seq_len(n)] <- diag(hessian)[seq_len(n)] + lambda
    scores <- design * each_row(ifelse(weights > 0, weights * values$score, 0), design)
    if (!is.null(groups)) scores <- t(rowsum(t(scores), groups))
    sums[kept, kept, j] <- tcrossprod(solve_hessian(hessian, scores))
  }
  sums
}

solve_hessian <- function(hessian, right) {
  scale <- 1 / sqrt(pmax(diag(hessian), .Machine$double.xmin))
  factor <- tryCatch(chol(hessian * outer(scale, scale)), error = function(e) {
    abort("lambda", "The curvature of the likelihood is too small for a sandwich.", NULL,
          "Use a larger `lambda`, or type = \"jackknife\".")
  })
  scale * backsolve(factor, backsolve(factor, scale * right, transpose = TRUE))
}
