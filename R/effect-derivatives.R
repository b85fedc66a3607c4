#' Derivatives and average effects
#'
#' For the table of a regression, each term adjusted for all others by curves, begin with
#' [partial_effects()]. This page is about averages over all rows.
#'
#' How the response changes with every feature: derivatives of the fitted function at every row, and
#' their (weighted) averages with standard errors, as users of KRLS and of average marginal effects
#' know them. Of a cross-validation with `keep = TRUE` the averages are debiased: those of the
#' penalized fit are drawn towards zero, and their intervals with them.
#'
#' @param object a fit of [sparserls()], [rls()] or [ardrls()], or a result of their `cv.` functions
#'   (of `summary()` a result of `derivatives()`). Fits of
#'   [rls2()] and `cv.rls2()` have derivatives without standard errors.
#' @param newdata rows at which the derivatives are taken, as in [predict.sparserls_fit()]. Fits by
#'   a formula may leave it out: then the rows of the fit are evaluated anew, as
#'   [stats::model.frame()] does it.
#' @param s a single value of lambda, see [predict.sparserls_fit()]; `NULL` for fits with one.
#' @param type `"debiased"`, the default where the object has what it takes: a cross-validation with
#'   `keep = TRUE` whose folds divide the rows, at these rows. The other types are errors of the
#'   penalized fit's own averages, see [vcov()][vcov.sparserls_fit]. Where `NULL` finds nothing to
#'   debias it says so in a message, and is `"jackknife"` where the object has the refits (a
#'   cross-validation with `keep = TRUE`; the full kernel), with groups leave-one-group-out, else
#'   `"gp"`, which knows nothing of groups: where there are some, a message says so. Of
#'   [cv.ardrls()]: `"jackknife"` leaves out its outer folds, whole folds at a time, see the section
#'   on widths; without `keep = TRUE`, and of [ardrls()], there are no errors but those of `"gp"`
#'   where that is asked for. With a `family`: `"jackknife"` or `"sandwich"`, see the section on
#'   families.
#' @param weights one weight for each row of `newdata` in the averages; `NULL`: all the same, of the
#'   rows of the fit those of the fit. (A fit to a matrix knows its rows again where it is of a
#'   cross-validation with `keep = TRUE`.)
#' @param scale of fits with a `family`: `"response"`, the default, for derivatives of the mean (a
#'   probability, an expected count), or `"link"` for those of the linear predictor. Of least
#'   squares both are the same.
#' @param newoffset of fits whose offset was given as values, the offsets of `newdata`, which means
#'   depend on; see [predict.sparserls_fit()].
#' @param x a result of `derivatives()`.
#' @param what,terms what is drawn: `"distribution"` of each term's derivatives over the rows, or
#'   `"against"`: derivatives against the values of their feature with a smooth. Both draw a first
#'   difference as its average with a 95 % interval, where there is one; the first also the
#'   intervals of debiased derivatives. (The fitted curves themselves are those of
#'   [effect_curve()].) `"weights"`, of debiased effects: how far the weights of each term balance
#'   the features, those of [balance()] that are furthest off without weights, 15 at most (8 where
#'   there are many terms), and the term's own; thin lines are at -0.1 and 0.1. `terms`: names or
#'   numbers; `NULL`: the strongest first, nine at most, by the root mean square of the derivatives
#'   times the standard deviation of the feature.
#' @param output of several outputs the one that is drawn.
#' @param digits significant digits.
#' @param ... further graphical parameters; otherwise unused.
#' @return A list of class `derivatives`:
#'   \item{derivatives}{rows x terms (x outputs), per unit of the user's features; NA for rows with
#'     missing values}
#'   \item{average}{averages, debiased with that `type`, and `std.error` theirs; vectors, or terms x
#'     outputs}
#'   \item{plugin, correction}{of `"debiased"`, as `average`: the average of `derivatives`, of the
#'     fit itself; and what weighted held-out residuals add to that of the held-out fits}
#'   \item{representer}{of `"debiased"`, a list: `weights`, rows x terms, how every row's held-out
#'     residual counts in each average; `share`, every row's weight in the fit, adding up to one;
#'     `size`, of each term the effective sample size, (sum of |share weight|)^2 / sum of their
#'     squares; `lambda`, of each term, of the grid `at`, with the held-out `loss` (`at` x terms);
#'     `unknown`, of each term whether the data cannot tell it, see below}
#'   \item{vcov}{the covariance of the averages, terms x terms (x outputs)}
#'   \item{joint}{of `"debiased"` with several outputs the covariance of all averages: all terms of
#'     the first output, then of the next one}
#'   \item{df}{degrees of freedom for quantiles of t}
#'   \item{difference}{for every term whether it is a first difference}
#'   \item{x}{the values of the features, rows x terms; of levels 1 where the row has it}
#'   \item{nobs}{how many rows the averages are over: those without missing values, of positive
#'     weight}
#'   \item{type, units, count}{of averages and errors; what counts once: "rows", "groups" or, of
#'     [cv.ardrls()], outer "folds"; and how many of them}
#'   \item{lambda, call}{lambda, and the call of `object`}
#'   \item{scale}{of fits with a `family`: `"response"` or `"link"`; of other fits to classes
#'     `"score"`}
#'   \item{carriers}{how many of them carry each effect, see below; of `"debiased"` by the squares
#'     of their weights, and of first differences no more than of the other types}
#'
#'   `summary()` prints estimate, standard error, of debiased averages the plug-in beside them, t, p
#'   and the quartiles over the rows (without weights), which are those of the fit itself; `tidy()`
#'   has `term, (output,) estimate, std.error, statistic, p.value` and, with `conf.int = TRUE`,
#'   `conf.low, conf.high`; `vcov()` is the covariance of the averages, and
#'   [confint()][vcov.sparserls_fit] their intervals.
#' @section Debiased averages: A penalized fit draws slopes towards zero, and an interval around its
#'   average covers what the fit estimates, not the truth. `"debiased"` adds what the fit has
#'   missed, by automatic debiased machine learning (Chernozhukov, Newey and Singh, 2022): of each
#'   row the derivative of the fit without its fold, plus its held-out residual times a weight,
#'   \deqn{\hat\theta = \frac{1}{m} \sum_i \left( \partial f_{-i}(x_i) + \alpha_{-i}(x_i)
#'     (y_i - f_{-i}(x_i)) \right).}{theta = mean_i (df_-i(x_i) + alpha_-i(x_i) (y_i - f_-i(x_i))).}
#'   The function alpha, the Riesz representer of the average, is fitted in the same terms as f, and
#'   without the fold as well: its weights are those that give the average derivative of every
#'   function which the terms can make. For a column of zeros and ones it takes the place of inverse
#'   propensities, and the average is the average treatment effect by augmented inverse propensity
#'   weighting, with balancing weights (Hirshberg and Wager, 2021; in a kernel's functions Singh,
#'   2021). All refits are exact and share what the cross-validation shares: 20 effects of 5000 rows
#'   cost about three fits of one lambda (`vignette("effects")`). Standard errors
#'   are over rows, or groups where there are groups, with quantiles of t: those of the effect in
#'   the population that the rows are a sample of, weights being sampling weights. The penalty of
#'   alpha is the next below that of the smallest held-out loss, of two in every decade, with groups
#'   the second below: at the smallest itself standard errors were too small
#'   (`vignette("effects")`; a smaller penalty of alpha is a smaller one of f,
#'   too: Bruns-Smith and others, 2025). An effect that the data cannot tell has neither p-value nor
#'   interval, and the print says so: where features depend on each other linearly, like
#'   aliased coefficients of [stats::lm()], where a feature has too few values for a derivative
#'   between them (ask [average_effect()] for a difference, or take a linear kernel), or where
#'   weights do worse on held-out rows than none.
#' @section When not to believe it: `summary()` has no stars, and a line that says why, where
#'   weights do not balance the other features (standardized differences beyond 0.1 plus twice their
#'   sampling level), rest on an effective number of less than a tenth of the rows, or where the
#'   correction is more than two standard errors. In 22 designs (100 data sets each, a searched
#'   Gaussian) these were at most 3 % of terms, but 6 and 7 % where groups overlap little, 72 % with
#'   30 correlated features, and all terms of rare levels that go with another feature. Without a
#'   verdict intervals covered the truth in 90 to 97 %; in two designs they did not: 71 % with the
#'   30 features and 78 % where the noise grows with the square of the feature (standard errors 9
#'   and 4). [partial_effects()] asks for less, and is the table to begin with. Lambda, the penalty
#'   of alpha, the kernel and the basis were chosen on all rows, except in [cv.ardrls()], whose
#'   outer fits choose again. The result depends on the draw of folds. Discrete features have first
#'   differences, but no derivative that the data could tell; the density of a bounded feature must
#'   vanish at its ends, or its average derivative is more than what the interior says. Few groups
#'   are few: in 500 simulations with 20 of them intervals covered 95.2 and 95.8 % (standard error
#'   1; `vignette("effects")`). Effects of rare levels, of a dozen rows and less, stay drawn towards
#'   zero. Where features interact in the formula (`a * f`), derivatives by their columns ask for
#'   moves that no row can make: ask [average_effect()] for the move of the variable. Where a level
#'   has no counterpart among the other rows (no positivity) weights become few and large: look at
#'   `size`, at [balance()] or `plot(effects, "weights")`, and at `carriers`.
#' @section First differences: A column of zeros and ones in the rows of the fit has no derivative
#'   that means anything: its effect is f(1) - f(0), all else as it is. So is that of every level of
#'   a factor, character or logical variable but the first: f(level) - f(first level), whatever
#'   columns it has. (For kernels of differences an ordered factor is a number: its derivative is by
#'   the rank.) Columns that mix a number with levels (an interaction) are columns like others,
#'   held apart from those that they are made of.
#' @section Classes: Derivatives of the scores: for two classes of the score of the second, coded
#'   -1/+1.
#' @section Families: With a `family` the mean of a row is \eqn{\mu(o + f(x))}{mu(o + f(x))}, o its
#'   offset, and its derivatives are those of f times \eqn{\mu'(o + f(x))}{mu'(o + f(x))}: average
#'   marginal effects. First differences are those of means; offsets stay as they are. With
#'   `scale = "link"` all is about f. Of two classes the mean is the probability of the second; of
#'   several classes there is an output for each, on the scale of the response its probability
#'   after division by their sum (derivatives of all classes add up to zero), on that of the link
#'   the linear predictor of its own binomial against all others.
#'
#'   Averages are those of the penalized fit: debiased ones are for least squares, which a message
#'   says where no `type` was given. `"jackknife"` takes the refits of a cross-validation with
#'   `keep = TRUE` whose folds are single rows (`nfolds = "loo"`) or single groups, each exact and
#'   with an average of its own: `(G - 1) / G sum_g (t_g - t)^2`, t_g the average without unit g, t
#'   that of the fit, with `G - 1` degrees of freedom. Where there are no such refits it is
#'   `"sandwich"`, by the delta method, of a cross-validation with `keep = TRUE` (over groups where
#'   there are groups) and of fits by a formula whose data are still there; of several classes not
#'   on the scale of the response. See [vcov()][vcov.sparserls_fit] for its formula.
#' @section Kinks: With the Laplacian kernel average derivatives are noisy (their standard deviation
#'   was twice that with a Gaussian, 100 simulations of normal features), and a message says so:
#'   name a smooth kernel in the cross-validation, or ask [average_effect()] or [effect_curve()].
#'   Where the kernel has a kink, at basis vectors of the Laplacian and Matern kernels
#'   of smoothness 1/2, its derivative counts as 0. A [kernel_custom()] has derivatives where it
#'   was given a `slope`, [kernel_precomputed()] has none.
#' @section What is held fixed: Of all other types than `"debiased"` the averages are those over the
#'   given rows: standard errors are those of the coefficients, x, lambda, the kernel and its widths
#'   held fixed. They know nothing of the bias that the penalty brings: an interval covers the
#'   average derivative of what the fit estimates, and the truth as far as that bias is small.
#'   Derivatives are drawn towards zero; first differences may be wrong in either direction, see the
#'   next section.
#' @section Rare levels: A first difference sets a level for everybody. Where the level is rare and
#'   goes with another feature, most rows are then where no data are. There a Gaussian kernel falls
#'   back towards the mean, and what it loses counts as an effect of the level, of either sign. In
#'   200 simulations (600 rows, a level without an effect in 3 % of them, another feature `x` with
#'   an effect lower there by 1.5 of its standard deviations, 100 basis vectors, ten folds) so many
#'   averages had |t| > 1.97, in percent with standard errors (`vignette("uncertainty")`):
#'
#'   | | debiased | plug-in |
#'   |---|---|---|
#'   | over all rows | 21 (2.9) | 18.5 (2.7) |
#'   | over the rows that have it | 8.5 (2) | 5 (1.5) |
#'   | one width, over all rows | 66 (3.3) | 56.5 (3.5) |
#'   | one width, over the rows that have it | 11 (2.2) | 3 (1.2) |
#'   | linear kernel, over all rows | 6.5 (1.7) | 7.5 (1.9) |
#'   | over all rows, `x` not related to the level | 10.5 (2.2) | 6 (1.7) |
#'
#'   and 5 (1.5) of [stats::lm()]. One width is `width_multiples(1)`; it is searched in the other
#'   rows. So for a rare level give `weights` that are one for the rows that have it and zero for
#'   others: the question is then what it changes for those, the effect on the treated. (`newdata`
#'   of these rows alone asks the same of the plug-in.) A linear kernel, where it fits, helps too.
#' @section Effects that few rows carry: A standard error by leaving rows (groups) out knows as many
#'   changes as there are rows that make the effect. With a level in two rows there are two, and the
#'   quantiles of t with `count - 1` degrees of freedom are too small: by chance both change little,
#'   and p is tiny. `carriers` counts them: of a level the rows (groups) that have it, or the first
#'   level, where these are fewer; of a column the effective number `(sum S)^2 / sum S^2` of the
#'   shares S of rows (groups) in its sum of squares, a third of the rows where it is normal. Where
#'   that is less than 4.5, or of few units no more than two fifths of them, the effect has neither
#'   p-value nor interval from `"jackknife"` and `"sandwich"`, and a warning of class
#'   `sparserls_warning_carriers` names it. `vignette("uncertainty")` has the rates of false
#'   positives.
#' @section Widths that were searched: Of [cv.ardrls()] with `keep = TRUE` the jackknife leaves out
#'   the outer folds, whose fits have searched their widths anew: with K of them (at least three) it
#'   is `(K - 1) / K sum_k (t_k - t.)(t_k - t.)'`, t_k the averages of the fit without fold k, t.
#'   their mean, with `K - 1` degrees of freedom. It errs on the side of too large, and more outer
#'   folds find more. Without it there are no standard errors, and a message says so: `type = "gp"`
#'   takes widths as known and calls too much significant.
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
  refuse_name(newdata)
  derivatives_at(asked_effects(object, newdata, s, type, weights, scale, newoffset))
}

