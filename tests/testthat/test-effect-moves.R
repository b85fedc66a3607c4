# What average_effect() is asked: moved rows, subgroups, and what is refused.

set.seed(1)
data <- data.frame(a = rnorm(60), f = factor(sample(c("u", "v", "w"), 60, TRUE)),
                   t = rbinom(60, 1, 0.5))
data$y <- with(data, a + (f == "v") + t + rnorm(60))
cv <- suppressMessages(cv.sparserls(y ~ a + f + t, data, 20, kernel_gaussian(0.3), c(1, 0.1),
                                    keep = TRUE))
up <- function(d) transform(d, a = a + 1)

test_that("what average_effect() cannot do is refused in words", {
  expect_said(error = TRUE, {
    average_effect(cv, function(d) transform(d, f = "x"))
    average_effect(cv, function(d) replace(d, "a", Inf))
    average_effect(cv, function(d) d["a"])
    average_effect(cv, function(d) d[order(d$a), ])
    average_effect(cv, function(d) d[-1, ])
    average_effect(cv, function(d) replace(d, "a", NA))
    average_effect(cv, up, from = "t")
    average_effect(cv, up, by = "none")
    average_effect(cv, up, by = character())
    average_effect(cv, up, newdata = rbind(data, data))
    average_effect(cv, up, newdata = data[-1, ])
    derivatives(cv, type = "bootstrap")
  })
})

test_that("a vector with a value for each row makes subgroups, whatever its values", {
  expect_identical(average_effect(cv, up, by = rep("y", 60))$average,
                   c("effect, y" = average_effect(cv, up)$average[[1]]))
})

test_that("the row space is that of a singular value decomposition, of more columns than rows too", {
  for (size in list(c(30, 5), c(8, 20))) {
    set.seed(1)
    x <- matrix(rnorm(prod(size)), size[1])
    x[, 2] <- 3 * x[, 1]
    w <- runif(size[1])
    moments <- column_moments(x, w)
    space <- row_space(x, moments, w)
    found <- svd(sqrt(w) * scale(x, moments$centre, moments$sd))
    wanted <- found$v[, found$d > 1e-6 * found$d[1]]
    expect_identical(ncol(space), as.integer(min(size - 1)))
    expect_equal(crossprod(space), diag(ncol(space)), tolerance = 1e-12)
    expect_equal(tcrossprod(space), tcrossprod(wanted), tolerance = 1e-12)
  }
})
