# Plots of effect_curve().

#' @rdname effect_curve
#' @export
plot.effect_curve <- function(x, output = 1, level = 0.95, ...) {
  shown <- shown_curve(x, output, level)
  draw <- if (shown$discrete) draw_curve_points else draw_curve_band
  old <- par(mar = par("mar"))
  on.exit(par(old))
  draw(x, shown, ...)
  margin_notes(shown$note, 3, 0.4)
  invisible(x)
}

# What base plots and ggplots of a curve have in common. lines: of single rows, rows x values.
shown_curve <- function(x, output, level) {
  output <- output_place(x, colnames(x$estimate), output)
  curve <- curve_table(x, level)[seq_along(x$values) + (output - 1L) * length(x$values), ]
  lines <- matrix(x$ice[, , output], dim(x$ice)[1])
  list(curve = curve, lines = lines, discrete = is.character(x$values) || length(x$values) < 3,
       title = x$titles[[output]], label = curve_label(x), note = curve_note(x, curve, level),
       range = range(curve[c("estimate", "conf.low", "conf.high")], lines, na.rm = TRUE,
                     finite = TRUE))
}

curve_label <- function(x) {
  if (isFALSE(x$centre)) {
    return(if (identical(x$scale, "link")) "Mean linear predictor" else "Mean prediction")
  }
  paste0(if (isTRUE(x$centre)) sprintf("Effect of %s (centred)", x$feature)
         else sprintf("Effect of %s against %s", x$feature, format(x$centre)),
         if (identical(x$scale, "link")) ", linear predictor")
}

# What the band and the grey lines are, in a line.
curve_note <- function(x, curve, level) {
  band <- switch(x$type, none = NULL, gp = "Gaussian-process view",
                 sprintf("%s over %d %s", x$type, x$count,
                         if (x$units == "folds") "outer folds" else x$units))
  rows <- dim(x$ice)[1]
  paste(c(if (any(!is.na(curve$conf.low))) {
    sprintf("%s %% pointwise intervals, %s", format(100 * level), band)
  }, if (rows) sprintf("grey: %s", counted(rows, "single row"))), collapse = "; ")
}

# The dot: no graphical parameter is short for it.
draw_curve_band <- function(x, .shown, ...) {
  curve <- .shown$curve
  plot_with(list(x = curve$value, y = curve$estimate, type = "n", las = 1, xlab = x$feature,
                 ylab = .shown$label, main = .shown$title, ylim = .shown$range), ...)
  for (i in seq_len(nrow(.shown$lines))) {
    lines(curve$value, .shown$lines[i, ], col = "grey85", lwd = 0.7)
  }
  known <- which(!is.na(curve$conf.low))
  graphics::polygon(c(curve$value[known], rev(curve$value[known])),
                    c(curve$conf.low[known], rev(curve$conf.high[known])), border = NA,
                    col = grDevices::adjustcolor("steelblue", 0.35))
  if (!isFALSE(x$centre)) abline(h = 0, col = "grey70", lty = 2)
  lines(curve$value, curve$estimate, col = "red", lwd = 2)
  graphics::rug(x$observed, col = "grey40", quiet = TRUE)
}

# One row for each level, from the first at the top.
draw_curve_points <- function(x, .shown, ...) {
  curve <- .shown$curve
  at <- rev(seq_along(x$values))
  plot_with(list(x = curve$estimate, y = at, type = "n", las = 1, yaxt = "n", xlab = .shown$label,
                 ylab = if (isFALSE(x$centre)) x$feature else "", main = .shown$title,
                 xlim = .shown$range, ylim = range(at) + c(-0.4, 0.4)),
            ..., left = as.character(x$values))
  left_axis(at, as.character(x$values), ...)
  from <- rep(at, each = nrow(.shown$lines))
  segments(.shown$lines, from - 0.12, .shown$lines, from + 0.12, col = "grey80")
  if (!isFALSE(x$centre)) abline(v = 0, col = "grey70", lty = 2)
  known <- which(!is.na(curve$conf.low))
  segments(curve$conf.low[known], at[known], curve$conf.high[known], at[known], lwd = 2,
           col = "steelblue")
  points(curve$estimate, at, pch = 19, col = "red")
}

#' @rdname effect_curve
#' @usage
#' \method{autoplot}{effect_curve}(object, output = 1, level = 0.95, ...)
#' @exportS3Method ggplot2::autoplot
autoplot.effect_curve <- function(object, output = 1, level = 0.95, ...) {
  check_dots(..., known = names(formals()))
  shown <- shown_curve(object, output, level)
  shown$curve$at <- if (shown$discrete) seq_along(object$values) else object$values
  count <- nrow(shown$lines)
  lines <- data.frame(at = rep(shown$curve$at, each = count), estimate = as.vector(shown$lines),
                      row = rep(seq_len(count), length(object$values)))
  add <- if (shown$discrete) curve_point_layers else curve_band_layers
  ggplot2::ggplot(shown$curve, columns(x = "at", y = "estimate")) +
    (if (!isFALSE(object$centre)) {
      ggplot2::geom_hline(yintercept = 0, linetype = "dashed", colour = "grey70")
    }) +
    add(object, lines, shown$curve[!is.na(shown$curve$conf.low), ]) +
    ggplot2::labs(x = object$feature, y = shown$label, title = shown$title, caption = shown$note)
}

# known: the part of the curve that has intervals.
curve_band_layers <- function(x, lines, known) {
  rows <- data.frame(at = x$observed[!is.na(x$observed)])
  list(ggplot2::geom_line(columns(x = "at", y = "estimate", group = "row"), lines, alpha = 0.4,
                          colour = "grey60"),
       if (nrow(known)) {
         ggplot2::geom_ribbon(columns(ymin = "conf.low", ymax = "conf.high"), known,
                              fill = "steelblue", alpha = 0.35)
       },
       ggplot2::geom_line(colour = "red", linewidth = 1),
       ggplot2::geom_rug(columns(x = "at"), rows, sides = "b", inherit.aes = FALSE,
                         colour = "grey40"))
}

curve_point_layers <- function(x, lines, known) {
  lines$from <- lines$at - 0.12
  lines$to <- lines$at + 0.12
  list(ggplot2::geom_segment(columns(x = "from", xend = "to", y = "estimate", yend = "estimate"),
                             lines, colour = "grey60", alpha = 0.6),
       ggplot2::geom_linerange(columns(ymin = "conf.low", ymax = "conf.high"), known,
                               colour = "steelblue", linewidth = 1),
       ggplot2::geom_point(colour = "red", size = 2),
       ggplot2::scale_x_continuous(breaks = seq_along(x$values), labels = x$values,
                                   minor_breaks = NULL,
                                   limits = c(0.5, length(x$values) + 0.5)),
       if (sum(nchar(x$values) + 1) > 60) {
         ggplot2::theme(axis.text.x = ggplot2::element_text(angle = 90, hjust = 1, vjust = 0.5))
       })
}