#' @rdname derivatives
#' @export
derivatives.sparserls_cv <- function(object, newdata, s = default_s(object), type = NULL,
                                     weights = NULL, scale = c("response", "link"),
                                     newoffset = NULL, ...) {
  check_dots(..., known = names(formals()))
  refuse_name(newdata)
  derivatives_at(asked_effects(object, newdata, s, type, weights, scale, newoffset))
}

derivatives_at <- function(asked) {
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

# Of a feature, where rows are asked for.
refuse_name <- function(newdata) {
  must(missing(newdata) || !is_string(newdata), "newdata",
       "`newdata` must be rows: derivatives are those of all features.", shown(newdata),
       sprintf("effect_curve(object, %1$s) is of one; so is derivatives(object)$average[%1$s].",
               shown(newdata)))
}

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
  carriers <- effect_carriers(asked$known, averages$type, effects, averages$carriers)
  leveled <- vapply(effects, function(effect) !is.null(effect$variable), NA)
  warn_few(terms, carriers, averages, leveled[each], types = !moved)
  named <- function(values) if (!is.null(values)) name_terms(values, list(terms), outputs)
  plugin <- named(found$average)
  structure(c(list(
    call = asked$call, derivatives = name_terms(values, list(rows$names, terms), outputs),
    average = if (is.null(cross)) plugin else named(averages$average)
  ), named_errors(averages, terms, outputs), list(
    carriers = if (!is.null(carriers)) setNames(carriers, terms), lambda = asked$lambda,
    difference = setNames(are_differences(effects)[each], terms),
    x = if (moved) as.matrix(rows$x) else effect_features(rows, effects, terms),
    nobs = sum(rows$share > 0),
    titles = lapply(seq_len(v), function(output) drawn_output(fit, output)),
    scale = effect_scale(fit, rows), joint = averages$joint,
    plugin = if (!is.null(cross)) plugin, correction = named(averages$correction),
    representer = averages$representer
  )), class = c(if (moved) "average_effect", "derivatives"))
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
  cross <- cross_fits(asked$known, asked$fit, asked$lambda)
  if (inherits(cross, "cross_fits")) cross <- cross_fits_at(cross, rows)
  if (inherits(cross, "cross_fits")) return(cross)
  problem <- sprintf("There are no debiased effects: %s.", cross$why)
  must(is.null(asked$type), cross$name, problem, NULL, cross$remedy)
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

# As users see them, of averages or of a curve.
named_errors <- function(found, terms, outputs) {
  list(std.error = name_terms(found$std.error, list(terms), outputs),
       vcov = name_terms(found$covariance, list(terms, terms), outputs),
       df = found$df, type = found$type, units = found$units, count = found$count)
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
    if (type == "jackknife" && is.null(object$fits)) stop_no_outer(object)
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
    found <- average_covariance(asked$known, asked$fit, asked$lambda, type, averages)
    return(with_errors(found, type))
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
  outer_covariance(object, function(part) averages$value(part, expansion_at(part, part$lambda)))
}
