test_that("folds are balanced partitions", {
  set.seed(1)
  for (m in c(10, 23, 57)) {
    for (k in c(2, 5, 10)) {
      folds <- cv_folds(m, k)
      expect_identical(sort(unlist(folds)), seq_len(m))
      expect_lte(diff(range(lengths(folds))), 1)
    }
  }
  expect_length(cv_folds(50), 10)
  expect_length(cv_folds(7), 7)
  expect_identical(unclass(cv_folds(4, "loo")), as.list(1:4))
})

test_that("groups stay whole, with and without nfolds", {
  set.seed(2)
  groups <- sample(letters, 200, TRUE)
  for (folds in list(cv_folds(200, groups = groups), cv_folds(200, 5, groups = groups))) {
    expect_identical(sort(unlist(folds)), 1:200)
    owner <- tapply(rep(seq_along(folds), lengths(folds))[order(unlist(folds))], groups,
                    function(fold) length(unique(fold)))
    expect_true(all(owner == 1))
  }
  expect_length(cv_folds(200, groups = groups), length(unique(groups)))
})

test_that("strata are balanced, also over groups", {
  set.seed(3)
  strata <- rep(c("a", "b", "c"), c(60, 30, 11))
  folds <- cv_folds(101, 5, strata = strata)
  shares <- vapply(folds, function(rows) as.vector(table(factor(strata)[rows])), integer(3))
  expect_true(all(apply(shares, 1, function(count) diff(range(count))) <= 1))
  groups <- rep(1:20, each = 5)
  by_group <- cv_folds(100, 4, groups = groups, strata = rep(1:2, each = 50))
  expect_true(all(vapply(by_group, function(rows) sum(rows > 50), 0) %in% c(10, 15)))
})

test_that("basis vectors are spread evenly, kept out, or left alone", {
  set.seed(6)
  for (m in c(60, 101)) {
    basis <- sample(m, 31)
    held <- function(folds) vapply(folds, function(rows) sum(rows %in% basis), 0)
    folds <- cv_folds(m, 10, basis = basis, spread = "balanced")
    expect_identical(sort(unlist(folds)), seq_len(m))
    expect_true(all(held(folds) %in% 3:4))
    expect_lte(diff(range(lengths(folds))), 1)
    folds <- cv_folds(m, 10, basis = basis, spread = "exclude")
    expect_identical(sort(unlist(folds)), setdiff(seq_len(m), basis))
    expect_lte(diff(range(lengths(folds))), 1)
    folds <- seeded(m, cv_folds(m, 10, basis = basis))
    expect_identical(seeded(m, cv_folds(m, 10)), folds)
  }
})

test_that("spread keeps groups whole and strata balanced", {
  set.seed(7)
  groups <- rep(1:20, each = 5)
  basis <- c(1, 6, 11, 12, 16, 17)
  folds <- cv_folds(100, 2, groups = groups, basis = basis, spread = "balanced")
  for (rows in folds) {
    expect_identical(sum(rows %in% basis), 3L)
    expect_true(all(table(groups[rows]) == 5))
  }
  folds <- cv_folds(100, groups = groups, basis = basis, spread = "exclude")
  expect_identical(lengths(folds), c(4L, 4L, 3L, 3L, rep(5L, 16)))
  strata <- rep(1:2, c(40, 60))
  basis <- c(1:8, 41:52)
  folds <- cv_folds(100, 4, strata = strata, basis = basis, spread = "balanced")
  for (rows in folds) {
    expect_identical(as.vector(table(strata[rows])), c(10L, 15L))
    expect_identical(as.vector(table(strata[intersect(rows, basis)])), 2:3)
  }
})

test_that("repeats divide anew", {
  set.seed(4)
  folds <- cv_folds(30, 3, repeats = 4)
  expect_length(folds, 12)
  expect_identical(as.vector(table(unlist(folds))), rep(4L, 30))
  expect_said(folds)
})

x <- matrix(sin(1:90), 30)
y <- cos(1:30)
run <- function(...) {
  cv.sparserls(x, y, 1:8, kernel_gaussian(0.5), c(1, 0.1), keep = TRUE, progress = FALSE, ...)
}

test_that("every way to say the same folds gives the same result", {
  id <- rep(1:5, 6)
  a <- run(foldid = id)
  expect_identical(a$foldid, id)
  for (b in list(
    run(foldid = c(10, 3.5, -1, 7, 0)[id]), run(foldid = as.Date("2020-01-01") + id),
    run(foldid = factor(id, 9:1), solver = "retrain"), run(foldid = matrix(letters[id])),
    run(groups = id), run(folds = split(1:30, id))
  )) {
    expect_equal(b$fit.preval, a$fit.preval, tolerance = 1e-9)
    expect_equal(b$cvm, a$cvm, tolerance = 1e-9)
  }
  expect_equal(run(nfolds = "loo")$fit.preval, run(foldid = 1:30)$fit.preval, tolerance = 1e-10)
})
