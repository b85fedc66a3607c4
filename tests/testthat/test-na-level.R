set.seed(29)
trees <- data.frame(age = rexp(70, 1 / 40), height = rnorm(70, 10), soil = gl(3, 1, 70,
                                                                              letters[1:3]),
                    owner = sample(c("x", "y"), 70, TRUE), wet = rnorm(70) > 0, plot = rep(1:10, 7))
trees$y <- trees$age / 40 + (trees$soil == "b") + rnorm(70) / 4
trees$age[c(3, 17, 40:45)] <- NA
trees$soil[c(5, 17, 60)] <- NA
trees$owner[8:9] <- NA
trees$wet[9:12] <- NA
train <- trees[1:50, ]
test <- trees[51:70, ]
test$age[2:3] <- NA
test$soil[4] <- NA
# In training this has no gaps.
test$height[5] <- NA

middle <- median(train$age, na.rm = TRUE)
filled <- function(d) {
  number <- function(v, m) ifelse(is.na(v), m, v)
  named <- function(v) ifelse(is.na(v), "missing", as.character(v))
  cbind(age = number(d$age, middle), age.missing = is.na(d$age) + 0,
        height = number(d$height, median(train$height)),
        outer(named(d$soil), c("a", "b", "c", "missing"), "==") + 0,
        outer(named(d$wet), c("FALSE", "TRUE", "missing"), "==") + 0)
}

# In plain R: the indicator counts as a standard deviation of the values that are there, and each
# variable is divided by the root of the sum of its variances.
standardized <- function(d) {
  sd <- function(v) sqrt(mean((v - mean(v))^2))
  own <- filled(train)
  unit <- c(1, sd(train$age[!is.na(train$age)]), rep(1, ncol(own) - 2))
  variable <- rep(1:4, c(2, 1, 4, 3))
  scale <- sqrt(tapply((unit * apply(own, 2, sd))^2, variable, sum))[variable]
  t(t(filled(d)) * unit / as.vector(scale))
}

form <- y ~ age + height + soil + wet

test_that("columns and scales are those of a matrix made by hand", {
  fit <- sparserls(form, na_level(train), basis = 1:25, lambda = 0.1, kernel = kernel_gaussian(0.2))
  expect_equal(unname(model.matrix(fit)[, -1]), unname(filled(train)), tolerance = 1e-14)
  expect_identical(fit$columns[c(1:4, 7, 10)],
                   c("age", "age.missing", "height", "soila", "soilmissing", "wetmissing"))
  hand <- sparserls(unname(standardized(train)), train$y, 1:25, lambda = 0.1,
                    kernel = kernel_gaussian(0.2), standardize = FALSE)
  expect_equal(as.vector(predict(fit, test)), as.vector(predict(hand, standardized(test))),
               tolerance = 1e-10)
  # Other units of a variable are no matter.
  hours <- transform(train, age = 8766 * age)
  expect_equal(fitted(sparserls(form, na_level(hours), basis = 1:25, lambda = 0.1,
                                kernel = kernel_gaussian(0.2))), fitted(fit), tolerance = 1e-10)
})

test_that("new rows with gaps, filled or not, have the values of the fit", {
  set.seed(1)
  each <- list(
    cv.sparserls(form, na_level(train), basis = 1:25, nlambda = 5, nfolds = 5, progress = FALSE),
    cv.rls(form, na_level(train), kernel = kernel_gaussian(), nlambda = 5, nfolds = 5),
    rls(form, na_level(train), lambda = 0.1),
    ardrls(form, na_level(train), basis = 1:20, penalty = c(1, 0.1)),
    cv.greedyrls(form, na_level(train), k = 3, nfolds = 5, progress = FALSE),
    rls2(form, na_level(train), lambda = 1),
    sparserls(na_level(train[c("age", "height", "soil", "wet")]), train$y, basis = 1:25, lambda = 1)
  )
  for (fit in each) {
    expect_false(anyNA(predict(fit, test)))
    expect_identical(predict(fit, na_level(test)), predict(fit, test))
    expect_equal(unname(predict(fit, train)), unname(fitted(fit)), tolerance = 1e-4)
    # The median is that of the fit, not of these rows. (Sums of 25 terms with coefficients of up to
    # 1e4, in another order.)
    one <- test[2, ]
    expect_equal(as.matrix(predict(fit, one)), as.matrix(predict(fit, test))[2, , drop = FALSE],
                 tolerance = 1e-10)
  }
})

