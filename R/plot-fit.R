#' Plot the path of a fit
#'
#' With the linear kernel a ridge trace: a line for the coefficient of every feature, with the names
#' of the largest at its end and all others grey. The title says which class or output is drawn.
#' With other kernels the effective degrees of freedom against lambda and, on the right axis, the
#' share of the sum of squares (with a `family` of the deviance) that the fit explains.
#'
#' @param x a fit of [sparserls()] or [rls()]. (Of [rls2()] see [plot.rls2()].)
#' @param what `"coefficients"`, the slopes of the features as they entered the fit, standardized
#'   unless `standardize = FALSE` (linear kernel only), or
#'   `"df"`, degrees of freedom and explained share. The first that there is by default.
#' @param against what coefficients are drawn against: `"df"`, the degrees of freedom, or
#'   `"lambda"`, on a log scale that falls to the right.
#' @param output which output's coefficients, a number.
#' @param labels how many lines get a name.
#' @param ... passed on to [graphics::matplot()] (`"df"`: [graphics::plot()]).
#' @return `x`, invisibly.
#' @section Errors: `sparserls_error_argument` for a profile or output that the fit does not have.
#' @examples
#' fit <- rls(lpsa ~ . - train, data = prostate, subset = train)
#' plot(fit)
#' plot(fit, "df")
#' @export
plot.sparserls_fit <- function(x, what = c("coefficients", "df"), against = c("df", "lambda"),
                               output = 1, labels = 10, ...) {
  draw_figure(fit_figure(x, what, against, output, labels), ...)
  invisible(x)
}

fit_figure <- function(fit, what, against, output, labels) {
  kind <- class(fit)[1]
  # Families with another axis have a plot of their own, or none.
  axis <- path_axis(fit)$name
  must(axis == "lambda", "argument", sprintf("Fits of %s() have no path of lambda to draw.", kind),
       sprintf("a path of `%s`", axis))
  profiles <- c("coefficients", "df")
  refuse_feature(what, fit, profiles)
  if (identical(what, profiles) && !is_linear(fit)) what <- "df"
  if (identical(against, c("df", "lambda")) && is.null(fit$df)) against <- "lambda"
  what <- check_choice(what, profiles, "what")
  against <- check_choice(against, c("df", "lambda"), "against")
  output <- check_output(output, fit)
  must(what == "df" || is_linear(fit), "argument",
       "Only fits with the plain linear kernel have coefficients to draw.",
       if (!is.null(fit$kernel)) format(fit$kernel), "Use what = \"df\".")
  must(!is.null(fit$df) || !"df" %in% c(what, against), "argument",
       sprintf("Fits of %s() do not know their degrees of freedom.", kind))
  if (what == "df") return(df_figure(fit))
  p <- fit$blueprint$p
  values <- array(coef(fit), c(p + 1, ncol(fit$response$y), length(fit$lambda)))
  y <- matrix(values[-1, output, ], p)
  if (is_standardized(fit)) y <- y * fit$standard$scale
  profile_figure(fit[[against]], y, slope_names(fit), labels, slope_label(fit), against,
                 drawn_output(fit, output))
}

# The degrees of freedom on the left axis, the explained share stretched to the same range.
df_figure <- function(fit) {
  must(!is.null(fit$dev.ratio), "argument",
       sprintf("Fits of %s() do not know the share that they explain.", class(fit)[1]))
  top <- max(fit$df)
  ticks <- pretty(c(0, 1))
  list(
    curves = list(new_curve(fit$lambda, fit$df, "black", "degrees of freedom"),
                  new_curve(fit$lambda, top * fit$dev.ratio, interval_colour, "explained share",
                            lty = 2)),
    frame = list(xlab = expression(lambda), ylab = "Degrees of freedom",
                 xlim = lambda_limits(fit$lambda), ylim = c(0, top), log = "x"),
    below = "lambda", right = list(at = top * ticks, labels = ticks, title = "Explained share")
  )
}

