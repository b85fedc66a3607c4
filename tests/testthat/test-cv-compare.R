set.seed(1)
m <- 60
d <- data.frame(a = rnorm(m), b = rnorm(m), site = rep(1:12, 5))
d$y <- sin(2 * d$a) + d$b + rnorm(m) / 2 + rnorm(12)[d$site] / 2
fold <- rep_len(1:6, m)
w <- sample(1:3, m, TRUE)
linear <- cv.rls(y ~ a + b, d, foldid = fold, keep = TRUE)

by_hand <- function(losses, w = rep(1, m), unit = seq_len(m)) {
  apart <- unit_errors(losses - losses[, 1], w, unit)
  list(estimate = unname(colSums(w * losses) / sum(w)), difference = c(NA, apart$mean[-1]),
       std.error = c(NA, apart$error[-1]))
}
expect_table <- function(table, expected) {
  expect_equal(as.list(table[c("estimate", "difference", "std.error")]), expected, tolerance = 1e-8)
}

test_that("differences are those of losses by rows, of all kinds", {
  cvs <- quiet(list(
    linear = linear,
    gaussian = cv.sparserls(y ~ a + b, d, basis = 20, foldid = fold, keep = TRUE),
    one = cv.rls(y ~ a, d, foldid = c(6, 1:5)[fold], keep = TRUE),
    greedy = cv.greedyrls(y ~ a + b, d, k = 1, foldid = fold, keep = TRUE),
    widths = cv.ardrls(y ~ a + b, d, penalty = c(Inf, 1), maxit = 2, keep = TRUE,
                       outer = unname(split(1:m, fold)))
  ))
  found <- do.call(compare, cvs)
  expect_identical(found$table$model, names(cvs))
  expect_table(found$table, by_hand(vapply(cvs, function(cv) {
    residuals(cv, type = "held-out")^2
  }, numeric(m))))
  expect_identical(generics::tidy(found)$difference, found$table$difference)
  expect_identical(compare(cvs$one, b = cvs$greedy)$table$model, c("cvs$one", "b"))
})

test_that("groups, weights, roots, absolute errors and classes", {
  folds <- cv_folds(m, 4, groups = d$site)
  of <- function(form, ...) cv.rls(form, d, folds = folds, weights = w, keep = TRUE, ...)
  both <- function(...) compare(of(y ~ a, ...), of(y ~ a + b, ...))$table
  residual <- function(...) {
    vapply(list(y ~ a, y ~ a + b), function(form) residuals(of(form, ...), type = "held-out"), d$y)
  }
  expect_table(both(), by_hand(residual()^2, w, d$site))
  expect_table(both(type.measure = "mae"), by_hand(abs(residual(type.measure = "mae")), w, d$site))
  squares <- residual(type.measure = "rmse")^2
  root <- sqrt(colSums(w * squares) / sum(w))
  expected <- by_hand(squares / rep(2 * root, each = m), w, d$site)
  expected$estimate <- root
  expected$difference[2] <- diff(root)
  expect_table(both(type.measure = "rmse"), expected)
})

test_that("squares and likelihoods are compared by a loss that both have", {
  of <- function(...) {
    cv.rls(y > 0 ~ a + b, d, foldid = fold, type.measure = "class", keep = TRUE, ...)
  }
  squares <- of()
  binomial <- of(family = "binomial")
  wrong <- vapply(list(squares, binomial), function(cv) {
    held <- fitted(cv, type = "held-out")
    as.numeric((held > if (is.null(cv$fit$family)) 0 else 0.5) != (d$y > 0))
  }, numeric(m))
  expect_table(compare(squares, binomial)$table, by_hand(wrong))
  counts <- function(...) {
    cv.rls(round(exp(y)) ~ a + b, d, foldid = fold, type.measure = "mse", keep = TRUE, ...)
  }
  one <- counts()
  other <- counts(family = "poisson")
  expect_table(compare(one, other)$table, by_hand(vapply(list(one, other), function(cv) {
    (round(exp(d$y)) - fitted(cv, type = "held-out"))^2
  }, numeric(m))))
})

