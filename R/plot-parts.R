# Parts that several plots are made of.

# A plot with settings that the user may replace. The left margin becomes as wide as its labels
# need: the caller sets it back. left: the names of the left axis, which the caller draws by
# left_axis().
# (The first argument has a dot so that `s` or `se` of a user are not taken for it.)
plot_with <- function(.settings, ..., draw = plot, left = NULL) {
  given <- list(...)
  check_graphical(names(given))
  settings <- .settings
  settings <- c(settings[setdiff(names(settings), names(given))], given)
  check_room()
  label <- settings$ylab
  line <- widen_margin(settings, left)
  check_room()
  if (line <= par("mgp")[1]) return(do.call(draw, settings))
  do.call(draw, replace(settings, "ylab", ""))
  fonts <- intersect(names(settings), c("cex.lab", "col.lab", "font.lab"))
  if (!isFALSE(settings$ann)) {
    do.call(graphics::title, c(list(ylab = label, line = line), settings[fonts]))
  }
}

# Of a plot whose second argument is something else.
refuse_feature <- function(given, fit, choices = NULL) {
  if (!is_string(given) || given %in% choices || !given %in% curve_features(fit)) {
    return(invisible())
  }
  abort("argument", "This plot is not of a single feature.", shown(given),
        sprintf("plot(effect_curve(object, %s)) draws the curve of one.", shown(given)))
}

# arrows() warns about bars of length zero, segments() does not.
draw_bars <- function(at, low, high) {
  cap <- diff(par("usr")[1:2]) / 150
  ends <- function(side) if (par("xlog")) at * 10^(side * cap) else at + side * cap
  segments(at, low, at, high, col = "darkgrey")
  segments(ends(-1), low, ends(1), low, col = "darkgrey")
  segments(ends(-1), high, ends(1), high, col = "darkgrey")
}

# The range of errors and of what is drawn with them. Values beyond the range of numbers, as errors
# of a huge y may be, or that would be so on an axis, are not drawn.
error_range <- function(cvm, ...) {
  drawable <- function(x) x[is.finite(x) & abs(x) < 2^1000]
  if (length(drawable(cvm)) == 0) {
    abort("range", "The errors have left the range of numbers: there is nothing to draw.", NULL,
          "Divide `y` by a power of ten.")
  }
  range(drawable(c(cvm, ...)))
}

# ---- margins ------------------------------------------------------------------------

line_height <- function() par("csi") * par("mex")

# R's own error, "figure margins too large", has no class.
check_room <- function() {
  margins <- par("mai")
  size <- par("fin")
  if (all(size - margins[c(2, 1)] - margins[c(4, 3)] > 0.15)) return(invisible())
  abort("device", "The figure is too small for its margins.",
        sprintf("%.1f x %.1f inches", size[1], size[2]),
        "Open a larger device, draw fewer panels, or make par(\"mar\") smaller.")
}

# Widens the left margin to what the labels beside it need, names to a third of the figure at most.
# The line of the axis title, clear of the labels.
widen_margin <- function(settings, left) {
  numbers <- is.null(left)
  if (numbers && (is.null(settings$ylab) || identical(settings$yaxt, "n") ||
                    !isTRUE(settings$las %in% 1:2))) return(0)
  width <- min(label_width(settings, left), par("fin")[1] / 3) / line_height()
  labels <- par("mgp")[2] + width + 0.4
  titled <- !is.null(settings$ylab) && !identical(settings$ylab, "")
  needed <- if (titled) max(labels, par("mgp")[1]) + 1.1 else labels
  par(mar = replace(par("mar"), 2, if (numbers) max(needed, par("mar")[2]) else needed))
  if (titled) labels else 0
}

# In inches, of names or of numbers at the ticks. How wide text is nobody knows before there is a
# plot: an empty one is opened, and the next is drawn over it.
label_width <- function(settings, left) {
  old <- par(mar = c(0, 0, 0, 0))
  on.exit({
    par(old)
    par(new = TRUE)
  })
  graphics::plot.new()
  if (is.null(left)) {
    y <- unlist(settings$y)
    limits <- if (is.null(settings$ylim)) range(y, finite = TRUE) else settings$ylim
    logged <- !is.null(settings$log) && grepl("y", settings$log)
    graphics::plot.window(c(0, 1), limits, log = if (logged) "y" else "")
    left <- format(graphics::axTicks(2), trim = TRUE)
  }
  max(strwidth(left, "inches", cex = c(settings$cex.axis, par("cex.axis"))[1]))
}

