# Figures as ggplots (plot-parts.R says what they are).

# The figure of plot(), see plot-parts.R. ...: the dots of the method, which are empty.
ggplot_figure <- function(figure, ...) {
  check_dots(..., known = above())
  figure <- unpacked(figure)
  first <- figure$panels[[1]] %||% figure
  frame <- figure$frame
  rows <- !is.null(first$rows)
  draw <- if (rows) ggplot_rows else {
    list(panels = ggplot_panels, z = ggplot_contours, curves = ggplot_curves)[[figure_kind(figure)]]
  }
  draw(figure) +
    ggplot2::labs(title = frame$main, x = frame$xlab,
                  y = if (!rows) frame$ylab %||% first$frame$ylab,
                  caption = paste(figure$note, collapse = "\n"))
}

ggplot_curves <- function(figure) {
  curves <- figure$curves
  frame <- figure$frame
  each <- curve_data(curves)
  each <- each[is.finite(each$x), ]
  logs <- function(axis) isTRUE(grepl(axis, frame$log))
  diagonal <- isTRUE(figure$diagonal)
  new_ggplot(each, columns(x = "x", y = "y", colour = "curve", linetype = "curve",
                           linewidth = "curve")) +
    (if (diagonal) ggplot2::geom_abline(linetype = "dashed", colour = "grey40")) +
    zero_line(figure) +
    range_layer(figure$bars, ggplot2::geom_linerange, colour = figure$bars$col[1]) +
    lapply(figure$bands, function(band) {
      range_layer(band, ggplot2::geom_ribbon, fill = band$col[1], alpha = 0.25)
    }) +
    (if (any(is.finite(figure$marked))) {
      marks <- mark_labels(figure$marked, frame$xlim, logs("x"))
      list(ggplot2::geom_vline(xintercept = marks$x, linetype = "dashed", colour = "grey40"),
           layer_of(marks, ggplot2::geom_text, columns(x = "x", label = "label", hjust = "hjust"),
                    y = Inf, vjust = 1.5, size = 3, colour = "grey30"))
    }) +
    ggplot2::geom_line(data = each[each$type != "p", ]) +
    ggplot2::geom_point(data = each[each$type != "l", ], show.legend = !"l" %in% each$type) +
    layer_of(data.frame(x = figure$rug[is.finite(figure$rug)]), ggplot2::geom_rug, columns(x = "x"),
             sides = "b", colour = "grey40") +
    curve_scales(curves) +
    scale_below(figure) +
    (if (logs("y")) ggplot2::scale_y_log10()) +
    (if (diagonal) ggplot2::coord_equal else ggplot2::coord_cartesian)(xlim = frame$xlim,
                                                                       ylim = frame$ylim)
}

# The looks of every curve, and the legend, whose width nobody knows: lines of about 80 letters.
curve_scales <- function(curves) {
  named <- which(!is.na(of_curves(curves, "name")))
  names <- of_curves(curves[named], "name")
  columns <- max(1, min(length(names), floor(80 / (max(0, nchar(names)) + 5))))
  scale <- function(new, values) {
    new(values = setNames(values, seq_along(curves)), breaks = named, labels = names, name = NULL,
        guide = ggplot2::guide_legend(ncol = columns))
  }
  list(scale(ggplot2::scale_colour_manual, of_curves(curves, "col")),
       scale(ggplot2::scale_linetype_manual, of_curves(curves, "lty")),
       scale(ggplot2::scale_linewidth_manual, of_curves(curves, "lwd") / 3),
       if (length(named)) ggplot2::theme(legend.position = "bottom"))
}

zero_line <- function(figure) {
  if (isTRUE(figure$zero)) {
    ggplot2::geom_hline(yintercept = 0, linetype = "dashed", colour = "grey70")
  }
}

# Bars or bands.
range_layer <- function(data, geom, ...) {
  layer_of(data[is.finite(data$x), ], geom, columns(x = "x", ymin = "low", ymax = "high"), ...)
}

curve_data <- function(curves) {
  do.call(rbind, lapply(seq_along(curves), function(i) {
    curve <- curves[[i]]
    data.frame(curve[c("x", "y", "type", "col", "lty", "pch")],
               size = switch(as.character(curve$pch), `19` = 2, `45` = 5, 0.8),
               curve = factor(i, seq_along(curves)))
  }))
}

# NULL without data.
layer_of <- function(data, geom, aesthetics, ...) {
  if (NROW(data)) geom(aesthetics, data, inherit.aes = FALSE, ...)
}

