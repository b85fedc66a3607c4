# Parts that several plots are made of.

# A plot with settings that the user may replace.
plot_with <- function(settings, ..., draw = plot) {
  given <- list(...)
  check_graphical(names(given))
  do.call(draw, c(settings[setdiff(names(settings), names(given))], given))
}

# arrows() warns about bars of length zero, segments() does not.
draw_bars <- function(at, low, high) {
  cap <- diff(par("usr")[1:2]) / 150
  segments(at, low, at, high, col = "darkgrey")
  segments(at - cap, low, at + cap, low, col = "darkgrey")
  segments(at - cap, high, at + cap, high, col = "darkgrey")
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

# For a legend of so many lines, 0.8 of the text, above the data: `share` of the height of the
# figure, of which axes add 4 % to both ends. A small figure needs more of it.
room_above <- function(range, lines = 1) {
  if (lines == 0) return(range)
  share <- min(0.8 * (1 + lines) * par("csi") / par("pin")[2], 0.75)
  range + c(0, diff(range) * max(0.05 * (1 + lines), 1 / (1.02 - 1.08 * share) - 1))
}

# As many colours as are asked for, no two the same; neighbours differ by line type too.
line_colours <- function(count) grDevices::hcl.colors(max(count, 1), "Dark 3")[seq_len(count)]
line_types <- function(count) rep_len(1:3, count)

# Which of several outputs, or which class, is drawn: the title of a plot.
drawn_output <- function(fit, output) {
  levels <- fit$response$levels
  if (length(levels) == 2) return(sprintf("Class %s", dQuote(levels[2], FALSE)))
  name <- output_names(fit$response)[output]
  if (length(levels)) sprintf("Class %s", dQuote(name, FALSE))
  else if (ncol(fit$response$y) > 1) name
}

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
    xlim = if (against == "lambda") rev(range(profile$x)) else range(profile$x),
    xlab = if (against == "df") "Degrees of freedom" else expression(lambda), ylab = label
  )
  room <- min(0.4 * max(0, nchar(names[named])), 20)
  old <- par(mar = replace(par("mar"), 4, 1 + room))
  on.exit(par(old))
  plot_with(settings, ..., draw = graphics::matplot)
  abline(h = 0, col = "grey70")
  if (length(named)) label_lines(names[named], profile$end[named], tail(colours, length(named)))
}

# Without standardization all scales are one and the same power of two (problem_unit()).
is_standardized <- function(fit) {
  scale <- fit$standard$scale
  !is.null(scale) && any(log2(scale) %% 1 != 0)
}

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