test_that("outer folds have honest errors and differences", {
  outer <- unname(split(1:m, fold))
  of <- function(...) quiet(cv.rls(..., data = d, foldid = fold, outer = outer, keep = TRUE))
  one <- of(y ~ a + b)
  two <- of(y ~ a, kernel = kernel_gaussian())
  found <- compare(one, two)
  loss <- function(form, ...) (d$y - ave(1:m, fold, FUN = function(i) {
    predict(quiet(cv.rls(form, d[-i, ], foldid = fold[-i], ...)), d[i, ])
  }))^2
  losses <- cbind(loss(y ~ a + b), loss(y ~ a, kernel = kernel_gaussian()))
  expect_equal(as.list(setNames(found$table[5:7], names(found$table)[2:4])), by_hand(losses),
               tolerance = 1e-7)
  expect_equal(found$table$outer.estimate, c(one$nested$cvm, two$nested$cvm))
  # The folds of cv.ardrls() are outer ones; without those of others there is nothing honest.
  widths <- quiet(cv.ardrls(y ~ a + b, d, penalty = Inf, maxit = 2, outer = outer, keep = TRUE))
  expect_equal(compare(widths, one)$table$outer.estimate, c(widths$cvm, one$nested$cvm))
  expect_named(compare(widths, linear)$table, c("model", "estimate", "difference", "std.error"))
})

test_that("others are refused, and told how to be the same", {
  again <- function(...) cv.rls(y ~ a + b, d, ..., keep = TRUE)
  shuffled <- again(foldid = sample(fold))
  fewer <- cv.rls(y ~ a + b, d[-1, ], foldid = fold[-1], keep = TRUE)
  weighed <- again(foldid = fold, weights = w)
  absolute <- again(foldid = fold, type.measure = "mae")
  forgotten <- cv.rls(y ~ a + b, d, foldid = fold)
  nested <- again(foldid = fold, outer = 3)
  other <- again(foldid = fold, outer = 2)
  chunks <- quiet(cv.sparserls(y ~ a + b, chunks_function(2, function(i) d[30 * i - 29:0, ]),
                               basis = 8, kernel = kernel_gaussian(0.3), lambda = 1, nfolds = 3,
                               progress = FALSE))
  amount <- exp(d$y)
  family <- function(family) {
    cv.rls(cbind(a = d$a), round(amount) + 1, foldid = fold, family = family, keep = TRUE)
  }
  poisson <- family("poisson")
  gamma <- family(Gamma("log"))
  expect_refusals({
    compare(linear, shuffled) | folds | "`shuffled` has other folds .. foldid = linear$foldid"
    compare(linear, b = fewer) | argument | "`b` has other rows .. 59 and .. 60"
    compare(linear, weighed) | argument | "`weighed` has other weights .. same `weights`"
    compare(linear, absolute) | argument | "another loss .. Mean absolute error .. Mean squared"
    compare(poisson, gamma) | argument | "another loss .. Deviance, Gamma .. Deviance, Poisson"
    compare(linear, forgotten) |
      keep | "`forgotten` has not kept .. Cross-validate with keep = TRUE .. foldid = linear$foldid"
    compare(linear) | argument | "needs two cross-validations"
    compare(linear, linear$fit) | argument | "compare() takes results of `cv.` functions .. rls .. ?own"
    compare(linear, chunks) | object | "rows in chunks are not in memory"
    compare(nested, other) | folds | "other outer folds .. split(seq_along(nested$nested$foldid)"
  })
})

test_that("the print says which loss, of how many, and less what", {
  one <- cv.rls(y ~ a, d, foldid = fold, keep = TRUE)
  expect_said(compare(linear, alone = one))
  long <- compare(linear, cv.rls(y ~ a + b, data = d, foldid = fold, keep = TRUE))
  expect_identical(long$table$model, c("linear", "model 2"))
})

test_that("the folds of rows without gaps are given again by `folds`", {
  cvs <- quiet({
    first <- cv.rls(Ozone ~ Wind + Solar.R, airquality, lambda = 1, nfolds = 5, keep = TRUE)
    list(first, cv.rls(Ozone ~ Wind + Solar.R + Temp, airquality, lambda = 1, keep = TRUE,
                       folds = split(first$fit$rows, first$foldid)))
  })
  expect_identical(compare(cvs[[1]], cvs[[2]])$nobs, 111L)
  expect_refusals({
    cv.rls(Ozone ~ Wind, airquality, lambda = 1, foldid = first$foldid) |
      folds | "`foldid` must have one label for each of the 153 .. x 111 labels .. Where `cv`"
    compare(first, quiet(update(first, lambda = 2))) |
      folds | "other folds .. Use folds = split(first$fit$rows, first$foldid)"
    cv.rls(Ozone ~ Wind, airquality, foldid = cv_folds(111, 10)) | folds | "list .. goes to `folds`"
    cv.rls(dist ~ speed, cars, foldid = cv_folds(50, "loo")) | folds | "list .. goes to `folds`"
  })
})