# Names on the left axis: smaller where rows are close, without their middle where the margin is too
# narrow for them.
left_axis <- function(at, names, ..., tick = TRUE) {
  given <- list(...)
  if (!is.null(given$yaxt)) return(invisible())
  spacing <- par("pin")[2] / (length(at) + 0.5)
  cex <- c(given$cex.axis, par("cex.axis"))[1]
  cex <- max(0.5, min(1, spacing / par("cin")[2])) * cex
  room <- par("mai")[2] - (par("mgp")[2] + 0.2) * line_height()
  axis(2, at, shortened(names, room, cex), tick = tick, las = 1, cex.axis = cex)
}

# room: in inches.
shortened <- function(names, room, cex) {
  letters <- nchar(names)
  shown <- names
  repeat {
    long <- strwidth(shown, "inches", cex = cex) > room & letters > 5
    if (!any(long)) return(shown)
    letters[long] <- letters[long] - 1
    shown[long] <- cut_middle(names, letters)[long]
  }
}

# Longer names without their middle.
cut_middle <- function(names, letters) {
  last <- (letters - 2) %/% 2
  ifelse(nchar(names) <= letters, names,
         paste0(substr(names, 1, letters - 2 - last), "..",
                substring(names, nchar(names) - last + 1)))
}

# Lines of small text in a margin, in the middle of the plot or as near as the figure has room for
# them, and no wider than it.
margin_notes <- function(notes, side, line) {
  if (length(notes) == 0 || !any(nzchar(notes))) return(invisible())
  figure <- par("fin")[1]
  width <- max(strwidth(notes, "inches", cex = 0.75)) / figure
  size <- min(1, 0.98 / width)
  half <- size * width / 2
  middle <- graphics::grconvertX(0.5, "npc", "nfc")
  at <- graphics::grconvertX(max(half, min(1 - half, middle)), "nfc")
  mtext(notes, side, line, at = at, cex = 0.75 * size * par("cex"), col = "grey30")
}

# ---- axes ---------------------------------------------------------------------------
#
# In all plots models grow from left to right: lambda and penalties fall, degrees of freedom and
# numbers of features rise. lambda is on a log scale of base 10, its own values at the ticks.

# From left to right; sign: 1 where lambda is to grow. lambda = Inf has no place on this scale.
lambda_limits <- function(lambda, sign = -1) {
  range <- range(lambda[is.finite(lambda)])
  if (range[1] == range[2]) range <- range * 10^c(-0.5, 0.5)
  if (sign < 0) rev(range) else range
}

# Powers of ten where three of them fit, at most seven.
lambda_ticks <- function(limits) {
  ends <- log10(range(limits)) + c(-1e-9, 1e-9)
  powers <- seq(ceiling(ends[1]), length.out = max(0, floor(ends[2]) - ceiling(ends[1]) + 1))
  if (length(powers) < 3) return(grDevices::axisTicks(ends, log = TRUE, nint = 5))
  10^powers[seq(1, length(powers), by = ceiling(length(powers) / 7))]
}

lambda_axis <- function(...) {
  if (!is.null(list(...)$xaxt)) return(invisible())
  ticks <- lambda_ticks(10^par("usr")[1:2])
  axis(1, ticks, format_values(ticks))
}

# For numbers of features, rows or columns.
whole_ticks <- function(range) {
  ticks <- unique(round(pretty(range)))
  ticks[ticks >= ceiling(min(range)) & ticks <= max(range)]
}

# ggplot2 calls the argument by another name since 3.5.
lambda_scale <- function(lambda, sign = -1) {
  ticks <- lambda_ticks(lambda_limits(lambda))
  position <- scales::trans_new("lambda", function(x) sign * log10(x), function(x) 10^(sign * x),
                                domain = c(1e-300, Inf))
  name <- intersect(c("transform", "trans"), names(formals(ggplot2::scale_x_continuous)))[1]
  do.call(ggplot2::scale_x_continuous,
          c(setNames(list(position), name), list(breaks = ticks, labels = format_values(ticks))))
}

