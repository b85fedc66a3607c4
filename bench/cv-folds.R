# What N-fold cross-validation costs, in fits: seconds of cv.sparserls() over those of sparserls(),
# both over the same grid of lambda, and the rule that the help of cv.sparserls() states.
#
#   OPENBLAS_NUM_THREADS=1 Rscript bench/cv-folds.R [repetitions]
#
# Needs the installed package. CPU seconds, medians of the repetitions, measured in turn in one run
# after a first one that does not count. The seed is 1. Writes inst/extdata/cv-folds.csv.
#
# The rule. A fit with its rotation takes 4 m n^2 operations and O(n^3) beside. The retrain form of
# N folds takes m n^2 for their sums and 4/3 N n^3 for their tridiagonal forms (retrain_price() in
# src/cv.c): 1/4 + N n / (3 m) of a fit, but the tridiagonal form runs at about a third of the speed
# of the products: N n / m. The update form of N folds of h = m / N rows takes c N h^2 n for c
# lambdas (update_price()), 1/4 c m / (N n) of a fit, at half the speed: c m / (2 N n). The cheaper
# is taken. Kernel values, the fit that stays and the predictions are about 1.5 fits:
#
#   price = 1.5 + min(N n / m, c m / (2 N n)) fits, at most 1.5 + sqrt(c / 2)

library(sparserls)
repetitions <- as.integer(c(commandArgs(TRUE), 3)[1])
source("bench/store.R")

rule <- function(m, n, c, folds) 1.5 + pmin(folds * n / m, c * m / (2 * folds * n))

prices <- function(m, n, c, p = 20) {
  x <- matrix(rnorm(m * p), m)
  y <- sin(x[, 1]) + x[, 2] + 0.3 * rnorm(m)
  basis <- sort(sample(m, n))
  lambda <- 10^seq(2, -3, length.out = c)
  kernel <- kernel_gaussian(1 / (2 * p))
  cv <- function(nfolds) {
    force(nfolds)
    function() {
      cv.sparserls(x, y, basis, kernel, lambda, nfolds = nfolds, standardize = FALSE,
                   progress = FALSE)
    }
  }
  folds <- c(10, 25, 50, 100, 250, m)
  sides <- c(list(fit = function() sparserls(x, y, basis, kernel, lambda, standardize = FALSE)),
             setNames(lapply(folds, cv), folds))
  for (side in sides) side()
  t <- suppressMessages(do.call(compare, c(sides, list(clock = cpu_seconds))))
  data.frame(m = m, n = n, lambdas = c, folds = folds, fits = t[-1] / t[[1]],
             rule = rule(m, n, c, folds), fit.seconds = t[[1]], repetitions = repetitions)
}

set.seed(1)
table <- rbind(prices(5000, 500, 50), prices(5000, 500, 20), prices(10000, 250, 50))
print(table, digits = 3, row.names = FALSE)
store(table, "cv-folds.csv", "Seconds of cv.sparserls() over those of sparserls(), seed 1", 3)
