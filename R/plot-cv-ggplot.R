# Error curves as ggplots.

#' @rdname tidiers
#' @usage NULL
#' @exportS3Method ggplot2::autoplot
autoplot.sparserls_cv <- function(object, what = c("error", "calibration"), sign.lambda = -1,
                                  log = NULL, ...) {
  check_dots(..., known = names(formals()))
  check_model(object)
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
