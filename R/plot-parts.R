# Parts that several plots are made of.

# Colours that colour-blind readers can tell apart (Okabe and Ito), for estimates and intervals.
estimate_colour <- "#D55E00"
interval_colour <- "#0072B2"

# For several lines: seven colours and three types of lines, which together are 21.
line_looks <- function(count) {
  colours <- c(estimate_colour, interval_colour, "#E69F00", "#009E73", "#56B4E9", "#CC79A7",
               "#000000")
  list(col = rep_len(colours, count), lty = rep_len(1:3, count))
}

# A plot with settings that the user may replace.
# (The first argument has a dot so that `s` or `se` of a user are not taken for it.)
plot_with <- function(.settings, ..., draw = plot) {
  given <- list(...)
  check_graphical(names(given))
  check_room()
  do.call(draw, replace(.settings, names(given), given))
}

# R's own error, "figure margins too large", has no class.
check_room <- function() {
  size <- par("fin")
  must(all(par("pin") > 0.15), "device", "The figure is too small for its margins.",
       sprintf("%.1f x %.1f inches", size[1], size[2]),
       "Open a larger device, draw fewer panels, or make par(\"mar\") smaller.")
}

# Longer names without their middle.
cut_middle <- function(names, letters) {
  last <- (letters - 2) %/% 2
  ifelse(nchar(names) <= letters, names,
         paste0(substr(names, 1, letters - 2 - last), "..",
                substring(names, nchar(names) - last + 1)))
}

# Lines of small text in a margin, no wider than the figure.
margin_notes <- function(notes, side, line) {
  if (length(notes) == 0) return(invisible())
  room <- par("pin")[1] + 2 * min(par("mai")[c(2, 4)])
  size <- 0.75 * min(1, room / max(strwidth(notes, "inches", cex = 0.75)))
  mtext(notes, side, line, cex = size * par("cex"), col = "grey30")
}

# ---- axes ---------------------------------------------------------------------------
#
# In all plots models grow from left to right: lambda and penalties fall, degrees of freedom and
# numbers of features rise. lambda is on a log scale of base 10, its own values at the ticks.

# From left to right; sign: 1 where lambda is to grow. lambda = Inf has no place on this scale.
lambda_limits <- function(lambda, sign = -1) {
  must(any(is.finite(lambda)), "lambda", "There is no finite `lambda` to draw.", NULL,
       "Fit again with finite values of `lambda`.")
  range <- range(lambda[is.finite(lambda)])
  if (range[1] == range[2]) range <- range * 10^c(-0.5, 0.5)
  if (sign < 0) rev(range) else range
}

# Powers of ten where three of them fit, at most seven.
lambda_ticks <- function(limits) {
  ends <- log10(range(limits)) + c(-1e-9, 1e-9)
  powers <- Filter(function(power) power <= ends[2], ceiling(ends[1]):ceiling(ends[2]))
  if (length(powers) < 3) return(axisTicks(ends, log = TRUE, nint = 5))
  10^powers[seq(1, length(powers), by = ceiling(length(powers) / 7))]
}

# An axis above with what goes with at most eight of the values of lambda.
values_above <- function(lambda, values, limits, title) {
  shown <- which(lambda >= min(limits) & lambda <= max(limits))
  at <- shown[even_rows(length(shown), 8)]
  list(at = lambda[at], labels = signif(values[at], 2), title = title, upright = FALSE)
}

# For steps: all of them, or round ones of numbers of something.
step_ticks <- function(axis) {
  steps <- seq_along(axis$values)
  if (!identical(axis$values, steps)) return(steps)
  intersect(round(pretty(steps)), steps)
}

# ---- legends ------------------------------------------------------------------------
#
# Below the axis, in as many columns as fit.

