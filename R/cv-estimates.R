#' Repeated cross-validation estimates
#'
#' Collects the error curves of one or more estimators over repetitions of an experiment (other
#' folds, other basis vectors, other data), with their mean and their variance. The distance of the
#' mean from the error on new rows says how far an estimator is off, the variance how much it
#' depends on chance.
#'
#' @param ... one named argument for each estimator: a matrix with one row per repetition and one
#'   column per lambda, such as the `cvm` of [cv.sparserls()] row by row, or a vector for a single
#'   repetition.
#' @param lambda the values of lambda, one for each column.
#' @return An object of class `cv_estimates`, a data frame with the columns `estimator` (a factor),
#'   `lambda`, `mean`, `variance` (divisor r - 1; NA for a single repetition) and `repetitions`.
#' @section Errors: `sparserls_error_argument` for estimators without a name or of the wrong shape,
#'   `sparserls_error_lambda`.
#' @references Pahikkala, T., Suominen, H. and Boberg, J. (2012) Efficient cross-validation for
#'   kernelized least-squares regression with sparse basis expansions. *Machine Learning*
#'   87, 381-407. Figures 1 to 8 are of this kind.
#' @examples
#' set.seed(1)
#' x <- matrix(runif(300, -5, 5))
#' y <- sin(x[, 1]) + rnorm(300)
#' lambda <- 2^(6:-6)
#' one <- function(...) {
#'   cv.sparserls(x, y, 15, kernel_gaussian(1), lambda, nfolds = 5, ...)$cvm
#' }
#' estimates <- cv_estimates(`one basis` = t(replicate(10, one())),
#'                           `a basis for each fold` = t(replicate(10, one(reselect = TRUE))),
#'                           lambda = lambda)
#' estimates
#' plot(estimates)
#' @export
cv_estimates <- function(..., lambda = NULL) {
  curves <- list(...)
  if (length(curves) == 0 || is.null(names(curves)) || any(names(curves) == "")) {
    abort("argument", "Every estimator must be a named argument.", NULL,
          "Write cv_estimates(`leave-one-out` = curves, lambda = lambda).")
  }
  check_lambda_grid(lambda)
  parts <- lapply(names(curves), function(name) {
    curve <- as_curves(curves[[name]], length(lambda), name)
    data.frame(estimator = factor(name, names(curves)), lambda = as.double(lambda),
               mean = colMeans(curve), variance = apply(curve, 2, stats::var),
               repetitions = nrow(curve))
  })
  structure(do.call(rbind, parts), class = c("cv_estimates", "data.frame"))
}

as_curves <- function(curve, columns, name) {
  if (is.numeric(curve) && is.null(dim(curve))) curve <- matrix(curve, 1)
  if (!is.matrix(curve) || !is.numeric(curve) || ncol(curve) != columns || nrow(curve) == 0 ||
        anyNA(curve)) {
    abort("argument", sprintf("`%s` must be a numeric matrix without gaps, with %d columns.", name,
                              columns),
          describe(curve), "One row is one repetition, one column one lambda.")
  }
  curve
}

#' Plot the mean and the variance of cross-validation estimates
#'
#' Error curves against lambda (on a log scale that falls to the right), one for each estimator:
#' their mean over the repetitions, with bars of one standard error, and, beside it, their variance
#' on a log scale.
#'
#' @param x an object of [cv_estimates()].
#' @param what `"mean"` and `"variance"`, one panel each. Without repetitions there is only
#'   the mean.
#' @param ... passed on to [graphics::matplot()].
#' @return `x`, invisibly.
#' @examples
#' plot(cv_estimates(a = c(3, 1, 2), b = c(4, 2, 2), lambda = c(4, 2, 1)))
#' @export
plot.cv_estimates <- function(x, what = c("mean", "variance"), ...) {
  what <- drawn_panels(x, what)
  # Room for the long numbers of the variance.
  old <- par(mfrow = c(1, length(what)), mar = c(5, 5.5, 2, 1), mgp = c(3.8, 0.8, 0))
  on.exit(par(old))
  layout <- legend_layout(levels(x$estimator))
  par(mar = par("mar") + c(layout$lines, 0, 0, 0))
  for (panel in what) draw_estimates(x, panel, if (panel == what[1]) layout, ...)
  invisible(x)
}

drawn_panels <- function(estimates, what) {
  if (!is.character(what) || length(what) == 0 || !all(what %in% c("mean", "variance"))) {
    abort("argument", "`what` must be \"mean\", \"variance\" or both.", describe(what))
  }
  if (all(is.na(estimates$variance))) "mean" else what
}

draw_estimates <- function(x, panel, layout, ...) {
  names <- levels(x$estimator)
  wide <- function(values) tapply(values, list(x$lambda, x$estimator), identity)
  curves <- wide(x[[panel]])
  error <- wide(if (panel == "mean") sqrt(x$variance / x$repetitions) else 0 * x$variance)
  error[is.na(error)] <- 0
  logarithmic <- panel == "variance" && all(curves > 0, na.rm = TRUE)
  lambda <- sort(unique(x$lambda))
  settings <- list(x = lambda, y = curves, type = "l", lty = seq_along(names), lwd = 2,
                   col = line_colours(length(names)), las = 1, xlab = expression(lambda),
                   ylab = if (panel == "mean") "Mean of the estimates"
                          else "Variance of the estimates",
                   log = if (logarithmic) "xy" else "x", xaxt = "n", xlim = lambda_limits(lambda),
                   ylim = range(curves - error, curves + error, na.rm = TRUE))
  plot_with(settings, ..., draw = graphics::matplot)
  lambda_axis(...)
  segments(lambda, curves - error, lambda, curves + error,
           col = rep(settings$col, each = length(lambda)))
  if (!is.null(layout)) {
    draw_legend(layout, names, lty = seq_along(names), lwd = 2, col = settings$col)
  }
}
