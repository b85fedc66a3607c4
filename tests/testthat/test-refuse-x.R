x <- bad_x()
y <- bad_y()
d <- bad_frame()

frame <- function(column) {
  d <- data.frame(a = x[, 1])
  d$z <- column
  d
}
class <- addNA(factor(rep(c("a", "b", NA, "c"), 5)))
data <- data.frame(x, y, class)
gap <- transform(d, a = replace(a, 3, NA))
columns <- as(x * (abs(x) > 0.6), "CsparseMatrix")
broken <- function(x, slot, value) {
  attr(x, slot) <- value
  x
}
big <- Matrix::sparseMatrix(c(1, 60000), c(1, 60000), x = 1)

# What is wrong with a slot is said in the words of Matrix; C would read beyond its end.
test_that("x", {
  expect_refusals({
    sparserls(NULL, y, 5) | x | "`x` must be a numeric matrix, a Matrix or a"
    kernel_matrix(kernel_linear(), x, NULL) | x | "`z` must be a numeric matrix, a Matrix or a"
    sparserls(x[0, ], numeric(), 5) | x | "`x` has no rows"
    sparserls(x[, 0], y, 5) | x | "`x` has no columns"
    kernel_matrix(kernel_linear(), x, x[0, ]) | x | "`z` has no rows"
    kernel_matrix(kernel_linear(), x, x[, 1:2]) | x | "`x` and `z` must have the .. 3 and 2 columns"
    sparserls(replace(x, 3, NA), y, 5) | x | "`x` has values that are missing or not .. 1 of them"
    sparserls(data.frame(a = replace(x[, 1], 4, NA), f = d$f), y, 5) |
      x | "`x` has missing values .. rows 4 .. Drop or impute them, or give na_level(x); the"
    sparserls(cbind(d["a"], d["f"], d["f"]), y, 5) | x | "The columns of `x` must have different"
    sparserls(data.frame(f = "one", g = factor("u"))[rep(1, length(y)), ], y, 5) |
      x | "No predictor varies"
    sparserls(y ~ k + f, transform(d[d$f == "u", ], k = "one"), basis = 5) |
      x | "No predictor varies .. `k`, `f`: a single level in the rows that .. Factors need two"
    by_formula(y ~ as.Date(f, origin = "2020-01-01"), transform(d, f = 1:20)) |
      x | 'Column `as.Date(f, origin = .. Date of size 20 .. Convert it first, for instance a'
    by_formula(y ~ a, transform(d, a = replace(a, 3, Inf))) | x | "`data` has values that are"
    greedyrls(matrix(1, 20, 2), y, 1) | x | "All columns of `x` are constant"
    ardrls(cbind(a = rep(1, 20), b = 2), y, 5) | x | "All columns of `x` that the kernel sees are"
    ardrls(cbind(x, x[, 1:2]), y, 5) | x | "Columns of `x` must have different .. x a, b .. Use"
    sparserls(x * 1e200, y, 1:5, lambda = 1, standardize = FALSE) |
      range | "Column `a` of `x` is too large .. the largest absolute value .. Divide it by 1e199"
    kernel_matrix(kernel_linear(), x * 1e200) | range | "`x` has values whose .. the largest is"
    ardrls(x, y, 5, kernel_gaussian(1e300)) | range | "`sqrt(gamma) x` has values .. the largest is"
    sparserls(frame(as.Date("2020-01-01") + 1:20), y, 5) | x | "Column `z` of `x` is neither"
    greedyrls(y ~ ., transform(d, a = as.Date(a, "1970-01-01")), k = 1) |
      x | "Column `a` of `data` is neither .. Date of size 20 .. Convert it first, for instance a"
    rls(y ~ a + class, data) | x | '`class` has NA as a level .. "a", "b", "c", NA .. Give it a'
    sparserls(y ~ a, gap, basis = 5, na.action = na.pass) | x | "`data` has values that are missing"
    with_kernel(kernel_precomputed(), replace(tcrossprod(x), 5, NA)) |
      x | "`x` has values that are missing or .. 1 of them, the first in .. Drop or impute those"
    sparserls(replace(columns, cbind(20, 3), -Inf), y, 5) | x | "`x` has values that are missing or"
    sparserls(as(replace(columns, cbind(2, 1), NA), "lMatrix"), y, 5) |
      x | "`x` has values that are missing or not finite .. 1 of them, the first in row 2"
    sparserls(columns * 1e200, y, 5, standardize = FALSE) | range | "Column `a` of `x` is too large"
    sparserls(columns, y, 5, kernel_custom(tcrossprod)) | kernel | "A custom kernel sees"
    greedyrls(big, seq_len(60000) + 0, 1) | x | "`x` is too large to be made dense .. 60000 x 60000"
    sparserls(broken(columns, "i", replace(columns@i, 1, 99L)), y, 5) | x | "not a valid Matrix"
    sparserls(broken(columns, "p", columns@p + 5L), y, 5) | x | "not a valid Matrix"
    sparserls(broken(columns, "x", columns@x[-1]), y, 5) | x | "not a valid Matrix"
    predict(sparserls(x, y, 5), broken(columns, "x", columns@x[-1])) | newdata | "valid Matrix"
  })
})