test_that("the variable of a formula and the data frame are the same, of one width and name", {
  by_data <- sparserls(y ~ age + soil, na_level(train), basis = 1:25, lambda = 0.1)
  by_name <- sparserls(y ~ na_level(age) + na_level(soil), train, basis = 1:25, lambda = 0.1)
  frame <- sparserls(na_level(train[c("age", "soil")]), train$y, basis = 1:25, lambda = 0.1)
  expect_identical(fitted(by_name), fitted(by_data))
  expect_identical(unname(fitted(frame)), unname(fitted(by_data)))
  # Not by the data's name: `predvars` finds the function where the package is not attached.
  environment(form) <- baseenv()
  expect_false(anyNA(predict(sparserls(form, na_level(train), basis = 5, lambda = 1), test)))
  fit <- ardrls(y ~ age + soil, na_level(train), basis = 1:20, penalty = c(1, 0.1))
  expect_identical(rownames(fit$relevance), c("age", "soil"))
  only <- sparserls(form, na_level(train), basis = I(1:4), lambda = 0.1,
                    kernel = kernel_gaussian(0.2, features = "age"))
  expect_identical(unname(only$kernel$features), 1:2)
})

test_that("the response, labels, weights and functions see the gaps", {
  some <- train
  some$y[1:4] <- NA
  fit <- sparserls(y ~ age + soil, na_level(some), basis = 10:15, lambda = 1)
  expect_identical(fit$nobs, 46L)
  expect_identical(fitted(fit), fitted(sparserls(y ~ age + soil, na_level(some), basis = 10:15,
                                                 subset = 5:50, lambda = 1)))
  expect_message(
    expect_identical(sparserls(y ~ log(age), na_level(train), basis = 5, lambda = 1)$nobs, 42L),
    "gaps: `log(age)` 8", fixed = TRUE
  )
  expect_identical(sparserls(y ~ na_level(log(age)), train, basis = 5, lambda = 1)$nobs, 50L)
  expect_message(
    expect_identical(sparserls(y ~ height, na_level(train), weights = age, basis = 5,
                               lambda = 1)$nobs, 42L), "8 of 50")
  expect_identical(sparserls(y ~ height, na_level(train), subset = age > 30, basis = 5,
                             lambda = 1)$nobs, sum(train$age > 30, na.rm = TRUE))
  summaries <- function(x) {
    c(mean(x, na.rm = TRUE), median(x, na.rm = TRUE), quantile(x, na.rm = TRUE),
      max(x, na.rm = TRUE), sqrt(x))
  }
  expect_identical(summaries(na_level(train)$age), summaries(train$age))
})

test_that("a gap in a factor that had none is said to be one", {
  fit <- sparserls(y ~ plot + soil, na_level(transform(train, plot = factor(plot))), basis = 1:20,
                   lambda = 0.1)
  new <- transform(test, plot = factor(replace(plot, 1, NA)))
  more <- transform(new, plot = factor(replace(as.character(plot), 2:3, c(NA, "z"))))
  expect_refusals(predict(fit, new) |
                    newdata | 'Column `plot` of `newdata` .. "missing" .. predict(unknown = "as')
  expect_notes({
    predict(fit, more, unknown = "as rare") |
      warning_unknown | '3 rows of `newdata` have levels that .. `plot`: "missing", "z" .. They'
  })
})

test_that("filled columns: values, rows, and back", {
  d <- na_level(train)
  expect_false(anyNA(d))
  expect_identical(levels(d$soil), c("a", "b", "c", "missing"))
  expect_equal(unclass(d$age)[c(3, 17), 1], rep(middle, 2))
  expect_identical(sparserls:::raw_values(d[c(9, 3), ]), train[c(9, 3), ])
  taken <- factor(c("missing", NA, "b"))
  expect_identical(as.character(na_level(taken)), c("missing", "missing.1", "b"))
  expect_identical(sparserls:::raw_values(na_level(data.frame(o = factor(c(1, NA, 2),
                                                                         ordered = TRUE))))$o,
                   factor(c(1, NA, 2), ordered = TRUE))
  empty <- na_level(data.frame(y = 1:4, z = NA_real_, v = c(1, 2, 2, 5)))
  expect_false(anyNA(predict(rls(y ~ ., empty, lambda = 1), data.frame(z = c(NA, 1), v = 1:2))))
})

