points_of <- function(m, p) matrix(rnorm(m * p), m, p)

all_kernels <- function(normalize = FALSE, features = NULL) {
  list(
    kernel_linear(normalize, features), kernel_gaussian(0.3, normalize, features),
    kernel_laplacian(0.3, normalize, features), kernel_matern(0.5, 0.3, normalize, features),
    kernel_matern(1.5, 0.3, normalize, features), kernel_matern(2.5, 0.3, normalize, features),
    kernel_polynomial(3, 0.5, 1, normalize, features),
    kernel_custom(function(x, z) exp(tcrossprod(x, z) / 4), normalize, features)
  )
}

test_that("kernel matrices are those of the definitions", {
  set.seed(1)
  x <- points_of(12, 4)
  z <- points_of(7, 4)
  for (normalize in c(FALSE, TRUE)) {
    for (features in list(NULL, c(2, 4))) {
      for (kernel in all_kernels(normalize, features)) {
        expect_equal(kernel_matrix(kernel, x, z), reference_kernel(kernel, x, z), tolerance = 1e-13)
        expect_equal(kernel_matrix(kernel, x), reference_kernel(kernel, x, x), tolerance = 1e-13)
      }
    }
  }
})

test_that("far from the origin, and in more rows than a block", {
  set.seed(2)
  x <- points_of(1100, 3)
  kernel <- kernel_gaussian(0.2)
  k <- kernel_matrix(kernel, x[1:5, ], x)
  expect_equal(k, reference_kernel(kernel, x[1:5, ], x), tolerance = 1e-13)
  # An offset of 1e8 leaves eight digits of x; the kernel must not lose more than those.
  far <- x[1:30, ] + 2^27
  expect_equal(kernel_matrix(kernel, far), kernel_matrix(kernel, far - 2^27), tolerance = 1e-12)
  expect_true(all(kernel_matrix(kernel, 1e-9 * x[1:20, ]) <= 1))
})

test_that("kernels print as what they are", {
  expect_said({
    kernel_linear(features = 1:3)
    kernel_gaussian()
    kernel_laplacian(c(0.1, 1))
    kernel_matern(0.5)
    kernel_matern(2.5, 0.1)
    kernel_polynomial(3, normalize = TRUE)
    kernel_custom(function(x, z) tcrossprod(x, z))
    kernel_precomputed()
    kernel_linear(normalize = TRUE, map = diag(2)[, 1, drop = FALSE])
    width_multiples(2^(-1:1))
  })
})

test_that("a name stands for what its constructor has without arguments", {
  set.seed(1)
  x <- matrix(rnorm(60), 20)
  y <- rnorm(20)
  for (name in c("linear", "gaussian", "laplacian", "polynomial", "matern")) {
    made <- get(paste0("kernel_", name))()
    expect_identical(kernel_matrix(name, x), kernel_matrix(made, x))
    expect_identical(quiet(rls(x, y, name, 1))[["kernel"]], rls(x, y, made, 1)[["kernel"]])
  }
  both <- quiet(cv.rls(x, y, c("linear", "polynomial"), foldid = rep(1:4, 5)))
  list <- quiet(cv.rls(x, y, list(kernel_linear(), kernel_polynomial()), foldid = rep(1:4, 5)))
  expect_identical(both[c("kernels", "cvm")], list[c("kernels", "cvm")])
  given <- quiet(rls(tcrossprod(x), y, "precomputed", 1))
  expect_equal(fitted(given), fitted(rls(x, y, lambda = 1, standardize = FALSE)))
})
