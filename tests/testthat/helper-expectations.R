# testthat compares by waldo, which takes milliseconds, and loops over random cases compare ten
# thousand times. What is identical, or numbers that are equal by waldo's rule, passes here; all else
# is testthat's to judge and to show.

expect_true <- function(object, info = NULL, label = NULL) {
  if (isTRUE(as.vector(object))) return(passes(object))
  testthat::expect_true(object, info, own_label(label, substitute(object)))
}

expect_false <- function(object, info = NULL, label = NULL) {
  if (isFALSE(as.vector(object))) return(passes(object))
  testthat::expect_false(object, info, own_label(label, substitute(object)))
}

expect_identical <- function(object, expected, ..., label = NULL, expected.label = NULL) {
  if (is_same(object, expected)) return(passes(object))
  testthat::expect_identical(
    object, expected, ..., label = own_label(label, substitute(object)),
    expected.label = own_label(expected.label, substitute(expected))
  )
}

expect_equal <- function(object, expected, ..., tolerance = testthat::testthat_tolerance(),
                         ignore_attr = FALSE, label = NULL, expected.label = NULL) {
  if (is_same(object, expected) || are_close(object, expected, tolerance, isTRUE(ignore_attr))) {
    return(passes(object))
  }
  testthat::expect_equal(
    object, expected, ..., tolerance = tolerance, ignore_attr = ignore_attr,
    label = own_label(label, substitute(object)),
    expected.label = own_label(expected.label, substitute(expected))
  )
}

passes <- function(value) {
  testthat::expect(TRUE, "")
  invisible(value)
}

own_label <- function(label, expression) {
  if (is.null(label)) paste0("`", substr(deparse1(expression), 1, 200), "`") else label
}

is_same <- function(x, y) {
  identical(x, y) && (!is.character(x) || identical(Encoding(x), Encoding(y)))
}

# Of numbers that differ the mean difference, relative to the mean size of those expected.
are_close <- function(x, y, tolerance, ignore_attributes) {
  if (!is.double(x) || !is.double(y) || length(x) != length(y) || is.null(tolerance)) return(FALSE)
  if (!ignore_attributes && !identical(attributes(x), attributes(y))) return(FALSE)
  x <- as.vector(x)
  y <- as.vector(y)
  if (!identical(is.na(x), is.na(y))) return(FALSE)
  differ <- !is.na(x) & x != y
  size <- mean(abs(y[differ]))
  off <- mean(abs(x[differ] - y[differ]))
  if (is.finite(size) && size > tolerance) off <- off / size
  isTRUE(off < tolerance)
}
