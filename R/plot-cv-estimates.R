# Figures of the mean and the variance of estimates of the error.

#' Plot the mean and the variance of cross-validation estimates
#'
#' Error curves against lambda (on a log scale that falls to the right), one for each estimator:
#' their mean over the repetitions, with bars of one standard error, and, beside it, their variance
#' on a log scale.
#'
#' @param x an object of [cv_estimates()].
#' @param what `"mean"` and `"variance"`, one panel each. Without repetitions there is only
#'   the mean.
#' @param ... passed on to [graphics::matplot()].
#' @return `x`, invisibly.
#' @examples
#' plot(cv_estimates(a = c(3, 1, 2), b = c(4, 2, 2), lambda = c(4, 2, 1)))
#' @export
plot.cv_estimates <- function(x, what = c("mean", "variance"), ...) {
  what <- drawn_panels(x, what)
  # Room for the long numbers of the variance.
  old <- par(mfrow = c(1, length(what)), mar = c(5, 5.5, 2, 1), mgp = c(3.8, 0.8, 0))
  on.exit(par(old))
  layout <- legend_layout(levels(x$estimator))
  par(mar = par("mar") + c(layout$lines, 0, 0, 0))
  for (panel in what) draw_estimates(x, panel, if (panel == what[1]) layout, ...)
  invisible(x)
}

draw_estimates <- function(x, panel, layout, ...) {
  names <- levels(x$estimator)
  wide <- function(values) tapply(values, list(x$lambda, x$estimator), identity)
  curves <- wide(x[[panel]])
  error <- wide(if (panel == "mean") sqrt(x$variance / x$repetitions) else 0 * x$variance)
  error[is.na(error)] <- 0
  logarithmic <- panel == "variance" && all(curves > 0, na.rm = TRUE)
  lambda <- sort(unique(x$lambda))
  settings <- list(x = lambda, y = curves, type = "l", lty = seq_along(names), lwd = 2,
                   col = line_colours(length(names)), las = 1, xlab = expression(lambda),
                   ylab = if (panel == "mean") "Mean of the estimates"
                          else "Variance of the estimates",
                   log = if (logarithmic) "xy" else "x", xaxt = "n", xlim = lambda_limits(lambda),
                   ylim = range(curves - error, curves + error, na.rm = TRUE))
  plot_with(settings, ..., draw = graphics::matplot)
  lambda_axis(...)
  segments(lambda, curves - error, lambda, curves + error,
           col = rep(settings$col, each = length(lambda)))
  if (!is.null(layout)) {
    draw_legend(layout, names, lty = seq_along(names), lwd = 2, col = settings$col)
  }
}
