# Plots of derivatives() and average_effect().

#' @rdname derivatives
#' @export
plot.derivatives <- function(x, what = c("distribution", "against", "weights"), terms = NULL,
                             output = 1, ...) {
  figure <- effects_figure(x, what, terms, output)
  draw <- switch(figure$what, distribution = draw_distributions, against = draw_against,
                 weights = draw_weights)
  draw(figure, ...)
  invisible(x)
}

# ---- what base plots and ggplots draw ---------------------------------------------------

# A list of
#   terms       a row for each term that is drawn, those asked for or the nine strongest: `name`,
#               `feature` (without a star), `difference`, and of its average `average`, `low` and
#               `high`, the ends of the 95 % interval of what is debiased and of first differences,
#               NA for other derivatives and where there are none; `box`, whether the values of the
#               rows are drawn as one: not of first differences with an interval
#   at, values  of their features and derivatives, rows x terms; of partial effects (`partial`) what
#               others leave of the term and of the response
#   label, title, note   of the axis and above the plot; below it, a line each
# or, of weights, of `panels` (weights_figure()) and `note`.
effects_figure <- function(x, what, terms, output) {
  what <- check_choice(what, c("distribution", "against", "weights"), "what")
  must(what != "against" || !inherits(x, "average_effect"), "argument",
       "Effects of moving rows have no feature of their own to be drawn against.", NULL,
       "Use what = \"distribution\" or \"weights\".")
  output <- output_place(x, colnames(x$average), output)
  p <- length(x$difference)
  rows <- drawn_rows(x, what, output)
  spread <- term_spread(x, rows)
  shown <- if (is.null(terms)) strongest(x, rows, spread, output)
           else term_numbers(x, terms, "terms")
  note <- if (is.null(terms) && length(shown) < p) {
    sprintf("%d of %d terms shown, the strongest", length(shown), p)
  }
  if (what == "weights") {
    return(weights_figure(balance(x), names(x$difference)[shown], note))
  }
  found <- tidy_derivatives(x, 0.95)[shown + (output - 1L) * p, ]
  terms <- data.frame(name = starred(x)[shown], feature = found$term,
                      difference = unname(x$difference[shown]), average = found$estimate,
                      low = found$conf.low, high = found$conf.high)
  partial <- inherits(x, "partial_effects")
  if (partial) terms$difference <- what == "distribution"
  else if (x$type != "debiased") terms[!terms$difference, c("low", "high")] <- NA
  terms$box <- !partial & (!terms$difference | is.na(terms$low))
  # Features have units of their own: on one axis effects are for one standard deviation of each.
  unit <- if (what == "distribution") spread[shown] else rep(1, length(shown))
  terms[c("average", "low", "high")] <- unit * terms[c("average", "low", "high")]
  if (any(terms$name != terms$feature)) {
    note <- c(note, "* first difference: f(level) - f(first level), or f(1) - f(0)")
  }
  list(what = what, partial = partial, terms = terms, at = rows$at[, shown, drop = FALSE],
       values = rows$values[, shown, drop = FALSE] * rep(unit, each = nrow(rows$values)),
       label = effects_label(x, terms$difference, what, any(unit != 1)), title = x$titles[[output]],
       note = c(note, colour_note(x, terms, what)))
}

# Of every term the values of the feature, `at`, and of the derivatives, `values`, rows x terms. Of
# partial effects what others leave of the term and of the response; or, where these are not drawn,
# the estimate.
drawn_rows <- function(x, what, output) {
  p <- length(x$difference)
  m <- nrow(x$x)
  each <- function(values) {
    matrix(values, m)[, rep_len(seq_len(length(values) / m), p), drop = FALSE]
  }
  if (!inherits(x, "partial_effects")) {
    values <- matrix(x$derivatives, m)[, (output - 1) * p + seq_len(p), drop = FALSE]
    # Effects of moving rows have no feature of their own, and may be more than there are features.
    return(list(at = if (inherits(x, "average_effect")) values else x$x, values = values))
  }
  list(at = each(x$residuals$term), values = each(
    if (what == "against") x$residuals$response[, , output]
    else rep(matrix(x$average, p)[, output], each = m)
  ))
}

