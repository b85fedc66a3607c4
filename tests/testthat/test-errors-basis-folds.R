x <- bad_x()
y <- bad_y()
cv <- function(...) cv.sparserls(x, y, 1:5, lambda = 1, ...)
again <- function(basis, ...) cv.sparserls(x, y, basis, lambda = 1, reselect = TRUE, ...)

test_that("a basis that names no rows is refused", {
  expect_refused("basis", {
    sparserls(x, y, 0)
    sparserls(x, y, -1)
    sparserls(x, y, 21)
    sparserls(x, y, 2.5)
    sparserls(x, y, NA)
    sparserls(x, y, NA_real_)
    sparserls(x, y, Inf)
    sparserls(x, y, numeric())
    sparserls(x, y, I(numeric()))
    sparserls(x, y, I(21))
    sparserls(x, y, c(1, 2, 2, 3, 3))
    sparserls(x, y, c(0, 1))
    sparserls(x, y, c(1, 21))
    sparserls(x, y, c(1.5, 2))
    sparserls(x, y, c(1, NA))
    sparserls(x, y, "a")
    sparserls(x, y, rep(c(TRUE, FALSE), 10))
    sparserls(x, y, list(1, 2))
    sparserls(x, y, factor(1:3))
    sparserls(x, y, mean)
    sparserls(x, y, basis_random(21))
    sparserls(x, y, basis_groups(1:19))
    sparserls(x, y, basis_sizes(c(5, 10)))
    cv.sparserls(x, y, 21)
    cv.sparserls(x, y, c(1, 1))
  })
})

test_that("selectors check their arguments", {
  expect_refused("argument", {
    basis_random(0)
    basis_random(1.5)
    basis_random(NA)
    basis_random("a")
    basis_random(NULL)
    basis_random(1:2)
    basis_groups(1:3, per = 0)
    basis_groups(1:3, per = 1.5)
    basis_groups(1:3, per = NA)
  })
  expect_refused("basis", {
    basis_groups(character())
  })
})

test_that("groups of basis_groups() that are no labels are an error of the basis", {
  expect_classed("basis", {
    basis_groups(NULL) # class `folds` since R 4.4, where NULL is not atomic
    basis_groups(c(1, NA))
    basis_groups(list(1, 2))
  })
})

test_that("counts past the largest integer are refused", {
  expect_classed("argument", {
    basis_random(1e10)
    basis_groups(1:3, per = 1e10)
    cv_folds(1e10)
    cv_folds(20, 5, repeats = 1e10)
    sparserls(x, y, 5, nlambda = 1e10)
    sparserls(x, y, 5, threads = 1e10)
  })
  expect_classed("kernel", {
    kernel_polynomial(1e10)
  })
})

test_that("a basis of every kind that is allowed", {
  expect_identical(sparserls(x, y, I(7), lambda = 1)$basis, 7L)
  expect_identical(sparserls(x, y, c(3, 1, 2), lambda = 1)$basis, c(3L, 1L, 2L))
  expect_length(sparserls(x, y, 20, lambda = 1)$basis, 20)
  expect_length(sparserls(x, y, basis_groups(rep(1:4, 5), per = 100), lambda = 1)$basis, 20)
})

test_that("coincident points are dropped with a warning that names them", {
  twice <- x[c(1:10, 1:10), ]
  expect_said(fit <- sparserls(twice, y, c(1, 11, 2, 3, 13), lambda = 1))
  expect_identical(fit$basis, 1:3)
  expect_equal(fitted(fit), fitted(sparserls(twice, y, 1:3, lambda = 1)))
})

