# Plots of importance().

#' @rdname importance
#' @export
plot.sparserls_importance <- function(x, level = 0.95, ...) {
  draw_noted(importance_figure(x, level), draw_curve_points, ...)
  invisible(x)
}

# As draw_curve_points() wants it: the most important feature at the top, 20 at most.
importance_figure <- function(x, level) {
  table <- importance_table(x, level)
  curve <- data.frame(value = table$term, at = seq_len(nrow(table)),
                      table[c("estimate", "conf.low", "conf.high")])
  curve <- head(curve, 20)
  more <- nrow(table) - nrow(curve)
  list(curve = curve, known = curve, lines = matrix(0, 0, nrow(curve)), zero = TRUE,
       range = range(0, curve[-(1:2)], finite = TRUE), title = "",
       label = sprintf("Rise of the held-out loss (%s)", tolower(x$measure)),
       note = paste(c(
         paste("feature", if (x$type == "permute") "permuted" else "left out"),
         if (!is.na(x$null)) paste("null model:", format(x$null, digits = 3)),
         sprintf("%s %% intervals over %d %s", format(100 * level), x$count, x$units),
         if (more) paste(more, "not shown")
       ), collapse = "; "))
}

#' @rdname importance
#' @usage
#' \method{autoplot}{sparserls_importance}(object, level = 0.95, ...)
#' @exportS3Method ggplot2::autoplot
autoplot.sparserls_importance <- function(object, level = 0.95, ...) {
  check_dots(..., known = names(formals()))
  figure <- importance_figure(object, level)
  new_ggplot(figure$curve, columns(x = "estimate", y = "value")) +
    ggplot2::geom_vline(xintercept = 0, linetype = "dashed", colour = "grey70") +
    ggplot2::geom_linerange(columns(xmin = "conf.low", xmax = "conf.high"),
                            colour = interval_colour, linewidth = 1) +
    ggplot2::geom_point(colour = estimate_colour, size = 2) +
    ggplot2::scale_y_discrete(limits = rev(figure$curve$value)) +
    ggplot2::labs(x = figure$label, y = NULL, caption = figure$note)
}
