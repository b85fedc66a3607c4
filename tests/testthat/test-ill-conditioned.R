# Ill-conditioned problems: finite, and close to the honest refit or a classed error. The
# yardstick of "close" is the help page's: eps times the largest eigenvalue over lambda, with a
# factor for the size of the problem.

set.seed(1)
m <- 80
x <- matrix(rnorm(m * 3), m)
y <- sin(x[, 1]) + 0.1 * rnorm(m)
basis <- 1:20
folds <- unname(split(1:m, rep(1:5, 16)))

held_out_error <- function(x, basis, kernel, lambda, folds, solver, mode = "remove") {
  cv <- cv.sparserls(x, y, basis, kernel, lambda, folds = folds, standardize = FALSE,
                     solver = solver, keep = TRUE, holdout_basis = mode, progress = FALSE)
  # The package's own kernel, so that both see the same rounding errors of it.
  k <- kernel_matrix(kernel, x, x[basis, ])
  k[cbind(basis, seq_along(basis))] <- diag(kernel_matrix(kernel, x[basis, ])) + 1e-7
  honest <- reference_cv(k, y, rep(1, m), basis, folds, lambda, mode, TRUE)
  expect_true(all(is.finite(cv$cvm)))
  relative_error(cv$fit.preval, honest)
}

test_that("lambda down to 1e-10 of the largest eigenvalue", {
  kernel <- kernel_gaussian(0.3)
  top <- sparserls(x, y, basis, kernel, nlambda = 1, standardize = FALSE)$lambda
  for (solver in c("update", "retrain")) {
    for (ratio in c(1, 1e-4, 1e-8, 1e-10)) {
      error <- held_out_error(x, basis, kernel, top * ratio, folds, solver)
      expect_lt(error, 100 * .Machine$double.eps / ratio + 1e-11)
    }
    expect_lt(held_out_error(x, 1:m, kernel, top * 1e-8, as.list(1:m), solver), 1e-5)
  }
})

test_that("near-duplicates; kernels nearly constant or the identity; folds of nearly all", {
  twins <- function(distance) replace(x, cbind(11:20, rep(1:3, each = 10)), x[1:10, ] + distance)
  most <- list(c(1:15, 21:77))
  all_but_one <- list(2:20, c(1, 3:25))
  smooth <- kernel_gaussian(0.3)
  cases <- list(
    list(twins(1e-7), smooth, c(1, 1e-4), folds, "remove", 1e-8),
    list(twins(1e-10), smooth, c(1, 1e-4), folds, "remove", 1e-8),
    list(x, kernel_gaussian(1e-12), c(1, 1e-6), folds, "remove", 1e-6),
    list(x, kernel_gaussian(1e3), c(1, 1e-6), folds, "remove", 1e-6),
    list(x, smooth, c(1, 1e-3), most, "remove", 1e-8),
    list(x, smooth, c(1, 1e-3), most, "keep", 1e-8),
    list(x, smooth, c(1, 1e-3), all_but_one, "remove", 1e-8),
    list(x, smooth, c(1, 1e-3), all_but_one, "keep", 1e-8)
  )
  for (i in seq_along(cases)) for (solver in c("update", "retrain")) {
    case <- cases[[i]]
    error <- held_out_error(case[[1]], basis, case[[2]], case[[3]], case[[4]], solver,
                            mode = case[[5]])
    expect_lt(error, case[[6]], label = paste("case", i, solver))
  }
})

test_that("an outlier that is held out leaves nothing behind", {
  cases <- list(list(kernel_linear(), 1e5), list(kernel_polynomial(2), 300))
  for (case in cases) {
    far <- x
    far[70, ] <- case[[2]] * c(1, -1, 0.5)
    for (solver in c("update", "retrain")) {
      cv <- suppressWarnings(classes = "sparserls_warning_lambda", cv.sparserls(
        far, y, basis, case[[1]], 1, folds = list(70), standardize = FALSE, solver = solver,
        keep = TRUE, progress = FALSE
      ))
      k <- kernel_matrix(case[[1]], far, far[basis, ])
      k[cbind(basis, basis)] <- k[cbind(basis, basis)] + 1e-7
      honest <- reference_refit(k, y, rep(1, m), basis, 1:20, (1:m)[-70], 70, 1, TRUE)
      expect_equal(cv$fit.preval[70, ], honest[1, 1, ], tolerance = 1e-9)
    }
  }
})

