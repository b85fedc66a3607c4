# Plots of derivatives(), average_effect() and balance(), as figures (plot-parts.R).

#' @rdname derivatives
#' @importFrom stats lowess
#' @export
plot.derivatives <- function(x, what = c("distribution", "against", "weights"), terms = NULL,
                             output = 1, ...)
  draw_figure(x, effects_figure(x, what, terms, output), ...)

# The terms that were asked for, or the nine strongest. Bars are 95 % intervals of averages that
# are debiased or first differences; these, and partial effects, have no boxes.
effects_figure <- function(x, what, terms, output) {
  what <- check_choice(what, c("distribution", "against", "weights"), "what")
  must(what != "against" || !inherits(x, "average_effect"), "argument",
       "Effects of moving rows have no feature of their own to be drawn against.", NULL,
       "Use what = \"distribution\" or \"weights\".")
  output <- output_place(output, length(x$titles), colnames(x$average))
  p <- length(x$difference)
  rows <- drawn_rows(x, what, output)
  spread <- term_spread(x)
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
                      difference = unname(x$difference[shown]), with_ends(found))
  partial <- inherits(x, "partial_effects")
  if (partial) terms$difference <- what == "distribution"
  else if (x$type != "debiased") terms[!terms$difference, c("low", "high")] <- NA
  terms$box <- !partial & (!terms$difference | is.na(terms$low))
  # Features have units of their own: on one axis effects are for one standard deviation of each.
  unit <- if (what == "distribution") spread[shown] else rep(1, length(shown))
  steps <- if (partial && what == "distribution") value_steps(x)[shown]
  stepped <- which(!is.na(steps))
  if (length(stepped)) {
    unit[stepped] <- steps[stepped]
    note <- c(note, "two values: from one to the other")
  }
  terms[c("estimate", "low", "high")] <- unit * terms[c("estimate", "low", "high")]
  values <- columns_at(rows$values, shown) * each_row(unit, rows$values)
  if (any(terms$name != terms$feature)) {
    note <- c(note, "* first difference: f(level) - f(first level), or f(1) - f(0)")
  }
  note <- c(note, colour_note(x, terms, what))
  label <- effects_label(x, terms$difference, what, any(unit != 1))
  title <- x$titles[[output]]
  if (what == "against") {
    return(list(panels = lapply(seq_along(shown), function(i) {
      against_figure(terms[i, ], rows$at[, shown[i]], values[, i])
    }), frame = list(main = title, ylab = label), note = note))
  }
  values[, !terms$box] <- NA
  list(rows = terms, values = values, lines = 0, note = note,
       frame = list(xlab = label, ylab = "", main = title,
                    xlim = range(values, terms[c("estimate", "low", "high")], 0, finite = TRUE)))
}

# Derivatives against the values of the feature, with a smooth; of a first difference its values for
# the rows, and the interval of its average.
against_figure <- function(term, at, values) {
  frame <- list(xlab = term$name, ylab = "")
  if (!term$difference) {
    return(list(curves = c(list(new_curve(at, values, "grey50", type = "p")),
                           smooth_curve(at, values)), zero = TRUE,
                frame = c(frame, list(ylim = range(values, finite = TRUE)))))
  }
  list(curves = list(new_curve(at, values, "grey60", type = "p", pch = 45),
                     new_curve(0.5, term$estimate, estimate_colour, type = "p", pch = 19)),
       bars = if (!is.na(term$low)) cbind(term, x = 0.5, col = interval_colour),
       zero = TRUE, frame = c(frame, list(
         xlim = c(-0.3, 1.3), xaxp = c(0, 1, 1),
         ylim = range(values, term[c("estimate", "low", "high")], 0, finite = TRUE)
       )))
}

