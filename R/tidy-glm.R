# What tidiers of fits with a family have of their own; else see tidy.R.

#' @rdname tidiers
#' @usage NULL
#' @exportS3Method generics::augment
augment.glmrls <- function(x, data = NULL, newdata = NULL, s = last_s(x),
                           type.predict = c("response", "link"),
                           type.residuals = c("response", "deviance"),
                           interval = "none", level = 0.9, newoffset = NULL, ...) {
  check_dots(..., known = names(formals()))
  augment_means(x, data, newdata, interval, level, s, newoffset, type.predict, type.residuals)
}

#' @rdname tidiers
#' @usage NULL
#' @exportS3Method generics::augment
augment.cv.glmrls <- function(x, data = NULL, newdata = NULL, s = default_s(x),
                              type.predict = c("response", "link"),
                              type.residuals = c("response", "deviance"),
                              interval = "none", level = 0.9, newoffset = NULL, ...) {
  check_dots(..., known = names(formals()))
  augment_means(x, data, newdata, interval, level, s, newoffset, type.predict, type.residuals)
}

# The arguments are those of augment_rows().
augment_means <- function(object, data, newdata, interval, level, at, newoffset, type.predict,
                          type.residuals) {
  fit <- final_fit(object)
  at <- augmented_point(object, at)
  interval <- check_interval(interval)
  type.predict <- check_choice(type.predict, c("response", "link"), "type.predict")
  type.residuals <- check_choice(type.residuals, residual_types, "type.residuals")
  rows <- if (is.null(newdata)) data else newdata
  warned_once({
    values <- augmented_predictions(fit, rows, at, newoffset, type = type.predict)
    ends <- augmented_ends(object, rows, at, newoffset, interval, level)
    scores <- if (!is.null(rows)) {
      as.matrix(augmented_predictions(fit, rows, at, newoffset, type = "link"))
    }
  })
  if (is.null(rows)) {
    residuals <- residuals(fit, at, type.residuals)
  } else {
    y <- rows_response(fit, rows, supplied = is.null(newdata))
    dim(scores) <- c(dim(scores), 1)
    residuals <- if (length(y)) score_residuals(fit, y, scores, 1, type.residuals)
  }
  held <- held_out_columns(
    object, data, newdata, at,
    function(scores) if (type.predict == "link") scores else fit_means(fit, scores),
    function(scores) {
      weights <- if (is.null(data)) fit$weights else 1
      score_residuals(fit, as.vector(fit$response$y), scores, weights, type.residuals)
    }
  )
  augmented(fit, rows, values, residuals, ends, held)
}
