# Standard errors of fits with a family (vcov-likelihood.R), as vcov(), derivatives() and
# effect_curve() ask for them.

# What a cross-validation with keep = TRUE keeps: the sandwich of each lambda that it has chosen.
kept_covariance.glm_problem <- function(problem, found, folds, index) {
  groups <- if (!is.null(folds$groups)) as.integer(droplevels(folds$groups))
  kept <- list(groups = groups, carriers = carriers(problem$design, problem$weights, groups))
  model <- found[["model"]]
  if (is.null(model)) return(kept)
  at <- unique(index[c("min", "1se")])
  lambda <- model$path$lambda[at]
  scores <- predict_rows(problem, model, seq_len(nrow(problem$y)))
  sums <- lapply(seq_along(at), function(l) {
    score_sums(problem$family, model$training$z, problem$y, matrix(scores[, , at[l]], nrow(scores)),
               problem$weights, lambda[l], problem$intercept, groups)
  })
  c(kept, list(at = lambda,
               sandwich = array(unlist(sums), c(dim(sums[[1]]), length(at)))))
}

covariance_choices.glmrls <- function(object) likelihood_types
covariance_choices.cv.glmrls <- function(object) likelihood_types

coefficient_vcov.glmrls <- function(object, fit, lambda, type) {
  removed <- isTRUE(object$reselect) || identical(object$holdout_basis, "remove")
  check_own_coefficients(fit, type == "jackknife" && removed)
  moves <- linear_coefficients(fit)
  likelihood_covariance(object, fit, lambda, type, moves)
}
coefficient_vcov.cv.glmrls <- coefficient_vcov.glmrls

# What coef() shows as functionals of the expansion and its intercept.
linear_coefficients <- function(fit) {
  terms <- expansion_terms(fit)
  unit <- list(alpha = cbind(diag(terms), 0), a0 = c(numeric(terms), 1))
  moves <- if (has_slopes(fit$kernel)) slopes(fit, unit) else rbind(unit$a0, unit$alpha)
  list(functionals = t(moves[, seq_len(terms), drop = FALSE]), constant = moves[, terms + 1],
       value = coefficient_values)
}

average_covariance.glmrls <- function(object, fit, lambda, type, averages) {
  likelihood_covariance(object, fit, lambda, type, averages)
}
average_covariance.cv.glmrls <- average_covariance.glmrls

error_type.glmrls <- function(object, fit, lambda, type, averages = NULL) {
  if (!is.null(type)) return(check_choice(type, likelihood_types, "type"))
  units <- why_no_units(object, fit, lambda)
  if (is.null(units)) return("jackknife")
  reason <- if (has_delta(averages)) why_no_sandwich(object, fit, lambda)
            else replace(units, "remedy", sub(", or use .*", ".", units$remedy))
  if (is.null(reason)) return("sandwich")
  inform(sprintf("There are no standard errors: %s.\n%s", reason$why, reason$remedy))
  "none"
}
error_type.cv.glmrls <- error_type.glmrls

cross_fits.glmrls <- function(object, fit, lambda) {
  no_cross_fits("family", "fits with a family have none",
                "Their types are \"jackknife\" and \"sandwich\".")
}
cross_fits.cv.glmrls <- cross_fits.glmrls
