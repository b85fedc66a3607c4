#' Plot a cross-validation curve
#'
#' Draws the error against lambda, with bars of one standard error and dashed lines at `lambda.min`
#' and `lambda.1se`; the axis above shows the effective degrees of freedom. `what` chooses figures
#' of calibration, residuals or influence instead.
#'
#' Every kernel and size of the basis that was searched has a curve (with a `family` only the
#' chosen one: the search was by squares). The best is thicker and the
#' only one with bars; beyond eight, the worst are grey and unnamed. Errors above 1.5 times that of
#' the null model, which has no features, are not shown.
#'
#' In all plots of the package models grow from left to right: lambda falls, degrees of freedom and
#' numbers of features rise.
#'
#' @param x a result of [cv.sparserls()], [cv.rls()] or [cv.rls2()]. (For [cv.greedyrls()] see
#'   [plot.cv.greedyrls()].)
#' @param sign.lambda `-1`: lambda falls from left to right; `1`: it rises. Or `what`:
#'   `plot(cv, "residuals")`.
#' @param what `"error"`, `"calibration"`, `"residuals"` or `"influence"`, see below.
#' @param log `"y"`: errors on a log scale; `""`: as they are; `NULL`: on a log scale where they are
#'   positive, less is better, and they span a factor of ten. lambda always has a log scale.
#' @param ... graphical parameters, passed on to [graphics::plot()].
#' @return `x`, invisibly.
#' @section Calibration: For classes: the observed share of a class against its mean predicted
#'   probability at `lambda.min` (or `k.min`), with bars of one standard error, in ten bins of
#'   held-out rows, of which wide ones are split; above, the number of rows. On the diagonal,
#'   predicted and observed shares agree. For two classes the probabilities are those of the second,
#'   for more classes all together. They are calibrated on the same held-out scores, with two
#'   parameters for each class; those of a `family` are not.
#' @section Residuals: For one output that is no class, with `keep = TRUE`. Left: held-out residuals
#'   (with a `family`, deviance residuals) against held-out predictions, with a smooth; a trend
#'   shows what the fit misses, a funnel shows noise that grows. Right: their normal quantile plot,
#'   with a line through the quartiles.
#' @section Influence: For leave-one-out, or leave-one-group-out, with `keep = TRUE`: see
#'   [influence()][influence.sparserls_cv]. Studentized held-out residuals against leverages; the
#'   three largest Cook's distances are named. One in twenty independent rows is expected beyond the
#'   dashed lines.
#' @section Errors: `sparserls_error_device` for a figure that is too small for its margins, in all
#'   plots.
#' @examples
#' set.seed(1)
#' plot(cv.sparserls(lpsa ~ . - train, data = prostate, basis = 30))
#' plot(cv.rls(lpsa > 2.5 ~ . - train, data = prostate), what = "calibration")
#' plot(cv.rls(lpsa ~ . - train, data = prostate, keep = TRUE), "residuals")
#' @importFrom stats ppoints qnorm
#' @importFrom grDevices axisTicks hcl.colors
#' @importFrom graphics box
#' @export
plot.sparserls_cv <- function(x, sign.lambda = -1,
                              what = c("error", "calibration", "residuals", "influence"),
                              log = NULL, ...) {
  if (is_string(sign.lambda)) return(plot(x, what = sign.lambda, log = log, ...))
  draw_figure(x, cv_figure(x, what, log, sign.lambda), ...)
}

cv_figure <- function(cv, what, log, sign = -1) {
  switch(
    check_choice(what[1], c("error", "calibration", "residuals", "influence"), "what"),
    error = error_figure(cv, log, sign), calibration = calibration_figure(cv),
    residuals = residuals_figure(cv), influence = influence_figure(influence(cv))
  )
}

