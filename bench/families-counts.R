# Part `counts` of families.R: negative binomial counts of 300 rows. Estimates of theta, in standard
# errors that the maximum at the true means has; and the coverage of 90 % intervals of 300 new rows,
# by family, where the true mean is small and where it is large.

draw <- function(m, theta) {
  x <- matrix(rnorm(2 * m), m)
  mean <- exp(1.5 + sin(2 * x[, 1]) + x[, 2] / 2)
  list(x = x, mean = mean, y = rnbinom(m, size = theta, mu = mean))
}

one <- function(seed, theta) {
  set.seed(seed)
  train <- draw(300, theta)
  new <- draw(300, theta)
  set.seed(seed)
  fits <- lapply(c(poisson = "poisson", negbin = "negbin"), function(family) {
    quiet(cv.sparserls(train$x, train$y, 80, kernel_gaussian(0.3), nlambda = 25, family = family,
                       keep = TRUE, progress = FALSE))
  })
  covered <- vapply(fits, function(cv) {
    ends <- quiet(predict(cv, new$x, interval = "jackknife+", level = 0.9))
    inside <- new$y >= ends[, "lwr"] & new$y <= ends[, "upr"]
    c(all = mean(inside), below = mean(inside[new$mean < 2]), above = mean(inside[new$mean > 5]))
  }, numeric(3))
  best <- MASS::theta.ml(train$y, train$mean)
  cv <- fits$negbin
  in_sample <- MASS::theta.ml(train$y, fitted(cv))
  held_out <- MASS::theta.ml(train$y, exp(cv$fit.preval[, match(cv$lambda.min, cv$lambda)]))
  error <- attr(best, "SE")
  c(z = (cv$fit$family$theta - theta) / error, `z at the true means` = (best - theta) / error,
    `z in sample` = (in_sample - theta) / error, `z held out` = (held_out - theta) / error,
    covered)
}

for (theta in c(0.8, 2, 5)) {
  runs <- vapply(seq_len(size$repetitions), one, numeric(10), theta = theta)
  cat(sprintf("theta = %g, %d repetitions: within two standard errors, and mean of z\n", theta,
              size$repetitions))
  z <- runs[1:4, ]
  rownames(z)[1] <- "z of family = \"negbin\""
  print(round(cbind(within = rowMeans(abs(z) < 2), mean = rowMeans(z)), 2))
  cat("coverage of 90 % intervals: all new rows, means below 2, means above 5\n")
  cover <- matrix(rowMeans(runs[5:10, ]), 2, byrow = TRUE,
                  dimnames = list(c("poisson", "negbin"), c("all", "below", "above")))
  print(round(cover, 3))
}
