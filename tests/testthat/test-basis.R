x <- matrix(sin((1:120)^2), 40)
y <- cos(1:40)

fit <- function(basis, ...) sparserls(x, y, basis, kernel_gaussian(1), c(1, 0.1), ...)

test_that("the basis can be numbers, counts, selectors, and so many rows of each group", {
  expect_identical(fit(c(5, 2, 9))$basis, c(5L, 2L, 9L))
  expect_identical(fit(I(7))$basis, 7L)
  set.seed(1)
  a <- fit(basis_random(10))$basis
  expect_length(unique(a), 10)
  groups <- rep(c("a", "b", "c"), c(1, 19, 20))
  set.seed(2)
  drawn <- fit(basis_groups(groups, per = 3))$basis
  expect_identical(as.vector(table(groups[drawn])), c(1L, 3L, 3L))
  set.seed(3)
  # A group of one row must give that row, not a number up to it.
  expect_identical(sort(fit(basis_groups(1:40))$basis), 1:40)
})

test_that("a number is so many by the way of the default, wherever it is given", {
  d <- data.frame(x, y)
  pieces <- chunks_function(2, function(i) d[(i - 1) * 20 + 1:20, ])
  calls <- list(fit, function(basis) cv.sparserls(x, y, basis, nfolds = 4, reselect = TRUE)$fit,
                function(basis) sparserls(y > 0, x = x, basis = basis, family = "binomial"),
                function(basis) sparserls(y ~ ., pieces, basis = basis, lambda = 1))
  for (call in calls) {
    number <- quiet(seeded(5, call(10)))
    expect_identical(number$basis, quiet(seeded(5, call(basis_rpcholesky(10))))$basis)
    expect_match(number$selector, "pivoted Cholesky$")
  }
  expect_refusals(fit(41) | basis | "from 1 to 40, the number of rows .. 41 .. I(7)")
})

test_that("a number is so many by the way of ardrls()'s own default", {
  widths <- function(rows, basis) {
    z <- matrix(sin((1:(2 * rows))^2), rows)
    set.seed(6)
    fit <- ardrls(z, z[, 1]^2, basis, penalty = Inf, maxit = 2, foldid = rep_len(1:3, rows),
                  final_basis = FALSE)
    fit$fits[[1]][c("basis", "selector")]
  }
  expect_identical(widths(60, 10), widths(60, basis_rpcholesky(10)))
  expect_identical(widths(700, 10), widths(700, basis_random(10)))
})

test_that("redundant basis vectors are dropped with one warning that names them", {
  twice <- rbind(x, x[c(3, 8), ])
  target <- c(y, y[c(3, 8)])
  run <- function(basis) sparserls(twice, target, basis, kernel_gaussian(1), 0.1)
  # Three features span a linear kernel; without jitter nothing hides that.
  linear <- function(basis) sparserls(x, y, basis, kernel_linear(), 0.1, jitter = 0)
  expect_notes({
    a <- run(c(1:10, 41, 42)) | warning_basis | "Redundant basis vectors are dropped .. 41, 42"
    b <- run(c(42, 1:10)) | warning_basis | "Redundant basis vectors .. rows 8"
    c <- linear(1:10) | warning_basis | "Redundant"
    # A search over kernels warns once.
    cv.sparserls(twice, target, c(1:10, 41), kernel_gaussian(c(0.1, 1)), 1) | warning_basis | "41"
  })
  expect_identical(a$basis, 1:10)
  expect_identical(b$basis, c(42L, 1:7, 9:10))
  expect_length(c$basis, 3)
})

test_that("selectors print as what they are", {
  expect_said({
    basis_random(30)
    basis_groups(rep(letters[1:4], 5), per = 2)
    basis_rpcholesky(30)
    basis_greedy(30)
    basis_greedy(30, candidates = 10, lambda = 0.5)
  })
})
