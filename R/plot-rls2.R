#' Profiles of coefficients or weights
#'
#' Draws the path of [rls2()]: a line for every feature or kernel that has weight anywhere, with the
#' names of the largest at its end and all others grey. The title says which class or output is
#' drawn.
#'
#' @param x a fit of [rls2()].
#' @param what `"coefficients"`, the slopes of the features as they entered the fit, standardized
#'   unless `standardize = FALSE` (of `kernels = NULL` only), or `"weights"`, the weights d. The
#'   first that there is by default.
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
  if (missing(what) && !is.null(x$kernels)) what <- "weights"
  what <- check_choice(what, c("coefficients", "weights"), "what")
  against <- check_choice(against, c("df", "lambda"), "against")
  output <- check_output(output, x)
  profile <- rls2_profile(x, what, output, against)
  label <- if (what == "weights") "Weight" else slope_label(x)
  draw_profile(profile, x$names, label, against, labels, ..., title = drawn_output(x, output))
  invisible(x)
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
