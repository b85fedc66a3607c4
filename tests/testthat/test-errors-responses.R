x <- bad_x()
y <- bad_y()
fit <- function(y, ...) sparserls(x, y, 1:5, lambda = 1, ...)

test_that("responses that are neither numbers nor classes are refused with what would work", {
  day <- as.Date("2024-01-01") + 1:20
  expect_refused("y", {
    fit(day)
    fit(as.POSIXct(day))
    fit(as.POSIXlt(day))
    fit(day - day[1])
    fit(as.list(y))
    fit(structure(y, class = "integer64"))
    fit(structure(y, units = "m", class = "units"))
    fit(structure(rep(1:2, 10), labels = c(no = 1, yes = 2),
                  class = c("haven_labelled", "vctrs_vctr", "integer")))
    fit(complex(real = y, imaginary = y))
  })
  data <- data.frame(x, day)
  data$nested <- as.list(y)
  expect_refused("y", {
    sparserls(day ~ a + b, data, basis = 1:5)
    sparserls(nested ~ a + b, data, basis = 1:5)
    cv.rls(day ~ a + b, data)
    greedyrls(day ~ a + b, data, k = 1)
    rls2(nested ~ a + b, data)
  })
  expect_sane(fit(factor(rep(1:4, 5), ordered = TRUE)))
})

test_that("censored times are refused", {
  skip_if_not_installed("survival")
  surv <- survival::Surv(1:20, rep(0:1, 10))
  data <- data.frame(x, time = 1:20, status = rep(0:1, 10))
  expect_refused("y", {
    fit(surv)
    cv.sparserls(survival::Surv(time, status) ~ a + b, data, basis = 1:5)
    rls2(survival::Surv(time, status) ~ a + b, data)
  })
})

test_that("cbind() of counts is refused in a formula, of measurements it is two outputs", {
  data <- data.frame(x, y, cases = 0:19, controls = 19:0)
  expect_refused("y", {
    sparserls(cbind(cases, controls) ~ a + b, data, basis = 1:5)
    cv.rls(cbind(cases, 20 - cases) ~ a + b, data)
    greedyrls(cbind(cases, controls) ~ a + b, data, k = 1)
  })
  two <- function(formula) dim(fitted(sparserls(formula, data, basis = 1:5, lambda = 1)))
  expect_identical(two(cbind(y, cases) ~ a + b), c(20L, 2L))
  expect_identical(two(cbind(cases, -controls) ~ a + b), c(20L, 2L))
  expect_identical(two(I(cbind(cases, controls)) ~ a + b), c(20L, 2L))
  expect_identical(dim(fitted(fit(cbind(data$cases, data$controls)))), c(20L, 2L))
})

test_that("of a response that is constant on the rows of positive weight nothing is explained", {
  w <- rep(0:1, each = 10)
  step <- c(1:10, rep(5, 10))
  for (fit in list(fit(step, weights = w), fit(step > 4, weights = w),
                   rls(x, step, lambda = 1, weights = w), rls2(x, step, lambda = 1, weights = w))) {
    expect_identical(fit$dev.ratio, 0)
    expect_equal(fitted(fit)[11:20], rep(mean(fit$response$y[11:20]), 10))
  }
})

test_that("NA as a level is refused, of classes and of predictors; unused it does no harm", {
  class <- addNA(factor(rep(c("a", "b", NA, "c"), 5)))
  data <- data.frame(x, y, class)
  parts <- chunks_function(2, function(i) data[seq(i, 20, by = 2), ])
  expect_refused("y", {
    fit(class)
    cv.rls(class ~ a + b, data)
    greedyrls(class ~ a + b, data, k = 1)
    rls(class ~ a + b, parts)
  })
  expect_refused("x", {
    rls(y ~ a + class, data)
    sparserls(data[c("a", "class")], y, 1:5)
    cv.sparserls(y ~ a + class, parts, 5)
  })
  known <- data[!is.na(as.character(data$class)), ]
  expect_identical(fitted(rls(class ~ a, known, lambda = 1)),
                   fitted(rls(class ~ a, transform(known, class = factor(class)), lambda = 1)))
  named <- class
  levels(named)[is.na(levels(named))] <- "missing"
  expect_identical(levels(predict(fit(named), x, type = "class")), c("a", "b", "c", "missing"))
})
