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
  error <- selection_error(x)
  old <- par(mar = par("mar") + c(0, 0, room_for_title(...), 0))
  on.exit(par(old))
  plot_with(list(x = seq_along(error), y = error, type = "b", pch = 20, las = 1, xaxt = "n",
                 xlab = "Number of features",
                 ylab = sprintf("Mean squared %s", criterion_label(x))),
            ...)
  feature_axis(x)
  invisible(x)
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
#' @param what `"error"`, or of classes `"calibration"`, as in [plot.sparserls_cv()].
#' @param log as in [plot.sparserls_cv()]: `"y"` or `""`.
#' @param ... passed on to [graphics::plot()].
#' @return `x`, invisibly.
#' @examples
#' set.seed(1)
#' plot(cv.greedyrls(lpsa ~ . - train, data = prostate, k = 8))
#' @export
plot.cv.greedyrls <- function(x, what = c("error", "calibration"), log = NULL, ...) {
  fit <- final_fit(x)
  what <- check_choice(what, c("error", "calibration"), "what")
  if (what == "calibration") return(plot_calibration(x, ...))
  column <- x$index["min", "Lambda"]
  steps <- seq_len(nrow(x$cvm))
  curve <- lapply(x[c("cvm", "cvlo", "cvup")], function(error) error[, column])
  same <- identical(measures[[names(x$name)]]$loss, "squared")
  logged <- logs_errors(log, c(curve$cvm, if (same) selection_error(fit)), x$name)
  low <- bar_ends(curve$cvlo, curve$cvm, logged)
  shown <- selection_curve(x, fit, error_range(curve$cvm, low, curve$cvup), logged)
  names <- c("honest", sprintf("selection (%s)", criterion_label(fit)))
  layout <- legend_layout(names)
  right <- if (is.null(shown$ticks)) 0 else 2
  old <- par(mar = par("mar") + c(layout$lines, 0, room_for_title(...), right))
  on.exit(par(old))
  plot_with(list(x = steps, y = curve$cvm, type = "n", las = 1, xaxt = "n",
                 log = if (logged) "y" else "", xlab = "Number of features", ylab = x$name[[1]],
                 ylim = error_range(curve$cvm, low, curve$cvup, shown$y)), ...)
  draw_bars(steps, low, curve$cvup)
  lines(steps, shown$y, type = "b", pch = 1, col = "steelblue")
  lines(steps, curve$cvm, type = "b", pch = 20, col = "red")
  abline(v = c(x$k.min, x$k.1se), lty = 2, col = "grey40")
  feature_axis(fit)
  if (!is.null(shown$ticks)) {
    axis(4, shown$at, shown$ticks, las = 1, col.axis = "steelblue")
    mtext(sprintf("Mean squared %s", criterion_label(fit)), side = 4, line = 3, col = "steelblue")
  }
  draw_legend(layout, names, col = c("red", "steelblue"), pch = c(20, 1), lty = 1)
  invisible(x)
}

# The selection's error in the units of the picture, or stretched to its range, with an axis.
selection_curve <- function(x, fit, range, logged) {
  error <- selection_error(fit)
  measure <- measures[[names(x$name)]]
  if (identical(measure$loss, "squared")) {
    return(list(y = if (isTRUE(measure$root)) sqrt(error) else error))
  }
  ticks <- pretty(error)
  stretch <- function(value) {
    share <- (value - min(ticks)) / diff(base::range(ticks))
    if (logged) range[1] * (range[2] / range[1])^share else range[1] + share * diff(range)
  }
  list(y = stretch(error), at = stretch(ticks), ticks = ticks)
}

# Whole numbers below, the feature that each step has added above.
feature_axis <- function(fit) {
  axis(1, at = whole_ticks(seq_along(fit$selected)))
  names <- abbreviate(slope_names(fit)[fit$selected], 8)
  axis(3, at = seq_along(names), labels = names, las = 2, tick = FALSE, line = -0.8, cex.axis = 0.7)
}

# Lines above the names of the features.
room_for_title <- function(...) if ("main" %in% ...names()) 2 else 0