# How a legend is laid out: columns, lines of margin that it needs, and cex. It takes half of the
# height that there is for the data at most. (How wide text is nobody knows before the plot.)
legend_layout <- function(names) {
  check_room()
  width <- (0.65 * max(nchar(names)) + 4.5) * 0.8 * par("cin")[1]
  columns <- max(1, min(length(names), floor(par("fin")[1] / width)))
  rows <- ceiling(length(names) / columns)
  # No column stays empty: the legend would not be in the middle.
  columns <- ceiling(length(names) / rows)
  height <- 1.1 * (rows + 0.5)
  cex <- min(0.8, 0.5 * par("pin")[2] / (height * par("csi")))
  list(columns = columns, lines = cex * height, cex = cex)
}

# ---- figures ------------------------------------------------------------------------
#
# A figure is a list that plot() draws by draw_figure() and autoplot() by ggplot_figure(), with
#   frame    settings of the plot: xlab, ylab, xlim, ylim, log, main
#   note     lines of small text: above curves, in a ggplot below them
# It is of curves, with
#   curves   a list of new_curve(); each lies on those before
#   below    its axis: "lambda" or, of steps, an axis of new_axis(); else that of plot() itself
#   above    a further axis: at, labels, title; upright: whether labels are
#   bars     a data frame of x, low, high, col
#   bands    a list of x, low, high, col
#   marked   where dashed lines stand, with their names; diagonal: whether there is one
#   zero     whether there is a dashed line at zero; rug: values that are marked on the axis
#   ends     whether curves have their names at their ends, not in a legend
# or of rows with names, the first at the top, with
#   rows     a data frame of name, estimate, low, high, and `before` where a hollow dot stands
#   values   numbers of every row, values x rows, drawn as a box
#   lines    where upright lines stand
#   subtitle   a small line above the plot
# or of heights, with
#   x, y, z   the values of both axes, and the heights, x x y; points: x and y of the rows
# or of `panels`, a list of figures of one kind, with `mar` and `mfrow` for par() where they are not
# as usual.

# type: "l", "p" or "o", as in plot(). Curves without a name are not in the legend.
new_curve <- function(x, y, col, name = NA, type = if (sum(is.finite(x)) > 1) "l" else "p",
                      lty = 1, lwd = 1.5, pch = 20) {
  as.list(environment())
}

of_curves <- function(curves, field) unlist(lapply(curves, `[[`, field), use.names = FALSE)

# .x: what the method of plot() is of, which it answers; ...: graphical parameters of the user.
draw_figure <- function(.x, .figure, ...) {
  .figure <- unpacked(.figure)
  draw <- list(panels = draw_panels, rows = draw_rows, z = draw_contours, curves = draw_curves)
  draw[[figure_kind(.figure)]](.figure, ...)
  invisible(.x)
}

figure_kind <- function(figure) intersect(c("panels", "rows", "z", "curves"), names(figure))

# A single panel is a figure.
unpacked <- function(figure) {
  if (length(figure$panels) != 1) return(figure)
  panel <- figure$panels[[1]]
  panel$note <- figure$note
  panel$frame <- replace(panel$frame, names(figure$frame), figure$frame)
  panel
}

# Curves have the user's parameters, too.
draw_curves <- function(.figure, ...) {
  given <- list(...)
  curves <- .figure$curves
  looks <- as.data.frame(sapply(c("type", "col", "lty", "lwd", "pch"), of_curves, curves = curves,
                                simplify = FALSE))
  own <- intersect(names(given), names(looks))
  looks[own] <- lapply(given[own], rep_len, length(curves))
  named <- which(!is.na(of_curves(curves, "name")))
  names <- of_curves(curves[named], "name")
  ends <- isTRUE(.figure$ends)
  layout <- if (!ends && length(named)) legend_layout(names)
  titled <- isTRUE(.figure$above$upright) && "main" %in% names(given)
  mar <- par("mar") + c(sum(layout$lines), 0, 2 * titled, 0)
  if (ends) mar[4] <- 1 + min(0.4 * max(0, nchar(names)), 20)
  old <- par(mar = mar)
  on.exit(par(old))
  settings <- c(.figure$frame, looks,
                list(x = of_curves(curves, "x"), y = of_curves(curves, "y"),
                     xaxt = if (is.null(.figure$below)) "s" else "n"))
  do.call(plot_with, c(list(settings), replace(given, "type", "n")))
  if (is.null(given$xaxt)) axis_below(.figure$below)
  draw_background(.figure)
  for (i in seq_along(curves)) do.call(points, c(curves[[i]][c("x", "y")], looks[i, ]))
  if (any(is.finite(.figure$marked))) draw_marks(.figure$marked)
  if (!is.null(.figure$rug)) rug(.figure$rug, col = "grey40", quiet = TRUE)
  draw_above(.figure$above, .figure$note)
  if (ends) label_lines(curves[named], looks$col[named])
  else if (length(named)) draw_legend(names, looks[named, ], layout)
}

