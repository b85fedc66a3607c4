#' Effects by marginaleffects, parameters by insight
#'
#' Fits by a formula are models for the packages marginaleffects and insight: `predictions()`,
#' `comparisons()`, `slopes()`, their averages, and `hypotheses()` of linear fits; effects are
#' models for `hypotheses()`. Methods are registered when those packages are loaded.
#'
#' Lambda is the single value of the fit, or the value at which a cross-validation predicts.
#'
#' * These effects are those of the penalized fit: they are drawn towards zero, and their standard
#'   errors ignore that. [derivatives()] and [average_effect()] of a cross-validation with
#'   `keep = TRUE` are debiased, and many times faster.
#' * `type = "response"`: predictions of numbers, scores of classes; with a `family` means, and
#'   `"link"` linear predictors. `type = "prob"`: probabilities, with their calibration taken as
#'   known.
#' * Standard errors of [sparserls()], [rls()] and [ardrls()] with one output use the delta method
#'   and [vcov()][vcov.sparserls_fit]: the jackknife if the fit has it, otherwise the Gaussian
#'   process; `vcov = "jackknife"`, `"gp"` or `"sandwich"` chooses. With a `family` only linear fits
#'   have them.
#' * The parameters of linear fits are their slopes. Those of other kernels are coordinates of f, in
#'   units of about their standard errors, without a meaning of their own.
#' * Slopes are numerical differences (six digits or so; not at the kinks of Laplacian and rough
#'   Matern kernels). p-values use the normal distribution unless `df` is given.
#'
#' For [derivatives()] and [average_effect()], `hypotheses()` takes functions of terms, and joint
#' tests; with several outputs terms are called `"output: term"`. `df = TRUE` takes the quantiles of
#' t that `summary()` has. Only [effect_contrasts()] knows which terms have too few carriers.
#' @return What the functions of those packages return: data frames.
#' @examples
#' \donttest{
#' fit <- rls(lpsa ~ . - train, data = prostate, kernel = kernel_gaussian(), lambda = 1)
#' if (requireNamespace("marginaleffects", quietly = TRUE)) {
#'   marginaleffects::avg_slopes(fit, variables = c("lcavol", "lweight"))
#'   cv <- cv.rls(lpsa ~ . - train, data = prostate, keep = TRUE)
#'   marginaleffects::hypotheses(derivatives(cv), "lcavol = 2 * lbph", df = TRUE)
#' }
#' }
#' @name marginaleffects_methods
#' @rawNamespace
#' S3method(marginaleffects::get_predict, sparserls_fit, effect_predictions)
#' S3method(marginaleffects::get_predict, sparserls_cv, effect_predictions)
#' S3method(marginaleffects::get_coef, sparserls_fit, effect_parameters)
#' S3method(marginaleffects::get_coef, sparserls_cv, effect_parameters)
#' S3method(marginaleffects::set_coef, sparserls_fit, move_parameters)
#' S3method(marginaleffects::set_coef, sparserls_cv, move_parameters)
#' S3method(marginaleffects::get_vcov, sparserls_fit, parameter_covariance)
#' S3method(marginaleffects::get_vcov, sparserls_cv, parameter_covariance)
#' S3method(marginaleffects::get_coef, derivatives, effect_parameters)
#' S3method(marginaleffects::set_coef, derivatives, move_parameters)
#' S3method(marginaleffects::get_vcov, derivatives, parameter_covariance)
NULL

register_marginaleffects <- function(...) {
  classes <- c("sparserls_fit", "sparserls_cv")
  known <- getOption("marginaleffects_model_classes")
  options(marginaleffects_model_classes = union(known, c(classes, "derivatives")))
  # Saves time, and says whose numbers these are; its generic is none that marginaleffects exports.
  space <- asNamespace("marginaleffects")
  if (exists("sanitize_model_specific", space)) for (class in classes) {
    registerS3method("sanitize_model_specific", class, prepare_effects, space)
  }
}

# What effects are of: the fit, one value `at` of its path as coded_scores() has it, and the object
# that knows covariances at it. For fits with widths, that of their penalty.
effect_point <- function(model) {
  fit <- final_fit(model)
  crossed <- inherits(model, "sparserls_cv")
  must(crossed || !path_axis(fit)$between || length(fit$lambda) == 1, "lambda",
       "Effects need a single value of lambda.", sprintf("%d values", length(fit$lambda)),
       "Fit with one `lambda`, or cross-validate: effects are then of lambda.min.")
  part <- single_fit(model, if (crossed) default_s(model))
  list(object = if (inherits(part$known, "outer_fits")) part$fit else part$known, fit = part$fit,
       at = part$lambda)
}

