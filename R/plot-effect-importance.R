# Plots of importance() and influence().

#' @rdname importance
#' @export
plot.sparserls_importance <- function(x, level = 0.95, ...)
  draw_figure(x, importance_figure(x, level), ...)

# The most important feature at the top, 20 at most.
importance_figure <- function(x, level) {
  table <- importance_table(x, level)
  rows <- head(data.frame(name = table$term, with_ends(table)), 20)
  more <- nrow(table) - nrow(rows)
  list(rows = rows, lines = 0, frame = list(
    xlab = sprintf("Rise of the held-out loss (%s)", tolower(x$measure)), ylab = "",
    xlim = range(0, rows[-1], finite = TRUE)
  ), note = paste(c(
    paste("feature", if (x$type == "permute") "permuted" else "left out"),
    if (!is.na(x$null)) paste("null model:", format(x$null, digits = 3)),
    sprintf("%s %% intervals over %d %s", format(100 * level), x$count, x$units),
    if (more) paste(more, "not shown")
  ), collapse = "; "))
}

# ---- influence: which units the fit rests on -------------------------------------------------

#' @rdname influence.sparserls_cv
#' @export
plot.unit_influence <- function(x, ...) draw_figure(x, influence_figure(x), ...)

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
