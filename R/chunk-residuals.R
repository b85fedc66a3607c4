# Held-out residuals of rows in chunks, counted by their sizes, for prediction intervals.

# How many rows of positive weight of each fold have a residual of about that size: a matrix with
# the columns bin, fold, output, point (of lambda.min, lambda.1se) and count. NULL where folds hold
# groups, whose rows would have to share a vote.
rounded_residuals <- function(y, fold, weights, prediction, grouped) {
  if (grouped || is.null(fold)) return(NULL)
  used <- weights > 0
  size <- abs(prediction[used, , , drop = FALSE] - as.vector(y[used, ]))
  bin <- ceiling(log(pmax(size, .Machine$double.xmin)) / log(residual_step))
  at <- arrayInd(seq_along(size), dim(size))
  add_counts(cbind(bin = as.vector(bin), fold = fold[used][at[, 1]], output = at[, 2],
                   point = at[, 3], count = 1))
}

add_counts <- function(table) {
  if (is.null(table)) return(NULL)
  order <- order(table[, "point"], table[, "output"], table[, "fold"], table[, "bin"])
  table <- table[order, , drop = FALSE]
  keys <- table[, c("bin", "fold", "output", "point"), drop = FALSE]
  new <- c(TRUE, rowSums(diff(keys) != 0) > 0)
  cbind(keys[new, , drop = FALSE],
        count = as.vector(rowsum(table[, "count"], cumsum(new), reorder = FALSE)))
}
