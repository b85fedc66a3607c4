# Table 1 of the 2012 paper: leave-one-out and a search over 20 values of lambda, by the package and
# by the method of Cawley and Talbot (2004); and the time of basis_greedy() and of the default basis.
#
#   OPENBLAS_NUM_THREADS=1 Rscript bench/cv-speed.R [repetitions] [selection]
#
# With `selection` only the last.
#
# Needs the installed package. CPU seconds, as in the paper. Every figure is a median, measured in
# turn, but the baseline's search over 20 values, twenty times the same, which runs once.
# Writes inst/extdata/cv-speed.csv, which the vignette cross-validation shows.

library(sparserls)
arguments <- commandArgs(TRUE)
repetitions <- as.integer(c(arguments, 3)[1])
source("bench/store.R")

# Cawley and Talbot (2004): the residuals (y - f) / (1 - h) with h = diag(K R^-1 K'),
# R = K'K + lambda K_BB, O(m n^2) for every lambda. Only the kernel matrix is kept.
baseline_loo <- function(k, k_bb, y, lambda) {
  factor <- chol(crossprod(k) + lambda * k_bb)
  z <- backsolve(factor, t(k), transpose = TRUE)
  residual <- (y - drop(crossprod(z, z %*% y))) / (1 - colSums(z^2))
  mean(residual^2)
}

baseline <- function(d, basis, kernel, lambda) {
  k <- kernel_matrix(kernel, d$x, d$x[basis, ])
  k[cbind(basis, seq_along(basis))] <- k[cbind(basis, seq_along(basis))] + 1e-7
  vapply(lambda, function(l) baseline_loo(k, k[basis, ], d$y, l), 0)
}

ours <- function(d, basis, kernel, lambda) {
  cv.sparserls(d$x, d$y, basis, kernel, lambda, intercept = FALSE, standardize = FALSE,
               nfolds = "loo", holdout_basis = "keep", progress = FALSE)$cvm
}

# One leave-one-out from the caches, by what cv.sparserls() calls.
from_caches <- function(d, basis, kernel, lambda) {
  read <- function(kernels, basis, lambda, intercept = FALSE, standardize = FALSE) {
    read_arguments("sparserls", quote(sparserls()), environment())
  }
  problem <- sparserls_problem(read(list(kernel), I(basis), lambda), as_design(d$x, d$y, NULL))
  training <- turned(train(problem, candidates(problem)[[1]])$training)
  plan <- fold_plan(whole_folds(as.list(seq_along(d$y))), basis, "keep", problem$weights,
                    solver = "update")
  median(replicate(20, cpu_seconds(function() hold_out(training, plan, lambda))))
}
environment(from_caches) <- list2env(list(cpu_seconds = cpu_seconds),
                                     parent = asNamespace("sparserls"))

table_1 <- function(m = 5000, p = 20) {
  d <- list(x = matrix(rnorm(m * p), m))
  d$y <- sin(d$x[, 1]) + d$x[, 2] + 0.3 * rnorm(m)
  lambda <- 10^seq(2, -3, length.out = 20)
  kernel <- kernel_gaussian(1 / (2 * p))
  rows <- lapply(c(500, 1000, 1500, 2000, 2500), function(n) {
    basis <- sort(sample(m, n))
    stopifnot(all.equal(baseline(d, basis, kernel, lambda[8]), ours(d, basis, kernel, lambda[8])))
    t <- compare(
      baseline_loo = function() baseline(d, basis, kernel, lambda[8]),
      ours_loo = function() ours(d, basis, kernel, lambda[8]),
      ours_search = function() ours(d, basis, kernel, lambda),
      clock = cpu_seconds
    )
    row <- data.frame(n = n, t(t),
                      baseline_search = cpu_seconds(function() baseline(d, basis, kernel, lambda)),
                      ours_from_caches = from_caches(d, basis, kernel, lambda[8]))
    cat(sprintf(paste("n %4d: LOO %.2f / ours %.2f s, from the caches %.4f s;",
                      "20 lambda %.2f / ours %.2f s; search / LOO: %.1f / ours %.2f\n"),
                n, row$baseline_loo, row$ours_loo, row$ours_from_caches, row$baseline_search,
                row$ours_search, row$baseline_search / row$baseline_loo,
                row$ours_search / row$ours_loo))
    row
  })
  store(do.call(rbind, rows), "cv-speed.csv",
        sprintf("CPU seconds, medians of %d runs (baseline_search: one run), seed 1", repetitions), 4)
}

sinusoid <- function(m) {
  x <- matrix(runif(m, -20, 20))
  list(x = x, y = sin(x[, 1]) + rnorm(m, 0, 2))
}

greedy <- function(m, n) {
  d <- sinusoid(m)
  compare(greedy = function() {
    sparserls(d$x, d$y, basis_greedy(n, lambda = 32), kernel_gaussian(1), 32,
              standardize = FALSE)
  }, clock = cpu_seconds)
}

greedy_growth <- function() {
  exponent <- function(sizes, times) coef(lm(log(times) ~ log(sizes)))[[2]]
  cat(sprintf("basis_greedy(300), m 3000, 60 candidates: %.2f s\n", greedy(3000, 300)))
  sizes <- c(3000, 6000, 12000, 24000)
  times <- vapply(sizes, greedy, 0, n = 150)
  cat(sprintf("n 150, m %d: %.2f s\n", as.integer(sizes), times), sep = "")
  cat(sprintf("exponent of m: %.2f\n", exponent(sizes, times)))
  sizes <- c(150, 300, 600)
  times <- vapply(sizes, greedy, 0, m = 6000)
  cat(sprintf("m 6000, n %d: %.2f s\n", as.integer(sizes), times), sep = "")
  cat(sprintf("exponent of n: %.2f\n", exponent(sizes, times)))
}

# What selecting the default basis costs beside the fit with that basis given.
selection_price <- function(m, p, n = 500) {
  x <- matrix(rnorm(m * p), m)
  y <- x[, 1] + rnorm(m)
  basis <- sparserls(x, y, basis_rpcholesky(n))$basis
  t <- compare(selected = function() sparserls(x, y, basis_rpcholesky(n)),
               given = function() sparserls(x, y, basis), clock = cpu_seconds)
  cat(sprintf("%d x %d, n %d: %.3f s, basis given %.3f s, price %.2f fits\n", m, p, n,
              t[["selected"]], t[["given"]], t[["selected"]] / t[["given"]] - 1))
}

cat(extSoftVersion()[["BLAS"]], "\n")
set.seed(1)
invisible(Map(selection_price, c(5000, 5000, 2344, 20000), c(20, 300, 300, 20)))
if ("selection" %in% arguments) quit(status = 0)
set.seed(1)
table_1()
greedy_growth()
