#' Derivatives and average effects
#'
#' @description
#' How a prediction changes with each feature: the slope at every row, and average slopes with
#' standard errors ("average marginal effects"). For a cross-validation with `keep = TRUE` and no
#' `family`, averages are corrected for shrinkage (debiased).
#'
#' *When to believe it.* An average over all rows needs a counterpart for every row: a similar
#' row with another value of the feature. `summary()` writes "Do not rely on these" and shows
#' no stars if
#' * the debiasing weights rest on fewer than a tenth of the rows,
#' * they leave a feature unbalanced: its standardized difference (see [balance()])
#'   exceeds 0.1 plus the 95 % quantile of the largest difference under chance alone, or
#' * the correction exceeds two standard errors.
#'
#' In simulations where `summary()` raised no objection, 95 % intervals covered 95 % of 397 true
#' effects in 23 designs (standard error 1 %); in six other designs, with 5 to 30 features, 94 %
#' (0.3) of 6923 effects, but only 85 % (2) of 362 others, average slopes of sine curves.
#'
#' Averages without debiasing have stars only with a linear kernel and either squared loss or a
#' lambda near zero. On logistic data sets their 95 % intervals covered a slope of 2 on the link
#' scale in 15 % (`cv.sparserls()`, 1000 rows) and 72 % (`cv.rls()`, 200 rows, correlated features;
#' there `glm()`: 94 %).
#'
#' Other questions:
#' * for a table of coefficients: [partial_effects()], which needs fewer such counterparts; for a
#'   glm's coefficients, with robust standard errors:
#'   `derivatives(rls(y ~ ., data, family = , lambda = 1e-6), scale = "link")`; for clustered
#'   errors replace `rls()` by `cv.rls()`, with `groups` and `keep = TRUE`;
#' * for a feature with few distinct values (doses, ages in years), with many values near the ends
#'   of its range, or in an interaction of the formula (`a * f`): [average_effect()];
#' * for a rare level associated with another feature: an average over the rows that have it
#'   (`weights` 1 for these, 0 for others).
#'
#' Except in [cv.ardrls()], refits use lambda, kernel and basis chosen on all rows.
#' @param object a fit of [sparserls()], [rls()], [rls2()] (without standard errors) or [ardrls()],
#'   or a result of their `cv.` functions; for `summary()`, a result of `derivatives()`.
#' @param newdata the rows. Without it, a fit by a formula evaluates its data again.
#' @param s a single value of lambda; `NULL` for fits with one.
#' @param type `"debiased"`, the default at the rows of a cross-validation with `keep = TRUE` whose
#'   folds hold out each row once. Otherwise the default (with a `family` see below) is
#'   `"jackknife"`, which leaves out rows (or groups, or outer folds of [cv.ardrls()]); `"sandwich"`
#'   respects groups, too, and `"gp"` ignores them. These three average the penalized fit, with
#'   standard errors as in [vcov()][vcov.sparserls_fit].
#' @param weights one weight for each row of `newdata` in the averages. `NULL`: the fit's weights
#'   for its own rows, equal weights for others.
#' @param scale with a `family`: derivatives of the mean, or of the linear predictor.
#' @param newoffset offsets of `newdata`, see [predict.sparserls_fit()].
#' @param x a result of `derivatives()`.
#' @param what the `"distribution"` of each term's derivatives over the rows; derivatives
#'   `"against"` their feature; or `"weights"`, the [balance()] of debiased effects.
#' @param terms names or numbers of terms to draw; `NULL`: the nine with the strongest effect on the
#'   prediction.
#' @param output which output to draw.
#' @param digits significant digits.
#' @param ... further graphical parameters; otherwise unused.
#' @return A list of class `derivatives`:
#'   \item{derivatives}{rows x terms (x outputs), per unit of the user's features}
#'   \item{average, std.error}{vectors, or terms x outputs}
#'   \item{plugin, correction}{for debiased averages: the mean of `derivatives`, and what weighted
#'     residuals add to it}
#'   \item{vcov, df}{covariance of the averages, terms x terms (x outputs); degrees of freedom of t}
#'   \item{joint}{for several debiased outputs, their joint covariance}
#'   \item{difference}{whether a term is a first difference}
#'   \item{x, nobs}{values of the features, rows x terms; how many rows are averaged}
#'   \item{type, units, count}{kind of standard errors; their units, "rows", "groups" or "folds",
#'     and how many}
#'   \item{carriers}{how many of these units each effect rests on}
#'   \item{representer}{for debiased averages: `weights`, rows x terms; each row's `share` of all
#'     weights; effective sample `size`; penalty `lambda` of each term, its grid `at` and held-out
#'     `loss`; `unknown`, whether the effect is unidentified}
#'   \item{scale, lambda, call}{`"response"`, `"link"`, or `"score"` for classes; as in `object`}
#'
#'   `summary()` adds t, p and the quartiles over the rows; [confint()][vcov.sparserls_fit],
#'   `tidy()` (attach generics or broom) and `vcov()` describe averages.
#' @section Debiased averages: The mean over rows of the derivative of the refit without the row's
#'   fold, plus the mean of held-out residuals times debiasing weights alpha
#'   (`vignette("effects")`): `mean_i (df_-i(x_i) + alpha_-i(x_i) (y_i - f_-i(x_i)))`. The p-value
#'   and interval are missing if features are linearly dependent, if one has too few values for a
#'   derivative, or if debiasing weights that are all zero have the smallest held-out loss
#'   (`representer$loss`).
#' @section First differences: A column of zeros and ones has the effect f(1) - f(0); a level of a
#'   factor, character or logical variable f(level) - f(first level). Gaussian, Laplacian and
#'   Matern kernels treat an ordered factor as its rank.
#' @section Classes and families: For classes by least squares, derivatives are those of the scores,
#'   coded -1/+1. With a `family` they are those of the mean at the row's offset, and averages are
#'   not debiased: `"jackknife"` needs a cross-validation with `keep = TRUE` whose folds are single
#'   rows (`nfolds = "loo"`) or groups; otherwise `"sandwich"` is used, by the delta method. For
#'   several classes `"sandwich"` needs `scale = "link"`.
#' @section Few carriers: An effect lacks a p-value and an interval if it rests on fewer than 4.5
#'   rows (groups); with at most eleven in all, the limit is 40 % of them. A warning of class
#'   `sparserls_warning_carriers` names it. It rests on
#'   `(sum S)^2 / sum S^2` of them. For debiased averages S are squared debiasing weights, otherwise
#'   each row's share in the column's variance. A level gets the smaller of its own number and the
#'   first level's.
#' @section Levels: With nonlinear kernels a first difference has no standard error, p-value or
#'   interval (field `short`) if its level or the first has fewer than five basis vectors: intervals
#'   of rare levels covered 60 % with three, 90 % with five (20 data sets). With a `family` it has
#'   no p-value if more than a tenth of the rows (field `uncovered`) lie farther from the level's
#'   nearest row than the 99 % quantile of nearest-neighbour distances within the level. Then give
#'   nearer rows as `newdata`.
#' @section Kinks: The derivative of a Laplacian kernel, or of a Matern kernel of smoothness 0.5,
#'   counts as 0 at its kinks (x = z; Laplacian: x_j = z_j); averages are noisy.
#' @section Errors: `sparserls_error_newdata`, `sparserls_error_offset`, `sparserls_error_weights`,
#'   `sparserls_error_lambda`; `sparserls_error_kernel` for a kernel without derivatives;
#'   `sparserls_error_keep` and `sparserls_error_folds` where refits are missing;
#'   `sparserls_error_family` for debiased averages with a `family`.
#' @references
#' Chernozhukov, V., Newey, W. K. and Singh, R. (2022) Automatic debiased machine learning of causal
#' and structural effects. *Econometrica* 90, 967-1027.
#' @examples
#' set.seed(1)
#' cv <- cv.sparserls(lpsa ~ . - train, data = prostate, basis = 30, keep = TRUE)
#' effects <- derivatives(cv)
#' summary(effects)
#' plot(effects, terms = c("lcavol", "lweight"), what = "against")
#' @export
derivatives <- function(object, ...) UseMethod("derivatives")

