#' Figures of fits and derivatives as ggplots
#'
#' What [plot()][plot.sparserls_fit] draws, as a ggplot to which layers can be added. Methods for
#' the generic of ggplot2, registered when that is loaded; [tidiers] has those of error curves.
#'
#' @param object a fit of [sparserls()], [rls()] or [rls2()]; or [derivatives()].
#' @param what as for [plot.sparserls_fit()], [plot.rls2()], and [plot()][derivatives()] of
#'   derivatives.
#' @param against,output,terms as for the same.
#' @param labels how many lines have a colour and a name, at most; the others are grey.
#' @param ... unused.
#' @return A ggplot.
#' @examples
#' fit <- rls(lpsa ~ . - train, data = prostate, subset = train)
#' if (requireNamespace("ggplot2", quietly = TRUE)) {
#'   ggplot2::autoplot(fit)
#' }
#' @usage
#' \method{autoplot}{sparserls_fit}(object, what = c("coefficients", "df"),
#'         against = c("df", "lambda"), output = 1, labels = 8, ...)
#'
#' \method{autoplot}{rls2}(object, what = c("coefficients", "weights"),
#'         against = c("df", "lambda"), output = 1, labels = 8, ...)
#'
#' \method{autoplot}{derivatives}(object, what = c("distribution", "against", "weights"),
#'         terms = NULL, output = 1, ...)
#' @name autoplot.sparserls_fit
NULL

#' @rdname autoplot.sparserls_fit
#' @usage NULL
#' @exportS3Method ggplot2::autoplot
autoplot.sparserls_fit <- function(object, what = c("coefficients", "df"),
                                   against = c("df", "lambda"), output = 1, labels = 8, ...) {
  check_dots(..., known = names(formals()))
  check_path_drawn(object)
  refuse_feature(what, object, c("coefficients", "df"))
  if (missing(what) && !is_linear(object)) what <- "df"
  if (missing(against) && is.null(object$df)) against <- "lambda"
  what <- check_choice(what, c("coefficients", "df"), "what")
  against <- check_choice(against, c("df", "lambda"), "against")
  if (what == "df") return(autoplot_df(object))
  profile <- slope_profile(object, check_output(output, object), against)
  autoplot_profile(profile, slope_names(object), slope_label(object), against, labels,
                   drawn_output(object, output))
}

#' @rdname autoplot.sparserls_fit
#' @usage NULL
#' @exportS3Method ggplot2::autoplot
autoplot.rls2 <- function(object, what = c("coefficients", "weights"), against = c("df", "lambda"),
                          output = 1, labels = 8, ...) {
  check_dots(..., known = names(formals()))
  if (missing(what) && !is.null(object$kernels)) what <- "weights"
  what <- check_choice(what, c("coefficients", "weights"), "what")
  against <- check_choice(against, c("df", "lambda"), "against")
  profile <- rls2_profile(object, what, check_output(output, object), against)
  label <- if (what == "weights") "Weight" else slope_label(object)
  autoplot_profile(profile, object$names, label, against, labels, drawn_output(object, output))
}

# Two panels with axes of their own.
autoplot_df <- function(fit) {
  check_df_drawn(fit)
  quantities <- c("Degrees of freedom", "Explained share")
  curves <- data.frame(lambda = fit$lambda, value = c(fit$df, fit$dev.ratio),
                       quantity = factor(rep(quantities, each = length(fit$lambda)), quantities))
  ggplot2::ggplot(curves, columns(x = "lambda", y = "value")) +
    (if (length(fit$lambda) > 1) ggplot2::geom_line() else ggplot2::geom_point()) +
    ggplot2::facet_wrap("quantity", scales = "free_y") +
    lambda_scale(fit$lambda) +
    ggplot2::expand_limits(y = 0) +
    ggplot2::labs(x = expression(lambda), y = NULL)
}