test_that("so is a gap in an ordered factor that had none", {
  graded <- function(d) transform(d, plot = factor(replace(plot, plot > 3, 3), ordered = TRUE))
  for (kernel in list(kernel_linear(), kernel_gaussian(0.2))) {
    fit <- rls(y ~ plot + soil, na_level(graded(train)), kernel = kernel, lambda = 0.1)
    plain <- quiet(rls(y ~ plot + na_level(soil), graded(train), kernel = kernel, lambda = 0.1))
    expect_identical(as.vector(fitted(fit)), as.vector(fitted(plain)))
    new <- graded(test)
    new$soil[is.na(new$soil)] <- "a"
    expect_identical(as.vector(predict(fit, new)), as.vector(predict(plain, new)))
    new$plot[1] <- NA
    expect_warning(expect_false(anyNA(predict(fit, new, unknown = "as rare"))),
                   class = "sparserls_warning_unknown")
  }
})

test_that("the level of the gaps is none that the variable has, but new rows may have it", {
  d <- train
  d$soil <- na_level(d$soil, fill = "none")
  expect_identical(sparserls:::raw_values(d$soil), train$soil)
  fit <- rls(y ~ soil, d, lambda = 1)
  new <- data.frame(soil = c("none", NA, "a"))
  expect_identical(predict(fit, new)[[1]], predict(fit, new)[[2]])
})

test_that("new rows of another type are refused, all gaps are not", {
  fit <- sparserls(form, na_level(transform(train, height = replace(height, 1, NA))),
                   basis = 1:20, lambda = 0.1)
  expect_error(predict(fit, transform(test, soil = 1)), class = "sparserls_error_newdata")
  expect_false(anyNA(predict(fit, transform(test, age = NA, height = NA, soil = NA, wet = NA))))
})

test_that("errors and prints", {
  expect_refusals({
    na_level(c("a", NA), fill = 1) | x | "`fill` must be a single name, as `x` has levels .. 1"
    na_level(data.frame(a = c(1, NA)), fill = 0) |
      x | "`fill` is for a single variable, `x` is a data frame .. x 0 .. Fill its columns one by"
    na_level(factor(c("a", NA)), fill = "a") |
      x | '`fill` must not be a level that `x` has .. x "a" .. Give another name. To count gaps'
  })
  expect_said({
    na_level(c(1.5, NA, 3))
    na_level(c("a", NA))
    head(na_level(train), 3)
  })
})

test_that("rows in chunks are refused", {
  parts <- list(1:25, 26:50)
  raw <- chunks_function(2, function(i) train[parts[[i]], ])
  expect_refusals(sparserls(y ~ na_level(age), raw, basis = 5) | formula | "na_level(age)")
  fit <- sparserls(form, na_level(train), basis = 1:25, lambda = 0.1)
  new <- chunks_function(2, function(i) test[list(1:9, 10:20)[[i]], ])
  expect_equal(unname(predict(fit, new)), unname(predict(fit, test)), tolerance = 1e-12)
})

test_that("responses are never filled, types are compared first, and functions are named", {
  d <- transform(train, soil = as.integer(soil))
  fit <- rls(y ~ soil, na_level(train), lambda = 1)
  number <- rls(y ~ age, na_level(train), lambda = 1)
  expect_refusals({
    rls(na_level(age) ~ height, train, lambda = 1) | y | "The response is .. Use na_level() for"
    rls(age ~ height, train, na.action = na_level, lambda = 1) |
      argument | "na_level() is not an `na.action`"
    predict(fit, d) | newdata | "does not fit the model .. 'soil' was fitted with type \"factor\""
    predict(number, transform(train, age = "a")) |
      newdata | "does not fit the model .. 'age' was fitted with type \"numeric\""
  })
  expect_message(rls(y ~ log(age), na_level(train), lambda = 1), "Write na_level(log(age)) in the",
                 fixed = TRUE)
})