#' @rdname derivatives
#' @export
derivatives.sparserls_fit <- function(object, newdata, s = NULL, type = NULL, weights = NULL,
                                      scale = c("response", "link"), newoffset = NULL, ...) {
  check_dots(...)
  asked <- asked_effects(object, newdata, s, type, weights, scale, newoffset)
  fit <- asked$fit
  if (identical(fit$kernel$name, "laplacian")) {
    others <- c(if (is.null(fit$chunks) && !has_family(fit)) "partial_effects()",
                if (is.null(fit$chunks)) "average_effect()", "effect_curve()")
    inform(paste0("Average derivatives of a Laplacian kernel are noisy: name a smooth one,\n",
                  "kernel_gaussian(), or use ", paste(others, collapse = " or "), "."))
  }
  rows <- effect_rows(asked)
  if (!rows$own) {
    warn_outside(sum(rows_outside(fit, complete_x(rows), asked$lambda)))
  }
  if (!is.null(asked$type) && !is.null(coordinates(fit))) {
    check_choice(asked$type, c("debiased", covariance_choices(asked)), "type")
  }
  new_effects(asked, rows, effect_terms(fit, rows$frame))
}

#' @rdname derivatives
#' @export
derivatives.sparserls_cv <- at_default_s(derivatives.sparserls_fit)

