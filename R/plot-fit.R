#' Plot the path of a fit
#'
#' With the linear kernel a ridge trace: a line for the coefficient of every feature, with the names
#' of the largest at its end and all others grey. The title says which class or output is drawn.
#' With other kernels the effective degrees of freedom against lambda and, on the right axis, the
#' share of the sum of squares (with a `family` of the deviance) that the fit explains.
#'
#' @param x a fit of [sparserls()] or [rls()]. (Of [rls2()] see [plot.rls2()].)
#' @param what `"coefficients"`, the slopes of the features as they entered the fit, standardized
#'   unless `standardize = FALSE` (linear kernel only), or
#'   `"df"`, degrees of freedom and explained share. The first that there is by default.
#' @param against what coefficients are drawn against: `"df"`, the degrees of freedom, or
#'   `"lambda"`, on a log scale that falls to the right.
#' @param output which output's coefficients, a number.
#' @param labels how many lines get a name.
#' @param ... passed on to [graphics::matplot()] (`"df"`: [graphics::plot()]).
#' @return `x`, invisibly.
#' @section Errors: `sparserls_error_argument` for a profile or output that the fit does not have.
#' @examples
#' fit <- rls(lpsa ~ . - train, data = prostate, subset = train)
#' plot(fit)
#' plot(fit, "df")
#' @export
plot.sparserls_fit <- function(x, what = c("coefficients", "df"), against = c("df", "lambda"),
                               output = 1, labels = 10, ...) {
  check_path_drawn(x)
  refuse_feature(what, x, c("coefficients", "df"))
  if (missing(what) && !is_linear(x)) what <- "df"
  if (missing(against) && is.null(x$df)) against <- "lambda"
  what <- check_choice(what, c("coefficients", "df"), "what")
  against <- check_choice(against, c("df", "lambda"), "against")
  output <- check_output(output, x)
  if (what == "df") {
    draw_df(x, ...)
  } else {
    profile <- slope_profile(x, output, against)
    draw_profile(profile, slope_names(x), slope_label(x), against, labels, ...,
                 title = drawn_output(x, output))
  }
  invisible(x)
}

# x: one value for each lambda; y: features x lambdas; end: the values at the right end.
slope_profile <- function(fit, output, against) {
  if (!is_linear(fit)) {
    abort("argument", "Only fits with the plain linear kernel have coefficients to draw.",
          if (!is.null(fit$kernel)) format(fit$kernel), "Use what = \"df\".")
  }
  if (against == "df") check_df_known(fit)
  p <- fit$blueprint$p
  values <- array(coef(fit), c(p + 1, ncol(fit$response$y), length(fit$lambda)))
  y <- matrix(values[-1, output, ], p)
  if (is_standardized(fit)) y <- y * fit$standard$scale
  list(x = fit[[against]], y = y, end = y[, if (against == "df") which.max(fit$df)
                                            else which.min(fit$lambda)])
}

check_df_known <- function(fit) {
  if (!is.null(fit$df)) return(invisible())
  abort("argument", sprintf("Fits of %s() do not know their degrees of freedom.", class(fit)[1]))
}

# Families with another axis have a plot of their own, or none.
check_path_drawn <- function(fit) {
  axis <- path_axis(fit)$name
  if (axis == "lambda") return(invisible())
  abort("argument", sprintf("Fits of %s() have no path of lambda to draw.", class(fit)[1]),
        sprintf("a path of `%s`", axis))
}

check_df_drawn <- function(fit) {
  check_df_known(fit)
  if (!is.null(fit$dev.ratio)) return(invisible())
  abort("argument", sprintf("Fits of %s() do not know the share that they explain.",
                            class(fit)[1]))
}

# The degrees of freedom on the left axis, the explained share stretched to the same range.
draw_df <- function(fit, ...) {
  check_df_drawn(fit)
  names <- c("degrees of freedom", "explained share")
  layout <- legend_layout(names)
  mar <- par("mar")
  old <- par(mar = c(mar[1] + layout$lines, mar[2:3], mar[2]))
  on.exit(par(old))
  top <- max(fit$df)
  plot_with(list(x = fit$lambda, y = fit$df, type = "l", lwd = 1.5, las = 1, log = "x", xaxt = "n",
                 xlim = lambda_limits(fit$lambda), ylim = c(0, top), xlab = expression(lambda),
                 ylab = "Degrees of freedom"), ...)
  lambda_axis(...)
  lines(fit$lambda, top * fit$dev.ratio, col = "steelblue", lwd = 1.5, lty = 2)
  ticks <- pretty(c(0, 1))
  axis(4, top * ticks, ticks, las = 1, col.axis = "steelblue")
  mtext("Explained share", side = 4, line = 3, col = "steelblue")
  draw_legend(layout, names, lty = 1:2, lwd = 1.5, col = c("black", "steelblue"))
}
