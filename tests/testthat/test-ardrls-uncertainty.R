# Intervals, probabilities and derivatives of fits with one width for each feature.

set.seed(7)
m <- 60
x <- matrix(rnorm(m * 3), m, dimnames = list(NULL, c("a", "b", "c")))
y <- sin(2 * x[, 1]) + 0.5 * x[, 2] + 0.3 * rnorm(m)
new <- matrix(rnorm(12), 4, dimnames = list(NULL, colnames(x)))
basis <- seq(1, m, 3)
inner <- rep_len(1:5, m)
kernel <- kernel_matern(gamma = 0.3)
outer <- unname(split(seq_len(m), rep(1:4, each = 15)))

widths <- function(rows, penalty = c(Inf, 1)) {
  ardrls(x[rows, ], y[rows], I(match(intersect(basis, rows), rows)), kernel, penalty,
         foldid = inner[rows], standardize = FALSE, maxit = 10)
}
honest <- function(...) {
  suppressMessages(cv.ardrls(x, y, I(basis), kernel, c(Inf, 1), foldid = inner, keep = TRUE,
                             standardize = FALSE, maxit = 10, ...))
}

test_that("jackknife+ and errors of averages are those of fits without the outer folds", {
  cv <- honest(outer = outer)
  fits <- lapply(outer, function(held) widths(setdiff(seq_len(m), held)))
  for (s in unique(c(cv$penalty.min, cv$penalty.1se))) {
    ends <- jackknife_plus(fits, x, y, new, s, rep(1:4, each = 15))
    expect_equal(unname(predict(cv, new, s = s, interval = "jackknife+")),
                 cbind(unname(predict(cv, new, s = s)), ends), tolerance = 1e-8)
    found <- derivatives(cv, new, s = s)
    expect_identical(found[c("type", "units", "count", "df")],
                     list(type = "jackknife", units = "folds", count = 4L, df = 3))
    expect_equal(found$vcov, jackknife_vcov(fits, new, s), tolerance = 1e-6)
    expect_equal(found$std.error^2, diag(found$vcov))
  }
  expect_identical(derivatives(cv, new, type = "gp")$type, "gp")
})

test_that("with a split the interval is that of split conformal prediction", {
  held <- outer[[2]]
  cv <- honest(outer = list(held))
  fit <- widths(setdiff(seq_len(m), held))
  s <- cv$penalty.1se
  residual <- abs(y[held] - predict(fit, x[held, ], s = s))
  width <- sort(residual)[ceiling(0.8 * 16 - 1e-9)]
  shown <- predict(cv, new, interval = "jackknife+", level = 0.8)
  middle <- predict(fit, new, s = s)
  expect_equal(unname(shown[, -1]), unname(middle + cbind(-rep(width, 4), width)),
               tolerance = 1e-8)
})

test_that("the Gaussian-process view and derivatives are those of the fit at the penalty", {
  cv <- honest(outer = outer)
  fit <- cv$fit
  for (i in 1:2) {
    part <- fit$fits[[i]]
    s <- fit$penalty[i]
    expect_identical(predict(fit, new, s = s, interval = "gp"),
                     predict(part, new, s = part$lambda, interval = "gp"))
    expect_equal(predict(cv, new, s = s, se.fit = TRUE)$se.fit,
                 predict(part, new, s = part$lambda, se.fit = TRUE)$se.fit)
    step <- function(h) predict(fit, new + rep(c(h, 0, 0), each = 4), s = s)
    expect_equal(unname(derivatives(fit, new, s = s, type = "gp")$derivatives[, "a"]),
                 unname(step(1e-4) - step(-1e-4)) / 2e-4, tolerance = 1e-5)
  }
  expect_identical(derivatives(cv, new)$average,
                   suppressMessages(derivatives(fit, new, cv$penalty.1se))$average)
})

test_that("where there are no outer fits there are no standard errors, and the reason is said", {
  unkept <- suppressMessages(cv.ardrls(x, y, I(basis), kernel, c(Inf, 1), outer = outer, maxit = 2))
  split <- honest(outer = outer[2])
  said <- list(keep = unkept, outer = split, cv.ardrls = unkept$fit)
  for (word in names(said)) {
    expect_message(found <- derivatives(said[[word]], new), word, class = "sparserls_message")
    expect_true(all(is.na(found$std.error)))
    expect_no_message(derivatives(said[[word]], new, type = "gp"))
  }
  expect_refusals({
    derivatives(unkept, new, type = "jackknife") | keep | "Cross-validate with keep = TRUE"
    derivatives(unkept$fit, new, type = "jackknife") | keep | "Use cv.ardrls() with keep = TRUE"
    derivatives(split, new, type = "jackknife") | keep | "Use outer = 5, or more folds"
    derivatives(split, new, type = "sandwich") | argument | "debiased .. jackknife .. gp"
  })
})

test_that("what there is not is said", {
  cv <- honest(outer = outer)
  other <- setdiff(cv$penalty, c(cv$penalty.min, cv$penalty.1se))
  if (length(other)) {
    expect_error(predict(cv, new, s = other[1], interval = "jackknife+"),
                 class = "sparserls_error_penalty")
  }
  expect_refusals({
    predict(cv$fit, new, s = 1, interval = "jackknife+") | argument | ""
    predict(cv, new, s = c(Inf, 1), interval = "gp") | lambda | ""
    vcov(cv) | kernel | "expansion: refits have another .. vcov(derivatives())"
    confint(cv) | kernel | "expansion: refits have another"
  })
})

test_that("a linear kernel has covariances, of its slopes by the outer fits", {
  two <- cbind(u = y, v = x[, 3])
  cv <- suppressMessages(cv.ardrls(x, two, I(basis), kernel_linear(), c(Inf, 1), maxit = 5,
                                   outer = outer, keep = TRUE))
  effects <- derivatives(cv, x, type = "jackknife")
  each <- vapply(cv$refits$models, function(model) {
    fit <- model$fits[[match(cv$index[["1se", 1]], cv$refits$at)]]
    derivatives(fit, x[1, , drop = FALSE], type = "gp")$average
  }, matrix(0, 3, 2))
  for (output in 1:2) {
    moved <- each[, output, ] - rowMeans(each[, output, ])
    expect_equal(unname(vcov(effects)[, , output]), unname(3 / 4 * tcrossprod(moved)))
  }
  part <- cv$fit$fits[[2]]
  found <- vcov(cv, s = 1, type = "gp")
  expect_identical(found, vcov(cv$fit, s = 1, type = "gp"))
  expect_identical(found, vcov(part, type = "gp"))
  expect_identical(dim(found), c(rep(length(basis) + 1L, 2), 2L))
  expect_identical(confint(cv$fit, 1:2, s = 1, type = "gp"), confint(part, 1:2, type = "gp"))
  expect_identical(confint(cv, 1:2, s = 1, type = "gp"), confint(part, 1:2, type = "gp"))
})