# Whether errors have a log axis: as `log` says, which like that of plot.default() names axes; by
# default where they are all positive, the less the better, and span a factor of ten.
logs_errors <- function(log, errors, measure) {
  errors <- errors[is.finite(errors)]
  if (is.null(log)) {
    return(length(errors) > 0 && !isTRUE(measures[[names(measure)]]$maximize) && all(errors > 0) &&
             max(errors) >= 10 * min(errors))
  }
  if (!is.character(log) || length(log) != 1 || !log %in% c("", "x", "y", "xy", "yx")) {
    abort("argument", "`log` must be \"y\" or \"\".", shown(log))
  }
  if (!grepl("y", log)) return(FALSE)
  if (length(errors) && any(errors <= 0)) {
    abort("argument", "`log = \"y\"` needs positive errors.",
          sprintf("the smallest is %s", format(min(errors))), "Use log = \"\".")
  }
  TRUE
}

# The lower ends of bars, where they leave a log axis cut at half of the smallest error.
bar_ends <- function(low, errors, logged) {
  errors <- errors[is.finite(errors)]
  if (logged && length(errors)) pmax(low, min(errors) / 2) else low
}

# ---- legends ------------------------------------------------------------------------
#
# Below the axis, in as many columns as fit.

# How a legend is laid out: columns, lines of margin that it needs, and cex. It takes half of the
# height that there is for the data at most. (How wide text is nobody knows before the plot.)
legend_layout <- function(names) {
  if (length(names) == 0) return(list(columns = 1, lines = 0, cex = 0.8))
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

draw_legend <- function(layout, names, ...) {
  legend(graphics::grconvertX(0.5, "nfc"), graphics::grconvertY(0.005, "nfc"), legend = names, ...,
         xjust = 0.5, yjust = 0, ncol = layout$columns, cex = layout$cex, bty = "n", xpd = NA)
}

# The same of ggplots, whose width nobody knows: lines of about 80 letters.
legend_below <- function(names) {
  columns <- max(1, min(length(names), floor(80 / (max(nchar(names)) + 5))))
  guide <- ggplot2::guide_legend(ncol = columns)
  list(ggplot2::theme(legend.position = "bottom"),
       ggplot2::guides(colour = guide, linetype = guide))
}

# ---- lines --------------------------------------------------------------------------

# As many colours as are asked for, no two the same; neighbours differ by line type too.
line_colours <- function(count) grDevices::hcl.colors(max(count, 1), "Dark 3")[seq_len(count)]
line_types <- function(count) rep_len(1:3, count)

# A line for each of the profile's terms that is not zero everywhere: the largest with names and
# colours, the others grey. label: of the axis.
draw_profile <- function(profile, names, label, against, labels, ..., title = NULL) {
  shown <- which(apply(abs(profile$y), 1, max) > 0)
  named <- head(shown[order(abs(profile$end[shown]), decreasing = TRUE)], labels)
  # Where no coefficient is above zero, at lambda = Inf alone, there is a line without a name.
  if (length(shown) == 0) shown <- 1L
  # The named last, so that no other line lies on theirs.
  shown <- c(setdiff(shown, named), named)
  grey <- length(shown) - length(named)
  colours <- c(rep("grey75", grey), line_colours(length(named)))
  settings <- list(
    x = profile$x, y = t(profile$y[shown, , drop = FALSE]), type = "l",
    lty = c(rep(1, grey), line_types(length(named))), lwd = 1.5,
    col = colours, las = 1, log = if (against == "lambda") "x" else "", main = title,
    xlim = if (against == "lambda") lambda_limits(profile$x) else range(profile$x),
    xaxt = if (against == "lambda") "n" else "s",
    xlab = if (against == "df") "Degrees of freedom" else expression(lambda), ylab = label
  )
  room <- min(0.4 * max(0, nchar(names[named])), 20)
  old <- par(mar = replace(par("mar"), 4, 1 + room))
  on.exit(par(old))
  plot_with(settings, ..., draw = graphics::matplot)
  if (against == "lambda") lambda_axis(...)
  abline(h = 0, col = "grey70")
  if (length(named)) label_lines(names[named], profile$end[named], tail(colours, length(named)))
}

is_standardized <- function(fit) any(fit$standard$scale != 1)

slope_label <- function(fit) {
  if (is_standardized(fit)) "Coefficient (standardized features)" else "Coefficient"
}

# Names beside the ends of lines, moved apart where they would overlap: upwards, but not out of the
# plot.
label_lines <- function(names, y, colours) {
  order <- order(y)
  gap <- 0.7 * par("cxy")[2]
  at <- c(y[order], par("usr")[4] + gap)
  for (i in seq_along(y)[-1]) at[i] <- max(at[i], at[i - 1] + gap)
  for (i in rev(seq_along(y))) at[i] <- min(at[i], at[i + 1] - gap)
  at <- head(at, -1)
  mtext(names[order], side = 4, line = 0.3, at = at, las = 1, cex = 0.7 * par("cex"),
        col = colours[order])
}

# ---- graphical parameters -----------------------------------------------------------

check_graphical <- function(names) {
  unknown <- setdiff(names, graphical_names())
  if (length(unknown) == 0) return(invisible())
  near <- nearest(unknown[1], graphical_names())
  abort("dots", sprintf("Unknown argument `%s`.", unknown[1]), NULL,
        if (unknown[1] == "xvar") "Plots of fits have `against`; errors are drawn against lambda."
        else if (length(near)) sprintf("Did you mean `%s`?", near)
        else "Further arguments must be graphical parameters, see ?par and ?plot.default.")
}

# What plot() and matplot() take; names of ?par that make sense inside a call.
graphical_names <- function() {
  c(names(formals(graphics::plot.default)), names(formals(graphics::matplot)), "adj", "bty", "cex",
    "cex.axis", "cex.lab", "cex.main", "cex.sub", "col", "col.axis", "col.lab", "col.main",
    "col.sub", "family", "fg", "font", "font.axis", "font.lab", "font.main", "font.sub", "lab",
    "las", "lend", "ljoin", "lmitre", "lty", "lwd", "mgp", "pch", "srt", "tck", "tcl", "xaxp",
    "xaxs", "xaxt", "xpd", "yaxp", "yaxs", "yaxt")
}

# ---- ggplots ------------------------------------------------------------------------

# Aesthetics by name, so that no variable looks global to R CMD check.
columns <- function(...) do.call(ggplot2::aes, lapply(list(...), as.name))

# Errors at values that have none between them, at equal distances; of two axes a line for each
# lambda.
autoplot_steps <- function(cv, log) {
  axis <- path_axis(cv$fit)
  curves <- tidy.sparserls_cv(cv)
  curves$position <- as.vector(row(as.matrix(cv$cvm)))
  several <- is.matrix(cv$cvm)
  best <- if (several) curves[curves$lambda == cv$lambda.min, ] else curves
  figure <- error_figure(best, "position", curves$estimate, cv$name, log, cv$index[, 1]) +
    step_scale(axis) +
    ggplot2::labs(x = axis$title, y = cv$name[[1]])
  if (!several) return(figure)
  curves$lambda <- factor(signif(curves$lambda, 3))
  figure + legend_below(levels(curves$lambda)) + ggplot2::labs(colour = "lambda") +
    ggplot2::geom_line(columns(x = "position", y = "estimate", colour = "lambda"), curves)
}

# Numbers of something have round ticks.
step_scale <- function(axis) {
  steps <- seq_along(axis$values)
  if (identical(axis$values, steps)) return(ggplot2::scale_x_continuous(breaks = whole_ticks))
  ggplot2::scale_x_continuous(breaks = steps, labels = format_steps(axis))
}

# Errors with bars, and dashed lines at what was chosen. table: of tidy(); at: its column; drawn:
# all errors that are drawn.
error_figure <- function(table, at, drawn, measure, log, chosen) {
  logged <- logs_errors(log, drawn, measure)
  table$conf.low <- bar_ends(table$conf.low, drawn, logged)
  table <- table[is.finite(table[[at]]), ]
  ggplot2::ggplot(table, columns(x = at, y = "estimate")) +
    ggplot2::geom_linerange(columns(ymin = "conf.low", ymax = "conf.high"), colour = "grey60") +
    ggplot2::geom_vline(xintercept = chosen[is.finite(chosen)], linetype = "dashed",
                        colour = "grey40") +
    ggplot2::geom_point(colour = "red") +
    (if (logged) ggplot2::scale_y_log10())
}

# The position of one output of effects or of a curve, whose outputs may have names.
output_place <- function(x, names, output) {
  place <- if (is.character(output)) match(output, names) else output
  if (!is_number(place) || !place %in% seq_along(x$titles)) {
    abort("argument", "`output` must name or number one of the outputs.", shown(output))
  }
  place
}
