# What it does to a cross-validated error that centres and scales of the columns, and the default
# gamma, are found once, over all rows, the held-out ones included (without looking at y).
#
#   OPENBLAS_NUM_THREADS=1 Rscript bench/all-rows.R [repetitions]
#
# Ten folds, a single Gaussian kernel with the default gamma, default basis and lambdas. The error
# of cv.sparserls() is compared with that of refits that find centres, scales and gamma by the same
# rules from their own rows, with the same folds, basis vectors and lambdas, each at its own best
# lambda. Every repetition draws new data; of the processors (MASS::cpus, 209 rows) it draws 40.
# Reported are the ratio of the mean errors less one, in percent (negative: the package's is too
# good), and its standard error over repetitions. Each row has the seed 1. Needs the installed
# package. A minute of one core. Writes inst/extdata/all-rows.csv, which the article
# cross-validation shows.

library(sparserls)
repetitions <- as.integer(c(commandArgs(TRUE), 200)[1])
source("bench/store.R")

# The response depends on z. Features are z, or exp(z).
simulated <- function(m, p, noise = 1 / 3, features = identity) {
  z <- matrix(rnorm(m * p), m)
  list(x = features(z), y = sin(2 * z[, 1]) + z[, 2] + noise * rnorm(m))
}
# The response has the tails of a feature, too.
heavy <- function(m, p) {
  x <- exp(matrix(rnorm(m * p), m))
  list(x = x, y = sin(2 * x[, 1]) + x[, 2] + rnorm(m) / 3)
}
processors <- function() {
  rows <- MASS::cpus[sample(nrow(MASS::cpus), 40), ]
  list(x = as.matrix(rows[c("syct", "mmin", "mmax", "cach", "chmin", "chmax")]), y = log(rows$perf))
}

# The smallest error of either kind.
errors <- function(d) {
  m <- length(d$y)
  folds <- cv_folds(m, 10)
  kernel <- kernel_gaussian(width_multiples(1))      # each fit finds gamma from its rows
  cv <- cv.sparserls(d$x, d$y, folds = folds, kernel = kernel, progress = FALSE)
  basis <- cv$fit$basis
  anew <- matrix(NA, m, length(cv$lambda))
  for (held in folds) {
    rest <- setdiff(seq_len(m), held)
    fit <- sparserls(d$x[rest, ], d$y[rest], I(match(setdiff(basis, held), rest)), kernel,
                     cv$lambda)
    anew[held, ] <- predict(fit, d$x[held, , drop = FALSE], s = cv$lambda)
  }
  c(once = min(cv$cvm), anew = min(colMeans((d$y - anew)^2)))
}

compared <- function(data, draw) {
  size <- dim(draw()$x)
  set.seed(1)
  found <- suppressMessages(replicate(repetitions, errors(draw())))
  once <- found["once", ]
  anew <- found["anew", ]
  ratio <- mean(once) / mean(anew)
  se <- sd(once - ratio * anew) / sqrt(repetitions) / mean(anew)
  row <- data.frame(data, rows = size[1], features = size[2], percent = 100 * (ratio - 1),
                    se = 100 * se, repetitions)
  print(row, row.names = FALSE)
  row
}

table <- rbind(
  compared("normal", function() simulated(40, 8)),
  compared("normal", function() simulated(100, 8)),
  compared("normal with three times the noise", function() simulated(40, 8, noise = 1)),
  compared("lognormal features", function() simulated(40, 8, features = exp)),
  compared("lognormal features and response", function() heavy(40, 8)),
  compared("processors", processors)
)
store(table, "all-rows.csv", "Ten folds, seed 1 for every row", 3)
