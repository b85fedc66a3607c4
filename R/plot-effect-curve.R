# Plots of effect_curve().

#' @rdname effect_curve
#' @export
plot.effect_curve <- function(x, output = NULL, level = 0.95, ...) {
  if (is.null(output) && has_class_curves(x)) {
    draw_figure(classes_figure(x, level), ...)
    return(invisible(x))
  }
  figure <- curve_figure(x, output, level)
  draw_noted(figure, if (figure$discrete) draw_curve_points else draw_curve_band, ...)
  invisible(x)
}

# With the note of the figure above it.
draw_noted <- function(.figure, .draw, ...) {
  old <- par(mar = par("mar"))
  on.exit(par(old))
  .draw(.figure, ...)
  margin_notes(.figure$note, 3, 0.4)
}

has_class_curves <- function(x) length(x$titles) > 1 && !is.null(x$scale)

# What base plots and ggplots of a curve have in common. curve: its rows of curve_table(); known:
# those with intervals; lines: of single rows, rows x values; both `at` values, or places of levels;
# zero: whether there is a line at it.
curve_figure <- function(x, output, level) {
  output <- output_place(x, colnames(x$estimate), if (is.null(output)) 1 else output)
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

# Of several classes a curve for each, with its name, as a figure (plot-parts.R): of numbers with
# bands, of levels with bars side by side.
classes_figure <- function(x, level) {
  each <- lapply(seq_along(x$titles), curve_figure, x = x, level = level)
  first <- each[[1]]
  apart <- if (first$discrete) 0.05 else 0
  looks <- line_looks(length(each))
  curves <- bands <- list()
  for (k in seq_along(each)) {
    curve <- each[[k]]$curve
    at <- curve$at + apart * (k - (length(each) + 1) / 2)
    curves[[k]] <- new_curve(at, curve$estimate, looks$col[k], colnames(x$estimate)[k],
                             if (first$discrete) "p" else "l", looks$lty[k])
    bands[[k]] <- list(x = at, low = curve$conf.low, high = curve$conf.high, curve = k)
  }
  ends <- do.call(rbind, lapply(bands, data.frame))
  list(
    curves = curves,
    frame = list(xlab = x$feature, ylab = first$label,
                 xlim = range(first$curve$at) + first$discrete * c(-0.3, 0.3),
                 ylim = range(of_curves(curves, "y"), ends$low, ends$high, finite = TRUE)),
    below = if (first$discrete) list(values = as.character(x$values)),
    bars = if (first$discrete) ends,
    bands = if (!first$discrete) Filter(function(band) !anyNA(band$low), bands),
    note = sub(";? ?grey: .*", "", first$note)
  )
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
#' \method{autoplot}{effect_curve}(object, output = NULL, level = 0.95, ...)
#' @exportS3Method ggplot2::autoplot
autoplot.effect_curve <- function(object, output = NULL, level = 0.95, ...) {
  check_dots(..., known = names(formals()))
  if (is.null(output) && has_class_curves(object)) {
    return(ggplot_figure(classes_figure(object, level)))
  }
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

# ---- two features --------------------------------------------------------------------------

#' @export
plot.effect_surface <- function(x, output = 1, ...) {
  figure <- surface_figure(x, output)
  if (is.null(figure$z)) draw_figure(figure, ...) else draw_contours(figure, ...)
  invisible(x)
}

#' @exportS3Method ggplot2::autoplot
autoplot.effect_surface <- function(object, output = 1, ...) {
  check_dots(..., known = names(formals()))
  figure <- surface_figure(object, output)
  if (is.null(figure$z)) return(ggplot_figure(figure))
  cells <- data.frame(expand.grid(figure[c("x", "y")]), z = as.vector(figure$z))
  new_ggplot(cells, columns(x = "x", y = "y")) +
    ggplot2::geom_tile(columns(fill = "z")) +
    ggplot2::geom_contour(columns(z = "z"), colour = "grey20") +
    ggplot2::geom_point(data = figure$rows, size = 0.5, colour = "grey20") +
    ggplot2::scale_fill_gradientn(colours = surface_colours, name = figure$main) +
    ggplot2::theme(legend.position = "right") +
    ggplot2::labs(x = figure$xlab, y = figure$ylab)
}

# From light to dark, so that contours and dots are seen.
surface_colours <- grDevices::hcl.colors(20, "YlGnBu", rev = TRUE)

# Lines by the levels of a feature that has some, as a figure (plot-parts.R); of two numbers x, y,
# z, x x y, and the rows.
surface_figure <- function(x, output) {
  output <- output_place(x, dimnames(x$estimate)[[3]], output)
  z <- matrix(x$estimate[, , output], length(x$values[[1]]))
  leveled <- vapply(x$values, is.character, NA)
  if (!any(leveled)) {
    return(list(x = x$values[[1]], y = x$values[[2]], z = z, xlab = x$feature[1],
                ylab = x$feature[2],
                main = paste(c(curve_label(x), x$titles[[output]]), collapse = ", "),
                rows = data.frame(x = x$observed[[1]], y = x$observed[[2]])))
  }
  by <- if (leveled[2]) 2 else 1
  if (by == 1) z <- t(z)
  at <- x$values[[3 - by]]
  levels <- x$values[[by]]
  steps <- is.character(at)
  looks <- line_looks(length(levels))
  list(
    curves = Map(function(k, ...) new_curve(if (steps) seq_along(at) else at, z[, k], ...),
                 seq_along(levels), looks$col, paste(x$feature[by], levels, sep = ": "),
                 if (steps) "o" else "l", looks$lty),
    frame = list(xlab = x$feature[3 - by], ylab = curve_label(x), main = x$titles[[output]],
                 xlim = range(if (steps) seq_along(at) else at), ylim = range(z)),
    below = if (steps) list(values = at)
  )
}

draw_contours <- function(.figure, ...) {
  plot_with(c(.figure[c("x", "y", "z", "xlab", "ylab", "main")],
              list(las = 1, col = surface_colours)), ..., draw = graphics::image)
  points(.figure$rows, pch = 20, cex = 0.4, col = "grey20")
  graphics::contour(.figure$x, .figure$y, .figure$z, add = TRUE, labcex = 0.8)
  graphics::box()
}
