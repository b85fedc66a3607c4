x <- bad_x()
y <- bad_y()
gram <- tcrossprod(cbind(x, 1))
fit <- function(kernel, x = bad_x(), ...) {
  sparserls(x, y, 1:5, kernel, lambda = 1, standardize = FALSE, ...)
}

test_that("what is no kernel is refused", {
  expect_refused("kernel", {
    sparserls(x, y, 5, "gaussian")
    sparserls(x, y, 5, NULL)
    sparserls(x, y, 5, 1)
    sparserls(x, y, 5, list())
    sparserls(x, y, 5, list(kernel_linear(), "gaussian"))
    sparserls(x, y, 5, kernel_gaussian)
    sparserls(x, y, 5, kernel_gaussian(c(1, 2)))
    sparserls(x, y, 5, list(kernel_linear(), kernel_gaussian()))
    cv.sparserls(x, y, 5, "gaussian")
    cv.sparserls(x, y, 5, list(kernel_precomputed(), kernel_linear()))
    kernel_matrix("gaussian", x)
    kernel_linear(gamma = 2)
    kernel_matrix(kernel_gaussian(c(1, 2)), x)
  })
})

test_that("parameters of kernels are checked", {
  expect_refused("kernel", {
    kernel_gaussian(0)
    kernel_gaussian(-1)
    kernel_gaussian(NA)
    kernel_gaussian(NaN)
    kernel_gaussian(Inf)
    kernel_gaussian("a")
    kernel_gaussian(numeric())
    kernel_gaussian(c(1, 0))
    kernel_laplacian(0)
    kernel_laplacian(NA)
    kernel_polynomial(0)
    kernel_polynomial(1.5)
    kernel_polynomial(NA)
    kernel_polynomial("2")
    kernel_polynomial(1:2)
    kernel_polynomial(scale = 0)
    kernel_polynomial(scale = NA)
    kernel_polynomial(offset = -1)
    kernel_polynomial(offset = Inf)
    kernel_custom("f")
    kernel_linear(features = character())
    kernel_linear(features = c(1, 1))
    kernel_linear(features = NA)
    kernel_linear(features = list(1))
    fit(kernel_linear(features = c("a", "zz")))
    fit(kernel_linear(features = "a"), unname(x))
    fit(kernel_linear(features = 4))
    fit(kernel_linear(features = 0))
    fit(kernel_linear(features = 1.5))
  })
  expect_refused("argument", {
    kernel_linear(normalize = NA)
    kernel_linear(normalize = 1)
  })
})

test_that("custom functions that return no kernel matrix are refused", {
  expect_refused("kernel", {
    fit(kernel_custom(function(x, z) NULL))
    fit(kernel_custom(function(x, z) x))
    fit(kernel_custom(function(x, z) matrix(1, nrow(x), nrow(z))[, 1]))
    fit(kernel_custom(function(x, z) as.data.frame(tcrossprod(x, z))))
    fit(kernel_custom(function(x, z) replace(tcrossprod(x, z), 1, NA)))
    fit(kernel_custom(function(x, z) tcrossprod(x, z) / 0))
    fit(kernel_custom(function(x, z) matrix("1", nrow(x), nrow(z))))
    fit(kernel_custom(function(x, z) outer(x[, 1], z[, 2])))
    kernel_matrix(kernel_custom(function(x, z) matrix(1, 2, 2)), x)
  })
  # Eigenvalues in the text depend on the BLAS.
  expect_classed("kernel", {
    fit(kernel_custom(function(x, z) -tcrossprod(x, z)))
    fit(kernel_custom(function(x, z) tanh(tcrossprod(x, z) - 1)))
    cv.sparserls(x, y, 1:5, kernel_custom(function(x, z) -tcrossprod(x, z)), nfolds = "loo")
  })
})

test_that("an error of the user's own function keeps its words", {
  expect_error(fit(kernel_custom(function(x, z) stop("my own words"))), "my own words")
})

