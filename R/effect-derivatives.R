#' Derivatives and average effects
#'
#' How a prediction changes with every feature: the slope of the fitted function at every row, and
#' average slopes over the rows with standard errors ("average marginal effects"). Of a
#' cross-validation with `keep = TRUE` the averages are corrected for shrinkage (debiased).
#'
#' For the table of a regression, each term adjusted for all others by curves, begin with
#' [partial_effects()]: it asks less of the data.
#'
#' @section When not to believe it: `summary()` withholds stars, and says why in a line, where the
#'   weights of an average do not balance the other features (standardized differences beyond 0.1
#'   plus twice their sampling level), rest on an effective number of less than a tenth of the rows,
#'   or where the correction is more than two standard errors. In 22 simulated designs (100 data
#'   sets each) these were at most 3 % of terms, but 6 and 7 % where groups overlap little, 72 %
#'   with 30 correlated features, and all terms of rare levels that go with another feature. Without
#'   such a line intervals covered the truth in 90 to 97 %, except in two designs: 71 % (standard
#'   error 9) with the 30 features, and 78 % (4) where the noise grows with the square of the
#'   feature.
#'
#'   Lambda, the penalty of the weights, the kernel and the basis were chosen on all rows, except in
#'   [cv.ardrls()], whose outer fits choose again; the result depends on the draw of folds. The
#'   density of a bounded feature must vanish at its ends, or its average derivative is more than
#'   what the interior says. For a discrete feature take [average_effect()]. For a level that is
#'   rare and goes with another feature, ask about the rows that have it (`weights` of one for
#'   these, of zero for others): in 200 simulations
#'   21 % (standard error 2.9) of debiased effects of zero over all rows came out significant, and
#'   8.5 % (2) of those over the rows that have it (`vignette("uncertainty")`). Where features
#'   interact in the formula (`a * f`), moves by columns are moves that no row can make: take
#'   [average_effect()].
#' @param object a fit of [sparserls()], [rls()] or [ardrls()], or a result of their `cv.` functions
#'   (for `summary()` a result of `derivatives()`). Fits of [rls2()] and `cv.rls2()` have
#'   derivatives without standard errors.
#' @param newdata rows at which the derivatives are taken, as in [predict.sparserls_fit()]. Fits by
#'   a formula may leave it out: the rows of the fit are then evaluated again, as by
#'   [stats::model.frame()].
#' @param s a single value of lambda, see [predict.sparserls_fit()]; `NULL` for fits with one.
#' @param type `"debiased"`, the default for a cross-validation with `keep = TRUE` whose folds
#'   divide the rows, at these rows. The others are errors of the penalized fit's own averages, see
#'   [vcov()][vcov.sparserls_fit]: `"jackknife"`, the next default, by the kept refits (groups are
#'   left out whole), `"sandwich"`, and `"gp"`, which ignores groups (a message says so). For
#'   [cv.ardrls()] `"jackknife"` leaves out its outer folds; [ardrls()] has only `"gp"`, on request.
#'   With a `family`: `"jackknife"` or `"sandwich"`.
#' @param weights one weight for each row of `newdata` in the averages; `NULL`: all equal, for the
#'   rows of the fit those of the fit.
#' @param scale for fits with a `family`: `"response"`, the default, for derivatives of the mean (a
#'   probability, an expected count), or `"link"` for those of the linear predictor.
#' @param newoffset for fits whose offset was given as values, the offsets of `newdata`.
#' @param x a result of `derivatives()`.
#' @param what,terms what is drawn: `"distribution"` of each term's derivatives over the rows, or
#'   `"against"`: derivatives against the values of their feature with a smooth; or `"weights"`, of
#'   debiased effects: how far the weights of each term balance the features ([balance()]). First
#'   differences are drawn as their average with a 95 % interval. `terms`: names or numbers; `NULL`:
#'   the strongest first, nine at most, by the root mean square of the derivatives times the
#'   standard deviation of the feature.
#' @param output the output that is drawn, for several.
#' @param digits significant digits.
#' @param ... further graphical parameters; otherwise unused.
#' @return A list of class `derivatives`:
#'   \item{derivatives}{rows x terms (x outputs), per unit of the user's features; NA for rows with
#'     missing values}
#'   \item{average, std.error}{vectors, or terms x outputs; debiased with that `type`}
#'   \item{plugin, correction}{of `"debiased"`: the average of `derivatives`, and what weighted
#'     held-out residuals add to that of the held-out fits}
#'   \item{representer}{of `"debiased"`, a list: `weights`, rows x terms, of every row's held-out
#'     residual; `share`, every row's weight in the fit, adding up to one; `size`, of each term the
#'     effective sample size, (sum of |share weight|)^2 / sum of their squares; `lambda`, of each
#'     term, of the grid `at`, with the held-out `loss` (`at` x terms); `unknown`, of each term
#'     whether the data cannot tell it}
#'   \item{vcov}{the covariance of the averages, terms x terms (x outputs)}
#'   \item{joint}{of `"debiased"` with several outputs the covariance of all averages: all terms of
#'     the first output, then of the next one}
#'   \item{df}{degrees of freedom for quantiles of t}
#'   \item{difference}{for every term whether it is a first difference}
#'   \item{x}{the values of the features, rows x terms; 1 where a row has the level}
#'   \item{nobs}{how many rows the averages are over}
#'   \item{type, units, count}{of averages and errors; what counts once: "rows", "groups" or, of
#'     [cv.ardrls()], outer "folds"; and how many}
#'   \item{lambda, call}{lambda, and the call of `object`}
#'   \item{scale}{`"response"`, `"link"`, or, of classes by least squares, `"score"`}
#'   \item{carriers}{how many units carry each effect, see below}
#'
#'   `summary()` prints estimate, standard error, the plug-in of debiased averages, t, p and the
#'   quartiles of the fit's derivatives over the rows; `tidy()` has `term, (output,) estimate,
#'   std.error, statistic, p.value` and, with `conf.int = TRUE`, `conf.low, conf.high`; `vcov()` is
#'   the covariance of the averages, [confint()][vcov.sparserls_fit] their intervals.
#' @section Debiased averages: A penalized fit draws slopes towards zero. `"debiased"` adds what the
#'   fit has missed, by automatic debiased machine learning (Chernozhukov, Newey and Singh, 2022):
#'   of each row the derivative of the fit without its fold, plus its held-out residual times a
#'   weight,
#'   \deqn{\hat\theta = \frac{1}{m} \sum_i \left( \partial f_{-i}(x_i) + \alpha_{-i}(x_i)
#'     (y_i - f_{-i}(x_i)) \right).}{theta = mean_i (df_-i(x_i) + alpha_-i(x_i) (y_i - f_-i(x_i))).}
#'   The function alpha, the Riesz representer of the average, is fitted in the same terms as f and
#'   without the fold as well. For a column of zeros and ones it takes the place of inverse
#'   propensities, and the average is the average treatment effect by augmented inverse propensity
#'   weighting with balancing weights (Hirshberg and Wager, 2021; Singh, 2021). The penalty of alpha
#'   is the next below that of the smallest held-out loss, of two in every decade, with groups the
#'   second below (see also Bruns-Smith and others, 2025). Standard errors are over rows or groups,
#'   with quantiles of t. An effect that the data cannot tell has neither p-value nor interval:
#'   where features depend on each other linearly, where a feature has too few values for a
#'   derivative between them, or where weights do worse on held-out rows than none. The price is
#'   that of a few fits of one lambda (`vignette("effects")`).
#'
#'   All other types are errors of coefficients at the given rows, with lambda, kernel and widths
#'   held fixed: their intervals cover the average of what the penalized fit estimates.
#' @section First differences: The effect of a column of zeros and ones is f(1) - f(0), all else as
#'   it is; that of a level of a factor, character or logical variable is f(level) - f(first level).
#'   (For kernels of differences an ordered factor is a number, its rank.)
#' @section Classes and families: For classes by least squares the derivatives are those of scores:
#'   for two classes of the second, coded -1/+1. With a `family` the mean of a row is
#'   \eqn{\mu(o + f(x))}{mu(o + f(x))}, o its offset, and its derivatives are those of f times
#'   \eqn{\mu'(o + f(x))}{mu'(o + f(x))}: average marginal effects. For several classes there is an
#'   output for each: the probability after division by their sum, or (`"link"`) the linear
#'   predictor of its own binomial.
#'
#'   With a `family` averages are those of the penalized fit. `"jackknife"` takes the refits of a
#'   cross-validation with `keep = TRUE` whose folds are single rows (`nfolds = "loo"`) or single
#'   groups: `(G - 1) / G sum_g (t_g - t)^2`, t_g the average without unit g, with `G - 1` degrees
#'   of freedom. Otherwise it is `"sandwich"`, by the delta method; for several classes not on the
#'   scale of the response.
#' @section Kinks: With the Laplacian kernel average derivatives are noisy (their standard deviation
#'   was twice that with a Gaussian, 100 simulations), and a message says so: name a smooth kernel
#'   in the cross-validation, or take [average_effect()] or [effect_curve()]. At basis vectors of
#'   the Laplacian and Matern kernels of smoothness 1/2 the derivative counts as 0. A
#'   [kernel_custom()] has derivatives where it was given a `slope`, [kernel_precomputed()] has
#'   none.
#' @section Effects that few rows carry: A jackknife rests only on the rows that carry the effect.
#'   `carriers` counts them: for a level the rows (groups) that have it, or the first level, where
#'   these are fewer; for a column the effective number `(sum S)^2 / sum S^2` of the shares S of
#'   rows (groups) in its sum of squares, a third of the rows where it is normal. Where that is less
#'   than 4.5, or for few units no more than two fifths of them, the effect has neither p-value nor
#'   interval from `"jackknife"` and `"sandwich"`, and a warning of class
#'   `sparserls_warning_carriers` names it (`vignette("uncertainty")`).
#' @section Levels where no rows are: With a `family` and a kernel that is not linear, a first
#'   difference has neither p-value nor interval where it is extrapolated: where a share of the rows
#'   above `0.1 + 2 / n`, moved to a level of n rows, is farther from all rows that have the level
#'   than 99 % of these are from their nearest one. The field `uncovered` has that share, or 0 where
#'   it is smaller. The same holds for factors and columns of two values that [average_effect()]
#'   moves. With many features only large gaps are found. Averages over `newdata`, rows where both
#'   levels occur, have p-values.
#' @section Widths that were searched: For [cv.ardrls()] with `keep = TRUE` the jackknife leaves out
#'   the outer folds, whose fits have searched their widths again: with K of them (at least three)
#'   it is `(K - 1) / K sum_k (t_k - t.)(t_k - t.)'`, t_k the averages of the fit without fold k, t.
#'   their mean, with `K - 1` degrees of freedom. It errs on the side of too large.
#' @section Errors: `sparserls_error_newdata`, `sparserls_error_offset`, `sparserls_error_family`
#'   for debiased averages with a `family`, `sparserls_error_kernel` for a kernel without
#'   derivatives, `sparserls_error_keep` where the type asks for what was not kept,
#'   `sparserls_error_folds` for a jackknife where folds are not single units,
#'   `sparserls_error_lambda`, `sparserls_error_weights`.
#' @seealso [partial_effects()], which asks less of the data; [average_effect()] for moves of the
#'   features, [effect_curve()] for the whole curve, [balance()] for the weights.
#' @references
#' Bruns-Smith, D., Dukes, O., Feller, A. and Ogburn, E. L. (2025) Augmented balancing weights as
#' linear regression. *Journal of the Royal Statistical Society B*, doi:10.1093/jrsssb/qkaf019.
#'
#' Chernozhukov, V., Newey, W. K. and Singh, R. (2022) Automatic debiased machine learning of causal
#' and structural effects. *Econometrica* 90, 967-1027.
#'
#' Hainmueller, J. and Hazlett, C. (2014) Kernel regularized least squares. *Political Analysis* 22,
#' 143-168.
#'
#' Hirshberg, D. A. and Wager, S. (2021) Augmented minimax linear estimation. *Annals of Statistics*
#' 49, 3206-3227.
#'
#' Singh, R. (2021) Kernel ridge Riesz representers: generalization, mis-specification, and the
#' counterfactual effective dimension. arXiv:2102.11076.
#' @examples
#' set.seed(1)
#' cv <- cv.sparserls(lpsa ~ . - train, data = prostate, basis = 30, keep = TRUE)
#' effects <- derivatives(cv)
#' summary(effects)
#'
#' # Average marginal effects of a logistic regression.
#' high <- cv.rls(lpsa > 2.5 ~ lcavol + svi, data = prostate, family = "binomial",
#'                nfolds = "loo", keep = TRUE)
#' derivatives(high, type = "jackknife")
#'
#' plot(effects, terms = c("lcavol", "lweight"), what = "against")
#' @export
derivatives <- function(object, ...) {
  UseMethod("derivatives")
}

