# Plots of derivatives().

#' @rdname derivatives
#' @export
plot.derivatives <- function(x, what = c("distribution", "against"), terms = NULL, output = 1,
                             ...) {
  check_model(x)
  what <- check_choice(what, c("distribution", "against"), "what")
  shown <- drawn_terms(x, terms)
  note <- if (is.null(terms)) shown_terms(x, shown)
  output <- drawn_column(x, output)
  values <- array(x$derivatives, c(dim(x$x), length(x$titles)))[, , output, drop = TRUE]
  draw <- if (what == "distribution") draw_distributions else draw_against
  draw(x, values, shown, title = paste(c(x$titles[[output]], note), collapse = ", "), ...)
  invisible(x)
}

# Positions of the terms that are drawn.
drawn_terms <- function(x, terms) {
  known <- names(x$difference)
  if (is.null(terms)) return(head(seq_along(known), 9))
  at <- if (is.character(terms)) match(terms, known) else terms
  if (!is.numeric(at) || length(at) == 0 || !all(at %in% seq_along(known))) {
    abort("argument", "`terms` must name or number the terms.", describe(terms),
          enumerate(dQuote(known, FALSE), 10))
  }
  at
}

# Where they are not all.
shown_terms <- function(x, terms) {
  all <- length(x$difference)
  if (length(terms) < all) sprintf("%d of %d terms shown", length(terms), all)
}

# The axis of derivatives; stars are of names.
derivatives_label <- function(x, terms) {
  paste0("Derivative", if (any(x$difference[terms])) " (* first difference)")
}

# The position of one output.
drawn_column <- function(x, output) {
  if (is.character(output)) output <- match(output, colnames(x$average))
  if (!is_number(output) || !output %in% seq_along(x$titles)) {
    abort("argument", "`output` must name or number one of the outputs.", describe(output))
  }
  output
}

# One box for each term, from the first at the top; the average is a point.
draw_distributions <- function(x, values, terms, title, ...) {
  names <- paste0(names(x$difference), ifelse(x$difference, "*", ""))[terms]
  values <- matrix(values, nrow(x$x))[, terms, drop = FALSE]
  room <- min(0.5 + 0.5 * max(nchar(names)), 12)
  old <- par(mar = replace(par("mar"), 2, room + 1))
  on.exit(par(old))
  at <- rev(seq_along(terms))
  plot_with(list(x = as.data.frame(values), at = at, names = names, horizontal = TRUE, las = 1,
                 xlab = derivatives_label(x, terms), main = title, col = "grey90", border = "grey30",
                 outcol = "grey60", pch = 20, cex = 0.6), ..., draw = graphics::boxplot)
  abline(v = 0, col = "grey70", lty = 2)
  points(colMeans(values, na.rm = TRUE), at, pch = 19, col = "red")
}

# A panel for each term: derivatives against the values of the feature, with a smooth.
draw_against <- function(x, values, terms, title, ...) {
  values <- matrix(values, nrow(x$x))
  single <- length(terms) == 1
  old <- par(mar = c(4.5, 5, if (single) 3 else 1, 1), mgp = c(3.4, 0.8, 0),
             oma = c(0, 0, if (single || !nzchar(title)) 0 else 2, 0),
             mfrow = if (single) par("mfrow") else grDevices::n2mfrow(length(terms)))
  on.exit(par(old))
  for (term in terms) {
    name <- names(x$difference)[term]
    kind <- if (x$difference[term]) "First difference of" else "Derivative by"
    plot_with(list(x = x$x[, term], y = values[, term], las = 1, pch = 20, col = "grey50",
                   xlab = name, ylab = paste(kind, name), main = if (single) title), ...)
    abline(h = 0, col = "grey70", lty = 2)
    draw_smooth(x$x[, term], values[, term])
  }
  if (!single && nzchar(title)) mtext(title, outer = TRUE, font = 2)
}

# Where the feature has enough values for one.
draw_smooth <- function(x, y) {
  fine <- is.finite(x) & is.finite(y)
  if (length(unique(x[fine])) < 5) return(invisible())
  lines(stats::lowess(x[fine], y[fine]), col = "red", lwd = 1.5)
}
