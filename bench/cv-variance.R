# Mean and variance of three estimates of the error of sparserls(), figures 1 to 7 of the 2012
# paper:
#
#   approach 1   300 / 270 or 30 / 27 basis vectors, spread evenly over ten folds, removed with them
#   approach 2   270 or 27 basis vectors, kept out of all folds
#   approach 3   270 or 27 basis vectors, chosen anew in every fold
#
# All use the same ten folds: those of approach 2 are without its basis vectors. So approach 2
# tests fewer rows than the others, which is a difference of its own. Of "approach 2, all rows" it
# is taken out: the error of approach 3 over all rows plus the mean difference of the two on the
# rows that both test.
#
#   OPENBLAS_NUM_THREADS=1 Rscript bench/cv-variance.R experiment [repetitions]
#
# experiment: ailerons, elevators, pole, pumadyn (need the data, in SPARSERLS_DATA or
# ../shared/data), sinusoid-27, sinusoid-270, greedy-27, greedy-270. Needs the installed package. The
# seed is 1. Writes inst/extdata/cv-<experiment>.csv, which the article cross-validation shows.

library(sparserls)
arguments <- commandArgs(TRUE)
experiment <- arguments[1]
repetitions <- as.integer(c(arguments[-1], 100)[1])
source("bench/store.R")
source(file.path(here, "..", "vignettes", "estimates.R"))

real_data <- function(file, response, rows, gamma, scale = 1) {
  data <- shared(file)[seq_len(rows), ]
  d <- list(x = as.matrix(data[names(data) != response]), y = scale * data[[response]])
  list(draw = function() d, n = 27, kernel = kernel_gaussian(gamma), lambda = 2^(4:-15))
}

sinusoid <- function(n) {
  draw <- function() {
    x <- matrix(runif(3000, -20, 20))
    list(x = x, y = sin(x[, 1]) + rnorm(3000, 0, 2))
  }
  list(draw = draw, n = n, kernel = kernel_gaussian(1), lambda = 2^(12:-8))
}

setup <- switch(experiment,
  pole = real_data("pole", "foo", 5000, 2^-12),
  ailerons = real_data("ailerons", "goal", 7154, 2^-18, 1000),
  elevators = real_data("elevators", "Goal", 8752, 2^-19, 1000),
  pumadyn = real_data("pumadyn32h", "thetadd6", 4499, 2^-21),
  `sinusoid-27` = , `greedy-27` = sinusoid(27),
  `sinusoid-270` = , `greedy-270` = sinusoid(270),
  stop("no such experiment")
)

# Rows, or a selector. The greedy selection compares fits with the lambda that is best for the
# sinusoid, about 2^5.
greedy <- startsWith(experiment, "greedy")
selector <- function(n) if (greedy) basis_greedy(n, lambda = 2^5) else basis_random(n)

# Squared held-out errors, rows x lambdas; NA for rows that are in no fold.
losses <- function(d, basis, ...) {
  cv <- quiet(cv.sparserls(d$x, d$y, basis, setup$kernel, setup$lambda, intercept = FALSE,
                           standardize = FALSE, progress = FALSE, keep = TRUE, ...))
  (d$y - cv$fit.preval)^2
}

approaches <- function(d) {
  m <- length(d$y)
  n <- setup$n
  more <- n * 10 / 9
  # In random order or that of the selection: the first n are a selection of n.
  basis <- sparserls(d$x, d$y, selector(more), setup$kernel, 1, intercept = FALSE,
                     standardize = FALSE)$basis
  if (!greedy) basis <- sample(basis)
  fewer <- basis[seq_len(n)]
  folds <- cv_folds(m, 10, basis = basis, spread = "balanced")
  one <- losses(d, basis, folds = folds)
  two <- losses(d, fewer, folds = lapply(folds, setdiff, fewer))
  three <- losses(d, selector(n), folds = folds, reselect = TRUE)
  cbind(
    `approach 1` = colMeans(one), `approach 2` = colMeans(two, na.rm = TRUE),
    `approach 2, all rows` = colMeans(three) + colMeans(two - three, na.rm = TRUE),
    `approach 3` = colMeans(three)
  )
}

set.seed(1)
curves <- replicate(repetitions, approaches(setup$draw()))
estimates <- do.call(cv_estimates, c(
  setNames(lapply(dimnames(curves)[[2]], function(name) t(curves[, name, ])),
           dimnames(curves)[[2]]),
  list(lambda = setup$lambda)
))
# How far every approach lies from the third, and the standard error of that over repetitions, in
# which the approaches share the data and the folds, and the first two the basis vectors.
differences <- lapply(dimnames(curves)[[2]], function(name) {
  t(curves[, name, ] - curves[, "approach 3", ])
})
estimates$difference <- unlist(lapply(differences, colMeans))
estimates$difference.se <- unlist(lapply(differences, apply, 2, sd)) / sqrt(repetitions)
# Names without a comma, for the file.
table <- transform(estimates, estimator = sub(",", ":", estimator))
store(table, sprintf("cv-%s.csv", experiment),
      sprintf("%s, %d repetitions, seed 1", experiment, repetitions))

wide <- function(what) {
  table <- tapply(estimates[[what]], list(log2(estimates$lambda), estimates$estimator), identity)
  cat(sprintf("%s of %d repetitions, by log2(lambda)\n", what, repetitions))
  print(signif(table[order(-as.numeric(rownames(table))), ], 4))
}
wide("mean")
wide("variance")
wide("difference")
wide("difference.se")
