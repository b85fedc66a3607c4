#' Plot the path of a fit
#'
#' With the linear kernel, draws a ridge trace: a line for the coefficient of every feature, with
#' the names of the largest at its end and all others grey. The title says which class or output is
#' drawn. With other kernels, draws the effective degrees of freedom against lambda; the axis above
#' shows the share of the sum of squares (with a `family`, of the deviance) that the fit explains.
#'
#' @param x a fit of [sparserls()] or [rls()]. (For [rls2()] see [plot.rls2()].)
#' @param what `"coefficients"`, the slopes of the features as they entered the fit, standardized
#'   unless `standardize = FALSE` (linear kernel only), or `"df"`, degrees of freedom and explained
#'   share. By default the first that exists.
#' @param against what coefficients are drawn against: `"df"`, the degrees of freedom, or
#'   `"lambda"`, on a log scale that falls to the right.
#' @param output the number of the output whose coefficients are drawn.
#' @param labels how many lines get a name.
#' @param ... graphical parameters, passed on to [graphics::matplot()].
#' @return `x`, invisibly.
#' @section Errors: `sparserls_error_argument` for a profile or output that the fit does not have.
#' @examples
#' fit <- rls(lpsa ~ . - train, data = prostate, subset = train)
#' plot(fit)
#' plot(fit, "df")
#' @export
plot.sparserls_fit <- function(x, what = c("coefficients", "df"), against = c("df", "lambda"),
                               output = 1, labels = 10, ...)
  draw_figure(x, fit_figure(x, what, against, output, labels), ...)

fit_figure <- function(fit, what, against, output, labels) {
  # Families with another axis have a plot of their own, or none.
  linear <- isTRUE(fit$linear) || (!is.null(fit$kernel) && has_slopes(fit$kernel))
  known <- c(if (linear) "coefficients",
             if (!is.null(fit$df) && !is.null(fit$dev.ratio)) "df")
  axis <- path_axis(fit)$name
  must(axis == "lambda" && length(known), "argument",
       sprintf("Fits of %s() have no path of lambda to draw.", class(fit)[1]),
       sprintf("a path of `%s`", axis))
  what <- first_known(what, known, "what")
  against <- first_known(against, c(if (!is.null(fit$df)) "df", "lambda"), "against")
  output <- output_place(output, output_count(fit), output_names(fit$response))
  if (what == "df") return(df_figure(fit))
  p <- fit$blueprint$p
  values <- array(coef(fit), c(p + 1, output_count(fit), length(fit$lambda)))
  y <- matrix(values[-1, output, ], p)
  if (is_standardized(fit)) y <- y * fit$standard$scale
  profile_figure(fit[[against]], y, slope_names(fit), labels, slope_label(fit), against,
                 drawn_output(fit, output))
}

# asked: one of those that there are, or several, of which the first that there is.
first_known <- function(asked, known, name) {
  check_choice(if (length(asked) > 1) known[1] else asked, known, name)
}

df_figure <- function(fit) {
  limits <- lambda_limits(fit$lambda)
  list(curves = list(new_curve(fit$lambda, fit$df, "black")),
       frame = list(xlab = expression(lambda), ylab = "Degrees of freedom", xlim = limits,
                    ylim = c(0, max(fit$df)), log = "x"),
       below = "lambda", above = values_above(fit$lambda, fit$dev.ratio, limits, "share"))
}

#' Plot the path of a fit of several kernels
#'
#' Draws a line for every feature or kernel of [rls2()] that has weight anywhere, with the names of
#' the largest at its end and all others grey. The title says which class or output is drawn.
#'
#' @inheritParams plot.sparserls_fit
#' @param x a fit of [rls2()].
#' @param what `"coefficients"`, as in [plot.sparserls_fit()] (for `kernels = NULL` only), or
#'   `"weights"`, the weights d. By default the first that exists.
#' @return `x`, invisibly.
#' @section Errors: `sparserls_error_argument` for a profile or output that the fit does not have.
#' @examples
#' fit <- rls2(lpsa ~ . - train, data = prostate, subset = train)
#' plot(fit)
#' plot(fit, "weights", against = "lambda")
#' @export
plot.rls2 <- function(x, what = c("coefficients", "weights"), against = c("df", "lambda"),
                      output = 1, labels = 10, ...)
  draw_figure(x, rls2_figure(x, what, against, output, labels), ...)