# ---- the effects of derivatives() and average_effect() ---------------------------------

# Averages with errors of a type, or debiased, over parts of the rows. asked: of asked_effects();
# rows: of effect_rows(); effects: of effect_terms(), or rows as they are moved (effect-average.R);
# parts: of read_subgroups(). Terms are the effects of the first part, then of the next one.
new_effects <- function(asked, rows, effects, parts = list(within = cbind(rows$share > 0))) {
  fit <- asked$fit
  moved <- !is.null(effects[[1]]$moved)
  shares <- prop.table(rows$share * parts$within, 2)
  value <- function(fit, expansion) effect_values(fit, rows, effects, expansion, shares)
  found <- value(fit, expansion_at(fit, asked$lambda))
  cross <- if (wants_debiased(asked)) own_cross_fits(asked, rows)
  plain <- c(found, list(constant = 0, value = function(...) value(...)$average))
  averages <- if (is.null(cross)) average_errors(asked, plain)
              else with_errors(debiased_averages(cross, fit, rows, effects, shares), "debiased")
  if (has_family(fit) && is.null(asked$type) && wants_debiased(asked)) {
    inform(paste0("Averages with a `family` are not debiased",
                  if (averages$type != "none") sprintf("; type is \"%s\"", averages$type), "."))
  }
  each <- rep(seq_along(effects), ncol(shares))
  terms <- in_parts(vapply(effects, `[[`, "", "term"), parts$names)
  outputs <- several_outputs(fit)
  named <- function(values, by = outputs) {
    if (!is.null(values)) name_terms(values, list(terms), by)
  }
  values <- array(NA_real_, c(nrow(rows$x), length(terms), output_count(fit)))
  values[rows$complete, , ] <- found$values[, each, , drop = FALSE]
  if (moved) {
    outside <- !parts$within[, rep(seq_len(ncol(shares)), each = length(effects))]
    values[rows$complete, , ][outside] <- NA
  }
  uncovered <- uncovered_shares(fit, rows, effects, shares)
  short <- short_of_vectors(fit, rows, effects, shares)
  averages <- withheld(averages, short %in% TRUE)
  carriers <- effect_carriers(asked$known, averages$type, effects, averages$carriers)
  leveled <- vapply(effects, function(effect) !is.null(effect$variable), NA)
  warn_few(if (identical(terms, "effect")) "this move" else terms, carriers, averages,
           leveled[each], types = !moved)
  plugin <- named(found$average)
  structure(c(effect_fields(asked, rows, averages, terms), list(
    derivatives = name_terms(values, list(rows$names, terms), outputs),
    average = if (is.null(cross)) plugin else named(averages$average),
    carriers = named(carriers, NULL), lambda = asked$lambda,
    shrunk = shrunk_remedy(fit, averages, asked$lambda),
    uncovered = named(uncovered, NULL), short = named(short, NULL),
    short_remedy = if (any(short)) short_remedy(fit, rows),
    curved = rows$own && !is.null(coordinates(fit)) && !has_slopes(fit$kernel),
    difference = setNames(are_differences(effects)[each], terms),
    # What levels belong to.
    variable = if (!moved) vapply(effects, function(effect) effect$variable %||% effect$term, ""),
    x = if (moved) as.matrix(rows$x) else effect_features(rows, effects, terms),
    joint = averages$joint, plugin = if (!is.null(cross)) plugin,
    correction = named(averages$correction), representer = averages$representer
  )), class = c(if (moved) "average_effect", "derivatives"))
}