# What curves lie on.
draw_background <- function(figure) {
  if (isTRUE(figure$ends)) abline(h = 0, col = "grey70")
  if (isTRUE(figure$zero)) abline(h = 0, col = "grey70", lty = 2)
  if (isTRUE(figure$diagonal)) abline(0, 1, lty = 2, col = "grey40")
  bars <- figure$bars
  if (!is.null(bars)) segments(bars$x, bars$low, bars$x, bars$high, col = bars$col)
  for (band in figure$bands) {
    polygon(c(band$x, rev(band$x)), c(band$low, rev(band$high)), border = NA,
            col = adjustcolor(band$col[1], 0.25))
  }
}

draw_above <- function(above, note) {
  margin_notes(note, 3, if (is.null(above)) 0.4 else 2)
  if (is.null(above)) return(invisible())
  axis(3, above$at, above$labels, tick = FALSE, line = -0.6, las = if (above$upright) 2 else 1,
       cex.axis = 0.75)
  mtext(above$title, 3, 0.5, at = grconvertX(-0.02, "npc"), adj = 1, cex = 0.8)
}

draw_legend <- function(names, looks, layout) {
  # Spaces keep a name apart from the next line.
  legend(grconvertX(0.5, "nfc"), grconvertY(0.005, "nfc"), legend = paste0(names, "  "),
         col = looks$col, lwd = looks$lwd, lty = ifelse(looks$type == "p", NA, looks$lty),
         pch = ifelse(looks$type == "l", NA, looks$pch), xjust = 0.5, yjust = 0,
         ncol = layout$columns, cex = layout$cex, bty = "n", xpd = NA)
}

# What figures draw of a table of estimates.
with_ends <- function(table) {
  setNames(table[c("estimate", "conf.low", "conf.high")], c("estimate", "low", "high"))
}

# A list of the band for `bands`; empty without intervals. curve: of with_ends().
new_bands <- function(x, curve, col) {
  band <- cbind(x = x, curve, col = col)[!is.na(curve$low), ]
  if (nrow(band)) list(band)
}

draw_rows <- function(.figure, ...) {
  rows <- .figure$rows
  note <- .figure$note
  given <- list(...)
  old <- par(mar = par("mar") + c(0.9 * length(note), 0, 0, 0), mgp = c(2.2, 0.7, 0))
  on.exit(par(old))
  # Names, small where rows are close; their letters are half as wide as a line is high. They take
  # a third of the figure at most.
  cex <- max(0.5, min(1, par("pin")[2] / nrow(rows) / par("cin")[2])) * (given$cex.axis %||% 1)
  names <- cut_middle(rows$name, max(5, par("fin")[1] %/% (1.5 * cex * par("csi"))))
  par(mar = replace(par("mar"), 2, 1 + 0.5 * cex * max(nchar(names))))
  at <- rev(seq_len(nrow(rows)))
  plot_with(c(.figure$frame, list(x = rows$estimate, y = at, type = "n", yaxt = "n",
                                  ylim = range(at) + c(-0.5, 0.5))), ...)
  if (is.null(given$yaxt)) axis(2, at, names, las = 1, cex.axis = cex)
  values <- .figure$values
  if (any(is.finite(values))) {
    boxplot(as.data.frame(values), at = at, horizontal = TRUE, add = TRUE, axes = FALSE,
            col = "grey90", border = "grey30", outcol = "grey60", pch = 20, cex = 0.6)
  }
  lines <- .figure$lines
  abline(v = lines, col = "grey70", lty = ifelse(lines == 0, 2, 3))
  looks <- row_colours(rows)
  segments(rows$low, at, rows$high, at, col = looks$bar, lwd = 2)
  if (!is.null(rows$before)) points(rows$before, at, pch = 21, bg = "white", col = "grey40")
  points(rows$estimate, at, pch = 19, col = looks$dot)
  margin_notes(.figure$subtitle, 3, 0.2)
  margin_notes(note, 1, 3.3 + 0.9 * (seq_along(note) - 1))
}