# Errors of all that was tried, as a figure (plot-parts.R). Families add what guided their search.
error_figure <- function(cv, log, sign) UseMethod("error_figure")
error_figure.default <- function(cv, log, sign) {
  if (!path_axis(cv$fit)$between) return(errors_figure(cv, log))
  must(is_number(sign) && abs(sign) == 1, "argument", "`sign.lambda` must be 1 or -1.",
       shown(sign))
  figure <- errors_figure(cv, log, candidate_curves(cv), sign)
  if (!is.null(cv$fit$df)) {
    figure$above <- values_above(cv$lambda, path_df(cv$fit), figure$frame$xlim, "df")
  }
  figure
}

# The errors, with their bars, against lambda, or at equal distances against values that have none
# between them. curves: further ones, which the errors then lie on, or the last of which they are.
# The axis ends where models are much worse than the null model.
errors_figure <- function(cv, log, curves = NULL, sign = -1) {
  axis <- path_axis(cv$fit)
  lambda <- axis$between
  x <- if (lambda) cv$lambda else seq_along(axis$values)
  # Where there are two axes, the best column.
  column <- if (ncol(cv$index) > 1) cv$index[["min", 2]] else 1
  errors <- lapply(cv[c("cvm", "cvlo", "cvup")], function(error) as.matrix(error)[, column])
  if (!lambda || is.null(curves)) {
    curves <- c(curves, list(new_curve(x, errors$cvm, estimate_colour,
                                       if (length(curves)) "honest" else NA, "o")))
  }
  drawn <- of_curves(curves, "y")
  limit <- 1.5 * null_error(cv)
  far <- drawn > limit & any(drawn <= limit)
  drawn <- drawn[!far]
  logged <- logs_errors(log, drawn, cv$name)
  # Bars that leave a log axis are cut at half of the smallest error.
  low <- if (logged) pmax(errors$cvlo, min(drawn, na.rm = TRUE) / 2) else errors$cvlo
  list(
    curves = curves,
    frame = list(xlab = axis$title, ylab = cv$name[[1]],
                 xlim = if (lambda) lambda_limits(of_curves(curves, "x")[!far], sign)
                        else range(x) + (length(x) == 1) * c(-0.5, 0.5),
                 ylim = range(if (any(far)) pmin(errors$cvup, limit) else errors$cvup,
                              low[!any(far) | low < limit], drawn, finite = TRUE),
                 log = paste(c(if (lambda) "x", if (logged) "y"), collapse = "")),
    below = if (lambda) "lambda" else axis,
    bars = data.frame(x = x, low = low, high = errors$cvup, col = "grey60"),
    marked = setNames(x[cv$index[, if (lambda) "Lambda" else 1]], rownames(cv$index)),
    note = if (any(far)) "Errors above 1.5 times that of the null model are not shown."
  )
}

# Infinite where it is not known, or more is better.
null_error <- function(cv) {
  if (isTRUE(measure_of(cv)$maximize)) return(Inf)
  known <- cv$performance["null", "error"]
  if (isTRUE(is.finite(known))) known
  else if (isTRUE(is_null_df(path_df(cv$fit)[1]))) cv$cvm[[1]]
  else Inf
}

# One for every kernel and size, the best last, thicker and with dots. The eight nearest to the best
# have names and colours. (Those that were screened by squares have errors of another kind.)
candidate_curves <- function(cv) {
  curves <- Filter(function(curve) !isTRUE(curve$squares), cv$curves)
  if (length(curves) < 2) return(NULL)
  least <- vapply(curves, function(curve) curve$cvm[[curve$index[["min"]]]], 0)
  is_best <- vapply(curves, function(curve) {
    identical(curve$kernel, cv$kernel) && identical(curve$size, cv$size)
  }, NA)
  nearest <- order(!is_best, abs(least - cv$cvm[[cv$index[["min", 1]]]]))
  best <- nearest[1]
  named <- c(sort(head(nearest, 8)[-1]), best)
  looks <- lapply(line_looks(length(named)), function(look) c(look[-1], look[1]))
  names <- candidate_labels(curves)
  names[best] <- paste(names[best], "(best)")
  curve <- function(i, ...) {
    new_curve(curves[[i]]$lambda, curves[[i]]$cvm, ..., lwd = if (i == best) 3 else 1.5,
              type = if (i == best) "o" else "l")
  }
  c(lapply(setdiff(seq_along(names), named), curve, "grey80"),
    Map(curve, named, looks$col, names[named], lty = looks$lty))
}

