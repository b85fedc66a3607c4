# Plots of influence: which units the fit rests on.

#' @rdname influence.sparserls_cv
#' @export
plot.unit_influence <- function(x, ...) {
  draw_figure(influence_figure(x), ...)
  invisible(x)
}

# Studentized residuals against leverage, the three units with the largest Cook's distance by name;
# beyond the dashed lines one in twenty is expected.
influence_figure <- function(x) {
  table <- x$table
  largest <- head(order(-table$cooks), 3)
  point <- function(i, ...) new_curve(table$leverage[i], table$studentized[i], ..., type = "p")
  limits <- c(0, max(table$leverage))
  line <- function(y) new_curve(limits, c(y, y), "grey40", lty = 2, lwd = 1)
  list(
    curves = c(list(line(-2), line(2), point(-largest, "grey60")),
               Map(point, largest, line_looks(length(largest))$col,
                   sprintf("%s %s (Cook's distance %s)", names(table)[1], table[[1]][largest],
                           format(table$cooks[largest], digits = 2, trim = TRUE)), pch = 19)),
    frame = list(xlab = "Leverage (degrees of freedom that it takes)", xlim = limits,
                 ylab = "Studentized held-out residual",
                 ylim = range(table$studentized, -2, 2, finite = TRUE))
  )
}
