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

test_that("multiples of the default width say that they are", {
  expect_output(print(width_multiples(2^(-1:1))), "<0.5, 1.0, 2.0 times the default gamma>",
                fixed = TRUE)
})

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

test_that("kernels of differences are exact where they must be", {
  x <- points_of(30, 3)
  k <- kernel_matrix(kernel_gaussian(1), x)
  expect_identical(diag(k), rep(1, 30))
  # An offset of 1e8 leaves eight digits of x; the kernel must not lose more than those.
  expect_equal(kernel_matrix(kernel_gaussian(1), x + 2^27), kernel_matrix(kernel_gaussian(1), (x + 2^27) - 2^27),
               tolerance = 1e-12)
  expect_true(all(kernel_matrix(kernel_gaussian(1), matrix(rnorm(40), 20) * 1e-9) <= 1))
})

test_that("row names are kept and the result is rows of x by rows of z", {
  x <- matrix(1:6 / 6, 3, dimnames = list(letters[1:3], NULL))
  z <- matrix(1:4 / 4, 2, dimnames = list(LETTERS[1:2], NULL))
  expect_identical(dimnames(kernel_matrix(kernel_linear(), x, z)), list(letters[1:3], LETTERS[1:2]))
})

test_that("more rows than a block give the same values", {
  set.seed(2)
  x <- points_of(1100, 3)
  kernel <- kernel_gaussian(0.2)
  k <- kernel_matrix(kernel, x[1:5, ], x)
  expect_equal(k, reference_kernel(kernel, x[1:5, ], x), tolerance = 1e-13)
})

test_that("the default gamma is one over the median squared distance", {
  set.seed(3)
  x <- points_of(50, 4)
  d <- as.vector(dist(x))
  fit <- sparserls(x, rnorm(50), 1:10, standardize = FALSE, nlambda = 3)
  expect_equal(fit$kernel$gamma, 1 / median(d^2))
  matern <- sparserls(x, rnorm(50), 1:10, kernel_matern(), standardize = FALSE, nlambda = 3)
  expect_identical(matern$kernel$gamma, fit$kernel$gamma)
  fit <- sparserls(x, rnorm(50), 1:10, kernel_laplacian(), standardize = FALSE, nlambda = 3)
  expect_equal(fit$kernel$gamma, 1 / median(as.vector(dist(x, "manhattan"))))
})

test_that("sparse rows give what the same rows give when dense", {
  set.seed(4)
  sparse <- Matrix::rsparsematrix(80, 12, 0.4)
  dense <- as.matrix(sparse)
  y <- rnorm(80) + dense[, 1]
  w <- runif(80)
  for (kernel in all_kernels()[1:7]) {
    expect_equal(kernel_matrix(kernel, sparse, sparse[1:5, ]),
                 kernel_matrix(kernel, dense, dense[1:5, ]), tolerance = 1e-13)
    for (standardize in c(TRUE, FALSE)) {
      run <- function(x) {
        cv.sparserls(x, y, 1:20, kernel, c(1, 0.1), weights = w, standardize = standardize,
                     folds = list(1:10, 31:40), keep = TRUE, progress = FALSE)
      }
      a <- run(sparse)
      b <- run(dense)
      expect_equal(a$fit.preval, b$fit.preval, tolerance = 1e-9)
      expect_equal(predict(a, sparse), predict(b, dense), tolerance = 1e-9)
      # A model meets rows of the other kind.
      expect_equal(predict(a, dense), predict(b, sparse), tolerance = 1e-9)
    }
  }
})

test_that("a sparse matrix is never made dense", {
  # 20000 x 50000 would take 8 GB.
  set.seed(5)
  x <- Matrix::sparseMatrix(sample(2e4, 1e5, TRUE), sample(5e4, 1e5, TRUE), x = rnorm(1e5),
                            dims = c(2e4, 5e4))
  y <- rnorm(2e4)
  for (kernel in list(kernel_linear(TRUE), kernel_gaussian(1e-4), kernel_matern(1.5, 1e-4),
                      kernel_polynomial(2))) {
    cv <- cv.sparserls(x, y, 20, kernel, c(1, 0.1), nfolds = 3, progress = FALSE)
    expect_true(all(is.finite(cv$cvm)))
  }
})

test_that("a precomputed kernel gives what the kernel itself gives", {
  set.seed(6)
  x <- points_of(40, 3)
  y <- sin(x[, 1])
  for (normalize in c(FALSE, TRUE)) {
    kernel <- kernel_polynomial(2, normalize = normalize)
    k <- kernel_matrix(kernel_polynomial(2), x)
    a <- cv.sparserls(x, y, 1:12, kernel, c(1, 0.01), standardize = FALSE, foldid = rep(1:8, 5),
                      keep = TRUE, progress = FALSE)
    # Nobody has asked for standardization: nothing is said about it.
    said <- capture_messages(
      b <- cv.sparserls(k, y, 1:12, kernel_precomputed(normalize), c(1, 0.01),
                        foldid = rep(1:8, 5), keep = TRUE, progress = FALSE)
    )
    expect_no_match(said, "standardize", all = FALSE)
    expect_equal(a$fit.preval, b$fit.preval, tolerance = 1e-9)
  }
  new <- points_of(5, 3)
  a <- sparserls(x, y, 1:12, kernel_polynomial(2), 0.1, standardize = FALSE)
  b <- sparserls(k, y, 1:12, kernel_precomputed(), 0.1, standardize = FALSE)
  expect_equal(predict(a, new), predict(b, kernel_matrix(kernel_polynomial(2), new, x)),
               tolerance = 1e-9)
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
  })
})

test_that("relative() is deprecated, and still width_multiples()", {
  expect_warning(old <- relative(1:3), "width_multiples", class = "deprecatedWarning")
  expect_identical(old, width_multiples(1:3))
})

test_that("kernel_matern() takes as gamma what cannot be a smoothness", {
  expect_identical(kernel_matern(width_multiples(1:3)), kernel_matern(gamma = width_multiples(1:3)))
  expect_identical(kernel_matern(c(a = 1, b = 0.2)), kernel_matern(gamma = c(a = 1, b = 0.2)))
  expect_identical(kernel_matern(width_multiples(2), features = "a"),
                   kernel_matern(1.5, width_multiples(2), features = "a"))
  expect_identical(kernel_matern(c(nu = 2.5)), kernel_matern(2.5))
  expect_refused("kernel", {
    kernel_matern(0.3)
    kernel_matern(c(0.5, 2.5))
    kernel_matern(width_multiples(2), 2.5)
  })
})

test_that("variables are called by their plain names, syntactic or not", {
  d <- setNames(prostate[c("lpsa", "age", "lcavol")], c("y", "s p", "b"))
  d$`a factor` <- gl(3, 1, 97)
  fit <- function(features) {
    rls(y ~ ., d, kernel_gaussian(0.2, features = features), lambda = 1)
  }
  expect_identical(fitted(fit("s p")), fitted(fit("`s p`")))
  expect_identical(fitted(fit(c("s p", "a factor"))), fitted(fit(c("`s p`", "`a factor`"))))
  expect_identical(unname(fit("a factor")$kernel$features), 3:5)
  expect_error(fit("sp"), class = "sparserls_error_kernel")
  expect_identical(effect_curve(fit("s p"), "s p")$feature, "s p")
})
