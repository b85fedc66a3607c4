selection_case <- function(seed) {
  case <- random_case(seed)
  set.seed(1000 + seed)
  case$n <- sample(3:8, 1)
  case$candidates <- sample(c(1, 5, 12, 100), 1)
  case$select_lambda <- 10^runif(1, -6, 2)
  case$jitter <- 10^runif(1, -7, -3)
  case
}

select_case <- function(case, basis, x = case$x, kernel = case$kernel) {
  # Kernels of low rank leave fewer than asked for.
  suppressWarnings(
    sparserls(x, case$y, basis, kernel, 1, weights = case$w, intercept = case$intercept,
              standardize = FALSE, jitter = case$jitter)$basis,
    classes = "sparserls_warning_basis"
  )
}

test_that("both give the basis of the naive algorithm on the same random stream", {
  # From 81 on kernels of low rank, which leave fewer rows than are asked for; in 151 one row has
  # little left.
  for (seed in c(1:16, 81:86, 151)) {
    case <- selection_case(seed)
    if (seed %in% 81:86) {
      low <- list(kernel_linear(features = 1:2), kernel_polynomial(2, features = 1:2))
      case$kernel <- low[[seed %% 2 + 1]]
    }
    k <- reference_kernel(case$kernel, case$x, case$x)
    naive <- seeded(seed, naive_rpcholesky(k, case$n))
    expect_identical(seeded(seed, select_case(case, basis_rpcholesky(case$n))), naive, info = seed)
    if (seed > 80) next
    shifted <- k + diag(case$jitter, nrow(k))
    naive <- seeded(seed, naive_greedy(shifted, case$y, case$w, case$n, case$candidates,
                                       case$select_lambda, case$intercept))
    greedy <- basis_greedy(case$n, case$candidates, case$select_lambda)
    expect_identical(seeded(seed, select_case(case, greedy)), naive, info = seed)
  }
})

test_that("sequences of rows have the probabilities of one draw after the other", {
  set.seed(1)
  k <- kernel_matrix(kernel_gaussian(0.4), matrix(rnorm(12), 6)) * tcrossprod(c(1, 1, 2, 1, 3, 1))
  # P(a, b, c) = d_a / sum d * d'_b / sum d' * d''_c / sum d''
  probability <- function(rows, schur = k) {
    if (length(rows) == 0) return(1)
    row <- rows[1]
    schur[row, row] / sum(diag(schur)) *
      probability(rows[-1], schur - tcrossprod(schur[, row]) / schur[row, row])
  }
  sequences <- as.matrix(expand.grid(1:6, 1:6, 1:6))
  sequences <- sequences[apply(sequences, 1, function(s) !anyDuplicated(s)), ]
  expected <- apply(sequences, 1, probability)
  set.seed(2)
  found <- replicate(5000, paste(.Call(ffi_rpcholesky, k, diag(k), 3L, 1L)$rows, collapse = " "))
  counts <- table(factor(found, apply(sequences, 1, paste, collapse = " ")))
  frequent <- 5000 * expected >= 5
  merged <- function(x) c(x[frequent], sum(x[!frequent]))
  expect_gt(chisq.test(merged(counts), p = merged(expected), rescale.p = TRUE)$p.value, 0.01)
})

x <- matrix(sin((1:240)^2), 60)
y <- cos(1:60)

chosen <- function(basis, x, y, kernel = kernel_gaussian(0.5), ...) {
  set.seed(7)
  sparserls(x, y, basis, kernel, 1, ...)$basis
}

test_that("dense, sparse and precomputed kernels select the same", {
  kernels <- list(kernel_gaussian(0.5), kernel_linear(), kernel_polynomial(2))
  for (selector in list(basis_greedy(8, 10), basis_rpcholesky(4))) {
    for (kernel in kernels) {
      dense <- chosen(selector, x, y, kernel)
      expect_identical(chosen(selector, x, y, kernel, threads = 2), dense)
      expect_identical(chosen(selector, Matrix::Matrix(x, sparse = TRUE), y, kernel), dense)
      k <- kernel_matrix(kernel, scale(x) * sqrt(60 / 59))
      expect_identical(chosen(selector, k, y, kernel_precomputed(), standardize = FALSE), dense)
      expect_identical(chosen(selector, Matrix::Matrix(k), y, kernel_precomputed(),
                              standardize = FALSE), dense)
    }
  }
})

test_that("the selection sees all outputs, scales and weights as it should", {
  greedy <- basis_greedy(6, 15)
  expected <- chosen(greedy, x, y)
  expect_identical(chosen(greedy, x, cbind(y, 3 * y)), expected)
  expect_identical(chosen(greedy, x, 100 * y - 7), expected)
  expect_identical(chosen(greedy, x, y, weights = rep(5, 60)), expected)
  expect_false(identical(chosen(greedy, x, cbind(y, sin((1:60)^3))), expected))
  expect_false(identical(chosen(greedy, x, y, weights = 1:60), expected))
  rp <- basis_rpcholesky(6)
  expect_identical(chosen(rp, x, y, weights = 1:60), chosen(rp, x, sin(y)))
})

test_that("repeated and spanned rows are not chosen", {
  twice <- x[rep(1:6, 10), ]
  for (selector in list(basis_greedy(8, 30), basis_rpcholesky(8))) {
    set.seed(1)
    expect_silent(fit <- sparserls(twice, y, selector, kernel_gaussian(1), 1))
    expect_length(unique(twice[fit$basis, 1]), 6)
    # Four features span a linear kernel.
    set.seed(1)
    expect_silent(fit <- sparserls(x, y, selector, kernel_linear(), 1, jitter = 0))
    expect_length(fit$basis, 4)
  }
})

test_that("the order of selection is kept, and subset and missing rows are seen", {
  data <- data.frame(x, y)
  data[c(2, 9), 1] <- NA
  kept <- setdiff(21:60, c(2, 9))
  for (selector in list(basis_greedy(5), basis_rpcholesky(5))) {
    set.seed(7)
    fit <- sparserls(y ~ ., data, subset = 21:60, basis = selector, kernel = kernel_gaussian(0.5),
                     lambda = 1)
    expect_identical(fit$basis, kept[chosen(selector, x[kept, ], y[kept])])
    expect_true(is.unsorted(fit$basis))
  }
})
