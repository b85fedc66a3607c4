# Plots of derivatives().

#' @rdname derivatives
#' @export
plot.derivatives <- function(x, what = c("distribution", "against", "weights"), terms = NULL,
                             output = 1, ...) {
  what <- check_drawn(x, what)
  output <- output_place(x, colnames(x$average), output)
  shown <- drawn_terms(x, terms, output)
  if (what == "weights") {
    draw_weights(x, shown, shown_count(x, shown, terms), ...)
    return(invisible(x))
  }
  draw <- if (what == "distribution") draw_distributions else draw_against
  draw(x, drawn_values(x, output), shown, drawn_averages(x, output), shown_terms(x, shown, terms),
       title = c(x$titles[[output]], "")[1], ...)
  invisible(x)
}

# Derivatives do not know the curve that they are of.
check_drawn <- function(x, what) {
  if (identical(what, "curve")) {
    abort("argument", "Derivatives do not know the curves that they are of.", NULL,
          "Use plot(effect_curve(fit, \"age\")), with the name of a feature.")
  }
  what <- check_choice(what, c("distribution", "against", "weights"), "what")
  if (what == "against" && inherits(x, "average_effect")) {
    abort("argument", "Effects of moving rows have no feature of their own to be drawn against.",
          NULL, "Use what = \"distribution\" or \"weights\".")
  }
  what
}

# Of one output: rows x terms.
drawn_values <- function(x, output) {
  m <- nrow(x$x)
  matrix(array(x$derivatives, c(m, length(x$difference), length(x$titles)))[, , output], m)
}

# Terms x (average, low, high): the ends of 95 % intervals of what is debiased, and of first
# differences; NA for other derivatives and where there are none.
drawn_averages <- function(x, output) {
  rows <- seq_along(x$difference) + (output - 1L) * length(x$difference)
  ends <- derivative_intervals(x, level = 0.95)[rows, , drop = FALSE]
  if (x$type != "debiased") ends[!x$difference, ] <- NA
  cbind(average = as.matrix(x$average)[, output], low = ends[, 1], high = ends[, 2])
}

# Positions of the terms that are drawn: those asked for, or the nine strongest.
drawn_terms <- function(x, terms, output) {
  if (is.null(terms)) head(strongest(x, output), 9) else term_numbers(x, terms, "terms")
}

# Terms in the order of what they do to the prediction: the root mean square of the derivatives
# times the standard deviation of the feature, which has no unit but that of y; of moved rows as it
# is.
strongest <- function(x, output) {
  values <- drawn_values(x, output)
  spread <- if (inherits(x, "average_effect")) 1 else apply(x$x, 2, stats::sd, na.rm = TRUE)
  strength <- sqrt(colMeans(values^2, na.rm = TRUE)) * spread
  order(strength, decreasing = TRUE, na.last = TRUE)
}

# What is not said by the axis: which terms are shown, and what the star means.
shown_terms <- function(x, shown, terms) {
  c(shown_count(x, shown, terms),
    if (any(starred(x)[shown] != names(x$difference)[shown])) {
      "* first difference: f(level) - f(first level), or f(1) - f(0)"
    })
}

shown_count <- function(x, shown, terms) {
  all <- length(x$difference)
  if (is.null(terms) && length(shown) < all) {
    sprintf("%d of %d terms shown, the strongest", length(shown), all)
  }
}

# What the colours of the figure are. averages: of the terms that are drawn.
colour_note <- function(x, terms, averages, what) {
  known <- !is.na(averages[, "low"])
  difference <- x$difference[terms]
  dot <- if (x$type == "debiased") "red dot: debiased average" else "red dot: average"
  parts <- if (what == "distribution") {
    c(dot, if (any(has_box(x, terms, known))) "grey box: values of the rows")
  } else {
    c("grey: values of the rows", if (any(!difference)) "red line: smooth",
      if (any(difference)) dot)
  }
  shown <- if (what == "distribution") known else known & difference
  paste(c(parts, if (any(shown)) "blue: 95 % interval of its average"), collapse = "; ")
}

# Of terms, whether the values of the rows are drawn as a box: not of first differences with an
# interval. known: which have one.
has_box <- function(x, terms, known) !(unname(x$difference[terms]) & unname(known))