# ---- parameters ----------------------------------------------------------------------------

# Predictions are linear in them: f(x) = sum_j u_j l_j(x), l of parameter_moves().
effect_parameters <- function(model, ...) {
  moved <- attr(model, "moved")
  if (!is.null(moved)) return(moved)
  if (inherits(model, "derivatives")) {
    return(setNames(as.vector(model$average), average_names(model)))
  }
  point <- effect_point(model)
  fit <- point$fit
  if (!has_parameters(fit) || has_slopes(fit$kernel)) {
    values <- coef(fit, point$at)
    return(setNames(as.vector(values), rep_len(rownames(values), length(values))))
  }
  spectrum <- fit$spectrum
  b <- c(spectrum$y_mean, spectrum$zy[, 1] / (spectrum$values + point$at))
  setNames(parameter_origin + b / parameter_units(fit, point$at),
           c("(Mean)", paste0("b", seq_along(b[-1]))))
}

# marginaleffects changes parameters by 1.5e-8 of their values: about 1e-4 of a standard error.
parameter_origin <- 1e4

# About the standard errors of the coordinates: those of the Gaussian process's view, with the
# spread of y in place of that of the noise.
parameter_units <- function(fit, lambda) {
  weights <- fit$weights / max(fit$weights)
  spread <- c(1 / sum(weights), gp_spread(fit, lambda))
  units <- sd(fit$response$y) * sqrt(spread)
  replace(units, units == 0, 1)
}

# Whether there are parameters that have a covariance.
has_parameters <- function(fit) {
  output_count(fit) == 1 &&
    (!is.null(fit$spectrum) || (has_family(fit) && has_slopes(fit$kernel)))
}

move_parameters <- function(model, coefs, ...) {
  if (inherits(model, "derivatives")) model$average[] <- coefs
  else attr(model, "moved") <- coefs
  model
}

# What a prediction gains with each parameter, rows x parameters.
parameter_moves <- function(fit, lambda, x) {
  if (has_slopes(fit$kernel)) return(cbind(1, as.matrix(x)))
  values <- fit$spectrum$map %*% term_values(fit, x)
  t(rbind(1, values - fit$spectrum$z_mean) * parameter_units(fit, lambda))
}

# The covariance of the parameters, or NULL. vcov: NULL, TRUE, FALSE, a matrix or a type, as users
# of marginaleffects give it.
parameter_covariance <- function(model, vcov = NULL, ...) {
  if (is.matrix(vcov)) return(vcov)
  if (isFALSE(vcov)) return(NULL)
  if (inherits(model, "derivatives")) return(averages_covariance(model, vcov))
  point <- effect_point(model)
  fit <- point$fit
  if (!has_parameters(fit)) return(NULL)
  type <- error_type(point$object, fit, point$at, if (is.character(vcov)) vcov)
  if (type == "none") return(NULL)
  if (has_slopes(fit$kernel)) {
    return(named_vcov(fit, coefficient_vcov(point$object, fit, point$at, type)))
  }
  found <- coefficient_covariance(point$object, point$at, type)
  size <- nrow(found$covariance)
  # For b and the mean below it.
  order <- c(size, seq_len(size - 1))
  units <- parameter_units(fit, point$at)
  covariance <- matrix(found$covariance, size)[order, order] / tcrossprod(units)
  dimnames(covariance) <- rep(list(names(effect_parameters(model))), 2)
  covariance
}

# ---- predictions -----------------------------------------------------------------------------

effect_predictions <- function(model, newdata, type = "response", ...) {
  fit <- effect_point(model)$fit
  likelihood <- has_family(fit)
  type <- check_choice(type, c("response", if (likelihood) "link", "prob"), "type")
  check_predict_type(if (type == "link") "response" else type, fit)
  rows <- effect_scores(model, newdata)
  scores <- rows$scores
  moved <- attr(model, "moved")
  if (!is.null(moved)) scores[, 1] <- scores[, 1] + rows$moves %*% (moved - rows$parameters)
  if (likelihood) {
    scores <- plus_offset(scores, new_offset(fit, newdata, NULL))
    if (type != "link") scores <- mean_matrix(fit$family, scores)
    # For two classes both, with `type = "prob"` alone.
    if (type == "prob") scores <- two_columns(scores)
  } else if (type == "prob") {
    sigmoid <- calibrated(model)
    at <- default_s(model)
    scores <- class_probabilities(scores, sigmoid$intercept[, at], sigmoid$slope[, at])
  }
  # By row, and by group where there are several columns.
  out <- data.frame(rowid = rep(newdata$rowid %||% seq_len(nrow(scores)), ncol(scores)),
                    estimate = as.vector(scores))
  if (ncol(scores) == 1) return(out)
  groups <- if (type == "prob") fit$response$levels else output_names(fit$response)
  cbind(out, group = factor(each_row(groups, scores), groups))
}

