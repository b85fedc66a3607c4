# Methods for insight, with the parameters that adapter-marginaleffects.R has. What is not here
# (formula, predictors, response, data, weights) insight finds by the methods of stats.

#' @rawNamespace
#' S3method(insight::get_parameters, sparserls_fit, insight_parameters)
#' S3method(insight::get_parameters, sparserls_cv, insight_parameters)
#' S3method(insight::find_parameters, sparserls_fit, insight_names)
#' S3method(insight::find_parameters, sparserls_cv, insight_names)
#' S3method(insight::get_varcov, sparserls_fit, insight_covariance)
#' S3method(insight::get_varcov, sparserls_cv, insight_covariance)
NULL

insight_parameters <- function(x, ...) {
  values <- effect_parameters(x)
  data.frame(Parameter = names(values), Estimate = unname(values))
}

insight_names <- function(x, ...) list(conditional = names(effect_parameters(x)))

insight_covariance <- function(x, ...) parameter_covariance(x)