test_that("nfolds that makes no folds is refused", {
  expect_refused("folds", {
    cv(nfolds = 1)
    cv(nfolds = 0)
    cv(nfolds = 21)
    cv(nfolds = 2.5)
    cv(nfolds = NA)
    cv(nfolds = Inf)
    cv(nfolds = "LOO")
    cv(nfolds = c(5, 5))
    cv(nfolds = numeric())
    cv(nfolds = TRUE)
    cv(groups = rep(1:4, 5), nfolds = 5)
    cv_folds(1)
    cv_folds(20, 1)
    cv_folds(20, 21)
    cv_folds(20, 2.5)
    cv_folds(20, groups = 1:19)
    cv_folds(20, 5, strata = 1:19)
  })
  expect_refused("argument", {
    cv_folds(0)
    cv_folds(-1)
    cv_folds(2.5)
    cv_folds(NA)
    cv_folds("a")
    cv_folds(20, 5, repeats = 0)
    cv_folds(20, 5, repeats = 1.5)
  })
})

test_that("selectors that make no basis are refused", {
  expect_refused("argument", {
    basis_greedy(0)
    basis_greedy(2.5)
    basis_greedy("a")
    basis_greedy(5, candidates = 0)
    basis_greedy(5, candidates = NA)
    basis_rpcholesky(0)
    basis_rpcholesky(1e10)
  })
  expect_refused("lambda", {
    basis_greedy(5, lambda = 0)
    basis_greedy(5, lambda = -1)
    basis_greedy(5, lambda = c(1, 2))
    basis_greedy(5, lambda = "a")
  })
  expect_refused("basis", {
    sparserls(x, y, basis_greedy(21), lambda = 1)
    sparserls(x, y, basis_rpcholesky(21), lambda = 1)
    again(basis_greedy(16), nfolds = 4)
  })
})

test_that("a basis that the training rows of a fold cannot hold is refused with the fold", {
  expect_error(again(20, nfolds = 5), "from 1 to 16.*fold 1", class = "sparserls_error_basis")
})

test_that("a basis that cannot be chosen anew is refused with reselect", {
  expect_refused("basis", {
    again(1:5)
    again(I(7))
    again("a")
    again(basis_groups(1:19))
  })
  expect_refused("argument", {
    cv(reselect = NA)
    cv(reselect = "yes")
    again(5, holdout_basis = "keep")
  })
  expect_refused("folds", {
    again(5, folds = list(1:5, 1:20))
    again(basis_greedy(5), folds = list(1:10), weights = rep(1:0, each = 10))
  })
  expect_refused("weights", {
    sparserls(x, y, basis_greedy(5), lambda = 1, weights = rep(0, 20))
  })
})

test_that("spread without the rows of a basis is refused", {
  expect_refused("basis", {
    cv_folds(20, 5, spread = "balanced")
    cv_folds(20, 5, basis = 3, spread = "balanced")
    cv_folds(20, 5, basis = basis_random(3), spread = "exclude")
    cv_folds(20, 5, basis = c(3, 21), spread = "exclude")
    cv_folds(20, 5, basis = c(3, 3), spread = "exclude")
    cv_folds(20, 5, basis = c("a", "b"), spread = "balanced")
  })
  expect_refused("folds", {
    cv_folds(20, 5, basis = 1:20, spread = "exclude")
    cv_folds(20, 5, basis = 1:17, spread = "exclude")
  })
  expect_refused("argument", {
    cv_folds(20, 5, spread = "even")
    cv_folds(20, 5, spread = NULL)
  })
})

test_that("kernels that the selection cannot use are refused", {
  wrong <- kernel_custom(function(a, b) -tcrossprod(a, b))
  expect_refused("kernel", {
    sparserls(x, y, basis_rpcholesky(5), wrong, lambda = 1)
    sparserls(x, y, basis_greedy(5), wrong, lambda = 1)
    sparserls(x, y, basis_greedy(5), kernel_custom(function(a, b) 0 * tcrossprod(a, b)), lambda = 1)
    sparserls(x, y, basis_greedy(5), kernel_custom(function(a, b) a), lambda = 1)
  })
  expect_refused("not_finite", {
    sparserls(1e28 * x, y, basis_greedy(5), kernel_polynomial(6), lambda = 1, standardize = FALSE)
    sparserls(1e28 * x, y, basis_rpcholesky(5), kernel_polynomial(6), lambda = 1,
              standardize = FALSE)
  })
})