#' @rdname derivatives
#' @export
derivatives.sparserls_fit <- function(object, newdata, s = NULL, type = NULL, weights = NULL,
                                      scale = c("response", "link"), newoffset = NULL, ...) {
  check_dots(..., known = names(formals()))
  must(missing(newdata) || !is_string(newdata), "newdata",
       "`newdata` must be rows: derivatives are those of all features.", shown(newdata),
       sprintf("effect_curve(object, %1$s) is of one; so is derivatives(object)$average[%1$s].",
               shown(newdata)))
  asked <- asked_effects(object, newdata, s, type, weights, scale, newoffset)
  fit <- asked$fit
  if (identical(fit$kernel$name, "laplacian")) {
    inform(paste("Average derivatives of a Laplacian kernel are noisy: name a smooth one,",
                 "kernel_gaussian().\naverage_effect() and effect_curve() take any kernel."))
  }
  rows <- fit_weighted(effect_rows(asked), asked)
  if (!asked$own) {
    warn_outside(sum(rows_outside(fit, rows$x[rows$complete, , drop = FALSE], asked$lambda)))
  }
  if (!is.null(asked$type) && !is.null(coordinates(fit))) {
    check_choice(asked$type, c("debiased", covariance_choices(asked$known)), "type")
  }
  new_effects(asked, rows, effect_terms(fit, rows$frame))
}

