d <- bad_frame()

test_that("a bar is no random effect, transformed variables are taken from the data", {
  either <- by_formula(y ~ a + (a > 0 | b > 0))
  expect_equal(fitted(either), fitted(by_formula(y ~ a + q, transform(d, q = a > 0 | b > 0))))
  by_hand <- by_formula(y ~ q, transform(d, q = log(a + 2)))
  expect_equal(fitted(by_formula(y ~ log(a + 2))), fitted(by_hand))
  a <- d$b # must not be seen
  expect_equal(fitted(by_formula(y ~ log(a + 2))), fitted(by_hand))
})

test_that("a formula without data takes all variables from where it was written", {
  a <- d$a
  b <- d$b
  y <- d$y
  calls <- list(quote(sparserls(y ~ a + b, basis = 1:5, lambda = 1)), quote(rls(y ~ a + b)),
                quote(cv.rls(y ~ a + b, nfolds = "loo")), quote(rls2(y ~ a + b, nlambda = 3)),
                quote(cv.greedyrls(y ~ a + b, k = 1, nfolds = "loo")))
  for (call in calls) {
    without <- quiet(eval(call))
    call$data <- d
    with <- quiet(eval(call))
    expect_equal(predict(without, d[1:3, ]), predict(with, d[1:3, ]))
    expect_equal(coef(without), coef(with))
  }
})

test_that("labels that come through the dots of a function, or have the name of one", {
  d <- data.frame(bad_frame(), id = rep(1:4, 5), w = rep(1:2, 10))
  source <- chunks_function(2, function(i) d[seq(i, 20, by = 2), ])
  by_dots <- function(data, ...) cv.sparserls(y ~ a, data, d[1:4, ], lambda = 1, ...)
  wanted <- cv.sparserls(y ~ a, d, d[1:4, ], lambda = 1, groups = id)$cvm
  expect_identical(by_dots(d, groups = "id")$cvm, wanted)
  expect_identical(by_dots(d, groups = d$id)$cvm, wanted)
  expect_equal(by_dots(source, groups = "id")$cvm, wanted)
  form <- y ~ a
  environment(form) <- globalenv()
  named_as_functions <- function() {
    df <- d$id
    t <- d$w
    cv.sparserls(form, d, d[1:4, ], lambda = 1, groups = df, weights = t)$cvm
  }
  expect_identical(named_as_functions(),
                   cv.sparserls(form, d, d[1:4, ], lambda = 1, groups = id, weights = w)$cvm)
})

# Terms, and all that is one value for each row, are evaluated once in a call: functions may draw
# random numbers, count, or take long.

count <- 0
counted_up <- function(x) {
  count <<- count + 1
  x
}
times <- function(code) {
  count <<- 0
  quiet(code)
  count
}

test_that("each is evaluated once", {
  gaps <- transform(d, a = replace(a, 1:6, NA))
  expect_equal(times(rls(y ~ counted_up(a), d, lambda = 1)), 1)
  expect_equal(times(rls(y ~ a + offset(counted_up(b)), d, lambda = 1)), 1)
  expect_equal(times(rls(y ~ b, d, lambda = 1, subset = counted_up(a) > 0)), 1)
  expect_equal(times(rls(y ~ counted_up(b) + f, na_level(gaps), lambda = 1)), 1)
  # Rows that are left out are counted, from the same values.
  expect_equal(times(rls(y ~ counted_up(a), gaps, lambda = 1)), 1)
  expect_equal(times(rls(y ~ a, gaps, lambda = 1, subset = counted_up(b) > -2)), 1)
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
