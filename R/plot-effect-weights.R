# plot(effects, "weights"): how far the weights of debiased effects balance the features, as a love
# plot: a panel for each term, a line for each feature.

# Of each term that is drawn a list: term, feature, before and after of its lines, those that were
# furthest off before, the first at the top, and the term itself; `size`, what is said of its rows;
# `left`, how many features are not shown. A constant term has lines without dots.
weight_panels <- function(x, terms) {
  found <- balance(x)
  rows <- sum(x$representer$share > 0)
  most <- most_lines(terms)
  lapply(terms, function(term) {
    name <- names(x$difference)[term]
    lines <- found[found$term == name, ]
    if (!all(is.na(lines$after))) lines <- lines[!is.na(lines$after), ]
    own <- lines$feature == name
    others <- lines[!own, ]
    others <- others[order(-abs(others$before), -abs(others$after)), ]
    size <- sprintf("effective sample size %s of %d", format(x$representer$size[term], digits = 3),
                    rows)
    list(term = name, lines = rbind(head(others, most), lines[own, ]),
         size = if (untold(x)[term]) "the data cannot tell" else size,
         left = max(0, nrow(others) - most))
  })
}

# In small panels fewer have a name.
most_lines <- function(terms) if (grDevices::n2mfrow(length(terms))[1] > 2) 8 else 15

weights_label <- "Imbalance, in standard deviations"

# What the dots are, and which lines are left out.
weights_note <- function(panels) {
  left <- max(vapply(panels, `[[`, 0, "left"))
  c("hollow: without weights; filled: with them; 0: as it should be",
    if (left > 0) {
      sprintf("%d features shown, the furthest off without weights", most_lines(panels))
    })
}

draw_weights <- function(x, terms, note, ...) {
  panels <- weight_panels(x, terms)
  note <- c(note, weights_note(panels))
  single <- length(panels) == 1
  if (!single) note <- c(weights_label, note)
  old <- par(mar = c(if (single) 4 + 0.9 * length(note) else 2, 4, 3, 1), mgp = c(2, 0.6, 0),
             oma = c(if (single) 0 else length(note) + 0.5, 0, 0, 0),
             mfrow = if (single) par("mfrow") else grDevices::n2mfrow(length(panels)))
  on.exit(par(old))
  for (panel in panels) {
    par(mar = replace(par("mar"), 2, 4))
    draw_balance(panel, if (single) weights_label else "", ...)
  }
  if (single) margin_notes(note, 1, 3.3 + 0.9 * (seq_along(note) - 1))
  else mtext(note, side = 1, outer = TRUE, line = seq_along(note) - 0.5, cex = 0.7, col = "grey30")
}

draw_balance <- function(panel, label, ...) {
  lines <- panel$lines
  at <- rev(seq_len(nrow(lines)))
  plot_with(list(x = lines$before, y = at, type = "n", yaxt = "n", ylab = "", xlab = label,
                 ylim = range(at) + c(-0.5, 0.5),
                 xlim = range(lines$before, lines$after, -0.15, 0.15, na.rm = TRUE)),
            ..., left = lines$feature)
  left_axis(at, lines$feature, ...)
  abline(h = at, col = "grey93")
  abline(v = c(-0.1, 0.1), col = "grey80", lty = 3)
  abline(v = 0, col = "grey60")
  segments(lines$before, at, lines$after, at, col = "grey80")
  points(lines$before, at, pch = 21, bg = "white", col = "grey40")
  points(lines$after, at, pch = 19, col = "steelblue")
  mtext(shortened(panel$term, 0.85 * par("fin")[1], 1), line = 1.3, font = 2, cex = par("cex"))
  margin_notes(panel$size, 3, 0.2)
}

# As in plot(). Features stand in another order in every panel: rows have their numbers as names.
autoplot_weights <- function(x, terms, note) {
  panels <- weight_panels(x, terms)
  each <- do.call(rbind, lapply(panels, function(panel) {
    cbind(panel$lines, panel = paste(panel$term, panel$size, sep = "\n"))
  }))
  each$panel <- factor(each$panel, unique(each$panel))
  number <- as.character(seq_len(nrow(each)))
  each$line <- factor(number, rev(number))
  ggplot2::ggplot(each, columns(y = "line")) +
    ggplot2::geom_vline(xintercept = c(-0.1, 0.1), linetype = "dotted", colour = "grey70") +
    ggplot2::geom_vline(xintercept = 0, colour = "grey60") +
    ggplot2::geom_segment(columns(x = "before", xend = "after", yend = "line"), na.rm = TRUE,
                          colour = "grey80") +
    ggplot2::geom_point(columns(x = "before"), shape = 21, fill = "white", colour = "grey40",
                        na.rm = TRUE) +
    ggplot2::geom_point(columns(x = "after"), colour = "steelblue", na.rm = TRUE) +
    ggplot2::scale_y_discrete(labels = setNames(cut_middle(each$feature, 20), number)) +
    ggplot2::facet_wrap("panel", scales = "free_y",
                        ncol = grDevices::n2mfrow(length(panels))[2]) +
    ggplot2::theme(strip.text = ggplot2::element_text(size = ggplot2::rel(0.7))) +
    ggplot2::labs(x = weights_label, y = NULL,
                  caption = paste(c(note, weights_note(panels)), collapse = "\n"))
}
