# What tidiers of fits with one width for each feature have of their own; else see tidy.R.

#' @rdname tidiers
#' @usage NULL
#' @exportS3Method generics::tidy
tidy.ardrls <- function(x, s = NULL, ...) {
  check_dots(..., known = names(formals()))
  at <- path_points(x, s)
  each <- rep(at, each = nrow(x$relevance))
  table <- list(term = rep(rownames(x$relevance), length(at)), penalty = x$penalty[each],
                kind = if (has_maps(x)) x$kind[each], estimate = as.vector(x$relevance[, at]))
  as_table(data.frame(Filter(length, table)))
}

#' @rdname tidiers
#' @usage NULL
#' @exportS3Method ggplot2::autoplot
autoplot.ardrls <- function(object, ...) {
  check_dots(..., known = names(formals()))
  lines <- tidy.ardrls(object)
  lines$position <- as.vector(col(object$relevance))
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
    step_scale(path_axis(object)) +
    ggplot2::labs(x = "Penalty", y = "Share of the relevance", colour = NULL)
}
