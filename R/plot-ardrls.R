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
#' @param ... passed on to [graphics::plot()].
#' @return `x`, invisibly.
#' @examples
#' set.seed(1)
#' fit <- ardrls(lpsa ~ . - train, data = prostate, basis = 30)
#' plot(fit)
#' plot(fit, type = "bars", s = 0)
#' @export
plot.ardrls <- function(x, type = c("profile", "bars", "map"), s = NULL, labels = 10,
                        directions = 3, ...)
  draw_figure(x, widths_figure(x, type, s, labels, directions), ...)

widths_figure <- function(fit, type, s, labels, directions) {
  type <- check_choice(type, c("profile", "bars", "map"), "type")
  labels <- check_count(labels, "labels")
  directions <- check_count(directions, "directions")
  switch(type, profile = relevance_figure(fit, labels),
         bars = shares_figure(fit, path_point(fit, s), labels),
         map = map_figure(fit, path_point(fit, s), labels, directions))
}

#' @rdname plot.ardrls
#' @export
plot.cv.ardrls <- function(x, type = c("error", "profile", "bars", "map"), s = "penalty.1se",
                           labels = 10, directions = 3,
                           what = c("error", "calibration", "residuals"), log = NULL, ...) {
  type <- check_choice(type, c("error", "profile", "bars", "map"), "type")
  whole <- !identical(what[1], "error") || type == "error"
  draw_figure(x, if (whole) cv_figure(x, what, log)
                 else widths_figure(x$fit, type, cv_values(x, s), labels, directions), ...)
}

# With the error that was minimized, where it is one of the measure.
error_figure.cv.ardrls <- function(cv, log, sign) {
  loss <- if (identical(names(cv$name), "mse")) cv$fit$loss
  errors_figure(cv, log, if (!is.null(loss)) {
    list(new_curve(seq_along(loss), loss, interval_colour, "minimized", "o", pch = 1))
  })
}

# For every penalty the gammas over their sum.
relevance_shares <- function(fit) prop.table(fit$relevance, 2)

relevance_figure <- function(fit, labels) {
  profile_figure(seq_along(fit$penalty), relevance_shares(fit), rownames(fit$relevance), labels,
                 "Share of the relevance", path_axis(fit))
}

shares_figure <- function(fit, at, labels) {
  figure <- bars_figure(relevance_shares(fit)[, at], rownames(fit$relevance), step_title(fit, at),
                        "Share of the relevance", labels)
  # Of a common width all shares are the same.
  if (is.infinite(fit$penalty[at])) figure$note <- "one width for all: no differences found"
  figure
}

# A bar from zero for each of the values, the largest at the top.
bars_figure <- function(values, names, title, label = "", labels = length(values)) {
  shown <- head(order(-values), labels)
  values <- values[shown]
  list(rows = data.frame(name = names[shown], estimate = values, low = 0, high = values), lines = 0,
       frame = list(xlab = label, ylab = "", main = title, xlim = range(pretty(c(0, values)))))
}

step_title <- function(x, at) {
  paste(c(if (x$kind[at] == "map") "map,", "penalty", format_values(x$penalty[at])),
        collapse = " ")
}

# A panel of bars for every direction, with its share of the relevance, of the columns with the
# largest loadings.
map_figure <- function(fit, at, labels, directions) {
  must(fit$kind[at] == "map", "penalty",
       "At this step of the path the kernel has widths, and no map.", step_title(fit, at),
       if (has_maps(fit)) path_of_penalties(fit) else "Fit with `map = TRUE`.")
  part <- fit$fits[[at]]
  names <- width_names(part$columns, part$blueprint$p)
  if (!is.null(part$kernel$features)) names <- names[part$kernel$features]
  found <- map_directions(kernel_map(part$kernel), directions)
  shown <- head(order(-rowSums(found$loadings^2)), labels)
  panels <- lapply(seq_along(found$share), function(k) {
    bars_figure(found$loadings[shown, k], names[shown],
                sprintf("%d: %s %%", k, signif(100 * found$share[k], 2)))
  })
  label <- if (is_standardized(part)) "Loading (standardized features)" else "Loading"
  list(panels = panels, mar = c(2.5, 4, 3, 1),
       frame = list(xlab = label, main = step_title(fit, at)))
}

# The leading directions of a map L: `loadings`, and `share`, of the trace of L L'.
map_directions <- function(map, directions) {
  found <- turned_map(map)
  relative <- found$lengths / found$lengths[1]
  shown <- seq_len(min(directions, sum(relative > max(dim(map)) * .Machine$double.eps)))
  list(loadings = columns_at(found$map, shown), share = prop.table(relative^2)[shown])
}
