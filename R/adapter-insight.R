# Methods for insight, with the parameters that adapter-marginaleffects.R has. What is not here
# (formula, predictors, response, data, weights) insight finds by the methods of stats.

#' @rawNamespace
#' S3method(insight::get_parameters, sparserls_fit, insight_parameters)
#' S3method(insight::get_parameters, sparserls_cv, insight_parameters)
#' S3method(insight::find_parameters, sparserls_fit, insight_names)
#' S3method(insight::find_parameters, sparserls_cv, insight_names)
#' S3method(insight::get_varcov, sparserls_fit, insight_covariance)
#' S3method(insight::get_varcov, sparserls_cv, insight_covariance)
#' S3method(insight::get_parameters, derivatives, averages_parameters)
#' S3method(insight::find_parameters, derivatives, averages_names)
#' S3method(insight::get_varcov, derivatives, averages_varcov)
#' S3method(insight::get_df, derivatives, averages_df)
NULL

insight_parameters <- function(x, ...) named_parameters(effect_parameters(x))

insight_names <- function(x, ...) list(conditional = names(effect_parameters(x)))

insight_covariance <- function(x, ...) parameter_covariance(x)

named_parameters <- function(values) {
  data.frame(Parameter = names(values), Estimate = unname(values))
}

# ---- effects -----------------------------------------------------------------------

averages_parameters <- function(x, ...) named_parameters(averages_of(x))

averages_names <- function(x, ...) list(conditional = names(averages_of(x)))

averages_varcov <- function(x, ...) averages_covariance(x)

# What df = TRUE of marginaleffects asks for.
averages_df <- function(x, ...) x$df