test_that("points far from the origin, dense and sparse", {
  for (offset in c(1e4, 1e6)) {
    moved <- x + offset
    # What is left of x after the offset, so that only the package's own losses count.
    left <- moved - offset
    for (kernel in list(kernel_gaussian(0.3), kernel_linear(), kernel_polynomial(2))) {
      run <- function(x) {
        cv.sparserls(x, y, basis, kernel, c(1, 0.1), folds = folds, keep = TRUE, progress = FALSE)
      }
      plain <- run(left)$fit.preval
      expect_equal(run(moved)$fit.preval, plain, tolerance = 1e-7)
      expect_equal(run(as(moved, "CsparseMatrix"))$fit.preval, plain, tolerance = 1e-7)
    }
  }
})

test_that("a lambda that double precision cannot resolve is refused", {
  run <- function(...) cv.sparserls(x, y, ..., lambda = 1e-14, progress = FALSE)
  # Of the second the full problem is well posed, that of the fold is not: two rows for nineteen
  # basis vectors.
  expect_refusals({
    run(1:m, kernel_gaussian(0.01), nfolds = 5) | lambda | ""
    run(1:19, kernel_gaussian(0.3), folds = list(3:m), holdout_basis = "keep", jitter = 0) |
      ill_posed | ""
  })
})

test_that("weights may differ by many orders of magnitude", {
  # One row outweighs all others, which are what is left where it is held out.
  w <- replace(10^seq(-6, 6, length.out = m), 37, 1e20)
  cv <- cv.sparserls(x, y, basis, kernel_gaussian(0.3), c(1e3, 1), weights = w, folds = folds,
                     standardize = FALSE, keep = TRUE, progress = FALSE)
  k <- reference_shifted(kernel_gaussian(0.3), x, basis, 1e-7)
  honest <- reference_cv(k, y, w, basis, folds, c(1e3, 1), "remove", TRUE)
  expect_lt(relative_error(cv$fit.preval, honest), 1e-6)
})

test_that("y far from zero, or without noise, is predicted to the last digits that there are", {
  set.seed(1)
  m <- 200
  x <- matrix(rnorm(3 * m), m)
  # Multiples of 2^-18: nothing is lost in y + 1e10, whose neighbours are 2^-19 apart.
  y <- round(2^18 * (sin(x[, 1]) + rnorm(m) / 5)) / 2^18
  moved <- y + 1e10
  expect_identical(moved - 1e10, y)
  folds <- split(1:m, rep(1:10, 20))
  weights <- runif(m)
  sparse <- function(y, ...) cv.sparserls(x, y, I(1:40), folds = folds, keep = TRUE, ...)
  full <- function(y, ...) cv.rls(x, y, folds = folds, keep = TRUE, lambda = c(1, 0.01), ...)
  calls <- list(
    function(y) sparse(y, kernel_gaussian(0.3), c(1, 0.01)),
    function(y) sparse(y, kernel_gaussian(0.3), c(1, 0.01), weights = weights),
    function(y) full(y),
    function(y) full(y, kernel = kernel_gaussian(0.3))
  )
  for (call in calls) {
    near <- quiet(call(y))
    far <- quiet(call(moved))
    expect_lt(max(abs(far$fit.preval - 1e10 - near$fit.preval)), 3 * 2^-19)
    expect_lt(max(abs(predict(far, x + 1) - 1e10 - predict(near, x + 1))), 3 * 2^-19)
    expect_equal(coef(far)[-1], coef(near)[-1], tolerance = 1e-10)
    expect_equal(far$cvm, near$cvm, tolerance = 3e-6)
  }
  exact <- drop(x %*% c(2, -1, 3)) + 5
  for (lambda in c(1e-6, 1e-9)) {
    cv <- cv.rls(x, exact, lambda = lambda, folds = folds, keep = TRUE, progress = FALSE)
    expect_lt(max(abs(cv$fit.preval[, 1] - exact)), 20 * lambda)
  }
})