# Names of terms in every part of the rows; parts: their names, NULL for all rows.
in_parts <- function(terms, parts) {
  if (is.null(parts)) terms else as.vector(outer(terms, parts, paste, sep = ", "))
}

# What to use in place of plug-in averages of kernels, and of linear fits with a family that the
# penalty moves; NULL where these have what others have. errors: `type` and `units`.
shrunk_remedy <- function(fit, errors, lambda) {
  if (errors$type %in% c("debiased", "none")) return(NULL)
  if (has_slopes(fit$kernel)) {
    if (has_family(fit) && any(lambda > 1e-5)) "lambda = 1e-6 has the estimates of glm()."
  } else if (has_family(fit)) {
    sprintf("For a glm's coefficients use derivatives() of %s.", glm_twin(errors$units == "groups"))
  } else if (is.null(fit$chunks)) "See partial_effects()." else sample_remedy
}

# The call whose effects are the coefficients of a glm.
glm_twin <- function(grouped) {
  if (grouped) "cv.rls(y ~ ., family = , lambda = 1e-6, groups = , keep = TRUE)"
  else "rls(y ~ ., family = , lambda = 1e-6)"
}

several_outputs <- function(fit) if (output_count(fit) > 1) output_names(fit$response)

# Errors without those of levels that are short of basis vectors.
withheld <- function(found, short) {
  if (any(short) && found$type != "none") {
    found$std.error[short, ] <- NA
    found$covariance[short, , ] <- found$covariance[, short, ] <- NA
  }
  found
}

# What averages of all kinds and curves have: errors, as users see them, and what they are of.
# terms: names of the averages.
effect_fields <- function(asked, rows, found, terms) {
  fit <- asked$fit
  outputs <- several_outputs(fit)
  list(call = asked$call, std.error = name_terms(found$std.error, list(terms), outputs),
       vcov = name_terms(found$covariance, list(terms, terms), outputs),
       df = found$df, type = found$type, units = found$units, count = found$count,
       nobs = sum(rows$share > 0), scale = effect_scale(fit, rows),
       titles = lapply(seq_len(output_count(fit)), drawn_output, fit = fit))
}

# ---- debiased averages -----------------------------------------------------------------

# For families without coefficients there is nothing to say, of searched widths without outer fits
# error_type() says it.
wants_debiased <- function(asked) {
  if (!is.null(asked$type)) return(identical(asked$type, "debiased"))
  without <- inherits(asked$known, "outer_fits") && is.null(asked$known$fits)
  !is.null(coordinates(asked$fit)) && !without
}

# The refits that debiased averages take, of rows that are those of the fit; NULL where there are
# none, and (of least squares) a message that says so, an error where they were asked for.
own_cross_fits <- function(asked, rows) {
  check_covariances(asked$fit)
  cross <- cross_fits_at(asked, rows)
  if (inherits(cross, "cross_fits")) return(cross)
  what <- "are no debiased effects"
  if (!is.null(asked$type)) stop_without(cross, what)
  if (has_family(asked$fit)) return(NULL)
  inform(paste0("There ", what, ": ", cross$why, ".\nAverages are those of the penalized fit, ",
                "drawn towards zero, and standard errors ignore that bias.\n",
                cross$remedy))
}

