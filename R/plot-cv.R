#' Plot a cross-validation curve
#'
#' The error against lambda on a log scale, with bars of one standard error and dashed lines at
#' `lambda.min` and `lambda.1se`. The axis above shows the effective degrees of freedom. Where
#' several kernels or sizes of the basis were searched there is one curve for each, and bars for the
#' best only, whose curve is thicker; beyond eight curves those of the worst are grey, without a
#' name. For classes `what = "calibration"` shows how good their probabilities are: the share of
#' held-out rows of a class against its predicted probability.
#'
#' @param x a result of [cv.sparserls()], [cv.rls()] or [cv.rls2()]. (Of [cv.greedyrls()] see
#'   [plot.cv.greedyrls()].)
#' @param sign.lambda `-1`: lambda falls from left to right; `1`: it grows.
#' @param what `"error"` or `"calibration"`, see below.
#' @param log `"y"`: errors on a log scale; `""`: as they are. `NULL`: on a log scale where the
#'   errors that are drawn span a factor of ten, never where more is better or one is not positive.
#'   (Bars that would leave the scale end at half of the smallest error.) lambda is on one always.
#' @param ... passed on to [graphics::plot()].
#' @return `x`, invisibly.
#' @section Errors: `sparserls_error_device` for a figure that is too small for its margins, in all
#'   plots of the package.
#' @section Which way lambda runs: In all plots of the package, those of ggplot2 too, models grow
#'   from left to right: simple ones, with large values of lambda or of the penalty, are on the
#'   left, those with many degrees of freedom or features on the right. lambda is on a log scale
#'   (base 10) with its own values at the ticks. (glmnet's figures of errors had it the other way
#'   round for long, which is `sign.lambda = 1`.)
#' @section Calibration: The held-out rows in at most ten bins of about equal weight, by their
#'   probability at `lambda.min` (of [cv.greedyrls()] `k.min`): the share of those that are of the
#'   class against the mean probability, with bars of one standard error (over groups where there
#'   are some). On the diagonal probabilities are what they say. Of two classes the probabilities of
#'   the second, of more those of all classes together. The numbers are the field
#'   `calibration$bins`. The probabilities come from the same held-out scores, by two numbers for
#'   each class; with a `family` they are the held-out means, and nothing is fitted to them.
#' @examples
#' set.seed(1)
#' plot(cv.sparserls(lpsa ~ . - train, data = prostate, basis = 30))
#' plot(cv.rls(lpsa > 2.5 ~ . - train, data = prostate), what = "calibration")
#' @export
plot.sparserls_cv <- function(x, sign.lambda = -1, what = c("error", "calibration"), log = NULL,
                              ...) {
  what <- check_choice(what, c("error", "calibration"), "what")
  if (what == "calibration") return(plot_calibration(x, ...))
  if (!path_axis(x$fit)$between) {
    draw_steps(x, log, ...)
    return(invisible(x))
  }
  refuse_feature(sign.lambda, x$fit)
  check_lambda_axis(x, sign.lambda)
  several <- length(x$curves) > 1
  named <- if (several) named_curves(x)
  errors <- c(x$cvm, if (several) unlist(lapply(x$curves, `[[`, "cvm")))
  logged <- logs_errors(log, errors, x$name)
  low <- bar_ends(x$cvlo, errors, logged)
  names <- if (several) curve_labels(x)[named]
  layout <- legend_layout(names)
  old <- par(mar = par("mar") + c(layout$lines, 0, 0, 0))
  on.exit(par(old))
  plot_with(list(
    x = x$lambda, y = x$cvm, type = "n", las = 1, log = if (logged) "xy" else "x", xaxt = "n",
    xlab = expression(lambda), ylab = x$name[[1]],
    xlim = lambda_limits(c(x$lambda, unlist(lapply(x$curves, `[[`, "lambda"))), sign.lambda),
    ylim = error_range(x$cvm, x$cvup, low, errors)
  ), ...)
  lambda_axis(...)
  if (several) draw_curves(x, named)
  draw_bars(x$lambda, low, x$cvup)
  points(x$lambda, x$cvm, pch = 20, col = "red")
  abline(v = c(x$lambda.min, x$lambda.1se), lty = 2, col = "grey40")
  if (several) {
    draw_legend(layout, names, col = curve_colours(x, named)[named], lwd = curve_widths(x)[named])
  }
  df_axis(x)
  invisible(x)
}

check_lambda_axis <- function(x, sign.lambda) {
  if (!is_number(sign.lambda) || abs(sign.lambda) != 1) {
    abort("argument", "`sign.lambda` must be 1 or -1.", shown(sign.lambda))
  }
  if (!any(is.finite(x$lambda))) {
    abort("lambda", "There is no finite `lambda` to draw the error against.", NULL,
          "Fit again with other values of `lambda` beside Inf.")
  }
}

# Above: degrees of freedom at some values of lambda.
df_axis <- function(x) {
  if (is.null(x$fit$df)) return(invisible())
  ticks <- seq(1, length(x$lambda), by = ceiling(length(x$lambda) / 8))
  axis(3, at = x$lambda[ticks], labels = signif(path_df(x$fit)[ticks], 2), tick = FALSE,
       line = -0.5, cex.axis = 0.8)
  mtext("df", side = 3, line = 0.5, at = 10^par("usr")[1], adj = 2.2, cex = 0.8)
}