#' @rdname derivatives
#' @export
derivatives.sparserls_cv <- at_default_s(derivatives.sparserls_fit)

# ---- the effects of derivatives() and average_effect() ---------------------------------

# Averages with errors of a type, or debiased. asked: of asked_effects(); rows: of effect_rows();
# effects: of effect_terms(), or rows as they are moved (effect-average.R) with the `subgroups` of
# read_subgroups(). Terms are the effects of the first subgroup, then of the next one.
new_effects <- function(asked, rows, effects, subgroups = NULL) {
  fit <- asked$fit
  moved <- !is.null(subgroups)
  shares <- if (moved) subgroups$shares else cbind(rows$share)
  value <- function(fit, expansion) part_effects(fit, rows, effects, expansion, shares)
  found <- value(fit, expansion_at(fit, asked$lambda))
  cross <- if (wants_debiased(asked)) own_cross_fits(asked, rows)
  plain <- c(found, list(constant = 0, value = function(...) value(...)$average))
  averages <- if (is.null(cross)) average_errors(asked, plain)
              else with_errors(debiased_averages(cross, fit, rows, effects, shares), "debiased")
  v <- ncol(fit$response$y)
  terms <- in_parts(vapply(effects, `[[`, "", "term"), subgroups$names)
  each <- rep(seq_along(effects), ncol(shares))
  values <- array(NA_real_, c(nrow(rows$x), length(terms), v))
  values[rows$complete, , ] <- found$values[, each, , drop = FALSE]
  warn_range(found$values, "Derivatives leave")
  if (moved) {
    outside <- shares[, rep(seq_len(ncol(shares)), each = length(effects))] == 0
    values[rep(as.vector(outside), v)] <- NA
  }
  uncovered <- uncovered_shares(fit, rows, effects, shares)
  carriers <- effect_carriers(asked$known, averages$type, effects, averages$carriers)
  leveled <- vapply(effects, function(effect) !is.null(effect$variable), NA)
  warn_few(terms, carriers, averages, leveled[each], types = !moved)
  outputs <- several_outputs(fit)
  named <- function(values) if (!is.null(values)) name_terms(values, list(terms), outputs)
  plugin <- named(found$average)
  structure(c(effect_fields(asked, rows, averages, terms), list(
    derivatives = name_terms(values, list(rows$names, terms), outputs),
    average = if (is.null(cross)) plugin else named(averages$average),
    carriers = if (!is.null(carriers)) setNames(carriers, terms), lambda = asked$lambda,
    uncovered = if (!is.null(uncovered)) setNames(uncovered, terms),
    difference = setNames(are_differences(effects)[each], terms),
    # What levels belong to.
    variable = if (!moved) vapply(effects, function(effect) c(effect$variable, effect$term)[1], ""),
    x = if (moved) as.matrix(rows$x) else effect_features(rows, effects, terms),
    joint = averages$joint, plugin = if (!is.null(cross)) plugin,
    correction = named(averages$correction), representer = averages$representer
  )), class = c(if (moved) "average_effect", "derivatives"))
}

