# What it does to a cross-validated error that centres and scales of the columns, and the default
# gamma, are found once, over all rows, the held-out ones included (without looking at y).
#
#   OPENBLAS_NUM_THREADS=1 Rscript bench/all-rows.R [repetitions]
#
# Ten folds, Gaussian kernel, default basis and lambdas. Against the error of cv.sparserls() stands
# that of refits that find all three anew from their own rows, with the same folds, basis vectors
# and lambdas, each at its own best lambda. Data, with normal features, are new in every repetition.
# Reported are the ratio of the mean errors less one, in percent (negative: the package's is too
# good), and its standard error over repetitions. The seed is 1. Needs the installed package. Writes inst/extdata/all-rows.csv, which
# the article cross-validation shows.

library(sparserls)
repetitions <- as.integer(c(commandArgs(TRUE), 200)[1])
here <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)))
source(file.path(here, "store.R"))

simulated <- function(m, p) {
  x <- matrix(rnorm(m * p), m)
  list(x = x, y = sin(2 * x[, 1]) + x[, 2] + rnorm(m) / 3)
}

# The smallest error of either kind.
errors <- function(d) {
  m <- length(d$y)
  folds <- cv_folds(m, 10)
  cv <- cv.sparserls(d$x, d$y, folds = folds, kernel = one_width(d$x), progress = FALSE)
  basis <- cv$fit$basis
  anew <- matrix(NA, m, length(cv$lambda))
  for (held in folds) {
    rest <- setdiff(seq_len(m), held)
    fit <- sparserls(d$x[rest, ], d$y[rest], I(match(setdiff(basis, held), rest)),
                     kernel_gaussian(), cv$lambda)
    anew[held, ] <- predict(fit, d$x[held, , drop = FALSE], s = cv$lambda)
  }
  c(once = min(cv$cvm), anew = min(colMeans((d$y - anew)^2)))
}

compared <- function(data, rows, features, draw) {
  found <- suppressMessages(replicate(repetitions, errors(draw())))
  once <- found["once", ]
  anew <- found["anew", ]
  ratio <- mean(once) / mean(anew)
  se <- sd(once - ratio * anew) / sqrt(repetitions) / mean(anew)
  row <- data.frame(data, rows, features, percent = 100 * (ratio - 1), se = 100 * se, repetitions)
  print(row, row.names = FALSE)
  row
}

set.seed(1)
table <- rbind(
  compared("normal", 40, 8, function() simulated(40, 8)),
  compared("normal", 100, 8, function() simulated(100, 8))
)
store(table, "all-rows.csv", "Ten folds, seed 1", 3)
