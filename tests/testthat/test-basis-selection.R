# Greedy selection and randomly pivoted Cholesky choose what the naive algorithms choose.

selection_case <- function(seed) {
  case <- random_case(seed)
  set.seed(1000 + seed)
  case$n <- sample(3:8, 1)
  case$candidates <- sample(c(1, 5, 12, 100), 1)
  case$select_lambda <- 10^runif(1, -2, 1)
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

shifted_kernel <- function(case) {
  reference_kernel(case$kernel, case$x, case$x) + diag(case$jitter, nrow(case$x))
}

test_that("basis_greedy gives the basis of the naive algorithm on the same random stream", {
  different <- integer()
  for (seed in 1:200) {
    case <- selection_case(seed)
    set.seed(seed)
    naive <- naive_greedy(shifted_kernel(case), case$y, case$w, case$n, case$candidates,
                          case$select_lambda, case$intercept)
    set.seed(seed)
    fast <- select_case(case, basis_greedy(case$n, case$candidates, case$select_lambda))
    if (!identical(fast, naive)) different <- c(different, seed)
  }
  expect_identical(different, integer())
})

test_that("basis_rpcholesky gives the basis of the naive algorithm on the same random stream", {
  different <- integer()
  for (seed in 1:200) {
    case <- selection_case(seed)
    set.seed(seed)
    naive <- naive_rpcholesky(reference_kernel(case$kernel, case$x, case$x), case$n)
    set.seed(seed)
    fast <- select_case(case, basis_rpcholesky(case$n))
    if (!identical(fast, naive)) different <- c(different, seed)
  }
  expect_identical(different, integer())
})
