# A kernel is one entry of the table in src/kernel.c and one constructor.

table_entries <- function() {
  Filter(function(entry) !entry$argument %in% c("matrices", "rows"), sparserls:::session$kernels)
}

values_at <- function(kernel, u) {
  .Call(sparserls:::ffi_kernel_at, sparserls:::kernel_list(kernel), u)
}

distance_kernels <- function(gamma) {
  c(list(kernel_gaussian(gamma), kernel_laplacian(sqrt(gamma))),
    lapply(c(0.5, 1.5, 2.5), kernel_matern, gamma = gamma))
}

table_kernels <- function(gamma = 0.7) {
  c(list(kernel_linear(), kernel_polynomial(1, 0.5, 0.2), kernel_polynomial(4, 0.5, 0.2)),
    distance_kernels(gamma))
}

test_that("the derivatives of the table are those of its values", {
  u <- c(0.01, 0.3, 1, 4)
  step <- 1e-5
  kernels <- table_kernels()
  expect_setequal(vapply(kernels, `[[`, "", "name"), names(table_entries()))
  for (kernel in kernels) {
    rise <- values_at(kernel, u + step * u)$value - values_at(kernel, u - step * u)$value
    expect_equal(values_at(kernel, u)$slope, rise / (2 * step * u), tolerance = 1e-8)
  }
  # The limits at D = 0; the Matern kernel of smoothness 1/2 has none and counts as 0.
  expect_identical(values_at(kernel_matern(0.5, 0.7), 0)$slope, 0)
  expect_equal(values_at(kernel_matern(1.5, 0.7), 0)$slope, -1.5 * 0.7)
  expect_equal(values_at(kernel_matern(2.5, 0.7), 0)$slope, -2.5 * 0.7 / 3)
})

test_that("kernels of the squared distance keep the limits that src/kernel.c names", {
  entries <- table_entries()
  of_squares <- Filter(function(kernel) {
    entries[[kernel$name]]$argument == "squared distance"
  }, table_kernels(gamma = 1))
  expect_gt(length(of_squares), 3)
  u <- 10^seq(-300, 4, length.out = 30401)
  for (kernel in of_squares) {
    slope <- abs(values_at(kernel, u)$slope)
    expect_lt(max(u * slope), 0.4)
    expect_true(max(slope) <= 1.5 || max(slope) > 1e100)
  }
})

test_that("values less one keep their digits, and are those of the kernel", {
  less_one <- function(kernel, distance) {
    point <- function(x) list(x = matrix(x), shift = NULL)
    sparserls:::kernel_values(replace(kernel, "less_one", TRUE), point(0), point(distance), 1L)
  }
  for (kernel in distance_kernels(1)[-3]) {
    square <- kernel$name != "laplacian"
    for (distance in c(0.1, 0.4, 0.57, 0.58, 0.7, 3, 1e149)) {
      value <- kernel_matrix(kernel, matrix(0), matrix(distance))
      expect_lt(abs(less_one(kernel, distance) - (value - 1)), 4e-16)
    }
    # To first order, where k - 1 by subtraction would have no digit.
    tiny <- if (square) 1e-10 else 1e-20
    slope <- values_at(kernel, 0)$slope
    expect_equal(drop(less_one(kernel, tiny)) / (if (square) tiny^2 else tiny), slope,
                 tolerance = 1e-9)
  }
})

test_that("kernels of points that nearly coincide are those of their differences", {
  set.seed(2)
  x <- matrix(rnorm(80, mean = 3), 20)
  z <- rbind(x + 1e-8 * rnorm(80), x + 1e-5 * rnorm(80), x + 1e-2 * rnorm(80), x)
  sparse <- function(x) as(Matrix::Matrix(x, sparse = TRUE), "CsparseMatrix")
  # From moderate widths to ones that only see the nearest points. k(x, x) is exactly 1.
  for (gamma in 10^c(-2, 0, 4, 8, 15)) {
    for (kernel in distance_kernels(gamma)) {
      reference <- reference_kernel(kernel, x, z)
      for (own in list(kernel_matrix(kernel, x), kernel_matrix(kernel, x, x + 0),
                       kernel_matrix(kernel, sparse(x)))) {
        expect_identical(unname(diag(own)), rep(1, 20))
      }
      expect_lt(max(abs(kernel_matrix(kernel, x, z) - reference)), 2e-13)
      expect_lt(max(abs(kernel_matrix(kernel, sparse(x), sparse(z)) - reference)), 2e-13)
    }
  }
})

test_that("cross-validation with every kernel equals honest refits, and a precomputed matrix", {
  seeds <- usable_seeds(1:3, function(seed) length(random_case(seed)$folds) > 0)
  for (kernel in table_kernels()) {
    for (seed in seeds) {
      case <- random_case(seed)
      case$kernel <- replace(kernel, "normalize", seed == 3)
      k <- reference_kernel(case$kernel, case$x, case$x)
      shifted <- (k + diag(case$jitter, nrow(k)))[, case$basis]
      honest <- reference_cv(shifted, case$y, case$w, case$basis, case$folds, case$lambda,
                             case$mode, case$intercept)
      info <- sprintf("seed %d, %s", seed, format(case$kernel))
      own <- cv_case(case, "auto")$fit.preval
      expect_lt(relative_error(own, honest), 1e-8, label = info)
      given <- replace(case, c("x", "kernel"), list(k, kernel_precomputed()))
      expect_equal(cv_case(given, "auto")$fit.preval, own, tolerance = 1e-7, info = info)
    }
  }
})
