#' Plot relevances, and the honest error of a path of penalties
#'
#' `"profile"` draws the share that each feature has of the sum of gammas along the path; `"bars"`
#' the shares at one penalty; `"map"`, at a step that has a map L, the loadings of the columns on
#' its leading directions, with the share of the relevance that each direction has; `"error"`, of a
#' cross-validation, the honest error at every penalty with bars of one standard error, and the
#' error that was minimized, which is optimistic.
#'
#' The sign of a direction has no meaning: two columns that load on one direction act through their
#' sum or difference.
#'
#' @param x a fit of [ardrls()] or a result of [cv.ardrls()].
#' @param type what to draw.
#' @param s the penalty of the bars or the map: one value of the path, as in [predict.ardrls()], or
#'   `"penalty.1se"` or `"penalty.min"`. `NULL`: the last one.
#' @param labels how many features are named, or columns of a map drawn: those with the largest
#'   values.
#' @param directions how many directions of a map are drawn.
#' @param what,log as in [plot.sparserls_cv()]; `"calibration"` and `"residuals"` override `type`.
#' @param ... passed on to [graphics::plot()], for bars to [graphics::barplot()].
#' @return `x`, invisibly.
#' @examples
#' set.seed(1)
#' fit <- ardrls(lpsa ~ . - train, data = prostate, basis = 30)
#' plot(fit)
#' plot(fit, type = "bars", s = 0)
#' @export
plot.ardrls <- function(x, type = c("profile", "bars", "map"), s = NULL, labels = 10,
                        directions = 3, ...) {
  type <- check_choice(type, c("profile", "bars", "map"), "type")
  labels <- check_count(labels, "labels")
  directions <- check_count(directions, "directions")
  switch(type,
    profile = draw_figure(x, relevance_figure(x, labels), ...),
    bars = draw_relevance_bars(x, path_point(x, s), labels, ...),
    map = draw_step_map(x, path_point(x, s), labels, directions, ...)
  )
  invisible(x)
}

#' @rdname plot.ardrls
#' @export
plot.cv.ardrls <- function(x, type = c("error", "profile", "bars", "map"), s = "penalty.1se",
                           labels = 10, directions = 3,
                           what = c("error", "calibration", "residuals"), log = NULL, ...) {
  type <- check_choice(type, c("error", "profile", "bars", "map"), "type")
  if (!identical(what[1], "error") || type == "error") draw_figure(x, cv_figure(x, what, log), ...)
  else plot(x$fit, type = type, s = cv_values(x, s), labels = labels, directions = directions, ...)
  invisible(x)
}

#' @rdname tidiers
#' @usage NULL
#' @exportS3Method ggplot2::autoplot
autoplot.ardrls <- function(object, ...) ggplot_figure(relevance_figure(object, 8), ...)

# With the error that was minimized, where it is one of the measure.
error_figure.cv.ardrls <- function(cv, log, sign = -1) {
  loss <- if (identical(names(cv$name), "mse")) cv$fit$loss
  errors_figure(cv, log, if (!is.null(loss)) {
    list(new_curve(seq_along(loss), loss, interval_colour, "minimized", "o", pch = 1))
  })
}

# For every penalty the gammas over their sum.
relevance_shares <- function(fit) {
  fit$relevance / rep(colSums(fit$relevance), each = nrow(fit$relevance))
}

relevance_figure <- function(fit, labels) {
  profile_figure(seq_along(fit$penalty), relevance_shares(fit), rownames(fit$relevance), labels,
                 "Share of the relevance", path_axis(fit))
}

draw_relevance_bars <- function(x, at, labels, ...) {
  shares <- relevance_shares(x)[, at, drop = FALSE]
  draw_named_bars(shares, rownames(x$relevance), labels,
                  list(xlab = "Share of the relevance", main = step_title(x, at),
                       col = interval_colour), ...)
  # For a common width all shares are the same.
  if (is.infinite(x$penalty[at])) margin_notes("one width for all: no differences found", 3, 0.4)
}

# Horizontal bars of values, names x kinds; those names are shown that have the largest values.
draw_named_bars <- function(values, names, labels, settings, ...) {
  shown <- rev(head(order(rowSums(values^2), decreasing = TRUE), labels))
  values <- t(values[shown, , drop = FALSE])
  old <- par(mar = par("mar"))
  on.exit(par(old))
  middles <- plot_with(c(list(height = unname(values), beside = TRUE, horiz = TRUE, las = 1,
                              border = NA, xlim = range(pretty(c(0, values)))), settings),
                       ..., draw = graphics::barplot, left = names[shown])
  left_axis(colMeans(matrix(middles, nrow(values))), names[shown], tick = FALSE, ...)
}

step_title <- function(x, at) {
  paste(c(if (x$kind[at] == "map") "map,", "penalty", format_values(x$penalty[at])),
        collapse = " ")
}

draw_step_map <- function(x, at, labels, directions, ...) {
  must(x$kind[at] == "map", "penalty",
       "At this step of the path the kernel has widths, and no map.", step_title(x, at),
       if (has_maps(x)) path_of_penalties(x) else "Fit with `map = TRUE`.")
  fit <- x$fits[[at]]
  names <- width_names(fit$columns, fit$blueprint$p)
  if (!is.null(fit$kernel$features)) names <- names[fit$kernel$features]
  label <- if (is_standardized(fit)) "Loading (standardized features)" else "Loading"
  draw_map(kernel_map(fit$kernel), names, labels, directions, step_title(x, at), label, ...)
}

# Every direction with its share of the relevance.
draw_map <- function(map, names, labels, directions, title, label, ...) {
  found <- map_directions(map, directions)
  shares <- sprintf("%d: %s %%", seq_along(found$share), signif(100 * found$share, 2))
  draw_named_bars(found$loadings, names, labels, list(
    xlab = label, main = title, col = line_looks(length(shares))$col, legend.text = shares,
    args.legend = list(x = "bottomright", bty = "n", cex = 0.8)
  ), ...)
}

# The leading directions of a map L: `loadings`, and `share`, of the trace of L L'.
map_directions <- function(map, directions) {
  found <- turned_map(map)
  relative <- found$lengths / found$lengths[1]
  shown <- seq_len(min(directions, sum(relative > max(dim(map)) * .Machine$double.eps)))
  list(loadings = found$map[, shown, drop = FALSE], share = prop.table(relative^2)[shown])
}
