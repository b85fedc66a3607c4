set.seed(1)
m <- 60
x <- matrix(rnorm(m * 4), m)
y <- sin(x[, 1]) + 0.2 * rnorm(m)
basis <- c(3, 11, 12, 25, 40, 41, 59)
id <- rep(1:6, 10)
lambda <- c(2, 0.3, 0.01)

run <- function(x, y, basis, id, ...) {
  cv.sparserls(x, y, basis, kernel_gaussian(0.3), lambda, foldid = id, keep = TRUE,
               progress = FALSE, ...)
}
plain <- run(x, y, basis, id)

test_that("the order of rows does not matter, nor units of x that is standardized", {
  order <- sample(m)
  turned <- run(x[order, ], y[order], match(basis, order), id[order])
  expect_equal(turned$fit.preval[match(seq_len(m), order), ], plain$fit.preval, tolerance = 1e-9)
  expect_equal(turned$cvm, plain$cvm, tolerance = 1e-9)
  other <- run(sweep(sweep(x, 2, c(1e-3, 1, 50, 1e4), "*"), 2, c(5, -3, 0, 1e6), "+"), y, basis, id)
  expect_equal(other$fit.preval, plain$fit.preval, tolerance = 1e-8)
})

test_that("weight two is a row twice, weight zero no row", {
  w <- rep(1, m)
  twice <- c(1, 30)
  w[twice] <- 2
  a <- run(x, y, basis, id, weights = w, standardize = FALSE)
  b <- run(rbind(x, x[twice, ]), c(y, y[twice]), basis, c(id, id[twice]), standardize = FALSE)
  expect_equal(b$fit.preval[1:m, ], a$fit.preval, tolerance = 1e-9)
  expect_equal(b$cvm, a$cvm, tolerance = 1e-9)
  none <- c(2, 50)
  w[none] <- 0
  a <- run(x, y, basis, id, weights = w)
  b <- run(x[-none, ], y[-none], match(basis, seq_len(m)[-none]), id[-none], weights = w[-none])
  expect_equal(a$fit.preval[-none, ], b$fit.preval, tolerance = 1e-9)
  expect_equal(a$cvm, b$cvm, tolerance = 1e-9)
  expect_true(all(is.finite(a$fit.preval[none, ])))
})

test_that("threads change nothing, bit for bit", {
  for (kernel in list(kernel_gaussian(0.3), kernel_laplacian(0.1), kernel_polynomial(2))) {
    one <- cv.sparserls(x, y, basis, kernel, lambda, foldid = id, keep = TRUE, threads = 1)
    two <- cv.sparserls(x, y, basis, kernel, lambda, foldid = id, keep = TRUE, threads = 2)
    one$call <- two$call <- one$fit$call <- two$fit$call <- NULL
    expect_identical(one, two)
  }
  d <- function(threads) rls2(x, y, kernel_gaussian(c(0.1, 1)), 1, threads = threads)$d
  expect_identical(d(2), d(1))
})
