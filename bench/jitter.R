# Where the default grid of lambda ends: before the jitter shapes the fit (R/lambda.R), against the
# end without that rule, 1e-8 of the largest eigenvalue or 99 % of the rank.
#     OPENBLAS_NUM_THREADS=1 Rscript bench/jitter.R
# For each table and kernel, at both ends: df, those that are the jitter's, the largest
# |predict() - fitted()| of a training row over the sd of y; and the smallest held-out error of both
# grids (ten folds, the same), with the difference over the standard error of the old one.
library(sparserls)
suppressPackageStartupMessages(library(MASS))

set.seed(1)
smooth <- data.frame(x = runif(300), z = runif(300))
smooth$y <- sin(6 * smooth$x) + smooth$z^2
tables <- list(
  prostate = list(lpsa ~ . - train, prostate), mtcars = list(mpg ~ ., mtcars),
  Boston = list(medv ~ ., Boston), cars = list(dist ~ speed, cars),
  trees = list(Volume ~ ., trees), iris = list(Sepal.Length ~ . - Species, iris),
  faithful = list(eruptions ~ waiting, faithful), quakes = list(mag ~ ., quakes),
  swiss = list(Fertility ~ ., swiss), airquality = list(Ozone ~ Solar.R + Wind + Temp, airquality),
  `smooth, no noise` = list(y ~ x + z, smooth),
  `smooth, noise .01` = list(y + 0.01 * rnorm(300) ~ x + z, smooth)
)
kernels <- list(linear = kernel_linear(), gaussian = kernel_gaussian(), matern = kernel_matern())

old_grid <- function(cv) {
  values <- cv$fit$spectrum$values
  values <- values[values > length(values) * .Machine$double.eps * max(values)]
  df <- function(log_lambda) sum(values / (values + exp(log_lambda)))
  full <- exp(uniroot(function(l) df(l) - 0.99 * length(values),
                      log(c(1e-4 * min(values), sum(values))), tol = 1e-10)$root)
  exp(seq(log(20 * sum(values)), log(max(1e-8 * max(values), full)), length.out = 50))
}

apart <- function(fit, data) {
  y <- fit$response$y
  lambda <- min(fit$lambda)
  max(abs(predict(fit, data, s = lambda) - fitted(fit, s = lambda))) / sd(y)
}

quietly <- function(code) suppressWarnings(suppressMessages(code))

result <- NULL
for (name in names(tables)) {
  for (kernel in names(kernels)) {
    formula <- tables[[name]][[1]]
    data <- na.omit(tables[[name]][[2]])
    rows <- sort(sample(nrow(data), min(200, nrow(data) %/% 2)))
    id <- sample(rep_len(1:10, nrow(data)))
    new <- quietly(cv.sparserls(formula, data, basis = rows, kernel = kernels[[kernel]],
                                foldid = id))
    old <- quietly(cv.sparserls(formula, data, basis = rows, kernel = new$kernel, foldid = id,
                                lambda = old_grid(new)))
    best <- old$index[["min", 1]]
    result <- rbind(result, data.frame(
      table = name, kernel = kernel, n = length(new$fit$basis), df.old = tail(old$fit$df, 1),
      df.new = tail(new$fit$df, 1), jitter.old = tail(old$fit$shift_df, 1),
      jitter.new = tail(new$fit$shift_df, 1), apart.old = apart(old$fit, data),
      apart.new = apart(new$fit, data), cut = old$lambda.min < 0.999 * min(new$lambda),
      ratio = min(new$cvm) / min(old$cvm), z = (min(new$cvm) - min(old$cvm)) / old$cvsd[best]
    ))
  }
}
print(format(result, digits = 2), row.names = FALSE)
