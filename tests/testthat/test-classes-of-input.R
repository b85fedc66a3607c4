# Values of odd classes are read as the numbers they hold, or refused: no method of their class
# answers for them.

x <- bad_x()
y <- bad_y()

as_table <- function(x) structure(x, class = "table")
as_s4 <- local({
  class <- setClass("sparserls_test_matrix", contains = "matrix", where = environment())
  function(x) class(x)
})
with_methods <- function(x) structure(x, class = "sparserls_test")
for (generic in c("duplicated", "anyDuplicated", "[", "is.finite", "Ops", "Summary", "unique",
                  "as.double", "t", "range")) {
  registerS3method(generic, "sparserls_test", function(...) stop("a method was called"),
                   envir = globalenv())
}
classes <- list(asis = I, table = as_table, ts = ts, s4 = as_s4)

test_that("matrices of any class give the fit of their values", {
  without_calls <- function(fit) {
    fit$call <- NULL
    if (inherits(fit, "sparserls_cv")) fit$fit$call <- NULL
    fit
  }
  fits <- list(
    function(x) sparserls(x, y, 1:8, lambda = 1),
    function(x) cv.sparserls(x, y, 1:8, lambda = c(1, 0.1), nfolds = "loo"),
    function(x) rls(x, y, kernel_gaussian(1), lambda = 1),
    function(x) greedyrls(x, y, 2),
    function(x) rls2(x, y, lambda = 1)
  )
  for (as_class in classes) {
    odd <- as_class(x)
    dimnames(odd) <- dimnames(x)
    for (fit in fits) expect_identical(without_calls(fit(odd)), without_calls(fit(x)))
    expect_identical(predict(fits[[1]](x), odd), predict(fits[[1]](x), x))
    expect_identical(unname(kernel_matrix(kernel_gaussian(1), odd, odd[1:3, ])),
                     unname(kernel_matrix(kernel_gaussian(1), x, x[1:3, ])))
  }
  gram <- tcrossprod(x)
  fit <- function(x, kernel) fitted(sparserls(x, y, 1:8, kernel, 1, standardize = FALSE))
  for (as_class in classes) {
    expect_identical(fit(as_class(gram), kernel_precomputed()), fit(gram, kernel_precomputed()))
  }
})

test_that("other numbers lose their class, too", {
  fit <- function(y = bad_y(), basis = 1:8, lambda = c(1, 0.1), weights = rep(1:2, 10),
                  gamma = 0.5) {
    fitted(sparserls(x, y, basis, kernel_gaussian(gamma), lambda, weights = weights))
  }
  same <- fit()
  odd <- with_methods
  expect_identical(fit(I(bad_y()), odd(1:8), odd(c(1, 0.1)), odd(rep(1:2, 10)), odd(0.5)), same)
})

test_that("64-bit integers and times are refused", {
  bits <- function(x) structure(x, class = "integer64")
  expect_refusals({
    sparserls(bits(x), y, 1:8) | x | "`x` must be a numeric matrix, a .. integer64 of size 20 x 3"
    sparserls(x, y, 1:8, weights = bits(y)) |
      weights | "`weights` must be numbers, .. integer64 of size 20 .. Convert 64-bit integers by"
    sparserls(x, y, bits(1:8)) | basis | "`basis` must be numeric or a .. integer64 of size 8"
    cv.sparserls(x, y, 1:8, foldid = bits(rep(c(1, 2), 10))) |
      folds | "`foldid` must be a vector or a .. integer64 of size 20 .. Use as.character()"
    predict(sparserls(x, y, 1:8, lambda = 1), bits(x)) |
      newdata | "`newdata` must be a numeric .. integer64 of size 20 x 3 .. Convert 64-bit"
  })
})

test_that("columns of 64-bit integers and of other classes are refused in new rows as in a fit", {
  bits <- function(x) structure(x * 4.94e-324, class = "integer64")
  d <- bad_frame()
  plain <- sparserls(y ~ a + f, d, 1:8, lambda = 1)
  frame <- sparserls(d[c("a", "f")], y, 1:8, lambda = 1)
  odd <- list(bits, function(x) I(bits(x)), utils::as.roman,
              function(x) as.difftime(x, units = "days"))
  for (as_odd in odd) {
    new <- d
    new$a <- as_odd(1:20)
    expect_refusals({
      predict(plain, new) | newdata | "`newdata` .. numeric"
      predict(frame, new) | newdata | "`newdata` .. numeric"
      sparserls(y ~ a + f, d, new, lambda = 1) | basis | "The points in `basis` do not fit the"
      sparserls(y ~ a + f, new, 1:8, lambda = 1) | x | "Column `a` of `data` is neither numeric"
      sparserls(new[c("a", "f")], y, 1:8, lambda = 1) | x | "Column `a` of `x` is neither numeric"
    })
  }
  # A variable that is left out may be of any type.
  d$id <- bits(1:20)
  expect_equal(fitted(sparserls(y ~ . - id - b - c, d, 1:8, lambda = 1)), fitted(plain))
  expect_refusals({
    sparserls(y ~ I(id), d, 1:8, lambda = 1) |
      x | "Column `I(id)` of `data` is neither numeric .. AsIs of size 20 .. Convert 64-bit"
  })
})

test_that("functions of a formula read 64-bit integers rightly, or they are refused", {
  d <- transform(bad_frame(), id = 1:20)
  bits <- transform(d, id = structure(1:20 * 4.94e-324, class = "integer64"))
  logs <- sparserls(y ~ a + log(id), d, 1:8, lambda = 1)
  if (isNamespaceLoaded("bit64")) {
    expect_equal(predict(logs, bits), predict(logs, d))
    expect_equal(fitted(sparserls(y ~ a + log(id), bits, 1:8, lambda = 1)), fitted(logs))
  } else {
    expect_refusals({
      predict(logs, bits) | newdata | "Column `id` of `newdata` is neither numeric"
      sparserls(y ~ a + log(id), bits, 1:8, lambda = 1) | x | "Column `log(id)` of `data` is"
    })
  }
})

test_that("tibbles and data.tables are data frames, whatever their `[` does", {
  skip_if_not_installed("tibble")
  skip_if_not_installed("data.table")
  plain <- data.frame(a = x[, 1], f = rep(c("u", "v"), 10), g = rep(1:5, 4), y = y)
  answers <- function(data) {
    cv <- cv.sparserls(y ~ a + f, data, basis = 1:8, groups = data$g, keep = TRUE, progress = FALSE)
    columns <- sparserls(data[, c("a", "f")], data$y, 1:8, lambda = 1)
    list(cv$fit.preval, predict(cv, data), predict(columns, data[1, ]))
  }
  expected <- answers(plain)
  expect_identical(answers(tibble::as_tibble(plain)), expected)
  expect_identical(answers(data.table::as.data.table(plain)), expected)
})

test_that("a column without a name is one with an empty name", {
  named <- x
  colnames(named)[2] <- ""
  lacking <- x
  colnames(lacking)[2] <- NA
  for (given in list(lacking, as.data.frame(lacking))) {
    fit <- rls(given, y, lambda = 1)
    expect_equal(predict(fit, given), predict(rls(named, y, lambda = 1), named), ignore_attr = TRUE)
  }
})