test_that("a logical matrix and a Matrix from a custom kernel are fine", {
  expect_equal(fitted(fit(kernel_custom(function(x, z) Matrix::Matrix(tcrossprod(x, z))))),
               fitted(fit(kernel_linear())))
  expect_sane(fit(kernel_custom(function(x, z) matrix(1L, nrow(x), nrow(z)))) |> suppressWarnings())
})

test_that("normalize does not hide a negative diagonal", {
  expect_classed("kernel", {
    fit(kernel_custom(function(x, z) -tcrossprod(x, z), normalize = TRUE))
    fit(kernel_precomputed(normalize = TRUE), replace(gram, diag(20) == 1, 0))
  })
})

test_that("precomputed kernels are square, symmetric, complete and semidefinite", {
  expect_refused("kernel", {
    fit(kernel_precomputed(), gram[, 1:19])
    fit(kernel_precomputed(), gram + row(gram))
    fit(kernel_precomputed(), replace(gram, diag(20) == 1, -(1:20)))
    fit(kernel_precomputed(), gram * 0, jitter = 0)
    kernel_matrix(kernel_precomputed(), x)
    kernel_matrix(kernel_precomputed(), gram, gram)
    sparserls(y ~ ., data.frame(y, gram), basis = 1:3, kernel = kernel_precomputed(),
              standardize = FALSE, subset = 1:10)
  })
  expect_classed("kernel", {
    fit(kernel_precomputed(), replace(gram, diag(20) == 1, 0))
  })
  expect_refused("x", {
    fit(kernel_precomputed(), replace(gram, 5, NA))
  })
  expect_said(
    same <- sparserls(gram, y, 1:5, kernel_precomputed(), lambda = 1, standardize = TRUE)
  )
  expect_equal(fitted(same), fitted(fit(kernel_precomputed(), data.frame(gram))))
  expect_equal(fitted(same), fitted(fit(kernel_polynomial(1))))
})

test_that("kernel values that overflow are refused", {
  expect_refused("not_finite", {
    sparserls(x, y, 1:5, kernel_polynomial(2000))
    sparserls(x, y, 1:5, kernel_polynomial(2, scale = 1e200))
    sparserls(x, y, 1:5, kernel_polynomial(2, offset = 1e200))
    cv.sparserls(x, y, 1:5, kernel_polynomial(2000))
    kernel_matrix(kernel_polynomial(2000), x * 10)
  })
})

test_that("gamma so large that K is the identity is fine", {
  for (kernel in list(kernel_gaussian(1e10), kernel_laplacian(1e300))) {
    expect_identical(unname(kernel_matrix(kernel, x)), diag(20))
    object <- sparserls(x, y, 1:20, kernel, lambda = 1, intercept = FALSE, jitter = 0)
    expect_equal(fitted(object), y / 2)
    expect_sane(cv.sparserls(x, y, 1:20, kernel, nfolds = "loo"))
  }
})

test_that("gamma so small that K is constant is fine", {
  for (kernel in list(kernel_gaussian(1e-300), kernel_laplacian(1e-300))) {
    expect_identical(unname(kernel_matrix(kernel, x)), matrix(1, 20, 20))
    object <- sparserls(x, y, 1:5, kernel, lambda = c(1, 1e-6))
    expect_equal(fitted(object)[, 1], rep(mean(y), 20), tolerance = 1e-6)
    expect_sane(object)
    expect_sane(cv.sparserls(x, y, 1:5, kernel, nfolds = "loo"))
  }
})

