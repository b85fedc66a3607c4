# Tidiers of greedy selections: as R/tidy.R, with numbers of features k in place of lambda.

#' @rdname tidiers
#' @usage NULL
#' @exportS3Method generics::tidy
tidy.greedyrls <- function(x, k = NULL, ...) {
  check_dots(..., known = names(formals()))
  tidy_coefficients(coef(x, k = k), list(k = path_points(x, k)), output_names(x$response))
}

#' @rdname tidiers
#' @usage NULL
#' @exportS3Method generics::tidy
tidy.cv.greedyrls <- function(x, what = c("curve", "nested"), ...) {
  check_dots(..., known = names(formals()))
  check_model(x)
  if (check_choice(what, c("curve", "nested"), "what") == "nested") return(tidy_nested(x))
  as_table(data.frame(k = as.vector(row(x$cvm)), lambda = x$lambda[col(x$cvm)],
                      estimate = as.vector(x$cvm), std.error = as.vector(x$cvsd),
                      conf.low = as.vector(x$cvlo), conf.high = as.vector(x$cvup)))
}

#' @rdname tidiers
#' @usage NULL
#' @exportS3Method generics::glance
glance.greedyrls <- function(x, ...) {
  check_dots(..., known = names(formals()))
  check_model(x)
  k <- length(x$selected)
  as_table(data.frame(nobs = x$nobs, nterms = x$blueprint$p, k = k, lambda = x$lambda,
                      criterion = x$criterion, error = selection_error(x)[k]))
}

#' @rdname tidiers
#' @usage NULL
#' @exportS3Method generics::glance
glance.cv.greedyrls <- function(x, ...) {
  check_dots(..., known = names(formals()))
  check_model(x)
  at <- x$index["min", , drop = FALSE]
  as_table(as.data.frame(c(
    list(k.min = x$k.min, k.1se = x$k.1se, lambda.min = x$lambda.min, estimate = x$cvm[at],
         std.error = x$cvsd[at]),
    nested_columns(x), class_columns(x), list(measure = names(x$name), nobs = nobs(x))
  )))
}

#' @rdname tidiers
#' @usage NULL
#' @exportS3Method generics::augment
augment.greedyrls <- function(x, data = NULL, newdata = NULL, k = length(x$selected),
                              interval = c("none", "jackknife+", "gp"), level = 0.9, ...) {
  check_dots(..., known = names(formals()))
  augment_rows(x, data, newdata, interval, level, k = k)
}

#' @rdname tidiers
#' @usage NULL
#' @exportS3Method generics::augment
augment.cv.greedyrls <- function(x, data = NULL, newdata = NULL, k = "k.min",
                                 interval = c("none", "jackknife+", "gp"), level = 0.9, ...) {
  check_dots(..., known = names(formals()))
  check_model(x)
  augment_rows(x, data, newdata, interval, level, k = cv_values(x, k))
}

#' @rdname tidiers
#' @usage NULL
#' @exportS3Method ggplot2::autoplot
autoplot.greedyrls <- function(object, ...) {
  check_dots(..., known = names(formals()))
  check_model(object)
  error <- selection_error(object)
  curve <- data.frame(k = seq_along(error), estimate = error)
  ggplot2::ggplot(curve, columns(x = "k", y = "estimate")) +
    ggplot2::geom_line() + ggplot2::geom_point() +
    ggplot2::scale_x_continuous(breaks = whole_ticks) +
    ggplot2::labs(x = "Number of features", y = sprintf("Mean squared %s", criterion_label(object)))
}

#' @rdname tidiers
#' @usage NULL
#' @exportS3Method ggplot2::autoplot
autoplot.cv.greedyrls <- function(object, what = c("error", "calibration"), log = NULL, ...) {
  check_dots(..., known = names(formals()))
  check_model(object)
  what <- check_choice(what, c("error", "calibration"), "what")
  if (what == "calibration") return(autoplot_calibration(object))
  curves <- tidy.cv.greedyrls(object)
  best <- curves[curves$lambda == object$lambda.min, ]
  curves$lambda <- factor(signif(curves$lambda, 3))
  error_figure(best, "k", curves$estimate, object$name, log, c(object$k.min, object$k.1se)) +
    ggplot2::geom_line(columns(x = "k", y = "estimate", colour = "lambda"), curves) +
    ggplot2::scale_x_continuous(breaks = whole_ticks) +
    legend_below(levels(curves$lambda)) +
    ggplot2::labs(x = "Number of features", y = object$name[[1]], colour = "lambda")
}