# The standard deviation of every term's feature, by which effects lose its unit; 1 of differences
# and of moved rows, and of a single row.
term_spread <- function(x, rows) {
  if (inherits(x, "average_effect")) return(rep(1, length(x$difference)))
  spread <- rep_len(apply(x$x, 2, stats::sd, na.rm = TRUE), length(x$difference))
  ifelse(x$difference | is.na(spread), 1, spread)
}

# The nine terms that do most to the prediction, the root mean square of what they do, the strongest
# first. Levels of a factor stay together, in their order, as columns do that are coded with them.
strongest <- function(x, rows, spread, output) {
  size <- if (inherits(x, "partial_effects")) abs(matrix(x$average, length(x$difference))[, output])
          else sqrt(colMeans(rows$values^2, na.rm = TRUE))
  share <- if (inherits(x, "average_effect")) 1 else apply(rows$at, 2, stats::sd, na.rm = TRUE)
  size <- size * ifelse(x$difference, share, spread)
  shown <- sort(head(order(size, decreasing = TRUE, na.last = TRUE), 9))
  family <- if (is.null(x$variable)) seq_along(size) else x$variable
  shown[order(-stats::ave(size, family, FUN = max)[shown], shown)]
}

# What the colours of the figure are.
colour_note <- function(x, terms, what) {
  partial <- inherits(x, "partial_effects")
  if (partial && what == "against") return("what others leave of both; line: smooth")
  dot <- if (partial) "dot: estimate" else if (x$type == "debiased") "dot: debiased average"
         else "dot: average"
  distributed <- what == "distribution"
  marked <- distributed | terms$difference
  paste(c(if (!distributed) "grey: values of the rows",
          if (!all(marked)) "line: smooth", if (any(marked)) dot,
          if (distributed && any(terms$box)) "box: values of the rows",
          if (any(!is.na(terms$low[marked]))) {
            if (partial) "bar: 95 % interval" else "bar: 95 % interval of its average"
          }), collapse = "; ")
}

effects_label <- function(x, difference, what, per_sd) {
  link <- identical(x$scale, "link")
  if (inherits(x, "average_effect")) {
    return(paste("Change of the", if (link) "linear predictor" else "prediction"))
  }
  if (inherits(x, "partial_effects")) {
    return(if (what == "against") "Response, less what others say"
           else paste0("Partial effect", if (per_sd) ", per standard deviation of numbers"))
  }
  paste0(if (all(difference)) "First difference"
         else if (any(difference)) "Derivative or first difference" else "Derivative",
         if (link) ", linear predictor", if (per_sd) ", per standard deviation of the feature")
}

# Of derivatives at the values of their feature, NULL where there are too few of these.
smooth_of <- function(at, values) {
  fine <- is.finite(at) & is.finite(values)
  if (length(unique(at[fine])) >= 5) stats::lowess(at[fine], values[fine])
}

# ---- derivatives -------------------------------------------------------------------------
# (.figure: no graphical parameter is short for it.)

# One row for each term, from the first at the top: a box of its derivatives over the rows, and an
# interval where there is one. The average is a point.
draw_distributions <- function(.figure, ...) {
  terms <- .figure$terms
  note <- .figure$note
  boxes <- .figure$values
  boxes[, !terms$box] <- NA
  old <- par(mar = par("mar") + c(0.9 * length(note), 0, 0, 0), mgp = c(2.2, 0.7, 0))
  on.exit(par(old))
  at <- rev(seq_len(nrow(terms)))
  plot_with(list(x = as.data.frame(boxes), at = at, names = terms$name, horizontal = TRUE, las = 1,
                 yaxt = "n", xlab = .figure$label, main = c(.figure$title, "")[1], col = "grey90",
                 ylim = range(boxes, terms[c("average", "low", "high")], 0, finite = TRUE),
                 border = "grey30", outcol = "grey60", pch = 20, cex = 0.6),
            ..., draw = graphics::boxplot, left = terms$name)
  left_axis(at, terms$name, ...)
  abline(v = 0, col = "grey70", lty = 2)
  known <- which(!is.na(terms$low))
  segments(terms$low[known], at[known], terms$high[known], at[known], col = interval_colour,
           lwd = ifelse(terms$box, 2, 3)[known])
  points(terms$average, at, pch = 19, col = estimate_colour)
  margin_notes(note, 1, 3.3 + 0.9 * (seq_along(note) - 1))
}