# One row for each term, from the first at the top: a box of its derivatives over the rows, and an
# interval where there is one. The average is a point.
draw_distributions <- function(x, values, terms, averages, note, title, ...) {
  names <- starred(x)[terms]
  averages <- averages[terms, , drop = FALSE]
  known <- which(!is.na(averages[, "low"]))
  box <- has_box(x, terms, !is.na(averages[, "low"]))
  boxes <- values[, terms, drop = FALSE]
  boxes[, !box] <- NA
  note <- c(note, colour_note(x, terms, averages, "distribution"))
  old <- par(mar = par("mar") + c(0.9 * length(note), 0, 0, 0), mgp = c(2.2, 0.7, 0))
  on.exit(par(old))
  at <- rev(seq_along(terms))
  plot_with(list(x = as.data.frame(boxes), at = at, names = names, horizontal = TRUE, las = 1,
                 yaxt = "n", xlab = derivatives_label(x, terms), main = title, col = "grey90",
                 ylim = range(boxes, averages, 0, finite = TRUE), border = "grey30",
                 outcol = "grey60", pch = 20, cex = 0.6),
            ..., draw = graphics::boxplot, left = names)
  left_axis(at, names, ...)
  abline(v = 0, col = "grey70", lty = 2)
  segments(averages[known, "low"], at[known], averages[known, "high"], at[known],
           col = "steelblue", lwd = ifelse(box, 2, 3)[known])
  points(averages[, "average"], at, pch = 19, col = "red")
  margin_notes(note, 1, 3.3 + 0.9 * (seq_along(note) - 1))
}

derivatives_label <- function(x, terms) {
  if (inherits(x, "average_effect")) {
    return(sprintf("Change of the %s",
                   if (identical(x$scale, "link")) "linear predictor" else "prediction"))
  }
  kinds <- c(if (any(!x$difference[terms])) "derivative",
             if (any(x$difference[terms])) "first difference")
  label <- paste(kinds, collapse = " or ")
  paste0(toupper(substr(label, 1, 1)), substring(label, 2),
         if (identical(x$scale, "link")) ", linear predictor")
}

# A panel for each term: derivatives against the values of the feature, with a smooth; of a first
# difference its values for the rows, and the interval of its average.
draw_against <- function(x, values, terms, averages, note, title, ...) {
  single <- length(terms) == 1
  shown <- averages[terms, , drop = FALSE]
  note <- if (!single) c(note, colour_note(x, terms, shown, "against"))
  old <- par(mar = c(4, 4.2, if (single) 3 else 1.2, 1), mgp = c(2.6, 0.8, 0),
             oma = c(length(note), 1, if (single || !nzchar(title)) 0 else 2, 0),
             mfrow = if (single) par("mfrow") else grDevices::n2mfrow(length(terms)))
  on.exit(par(old))
  for (term in terms) {
    draw <- if (x$difference[term]) draw_difference else draw_derivative
    draw(x, values[, term], term, averages[term, ], if (single) title else "", single, ...)
  }
  if (!single && nzchar(title)) mtext(title, outer = TRUE, font = 2)
  if (!single) mtext("Derivative", side = 2, outer = TRUE, line = -0.4, cex = 0.8)
  if (length(note)) mtext(note, side = 1, outer = TRUE, line = seq_along(note) - 1, cex = 0.7,
                          col = "grey30")
}

draw_derivative <- function(x, values, term, average, title, single, ...) {
  name <- names(x$difference)[term]
  plot_with(list(x = x$x[, term], y = values, las = 1, pch = 20, col = "grey50", xlab = name,
                 ylab = if (single) paste("Derivative by", name) else "", main = title), ...)
  abline(h = 0, col = "grey70", lty = 2)
  draw_smooth(x$x[, term], values)
}

draw_difference <- function(x, values, term, average, title, single, ...) {
  name <- names(x$difference)[term]
  at <- x$x[, term]
  plot_with(list(x = at, y = values, type = "n", las = 1, xaxt = "n", xlim = c(-0.3, 1.3),
                 ylim = range(values, average, 0, finite = TRUE), xlab = starred(x)[term],
                 ylab = if (single) paste("First difference of", name) else "", main = title), ...)
  axis(1, 0:1)
  segments(at - 0.12, values, at + 0.12, values, col = "grey75")
  abline(h = 0, col = "grey70", lty = 2)
  segments(0.5, average[["low"]], 0.5, average[["high"]], col = "steelblue", lwd = 3)
  points(0.5, average[["average"]], pch = 19, col = "red")
}

# Where the feature has enough values for one.
draw_smooth <- function(x, y) {
  fine <- is.finite(x) & is.finite(y)
  if (length(unique(x[fine])) < 5) return(invisible())
  lines(stats::lowess(x[fine], y[fine]), col = "red", lwd = 1.5)
}
