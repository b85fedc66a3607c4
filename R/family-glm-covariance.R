# Standard errors of fits with a family (vcov-likelihood.R), as vcov(), derivatives() and
# effect_curve() ask for them.

# For what a cross-validation with keep = TRUE keeps: of each lambda that it has chosen the sandwich.
kept_covariance.glm_problem <- function(problem, found, folds, index) {
  groups <- if (!is.null(folds$groups)) as.integer(droplevels(folds$groups))
  kept <- list(groups = groups, carriers = carriers(problem$design, problem$weights, groups))
  model <- found[["model"]]
  if (is.null(model)) return(kept)
  at <- unique(index[c("min", "1se")])
  lambda <- model$path$lambda[at]
  scores <- predict_rows(problem, model, seq_len(nrow(problem$y)))
  sums <- lapply(seq_along(at), function(l) {
    score_sums(problem$family, model$core$z, problem$y, matrix(scores[, , at[l]], nrow(scores)),
               problem$weights, lambda[l], problem$intercept, groups)
  })
  c(kept, list(at = user_lambda(lambda, problem$unit),
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
  if (has_delta(averages) && has_sandwich(object, fit, lambda)) return("sandwich")
  inform(if (has_delta(averages)) {
    "There are no standard errors: the rows of the fit were not kept.\nCross-validate with keep = TRUE."
  } else {
    sprintf("There are no standard errors: %s.\n%s", units$why, sub(", or use .*", ".", units$remedy))
  })
  "none"
}
error_type.cv.glmrls <- error_type.glmrls

cross_fits.glmrls <- function(object, fit, lambda) {
  no_cross_fits("family", "they are of least squares",
                "Use type = \"jackknife\" or type = \"sandwich\".")
}
cross_fits.cv.glmrls <- cross_fits.glmrls
