#' Plot relevances, and the honest error of a path of penalties
#'
#' @description
#' `type = "profile"`: the share that each feature has of the sum of gammas, over the path of
#' penalties, with the names of the most relevant features, as glmnet draws its coefficients.
#'
#' `type = "bars"`: the shares at one penalty, from the most relevant feature on.
#'
#' `type = "error"`, of a cross-validation: the honest error at every penalty with bars of one
#' standard error, dashed lines at `penalty.min` and `penalty.1se`, and, as a line of its own, the
#' error that was minimized, where the measure is the mean squared error. It is optimistic.
#'
#' @param x a fit of [ardrls()] or a result of [cv.ardrls()].
#' @param type what to draw, see above.
#' @param s the penalty of the bars: one value of the path, as in [predict.ardrls()], or
#'   `"penalty.1se"` or `"penalty.min"`. `NULL`: the last one.
#' @param labels how many features are named.
#' @param what of classes `"calibration"` draws how good their probabilities are at `penalty.min`,
#'   as [plot.sparserls_cv()] does it, whatever the `type`.
#' @param log of errors, `"y"` or `""`, as in [plot.sparserls_cv()].
#' @param ... passed on to [graphics::plot()], of bars to [graphics::barplot()].
#' @return `x`, invisibly.
#' @examples
#' set.seed(1)
#' fit <- ardrls(lpsa ~ . - train, data = prostate, basis = 30)
#' plot(fit)
#' plot(fit, type = "bars", s = 0)
#' @export
plot.ardrls <- function(x, type = c("profile", "bars"), s = NULL, labels = 10, ...) {
  check_model(x)
  type <- check_choice(type, c("profile", "bars"), "type")
  labels <- check_count(labels, "labels")
  if (type == "profile") draw_relevance_profile(x, labels, ...)
  else draw_relevance_bars(x, path_point(x, s), labels, ...)
  invisible(x)
}

#' @rdname plot.ardrls
#' @export
plot.cv.ardrls <- function(x, type = c("error", "profile", "bars"), s = "penalty.1se", labels = 10,
                           what = c("error", "calibration"), log = NULL, ...) {
  fit <- cv_fit(x)
  what <- check_choice(what, c("error", "calibration"), "what")
  if (what == "calibration") return(plot_calibration(x, ...))
  type <- check_choice(type, c("error", "profile", "bars"), "type")
  if (type == "error") {
    draw_steps(x, log, ..., inner = if (identical(names(x$name), "mse")) fit$loss)
  } else plot(fit, type = type, s = cv_values(x, s), labels = labels, ...)
  invisible(x)
}

# Of every penalty the gammas over their sum.
relevance_shares <- function(fit) {
  fit$relevance / rep(colSums(fit$relevance), each = nrow(fit$relevance))
}

draw_relevance_profile <- function(x, labels, ...) {
  shares <- relevance_shares(x)
  at <- seq_along(x$penalty)
  # The most relevant last: no line of others lies on theirs.
  shares <- shares[order(shares[, length(at)]), , drop = FALSE]
  last <- shares[, length(at)]
  named <- rev(tail(seq_along(last), labels))
  colours <- replace(rep("grey75", length(last)), named,
                     line_colours(length(named)))
  types <- replace(rep(1, length(last)), named, line_types(length(named)))
  names <- rownames(shares)[named]
  room <- min(0.35 * max(nchar(names)), 20)
  old <- par(mar = replace(par("mar"), c(2, 4), c(4.6, 1 + room)), mgp = c(3.5, 1, 0))
  on.exit(par(old))
  plot_with(list(x = at, y = t(shares), type = if (length(at) > 1) "l" else "p", lty = types,
                 lwd = 1.5,
                 pch = 20, col = colours, las = 1, ylim = c(0, max(shares)), xaxt = "n",
                 xlab = "Penalty",
                 ylab = "Share of the relevance"), ..., draw = graphics::matplot)
  step_axis(path_axis(x))
  label_lines(names, last[named], colours[named])
}

draw_relevance_bars <- function(x, at, labels, ...) {
  shares <- setNames(relevance_shares(x)[, at], rownames(x$relevance))
  shown <- rev(head(sort(shares, decreasing = TRUE), labels))
  old <- par(mar = par("mar"))
  on.exit(par(old))
  settings <- list(height = unname(shown), horiz = TRUE, las = 1,
                   xlim = range(pretty(c(0, shown))), border = NA, col = "steelblue",
                   xlab = "Share of the relevance",
                   main = paste(c(if (x$kind[at] == "map") "map,", "penalty",
                                  format_values(x$penalty[at])), collapse = " "))
  middles <- plot_with(settings, ..., draw = graphics::barplot, left = names(shown))
  left_axis(middles, names(shown), tick = FALSE, ...)
}
