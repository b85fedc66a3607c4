# Small lambda: what is left of double precision, against refits in 256 bits (helper-mpfr.R;
# bench/edge.R is the same at length), and what users are told.

set.seed(8)
m <- 16
x <- matrix(rnorm(3 * m), m)
y <- sin(2 * x[, 1]) + x[, 2] / 2 + 0.3 * rnorm(m)
basis <- 1:6
folds <- unname(split(seq_len(m), rep_len(1:4, m)))
wide_gaussian <- kernel_gaussian(0.01)

# eps times the condition number is what a backward stable solver may lose; 30 is for the size of
# the problem and for held-out refits, which are conditioned differently.
allowed <- function(top, lambda) 30 * .Machine$double.eps * (top + lambda) / lambda

share <- function(value, exact) max(abs(as.vector(value) - exact)) / sd(exact)

test_that("subset of regressors, both ways of holding out, against 256 bits", {
  skip_if_not_installed("Rmpfr")
  top <- sparserls(x, y, I(basis), wide_gaussian, nlambda = 1, standardize = FALSE)$lambda
  for (ratio in c(1e-4, 1e-10)) {
    lambda <- ratio * top
    exact <- wide_subset(wide_gaussian, x, y, basis, lambda, 1e-7)
    whole <- wide_predictions(exact$design, wide_ridge(exact))
    for (mode in c("remove", "keep")) {
      cv <- quiet(cv.sparserls(
        x, y, I(basis), wide_gaussian, lambda, folds = folds, holdout_basis = mode, keep = TRUE,
        standardize = FALSE, progress = FALSE
      ))
      expect_lt(share(fitted(cv), whole), allowed(top, lambda))
      held <- wide_held_out(exact, folds, if (mode == "remove") basis)
      expect_lt(share(cv$fit.preval, held), allowed(top, lambda))
    }
  }
})

test_that("the full kernel, leave-one-out and folds, against 256 bits", {
  skip_if_not_installed("Rmpfr")
  top <- rls(x, y, wide_gaussian, nlambda = 1, standardize = FALSE)$lambda
  for (ratio in c(1e-3, 1e-9)) {
    lambda <- ratio * top
    for (held in list(as.list(seq_len(m)), folds)) {
      cv <- quiet(cv.rls(
        x, y, wide_gaussian, lambda, folds = held, keep = TRUE, standardize = FALSE,
        progress = FALSE
      ))
      exact <- wide_full(wide_gaussian, x, y, lambda, held)
      expect_lt(share(fitted(cv), exact$fitted), allowed(top, lambda))
      expect_lt(share(cv$fit.preval, exact$held), allowed(top, lambda))
    }
  }
})

test_that("features that nearly coincide, by every solver, against 256 bits", {
  skip_if_not_installed("Rmpfr")
  near <- cbind(x, x[, 1] + 1e-4 * x[, 3])
  top <- rls(near, y, nlambda = 1, standardize = FALSE)$lambda
  lambda <- 1e-8 * top
  exact <- wide_linear(near, y, lambda)
  held <- wide_held_out(exact, folds)
  for (solver in c("auto", "dual", "primal", "svd")) {
    cv <- quiet(cv.rls(near, y, lambda = lambda, folds = folds, keep = TRUE,
                       solver = solver, standardize = FALSE, progress = FALSE))
    expect_lt(share(cv$fit.preval, held), allowed(top, lambda))
  }
  # Of singular values half of the digits that the gram matrix has lost are there.
  expect_silent(rls(near, y, lambda = 1e-11 * top, solver = "svd", standardize = FALSE))
})

test_that("a lambda that leaves few digits is told, once, with the condition number", {
  wider <- kernel_gaussian(1e-4)
  top <- rls(x, y, wider, nlambda = 1, standardize = FALSE)$lambda
  calls <- list(
    function(ratio) rls(x, y, wider, ratio * top, standardize = FALSE),
    function(ratio) cv.rls(x, y, wider, ratio * top, standardize = FALSE, nfolds = 3, outer = 2,
                           progress = FALSE)
  )
  for (call in calls) {
    expect_silent(suppressMessages(call(1e-8)))
    told <- conditions(quote(suppressMessages(call(1e-11))), environment())
    expect_length(told, 1)
    expect_s3_class(told[[1]], "sparserls_warning_lambda")
    expect_match(conditionMessage(told[[1]]), "condition number about [0-9.e+]+")
    safe <- as.numeric(sub(".*Values above ([0-9.e+-]+) are safe.*", "\\1",
                           conditionMessage(told[[1]])))
    expect_silent(suppressMessages(call(1.1 * safe / top)))
  }
})