# Errors at values that have none between them, at equal distances. inner: the errors that training
# minimized, or NULL.
draw_steps <- function(x, log, ..., inner = NULL) {
  axis <- path_axis(x$fit)
  at <- seq_along(axis$values)
  names <- if (!is.null(inner)) c("honest", "minimized")
  logged <- logs_errors(log, c(x$cvm, inner), x$name)
  low <- bar_ends(x$cvlo, c(x$cvm, inner), logged)
  layout <- legend_layout(names)
  old <- par(mar = par("mar") + c(layout$lines, 0, 0, 0))
  on.exit(par(old))
  plot_with(list(x = at, y = x$cvm, type = "n", las = 1, xaxt = "n", xlab = axis$title,
                 ylab = x$name[[1]], log = if (logged) "y" else "",
                 ylim = error_range(x$cvm, x$cvup, low, inner)), ...)
  step_axis(axis)
  draw_bars(at, low, x$cvup)
  if (!is.null(inner)) lines(at, inner, type = "b", pch = 1, col = "steelblue")
  points(at, x$cvm, pch = 20, col = "red")
  abline(v = x$index[, 1], lty = 2, col = "grey40")
  if (!is.null(inner)) {
    draw_legend(layout, names, col = c("red", "steelblue"), pch = c(20, 1), lty = c(NA, 1))
  }
}

# Where there are kinds, each is named once, below its steps.
step_axis <- function(axis) {
  at <- seq_along(axis$values)
  graphics::axis(1, at, format_values(axis$values))
  if (is.null(axis$kind)) return(invisible())
  middles <- tapply(at, axis$kind, mean)
  mtext(names(middles), 1, 1.9, at = middles, cex = 0.8 * par("cex"))
}

# From the best on.
ordered_curves <- function(x) {
  best <- vapply(x$curves, function(curve) curve$cvm[[curve$index[["min"]]]], 0)
  order(abs(best - x$cvm[[x$index[["min", 1]]]]))
}

# Those with a name and a colour: the eight nearest to the best.
named_curves <- function(x) sort(head(ordered_curves(x), 8))

# The best is thicker, and the legend says so.
curve_widths <- function(x) replace(rep(1.5, length(x$curves)), ordered_curves(x)[1], 3)

curve_labels <- function(x) {
  names <- curve_names(x$curves)
  if (length(names) == 1) return(names)
  best <- ordered_curves(x)[1]
  replace(names, best, paste(names[best], "(best)"))
}

curve_colours <- function(x, named) {
  colours <- rep("grey80", length(x$curves))
  replace(colours, named, line_colours(length(named)))
}

draw_curves <- function(x, named) {
  colours <- curve_colours(x, named)
  widths <- curve_widths(x)
  for (i in c(setdiff(seq_along(x$curves), named), named)) {
    curve <- x$curves[[i]]
    lines(curve$lambda, curve$cvm, col = colours[i], lwd = widths[i])
  }
}

# What tells curves apart: the numbers that differ where the kernels are otherwise the same, else
# the kernels; and the size of the basis where sizes were searched.
curve_names <- function(curves) {
  numbers <- candidate_numbers(curves)
  if (length(unique(family_labels(curves))) == 1 && !anyNA(numbers$gamma)) {
    numbers <- numbers[setdiff(names(numbers), "multiple")]
    differ <- names(Filter(function(x) length(unique(x[!is.na(x)])) > 1, numbers))
    named <- lapply(differ, function(name) {
      paste(sub("size", "n", name), "=", vapply(numbers[[name]], format, "", digits = 3))
    })
    return(do.call(paste, c(named, sep = ", ")))
  }
  vapply(curves, function(curve) {
    kernel <- format(replace(curve$kernel, "multiple", list(NULL)))
    paste(c(kernel, if (!is.null(curve$size)) sprintf("n = %d", curve$size)), collapse = ", ")
  }, "")
}

#' @rdname tidiers
#' @usage NULL
#' @exportS3Method ggplot2::autoplot
autoplot.sparserls_cv <- function(object, what = c("error", "calibration"), sign.lambda = -1,
                                  log = NULL, ...) {
  check_dots(..., known = names(formals()))
  refuse_feature(what, object$fit, c("error", "calibration"))
  what <- check_choice(what, c("error", "calibration"), "what")
  if (what == "calibration") return(autoplot_calibration(object))
  if (!path_axis(object$fit)$between) return(autoplot_steps(object, log))
  check_lambda_axis(object, sign.lambda)
  several <- length(object$curves) > 1
  own <- tidy.sparserls_cv(object)
  curves <- if (several) named_table(object) else own[is.finite(own$lambda), ]
  figure <- error_figure(own, "lambda", curves$estimate, object$name, log,
                         c(object$lambda.min, object$lambda.1se)) +
    lambda_scale(curves$lambda, sign.lambda) +
    ggplot2::labs(x = expression(lambda), y = object$name[[1]])
  if (!several) return(figure)
  colours <- c(line_colours(nlevels(curves$curve) - any(curves$curve == "others")), "grey80")
  figure + legend_below(levels(curves$curve)) +
    ggplot2::geom_line(columns(x = "lambda", y = "estimate", colour = "curve", group = "number"),
                       curves) +
    ggplot2::scale_colour_manual(values = colours, name = NULL)
}

# The errors of all candidates, a row for each finite lambda; without a name those that plot() has
# in grey.
named_table <- function(cv) {
  names <- curve_labels(cv)
  shown <- names[named_curves(cv)]
  curves <- do.call(rbind, lapply(seq_along(names), function(i) {
    name <- if (names[i] %in% shown) names[i] else "others"
    data.frame(curve = name, number = i, lambda = cv$curves[[i]]$lambda,
               estimate = cv$curves[[i]]$cvm)
  }))
  curves$curve <- factor(curves$curve, c(unique(shown), if ("others" %in% curves$curve) "others"))
  curves[is.finite(curves$lambda), ]
}
