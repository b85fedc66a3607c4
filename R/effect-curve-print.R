# What effect_curve() shows: print, tidy and vcov.

#' @rdname effect_curve
#' @export
print.effect_curve <- function(x, digits = max(3, getOption("digits") - 3), ...) {
  check_dots(..., known = names(formals()))
  cat("\nCall: ", deparse1(x$call), "\n\n", sep = "")
  cat(describe_curve(x), sep = "\n")
  table <- curve_table(x)
  table <- table[intersect(c("output", "value", "estimate", "std.error"), names(table))]
  names(table)[names(table) == "value"] <- x$feature
  shown <- if (is.character(x$values)) seq_along(x$values) else even_rows(length(x$values), 7)
  if (length(shown) < length(x$values)) {
    cat(sprintf("%d of %d values are shown\n", length(shown), length(x$values)))
  }
  cat("\n")
  print(table[rep(seq_along(x$values), length.out = nrow(table)) %in% shown, ], digits = digits,
        row.names = FALSE)
  invisible(x)
}

describe_curve <- function(x) {
  c(sprintf("Effect of %s%s over %s, lambda %s, %s", x$feature, describe_scale(x, " on the "),
            counted(x$nobs, "row"), format(x$lambda, digits = 4), describe_centre(x)),
    describe_errors(x),
    if (any(x$few)) sprintf("no intervals where too few %s carry the effect", x$units))
}

describe_centre <- function(x) {
  if (isTRUE(x$centre)) "less its mean over the rows"
  else if (isFALSE(x$centre)) "the level of the predictions"
  else sprintf("less that at %s", format(x$centre))
}

# A row for each value and output, with the ends of pointwise intervals.
curve_table <- function(x, level = 0.95, name = "level") {
  estimate <- as.vector(x$estimate)
  error <- as.vector(x$std.error)
  outputs <- colnames(x$estimate)
  out <- data.frame(term = rep(x$feature, length(estimate)))
  if (!is.null(outputs)) out$output <- rep(outputs, each = length(x$values))
  out$value <- rep(x$values, length.out = length(estimate))
  few <- rep_len(x$few, length(estimate))
  ends <- interval_matrix(estimate, replace(error, few | !is.finite(error), NA), x$df, NULL,
                          level = level, name = name)
  cbind(out, estimate = estimate, std.error = error, conf.low = ends[, 1], conf.high = ends[, 2])
}

#' @rdname effect_curve
#' @usage
#' \method{tidy}{effect_curve}(x, conf.level = 0.95, ...)
#' @rawNamespace S3method(generics::tidy,effect_curve)
tidy.effect_curve <- function(x, conf.level = 0.95, ...) {
  check_dots(..., known = names(formals()))
  as_table(curve_table(x, conf.level, "conf.level"))
}

#' @rdname effect_curve
#' @usage NULL
#' @export
vcov.effect_curve <- function(object, ...) {
  check_dots(..., known = "object")
  object$vcov
}
