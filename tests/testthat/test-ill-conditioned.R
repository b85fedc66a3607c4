# Ill-conditioned problems: finite, and close to the honest refit or a classed error. The
# yardstick of "close" is the help page's: eps times the largest eigenvalue over lambda, with a
# factor for the size of the problem.

set.seed(1)
m <- 80
x <- matrix(rnorm(m * 3), m)
y <- sin(x[, 1]) + 0.1 * rnorm(m)
basis <- 1:20
folds <- unname(split(1:m, rep(1:5, 16)))

held_out_error <- function(x, basis, kernel, lambda, folds, solver, jitter = 1e-7, intercept = TRUE,
                           mode = "remove") {
  cv <- cv.sparserls(x, y, basis, kernel, lambda, folds = folds, standardize = FALSE,
                     solver = solver, jitter = jitter, intercept = intercept, keep = TRUE,
                     holdout_basis = mode, progress = FALSE)
  # The package's own kernel, so that both see the same rounding errors of it.
  k <- kernel_matrix(kernel, x, x[basis, ])
  k[cbind(basis, seq_along(basis))] <- diag(kernel_matrix(kernel, x[basis, ])) + jitter
  honest <- reference_cv(k, y, rep(1, m), basis, folds, lambda, mode, intercept)
  expect_true(all(is.finite(cv$cvm)))
  relative_error(cv$fit.preval, honest)
}

top_eigenvalue <- function(x, basis, kernel) {
  sparserls(x, y, basis, kernel, nlambda = 1, standardize = FALSE)$lambda
}

test_that("lambda down to 1e-10 of the largest eigenvalue", {
  kernel <- kernel_gaussian(0.3)
  top <- top_eigenvalue(x, basis, kernel)
  for (solver in c("update", "retrain")) {
    for (ratio in c(1, 1e-4, 1e-8, 1e-10)) {
      error <- held_out_error(x, basis, kernel, top * ratio, folds, solver)
      expect_lt(error, 100 * .Machine$double.eps / ratio + 1e-11)
    }
    expect_lt(held_out_error(x, 1:m, kernel, top * 1e-8, as.list(1:m), solver), 1e-5)
  }
})

test_that("near-duplicates in the basis", {
  for (distance in c(1e-4, 1e-7, 1e-10)) {
    twins <- x
    twins[11:20, ] <- x[1:10, ] + distance
    for (solver in c("update", "retrain")) {
      error <- held_out_error(twins, basis, kernel_gaussian(0.3), c(1, 1e-4), folds, solver)
      expect_lt(error, 1e-8)
    }
  }
})

test_that("a kernel that is nearly constant, or nearly the identity", {
  for (gamma in c(1e-12, 1e-6, 1e3)) {
    for (solver in c("update", "retrain")) {
      error <- held_out_error(x, basis, kernel_gaussian(gamma), c(1, 1e-6), folds, solver)
      expect_lt(error, 1e-6)
    }
  }
})

test_that("a fold with 90 % of the rows, or with all basis vectors but one", {
  most <- list(c(1:15, 21:77))
  all_but_one <- list(2:20, c(1, 3:25))
  for (solver in c("update", "retrain")) {
    for (mode in c("remove", "keep")) {
      expect_lt(held_out_error(x, basis, kernel_gaussian(0.3), c(1, 1e-3), most, solver, mode = mode),
                1e-8)
      expect_lt(held_out_error(x, basis, kernel_gaussian(0.3), c(1, 1e-3), all_but_one, solver,
                               mode = mode), 1e-8)
    }
  }
})

test_that("an outlier that is held out leaves nothing behind", {
  cases <- list(list(kernel_linear(), 1e2), list(kernel_linear(), 1e5),
                list(kernel_polynomial(2), 10), list(kernel_polynomial(2), 300))
  for (case in cases) {
    kernel <- case[[1]]
    size <- case[[2]]
    far <- x
    far[70, ] <- size * c(1, -1, 0.5)
    for (solver in c("update", "retrain")) {
      cv <- suppressWarnings(classes = "sparserls_warning_lambda", cv.sparserls(
        far, y, basis, kernel, 1, folds = list(70), standardize = FALSE, solver = solver,
        keep = TRUE, progress = FALSE
      ))
      k <- kernel_matrix(kernel, far, far[basis, ])
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
  wide <- matrix(rnorm(m * 3), m)
  expect_error(
    cv.sparserls(wide, y, 1:m, kernel_gaussian(0.01), 1e-14, nfolds = 5, progress = FALSE),
    class = "sparserls_error_lambda"
  )
  # The full problem is well posed, that of the fold is not: two rows for nineteen basis vectors.
  expect_error(
    cv.sparserls(x, y, 1:19, kernel_gaussian(0.3), 1e-14, folds = list(3:m), holdout_basis = "keep",
                 jitter = 0, progress = FALSE),
    class = "sparserls_error_ill_posed"
  )
})

test_that("weights may differ by many orders of magnitude", {
  w <- 10^seq(-6, 6, length.out = m)
  cv <- cv.sparserls(x, y, basis, kernel_gaussian(0.3), c(1e3, 1), weights = w, folds = folds,
                     standardize = FALSE, keep = TRUE, progress = FALSE)
  k <- reference_shifted(kernel_gaussian(0.3), x, basis, 1e-7)
  honest <- reference_cv(k, y, w, basis, folds, c(1e3, 1), "remove", TRUE)
  expect_lt(relative_error(cv$fit.preval, honest), 1e-6)
})

test_that("y far from zero is predicted to the last digits that it has", {
  set.seed(1)
  m <- 200
  x <- matrix(rnorm(3 * m), m)
  # Multiples of 2^-18: nothing is lost in y + 1e10, whose neighbours are 2^-19 apart.
  y <- round(2^18 * (sin(x[, 1]) + rnorm(m) / 5)) / 2^18
  moved <- y + 1e10
  expect_identical(moved - 1e10, y)
  folds <- split(1:m, rep(1:10, 20))
  weights <- runif(m)
  calls <- list(
    function(y) cv.sparserls(x, y, I(1:40), kernel_gaussian(0.3), c(1, 0.01), folds = folds,
                             keep = TRUE),
    function(y) cv.sparserls(x, y, I(1:40), kernel_gaussian(0.3), c(1, 0.01), folds = folds,
                             weights = weights, keep = TRUE),
    function(y) cv.rls(x, y, lambda = c(1, 0.01), folds = folds, keep = TRUE),
    function(y) cv.rls(x, y, kernel_gaussian(0.3), c(1, 0.01), folds = folds, keep = TRUE)
  )
  for (call in calls) {
    near <- suppressMessages(call(y))
    far <- suppressMessages(call(moved))
    expect_lt(max(abs(far$fit.preval - 1e10 - near$fit.preval)), 3 * 2^-19)
    expect_lt(max(abs(predict(far, x + 1) - 1e10 - predict(near, x + 1))), 3 * 2^-19)
    expect_equal(coef(far)[-1], coef(near)[-1], tolerance = 1e-10)
    expect_equal(far$cvm, near$cvm, tolerance = 3e-6)
  }
})

test_that("a response without noise is predicted to the digits that lambda leaves", {
  exact <- drop(x %*% c(2, -1, 3)) + 5
  for (lambda in c(1e-6, 1e-9)) {
    cv <- cv.rls(x, exact, lambda = lambda, folds = folds, keep = TRUE, progress = FALSE)
    expect_lt(max(abs(cv$fit.preval[, 1] - exact)), 20 * lambda)
  }
})
