# The values of effects at rows, their averages, and what these are of the coefficients.

# values: rows x terms x outputs, of the complete rows; average: terms x outputs; functionals:
# coefficients x terms, what every coefficient adds to the averages, NULL where that is not known.
effect_values <- function(fit, rows, effects, expansion) {
  x <- rows$x[rows$complete, , drop = FALSE]
  values <- array(0, c(nrow(x), length(effects), ncol(fit$response$y)))
  averages <- vector("list", length(effects))
  difference <- vapply(effects, `[[`, NA, "difference")
  if (!all(difference)) slopes <- expansion_slopes(fit, expansion, x, rows$share)
  for (i in seq_along(effects)) {
    if (difference[i]) {
      change <- first_difference(fit, expansion, rows_at(fit, rows, effects[[i]], 1),
                                 rows_at(fit, rows, effects[[i]], 2), rows$share)
      values[, i, ] <- change$values
      averages[i] <- list(change$average)
    } else {
      column <- effects[[i]]$column
      values[, i, ] <- slopes$slopes[, column, ]
      averages[i] <- list(slopes$average[, column])
    }
  }
  list(values = values, average = colSums(rows$share * values),
       functionals = do.call(cbind, averages))
}

# The values of features as they are drawn, rows x terms.
effect_features <- function(rows, effects, terms) {
  x <- vapply(effects, function(effect) {
    if (is.null(effect$variable)) as.double(rows$x[, effect$column])
    else as.double(as.character(rows$frame[[effect$variable]]) == as.character(effect$level))
  }, numeric(nrow(rows$x)))
  matrix(x, nrow(rows$x), length(terms), dimnames = list(rows$names, terms))
}