# profile: see draw_profile().
autoplot_profile <- function(profile, names, label, against, labels, title) {
  labels <- check_count(labels, "labels")
  shown <- which(apply(abs(profile$y), 1, max) > 0)
  if (length(shown) == 0) shown <- 1L
  order <- shown[order(abs(profile$end[shown]), decreasing = TRUE)]
  named <- head(names[order], labels)
  lines <- data.frame(
    at = rep(profile$x, each = length(order)), value = as.vector(profile$y[order, ]),
    # The largest last: no line of others lies on theirs.
    term = factor(names[order], rev(names[order]))
  )
  lines$named <- factor(ifelse(lines$term %in% named, as.character(lines$term), "others"),
                        c(named, "others"))
  ggplot2::ggplot(lines, columns(x = "at", y = "value", group = "term", colour = "named")) +
    (if (length(profile$x) > 1) ggplot2::geom_line() else ggplot2::geom_point()) +
    ggplot2::scale_colour_manual(values = c(line_colours(length(named)), "grey75")) +
    (if (against == "lambda") lambda_scale(profile$x)) +
    ggplot2::expand_limits(y = 0) +
    legend_below(levels(lines$named)) +
    ggplot2::labs(x = if (against == "df") "Degrees of freedom" else expression(lambda),
                  y = label, colour = NULL, title = title)
}

#' @rdname autoplot.sparserls_fit
#' @usage NULL
#' @exportS3Method ggplot2::autoplot
autoplot.derivatives <- function(object, what = c("distribution", "against", "weights"),
                                 terms = NULL, output = 1, ...) {
  check_dots(..., known = names(formals()))
  figure <- effects_figure(object, what, terms, output)
  if (figure$what == "weights") return(autoplot_weights(figure))
  averages <- figure$terms
  averages$term <- factor(averages$name, averages$name)
  rows <- nrow(figure$values)
  each <- data.frame(term = rep(averages$term, each = rows),
                     difference = rep(averages$difference, each = rows),
                     at = as.vector(figure$at), value = as.vector(figure$values))
  each <- each[stats::complete.cases(each), ]
  draw <- if (figure$what == "against") autoplot_against else autoplot_distributions
  draw(each, averages, figure$label) +
    ggplot2::labs(title = figure$title, caption = paste(figure$note, collapse = "\n")) +
    # Half of the label of a tick may stand beyond the panel.
    ggplot2::theme(plot.margin = ggplot2::margin(5.5, 22, 5.5, 5.5))
}

# As in plot().
autoplot_distributions <- function(each, averages, label) {
  known <- averages[!is.na(averages$low), ]
  boxes <- averages$term[averages$box]
  ggplot2::ggplot(each[each$term %in% boxes, ], columns(x = "value", y = "term")) +
    ggplot2::geom_vline(xintercept = 0, linetype = "dashed", colour = "grey70") +
    ggplot2::geom_boxplot(fill = "grey90", outlier.size = 0.6, outlier.colour = "grey60") +
    ggplot2::geom_linerange(columns(xmin = "low", xmax = "high", y = "term"), known,
                            inherit.aes = FALSE, colour = "steelblue", linewidth = 1.2) +
    ggplot2::geom_point(columns(x = "average", y = "term"), averages, colour = "red", size = 2) +
    ggplot2::scale_y_discrete(limits = rev(levels(averages$term))) +
    ggplot2::labs(x = label, y = NULL)
}

# The values of a first difference beside its interval, where derivatives have their feature.
autoplot_against <- function(each, averages, label) {
  differences <- each[each$difference, ]
  averages <- averages[averages$difference, ]
  each <- each[!each$difference, ]
  smooths <- do.call(rbind, lapply(split(each, each$term, drop = TRUE), function(rows) {
    smooth <- smooth_of(rows$at, rows$value)
    if (!is.null(smooth)) data.frame(term = rows$term[1], at = smooth$x, value = smooth$y)
  }))
  figure <- ggplot2::ggplot(each, columns(x = "at", y = "value")) +
    ggplot2::geom_hline(yintercept = 0, linetype = "dashed", colour = "grey70") +
    ggplot2::geom_point(colour = "grey50", size = 0.8) +
    (if (!is.null(smooths)) ggplot2::geom_line(data = smooths, colour = "red")) +
    ggplot2::facet_wrap("term", scales = "free") +
    ggplot2::labs(x = NULL, y = label)
  if (nrow(averages) == 0) return(figure)
  figure +
    ggplot2::geom_point(data = differences, colour = "grey60", shape = "-", size = 5) +
    ggplot2::geom_linerange(columns(x = "at", ymin = "low", ymax = "high"),
                            transform(averages, at = 0.5), inherit.aes = FALSE, na.rm = TRUE,
                            colour = "steelblue", linewidth = 1.2) +
    ggplot2::geom_point(columns(x = "at", y = "average"), transform(averages, at = 0.5),
                        colour = "red", size = 2)
}
