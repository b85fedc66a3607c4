# Kernels that are nearly constant: what the rows have in common is the intercept's, and rounding
# errors of values near 1 must not be larger than what they differ by. The help promises errors of
# about eps L / lambda, L the largest eigenvalue of the problem.

# The kernel less one by differences of the points, centred.
centred_less_one <- function(x, w, gamma, distance) {
  k <- expm1(-gamma * distance(x))
  centring <- diag(nrow(x)) - rep(1, nrow(x)) %o% w / sum(w)
  centring %*% k %*% t(centring)
}

squared <- function(x) as.matrix(dist(x))^2
absolute <- function(x) as.matrix(dist(x, "manhattan"))
folds <- unname(split(1:60, rep(1:6, 10)))

# Held-out errors in units of eps L / lambda, for every lambda.
units <- function(x, y, w, kernel, distance, read = identity) {
  k <- centred_less_one(x, w, kernel$gamma, distance)
  top <- max(eigen(sqrt(w) * k * rep(sqrt(w), each = 60), symmetric = TRUE)$values)
  ratio <- 10^-c(2, 4, 6, 8, 10)
  z <- reference_coordinates(k)
  honest <- matrix(0, 60, 5)
  for (held in folds) {
    honest[held, ] <- reference_ridge(z, y, w, setdiff(1:60, held), held, top * ratio, TRUE)[, 1, ]
  }
  # The last of these lambdas is told of.
  cv <- suppressWarnings(classes = "sparserls_warning_lambda", cv.rls(
    read(x), y, kernel, top * ratio, weights = w, standardize = FALSE, folds = folds, keep = TRUE,
    progress = FALSE
  ))
  apply(abs(cv$fit.preval - honest), 2, max) / sd(honest) * ratio / .Machine$double.eps
}

test_that("cv.rls keeps the digits of a kernel whose values are all near one", {
  sparse <- function(x) as(x, "CsparseMatrix")
  set.seed(1)
  x <- matrix(rnorm(180), 60)
  y <- sin(x[, 1]) + 0.2 * rnorm(60)
  for (gamma in 10^-c(3, 4, 8)) for (w in list(rep(1, 60), sample(0:2, 60, TRUE))) {
    expect_lt(max(units(x, y, w, kernel_gaussian(gamma), squared)), 20)
    expect_lt(max(units(x, y, w, kernel_gaussian(gamma), squared, sparse)), 20)
    expect_lt(max(units(x, y, w, kernel_laplacian(gamma), absolute)), 20)
  }
})

test_that("without an intercept nothing is taken away", {
  x <- matrix(rnorm(40), 20)
  k <- exp(-1e-3 * squared(x))
  for (kernel in list(kernel_gaussian(1e-3), kernel_laplacian(1e-3))) {
    k <- reference_kernel(kernel, x, x)
    fit <- rls(x, 1:20, kernel, 1, intercept = FALSE, standardize = FALSE)
    expect_equal(fitted(fit), drop(k %*% solve(k + diag(20), 1:20)), tolerance = 1e-12)
  }
})
