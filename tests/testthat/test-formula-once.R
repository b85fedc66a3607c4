# Terms of a formula, and all that is one value for each row, are evaluated once in a call:
# functions may draw random numbers, count, or take long.

count <- 0
counted_up <- function(x) {
  count <<- count + 1
  x
}
noisy <- function(x) x + rnorm(length(x))
d <- bad_frame()
times <- function(code) {
  count <<- 0
  suppressMessages(code)
  count
}

test_that("each is evaluated once", {
  gaps <- transform(d, a = replace(a, 1:6, NA))
  expect_equal(times(rls(y ~ counted_up(a), d, lambda = 1)), 1)
  expect_equal(times(rls(y ~ a + offset(counted_up(b)), d, lambda = 1)), 1)
  expect_equal(times(sparserls(y ~ a, d, 1:5, lambda = 1, weights = counted_up(a^2))), 1)
  expect_equal(times(cv.greedyrls(y ~ a + b, d, k = 1, groups = counted_up(f))), 1)
  expect_equal(times(rls(y ~ b, d, lambda = 1, subset = counted_up(a) > 0)), 1)
  expect_equal(times(rls(y ~ counted_up(b) + f, na_level(gaps), lambda = 1)), 1)
  # Rows that are left out are counted, from the same values.
  expect_equal(times(rls(y ~ counted_up(a), gaps, lambda = 1)), 1)
  expect_equal(times(rls(y ~ a, gaps, lambda = 1, subset = counted_up(b) > -2)), 1)
})

test_that("the random numbers of a term are those of one evaluation", {
  set.seed(3)
  fit <- rls(y ~ noisy(a) + f, d, lambda = 1)
  after <- runif(1)
  set.seed(3)
  noise <- noisy(d$a)
  expect_identical(runif(1), after)
  expect_identical(unname(fitted(fit)), unname(fitted(rls(y ~ noise + f, d, lambda = 1))))
})

test_that("terms that depend on the data know those of the fit", {
  some <- seq(1, 20, 2)
  fit <- rls(y ~ poly(a, 2) + scale(b) + f, d, lambda = 1, subset = some)
  expect_equal(unname(predict(fit, d[some, ])), unname(predict(fit)))
  filled <- na_level(transform(d, a = replace(a, 2, NA)))
  fit <- rls(y ~ a + log(b + 2), filled, lambda = 1)
  expect_equal(unname(predict(fit, filled)), unname(predict(fit)))
  expect_match(deparse1(attr(terms(fit), "predvars")), "na_level(a, fill = ", fixed = TRUE)
})