# For every term the values of the feature, `at`, and of the derivatives, `values`, rows x terms. Of
# partial effects what others leave of the term and of the response; or, where these are not drawn,
# the estimate.
drawn_rows <- function(x, what, output) {
  p <- length(x$difference)
  m <- nrow(x$x)
  each <- function(values) matrix(rep_len(values, m * p), m)
  if (!inherits(x, "partial_effects")) {
    values <- columns_at(matrix(x$derivatives, m), (output - 1) * p + seq_len(p))
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
term_spread <- function(x) {
  if (inherits(x, "average_effect")) return(rep(1, length(x$difference)))
  spread <- rep_len(apply(x$x, 2, sd, na.rm = TRUE), length(x$difference))
  ifelse(x$difference | is.na(spread), 1, spread)
}

# From one value to the other, of numbers that have two; NA of other terms.
value_steps <- function(x) {
  steps <- apply(x$x, 2, function(v) if (length(unique(v)) == 2) diff(range(v)) else NA)
  replace(rep_len(steps, length(x$difference)), x$difference, NA)
}

# The nine terms that do most to the prediction, the root mean square of what they do, the strongest
# first. Levels of a factor stay together, in their order, as columns do that are coded with them.
strongest <- function(x, rows, spread, output) {
  size <- if (inherits(x, "partial_effects")) abs(matrix(x$average, length(x$difference))[, output])
          else sqrt(colMeans(rows$values^2, na.rm = TRUE))
  share <- if (inherits(x, "average_effect")) 1 else apply(rows$at, 2, sd, na.rm = TRUE)
  size <- size * ifelse(x$difference, share, spread)
  shown <- sort(head(order(size, decreasing = TRUE, na.last = TRUE), 9))
  family <- x$variable %||% seq_along(size)
  shown[order(-ave(size, family, FUN = max)[shown], shown)]
}

# What the colours of the figure are.
colour_note <- function(x, terms, what) {
  partial <- inherits(x, "partial_effects")
  if (partial && what == "against") return("residuals of both, given the others; line: smooth")
  dot <- if (partial) "dot: estimate" else if (x$type == "debiased") "dot: debiased average"
         else "dot: average"
  distributed <- what == "distribution"
  marked <- distributed | terms$difference
  paste(c(if (!distributed) "grey: values of the rows",
          if (!all(marked)) "line: smooth", if (any(marked)) dot,
          if (distributed && any(terms$box)) "box: values of the rows",
          if (any(!is.na(terms$low[marked]))) {
            paste0("bar: 95 % interval", if (!partial) " of its average")
          }), collapse = "; ")
}

effects_label <- function(x, difference, what, per_sd) {
  link <- identical(x$scale, "link")
  switch(class(x)[1],
    average_effect = paste("Change of the", if (link) "linear predictor" else "prediction"),
    partial_effects = if (what == "against") "Response, residuals given the others"
                      else paste0("Partial effect",
                                  if (per_sd) ", per standard deviation of numbers"),
    paste0(if (all(difference)) "First difference"
           else if (any(difference)) "Derivative or first difference" else "Derivative",
           if (link) ", linear predictor", if (per_sd) ", per standard deviation of the feature")
  )
}

# A list of the curve; empty where values are too few for one.
smooth_curve <- function(x, y) {
  fine <- is.finite(x) & is.finite(y)
  if (length(unique(x[fine])) < 5) return(NULL)
  smooth <- lowess(x[fine], y[fine])
  list(new_curve(smooth$x, smooth$y, estimate_colour))
}

# ---- weights -----------------------------------------------------------------------------
# How far the weights of debiased effects balance the features, as a love plot: a panel for each
# term, a line for each feature.

#' @export
plot.balance <- function(x, terms = NULL, ...) draw_figure(x, weights_figure(x, terms), ...)

# For each term that is drawn, at most nine by default, a panel with the eight features that were
# furthest off before, the first at the top, and the term itself. Features that are constant have
# lines without dots.
weights_figure <- function(found, terms, note = NULL) {
  known <- unique(found$term)
  must(is.null(terms) || all(terms %in% known), "argument", "`terms` must name the terms.",
       shown(terms), quoted(known, 10))
  size <- attr(found, "size")
  panels <- lapply(terms %||% head(known, 9), function(name) {
    lines <- found[found$term == name, ]
    lines <- lines[order(-abs(lines$before), -abs(lines$after)), ]
    own <- lines$feature == name
    lines <- rbind(head(lines[!own, ], 8), lines[own, ])
    list(rows = data.frame(name = lines$feature, estimate = lines$after, low = lines$before,
                           high = lines$after, before = lines$before),
         lines = c(-0.1, 0, 0.1), subtitle = size[name][!is.na(size[name])],
         frame = list(main = cut_middle(name, 24), cex.main = 1, xlab = "", ylab = "",
                      xlim = range(lines[c("before", "after")], -0.15, 0.15, na.rm = TRUE)))
  })
  list(panels = panels, mar = c(2.5, 4, 3, 1),
       frame = list(xlab = "Imbalance, in standard deviations"),
       note = c(note, "hollow: without weights; filled: with them; 0: as it should be",
                if (length(unique(found$feature)) > 9) {
                  "8 features shown, the furthest off without weights"
                }))
}
