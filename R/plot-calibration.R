# How good probabilities are: the share of held-out rows that are of a class against its predicted
# probability. plot.sparserls_cv() is the page of the help.

# The bins of the best model, with the label of the axis.
shown_bins <- function(object) {
  calibration <- calibrated(object)
  levels <- object$fit$response$levels
  bins <- calibration$bins[calibration$bins$s == colnames(calibration$slope)[1], ]
  bins$low <- pmax(0, bins$observed - bins$std.error)
  bins$high <- pmin(1, bins$observed + bins$std.error)
  list(bins = bins,
       label = if (length(levels) > 2) "Predicted probability, all classes"
               else sprintf("Predicted probability of %s", dQuote(levels[2], FALSE)))
}

plot_calibration <- function(x, ...) {
  shown <- shown_bins(x)
  bins <- shown$bins
  old <- par(mar = par("mar"))
  on.exit(par(old))
  plot_with(list(x = bins$predicted, y = bins$observed, type = "n", xlim = c(0, 1), ylim = c(0, 1),
                 las = 1, xlab = shown$label, ylab = "Observed share"), ...)
  abline(0, 1, lty = 2, col = "grey40")
  draw_bars(bins$predicted, bins$low, bins$high)
  lines(bins$predicted, bins$observed, type = "b", pch = 20, col = "red")
  invisible(x)
}

autoplot_calibration <- function(object) {
  shown <- shown_bins(object)
  ggplot2::ggplot(shown$bins, columns(x = "predicted", y = "observed")) +
    ggplot2::geom_abline(linetype = "dashed", colour = "grey40") +
    ggplot2::geom_linerange(columns(ymin = "low", ymax = "high"), colour = "grey60") +
    ggplot2::geom_line(colour = "red") + ggplot2::geom_point(colour = "red") +
    ggplot2::coord_equal(xlim = c(0, 1), ylim = c(0, 1)) +
    ggplot2::labs(x = shown$label, y = "Observed share")
}