#' Profiles of coefficients or weights
#'
#' Draws the path of [rls2()]: a line for every feature or kernel that has weight anywhere, with the
#' names of the largest at its end and all others grey. The title says which class or output is
#' drawn.
#'
#' @param x a fit of [rls2()].
#' @param what `"coefficients"`, the slopes of the features as they entered the fit, standardized
#'   unless `standardize = FALSE` (of `kernels = NULL` only), or `"weights"`, the weights d. The
#'   first that there is by default.
#' @param against `"df"`, the degrees of freedom, or `"lambda"`, on a log scale that falls to the
#'   right.
#' @param output which output, a number.
#' @param labels how many lines get a name.
#' @param ... passed on to [graphics::matplot()].
#' @return `x`, invisibly.
#' @section Errors: `sparserls_error_argument` for a profile or output that the fit does not have.
#' @examples
#' fit <- rls2(lpsa ~ . - train, data = prostate, subset = train)
#' plot(fit)
#' plot(fit, "weights", against = "lambda")
#' @export
plot.rls2 <- function(x, what = c("coefficients", "weights"), against = c("df", "lambda"),
                      output = 1, labels = 10, ...) {
  draw_figure(rls2_figure(x, what, against, output, labels), ...)
  invisible(x)
}

rls2_figure <- function(fit, what, against, output, labels) {
  profiles <- c("coefficients", "weights")
  if (identical(what, profiles) && !is.null(fit$kernels)) what <- "weights"
  what <- check_choice(what, profiles, "what")
  against <- check_choice(against, c("df", "lambda"), "against")
  output <- check_output(output, fit)
  weights <- what == "weights"
  must(weights || is.null(fit$kernels), "argument",
       "Only fits to features have coefficients to draw.", NULL, "Use what = \"weights\".")
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
plot.greedyrls <- function(x, ...) {
  draw_figure(selection_figure(x), ...)
  invisible(x)
}

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
#' standard error and dashed lines at `k.min` and `k.1se`; and the error that guided the selection,
#' which is too small. The latter is always a mean squared error (its root where the measure is
#' `"rmse"`); beside other measures it has an axis of its own on the right. The axis above names the
#' feature that each step added.
#'
#' @param x a result of [cv.greedyrls()].
#' @param what `"error"`, of classes `"calibration"`, or `"residuals"`, as in [plot.sparserls_cv()].
#' @param log as in [plot.sparserls_cv()]: `"y"` or `""`.
#' @param ... passed on to [graphics::plot()].
#' @return `x`, invisibly.
#' @examples
#' set.seed(1)
#' plot(cv.greedyrls(lpsa ~ . - train, data = prostate, k = 8))
#' @export
plot.cv.greedyrls <- function(x, what = c("error", "calibration", "residuals"), log = NULL, ...) {
  draw_figure(cv_figure(x, what, log), ...)
  invisible(x)
}

# With the selection's error in the units of the figure, or stretched to its range, with an axis.
error_figure.cv.greedyrls <- function(cv, log, sign = -1) {
  fit <- cv$fit
  error <- selection_error(fit)
  selection <- function(y) {
    list(new_curve(seq_along(y), y, interval_colour,
                   sprintf("selection (%s)", criterion_label(fit)), "o", pch = 1))
  }
  measure <- measures[[names(cv$name)]]
  same <- identical(measure$loss, "squared")
  figure <- errors_figure(cv, log,
                          if (same) selection(if (isTRUE(measure$root)) sqrt(error) else error))
  figure$above <- added_features(fit)
  if (same) return(figure)
  ticks <- pretty(error)
  range <- figure$frame$ylim
  stretch <- function(value) {
    share <- (value - min(ticks)) / diff(base::range(ticks))
    if (figure$frame$log == "y") range[1] * (range[2] / range[1])^share
    else range[1] + share * diff(range)
  }
  figure$curves[[1]]$name <- "honest"
  figure$curves <- c(selection(stretch(error)), figure$curves)
  figure$right <- list(at = stretch(ticks), labels = ticks,
                       title = sprintf("Mean squared %s", criterion_label(fit)))
  figure
}
