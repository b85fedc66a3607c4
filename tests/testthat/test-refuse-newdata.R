x <- bad_x()
y <- bad_y()
d <- bad_frame()
by_matrix <- sparserls(x, y, 1:5, lambda = c(1, 0.1))
by_frame <- sparserls(d[c("a", "b", "f")], y, 1:5, lambda = 1)
by_terms <- sparserls(y ~ a + b + f, d, basis = 1:5, lambda = 1)

test_that("new rows, their columns and types", {
  gram <- tcrossprod(x)
  precomputed <- sparserls(gram, y, 1:3, kernel_precomputed(), lambda = 1, standardize = FALSE)
  scaled <- sparserls(gram, y, 1:3, kernel_precomputed(TRUE), lambda = 1, standardize = FALSE)
  outside <- x
  other <- sparserls(y ~ outside, d, basis = 1:5, lambda = 1)
  given <- rls(y ~ a, d, offset = bad_y() / 2, lambda = 1)
  two <- transform(d, y = cbind(y, y))
  expect_refusals({
    predict(by_matrix, NULL) | newdata | "`newdata` must be a numeric matrix, a Matrix"
    predict(by_matrix, replace(x, 2, NA)) | newdata | "`newdata` has values that are missing or not"
    predict(by_matrix, x * 1e200) | range | "`newdata`"
    predict(by_matrix, x[, 1:2]) | newdata | "`newdata` lacks columns that the model was .. x `c`"
    predict(by_matrix, unname(x[, 1:2])) | newdata | "`newdata` must have 3 columns .. 2 columns"
    predict(by_matrix, transform(d, a = "x")) | newdata | "Column `a` of `newdata` .. character"
    predict(by_frame, x) | newdata | "`newdata` must be a data frame .. numeric matrix of size 20 x"
    predict(by_frame, d["a"]) | newdata | "`newdata` lacks"
    predict(by_frame, transform(d, a = "x")) | newdata | "`newdata` does not fit the .. variable"
    predict(by_terms, transform(d, f = "w")) | newdata | 'Column `f` of `newdata` has .. x "w"'
    predict(by_terms, transform(d, f = 1)) | newdata | "`newdata` does not fit the .. variable"
    predict(by_terms, transform(d, a = Inf)) | newdata | "`newdata` has values"
    rls2(x, y, newdata = x[, 1:2]) | newdata | "`newdata` lacks columns that the model was .. x `c`"
    predict(greedyrls(x, y, 1), x[, 1:2]) | newdata | "`newdata` lacks columns .. x `c`"
    predict(precomputed, gram[, 1:3]) | newdata | "`newdata`"
    predict(scaled, gram) | newdata | "A normalized precomputed kernel .. Normalize the kernel"
    rls2(gram, y, kernel_precomputed(), standardize = FALSE, newdata = gram) |
      newdata | "`newdata` cannot be used with a precomputed kernel"
    predict(other, d[1:7, ]) | newdata | "Variables of the formula that .. `outside` .. 20 rows"
    predict(given, as.list(d), newoffset = bad_y()) | newdata | "`newdata` must be a data frame"
    predict(by_matrix, x, type = "link") | argument | '`type` must be one of "response", .. "link"'
    predict(by_matrix, x, type = "class") | argument | '`type = "class"` needs a .. y was numeric'
  })
  expect_refusals(generics::augment(given, newdata = two, newoffset = y) |
                    newdata | "The response must be numer")
})
