set.seed(7)
m <- 60
x <- matrix(rnorm(m * 3), m, dimnames = list(NULL, c("a", "b", "c")))
y <- sin(2 * x[, 1]) + 0.5 * x[, 2] + 0.3 * rnorm(m)
new <- matrix(rnorm(12), 4, dimnames = list(NULL, colnames(x)))
basis <- seq(1, m, 3)
inner <- rep_len(1:5, m)
kernel <- kernel_matern(gamma = 0.3)
outer <- unname(split(seq_len(m), rep(1:4, each = 15)))

path <- list(widths = c(Inf, 1), map = 1)
last <- list(kind = "map", penalty = 1)
without <- function(held) {
  rows <- setdiff(seq_len(m), held)
  ardrls(x[rows, ], y[rows], I(match(intersect(basis, rows), rows)), kernel, path, map = TRUE,
         foldid = inner[rows], standardize = FALSE, maxit = 10)
}
honest <- function(y, ...) {
  quiet(cv.ardrls(x, y, I(basis), kernel, path, map = TRUE, foldid = inner, keep = TRUE,
                  standardize = FALSE, maxit = 10, ...))
}
cv <- honest(y, outer = outer)
chosen <- function(cv, name) {
  at <- cv$index[[sub("penalty.", "", name), 1]]
  list(kind = cv$fit$kind[at], penalty = cv$penalty[at])
}

test_that("jackknife+ and errors of averages are those of fits without the outer folds", {
  fits <- lapply(outer, without)
  for (name in c("penalty.min", "penalty.1se")) {
    s <- chosen(cv, name)
    ends <- jackknife_plus(fits, x, y, new, s, rep(1:4, each = 15))
    for (asked in list(name, s)) {
      expect_equal(unname(predict(cv, new, s = asked, interval = "jackknife+")),
                   cbind(unname(predict(cv$fit, new, s = s)), ends), tolerance = 1e-6)
    }
    found <- derivatives(cv, new, s = s)
    expect_identical(found[c("type", "units", "count", "df")],
                     list(type = "jackknife", units = "folds", count = 4L, df = 3))
    each <- vapply(fits, function(fit) quiet(derivatives(fit, new, s = s))$average, numeric(3))
    expect_equal(found$vcov, 3 / 4 * tcrossprod(each - rowMeans(each)), tolerance = 1e-5)
    expect_equal(found$std.error^2, diag(found$vcov))
  }
  expect_identical(derivatives(cv, new)$average,
                   quiet(derivatives(cv$fit, new, chosen(cv, "penalty.1se")))$average)
  expect_identical(cv$refits$at, unique(as.double(cv$index)))
  other <- setdiff(1:3, cv$index)[1]
  s <- list(kind = cv$fit$kind[other], penalty = cv$penalty[other])
  expect_error(predict(cv, new, s = s, interval = "jackknife+"), class = "sparserls_error_penalty")
  expect_message(found <- derivatives(cv, new, s = s), "penalty.1se", class = "sparserls_message")
  expect_true(all(is.na(found$std.error)))
})

test_that("probabilities are calibrated at the steps that were chosen", {
  two <- honest(factor(y > 0.2), outer = outer)
  for (name in c("penalty.min", "penalty.1se")) {
    p <- predict(two, new, s = name, type = "prob")
    expect_identical(predict(two, new, s = chosen(two, name), type = "prob"), p)
    eta <- two$calibration$intercept[, name] +
      two$calibration$slope[, name] * predict(two$fit, new, s = chosen(two, name))
    expect_equal(unname(p[, "TRUE"]), unname(drop(stats::plogis(eta))), tolerance = 1e-10)
  }
  other <- setdiff(1:3, two$index)[1]
  s <- list(kind = two$fit$kind[other], penalty = two$penalty[other])
  expect_error(predict(two, new, s = s, type = "prob"), class = "sparserls_error_argument")
})

test_that("with a split the interval is that of split conformal prediction", {
  held <- outer[[2]]
  cv <- honest(y, outer = list(held))
  fit <- without(held)
  s <- chosen(cv, "penalty.1se")
  residual <- abs(y[held] - predict(fit, x[held, ], s = s))
  width <- sort(residual)[ceiling(0.8 * 16 - 1e-9)]
  shown <- predict(cv, new, interval = "jackknife+", level = 0.8)
  middle <- predict(fit, new, s = s)
  expect_equal(unname(shown[, -1]), unname(middle + cbind(-rep(width, 4), width)), tolerance = 1e-8)
})

test_that("where there are no outer fits there are no standard errors, and the reason is said", {
  unkept <- quiet(cv.ardrls(x, y, I(basis), kernel, c(Inf, 1), outer = outer, maxit = 2))
  split <- honest(y, outer = outer[2])
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
    vcov(cv) | kernel | "expansion: refits have another .. vcov(derivatives())"
    derivatives(split, new, type = "sandwich") | argument | "debiased .. jackknife .. gp"
  })
})

test_that("a linear kernel has covariances, of its slopes by the outer fits", {
  two <- cbind(u = y, v = x[, 3])
  cv <- quiet(cv.ardrls(x, two, I(basis), kernel_linear(), c(Inf, 1), maxit = 5,
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
  expect_identical(confint(cv, 1:2, s = 1, type = "gp"), confint(part, 1:2, type = "gp"))
})