# A panel for each term, drawn by draw(i), with lines of text below all of them; of several with a
# title above and the name of their axis on the left.
term_panels <- function(count, draw, mar, note, title = "", label = "") {
  single <- count == 1
  settings <- list(mar = if (single) c(4 + 0.9 * length(note), mar[2], 3, 1) else mar,
                   mgp = c(2.6, 0.8, 0))
  old <- par(c(settings, if (!single) list(
    oma = c(length(note), 1, 2 * nzchar(title), 0), mfrow = grDevices::n2mfrow(count)
  )))
  on.exit(par(old))
  for (i in seq_len(count)) draw(i)
  if (single) return(margin_notes(note, 1, 3.3 + 0.9 * (seq_along(note) - 1)))
  if (nzchar(title)) mtext(title, outer = TRUE, font = 2)
  mtext(label, side = 2, outer = TRUE, line = -0.4, cex = 0.8)
  mtext(note, side = 1, outer = TRUE, line = seq_along(note) - 1, cex = 0.7, col = "grey30")
}

# Derivatives against the values of the feature, with a smooth; of a first difference its values for
# the rows, and the interval of its average.
draw_against <- function(.figure, ...) {
  terms <- .figure$terms
  single <- nrow(terms) == 1
  title <- c(.figure$title, "")[1]
  label <- if (.figure$partial) .figure$label else "Derivative"
  term_panels(nrow(terms), function(i) {
    term <- terms[i, ]
    at <- .figure$at[, i]
    values <- .figure$values[, i]
    kind <- if (term$difference) "First difference of" else "Derivative by"
    ends <- term[c("average", "low", "high")]
    look <- if (term$difference) list(type = "n", xaxt = "n", xlim = c(-0.3, 1.3),
                                      ylim = range(values, ends, 0, finite = TRUE))
            else list(pch = 20, col = "grey50")
    plot_with(c(list(x = at, y = values, las = 1, xlab = term$name,
                     main = if (single) title else "",
                     ylab = if (!single) "" else if (.figure$partial) label
                            else paste(kind, term$feature)), look), ...)
    if (term$difference) {
      axis(1, 0:1)
      segments(at - 0.12, values, at + 0.12, values, col = "grey75")
    }
    abline(h = 0, col = "grey70", lty = 2)
    if (!term$difference) return(lines(smooth_of(at, values), col = estimate_colour, lwd = 1.5))
    segments(0.5, term$low, 0.5, term$high, col = interval_colour, lwd = 3)
    points(0.5, term$average, pch = 19, col = estimate_colour)
  }, c(4, 4.2, 1.2, 1), .figure$note, title, label)
}

# ---- weights -----------------------------------------------------------------------------
# How far the weights of debiased effects balance the features, as a love plot: a panel for each
# term, a line for each feature.

#' @export
plot.balance <- function(x, terms = NULL, ...) {
  draw_weights(weights_figure(x, terms), ...)
  invisible(x)
}

#' @exportS3Method ggplot2::autoplot
autoplot.balance <- function(object, terms = NULL, ...) {
  check_dots(..., known = names(formals()))
  autoplot_weights(weights_figure(object, terms))
}

