# The basis of a path of penalties: how many rows of few, and anew only where that helps. The larger
# basis of the last step, or of the step that is chosen: what it says is what
# cv.sparserls() says of its kernel, lambda and basis, and what an honest double loop finds.

set.seed(11)
m <- 60
x <- matrix(rnorm(3 * m), m, dimnames = list(NULL, c("a", "b", "c")))
y <- sin(2 * x[, 1]) + 0.5 * x[, 2] + rnorm(m) / 5
foldid <- rep_len(1:4, m)
basis <- seq(1, m, 5)
path <- c(Inf, 1, 0)
multiples <- 4^(3:-1)
quick <- function(...) ardrls(..., maxit = 15, progress = FALSE)

# The step is the best of the grid around the search's lambda.
expect_best_of_grid <- function(fit, searched, x, y, ...) {
  last <- length(fit$penalty)
  step <- fit$fits[[last]]
  cv <- cv.sparserls(x, y, step$basis, step$kernel, searched$lambda[last] * multiples, ...,
                     type.measure = "mse", progress = FALSE)
  expect_equal(fit$loss[last], min(cv$cvm), tolerance = 1e-8)
  expect_equal(fit$lambda[last], cv$lambda.min, tolerance = 1e-8)
  same(drop(predict(fit, x, s = min(fit$penalty))), drop(predict(cv$fit, x, s = cv$lambda.min)))
}

test_that("the last step is what cv.sparserls() finds with its kernel and basis", {
  w <- replace(runif(m, 0.3, 2), c(3, 10, 21), 0)
  two <- cbind(y, 1000 * x[, 3] + rnorm(m))
  cases <- list(list(y, groups = rep_len(1:12, m), weights = w), list(two, foldid = foldid),
                list(y, foldid = foldid, holdout_basis = "keep", intercept = FALSE,
                     standardize = FALSE), list(factor(y > 0), foldid = foldid))
  for (case in cases) {
    run <- function(size) {
      do.call(quick, c(list(x), case, list(basis = basis, penalty = path, final_basis = size)))
    }
    fit <- run(40)
    searched <- run(FALSE)
    expect_equal(fit$lambda[1:2], searched$lambda[1:2])
    expect_length(fit$fits[[3]]$basis, 40)
    expect_true(all(basis %in% fit$fits[[3]]$basis))
    expect_equal(fit$relevance, searched$relevance)
    do.call(expect_best_of_grid, c(list(fit, searched, x), case))
  }
})

# All rows that train are in the basis: nothing is drawn.
by_hand <- function(outer, k) {
  held <- rep(NA_real_, m)
  for (fold in outer) {
    left <- setdiff(seq_len(m), fold)
    fit <- quick(x[left, ], y[left], I(match(intersect(basis, left), left)), penalty = path,
                 foldid = foldid[left])
    cv <- cv.sparserls(x[left, ], y[left], seq_along(left), fit$fits[[k]]$kernel,
                       fit$lambda[k] * multiples, foldid = foldid[left], progress = FALSE)
    held[fold] <- predict(cv, x[fold, ], s = "lambda.min")
  }
  held
}

test_that("the step that is chosen is refitted in every outer fold", {
  outer <- cv_folds(m, 3)
  cv <- function(...) {
    cv.ardrls(x, y, I(basis), penalty = path, maxit = 15, outer = outer, foldid = foldid, ...,
              progress = FALSE)
  }
  plain <- cv(keep = TRUE, final_basis = FALSE)
  large <- cv(keep = TRUE, final_basis = m)
  k <- plain$index["1se", ]
  expect_equal(large$index, plain$index)
  expect_equal(large$cvm[-k], plain$cvm[-k])
  expect_equal(large$fit.preval[, -k], plain$fit.preval[, -k])
  held <- by_hand(outer, k)
  expect_equal(unname(large$fit.preval[, k]), held, tolerance = 1e-6)
  expect_equal(large$cvm[k], mean((held - y)^2), tolerance = 1e-6)
  expect_length(large$fit$fits[[k]]$basis, m)
  same(drop(predict(large, x, interval = "jackknife+")[, 1]), drop(predict(large, x)), 1e-8)
  expect_equal(cv(final_basis = m)$cvm, large$cvm)
})

test_that("a default is for bases that were not given by their rows", {
  size <- function(fit) length(fit$fits[[length(fit$fits)]]$basis)
  expect_equal(size(quick(x, y, I(basis), penalty = 0)), length(basis))
  # It grows where that lowers the error, and once where it does not.
  for (basis in list(10, basis_rpcholesky(10))) {
    expect_equal(size(quick(x, sin(2 * x[, 1]), basis, penalty = Inf)), 54)
    expect_equal(size(quick(x, sin(1e3 * x[, 1]), basis, penalty = Inf)), 20)
  }
  expect_equal(size(quick(x, y, 10, penalty = 0, final_basis = FALSE)), 10)
  expect_message(expect_equal(size(quick(x, y, 10, penalty = 0, final_basis = 5)), 10),
                 "`final_basis` (5) is no larger than the basis of the search", fixed = TRUE)
  expect_equal(size(quick(x, y, 10, penalty = 0, final_basis = 1e4)), m)
  expect_equal(size(quick(x, y, 10, penalty = 0, holdout_basis = "skip")), 10)
  of_rows <- asNamespace("sparserls")$default_final_size
  expect_equal(vapply(c(1000, 13500, 1e5), of_rows, 0), c(900, 3000, 600))
})

few_rows <- function(m, p = 4) {
  x <- matrix(rnorm(m * p), m)
  list(x = x, y = sin(2 * x[, 1]) + 0.3 * rnorm(m))
}

test_that("nine tenths of few rows are a basis, half of many; one anew never raises the error", {
  set.seed(1)
  for (size in list(c(41, 36), c(400, 300), c(640, 320))) {
    d <- few_rows(size[1])
    fit <- ardrls(d$x, d$y, penalty = Inf, maxit = 1, nfolds = 2, final_basis = FALSE)
    expect_length(fit$fits[[1]]$basis, size[2])
  }
  for (seed in 1:5) {
    set.seed(seed)
    d <- few_rows(60)
    fit <- ardrls(d$x, d$y, basis = basis_rpcholesky(8), penalty = c(Inf, 0), maxit = 1)
    expect_lte(fit$loss[2], fit$loss[1] * (1 + 1e-10))
  }
})

test_that("what is no size is refused, and the print says the size", {
  expect_refusals({
    ardrls(x, y, 10, final_basis = TRUE) | argument | "`final_basis` .. at least 1 .. TRUE"
    ardrls(x, y, 10, final_basis = -3) | argument | "at least 1 .. -3"
    cv.ardrls(x, y, 10, final_basis = "all") | argument | "at least 1 .. all"
  })
  set.seed(5)
  expect_said(ardrls(x, y, 10, penalty = c(Inf, 0), maxit = 3, nfolds = 3))
})
