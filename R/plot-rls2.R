#' Profiles of coefficients or weights
#'
#' Draws the path of [rls2()]: a line for every feature or kernel that has weight anywhere, with the
#' names of the largest at its end.
#'
#' @param x a fit of [rls2()].
#' @param what `"coefficients"`, the slopes of the standardized features (of `kernels = NULL`
#'   only), or `"weights"`, the weights d. The first that there is by default.
#' @param against `"df"`, the degrees of freedom, or `"lambda"`, on a log scale that falls to the
#'   right.
#' @param output which output, a number.
#' @param labels how many lines get a name.
#' @param ... passed on to [graphics::matplot()].
#' @return `x`, invisibly.
#' @section Errors: `sparserls_error_argument` for a profile or output that the fit does not have.
#' @examples
#' fit <- rls2(lpsa ~ . - train, data = prostate, subset = train)
#' plot(fit)
#' plot(fit, "weights", against = "lambda")
#' @export
plot.rls2 <- function(x, what = c("coefficients", "weights"), against = c("df", "lambda"),
                      output = 1, labels = 10, ...) {
  check_model(x)
  if (missing(what) && !is.null(x$kernels)) what <- "weights"
  what <- check_choice(what, c("coefficients", "weights"), "what")
  against <- check_choice(against, c("df", "lambda"), "against")
  output <- check_output(output, x)
  profile <- rls2_profile(x, what, output, against)
  draw_profile(profile, x$names, what, against, labels, ...)
  invisible(x)
}

# A line for each of the profile's terms that is not zero everywhere, the largest with names.
draw_profile <- function(profile, names, what, against, labels, ...) {
  shown <- which(apply(abs(profile$y), 1, max) > 0)
  named <- head(shown[order(abs(profile$end[shown]), decreasing = TRUE)], labels)
  # Where no coefficient is above zero, at lambda = Inf alone, there is a line without a name.
  if (length(shown) == 0) shown <- 1L
  colours <- rep_len(grDevices::hcl.colors(8, "Dark 3"), length(shown))
  settings <- list(
    x = profile$x, y = t(profile$y[shown, , drop = FALSE]), type = "l", lty = 1, lwd = 1.5,
    col = colours, las = 1, log = if (against == "lambda") "x" else "",
    xlim = if (against == "lambda") rev(range(profile$x)) else range(profile$x),
    xlab = if (against == "df") "Degrees of freedom" else expression(lambda),
    ylab = if (what == "weights") "Weight" else "Coefficient (standardized features)"
  )
  room <- min(0.4 * max(0, nchar(names[named])), 20)
  old <- par(mar = replace(par("mar"), 4, 1 + room))
  on.exit(par(old))
  plot_with(settings, ..., draw = graphics::matplot)
  if (what == "coefficients") abline(h = 0, col = "grey70")
  if (length(named)) {
    label_lines(names[named], profile$end[named], colours[match(named, shown)])
  }
}

check_output <- function(output, fit) {
  v <- ncol(fit$response$y)
  if (!is_count(output) || output > v) {
    abort("argument", sprintf("`output` must be a whole number from 1 to %d.", v),
          describe(output))
  }
  as.integer(output)
}

# x: one value for each lambda; y: terms x lambdas; end: the values at the right end.
rls2_profile <- function(fit, what, output, against) {
  if (what == "coefficients" && !is.null(fit$kernels)) {
    abort("argument", "Only fits to features have coefficients to draw.", NULL,
          "Use what = \"weights\".")
  }
  finite <- is.finite(fit$lambda) | against == "df"
  if (!any(finite)) {
    abort("argument", "`against = \"lambda\"` needs finite values of lambda.", NULL,
          "Use against = \"df\".")
  }
  v <- nrow(fit$expansion$a0)
  values <- if (what == "weights") path_weights(fit)[, output, ]
            else fit$expansion$slope[, output + v * (seq_along(fit$lambda) - 1L), drop = FALSE]
  y <- matrix(as.vector(values), length(fit$names))[, finite, drop = FALSE]
  x <- (if (against == "df") as.matrix(fit$df)[, output] else fit$lambda)[finite]
  list(x = x, y = y, end = y[, which.max(if (against == "df") x else -x)])
}

# Names beside the ends of lines, moved apart where they would overlap.
label_lines <- function(names, y, colours) {
  order <- order(y)
  at <- y[order]
  for (i in seq_along(at)[-1]) at[i] <- max(at[i], at[i - 1] + 0.7 * par("cxy")[2])
  mtext(names[order], side = 4, line = 0.3, at = at, las = 1, cex = 0.7 * par("cex"),
        col = colours[order])
}
