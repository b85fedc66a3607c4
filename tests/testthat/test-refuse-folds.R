# Calls that are refused, by what is wrong: folds.

x <- bad_x()
y <- bad_y()
d <- bad_frame()
id <- rep(1:5, 4)

test_that("folds", {
  expect_refusals({
    folded(nfolds = 1) | folds | "`nfolds` .. whole number from 2 to 20, the number of rows .. x 1"
    cv_folds(20, 1) | folds | "`nfolds` .. a whole number from 2 to 20, the number of rows .. x 1"
    cv_folds(20, 5, basis = 1:17, spread = "exclude") |
      folds | '`nfolds` must be "loo" or a whole number from 2 to 3, the number of rows .. x 5'
    cv.rls2(x, y, nfolds = 1) | folds | '`nfolds` must be "loo" or a whole number from'
    cv.greedyrls(x, y, 1, nfolds = 1) | folds | "`nfolds` .. 2 to 20, the number of rows .. x 1"
    ardrls(x, y, 5, nfolds = 1) | folds | "`nfolds` .. from 2 to 20, the number of rows .. x 1"
    folded(groups = rep(1:4, 5), nfolds = 5) |
      folds | '`nfolds` must be "loo" or a whole number from 2 to 4, the number of groups .. x 5'
    cv_folds(1) | folds | "Cross-validation needs at least two rows .. x 1"
    cv_folds(20, groups = 1:19) | folds | "`groups` must have one label for each of .. 19 labels"
    folded(groups = 1:19) | folds | "`groups` must have one label for each of the 20 .. 19 labels"
    cv_folds(20, 5, strata = 1:19) | folds | "`strata` must have one label for each of .. 19 labels"
    folded(strata = 1:19, nfolds = 5) | folds | "`strata` must have one label for each .. 19 labels"
    again(5, folds = list(1:5, 1:20)) | folds | "A fold holds all training rows (of .. fold 2"
    again(basis_greedy(5), folds = list(1:10), weights = rep(1:0, each = 10)) |
      folds | "A fold holds all training rows (of positive .. fold 1 .. Use more folds or smaller"
    folded(folds = list(1:20)) | folds | "A fold holds all training rows (of positive .. fold 1"
    folded(folds = list(1:20), holdout_basis = "keep") |
      folds | "A fold holds all training rows (of positive .. fold 1 .. Use more folds or smaller"
    cv.rls2(x, y, folds = list(1:20)) | folds | "A fold holds all training rows (of positive"
    greedyrls(x, y, 1, criterion = "folds", folds = list(1:20)) |
      folds | "A fold holds all training rows (of positive .. fold 1 .. Use more folds or smaller"
    cv.greedyrls(x, y, 1, folds = list(1:20)) |
      folds | "A fold holds all training rows (of positive .. fold 1 .. Use more folds or smaller"
    ardrls(x, y, 5, folds = list(1:20)) |
      folds | "A fold holds all training rows (of positive .. fold 1 .. Use more folds or smaller"
    cv.ardrls(x, y, 5, outer = list(1:20)) |
      folds | "A fold holds all training rows (of positive .. fold 1 .. Use more folds or smaller"
    cv_folds(20, 5, basis = 1:20, spread = "exclude") |
      folds | '`spread = "exclude"` leaves no row for the folds: all are basis vectors'
    folded(foldid = 1:19) | folds | "`foldid` must have one label for each of the 20 .. 19 labels"
    greedyrls(x, y, 1, criterion = "folds", foldid = id[-1]) |
      folds | "`foldid` must have one label for each of the 20 rows .. 19 labels"
    ardrls(x, y, 5, foldid = 1:3) | folds | "`foldid` must have one label for each of .. 3 labels"
    folded(foldid = rep(1, 20)) | folds | "`foldid` must have at least two different labels"
    cv.rls2(x, y, foldid = rep(1, 20)) | folds | "`foldid` must have at least two different"
    folded(foldid = replace(1:20, 3, NA)) | folds | "`foldid` has missing values .. rows 3"
    folded(foldid = as.list(1:20)) | folds | "`foldid` must be a vector or a .. list of size 20"
    folded(groups = rep("a", 20)) | folds | "Cross-validation needs at least two groups .. x 1"
    greedyrls(x, y, 1, criterion = "folds", groups = rep(1, 20)) |
      folds | "Cross-validation needs at least two groups .. x 1"
    folded(groups = replace(1:20, 3, NA)) | folds | "`groups` has missing values .. rows 3"
    folded(strata = replace(1:20, 3, NA), nfolds = 5) |
      folds | "`strata` has missing values .. rows 3"
    folded(strata = rep(1:2, each = 10), groups = rep(1:10, 2), nfolds = 3) |
      folds | "`strata` must be constant within `groups` .. row 11 differs from the first of its"
    folded(nfolds = 5, foldid = rep(1:2, 10)) |
      folds | "`nfolds` and `foldid` cannot be given together .. `foldid` alone determines the"
    folded(folds = list(1:3), foldid = rep(1:2, 10)) |
      folds | "`foldid` and `folds` cannot be given together .. `folds` alone determines the"
    greedyrls(x, y, 1, criterion = "folds", folds = list(1:4), foldid = id) |
      folds | "`foldid` and `folds` cannot be given together .. `folds` alone determines the"
    folded(folds = list(1:3), nfolds = 5) |
      folds | "`nfolds` and `folds` cannot be given together .. `folds` alone determines the"
    folded(folds = list(1:3), groups = rep(1:2, 10)) |
      folds | "`groups` and `folds` cannot be given together .. `folds` alone determines the"
    folded(folds = list(1:3), strata = rep(1:2, 10)) |
      folds | "`strata` and `folds` cannot be given together .. `folds` alone determines the"
    folded(foldid = rep(1:2, 10), groups = rep(1:2, 10)) |
      folds | "`groups` and `foldid` cannot be given together .. `foldid` alone determines the"
    folded(folds = 1:20) | folds | "`folds` must be a list of vectors of .. numeric vector of size"
    cv.ardrls(x, y, 5, outer = list()) |
      folds | "`folds` must be a list of vectors of row numbers .. list of size 0"
    folded(folds = list(1:3, integer())) |
      folds | "Every fold must hold row numbers from 1 to 20 .. fold 2: numeric vector of size 0"
    cv.ardrls(x, y, 5, outer = list(1:3, 30)) |
      folds | "Every fold must hold row numbers from 1 to 20 .. fold 2: 30"
    folded(folds = list(c(1, 1, 2))) | folds | "Fold 1 holds rows more than once .. x 1"
    folded(folds = list(6:20, 1:5)) | folds | "basis vectors: none is left for its refit .. fold 2"
    cv.sparserls(x, y, I(3), lambda = 1, nfolds = "loo") |
      folds | "A fold holds all basis vectors: none is left for .. fold 3 .. There is one basis"
    ardrls(x, y, I(3), nfolds = "loo") |
      folds | "A fold holds all basis vectors: none is left for .. fold 3 .. There is one basis"
    folded(folds = list(1:5), holdout_basis = "skip") |
      folds | 'With holdout_basis = "skip" no row is scored: all are basis .. Use fewer basis'
    folded(folds = list(1:5), holdout_basis = "keep_loss") |
      folds | 'With holdout_basis = "keep_loss" no row is scored: all are .. Use fewer basis'
    greedyrls(x, y, 1, foldid = id) | folds | '`foldid` is for `criterion = "folds"`'
    greedyrls(x, y, 1, groups = id) | folds | '`groups` is for `criterion = "folds"`'
    greedyrls(x, y, 1, folds = list(1:5)) | folds | '`folds` is for `criterion = "folds"`'
    greedyrls(x, y, 1, criterion = "folds", folds = list(1:4), weights = rep(0:1, c(4, 16))) |
      folds | "The folds hold only rows of weight zero: nothing is scored"
    cv.greedyrls(x, y, 1, criterion = "folds", nfolds = 2) |
      folds | 'When one fold is left out, another holds all .. fold 1 .. `criterion = "folds"`'
    cv.ardrls(x, y, 5, outer = 1) | folds | '`outer` .. from 2 to 20, "split", or folds .. x 1'
    cv.ardrls(x, y, 5, groups = rep_len(1:3, 20), outer = 4) |
      folds | '`outer` .. of folds from 2 to 3, "split", or folds .. x 4 .. Outer folds are made'
    cv.ardrls(x, y, 5, groups = rep(1:2, 10)) |
      folds | "cv.ardrls() needs at least three groups .. x 2 .. Inner folds divide what an outer"
    cv.ardrls(x, y, 5, groups = rep(1:2, 10), outer = "split") |
      folds | "cv.ardrls() needs at least three groups .. x 2 .. Inner folds divide what an outer"
    cv.ardrls(x[1:2, ], y[1:2], 2, outer = "split") |
      folds | "cv.ardrls() needs at least three rows .. x 2 .. Inner folds divide what an outer"
    cv.ardrls(x, y, 1:5, outer = list(1:6)) |
      folds | "A fold holds all basis vectors: none is left .. fold 1 .. Use more basis vectors"
  })
})

test_that("folds and rows without weight", {
  w <- rep(0:1, 10)
  expect_refusals({
    folded(folds = list(1:4, seq(2, 20, 2)), weights = w, holdout_basis = "keep") |
      folds | "A fold holds all training rows (of positive .. fold 2 .. Use more folds or smaller"
    cv.sparserls(y ~ a, d, basis = 1:5, subset = 1:10, folds = list(11:20)) | folds | "subset"
  })
})

test_that("lists that are no folds", {
  for (fold in list(integer(), NULL, c(1, 1, 2), 0:3, 19:21, 1.5, c(1, NA), "a", TRUE, factor(1))) {
    expect_refusals({
      folded(folds = list(6, fold)) | folds | "old 2"
    })
  }
  for (labels in list(1:19, rep(1, 20), replace(1:20, 3, NA), as.list(1:20), mean, numeric())) {
    expect_refusals({
      folded(foldid = labels) | folds | "`foldid`"
    })
  }
})
