# testthat compares by waldo, which takes milliseconds, and loops over random cases compare ten
# thousand times. What is identical, or numbers that are equal by waldo's rule, passes here;
# testthat judges and shows all else.

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

# all.equal() has waldo's rule: the mean difference of numbers that differ, relative to their size.
are_close <- function(x, y, tolerance, ignore_attributes) {
  plain <- is.double(x) && is.double(y) && !is.object(x) && !is.object(y) && !is.null(tolerance)
  plain && isTRUE(all.equal(y, x, tolerance = tolerance, check.attributes = !ignore_attributes))
}

# The same numbers, whatever their names.
same <- function(found, expected, tolerance = 1e-7) {
  expect_equal(unname(found), unname(expected), tolerance = tolerance)
}