# For the model whose parameters have not been moved: the scores of rows, rows x outputs, and once
# parameters move these and what they do. Both ends of differences are asked for again and again
# with other parameters: the model has them at hand (prepare_effects()).
effect_scores <- function(model, newdata) {
  known <- attr(model, "effects")
  moved <- attr(model, "moved")
  for (rows in known$rows) {
    if (identical(rows$newdata, newdata) && (is.null(moved) || !is.null(rows$moves))) return(rows)
  }
  point <- effect_point(model)
  fit <- point$fit
  x <- forge(fit$blueprint, newdata)
  scores <- matrix(new_scores(fit, x, path_points(fit, point$at)), nrow(x))
  rows <- list(newdata = newdata, scores = scores)
  if (!is.null(moved)) {
    complete <- which(!is.na(scores[, 1]))
    rows$moves <- matrix(NA_real_, nrow(x), length(moved))
    rows$moves[complete, ] <- parameter_moves(fit, point$at, rows_at(x, complete))
    attr(model, "moved") <- NULL
    rows$parameters <- effect_parameters(model)
  }
  if (!is.null(known)) known$rows <- c(list(rows), head(known$rows, 1))
  rows
}

prepare_effects <- function(model, calling_function = NULL, ...) {
  debiased <- !is_likelihood(final_fit(model)$family)
  if (identical(calling_function, "comparisons") && debiased && !isTRUE(session$plugin_told)) {
    # Whose numbers these are, once in a session.
    session$plugin_told <- TRUE
    inform(paste("Slopes and comparisons by marginaleffects are those of the penalized fit: drawn",
                 "towards zero,\nwith standard errors that ignore this. derivatives() and",
                 "average_effect() of a\ncross-validation with keep = TRUE are debiased.",
                 "(Shown once per session.)"))
  }
  attr(model, "effects") <- new.env(parent = emptyenv())
  model
}

# ---- effects as models -----------------------------------------------------------------------

averages_covariance <- function(model, vcov) {
  must(!is.character(vcov), "argument",
       "Standard errors of effects are those that derivatives() has computed.",
       sprintf("vcov = \"%s\"", vcov[1]), "Use derivatives(type = ).")
  if (model$type == "none") return(NULL)
  several <- length(model$titles) > 1
  must(!several || !is.null(model$joint), "argument",
       "The covariance between outputs is not known.",
       sprintf("%d outputs, type \"%s\"", length(model$titles), model$type),
       "Debiased effects have one: cross-validate with keep = TRUE.")
  names <- average_names(model)
  matrix(if (several) model$joint else model$vcov, length(names), dimnames = list(names, names))
}

# ---- insight ---------------------------------------------------------------------------------
#
# What is not here (formula, predictors, response, data, weights) insight finds by the methods of
# stats.

#' @rawNamespace
#' S3method(insight::get_parameters, sparserls_fit, insight_parameters)
#' S3method(insight::get_parameters, sparserls_cv, insight_parameters)
#' S3method(insight::get_parameters, derivatives, insight_parameters)
#' S3method(insight::find_parameters, sparserls_fit, insight_names)
#' S3method(insight::find_parameters, sparserls_cv, insight_names)
#' S3method(insight::find_parameters, derivatives, insight_names)
#' S3method(insight::get_varcov, sparserls_fit, insight_covariance)
#' S3method(insight::get_varcov, sparserls_cv, insight_covariance)
#' S3method(insight::get_varcov, derivatives, insight_covariance)
#' S3method(insight::get_df, derivatives, insight_df)
#' S3method(insight::get_data, sparserls_fit, insight_data)
#' S3method(insight::get_data, sparserls_cv, insight_data)
NULL

insight_parameters <- function(x, ...) {
  values <- effect_parameters(x)
  data.frame(Parameter = names(values), Estimate = unname(values))
}

insight_names <- function(x, ...) list(conditional = names(effect_parameters(x)))

insight_covariance <- function(x, ...) parameter_covariance(x)

# The data as they were before na_level(), whose columns may be matrices, without the rows that the
# fit left out.
insight_data <- function(x, ...) {
  data <- raw_values(NextMethod())
  gone <- final_fit(x)$na.action
  if (!isTRUE(nrow(data) == nobs(x) + length(gone))) return(data)
  rows_at(data, setdiff(seq_len(nrow(data)), gone))
}

# What df = TRUE of marginaleffects asks for.
insight_df <- function(x, ...) x$df
