# The effects of derivatives() and average_effect(): averages with errors of a type, or debiased.

# part: of single_fit(), its `known` is what knows of standard errors; rows: of effect_rows();
# effects: of effect_terms(), or rows as they are moved (effect-average.R) with the `subgroups` of
# read_subgroups(). Terms are the effects of the first subgroup, then of the next one.
new_effects <- function(part, rows, effects, type, subgroups = NULL) {
  fit <- part$fit
  moved <- !is.null(subgroups)
  shares <- if (moved) subgroups$shares else cbind(rows$share)
  value <- function(fit, expansion) part_effects(fit, rows, effects, expansion, shares)
  found <- value(fit, expansion_at(fit, part$lambda))
  cross <- if (wants_debiased(part, type)) own_cross_fits(part, rows, type)
  plain <- c(found, list(constant = 0, value = function(...) value(...)$average))
  type <- if (is.null(cross)) error_type(part$known, fit, part$lambda, type, plain) else "debiased"
  v <- ncol(fit$response$y)
  outputs <- if (v > 1) output_names(fit$response)
  terms <- vapply(effects, `[[`, "", "term")
  if (!is.null(subgroups$names)) terms <- outer(terms, subgroups$names, paste, sep = ", ")
  terms <- as.vector(terms)
  each <- rep(seq_along(effects), ncol(shares))
  values <- array(NA_real_, c(nrow(rows$x), length(terms), v))
  values[rows$complete, , ] <- found$values[, each, , drop = FALSE]
  warn_range(found$values, "Derivatives leave")
  if (moved) {
    outside <- subgroups$shares[, rep(seq_len(ncol(shares)), each = length(effects))] == 0
    values[rep(as.vector(outside), v)] <- NA
  }
  averages <- if (is.null(cross)) average_errors(part, type, plain, dim(found$average))
              else with_errors(debiased_averages(cross, fit, rows, effects, shares))
  carriers <- effect_carriers(part$known, type, effects, averages$carriers)
  warn_few(terms, carriers, averages$count, averages$units,
           leveled = vapply(effects, function(effect) !is.null(effect$variable), NA)[each],
           types = !moved)
  named <- function(values) if (!is.null(values)) name_terms(values, list(terms), outputs)
  plugin <- named(found$average)
  structure(list(
    call = fit$call, derivatives = name_terms(values, list(rows$names, terms), outputs),
    average = if (is.null(cross)) plugin else named(averages$average),
    std.error = named(averages$std.error),
    vcov = name_terms(averages$covariance, list(terms, terms), outputs),
    df = averages$df, type = type, units = averages$units, count = averages$count,
    carriers = if (!is.null(carriers)) setNames(carriers, terms), lambda = part$lambda,
    difference = setNames(vapply(effects, `[[`, NA, "difference")[each], terms),
    x = if (moved) as.matrix(rows$x) else effect_features(rows, effects, terms),
    nobs = sum(rows$share > 0),
    titles = lapply(seq_len(v), function(output) drawn_output(fit, output)),
    scale = effect_scale(fit, rows), joint = averages$joint,
    plugin = if (!is.null(cross)) plugin, correction = named(averages$correction),
    representer = averages$representer
  ), class = c(if (moved) "average_effect", "derivatives"))
}

# ---- debiased averages -----------------------------------------------------------------

# Of families without coefficients there is nothing to say, of searched widths without outer fits
# error_type() says it.
wants_debiased <- function(part, type) {
  if (!is.null(type)) return(identical(type, "debiased"))
  without <- inherits(part$known, "outer_fits") && is.null(part$known$fits)
  !is.null(coordinates(part$fit)) && !without
}

# The refits that debiased averages take, of rows that are those of the fit; NULL where there are
# none, and a message that says so, an error where they were asked for.
own_cross_fits <- function(part, rows, type) {
  check_covariances(part$fit)
  cross <- cross_fits(part$known, part$fit, part$lambda)
  if (inherits(cross, "cross_fits")) cross <- cross_fits_at(cross, rows)
  if (inherits(cross, "cross_fits")) return(cross)
  problem <- sprintf("There are no debiased effects: %s.", cross$why)
  if (!is.null(type)) abort(cross$name, problem, NULL, cross$remedy)
  inform(paste0(problem, "\nAverages are those of the penalized fit, drawn towards zero, and ",
                "standard errors do not know of that bias.\n", cross$remedy))
  NULL
}

# How many units carry each effect, NULL where errors do not leave units out, or nobody knows.
# Weights of debiased averages may lie on many rows where few have the level, of whose effect these
# few say all there is: a first difference has no more carriers than its level or column.
# debiased: carriers by the weights.
effect_carriers <- function(object, type, effects, debiased) {
  known <- if (is.null(effects[[1]]$moved)) kept_carriers(object, type)
  if (!is.null(known)) known <- term_carriers(known, effects)
  if (is.null(debiased)) return(known)
  # Units of outer fits are folds.
  if (is.null(known) || inherits(object, "outer_fits")) return(debiased)
  ifelse(vapply(effects, `[[`, NA, "difference"), pmin(debiased, known, na.rm = TRUE), debiased)
}

kept_carriers <- function(object, type) {
  if (type %in% c("gp", "none")) NULL
  else if (inherits(object, "sparserls_cv")) object$covariance$carriers
  else object$carriers
}

# ---- errors of a type ------------------------------------------------------------------

# A covariance with its roots.
with_errors <- function(found) replace(found, "std.error", list(standard_errors(found)))

# what: "Derivatives leave", ...
warn_range <- function(values, what) {
  if (!all_finite(values)) {
    warn("range", paste(what, "the range of numbers."), NULL, "Rescale `y` or `x`.")
  }
  values
}

error_type.default <- function(object, fit, lambda, type, averages = NULL) {
  if (is.null(fit$spectrum)) {
    if (!is.null(type)) check_covariances(fit)
    return("none")
  }
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
    if (type == "jackknife" && is.null(object$fits)) stop_no_outer(object)
    return(type)
  }
  if (!is.null(object$fits)) return("jackknife")
  inform(paste("There are no standard errors: the widths were searched, and no fits without outer",
               "folds\nsay how they vary.", object$why, "type = \"gp\" takes the widths as known."))
  "none"
}

# averages: as of average_covariance(); shape: terms, outputs.
average_errors <- function(part, type, averages, shape) {
  if (type == "none") {
    missing <- rep(NA_real_, prod(shape))
    return(list(std.error = missing, covariance = rep(missing, shape[1]), df = NA_real_))
  }
  with_errors(average_covariance(part$known, part$fit, part$lambda, type, averages))
}

average_covariance.default <- function(object, fit, lambda, type, averages) {
  functional_covariance(fit, coefficient_covariance(object, lambda, type), averages$functionals,
                        averages$constant)
}

average_covariance.outer_fits <- function(object, fit, lambda, type, averages) {
  if (type != "jackknife") return(average_covariance(fit, fit, lambda, type, averages))
  outer_covariance(object, function(part) averages$value(part, expansion_at(part, part$lambda)))
}
