# Predictions, fitted values and residuals of fits with a family: linear predictors, means, classes
# and probabilities.

#' Predictions of fits with a family
#'
#' @description
#' Predicts means, linear predictors or classes of new rows with fits that have a `family`.
#'
#' @param object a fit with a `family`, or a result of [cv.sparserls()] or [cv.rls()] with one.
#' @param newdata,file,unknown,newoffset,outside as in [predict.sparserls_fit()].
#' @param s values of lambda in the path, not between them; `NULL`: the whole path; for `cv.`
#'   results also `"lambda.min"`, the default, and `"lambda.1se"`.
#' @param type `"response"` for means (probabilities, counts), `"link"` for linear predictors, with
#'   the offset; for classes `"class"`, and `"prob"` for the probabilities of all classes, at one
#'   value of `s`. For `residuals()` `"response"`, `"deviance"`, `"pearson"` or `"working"`, as in
#'   [stats::glm()]; for cross-validations with `keep = TRUE` also `"held-out"`,
#'   `"held-out deviance"` and so on.
#' @param threshold for `type = "class"` and two classes: the least probability at which the second
#'   is predicted; `NULL` is one half.
#' @param interval,level for counts and positive responses `"jackknife+"`, an interval of this level
#'   (0.9 by default) for `y`, from a cross-validation with `keep = TRUE`, see
#'   [predict.sparserls_fit()]. It grows with the mean, as the family's noise does. For counts that
#'   vary more than Poisson counts use `"negbin"`.
#' @param se.fit,noise not for fits with a family: `se.fit = TRUE` is an error.
#' @param ... unused.
#' @return As for [predict.sparserls_fit()]; for several classes rows x classes (x lambdas).
#'   Residuals have the shape of predictions.
#' @section Errors: As in [predict.sparserls_fit()]; `sparserls_error_family` for what fits with a
#'   family do not have, `sparserls_error_lambda` for values off the path.
#' @examples
#' cv <- cv.rls(lpsa > 2.5 ~ . - train, data = prostate, family = "binomial", nlambda = 20)
#' predict(cv, prostate[48:51, ])
#' predict(cv, prostate[48:51, ], type = "class")
#'
#' # counts, with an interval for a new one
#' insects <- cv.rls(count ~ spray, data = InsectSprays, family = "poisson", nfolds = "loo",
#'                   keep = TRUE)
#' predict(insects, InsectSprays[c(1, 30), ], interval = "jackknife+")
#' @export
predict.glmrls <- function(object, newdata, s = NULL,
                           type = c("response", "link", "class", "prob"), interval = "none",
                           level = 0.9, se.fit = FALSE, noise = c("df", "reml"), ...,
                           threshold = NULL, file = NULL, unknown = c("error", "as rare"),
                           newoffset = NULL, outside = c("warn", "clip", "na")) {
  check_dots(...)
  predict_model(object, newdata, s, asked_of(environment()), predict_means)
}

#' @rdname predict.glmrls
#' @export
predict.cv.glmrls <- at_default_s(predict.glmrls)

# As predict_rows_of() of predict.R, with asked$offset in linear predictors.
predict_means <- function(object, fit, newdata, at, asked) {
  at <- cv_values(object, at)
  type <- check_choice(asked$type, eval(formals(predict.glmrls)$type), "type")
  if (type != "link") check_predict_type(type, fit)
  threshold <- asked$threshold
  wanted <- asked$wanted
  if (!is.null(threshold)) check_threshold(threshold, type, fit$response)
  if (!is.null(wanted)) check_means_interval(object, fit, missing(newdata), at, type, wanted)
  if (missing(newdata)) {
    return(shown_scores(fit, training_rows(fit, kept_scores(fit, at)), at, type, threshold))
  }
  x <- forge(fit$blueprint, newdata)
  rownames(x) <- rownames(newdata)
  offset <- asked$offset %||% numeric(nrow(x))
  points <- path_points(fit, at)
  scores <- new_scores(fit, x, points) + offset
  rownames(scores) <- rownames(x)
  if (is.null(wanted)) shown_scores(fit, scores, at, type, threshold)
  else means_with_ends(object, fit, x, offset, scores, points, wanted$level)
}

# What users see of linear predictors.
shown_scores <- function(fit, scores, at, type, threshold = NULL) {
  labels <- path_labels(fit, at)
  response <- fit$response
  if (type == "link") return(label_predictions(scores, response, labels))
  if (type == "class") {
    if (!is.null(threshold)) scores <- scores - family_link(fit$family, threshold)
    return(label_classes(scores, response, labels))
  }
  means <- fit_means(fit, scores)
  if (type == "response") return(label_predictions(means, response, labels))
  must(dim(means)[3] == 1, "argument", "Probabilities need a single value of the path.",
       sprintf("%d values", dim(means)[3]), "Give `s`.")
  name_all(two_columns(matrix(means, nrow(means), ncol(means))), rownames(scores), response$levels)
}

fit_means <- function(fit, scores) {
  array(score_means(fit$family, scores), dim(scores), dimnames(scores))
}

#' @rdname predict.glmrls
#' @export
residuals.glmrls <- function(object, s = NULL,
                             type = c("response", "deviance", "pearson", "working"), ...) {
  check_dots(...)
  final_fit(object)
  family_residuals(object, s, check_choice(type, residual_types, "type"))
}

