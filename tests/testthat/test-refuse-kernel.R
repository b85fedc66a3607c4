x <- bad_x()
y <- bad_y()

negative <- function(x, z) -tcrossprod(x, z)
none <- kernel_custom(function(x, z) matrix(0, nrow(x), nrow(z)))
indefinite <- kernel_custom(function(a, b) tcrossprod(a[, 1], b[, 1]) - tcrossprod(a[, 2], b[, 2]))
# Eigenvalues depend on the BLAS.
gram <- tcrossprod(cbind(x, 1))

test_that("kernel", {
  expect_refusals({
    sparserls(x, y, 5, "gausian") | kernel | '`kernel` does not .. "gausian" .. "gaussian", "lap'
    kernel_matrix("custom", x) | kernel | '`kernel` does not name a .. x "custom" .. Names are'
    sparserls(x, y, 5, mean) | kernel | "`kernel` must be a kernel or a list of .. x a function"
    sparserls(x, y, 5, kernel_gaussian(c(1, 2))) | kernel | "`kernel` must be a single .. 2 kernels"
    kernel_matrix(kernel_gaussian(c(1, 2)), x) | kernel | "`kernel` must be a single .. 2 kernels"
    cv.sparserls(x, y, 5, list(kernel_precomputed(), kernel_linear())) |
      kernel | "A precomputed kernel cannot be searched together with others"
    rls2(x, y, list(kernel_linear(), kernel_precomputed())) | kernel | "A precomputed kernel cannot"
    kernel_linear(gamma = 2) | kernel | "`gamma` of a linear kernel must .. x 2 .. One number for"
    kernel_gaussian(0) | kernel | "`gamma` must be positive .. x 0 .. Leave it NULL for a value"
    kernel_matern(width_multiples(2), 2.5) | kernel | "kernel_matern(gamma = ...)"
    kernel_matern(2) | kernel | "`smoothness` must be 0.5, 1.5 or 2.5 .. x 2 .. second argument"
    kernel_polynomial(0) | kernel | "`degree` must be a whole number of at least 1 .. x 0"
    kernel_polynomial(offset = -1) | kernel | "`offset` must not be negative .. x -1 .. A negative"
    kernel_custom("f") | kernel | '`f` must be a function of two matrices .. x "f"'
    kernel_linear(features = character()) | kernel | "`features` must name or .. character vector"
    with_kernel(kernel_linear(features = c("a", "zz"))) | kernel | "`features` of the kernel are"
    with_kernel(kernel_custom(function(x, z) NULL)) | kernel | "The custom kernel must .. x NULL"
    kernel_matrix(kernel_precomputed(), x) | kernel | "With a precomputed kernel `x` must .. 20 x 3"
    sparserls(0 * x, y, kernel = kernel_linear(), standardize = FALSE) |
      kernel | "The kernel is zero on all rows .. linear kernel .. Look at `x` and the kernel's"
    sparserls(x, y, basis_greedy(5), kernel_custom(function(a, b) 0 * tcrossprod(a, b))) |
      kernel | "The kernel is zero on all rows .. custom kernel .. Look at `x` and the kernel's"
    with_kernel(kernel_gaussian(width_multiples(1e-320))) | kernel | "The default `gamma`, or its"
    rls(x, y, kernel_polynomial(2, scale = 1e-30), weights = rep(1e-20, 20)) |
      kernel | "The kernel is constant over the rows .. polynomial kernel .. Look at `x` and the"
    rls(x + 1e4, y, kernel_polynomial(2, offset = 0), standardize = FALSE) |
      kernel | "Rounding errors of the kernel's values hide .. polynomial kernel .. Use standardize"
    rls2(x, y, list()) | kernel | "`kernels` must be a kernel or a list of .. list of size 0"
    rls2(matrix(0, 20, 2), y, standardize = FALSE) | kernel | "All kernels are zero on .. V1, V2"
    ardrls(x, y, 5, kernel_polynomial()) | kernel | "ardrls() needs a kernel .. polynomial kernel"
    ardrls(x, y, 5, kernel_gaussian(c(1, 2))) | kernel | "must be a single kernel here .. 2 kernels"
    ardrls(x, y, 5, kernel_gaussian(c(a = 1, b = 1))) | kernel | "A named `gamma` must have one"
    sparserls(x, y, 1:5, kernel_polynomial(2000)) | not_finite | "Kernel values overflow"
    kernel_matrix(kernel_polynomial(2000), x * 10) | not_finite | "Kernel values overflow"
    sparserls(1e28 * x, y, basis_greedy(5), kernel_polynomial(6), lambda = 1, standardize = FALSE) |
      not_finite | "Kernel values overflow .. Rescale `x`, or lower `degree` or `scale` of the"
    rls2(x, y, kernel_polynomial(400, 1e3)) | not_finite | "Kernel values overflow"
    with_kernel(kernel_custom(function(x, z) matrix("1", nrow(x), nrow(z)))) |
      kernel | "The custom kernel must return"
    with_kernel(kernel_custom(function(x, z) replace(tcrossprod(x, z), 1, NA))) |
      kernel | "The custom kernel returned values that are missing or not finite"
    with_kernel(kernel_custom(function(x, z) outer(x[, 1], z[, 2]))) |
      kernel | "The kernel matrix is not symmetric .. k(x, z) must equal k(z, x)"
    with_kernel(kernel_custom(negative)) | kernel | "The kernel is not positive semidefinite"
    sparserls(x, y, basis_rpcholesky(5), kernel_custom(negative), lambda = 1) |
      kernel | "The kernel is not positive semidefinite .. k(x, x) is -6.12 in row 17"
    rls(x, y, kernel_custom(negative)) | kernel | "not positive semidefinite"
    rls2(x, y, list(kernel_linear(), indefinite)) | kernel | "The kernel is not positive"
    rls2(x, y, none) | kernel | "All kernels are zero on the rows .. custom .. Look at `x` and"
    with_kernel(kernel_precomputed(), gram[, 1:19]) | kernel | "With a precomputed .. 20 x 19"
    with_kernel(kernel_precomputed(), gram + row(gram)) | kernel | "not symmetric"
    with_kernel(kernel_precomputed(), replace(gram, diag(20) == 1, -(1:20))) | kernel | "semidef"
    with_kernel(kernel_precomputed(TRUE), replace(gram, diag(20) == 1, 0)) | kernel | "semidefinite"
    with_kernel(kernel_precomputed(), gram * 0, jitter = 0) | kernel | "The kernel is zero on all"
    kernel_matrix(kernel_precomputed(), gram, gram) | kernel | "A precomputed kernel has no values"
    sparserls(y ~ ., data.frame(y, gram), basis = 1:3, kernel = kernel_precomputed(),
              standardize = FALSE, subset = 1:10) | kernel | "A precomputed kernel cannot be"
    kernel_gaussian(diag(2)) | kernel | "`gamma` is a number, or a vector .. A linear map of the"
    kernel_gaussian("1") | kernel | '`gamma` is a number, or a vector of them .. x "1"'
  })
})
