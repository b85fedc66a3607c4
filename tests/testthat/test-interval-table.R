# A kind of interval is one entry of the table in R/interval.R.

with_kind <- function(name, entry, code) {
  table <- sparserls:::intervals
  on.exit(assignInNamespace("intervals", table, "sparserls"))
  assignInNamespace("intervals", c(table, setNames(list(entry), name)), "sparserls")
  force(code)
}

# One width for all rows, the quantile of the sizes of held-out residuals.
constant_width <- list(
  refits = TRUE,
  ends = function(object, fit, at, wanted) {
    kept <- object$refits
    held <- matrix(kept$scores[, , match(at, kept$at)], nrow(kept$scores))
    width <- apply(abs(fit$response$y - held), 2, quantile, wanted$level, names = FALSE)
    function(x) rep(1, nrow(x)) %o% c(-width, width)
  },
  relative = TRUE
)

set.seed(1)
x <- matrix(rnorm(120), 40)
y <- cbind(a = x[, 1] + rnorm(40) / 3, b = cos(x[, 2]))
new <- matrix(rnorm(15), 5)
kept_cv <- function(y) {
  quiet(cv.sparserls(x, y, 12, kernel_gaussian(0.3), c(1, 0.1), foldid = rep(1:8, 5), keep = TRUE))
}

by_hand <- function(cv, y, output, level) {
  at <- match(cv$lambda.min, cv$lambda)
  held <- array(cv$fit.preval, c(length(y), NCOL(cv$fit$response$y), length(cv$lambda)))
  width <- quantile(abs(y - held[, output, at]), level)
  fit <- array(predict(cv, new), c(nrow(new), ncol(cv$fit$response$y)))[, output]
  cbind(fit, fit - width, fit + width)
}

test_that("a kind that is added serves predict() and augment(), and goes again", {
  one <- kept_cv(y[, 1])
  two <- kept_cv(y)
  formula <- quiet(cv.rls(y ~ ., data.frame(x, y = y[, 1]), nfolds = 5, keep = TRUE))
  gaps <- rbind(data.frame(new), NA)
  expect_error(predict(one, new, interval = "constant"), class = "sparserls_error_argument")
  found <- with_kind("constant", constant_width, list(
    one = predict(one, new, interval = "constant", level = 0.8),
    two = predict(two, new, interval = "constant", level = 0.6, se.fit = TRUE),
    gaps = predict(formula, gaps, interval = "constant"),
    rows = generics::augment(one, newdata = new, interval = "constant", level = 0.8)
  ))
  expect_equal(found$one, by_hand(one, y[, 1], 1, 0.8), ignore_attr = TRUE)
  expect_identical(colnames(found$one), c("fit", "lwr", "upr"))
  for (j in 1:2) {
    expect_equal(found$two$fit[, j, ], by_hand(two, y[, j], j, 0.6), ignore_attr = TRUE)
  }
  expect_identical(dimnames(found$two$fit)[[2]], c("a", "b"))
  expect_identical(rowSums(is.na(found$gaps)), setNames(c(0, 0, 0, 0, 0, 3), 1:6))
  expect_equal(as.matrix(found$rows[c(".fitted", ".lower", ".upper")]), found$one,
               ignore_attr = TRUE)
  expect_error(predict(one, new, interval = "constant"), class = "sparserls_error_argument")
})

test_that("what a kind asks for is checked by its entry", {
  fit <- rls(x, y, lambda = 1)
  bare <- cv.rls(x, y, lambda = 1, foldid = rep(1:8, 5))
  with_kind("constant", constant_width, expect_refusals({
    predict(fit, new, interval = "constant") |
      argument | '`interval = "constant"` needs a cross-validation .. or use interval = "gp"'
    predict(fit, new, interval = "constnt") | argument | 'Did you mean "constant"?'
    predict(bare, new, interval = "constant") | keep | "has not kept its refits"
  }))
  # Kinds without refits are proposed to those who have none.
  free <- list(ends = function(object, fit, at, wanted) function(x) matrix(0, nrow(x), 4))
  with_kind("free", free, expect_refusals({
    predict(fit, new, interval = "jackknife+") |
      argument | 'needs a cross-validation .. interval = "gp" or interval = "free"'
  }))
})