test_that("labels that make no folds are refused", {
  expect_refused("folds", {
    cv(foldid = 1:19)
    cv(foldid = rep(1, 20))
    cv(foldid = replace(1:20, 3, NA))
    cv(foldid = as.list(1:20))
    cv(foldid = data.frame(1:20))
    cv(foldid = mean)
    cv(foldid = numeric())
    cv(groups = 1:19)
    cv(groups = rep("a", 20))
    cv(groups = replace(1:20, 3, NA))
    cv(strata = 1:19, nfolds = 5)
    cv(strata = replace(1:20, 3, NA), nfolds = 5)
    cv(strata = rep(1:2, each = 10), groups = rep(1:10, 2), nfolds = 3)
  })
})

test_that("arguments that contradict each other are refused", {
  expect_refused("folds", {
    cv(nfolds = 5, foldid = rep(1:2, 10))
    cv(folds = list(1:3), foldid = rep(1:2, 10))
    cv(folds = list(1:3), nfolds = 5)
    cv(folds = list(1:3), groups = rep(1:2, 10))
    cv(folds = list(1:3), strata = rep(1:2, 10))
    cv(foldid = rep(1:2, 10), groups = rep(1:2, 10))
  })
})

test_that("folds that are no lists of rows are refused", {
  expect_refused("folds", {
    cv(folds = 1:20)
    cv(folds = list())
    cv(folds = list(1:3, integer()))
    cv(folds = list(NULL))
    cv(folds = list(c(1, 1, 2)))
    cv(folds = list(0:3))
    cv(folds = list(6, 19:21))
    cv(folds = list(1.5))
    cv(folds = list(c(1, NA)))
    cv(folds = list("a"))
    cv(folds = list(TRUE))
    cv(folds = list(factor(1:3)))
  })
})

test_that("folds that leave nothing to train or to score are refused", {
  w <- rep(0:1, 10)
  expect_refused("folds", {
    cv(folds = list(6:20, 1:5))
    cv(folds = list(1:20))
    cv(folds = list(1:20), holdout_basis = "keep")
    cv(folds = list(1:5), holdout_basis = "skip")
    cv(folds = list(1:5), holdout_basis = "keep_loss")
    cv(folds = list(1:4, seq(2, 20, 2)), weights = w, holdout_basis = "keep")
    cv.sparserls(x, y, I(3), lambda = 1, nfolds = "loo")
  })
})

test_that("folds of any labels are the same folds", {
  id <- rep(1:4, 5)
  expected <- cv(foldid = id)$cvm
  for (labels in list(c(-1, 2.5, 7, 100)[id], letters[id], factor(letters[id], letters),
                      as.Date("2020-01-01") + id, matrix(id))) {
    expect_equal(cv(foldid = labels)$cvm, expected)
    expect_equal(cv(groups = labels)$cvm, expected)
  }
  expect_equal(cv(folds = split(1:20, id))$cvm, expected)
  expect_sane(cv.sparserls(x, y, 20, lambda = 1, foldid = y > 1))
})

test_that("overlapping folds, folds with gaps and rows of weight zero are fine", {
  expect_null(cv(folds = list(1:3, 2:5))$foldid)
  expect_sane(cv(folds = list(1:3, 2:6), holdout_basis = "keep"))
  expect_sane(cv(folds = list(6)))
  fit <- cv(folds = list(1:3, c(7, 9)), weights = replace(rep(1, 20), 7, 0), keep = TRUE)
  expect_sane(fit)
  expect_identical(which(!is.na(fit$fit.preval[, 1])), c(1:3, 7L, 9L))
})