# Figures of curves: what is below their axes tells them apart.
ggplot_panels <- function(figure) {
  names <- vapply(figure$panels, function(panel) panel$frame$xlab, "")
  joined <- function(of) {
    parts <- lapply(figure$panels, of)
    count <- vapply(parts, NROW, 0L)
    if (any(count > 0)) cbind(do.call(rbind, parts), panel = factor(rep(names, count), names))
  }
  each <- joined(function(panel) curve_data(panel$curves))
  each <- each[is.finite(each$x) & is.finite(each$y), ]
  bars <- joined(function(panel) panel$bars)
  new_ggplot(each, columns(x = "x", y = "y", colour = "col", linetype = "lty", group = "curve")) +
    zero_line(figure$panels[[1]]) +
    ggplot2::geom_point(columns(shape = "pch", size = "size"), each[each$type == "p", ]) +
    ggplot2::geom_line(data = each[each$type == "l", ]) +
    range_layer(bars, ggplot2::geom_linerange, colour = bars$col[1]) +
    ggplot2::scale_colour_identity() + ggplot2::scale_linetype_identity() +
    ggplot2::scale_shape_identity() + ggplot2::scale_size_identity() +
    ggplot2::facet_wrap("panel", scales = "free", strip.position = "bottom") +
    ggplot2::theme(strip.placement = "outside")
}

# Figures of rows. Names may stand in another order in every panel: rows have their numbers.
ggplot_rows <- function(figure) {
  panels <- figure$panels %||% list(figure)
  each <- do.call(rbind, lapply(panels, function(panel) {
    cbind(panel$rows, panel = paste(c(panel$frame$main, panel$subtitle), collapse = "\n"))
  }))
  each$row <- factor(seq_len(nrow(each)), rev(seq_len(nrow(each))))
  each$panel <- factor(each$panel, unique(each$panel))
  values <- data.frame(value = as.vector(figure$values),
                       row = rep(each$row, each = NROW(figure$values))[seq_along(figure$values)])
  values <- values[is.finite(values$value), ]
  several <- length(panels) > 1
  looks <- row_colours(each)
  new_ggplot(each, columns(y = "row")) +
    lapply(panels[[1]]$lines, function(at) {
      ggplot2::geom_vline(xintercept = at, colour = "grey70",
                          linetype = if (at == 0) "dashed" else "dotted")
    }) +
    layer_of(values, ggplot2::geom_boxplot, columns(x = "value", y = "row"), fill = "grey90",
             outlier.size = 0.6, outlier.colour = "grey60") +
    ggplot2::geom_segment(columns(x = "low", xend = "high", yend = "row"), na.rm = TRUE,
                          colour = looks$bar, linewidth = 1.2) +
    layer_of(if (!is.null(each$before)) each, ggplot2::geom_point,
             columns(x = "before", y = "row"), shape = 21, fill = "white", colour = "grey40",
             na.rm = TRUE) +
    ggplot2::geom_point(columns(x = "estimate"), colour = looks$dot, size = 2, na.rm = TRUE) +
    ggplot2::scale_y_discrete(labels = setNames(cut_middle(each$name, if (several) 20 else 40),
                                                each$row)) +
    (if (several) {
      ggplot2::facet_wrap("panel", scales = "free_y",
                          ncol = n2mfrow(length(panels))[2])
    }) +
    ggplot2::theme(strip.text = ggplot2::element_text(size = ggplot2::rel(0.7)),
                   # Half of the label of a tick may stand beyond the panel.
                   plot.margin = ggplot2::margin(5.5, 22, 5.5, 5.5))
}

scale_below <- function(figure) {
  below <- figure$below
  above <- figure$above
  # Ticks that would be printed over others are left out.
  guide <- function(...) ggplot2::guide_axis(check.overlap = TRUE, ...)
  settings <- list(guide = guide(), sec.axis = if (is.null(above)) ggplot2::waiver() else {
    ggplot2::dup_axis(name = above$title, breaks = above$at, labels = above$labels,
                      guide = guide(angle = if (above$upright) 90))
  })
  lambda <- identical(below, "lambda")
  limits <- figure$frame$xlim
  if (!is.null(below)) {
    ticks <- if (lambda) lambda_ticks(limits) else step_ticks(below)
    settings$breaks <- ticks
    settings$labels <- if (lambda) format_values(ticks) else format_steps(below)[ticks]
  }
  if (lambda) {
    sign <- sign(diff(limits))
    # ggplot2 calls the argument by another name since 3.5.
    name <- intersect(c("transform", "trans"), names(formals(ggplot2::scale_x_continuous)))[1]
    settings[[name]] <- scales::trans_new("lambda", function(x) sign * log10(x),
                                          function(x) 10^(sign * x), domain = c(1e-300, Inf))
  }
  do.call(ggplot2::scale_x_continuous, settings)
}

