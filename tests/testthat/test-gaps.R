# Rows that are left out because of gaps: what users are told.

set.seed(3)
farm <- data.frame(y = rnorm(40), a = rnorm(40), b = rnorm(40),
                   f = gl(4, 10, labels = letters[1:4]), w = 1, empty = NA_real_, c = rnorm(40),
                   d = rnorm(40))
farm$a[1:5] <- NA
farm$f[4:9] <- NA
farm$b[1] <- NA
farm$c[2:3] <- NA
farm$d[2] <- NA

test_that("no rows, and many rows less: the columns and their gaps", {
  expect_refused("formula", {
    sparserls(y ~ ., farm, basis = 5)
    sparserls(y ~ log(abs(empty)), farm, basis = 5)
    sparserls(y ~ a, farm, basis = 5, subset = a > 100)
    sparserls(empty ~ b, farm, basis = 5)
  })
  expect_refused("x", {
    sparserls(farm[c("a", "f", "b")], farm$y, basis = 5)
  })
  expect_said({
    fit <- sparserls(y ~ a + f + w, farm, basis = 5, lambda = 1)
    fit <- sparserls(y ~ sqrt(abs(a)), farm, basis = 5, lambda = 1)
    fit <- sparserls(y ~ b, farm, basis = 5, lambda = 1, weights = a^2)
    fit <- sparserls(a ~ b, farm, basis = 5, lambda = 1)
  })
})

test_that("what na_level() cannot fill is not sent there", {
  farm$day <- as.Date("2020-01-01") + 1:40
  farm$day[1:6] <- NA
  farm$m <- cbind(farm$a, farm$b)
  expect_said({
    fit <- sparserls(y ~ scale(a) + w, farm, basis = 5, lambda = 1)
    fit <- sparserls(y ~ m, farm, basis = 5, lambda = 1)
    fit <- sparserls(y ~ m + sqrt(abs(a)), farm, basis = 5, lambda = 1)
  })
  expect_said(error = TRUE, {
    sparserls(y ~ day, farm, basis = 5, lambda = 1)
    sparserls(y ~ scale(empty), farm, basis = 5)
  })
})

test_that("a tenth of the rows is no matter, and a cross-validation says it once", {
  expect_silent(sparserls(y ~ a, farm[5:40, ], basis = 5, lambda = 1))
  expect_silent(sparserls(y ~ b + a, farm, basis = 5, lambda = 1, subset = 4:40))
  # No gaps but those of the condition.
  expect_silent(sparserls(y ~ b, farm, basis = 5, lambda = 1, subset = a > 0))
  said <- character()
  withCallingHandlers(cv.sparserls(y ~ a, farm, basis = 5, nlambda = 5, nfolds = 5,
                                   progress = FALSE),
                      sparserls_message = function(m) {
                        said <<- c(said, conditionMessage(m))
                        invokeRestart("muffleMessage")
                      })
  expect_length(grep("5 of 40 rows are left out", said), 1)
})

test_that("rows are counted after `subset`", {
  expect_message(sparserls(y ~ a, farm, basis = 5, lambda = 1, subset = 1:10), "5 of 10 rows")
})
