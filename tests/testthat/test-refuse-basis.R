x <- bad_x()
y <- bad_y()
d <- bad_frame()

test_that("basis", {
  expect_refusals({
    sparserls(tcrossprod(x), y, x[1:3, ], kernel_precomputed(), lambda = 1) |
      basis | "A precomputed kernel has no values for points that are .. 3 x 3 .. Give numbers of"
    sparserls(x, y, 0) | basis | "`basis` must be a whole number from 1 to 20, the number of .. x 0"
    again(20, nfolds = 5) | basis | "`basis` must be a whole number from 1 to 16 .. fold 1"
    cv.ardrls(x, y, 20, outer = list(1:3)) | basis | "`basis` must be a whole number from 1 .. x 20"
    sparserls(x, y, NA) | basis | "`basis` must be numeric or a basis_*() .. x NA"
    sparserls(x, y, numeric()) | basis | "`basis` is empty"
    sparserls(x, y, I(21)) | basis | "Row numbers in `basis` must be whole .. basis[1] is 21"
    sparserls(x, y, c(1, 2, 2, 3, 3)) | basis | "`basis` names rows more than once .. x 2, 3"
    sparserls(x, y, basis_groups(1:19)) | basis | "`groups` of basis_groups() must .. 19 labels"
    sparserls(y ~ a, d, basis = basis_groups(rep(1:5, 2)), subset = 1:10) |
      basis | "`groups` of basis_groups() must have one label for each of the 20 .. 10 labels"
    sparserls(x, y, basis_sizes(c(5, 10))) | basis | "`basis_sizes()` is searched by .. x 5, 10"
    basis_groups(character()) | basis | "`groups` is empty"
    basis_groups(NULL) | basis | "`groups` must be a vector or a factor"
    basis_groups(c(1, NA)) | basis | "`groups` has missing values"
    again(1:5) | basis | "`reselect = TRUE` needs a `basis` that can be .. numeric vector of size 5"
    cv_folds(20, 5, spread = "balanced") | basis | '`spread = "balanced"` needs the row .. x NULL'
    cv_folds(20, 5, basis = basis_random(3), spread = "exclude") |
      basis | '`spread = "exclude"` needs the row .. sparserls_basis of size 2 .. Draw them with'
    sparserls(y ~ a, d, basis = 1:5, subset = 4:20) | basis | "`basis` names rows that .. 1, 2, 3"
    ardrls(x, y, basis_greedy(5)) | basis | "basis_greedy() has seen the responses of the .. Use"
    basis_random() | basis | "`n` is missing .. How many basis vectors are to be chosen?"
    basis_groups() | basis | "`groups` is missing .. One label for each row"
    by_formula(y ~ a, transform(d, a = replace(a, 3, NA))) | basis | "`basis` names rows that"
  })
})