test_that("lambda that is no positive number is refused", {
  expect_refused("lambda", {
    sparserls(x, y, 5, lambda = 0)
    sparserls(x, y, 5, lambda = c(1, -1))
    sparserls(x, y, 5, lambda = NA)
    sparserls(x, y, 5, lambda = c(1, NA))
    sparserls(x, y, 5, lambda = NaN)
    sparserls(x, y, 5, lambda = Inf)
    sparserls(x, y, 5, lambda = numeric())
    sparserls(x, y, 5, lambda = "1")
    sparserls(x, y, 5, lambda = TRUE)
    sparserls(x, y, 5, lambda = list(1))
    cv.sparserls(x, y, 5, lambda = 0, nfolds = "loo")
    cv.sparserls(x, y, 5, lambda = numeric())
  })
  expect_refused("argument", {
    sparserls(x, y, 5, nlambda = 0)
    sparserls(x, y, 5, nlambda = 2.5)
    sparserls(x, y, 5, nlambda = NA)
    sparserls(x, y, 5, nlambda = NULL)
    cv.sparserls(x, y, 5, nlambda = "50")
  })
})

test_that("lambda far below what the data resolve is refused, extremes are finite", {
  # Weights that span 58 orders leave eigenvalues that are rounding errors.
  expect_classed("lambda", {
    sparserls(x, y, 1:5, lambda = 1e-300, weights = 10^seq(-29, 29, length.out = 20))
  })
  for (lambda in c(1e-300, 1e-12, 1e300)) {
    expect_sane(sparserls(x, y, 1:5, lambda = lambda))
    for (solver in c("update", "retrain")) {
      expect_sane(cv.sparserls(x, y, 1:5, lambda = lambda, nfolds = "loo", solver = solver))
    }
  }
  expect_equal(fitted(sparserls(x, y, 1:5, lambda = 1e300)), rep(mean(y), 20))
})

test_that("lambda unsorted, repeated or as a matrix is sorted", {
  object <- sparserls(x, y, 1:5, lambda = c(0.1, 10, 1, 1, 0.1))
  expect_identical(object$lambda, c(10, 1, 0.1))
  expect_identical(fitted(object), fitted(sparserls(x, y, 1:5, lambda = c(10, 1, 0.1))))
  expect_identical(cv.sparserls(x, y, 1:5, lambda = matrix(c(1, 2, 2, 1), 2))$lambda, c(2, 1))
})

test_that("integer lambda is fine", {
  expect_identical(fitted(sparserls(x, y, 1:5, lambda = 1:3)),
                   fitted(sparserls(x, y, 1:5, lambda = c(1, 2, 3))))
  expect_sane(cv.sparserls(x, y, 1:5, lambda = 1L, nfolds = "loo"))
})

test_that("jitter of zero or larger than the kernel is fine", {
  expect_sane(cv.sparserls(x, y, 1:5, jitter = 0, nfolds = "loo"))
  expect_sane(cv.sparserls(x, y, 1:5, jitter = 1e300, nfolds = "loo"))
})

test_that("kernels that are zero on all rows are refused, whatever the basis", {
  none <- kernel_custom(function(x, z) matrix(0, nrow(x), nrow(z)))
  expect_refused("kernel", {
    sparserls(x, y, kernel = none)
    cv.sparserls(x, y, kernel = none)
    sparserls(0 * x, y, kernel = kernel_linear(), standardize = FALSE)
  })
})

test_that("a kernel whose eigenvalues are all negative is not called constant", {
  negative <- kernel_custom(function(x, z) -tcrossprod(x, z))
  expect_error(rls(x, y, negative), "not positive semidefinite", class = "sparserls_error_kernel")
})

test_that("a default gamma that is no number of normal size is refused", {
  expect_refused("kernel", {
    kernel_gaussian(5e-324)
    fit(kernel_gaussian(width_multiples(1e-320)))
    kernel_matrix(kernel_gaussian(width_multiples(1e-320)), x)
  })
})

test_that("a custom function that takes too few arguments is refused", {
  expect_classed("kernel", {
    kernel_custom(function(x) x)
  })
  expect_s3_class(kernel_custom(function(...) tcrossprod(...)), "sparserls_kernel")
})
