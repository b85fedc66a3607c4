# Tidiers of fits with one width for each feature: as R/tidy.R, with penalties in place of lambda.

#' @rdname tidiers
#' @usage NULL
#' @exportS3Method generics::tidy
tidy.ardrls <- function(x, s = NULL, ...) {
  check_dots(..., known = names(formals()))
  check_model(x)
  at <- path_points(x, s)
  as_table(data.frame(term = rep(rownames(x$relevance), length(at)),
                      penalty = rep(x$penalty[at], each = nrow(x$relevance)),
                      estimate = as.vector(x$relevance[, at])))
}

#' @rdname tidiers
#' @usage NULL
#' @exportS3Method generics::tidy
tidy.cv.ardrls <- function(x, ...) {
  check_dots(..., known = names(formals()))
  check_model(x)
  as_table(data.frame(penalty = x$penalty, estimate = x$cvm, std.error = x$cvsd,
                      conf.low = x$cvlo, conf.high = x$cvup, lambda = x$fit$lambda,
                      features = carrying_counts(x$fit)))
}

#' @rdname tidiers
#' @usage NULL
#' @exportS3Method generics::glance
glance.ardrls <- function(x, ...) {
  check_dots(..., known = names(formals()))
  check_model(x)
  as_table(data.frame(nobs = x$nobs, nterms = length(x$fits[[x$at]]$basis),
                      kernel = format(x$kernel), npath = length(x$penalty)))
}

#' @rdname tidiers
#' @usage NULL
#' @exportS3Method generics::glance
glance.cv.ardrls <- function(x, ...) {
  check_dots(..., known = names(formals()))
  check_model(x)
  i <- x$index[["1se", 1]]
  as_table(as.data.frame(c(
    list(penalty.min = x$penalty.min, penalty.1se = x$penalty.1se, estimate = x$cvm[i],
         std.error = x$cvsd[i], features = carrying_counts(x$fit)[i]),
    class_columns(x, at = 2), list(measure = names(x$name), nobs = nobs(x))
  )))
}

#' @rdname tidiers
#' @usage NULL
#' @exportS3Method generics::augment
augment.ardrls <- function(x, data = NULL, newdata = NULL, s = min(x$penalty),
                           interval = c("none", "jackknife+", "gp"), level = 0.9, ...) {
  check_dots(..., known = names(formals()))
  augment_rows(x, data, newdata, interval, level, s = s)
}

#' @rdname tidiers
#' @usage NULL
#' @exportS3Method generics::augment
augment.cv.ardrls <- function(x, data = NULL, newdata = NULL, s = "penalty.1se",
                              interval = c("none", "jackknife+", "gp"), level = 0.9, ...) {
  check_dots(..., known = names(formals()))
  check_model(x)
  augment_rows(x, data, newdata, interval, level, s = cv_values(x, s))
}

#' @rdname tidiers
#' @usage NULL
#' @exportS3Method ggplot2::autoplot
autoplot.ardrls <- function(object, ...) {
  check_dots(..., known = names(formals()))
  lines <- tidy.ardrls(object)
  lines$position <- match(lines$penalty, object$penalty)
  lines$estimate <- lines$estimate / colSums(object$relevance)[lines$position]
  shares <- relevance_shares(object)
  most <- rownames(shares)[order(shares[, ncol(shares)], decreasing = TRUE)]
  named <- head(most, 8)
  lines$feature <- factor(ifelse(lines$term %in% named, lines$term, "others"), c(named, "others"))
  # The most relevant last: no line of others lies on theirs.
  lines$term <- factor(lines$term, rev(most))
  ggplot2::ggplot(lines, columns(x = "position", y = "estimate", group = "term",
                                 colour = "feature")) +
    (if (length(object$penalty) > 1) ggplot2::geom_line() else ggplot2::geom_point()) +
    ggplot2::scale_colour_manual(values = c(grDevices::hcl.colors(length(named), "Dark 3"),
                                            "grey75")) +
    ggplot2::expand_limits(y = 0) +
    legend_below(levels(lines$feature)) +
    ggplot2::scale_x_continuous(breaks = seq_along(object$penalty),
                                labels = format_values(object$penalty)) +
    ggplot2::labs(x = "Penalty", y = "Share of the relevance", colour = NULL)
}

#' @rdname tidiers
#' @usage NULL
#' @exportS3Method ggplot2::autoplot
autoplot.cv.ardrls <- function(object, what = c("error", "calibration"), log = NULL, ...) {
  check_dots(..., known = names(formals()))
  check_model(object)
  what <- check_choice(what, c("error", "calibration"), "what")
  if (what == "calibration") return(autoplot_calibration(object))
  curve <- tidy.cv.ardrls(object)
  curve$position <- seq_along(object$penalty)
  error_figure(curve, "position", curve$estimate, object$name, log, object$index[, 1]) +
    ggplot2::scale_x_continuous(breaks = curve$position, labels = format_values(object$penalty)) +
    ggplot2::labs(x = "Penalty", y = object$name[[1]])
}