# Whether errors have a log axis: as `log` says, which like that of plot.default() names axes; by
# default where they are all positive, the less the better, and span a factor of ten.
logs_errors <- function(log, errors, measure) {
  errors <- errors[is.finite(errors)]
  if (is.null(log)) {
    return(!isTRUE(measures[[names(measure)]]$maximize) && all(errors > 0) &&
             max(errors) >= 10 * min(errors))
  }
  logged <- grepl("y", check_choice(log, c("", "y", "x", "xy", "yx"), "log"))
  must(!logged || all(errors > 0), "argument", "`log = \"y\"` needs positive errors.",
       sprintf("the smallest is %s", format(min(errors))), "Use log = \"\".")
  logged
}

# How good probabilities are: the share of held-out rows that are of a class against its predicted
# probability, in bins.
calibration_figure <- function(cv) {
  calibration <- calibrated(cv)
  levels <- cv$fit$response$levels
  bins <- calibration$bins[calibration$bins$s == colnames(calibration$slope)[1], ]
  label <- if (length(levels) > 2) "Predicted probability, all classes"
           else sprintf("Predicted probability of %s", dQuote(levels[2], FALSE))
  bars <- data.frame(x = bins$predicted, low = pmax(0, bins$observed - bins$std.error),
                     high = pmin(1, bins$observed + bins$std.error), col = "grey60")
  counts <- calibration$counts
  used <- which(counts > 0)
  # For a rare class the axes end early.
  end <- max(used / 20, bars$high)
  list(curves = list(new_curve(bins$predicted, bins$observed, estimate_colour, type = "o")),
       frame = list(xlab = label, ylab = "Observed share", xlim = c(0, end), ylim = c(0, end)),
       bars = bars, diagonal = TRUE,
       above = list(at = (used - 0.5) / 20, labels = counts[used], title = "rows", upright = TRUE))
}

# Held-out residuals against held-out predictions, with a smooth, and their quantiles against those
# of the normal distribution, with a line through the quartiles: two figures side by side.
residuals_figure <- function(cv) {
  fit <- cv$fit
  must(output_count(fit) == 1 && !is_class(fit$response), "argument",
       "Residuals are drawn for a single output that is not a class.", NULL,
       if (is_class(fit$response)) "Use what = \"calibration\".")
  likelihood <- has_family(fit)
  left <- as.vector(residuals(cv, type = if (likelihood) "held-out deviance" else "held-out"))
  predicted <- as.vector(fitted(cv, type = "held-out"))[is.finite(left)]
  left <- left[is.finite(left)]
  normal <- qnorm(ppoints(length(left)))
  quartiles <- function(x) quantile(x, c(0.25, 0.75), names = FALSE)
  slope <- diff(quartiles(left)) / diff(quartiles(normal))
  through <- quartiles(left)[1] + slope * (range(normal) - quartiles(normal)[1])
  label <- if (likelihood) "Held-out deviance residual" else "Held-out residual"
  # So that thousands of dots show where they are dense.
  dots <- if (length(left) > 900) adjustcolor("grey50", 30 / sqrt(length(left))) else "grey50"
  figure <- function(x, y, line, label_below, smooth = NULL) {
    list(curves = c(list(new_curve(x, y, dots, type = "p"),
                         new_curve(range(x), line, "grey30", lty = 2)), smooth),
         frame = list(xlab = label_below, ylab = label))
  }
  list(mfrow = c(1, 2), panels = list(
    figure(predicted, left, c(0, 0), "Held-out prediction", smooth_curve(predicted, left)),
    figure(normal, sort(left), through, "Normal quantile")
  ))
}
