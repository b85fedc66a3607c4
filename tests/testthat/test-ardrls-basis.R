# The basis of a path of penalties: how many rows of few, and anew only where that helps.

few_rows <- function(m, p = 4) {
  x <- matrix(rnorm(m * p), m)
  list(x = x, y = sin(2 * x[, 1]) + 0.3 * rnorm(m))
}

basis_size <- function(m) {
  d <- few_rows(m)
  length(ardrls(d$x, d$y, penalty = Inf, maxit = 1, nfolds = 2,
                final_basis = FALSE)$fits[[1]]$basis)
}

test_that("nine tenths of few rows are basis vectors, and half of many", {
  set.seed(1)
  expect_equal(basis_size(41), 36)
  expect_equal(basis_size(400), 300)
  expect_equal(basis_size(640), 320)
})

test_that("a basis that is selected anew never raises the error", {
  for (seed in 1:10) {
    set.seed(seed)
    d <- few_rows(60)
    fit <- ardrls(d$x, d$y, basis = basis_rpcholesky(8), penalty = c(Inf, 0), maxit = 1)
    expect_lte(fit$loss[2], fit$loss[1] * (1 + 1e-10))
  }
})

test_that("a basis of row numbers stays as it is", {
  set.seed(2)
  d <- few_rows(50)
  fit <- ardrls(d$x, d$y, basis = c(3, 9, 20, 41), penalty = c(Inf, 1, 0))
  for (step in fit$fits) expect_equal(sort(unname(step$basis)), c(3, 9, 20, 41))
})