row_colours <- function(rows) {
  if (is.null(rows$before)) list(bar = interval_colour, dot = estimate_colour)
  else list(bar = "grey80", dot = interval_colour)
}

# Several figures with a title above, the names of their axes on the left and below, and notes.
draw_panels <- function(.figure, ...) {
  frame <- .figure$frame
  below <- c(frame$xlab, .figure$note)
  settings <- list(
    mfrow = n2mfrow(length(.figure$panels)), mar = c(4, 4.2, 1.2, 1),
    mgp = c(2.6, 0.8, 0), oma = c(length(below), length(frame$ylab), 2 * length(frame$main), 0)
  )
  own <- picked(.figure, names(settings))
  old <- par(replace(settings, names(own), own))
  on.exit(par(old))
  for (panel in .figure$panels) draw_figure(NULL, panel, ...)
  mtext(frame$main %||% "", outer = TRUE, font = 2)
  mtext(frame$ylab %||% "", side = 2, outer = TRUE, line = -0.4, cex = 0.8)
  mtext(c(below, ""), side = 1, outer = TRUE, line = c(seq_along(below) - 1, 0), cex = 0.7,
        col = "grey30")
}

# From light to dark, so that contours and dots are seen.
surface_colours <- hcl.colors(20, "YlGnBu", rev = TRUE)

draw_contours <- function(.figure, ...) {
  plot_with(c(.figure[c("x", "y", "z")], .figure$frame, list(col = surface_colours)), ...,
            draw = image)
  points(.figure$points, pch = 20, cex = 0.4, col = "grey20")
  contour(.figure$x, .figure$y, .figure$z, add = TRUE, labcex = 0.8)
  box()
}

# Names of dashed lines, at the top of the plot: on the outer side of two, inside of the figure.
# limits: of the axis, from left to right.
mark_labels <- function(marked, limits, log) {
  marked <- marked[is.finite(marked)]
  x <- unique(unname(marked))
  place <- if (log) base::log else identity
  share <- (place(x) - place(limits[1])) / diff(place(limits))
  left <- share > 0.92 | share > 0.08 & share < max(share)
  names <- tapply(names(marked), match(marked, x), paste, collapse = ", ")
  data.frame(x = x, label = as.vector(names), hjust = ifelse(left, 1.15, -0.15))
}

draw_marks <- function(marked) {
  limits <- if (par("xlog")) 10^par("usr")[1:2] else par("usr")[1:2]
  labels <- mark_labels(marked, limits, par("xlog"))
  abline(v = labels$x, lty = 2, col = "grey40")
  text(labels$x, grconvertY(0.96, "npc"), labels$label, cex = 0.75,
       pos = ifelse(labels$hjust > 1, 2, 4), offset = 0.3, col = "grey30")
}

axis_below <- function(below) {
  if (identical(below, "lambda")) {
    ticks <- lambda_ticks(10^par("usr")[1:2])
    axis(1, ticks, format_values(ticks))
  } else if (!is.null(below)) {
    ticks <- step_ticks(below)
    axis(1, ticks, format_values(below$values[ticks]))
    if (is.null(below$kind)) return(invisible())
    # Where there are kinds, each is named once, below its steps.
    middles <- tapply(seq_along(below$kind), below$kind, mean)
    mtext(names(middles), 1, 1.9, at = middles, cex = 0.8 * par("cex"))
  }
}

