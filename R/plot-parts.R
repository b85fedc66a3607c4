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

# For a legend of so many lines above the data.
room_above <- function(range, lines = 1) {
  range + c(0, diff(range) * if (lines > 0) 0.05 * (1 + lines) else 0)
}

# A line for each of the profile's terms that is not zero everywhere, the largest with names.
draw_profile <- function(profile, names, what, against, labels, ...) {
  shown <- which(apply(abs(profile$y), 1, max) > 0)
  named <- head(shown[order(abs(profile$end[shown]), decreasing = TRUE)], labels)
  # Where no coefficient is above zero, at lambda = Inf alone, there is a line without a name.
  if (length(shown) == 0) shown <- 1L
  colours <- rep_len(grDevices::hcl.colors(8, "Dark 3"), length(shown))
  settings <- list(
    x = profile$x, y = t(profile$y[shown, , drop = FALSE]), type = "l", lty = 1, lwd = 1.5,
    col = colours, las = 1, log = if (against == "lambda") "x" else "",
    xlim = if (against == "lambda") rev(range(profile$x)) else range(profile$x),
    xlab = if (against == "df") "Degrees of freedom" else expression(lambda),
    ylab = if (what == "weights") "Weight" else "Coefficient (standardized features)"
  )
  room <- min(0.4 * max(0, nchar(names[named])), 20)
  old <- par(mar = replace(par("mar"), 4, 1 + room))
  on.exit(par(old))
  plot_with(settings, ..., draw = graphics::matplot)
  if (what == "coefficients") abline(h = 0, col = "grey70")
  if (length(named)) {
    label_lines(names[named], profile$end[named], colours[match(named, shown)])
  }
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
