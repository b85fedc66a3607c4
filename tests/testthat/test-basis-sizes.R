set.seed(21)
x <- matrix(rnorm(240), 60, dimnames = list(NULL, letters[1:4]))
y <- sin(x[, 1]) + x[, 2] / 2 + rnorm(60) / 5
lambda <- c(1, 0.1, 0.01)

test_that("the default basis is half the rows by randomly pivoted Cholesky, with reselect too", {
  fit <- function(...) seeded(1, sparserls(..., lambda = lambda))
  default <- fit(x, y)
  named <- fit(x, y, basis_rpcholesky(30))
  expect_identical(fitted(default), fitted(named))
  expect_output(print(default), "30 of them as basis", fixed = TRUE)
  expect_length(fit(matrix(rnorm(1200), 1200), rnorm(1200), kernel = kernel_laplacian())$basis,
                500)
  # Of what a linear kernel's rank leaves out selections say nothing.
  for (basis in list(NULL, basis_rpcholesky(30))) {
    expect_silent(four <- fit(x, y, basis, kernel = kernel_linear()))
    expect_length(four$basis, 4)
  }
  cv <- cv.sparserls(x, y, kernel = kernel_gaussian(width_multiples(1)), lambda = lambda,
                     foldid = rep(1:3, 20), reselect = TRUE, keep = TRUE, progress = FALSE)
  # Half of the 60 rows, and of the 40 that are left without a fold.
  expect_length(cv$fit$basis, 30)
  expect_identical(lengths(lapply(cv$refits$models, function(model) model$fit$basis)), rep(20L, 3))
})

test_that("row numbers that could be sizes are said to be rows", {
  fit <- function(basis) sparserls(x, y, basis, lambda = 1)
  expect_notes({
    fit(c(5L, 50L)) | message | ""
    fit(c(40, 10, 20))
    fit(I(c(10, 20, 40)))
    rows <- fit(c(10, 20, 40)) | message | "basis_sizes(c(10, 20, 40))"
  })
  expect_identical(rows$basis, c(10L, 20L, 40L))
})

test_that("sizes are searched with the kernels, in the same folds, with nested bases", {
  kernels <- kernel_gaussian(c(0.05, 0.2))
  for (selector in list(basis_rpcholesky, basis_random, function(n) basis_greedy(n, 20))) {
    set.seed(3)
    cv <- suppressWarnings(cv.sparserls(x, y, basis_sizes(c(20, 5, 12), selector), kernels, lambda,
                                        foldid = rep(1:5, 12), progress = FALSE))
    expect_identical(cv$kernels$size, rep(c(5, 12, 20), 2))
    expect_identical(cv$size, as.integer(cv$kernels$size[which.min(cv$kernels$cvm)]))
    expect_output(print(cv), "basis sizes 5, 12, 20")
  }
})

test_that("each candidate has the error of its basis alone", {
  set.seed(4)
  cv <- cv.sparserls(x, y, basis_sizes(c(6, 15)), kernel_gaussian(0.1), lambda,
                     foldid = rep(1:5, 12), progress = FALSE)
  all <- seeded(4, sparserls(x, y, basis_rpcholesky(15), kernel_gaussian(0.1), lambda = 1)$basis)
  for (i in 1:2) {
    alone <- cv.sparserls(x, y, I(all[seq_len(c(6, 15)[i])]), kernel_gaussian(0.1), lambda,
                          foldid = rep(1:5, 12), progress = FALSE)
    expect_equal(cv$curves[[i]]$cvm, alone$cvm, tolerance = 1e-12)
  }
  # With reselect = TRUE: a single size is what the selector alone is.
  run <- function(basis) {
    set.seed(5)
    cv.sparserls(x, y, basis, kernel_gaussian(0.1), lambda, foldid = rep(1:5, 12), reselect = TRUE,
                 progress = FALSE)
  }
  expect_identical(run(basis_sizes(c(6, 15)))$curves[[2]]$cvm, run(basis_rpcholesky(15))$cvm)
})

test_that("sizes that are none", {
  expect_refusals({
    basis_sizes(c(10, 10)) | basis | "`sizes` must be .. each once .. 10, 10"
    basis_sizes(10, 5) | basis | "`selector` must be a function of n .. 5"
    cv.sparserls(x, y, basis_sizes(c(10, 100))) | basis | "from 1 to 60 .. 100"
  })
  expect_output(print(basis_sizes(c(50, 100))), "50, 100 basis vectors by randomly pivoted")
})
