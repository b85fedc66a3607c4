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
