# New rows that lie outside of the training rows of a fit, where predictions mean nothing: which
# they are, and what is done with them. ?predict.sparserls_fit says the rule.

# Scores of coded new rows, as coded_scores() has them. A warning counts those outside; of
# place_outside() with "na" they are missing.
new_scores <- function(fit, x, at) {
  force(x) # in a generic of Matrix its errors would lose their class
  scores <- coded_scores(fit, x, at)
  outside <- outside_rows(fit, x, scores)
  attr(scores, "outside") <- NULL
  if (!any(outside)) return(scores)
  if (identical(attr(x, "outside"), "na")) scores[outside, , ] <- NA
  else warn_outside(sum(outside))
  scores
}

# newdata as predict() goes on with it: as given, or coded, with features moved to their ranges, or
# marked for new_scores().
place_outside <- function(fit, newdata, outside) {
  outside <- check_choice(outside, c("warn", "clip", "na"), "outside")
  if (outside == "warn") return(newdata)
  x <- forge(fit$blueprint, newdata)
  if (outside == "na") attr(x, "outside") <- "na"
  else if (!is.null(fit$ranges)) x <- clipped(x, fit$ranges)
  as_coded(x, rownames(newdata))
}

# Of coded rows of which nothing else is asked. (Where the kernel tells, one point of the path
# does.)
rows_outside <- function(fit, x, at) {
  if (!is.null(fit$nearest)) at <- at[1]
  outside_rows(fit, x, coded_scores(fit, x, at))
}

# scores: of coded_scores(), which has found those far from the basis on its way where kernels see
# distances. (Values of a narrow kernel vanish far from the data, for training rows too: then the
# ranges alone tell.)
outside_rows <- function(fit, x, scores) {
  beyond <- beyond_ranges(fit, x)
  far <- attr(scores, "outside")
  if (is.null(far)) beyond else beyond | far
}

# Whether new rows are farther from the basis than training rows are, in the kernel's own measure
# -log k. 1 %: the ends of a numerical derivative at a training row are inside.
far_from_basis <- function(nearest, values) {
  largest <- .Call(ffi_largest, values, Inf)
  -log(largest) > 1.01 * -log(nearest) + 1e-14
}

# Rows with a feature beyond its range by more than the range; features that did not vary are not
# looked at.
beyond_ranges <- function(fit, x) {
  if (is.null(fit$ranges) || any(vapply(fit_kernels(fit), is_custom, NA))) return(logical(nrow(x)))
  width <- fit$ranges[2, ] - fit$ranges[1, ]
  looked <- which(is.finite(width) & width > 0)
  limits <- (fit$ranges + rbind(-width, width))[, looked, drop = FALSE]
  x <- x[, looked, drop = FALSE]
  if (is.matrix(x)) return(any_beyond(x, limits))
  stored <- (x@x < entries_of(x, limits[1, ]) | x@x > entries_of(x, limits[2, ])) %in% TRUE
  zero <- zeros_beyond(limits)
  seq_len(nrow(x)) %in% (x@i[stored] + 1L) |
    any_beyond(as.matrix(x[, zero, drop = FALSE]), limits[, zero, drop = FALSE])
}

# FALSE of rows with missing values.
any_beyond <- function(x, limits) {
  column <- col(x)
  (rowSums(x < limits[1, column] | x > limits[2, column]) > 0) %in% TRUE
}

# One number for each column as one for each entry that a sparse matrix stores.
entries_of <- function(x, by_column) rep(by_column, diff(x@p))

# Columns in which what is not stored is beyond the limits.
zeros_beyond <- function(limits) which(limits[1, ] > 0 | limits[2, ] < 0)

clipped <- function(x, ranges) {
  if (is.matrix(x)) {
    column <- col(x)
    x[] <- pmin(pmax(x, ranges[1, column]), ranges[2, column])
    return(x)
  }
  x@x <- pmin(pmax(x@x, entries_of(x, ranges[1, ])), entries_of(x, ranges[2, ]))
  zero <- zeros_beyond(ranges)
  if (length(zero)) x[, zero] <- clipped(as.matrix(x[, zero, drop = FALSE]),
                                           ranges[, zero, drop = FALSE])
  Matrix::drop0(x)
}

warn_outside <- function(rows) {
  if (rows == 0) return(invisible())
  warn("outside", sprintf("%s of `newdata` %s outside of the training rows.", counted(rows, "row"),
                          if (rows == 1) "lies" else "lie"), NULL,
       "Predictions mean little there. predict(outside = \"na\") leaves such rows out.",
       rows = rows)
}

# One warning for all that `code` predicts in parts.
counted_outside <- function(code) {
  rows <- 0L
  value <- withCallingHandlers(code, sparserls_warning_outside = function(w) {
    rows <<- rows + w$rows
    invokeRestart("muffleWarning")
  })
  warn_outside(rows)
  value
}
