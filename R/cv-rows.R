# Fitted values and residuals of the rows of a cross-validation: of the fit to all of them, or, with
# keep = TRUE, held-out.

row_types <- c("training", "held-out")

# What fitted() answers. at: s, or k.
cv_fitted <- function(object, at, type) {
  if (check_choice(type, row_types, "type") == "training") {
    return(predictions_at_chosen(object, at, fitted))
  }
  predictions_at_chosen(object, at, function(fit, at) {
    scores <- training_rows(fit, held_out_scores(object, at))
    if (is_likelihood(fit$family)) scores[] <- score_means(fit$family, scores)
    label_predictions(scores, fit$response, path_labels(fit, at))
  })
}

# What residuals() answers where there is no likelihood.
cv_residuals <- function(object, at, type) {
  if (check_choice(type, row_types, "type") == "training") {
    return(predictions_at_chosen(object, at, residuals))
  }
  predictions_at_chosen(object, at, function(fit, at) {
    residuals_at(fit, at, held_out_scores(object, at))
  })
}

# The held-out predictions that are kept, offset included, rows x outputs x values of the path; NA
# of rows that are not scored. at: for the fit.
held_out_scores <- function(cv, at) {
  if (is.null(cv$fit.preval)) stop_not_kept(cv)
  fit <- cv$fit
  if (!is_on_path(fit, at)) {
    name <- path_axis(fit)$name
    abort(name, sprintf("Held-out predictions are those of the values of `%s` in the path.", name),
          shown(at), sprintf("Cross-validate with a `%s` that has them.", name))
  }
  points <- path_positions(fit, at)
  # Of two axes at what was chosen on the second.
  if (ncol(cv$index) == 2) points <- points + nrow(cv$cvm) * (cv$index[["min", 2]] - 1L)
  array(cv$fit.preval, c(fit$nobs, ncol(fit$response$y), length(cv$cvm)))[, , points, drop = FALSE]
}

stop_not_kept <- function(cv) {
  chunks <- !is.null(cv$fit$chunks)
  abort("keep", if (chunks) "Held-out predictions of rows in chunks are not in memory."
                else "The cross-validation has not kept its held-out predictions.", NULL,
        if (!chunks) "Cross-validate with keep = TRUE."
        else if (is.null(cv$predictions)) "Give `keep` a folder: they are written there."
        else "The field `predictions` names their files.")
}