rls2_figure <- function(fit, what, against, output, labels) {
  what <- first_known(what, c(if (is.null(fit$kernels)) "coefficients", "weights"), "what")
  against <- check_choice(against, c("df", "lambda"), "against")
  output <- output_place(output, output_count(fit), output_names(fit$response))
  weights <- what == "weights"
  v <- nrow(fit$expansion$a0)
  y <- if (weights) path_weights(fit)[, output, ]
       else fit$expansion$slope[, output + v * (seq_along(fit$lambda) - 1L)]
  profile_figure(if (against == "df") as.matrix(fit$df)[, output] else fit$lambda,
                 matrix(as.vector(y), length(fit$names)), fit$names, labels,
                 if (weights) "Weight" else slope_label(fit), against, drawn_output(fit, output))
}

#' Plot a greedy selection
#'
#' The error that guided the selection against the number of features. The axis above names the
#' feature that each step added.
#'
#' @param x a fit of [greedyrls()].
#' @param ... passed on to [graphics::plot()].
#' @return `x`, invisibly.
#' @examples
#' plot(greedyrls(lpsa ~ . - train, data = prostate, k = 8))
#' @export
plot.greedyrls <- function(x, ...) draw_figure(x, selection_figure(x), ...)

selection_figure <- function(fit) {
  error <- selection_error(fit)
  axis <- path_axis(fit)
  list(curves = list(new_curve(seq_along(error), error, "black", type = "o")),
       frame = list(xlab = axis$title, ylab = sprintf("Mean squared %s", criterion_label(fit))),
       below = axis, above = added_features(fit))
}

# The feature that each step has added.
added_features <- function(fit) {
  list(at = seq_along(fit$selected), labels = abbreviate(slope_names(fit)[fit$selected], 8),
       title = "", upright = TRUE)
}

#' Plot the honest error of a greedy selection
#'
#' The cross-validated error at `lambda.min` against the number of features, with bars of one
#' standard error and dashed lines at `k.min` and `k.1se`. If the measure is `"mse"` or `"rmse"`, it
#' also draws the error that guided the selection, which is too small. The axis above names the
#' feature that each step added.
#'
#' @param x a result of [cv.greedyrls()].
#' @param what `"error"`, for classes `"calibration"`, or `"residuals"`, as in
#'   [plot.sparserls_cv()].
#' @param log as in [plot.sparserls_cv()]: `"y"` or `""`.
#' @param ... passed on to [graphics::plot()].
#' @return `x`, invisibly.
#' @examples
#' set.seed(1)
#' plot(cv.greedyrls(lpsa ~ . - train, data = prostate, k = 8))
#' @export
plot.cv.greedyrls <- function(x, what = c("error", "calibration", "residuals"), log = NULL, ...)
  draw_figure(x, cv_figure(x, what, log), ...)

# With the selection's error, where it is one in the units of the measure.
error_figure.cv.greedyrls <- function(cv, log, sign) {
  error <- selection_error(cv$fit)
  measure <- measure_of(cv)
  if (isTRUE(measure$root)) error <- sqrt(error)
  figure <- errors_figure(cv, log, if (identical(measure$loss, "squared")) {
    list(new_curve(seq_along(error), error, interval_colour,
                   sprintf("selection (%s)", criterion_label(cv$fit)), "o", pch = 1))
  })
  figure$above <- added_features(cv$fit)
  figure
}
