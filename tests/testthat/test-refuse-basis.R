# Calls that are refused, by what is wrong: `basis` and selectors.

x <- bad_x()
y <- bad_y()
d <- bad_frame()

test_that("basis", {
  expect_refusals({
    sparserls(tcrossprod(x), y, x[1:3, ], kernel_precomputed(), lambda = 1) |
      basis | "A precomputed kernel has no values for points that are .. 3 x 3 .. Give numbers of"
    sparserls(x, y, 0) | basis | "`basis` must be a whole number from 1 to 20, the number of .. x 0"
    sparserls(x, y, 21) | basis | "`basis` must be a whole number from 1 to .. x 21 .. A single row"
    sparserls(x, y, basis_greedy(21), lambda = 1) |
      basis | "`basis` must be a whole number from 1 to 20 .. x 21L .. A single row number is"
    again(basis_greedy(16), nfolds = 4) |
      basis | "`basis` must be a whole number from 1 to 15 .. x 16L .. A single row number is"
    sparserls(y ~ a, d, basis = 11, subset = 1:10) |
      basis | "`basis` must be a whole number from 1 to 10, the .. x 11 .. A single row number is"
    again(20, nfolds = 5) | basis | "`basis` must be a whole number from 1 to 16 .. fold 1"
    ardrls(x, y, 0) | basis | "`basis` must be a whole number from 1 to 20, the number of .. x 0"
    ardrls(x, y, 21) | basis | "`basis` must be a whole number .. x 21 .. A single row number is"
    cv.ardrls(x, y, 20, outer = list(1:3)) |
      basis | "`basis` must be a whole number from 1 to 17, the .. x 20 .. A single row number is"
    sparserls(x, y, NA) | basis | "`basis` must be numeric or a basis_*() .. x NA"
    ardrls(x, y, "a") | basis | '`basis` must be numeric or a basis_*() .. x "a"'
    sparserls(x, y, numeric()) | basis | "`basis` is empty"
    sparserls(x, y, I(21)) | basis | "Row numbers in `basis` must be whole .. basis[1] is 21"
    cv_folds(20, 5, basis = c(3, 21), spread = "exclude") |
      basis | "Row numbers in `basis` must be whole numbers from 1 to 20 .. basis[2] is 21"
    sparserls(x, y, c(1, 2, 2, 3, 3)) | basis | "`basis` names rows more than once .. x 2, 3"
    cv_folds(20, 5, basis = c(3, 3), spread = "exclude") |
      basis | "`basis` names rows more than once .. x 3"
    sparserls(x, y, basis_groups(1:19)) |
      basis | "`groups` of basis_groups() must have one label for each of the 20 .. 19 labels"
    again(basis_groups(1:19)) | basis | "`groups` of basis_groups() must have one .. 19 labels"
    sparserls(y ~ a, d, basis = basis_groups(rep(1:5, 2)), subset = 1:10) |
      basis | "`groups` of basis_groups() must have one label for each of the 20 .. 10 labels"
    sparserls(x, y, basis_sizes(c(5, 10))) |
      basis | "`basis_sizes()` is searched by cv.sparserls() .. x 5, 10 .. Give one size here"
    cv.ardrls(x, y, basis_sizes(c(3, 5))) |
      basis | "`basis_sizes()` is searched by cv.sparserls() only .. x 3, 5 .. Give one size"
    basis_groups(character()) | basis | "`groups` is empty"
    basis_groups(NULL) | basis | "`groups` must be a vector or a factor"
    basis_groups(list(1, 2)) | basis | "`groups` must be a vector or a factor"
    basis_groups(c(1, NA)) | basis | "`groups` has missing values"
    again(1:5) | basis | "`reselect = TRUE` needs a `basis` that can be .. numeric vector of size 5"
    cv_folds(20, 5, spread = "balanced") |
      basis | '`spread = "balanced"` needs the row numbers of the .. x NULL .. Draw them with'
    cv_folds(20, 5, basis = 3, spread = "balanced") |
      basis | '`spread = "balanced"` needs the row numbers of the basis .. x 3 .. Draw them with'
    cv_folds(20, 5, basis = basis_random(3), spread = "exclude") |
      basis | '`spread = "exclude"` needs the row .. sparserls_basis of size 2 .. Draw them with'
    sparserls(y ~ a, d, basis = 1:5, subset = 4:20) |
      basis | "`basis` names rows that `subset` or missing values have removed .. 1, 2, 3"
    ardrls(x, y, basis_greedy(5)) | basis | "basis_greedy() has seen the responses of the .. Use"
    basis_random() | basis | "`n` is missing .. How many basis vectors are to be chosen?"
    basis_rpcholesky() | basis | "`n` is missing .. How many basis vectors are to be chosen?"
    basis_greedy() | basis | "`n` is missing .. How many basis vectors are to be chosen?"
    basis_groups() | basis | "`groups` is missing .. One label for each row"
    by_formula(y ~ a, transform(d, a = replace(a, 3, NA))) |
      basis | "`basis` names rows that `subset` or missing values .. x 3"
  })
})