# How many units carry each effect, NULL where errors do not leave units out, or nobody knows.
# Weights of debiased averages may lie on many rows where few have the level, of whose effect these
# few say all there is: a first difference has no more carriers than its level or column.
# debiased: carriers by the weights.
effect_carriers <- function(object, type, effects, debiased) {
  kept <- if (is.null(effects[[1]]$moved)) kept_carriers(object, type)
  # A level is compared with the first.
  known <- if (!is.null(kept)) vapply(effects, function(effect) {
    if (is.null(effect$variable)) return(kept$columns[effect$column])
    min(kept$levels[[effect$variable]][as.character(c(effect$first, effect$level))])
  }, 0)
  if (is.null(debiased)) return(known)
  # Units of outer fits are folds.
  if (is.null(known) || inherits(object, "outer_fits")) return(debiased)
  ifelse(are_differences(effects), pmin(debiased, known, na.rm = TRUE), debiased)
}

kept_carriers <- function(object, type) {
  if (!type %in% c("gp", "none")) (kept_sums(object) %||% object)$carriers
}

# ---- errors of a type ------------------------------------------------------------------

# A covariance with its roots.
with_errors <- function(found, type) {
  c(found, list(type = type, std.error = standard_errors(found)))
}

error_type.default <- function(object, fit, lambda, type, averages = NULL) {
  if (!is.null(type)) check_covariances(fit)
  if (is.null(fit$spectrum)) return("none")
  if (!is.null(type)) return(check_choice(type, covariance_types, "type"))
  kept <- if (inherits(object, "sparserls_cv")) !is.null(object$covariance) else is_full(fit)
  if (kept && is.null(object$covariance$failed)) return("jackknife")
  if (is.nan(rows_left(fit, lambda))) return("none")
  if (!is.null(object$ngroups)) {
    needed <- if (!is.null(fit$chunks)) "rows in memory"
              else paste0("a cross-validation with keep = TRUE",
                          if (kept) " and more basis vectors")
    inform(paste0("Standard errors are by the Gaussian-process view, which takes rows as ",
                  "independent.\nThose by groups need ", needed, "."))
  }
  "gp"
}

# Widths that were searched are never taken as known without a word.
error_type.outer_fits <- function(object, fit, lambda, type, averages = NULL) {
  if (!is.null(type)) {
    type <- check_choice(type, outer_types, "type")
    must(type != "jackknife" || !is.null(object$fits), "keep",
         "Standard errors by leaving outer folds out need the fits without them.", NULL,
         paste(object$why, "type = \"gp\" takes the widths as known."))
    return(type)
  }
  if (!is.null(object$fits)) return("jackknife")
  inform(paste("There are no standard errors: the widths were searched, and there are no fits",
               "without outer\nfolds to show how they vary.", object$why,
               "type = \"gp\" takes the widths as known."))
  "none"
}

# Errors of the type that was asked for, or the best that there is, with their `type`. averages: as
# of average_covariance(), and the `average` itself, terms x outputs.
average_errors <- function(asked, averages) {
  type <- error_type(asked$known, asked$fit, asked$lambda, asked$type, averages)
  if (type != "none") {
    return(with_errors(average_covariance(asked$known, asked$fit, asked$lambda, type, averages),
                       type))
  }
  missing <- replace(averages$average, TRUE, NA)
  list(type = type, std.error = missing, covariance = rep(missing, nrow(missing)), df = NA_real_)
}

average_covariance.default <- function(object, fit, lambda, type, averages) {
  functional_covariance(fit, coefficient_covariance(object, lambda, type), averages$functionals,
                        averages$constant)
}

average_covariance.outer_fits <- function(object, fit, lambda, type, averages) {
  if (type != "jackknife") return(average_covariance(fit, fit, lambda, type, averages))
  values <- lapply(object$fits, function(part) {
    as.matrix(averages$value(part, expansion_at(part, part$lambda)))
  })
  values <- array(unlist(values), c(dim(values[[1]]), length(values)))
  jackknife_covariance(values - as.vector(rowMeans(values, dims = 2)), "folds")
}