# Names of terms in every part of the rows; parts: their names, NULL for all rows.
in_parts <- function(terms, parts) {
  if (is.null(parts)) terms else as.vector(outer(terms, parts, paste, sep = ", "))
}

several_outputs <- function(fit) if (ncol(fit$response$y) > 1) output_names(fit$response)

# What averages of all kinds and curves have: errors, as users see them, and what they are of.
# terms: names of the averages.
effect_fields <- function(asked, rows, found, terms) {
  fit <- asked$fit
  outputs <- several_outputs(fit)
  list(call = asked$call, std.error = name_terms(found$std.error, list(terms), outputs),
       vcov = name_terms(found$covariance, list(terms, terms), outputs),
       df = found$df, type = found$type, units = found$units, count = found$count,
       nobs = sum(rows$share > 0), scale = effect_scale(fit, rows),
       titles = lapply(seq_len(ncol(fit$response$y)), drawn_output, fit = fit))
}

# ---- debiased averages -----------------------------------------------------------------

# Of families without coefficients there is nothing to say, of searched widths without outer fits
# error_type() says it.
wants_debiased <- function(asked) {
  if (!is.null(asked$type)) return(identical(asked$type, "debiased"))
  without <- inherits(asked$known, "outer_fits") && is.null(asked$known$fits)
  !is.null(coordinates(asked$fit)) && !without
}