#' @rdname predict.glmrls
#' @export
residuals.cv.glmrls <- function(object, s = default_s(object),
                                type = c("response", "deviance", "pearson", "working", "held-out",
                                         "held-out deviance", "held-out pearson",
                                         "held-out working"), ...) {
  check_dots(...)
  fit <- final_fit(object)
  at <- cv_values(object, s)
  type <- check_choice(type, c(residual_types, names(held_out_types)), "type")
  if (!type %in% names(held_out_types)) return(family_residuals(fit, at, type))
  family_residuals(fit, at, held_out_types[[type]], held_out_scores(object, at))
}

residual_types <- c("response", "deviance", "pearson", "working")

held_out_types <- setNames(residual_types, c("held-out", paste("held-out", residual_types[-1])))

family_residuals <- function(fit, at, type, scores = kept_scores(fit, at)) {
  must(type == "response" || output_count(fit) == 1,
       "argument", "For several classes there are only residuals of type \"response\".",
       sprintf("%d classes", output_count(fit)))
  label_rows(fit, score_residuals(fit, as.vector(fit$response$y), scores, fit$weights, type), at)
}

# For rows with these y and scores, an array of rows x outputs x values; NA where either is.
score_residuals <- function(fit, y, scores, weights, type) {
  residuals <- y - fit_means(fit, scores)
  if (type == "response") return(residuals)
  known <- which(!is.na(residuals))
  eta <- scores[known]
  weights <- rep_len(weights, length(residuals))[known]
  of_y <- function(f) f(fit$family, rep_len(y, length(residuals))[known], eta)
  residuals[known] <- switch(type,
    deviance = sign(residuals[known]) * sqrt(weights * of_y(family_deviance)),
    pearson = residuals[known] * sqrt(weights / family_variance(fit$family, eta)),
    working = residuals[known] / family_rate(fit$family, eta)
  )
  residuals
}

#' @export
family.glmrls <- function(object, ...) {
  check_dots(...)
  family <- object$family
  must(output_count(object) == 1,
       "family", "Several classes have a binomial each: they have no common family.", NULL,
       "Each is binomial() alone; predict() divides their probabilities by the sum.")
  if (family$quasi) loss_trait(family, "quasi")() else loss_trait(family, "stats")(family$theta)
}

#' @export
family.cv.glmrls <- function(object, ...) family(final_fit(object), ...)

# ---- intervals --------------------------------------------------------------------------------
# Intervals by the refits of a cross-validation (interval.R) for responses that have means of a
# likelihood: counts and positive numbers. Residuals are added to means where their noise has about
# the same size everywhere (loss.R): square roots of counts, logarithms with Gamma.
# What the jackknife+ says of coverage holds on every scale that rises with y.

check_means_interval <- function(object, fit, no_rows, at, type, wanted) {
  if (wanted$se) stop_likelihood("standard errors of predictions",
                                 "average_effect() and effect_curve() have those of averages.")
  if (!isTRUE(intervals[[wanted$interval]]$means)) {
    kinds <- names(Filter(function(kind) isTRUE(kind$means), intervals))
    stop_likelihood("view as a Gaussian process",
                    sprintf("Use %s.", paste0("interval = \"", kinds, "\"", collapse = " or ")))
  }
  if (loss_trait(fit$family, "classes")) {
    stop_likelihood("intervals for classes and shares",
                    "type = \"response\" has their probabilities.")
  }
  if (!is.null(fit$chunks)) {
    stop_likelihood("intervals for rows in chunks", "Fit a sample of the rows in memory.")
  }
  must(type == "response", "argument", "`interval` is for `type = \"response\"`.", shown(type))
  if (no_rows) stop_no_newdata("`interval`")
  check_single_point(fit, at)
  must(inherits(object, "sparserls_cv"),
       "argument", "`interval = \"jackknife+\"` needs a cross-validation.", "a fit alone",
       "Cross-validate with keep = TRUE.")
  cv_refits(object)
}

# x: coded rows; offset: a number for each; scores: their linear predictors by the fit.
means_with_ends <- function(cv, fit, x, offset, scores, at, level) {
  refits <- cv_refits(cv)
  point <- refit_point(cv, at)
  votes <- row_votes(refits, fit$weights)
  used <- which(votes > 0)
  warn_infinite(votes[used], level, if (is.null(refits$groups)) "row" else "group")
  # On the scale where the noise of means has about the same size everywhere, and back.
  scale <- loss_trait(fit$family, "stable")
  theta <- fit$family$theta
  stable <- function(means) scale$of(means, theta)
  means <- family_mean(fit$family, refits$scores[used, 1, point])
  size <- abs(stable(fit$response$y[used, 1]) - stable(means))
  predictor <- fold_predictor(cv, point)
  none <- matrix(0, 1, refit_count(refits))
  ends <- matrix(NA_real_, nrow(x), 2)
  complete <- which(is.finite(scores[, 1, 1]))
  for (block in row_blocks(length(complete), max(expansion_terms(fit), length(none)))) {
    i <- complete[block]
    eta <- predictor$scores(rows_at(x, i)) + offset[i] +
      rep(as.vector(predictor$offset), each = length(i))
    ends[i, ] <- .Call(ffi_jackknife_ends, stable(family_mean(fit$family, eta)), none, 1L,
                       refits$fold[used], size, votes[used], wanted_votes(votes[used], level))
  }
  range <- stable(loss_trait(fit$family, "range"))
  ends <- scale$back(pmin(pmax(ends, range[1]), range[2]), theta)
  name_all(cbind(family_mean(fit$family, scores[, 1, 1]), ends), rownames(scores),
           c("fit", "lwr", "upr"))
}
