# Tidiers of greedy selections: those of tidy.R, with `k` in place of `s`.

#' @rdname tidiers
#' @usage NULL
#' @exportS3Method generics::tidy
tidy.greedyrls <- function(x, k = NULL, ...) {
  check_dots(..., known = names(formals()))
  tidy_coefficients(x, k)
}

#' @rdname tidiers
#' @usage NULL
#' @exportS3Method generics::augment
augment.greedyrls <- function(x, data = NULL, newdata = NULL, k = length(x$selected),
                              interval = "none", level = 0.9, ...) {
  check_dots(..., known = names(formals()))
  augment_rows(x, data, newdata, interval, level, k)
}

#' @rdname tidiers
#' @usage NULL
#' @exportS3Method generics::augment
augment.cv.greedyrls <- function(x, data = NULL, newdata = NULL, k = "k.min",
                                 interval = "none", level = 0.9, ...) {
  check_dots(..., known = names(formals()))
  augment_rows(x, data, newdata, interval, level, k)
}
