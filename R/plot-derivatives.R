# Plots of derivatives().

#' @rdname derivatives
#' @export
plot.derivatives <- function(x, what = c("distribution", "against"), terms = NULL, output = 1,
                             ...) {
  check_model(x)
  what <- check_drawn(x, what)
  output <- drawn_column(x, output)
  shown <- drawn_terms(x, terms, output)
  values <- matrix(array(x$derivatives, c(dim(x$x), length(x$titles)))[, , output], nrow(x$x))
  draw <- if (what == "distribution") draw_distributions else draw_against
  draw(x, values, shown, difference_ends(x, output), shown_terms(x, shown, terms), ...,
       title = c(x$titles[[output]], "")[1])
  invisible(x)
}

# Derivatives do not know the curve that they are of.
check_drawn <- function(x, what) {
  if (identical(what, "curve")) {
    abort("argument", "Derivatives do not know the curves that they are of.", NULL,
          sprintf("Use plot(effect_curve(object, \"%s\")), of the fit.",
                  names(x$difference)[strongest(x, 1)[1]]))
  }
  check_choice(what, c("distribution", "against"), "what")
}

# Positions of the terms that are drawn: those asked for, or the nine strongest.
drawn_terms <- function(x, terms, output) {
  known <- names(x$difference)
  if (is.null(terms)) return(head(strongest(x, output), 9))
  at <- if (is.character(terms)) match(terms, known) else terms
  if (!is.numeric(at) || length(at) == 0 || !all(at %in% seq_along(known))) {
    abort("argument", "`terms` must name or number the terms.", describe(terms),
          enumerate(dQuote(known, FALSE), 10))
  }
  at
}

# Terms in the order of what they do to the prediction: the root mean square of the derivatives
# times the standard deviation of the feature, which has no unit but that of y.
strongest <- function(x, output) {
  values <- matrix(array(x$derivatives, c(dim(x$x), length(x$titles)))[, , output], nrow(x$x))
  spread <- apply(x$x, 2, stats::sd, na.rm = TRUE)
  strength <- sqrt(colMeans(values^2, na.rm = TRUE)) * spread
  order(strength, decreasing = TRUE, na.last = TRUE)
}

# The ends of 95 % intervals of first differences, terms x 2: NA for derivatives, and where there
# are none.
difference_ends <- function(x, output) {
  rows <- seq_along(x$difference) + (output - 1L) * length(x$difference)
  replace(derivative_intervals(x, level = 0.95)[rows, , drop = FALSE],
          cbind(which(!x$difference), rep(1:2, each = sum(!x$difference))), NA)
}

# What is not said by the axis: which terms are shown, what the star means, and what is an interval.
shown_terms <- function(x, shown, terms) {
  all <- length(x$difference)
  c(if (is.null(terms) && length(shown) < all) {
      sprintf("%d of %d terms shown, the strongest", length(shown), all)
    },
    if (any(x$difference[shown])) "* first difference: f(level) - f(first level), or f(1) - f(0)")
}

interval_note <- function(ends, shown) {
  if (any(!is.na(ends[shown, ]))) "blue: 95 % interval of its average"
}

# The position of one output.
drawn_column <- function(x, output) {
  if (is.character(output)) output <- match(output, colnames(x$average))
  if (!is_number(output) || !output %in% seq_along(x$titles)) {
    abort("argument", "`output` must name or number one of the outputs.", describe(output))
  }
  output
}

