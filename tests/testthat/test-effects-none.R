# Where there is nothing to average, or lambda is at the ends of the numbers, nothing is NaN in
# silence.

x <- as.matrix(prostate[1:3])
y <- prostate$lpsa

test_that("effects of no rows are refused, those of rows with missing values too", {
  fit <- sparserls(x, y, I(1:20), lambda = 1)
  frame <- rls(lpsa ~ lcavol, prostate, lambda = 1)
  gaps <- data.frame(lcavol = c(NA, NA_real_))
  expect_refused("newdata", {
    derivatives(fit, x[0, , drop = FALSE])
    derivatives(frame, prostate[0, ])
    derivatives(frame, gaps)
  })
  expect_true(all(is.finite(derivatives(fit, x[1, , drop = FALSE])$std.error)))
})

test_that("intervals and standard errors are numbers at any lambda", {
  fits <- function(lambda) {
    list(rls(x, y, lambda = lambda, solver = "svd"), rls(x, y, lambda = lambda, solver = "primal"),
         rls(x, y, lambda = lambda, solver = "dual"), sparserls(x, y, I(1:20), lambda = lambda),
         sparserls(x, y, I(1:20), kernel_polynomial(2), lambda, weights = rep(1e-20, 97)),
         greedyrls(x, y, 2, lambda = lambda))
  }
  for (lambda in c(1e100, 1e300, 1e307)) {
    for (fit in suppressWarnings(fits(lambda))) for (noise in c("df", "reml")) {
      ends <- predict(fit, x, interval = "gp", noise = noise)
      expect_true(all(is.finite(ends)), info = paste(class(fit)[1], lambda))
      expect_true(all(is.finite(predict(fit, x, se.fit = TRUE, noise = noise)$se.fit)))
    }
  }
  # All is noise: the interval is that of a mean.
  ends <- predict(rls(x, y, lambda = 1e307, solver = "svd"), x[1:2, ], interval = "gp")
  mean <- predict(lm(y ~ 1), prostate[1:2, ], interval = "prediction", level = 0.9)
  expect_equal(unname(ends), unname(mean))
  effects <- derivatives(rls(x, y, lambda = 1e307, solver = "svd"), x, type = "gp")
  expect_true(all(is.finite(effects$std.error) & effects$std.error > 0))
})

test_that("a sandwich without a degree of freedom for the noise is refused", {
  all <- as.matrix(prostate[1:8])
  fit <- rls(all, y, kernel_gaussian(0.1), 1e-300)
  expect_refused("lambda", {
    derivatives(fit, all, type = "sandwich")
  })
})
