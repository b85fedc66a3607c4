# Plots of effect_curve().

#' @rdname effect_curve
#' @export
plot.effect_curve <- function(x, output = 1, level = 0.95, ...) {
  figure <- curve_figure(x, output, level)
  draw <- if (figure$discrete) draw_curve_points else draw_curve_band
  old <- par(mar = par("mar"))
  on.exit(par(old))
  draw(figure, ...)
  margin_notes(figure$note, 3, 0.4)
  invisible(x)
}

# What base plots and ggplots of a curve have in common. curve: its rows of curve_table(); known:
# those with intervals; lines: of single rows, rows x values; both `at` values, or places of levels;
# zero: whether there is a line at it.
curve_figure <- function(x, output, level) {
  output <- output_place(x, colnames(x$estimate), output)
  curve <- curve_table(x, level)[seq_along(x$values) + (output - 1L) * length(x$values), ]
  lines <- matrix(x$ice[, , output], dim(x$ice)[1])
  discrete <- is.character(x$values) || length(x$values) < 3
  curve$at <- if (discrete) seq_along(x$values) else x$values
  list(feature = x$feature, curve = curve, known = curve[!is.na(curve$conf.low), ], lines = lines,
       discrete = discrete, zero = !isFALSE(x$centre), observed = x$observed,
       title = x$titles[[output]], label = curve_label(x), note = curve_note(x, curve, level),
       range = range(curve[c("estimate", "conf.low", "conf.high")], lines, na.rm = TRUE,
                     finite = TRUE))
}

curve_label <- function(x) {
  link <- identical(x$scale, "link")
  if (isFALSE(x$centre)) return(paste("Mean", if (link) "linear predictor" else "prediction"))
  paste0("Effect of ", x$feature,
         if (isTRUE(x$centre)) " (centred)" else paste(" against", format(x$centre)),
         if (link) ", linear predictor")
}

# What the band and the grey lines are, in a line.
curve_note <- function(x, curve, level) {
  paste(c(if (any(!is.na(curve$conf.low))) {
    sprintf("%s %% pointwise intervals, %s", format(100 * level),
            if (x$type == "gp") "Gaussian-process view" else paste(x$type, "over", units_of(x)))
  }, if (nrow(x$ice)) sprintf("grey: %s", counted(nrow(x$ice), "single row"))), collapse = "; ")
}

# The dot: no graphical parameter is short for it.
draw_curve_band <- function(.figure, ...) {
  curve <- .figure$curve
  known <- .figure$known
  plot_with(list(x = curve$at, y = curve$estimate, type = "n", las = 1, xlab = .figure$feature,
                 ylab = .figure$label, main = .figure$title, ylim = .figure$range), ...)
  for (i in seq_len(nrow(.figure$lines))) {
    lines(curve$at, .figure$lines[i, ], col = "grey85", lwd = 0.7)
  }
  graphics::polygon(c(known$at, rev(known$at)), c(known$conf.low, rev(known$conf.high)),
                    border = NA, col = grDevices::adjustcolor(interval_colour, 0.35))
  if (.figure$zero) abline(h = 0, col = "grey70", lty = 2)
  lines(curve$at, curve$estimate, col = estimate_colour, lwd = 2)
  graphics::rug(.figure$observed, col = "grey40", quiet = TRUE)
}

# One row for each level, from the first at the top.
draw_curve_points <- function(.figure, ...) {
  curve <- .figure$curve
  known <- .figure$known
  names <- as.character(curve$value)
  place <- function(at) length(names) + 1 - at
  at <- place(curve$at)
  plot_with(list(x = curve$estimate, y = at, type = "n", las = 1, yaxt = "n", xlab = .figure$label,
                 ylab = if (.figure$zero) "" else .figure$feature, main = .figure$title,
                 xlim = .figure$range, ylim = range(at) + c(-0.4, 0.4)), ..., left = names)
  left_axis(at, names, ...)
  from <- rep(at, each = nrow(.figure$lines))
  segments(.figure$lines, from - 0.12, .figure$lines, from + 0.12, col = "grey80")
  if (.figure$zero) abline(v = 0, col = "grey70", lty = 2)
  segments(known$conf.low, place(known$at), known$conf.high, place(known$at), lwd = 2,
           col = interval_colour)
  points(curve$estimate, at, pch = 19, col = estimate_colour)
}

#' @rdname effect_curve
#' @usage
#' \method{autoplot}{effect_curve}(object, output = 1, level = 0.95, ...)
#' @exportS3Method ggplot2::autoplot
autoplot.effect_curve <- function(object, output = 1, level = 0.95, ...) {
  check_dots(..., known = names(formals()))
  figure <- curve_figure(object, output, level)
  lines <- data.frame(at = rep(figure$curve$at, each = nrow(figure$lines)),
                      estimate = as.vector(figure$lines), row = as.vector(row(figure$lines)))
  add <- if (figure$discrete) curve_point_layers else curve_band_layers
  new_ggplot(figure$curve, columns(x = "at", y = "estimate")) +
    (if (figure$zero) {
      ggplot2::geom_hline(yintercept = 0, linetype = "dashed", colour = "grey70")
    }) +
    add(figure, lines) +
    ggplot2::labs(x = figure$feature, y = figure$label, title = figure$title,
                  caption = figure$note)
}

curve_band_layers <- function(figure, lines) {
  rows <- data.frame(at = figure$observed[!is.na(figure$observed)])
  list(ggplot2::geom_line(columns(x = "at", y = "estimate", group = "row"), lines, alpha = 0.4,
                          colour = "grey60"),
       if (nrow(figure$known)) {
         ggplot2::geom_ribbon(columns(ymin = "conf.low", ymax = "conf.high"), figure$known,
                              fill = interval_colour, alpha = 0.35)
       },
       ggplot2::geom_line(colour = estimate_colour, linewidth = 1),
       ggplot2::geom_rug(columns(x = "at"), rows, sides = "b", inherit.aes = FALSE,
                         colour = "grey40"))
}

curve_point_layers <- function(figure, lines) {
  lines[c("from", "to")] <- list(lines$at - 0.12, lines$at + 0.12)
  names <- figure$curve$value
  list(ggplot2::geom_segment(columns(x = "from", xend = "to", y = "estimate", yend = "estimate"),
                             lines, colour = "grey60", alpha = 0.6),
       ggplot2::geom_linerange(columns(ymin = "conf.low", ymax = "conf.high"), figure$known,
                               colour = interval_colour, linewidth = 1),
       ggplot2::geom_point(colour = estimate_colour, size = 2),
       ggplot2::scale_x_continuous(breaks = seq_along(names), labels = names, minor_breaks = NULL,
                                   limits = c(0.5, length(names) + 0.5)),
       if (sum(nchar(names) + 1) > 60) {
         ggplot2::theme(axis.text.x = ggplot2::element_text(angle = 90, hjust = 1, vjust = 0.5))
       })
}