# The refits that debiased averages take, of rows that are those of the fit; NULL where there are
# none, and a message that says so, an error where they were asked for.
own_cross_fits <- function(asked, rows) {
  check_covariances(asked$fit)
  cross <- cross_fits_at(asked, rows)
  if (inherits(cross, "cross_fits")) return(cross)
  what <- "are no debiased effects"
  if (!is.null(asked$type)) stop_without(cross, what)
  inform(paste0("There ", what, ": ", cross$why, ".\nAverages are those of the penalized fit, ",
                "drawn towards zero, and standard errors do not know of that bias.\n",
                cross$remedy))
}

# How many units carry each effect, NULL where errors do not leave units out, or nobody knows.
# Weights of debiased averages may lie on many rows where few have the level, of whose effect these
# few say all there is: a first difference has no more carriers than its level or column.
# debiased: carriers by the weights.
effect_carriers <- function(object, type, effects, debiased) {
  kept <- if (is.null(effects[[1]]$moved)) kept_carriers(object, type)
  known <- if (!is.null(kept)) term_carriers(kept, effects)
  if (is.null(debiased)) return(known)
  # Units of outer fits are folds.
  if (is.null(known) || inherits(object, "outer_fits")) return(debiased)
  ifelse(are_differences(effects), pmin(debiased, known, na.rm = TRUE), debiased)
}

kept_carriers <- function(object, type) {
  if (type %in% c("gp", "none")) NULL
  else if (inherits(object, "sparserls_cv")) object$covariance$carriers
  else object$carriers
}

# ---- errors of a type ------------------------------------------------------------------

# A covariance with its roots.
with_errors <- function(found, type) {
  c(found, list(type = type, std.error = standard_errors(found)))
}

# what: "Derivatives leave", ...
warn_range <- function(values, what) {
  if (all_finite(values)) return(invisible())
  warn("range", paste(what, "the range of numbers."), NULL, "Rescale `y` or `x`.")
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
  inform(paste("There are no standard errors: the widths were searched, and no fits without outer",
               "folds\nsay how they vary.", object$why, "type = \"gp\" takes the widths as known."))
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
