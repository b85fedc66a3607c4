x <- bad_x()
y <- bad_y()
d <- bad_frame()
id <- rep(1:5, 4)

test_that("folds, and lists that are none", {
  expect_refusals({
    folded(nfolds = 1) | folds | "`nfolds` .. whole number from 2 to 20, the number of rows .. x 1"
    cv_folds(20, 5, basis = 1:17, spread = "exclude") | folds | '`nfolds` must be "loo" or a .. x 5'
    folded(groups = rep(1:4, 5), nfolds = 5) | folds | '`nfolds` must be "loo" or a whole .. x 5'
    cv_folds(1) | folds | "Cross-validation needs at least two rows .. x 1"
    cv_folds(20, groups = 1:19) | folds | "`groups` must have one label for each of .. 19 labels"
    cv_folds(20, 5, strata = 1:19) | folds | "`strata` must have one label for each of .. 19 labels"
    again(5, folds = list(1:5, 1:20)) | folds | "A fold holds all training rows (of .. fold 2"
    again(basis_greedy(5), folds = list(1:10), weights = rep(1:0, each = 10)) |
      folds | "A fold holds all training rows (of positive .. fold 1 .. Use more folds or smaller"
    folded(folds = list(1:20)) | folds | "A fold holds all training rows (of positive .. fold 1"
    greedyrls(x, y, 1, criterion = "folds", folds = list(1:20)) |
      folds | "A fold holds all training rows (of positive .. fold 1 .. Use more folds or smaller"
    cv_folds(20, 5, basis = 1:20, spread = "exclude") | folds | '`spread = "exclude"` leaves no row'
    folded(foldid = 1:19) | folds | "`foldid` must have one label for each of the 20 .. 19 labels"
    folded(foldid = rep(1, 20)) | folds | "`foldid` must have at least two different labels"
    folded(foldid = replace(1:20, 3, NA)) | folds | "`foldid` has missing values .. rows 3"
    folded(foldid = as.list(1:20)) | folds | "`foldid` must be a vector or a .. list of size 20"
    folded(groups = rep("a", 20)) | folds | "Cross-validation needs at least two groups .. x 1"
    folded(groups = replace(1:20, 3, NA)) | folds | "`groups` has missing values .. rows 3"
    folded(strata = replace(1:20, 3, NA), nfolds = 5) | folds | "`strata` has missing .. rows 3"
    folded(strata = rep(1:2, each = 10), groups = rep(1:10, 2), nfolds = 3) |
      folds | "`strata` must be constant within `groups` .. row 11 differs from the first of its"
    folded(nfolds = 5, foldid = rep(1:2, 10)) | folds | "`nfolds` and `foldid` .. `foldid` alone"
    folded(folds = list(1:3), foldid = rep(1:2, 10)) | folds | "`foldid` and `folds` cannot be"
    folded(folds = list(1:3), nfolds = 5) | folds | "`nfolds` and `folds` .. `folds` alone"
    folded(folds = list(1:3), groups = rep(1:2, 10)) | folds | "`groups` and `folds` cannot be"
    folded(folds = list(1:3), strata = rep(1:2, 10)) | folds | "`strata` and `folds` cannot be"
    folded(foldid = rep(1:2, 10), groups = rep(1:2, 10)) | folds | "`groups` and `foldid` cannot be"
    folded(folds = 1:20) | folds | "`folds` must be a list of vectors of .. numeric vector of size"
    cv.ardrls(x, y, 5, outer = list(1:3, 30)) | folds | "Every fold must hold row .. fold 2: 30"
    folded(folds = list(6:20, 1:5)) | folds | "basis vectors: none is left for its refit .. fold 2"
    cv.sparserls(x, y, I(3), lambda = 1, nfolds = "loo") | folds | "A fold holds all basis vectors:"
    folded(folds = list(1:5), holdout_basis = "skip") | folds | 'With holdout_basis = "skip" no row'
    folded(folds = list(1:5), holdout_basis = "keep_loss") | folds | 'With holdout_basis ='
    greedyrls(x, y, 1, foldid = id) | folds | '`foldid` is for `criterion = "folds"`'
    greedyrls(x, y, 1, groups = id) | folds | '`groups` is for `criterion = "folds"`'
    greedyrls(x, y, 1, folds = list(1:5)) | folds | '`folds` is for `criterion = "folds"`'
    greedyrls(x, y, 1, criterion = "folds", folds = list(1:4), weights = rep(0:1, c(4, 16))) |
      folds | "The folds hold only rows of weight zero: nothing is scored"
    cv.greedyrls(x, y, 1, criterion = "folds", nfolds = 2) | folds | 'When one fold is left out,'
    cv.ardrls(x, y, 5, outer = 1) | folds | '`outer` .. from 2 to 20, "split", or folds .. x 1'
    cv.ardrls(x, y, 5, groups = rep_len(1:3, 20), outer = 4) | folds | '`outer`'
    cv.ardrls(x, y, 5, groups = rep(1:2, 10)) | folds | "cv.ardrls() needs at least three .. x 2"
    cv.ardrls(x[1:2, ], y[1:2], 2, outer = "split") | folds | "cv.ardrls() needs at least .. x 2"
    cv.ardrls(x, y, 1:5, outer = list(1:6)) | folds | "A fold holds all basis vectors: .. fold 1"
    cv.sparserls(y ~ a, d, basis = 1:5, subset = 1:10, folds = list(11:20)) | folds | "subset"
  })
  for (fold in list(integer(), NULL, c(1, 1, 2), 0:3, 19:21, 1.5, c(1, NA), "a", TRUE, factor(1))) {
    expect_refusals(folded(folds = list(6, fold)) | folds | "old 2")
  }
})
