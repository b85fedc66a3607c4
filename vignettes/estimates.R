# Error curves of estimators over repetitions of an experiment (other folds, other basis vectors,
# other data), for the article cross-validation and its scripts in bench/. The distance of the mean
# from the error on new rows says how far an estimator is off, the variance how much it depends on
# chance. Figures 1 to 8 of the 2012 paper are of this kind.

# One named argument for each estimator: repetitions x lambdas, or a vector for a single repetition.
# A data frame of `estimator`, `lambda`, `mean`, `variance` and `repetitions`.
cv_estimates <- function(..., lambda) {
  curves <- lapply(list(...), rbind)
  do.call(rbind, lapply(names(curves), function(name) {
    curve <- unname(curves[[name]])
    data.frame(estimator = factor(name, names(curves)), lambda = lambda, mean = colMeans(curve),
               variance = apply(curve, 2, var), repetitions = nrow(curve))
  }))
}

# The curves along lambda, which falls to the right, with bars of one standard error, and beside
# them their variances. Without repetitions there is only the mean.
plot_estimates <- function(x, what = c("mean", "variance"), ...) {
  if (all(is.na(x$variance))) what <- "mean"
  old <- par(mfrow = c(1, length(what)), mar = c(6, 5.5, 1, 1), mgp = c(3.8, 0.8, 0))
  on.exit(par(old))
  for (panel in what) draw_estimates(x, panel, legend = panel == what[1], ...)
}

draw_estimates <- function(x, panel, legend,
                           ylab = c(mean = "Mean of the estimates",
                                    variance = "Variance of the estimates")[[panel]]) {
  wide <- function(values) tapply(values, list(x$lambda, x$estimator), identity)
  curves <- wide(x[[panel]])
  error <- wide(if (panel == "mean") sqrt(x$variance / x$repetitions) else 0 * x$variance)
  error[is.na(error)] <- 0
  lambda <- sort(unique(x$lambda))
  names <- levels(x$estimator)
  colours <- hcl.colors(max(3, length(names)), "Dark 3")[seq_along(names)]
  matplot(lambda, curves, type = "l", lty = seq_along(names), lwd = 2, col = colours, las = 1,
          log = if (panel == "variance") "xy" else "x", xlim = rev(range(lambda)),
          ylim = range(curves - error, curves + error, na.rm = TRUE), xlab = "", ylab = ylab)
  title(xlab = expression(lambda), line = 2.5)
  segments(lambda, curves - error, lambda, curves + error,
           col = rep(colours, each = length(lambda)))
  # Below both panels.
  if (legend) {
    legend(10^par("usr")[1], grconvertY(0.55, "inches"), names, lty = seq_along(names), lwd = 2,
           col = colours, ncol = 2, xpd = NA, bty = "n", cex = 0.9)
  }
}