# One row for each term, from the first at the top: a box of its derivatives over the rows, of a
# first difference an interval where there is one. The average is a point.
draw_distributions <- function(x, values, terms, ends, note, title, ...) {
  names <- starred(x)[terms]
  values <- values[, terms, drop = FALSE]
  ends <- ends[terms, , drop = FALSE]
  known <- !is.na(ends[, 1])
  note <- c(note, interval_note(ends, seq_along(terms)))
  old <- par(mar = par("mar") + c(0.9 * length(note), 0, 0, 0),
             mgp = c(2.2, 0.7, 0))
  on.exit(par(old))
  par(mar = replace(par("mar"), 2, min(1.5 + 0.55 * max(nchar(names)), 13)))
  at <- rev(seq_along(terms))
  boxes <- replace(values, cbind(rep(seq_len(nrow(values)), sum(known)),
                                 rep(which(known), each = nrow(values))), NA)
  plot_with(list(x = as.data.frame(boxes), at = at, names = names, horizontal = TRUE, las = 1,
                 xlab = derivatives_label(x, terms), main = title, col = "grey90",
                 ylim = range(boxes, ends, colMeans(values, na.rm = TRUE), 0, na.rm = TRUE),
                 border = "grey30", outcol = "grey60", pch = 20, cex = 0.6),
            ..., draw = graphics::boxplot)
  abline(v = 0, col = "grey70", lty = 2)
  segments(ends[known, 1], at[known], ends[known, 2], at[known], col = "steelblue", lwd = 3)
  points(colMeans(values, na.rm = TRUE), at, pch = 19, col = "red")
  draw_notes(note, 3.3)
}

derivatives_label <- function(x, terms) {
  kinds <- c("Derivative", "first difference")[c(any(!x$difference[terms]), any(x$difference[terms]))]
  paste(sub("^f", "F", kinds[1]), if (length(kinds) > 1) paste("or", kinds[2]))
}

# Stars are of names.
starred <- function(x) paste0(names(x$difference), ifelse(x$difference, "*", ""))

draw_notes <- function(note, line, ...) {
  mtext(note, side = 1, line = line + 0.9 * (seq_along(note) - 1), cex = 0.75 * par("cex"),
        col = "grey30", ...)
}

# A panel for each term: derivatives against the values of the feature, with a smooth; of a first
# difference its values for the rows, and the interval of its average.
draw_against <- function(x, values, terms, ends, note, title, ...) {
  single <- length(terms) == 1
  note <- if (!single) c(note, interval_note(ends, terms))
  old <- par(mar = c(4, 4.2, if (single) 3 else 1.2, 1), mgp = c(2.6, 0.8, 0),
             oma = c(length(note), 1, if (single || !nzchar(title)) 0 else 2, 0),
             mfrow = if (single) par("mfrow") else grDevices::n2mfrow(length(terms)))
  on.exit(par(old))
  for (term in terms) {
    draw <- if (x$difference[term]) draw_difference else draw_derivative
    draw(x, values[, term], term, ends[term, ], if (single) title else "", single, ...)
  }
  if (!single && nzchar(title)) mtext(title, outer = TRUE, font = 2)
  if (!single) mtext("Derivative", side = 2, outer = TRUE, line = -0.4, cex = 0.8)
  if (length(note)) mtext(note, side = 1, outer = TRUE, line = seq_along(note) - 1, cex = 0.7,
                          col = "grey30")
}

draw_derivative <- function(x, values, term, ends, title, single, ...) {
  name <- names(x$difference)[term]
  plot_with(list(x = x$x[, term], y = values, las = 1, pch = 20, col = "grey50", xlab = name,
                 ylab = if (single) paste("Derivative by", name) else "", main = title), ...)
  abline(h = 0, col = "grey70", lty = 2)
  draw_smooth(x$x[, term], values)
}

draw_difference <- function(x, values, term, ends, title, single, ...) {
  name <- names(x$difference)[term]
  plot_with(list(x = 0, y = 0, type = "n", las = 1, xaxt = "n", xlim = c(-1, 1),
                 ylim = range(values, ends, 0, na.rm = TRUE), xlab = starred(x)[term],
                 ylab = if (single) paste("First difference of", name) else "", main = title), ...)
  segments(-0.3, values, 0.3, values, col = "grey75")
  abline(h = 0, col = "grey70", lty = 2)
  segments(0, ends[1], 0, ends[2], col = "steelblue", lwd = 3)
  points(0, mean(values, na.rm = TRUE), pch = 19, col = "red")
}

# Where the feature has enough values for one.
draw_smooth <- function(x, y) {
  fine <- is.finite(x) & is.finite(y)
  if (length(unique(x[fine])) < 5) return(invisible())
  lines(stats::lowess(x[fine], y[fine]), col = "red", lwd = 1.5)
}