# Of each term that is drawn, at most nine by default, a panel, a list: term, feature, before and
# after of its lines, the eight that were furthest off before, the first at the top, and the term
# itself; and `size`, the words about its rows. Features that are constant have lines without dots.
weights_figure <- function(found, terms, note = NULL) {
  known <- unique(found$term)
  must(is.null(terms) || all(terms %in% known), "argument", "`terms` must name the terms.",
       shown(terms), enumerate(dQuote(known, FALSE), 10))
  size <- attr(found, "size")
  panels <- lapply(if (is.null(terms)) head(known, 9) else terms, function(name) {
    lines <- found[found$term == name, ]
    own <- lines$feature == name
    others <- lines[!own, ]
    others <- others[order(-abs(others$before), -abs(others$after)), ]
    list(term = name, lines = rbind(head(others, 8), lines[own, ]), size = c(size[name], "")[[1]])
  })
  list(what = "weights", panels = panels,
       note = c(note, "hollow: without weights; filled: with them; 0: as it should be",
                if (length(unique(found$feature)) > 9) {
                  "8 features shown, the furthest off without weights"
                }))
}

weights_label <- "Imbalance, in standard deviations"

draw_weights <- function(.figure, ...) {
  panels <- .figure$panels
  single <- length(panels) == 1
  term_panels(length(panels), function(i) {
    lines <- panels[[i]]$lines
    at <- rev(seq_len(nrow(lines)))
    par(mar = replace(par("mar"), 2, 4))
    plot_with(list(x = lines$before, y = at, type = "n", yaxt = "n", ylab = "",
                   xlab = if (single) weights_label else "", ylim = range(at) + c(-0.5, 0.5),
                   xlim = range(lines$before, lines$after, -0.15, 0.15, na.rm = TRUE)),
              ..., left = lines$feature)
    left_axis(at, lines$feature, ...)
    abline(h = at, col = "grey93")
    abline(v = c(-0.1, 0, 0.1), col = c("grey80", "grey60", "grey80"), lty = c(3, 1, 3))
    segments(lines$before, at, lines$after, at, col = "grey80")
    points(lines$before, at, pch = 21, bg = "white", col = "grey40")
    points(lines$after, at, pch = 19, col = interval_colour)
    mtext(shortened(panels[[i]]$term, 0.85 * par("fin")[1], 1), line = 1.3, font = 2,
          cex = par("cex"))
    margin_notes(panels[[i]]$size, 3, 0.2)
  }, c(2.5, 4, 3, 1), c(if (!single) weights_label, .figure$note))
}

# As in plot(). Features stand in another order in every panel: rows have their numbers as names.
autoplot_weights <- function(figure) {
  each <- do.call(rbind, lapply(figure$panels, function(panel) {
    cbind(panel$lines, panel = trimws(paste(panel$term, panel$size, sep = "\n")))
  }))
  each$panel <- factor(each$panel, unique(each$panel))
  number <- as.character(seq_len(nrow(each)))
  each$line <- factor(number, rev(number))
  new_ggplot(each, columns(y = "line")) +
    ggplot2::geom_vline(xintercept = c(-0.1, 0.1), linetype = "dotted", colour = "grey70") +
    ggplot2::geom_vline(xintercept = 0, colour = "grey60") +
    ggplot2::geom_segment(columns(x = "before", xend = "after", yend = "line"), na.rm = TRUE,
                          colour = "grey80") +
    ggplot2::geom_point(columns(x = "before"), shape = 21, fill = "white", colour = "grey40",
                        na.rm = TRUE) +
    ggplot2::geom_point(columns(x = "after"), colour = interval_colour, na.rm = TRUE) +
    ggplot2::scale_y_discrete(labels = setNames(cut_middle(each$feature, 20), number)) +
    ggplot2::facet_wrap("panel", scales = "free_y",
                        ncol = grDevices::n2mfrow(length(figure$panels))[2]) +
    ggplot2::theme(strip.text = ggplot2::element_text(size = ggplot2::rel(0.7))) +
    ggplot2::labs(x = weights_label, y = NULL, caption = paste(figure$note, collapse = "\n"))
}
