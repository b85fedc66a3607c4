# Folds of rows with positions in time or space: blocks, and the buffer around what is scored.

# positions as a matrix, one row each; NULL where there are none.
check_positions <- function(positions, m, strata, repeats, spread, buffer, groups) {
  if (is.null(positions)) {
    if (!identical(buffer, 0)) abort("folds", "`buffer` needs `positions`.", shown(buffer))
    return(NULL)
  }
  numbers <- position_numbers(positions)
  if (is.null(numbers) || length(numbers) == 0 || nrow(numbers) != m || !all(is.finite(numbers))) {
    abort("folds", sprintf("`positions` must be finite numbers or dates for each of the %d rows.",
                           m), shown(positions),
          "Give a vector, or a matrix or data frame of coordinates.")
  }
  if (!is_number(buffer) || buffer < 0) {
    abort("folds", "`buffer` must be a number that is not negative.", shown(buffer),
          if (inherits(buffer, "difftime")) {
            "Dates count days, and times seconds: use as.numeric()."
          })
  }
  random <- !is.null(groups)
  given <- c("strata", "repeats", "spread")[c(!random && !is.null(strata), !random && repeats > 1,
                                              spread != "free")]
  if (length(given)) {
    abort("folds", sprintf("`positions` and `%s` cannot be given together.", given[1]), NULL,
          if (!random) "Blocks in time or space are not drawn at random.")
  }
  numbers
}

# A matrix of doubles: dates count days, date-times seconds. NULL for what is neither.
position_numbers <- function(positions) {
  if (is.data.frame(positions)) {
    columns <- lapply(positions, position_numbers)
    fine <- !any(vapply(columns, is.null, NA))
    return(if (fine) unname(do.call(cbind, columns)))
  }
  if (inherits(positions, "POSIXt")) positions <- as.POSIXct(positions)
  time <- inherits(positions, c("Date", "POSIXct"))
  if (!(time || is_real(positions)) || length(dim(positions)) > 2) return(NULL)
  matrix(as.double(unclass(positions)), NROW(positions))
}

# Rows in n blocks of nearly equal size: cut across the longest side, again and again.
blocks <- function(rows, n, positions) {
  if (n == 1) return(list(sort(rows)))
  here <- positions[rows, , drop = FALSE]
  sides <- apply(here, 2, function(x) diff(range(x)))
  along <- rows[order(here[, which.max(sides)])]
  first <- n %/% 2
  cut <- round(length(rows) * first / n)
  c(blocks(along[seq_len(cut)], first, positions),
    blocks(along[-seq_len(cut)], n - first, positions))
}

# A fold that scores these rows and leaves out those near any of them, too.
buffered <- function(score, positions, buffer) {
  # In the units of the data distances such as 0.3 are not exact.
  buffer <- buffer * (1 + tolerance("tie"))
  here <- t(positions[score, , drop = FALSE])
  low <- apply(here, 1, min) - buffer
  high <- apply(here, 1, max) + buffer
  box <- colSums(t(positions) < low | t(positions) > high) == 0
  others <- setdiff(which(box), score)
  near <- vapply(others, function(i) min(colSums((here - positions[i, ])^2)) <= buffer^2, NA)
  list(score = score, omit = c(score, others[near]))
}
