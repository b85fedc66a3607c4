library(Matrix, warn.conflicts = FALSE)

y <- bad_y()
dense <- bad_x() * (abs(bad_x()) > 0.6)
columns <- as(dense, "CsparseMatrix")
square <- crossprod(outer(1:20, 1:20, function(i, j) ((7 * i + 3 * j) %% 11 == 0) * i))

matrices <- list(
  dgC = columns,
  dgR = as(columns, "RsparseMatrix"),
  dgT = as(columns, "TsparseMatrix"),
  ngC = as(columns, "nMatrix"),
  lgC = as(columns, "lMatrix"),
  dsC = as(as(square, "CsparseMatrix"), "symmetricMatrix"),
  dsT = as(as(as(square, "CsparseMatrix"), "symmetricMatrix"), "TsparseMatrix"),
  dtC = triu(as(square, "CsparseMatrix")),
  unit = as(Diagonal(20), "CsparseMatrix"),
  ddi = Diagonal(20, 1:20),
  identity = Diagonal(20),
  ind = as(rep(1:5, 4), "indMatrix"),
  p = as(20:1, "pMatrix"),
  dge = Matrix(dense, sparse = FALSE),
  lge = as(Matrix(dense, sparse = FALSE), "lMatrix"),
  dsy = as(Matrix(square, sparse = FALSE), "symmetricMatrix"),
  dtr = triu(Matrix(square, sparse = FALSE)),
  triplets = new("dgTMatrix", i = c(0:9, 3L, 3L), j = rep(0:2, 4), x = 1:12 + 0,
                 Dim = c(20L, 3L)),
  zero = as(dense * 0, "CsparseMatrix"),
  stored_zeros = { z <- columns; z@x[1:3] <- 0; z },
  # Zeros are stored of rows 1 to 10 alone, and row 11 is row 1.
  stored_twins = local({
    twice <- dense[rep(1:10, 2), ]
    z <- as(replace(twice, twice == 0 & row(twice) <= 10, 7), "CsparseMatrix")
    z@x[z@x == 7] <- 0
    z
  })
)

test_that("every class of Matrix gives what the dense matrix gives", {
  kernels <- list(kernel_linear(), kernel_gaussian(0.5), kernel_laplacian(0.5),
                  kernel_polynomial(2))
  fitted_to <- function(x, kernel) {
    suppressWarnings(sparserls(x, y, c(1:4, 11), kernel, lambda = c(1, 0.1)))
  }
  for (name in names(matrices)) for (kernel in kernels) {
    x <- matrices[[name]]
    same <- fitted_to(unname(as.matrix(x) + 0), kernel)
    fit <- fitted_to(x, kernel)
    expect_identical(fit$basis, same$basis, info = name)
    expect_equal(fitted(fit), fitted(same), tolerance = 1e-8, info = name)
    expect_equal(unname(predict(fit, x)), unname(predict(same, unname(as.matrix(x) + 0))),
                 tolerance = 1e-8, info = name)
  }
})

test_that("a column far from zero that is sparse nowhere is fine, and a full constant one", {
  far <- cbind(dense, 1e6 + sin(5 * (1:20)))
  expect_same_fit(as(far, "CsparseMatrix"), far, tolerance = 1e-5)
  sparse <- as(cbind(bad_x(), 0.1), "CsparseMatrix")
  w <- rep(c(0, 1), c(1, 19))
  sparse[1, 4] <- 5
  fit <- sparserls(sparse, bad_y(), 1:8, kernel_linear(), 1, weights = w)
  full <- sparserls(bad_x(), bad_y(), 1:8, kernel_linear(), 1, weights = w)
  expect_equal(fitted(fit), fitted(full), tolerance = 1e-8)
})

test_that("sparse rows that are nearly equal have the distances of dense ones", {
  near <- rbind(c(3, 0, 0, 0), c(3, 1e-6, 0, 0), c(3, 0, 0, 2e-6), c(3, 0, 3e-6, 4e-6))
  kernel <- kernel_gaussian(1e11)
  dense <- kernel_matrix(kernel, near)
  expect_equal(kernel_matrix(kernel, as(near, "CsparseMatrix")), dense, tolerance = 1e-10)
  expect_equal(dense[1, 2:4], exp(-c(0.1, 0.4, 2.5)), tolerance = 1e-6)
})
