set.seed(1)
m <- 50
x <- matrix(rnorm(m * 3), m, dimnames = list(NULL, c("a", "b", "c")))
y <- sin(x[, 1]) + 0.2 * rnorm(m)
w <- runif(m, 0.5, 2)
basis <- seq(1, m, 4)
kernel <- kernel_gaussian(0.4)
lambda <- c(10, 1, 0.01)

test_that("fits on random problems are the honest ones, on new rows and old", {
  for (seed in 301:320) {
    case <- random_case(seed)
    k <- reference_shifted(case$kernel, case$x, case$basis, case$jitter)
    everything <- seq_len(nrow(case$x))
    honest <- reference_refit(k, case$y, case$w, case$basis, seq_along(case$basis), everything,
                              everything, case$lambda, case$intercept)
    fit <- sparserls(case$x, case$y, case$basis, case$kernel, case$lambda, weights = case$w,
                     intercept = case$intercept, standardize = FALSE, jitter = case$jitter)
    if (relative_error(fitted(fit), honest) > 1e-8) fail(sprintf("seed %d", seed))
    # Rows outside the basis do not see the jitter: new rows equal to them are predicted the same.
    outside <- setdiff(everything, case$basis)
    again <- predict(fit, case$x[outside, ])
    at <- if (is.matrix(case$y)) fitted(fit)[outside, , ] else fitted(fit)[outside, ]
    expect_equal(as.vector(again), as.vector(at), tolerance = 1e-7)
  }
})

test_that("a lambda between those of the path is solved for exactly", {
  path <- sparserls(x, y, basis, kernel, c(10, 0.01))
  alone <- sparserls(x, y, basis, kernel, 0.37)
  expect_equal(predict(path, x, s = 0.37), predict(alone, x), tolerance = 1e-10)
  expect_identical(sparserls(x, y, basis, kernel, c(0.1, 5, 0.1))$lambda, c(5, 0.1))
})

test_that("a linear kernel on all rows is ridge regression, with slopes on the user's scale", {
  moved <- sweep(sweep(x, 2, c(1, 100, 0.01), "*"), 2, c(5, -50, 0), "+")
  fit <- sparserls(moved, y, 1:m, kernel_linear(), lambda, weights = w, jitter = 1e-9)
  expect_equal(coef(fit), coef(rls(moved, y, lambda = lambda, weights = w)), tolerance = 1e-6)
  expect_equal(predict(fit, moved), cbind(1, moved) %*% coef(fit), tolerance = 1e-9,
               ignore_attr = TRUE)
})

test_that("degrees of freedom and explained deviance are those of the hat matrix", {
  fit <- sparserls(x, y, basis, kernel, lambda, weights = w, standardize = FALSE)
  k <- reference_shifted(kernel, x, basis, 1e-7)
  centred <- sweep(k, 2, colSums(w * k) / sum(w))
  for (l in 1:3) {
    squares <- crossprod(centred, w * centred)
    hat_trace <- sum(diag(solve(squares + lambda[l] * k[basis, ], squares)))
    expect_equal(fit$df[l], hat_trace, tolerance = 1e-6)
    left <- sum(w * (y - fitted(fit)[, l])^2)
    expect_equal(fit$dev.ratio[l], 1 - left / sum(w * (y - weighted.mean(y, w))^2))
  }
})

test_that("two classes are coded -1 and +1, the second level +1", {
  class <- factor(ifelse(y > 0, "yes", "no"))
  fit <- sparserls(x, class, basis, kernel, lambda)
  numbers <- sparserls(x, ifelse(y > 0, 1, -1), basis, kernel, lambda)
  expect_equal(predict(fit, x), predict(numbers, x))
  expect_identical(predict(fit, x, s = 1, type = "class"),
                   factor(ifelse(predict(fit, x, s = 1) > 0, "yes", "no")))
  expect_equal(predict(sparserls(x, y > 0, basis, kernel, lambda), x), predict(fit, x))
  expect_identical(levels(predict(sparserls(x, y > 0, basis, kernel, 1), x, type = "class")),
                   c("FALSE", "TRUE"))
})

test_that("more classes are fitted one-versus-all, the largest score wins", {
  class <- cut(y, 4, labels = c("z", "y", "x", "w"))
  fit <- sparserls(x, class, basis, kernel, 1)
  scores <- sapply(levels(class), function(level) {
    predict(sparserls(x, class == level, basis, kernel, 1), x)
  })
  expect_equal(predict(fit, x), scores, tolerance = 1e-10)
  expect_identical(as.character(predict(fit, x, type = "class")), levels(class)[max.col(scores)])
})

test_that("objects are plain and survive a new session", {
  fit <- sparserls(x, y, basis, kernel_polynomial(2), lambda)
  file <- withr::local_tempfile(fileext = ".rds")
  out <- withr::local_tempfile(fileext = ".rds")
  saveRDS(list(fit = fit, x = x), file)
  code <- sprintf("library(sparserls); a <- readRDS('%s'); saveRDS(predict(a$fit, a$x), '%s')",
                  file, out)
  said_by_another_r(code)
  expect_identical(readRDS(out), predict(fit, x))
})

test_that("fits print", {
  expect_said({
    sparserls(x, y, basis, kernel, lambda)
    summary(sparserls(x, cbind(y, -y), basis, kernel_linear(), 1, intercept = FALSE))
  })
})