ggplot_contours <- function(figure) {
  cells <- data.frame(expand.grid(figure[c("x", "y")]), z = as.vector(figure$z))
  new_ggplot(cells, columns(x = "x", y = "y")) +
    ggplot2::geom_tile(columns(fill = "z")) +
    ggplot2::geom_contour(columns(z = "z"), colour = "grey20") +
    ggplot2::geom_point(data = figure$points, size = 0.5, colour = "grey20") +
    ggplot2::scale_fill_gradientn(colours = surface_colours, name = NULL) +
    ggplot2::theme(legend.position = "right")
}

# ---- methods of autoplot() ------------------------------------------------------------------

#' Figures of fits and derivatives as ggplots
#'
#' What [plot()][plot.sparserls_fit] draws, as a ggplot to which layers can be added. Methods for
#' the generic of ggplot2, registered when that is loaded; [tidiers] has those of error curves.
#'
#' @param object a fit of [sparserls()], [rls()] or [rls2()]; or [derivatives()].
#' @param what as for [plot.sparserls_fit()], [plot.rls2()], and [plot()][derivatives()] of
#'   derivatives.
#' @param against,output,terms as for the same.
#' @param labels how many lines have a colour and a name, at most; the others are grey.
#' @param ... unused.
#' @return A ggplot.
#' @examples
#' fit <- rls(lpsa ~ . - train, data = prostate, subset = train)
#' if (requireNamespace("ggplot2", quietly = TRUE)) {
#'   ggplot2::autoplot(fit)
#' }
#' @usage
#' \method{autoplot}{sparserls_fit}(object, what = c("coefficients", "df"),
#'         against = c("df", "lambda"), output = 1, labels = 8, ...)
#'
#' \method{autoplot}{rls2}(object, what = c("coefficients", "weights"),
#'         against = c("df", "lambda"), output = 1, labels = 8, ...)
#'
#' \method{autoplot}{derivatives}(object, what = c("distribution", "against", "weights"),
#'         terms = NULL, output = 1, ...)
#' @name autoplot.sparserls_fit
NULL

#' @rdname autoplot.sparserls_fit
#' @usage NULL
#' @exportS3Method ggplot2::autoplot
autoplot.sparserls_fit <- function(object, what = c("coefficients", "df"),
                                   against = c("df", "lambda"), output = 1, labels = 8, ...)
  ggplot_figure(fit_figure(object, what, against, output, labels), ...)

#' @rdname autoplot.sparserls_fit
#' @usage NULL
#' @exportS3Method ggplot2::autoplot
autoplot.rls2 <- function(object, what = c("coefficients", "weights"),
                          against = c("df", "lambda"), output = 1, labels = 8, ...)
  ggplot_figure(rls2_figure(object, what, against, output, labels), ...)

#' @rdname tidiers
#' @usage NULL
#' @exportS3Method ggplot2::autoplot
autoplot.greedyrls <- function(object, ...) ggplot_figure(selection_figure(object), ...)

#' @rdname autoplot.sparserls_fit
#' @usage NULL
#' @exportS3Method ggplot2::autoplot
autoplot.derivatives <- function(object, what = c("distribution", "against", "weights"),
                                 terms = NULL, output = 1, ...)
  ggplot_figure(effects_figure(object, what, terms, output), ...)

#' @exportS3Method ggplot2::autoplot
autoplot.balance <- function(object, terms = NULL, ...)
  ggplot_figure(weights_figure(object, terms), ...)

#' @rdname effect_curve
#' @usage
#' \method{autoplot}{effect_curve}(object, output = NULL, level = 0.95, ...)
#' @exportS3Method ggplot2::autoplot
autoplot.effect_curve <- function(object, output = NULL, level = 0.95, ...)
  ggplot_figure(curve_figure(object, output, level), ...)

#' @exportS3Method ggplot2::autoplot
autoplot.effect_surface <- function(object, output = 1, ...)
  ggplot_figure(surface_figure(object, output), ...)

#' @rdname importance
#' @usage
#' \method{autoplot}{sparserls_importance}(object, level = 0.95, ...)
#' @exportS3Method ggplot2::autoplot
autoplot.sparserls_importance <- function(object, level = 0.95, ...)
  ggplot_figure(importance_figure(object, level), ...)

#' @rdname tidiers
#' @usage NULL
#' @exportS3Method ggplot2::autoplot
autoplot.sparserls_cv <- function(object,
                                  what = c("error", "calibration", "residuals", "influence"),
                                  sign.lambda = -1, log = NULL, ...)
  ggplot_figure(cv_figure(object, what, log, sign.lambda), ...)

#' @rdname tidiers
#' @usage NULL
#' @exportS3Method ggplot2::autoplot
autoplot.ardrls <- function(object, ...) ggplot_figure(relevance_figure(object, 8), ...)