# A line for each of the terms that is not zero everywhere: the largest with names and colours, the
# others grey. x: one value for each column of y; y: terms x points; label: of the axis; against:
# "df", "lambda" or an axis of steps.
profile_figure <- function(x, y, names, labels, label, against, title = NULL) {
  lambda <- identical(against, "lambda")
  labels <- check_count(labels, "labels")
  limits <- if (lambda) lambda_limits(x) else range(x)
  right <- Filter(function(i) is.finite(x[i]), order(if (lambda) -x else x))
  x <- x[right]
  y <- columns_at(y, right)
  shown <- which(apply(abs(y), 1, max) > 0)
  named <- head(shown[order(abs(y[shown, length(x)]), decreasing = TRUE)], labels)
  # Where no coefficient is above zero, at lambda = Inf alone, there is a line without a name.
  grey <- if (length(shown)) setdiff(shown, named) else 1L
  line <- function(i, ...) new_curve(x, y[i, ], ...)
  looks <- line_looks(length(named))
  list(
    curves = c(lapply(grey, line, "grey75"),
               Map(line, named, looks$col, names[named], lty = looks$lty)),
    frame = list(xlab = if (lambda) expression(lambda) else if (is.list(against)) against$title
                        else "Degrees of freedom", ylab = label, main = title,
                 xlim = limits, ylim = range(0, y), log = if (lambda) "x" else ""),
    below = if (!identical(against, "df")) against, ends = TRUE
  )
}

is_standardized <- function(fit) any(fit$standard$scale != 1)

slope_label <- function(fit) {
  if (is_standardized(fit)) "Coefficient (standardized features)" else "Coefficient"
}

# Names next to the ends of curves, moved apart where they would overlap: upwards, but not out of
# the plot.
label_lines <- function(curves, colours) {
  if (length(curves) == 0) return(invisible())
  y <- vapply(curves, function(curve) tail(as.vector(curve$y), 1), 0)
  order <- order(y)
  gap <- 0.7 * par("cxy")[2]
  at <- c(y[order], par("usr")[4] + gap)
  for (i in seq_along(y)[-1]) at[i] <- max(at[i], at[i - 1] + gap)
  for (i in rev(seq_along(y))) at[i] <- min(at[i], at[i + 1] - gap)
  at <- head(at, -1)
  mtext(of_curves(curves, "name")[order], side = 4, line = 0.3, at = at, las = 1,
        cex = 0.7 * par("cex"), col = colours[order])
}

# ---- graphical parameters -----------------------------------------------------------

# What plot(), matplot() and par() take.
check_graphical <- function(names) {
  known <- c(names(formals(graphics::plot.default)), names(formals(graphics::matplot)),
             names(par()))
  unknown <- c(setdiff(names, known), NA)[1]
  must(is.na(unknown), "dots", sprintf("Unknown argument `%s`.", unknown), NULL,
       "Further arguments must be graphical parameters, see ?par and ?plot.default.")
}

# ---- ggplots ------------------------------------------------------------------------

# A ggplot that looks as plot() does.
new_ggplot <- function(...) {
  blank <- ggplot2::element_blank()
  ggplot2::ggplot(...) + ggplot2::theme_bw() +
    ggplot2::theme(panel.grid = blank, strip.background = blank, legend.key = blank,
                   legend.position = "none", plot.title = ggplot2::element_text(hjust = 0.5))
}

# Aesthetics by name, so that no variable looks global to R CMD check.
columns <- function(...) do.call(ggplot2::aes, lapply(list(...), as.name))

# The position of one of several outputs, which may have names.
output_place <- function(output, count, names) {
  place <- if (is.character(output)) match(output, names) else output
  must(is_number(place) && place %in% seq_len(count), "argument",
       "`output` must name or number one of the outputs.", shown(output))
  place
}
