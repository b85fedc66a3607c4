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
  expect_refusals({
    sparserls(y ~ ., farm, basis = 5) |
      formula | "No rows are left: every row has a .. gaps in 40 rows: `empty` .. na_level(data)"
    sparserls(y ~ a, farm, basis = 5, subset = a > 100) |
      formula | "No rows are left .. Look at `subset` and at missing values in the variables"
    sparserls(farm[c("a", "f", "b")], farm$y, basis = 5) |
      x | "`x` has missing values .. rows 1, 2, 3, 4, 5, ... (9 in all) .. Drop or impute them"
  })
  expect_notes({
    fit <- sparserls(y ~ a + f + w, farm, basis = 5, lambda = 1) |
      message | "9 of 40 rows are left out because of gaps: `f` 6, `a` 5 .. na_level(data) fills"
    fit <- sparserls(y ~ b, farm, basis = 5, lambda = 1, weights = a^2) |
      message | "5 of 40 rows are left out because of gaps: `weights` 5, `b` 1 .. na_level"
  })
})

test_that("dates are refused after the gaps are named", {
  farm$day <- as.Date("2020-01-01") + 1:40
  farm$day[1:6] <- NA
  expect_refusals({
    sparserls(y ~ day, farm, basis = 5, lambda = 1) |
      message | "6 of 40 rows are left out .. `day` 6" |
      x | "Column `day` of `data` is neither numeric .. Date of size 34 .. Convert it first, for"
  })
})

test_that("a tenth of the rows is no matter, gaps are said once, of a response without advice", {
  expect_silent(sparserls(y ~ a, farm[5:40, ], basis = 5, lambda = 1))
  said <- character()
  withCallingHandlers(cv.sparserls(y ~ a, farm, basis = 5, nlambda = 5, nfolds = 5,
                                   progress = FALSE),
                      sparserls_message = function(m) {
                        said <<- c(said, conditionMessage(m))
                        invokeRestart("muffleMessage")
                      })
  expect_length(grep("5 of 40 rows are left out", said), 1)
  d <- data.frame(y = replace(sin(1:40), 1:9, NA), a = cos(1:40))
  said <- tryCatch(sparserls(y ~ a, d, basis = 5, lambda = 1), sparserls_message = conditionMessage)
  expect_identical(trimws(said), "9 of 40 rows are left out because of gaps: `y` 9.")
})
