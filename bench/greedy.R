# Speed of greedyrls(): against passes over a matrix, against the wrapper, and the two scaling
# experiments of the paper (1000 features, 50 selected).
#
#   OPENBLAS_NUM_THREADS=1 Rscript bench/greedy.R [repetitions] [figure]
#
# Needs the installed package. CPU seconds, as in the paper. Every figure is a median (of one run
# where the wrapper and the method of 2008 are concerned, which are slow); the sides of a ratio are
# measured in turn. With `figure` only the two experiments of the paper, its figure 3. Writes
# vignettes/articles/stored/greedy-scaling.csv, which the article greedyrls shows. The seed is 1.

library(sparserls)
options(matprod = "blas") # x %*% b is a plain dgemv
arguments <- commandArgs(TRUE)
repetitions <- as.integer(c(arguments, 3)[1])
source("bench/store.R")
for (helper in c("helper-reference.R", "helper-greedy.R")) { # the wrapper
  source(file.path(here, "..", "tests", "testthat", helper))
}

# Two normal distributions, as in the paper.
simulated <- function(m, p) {
  y <- rep_len(c(-1, 1), m)
  list(x = matrix(rnorm(m * p), m) + outer(y, 0.5^seq_len(p)), y = y)
}

# Low-rank updated LS-SVM (Ojeda, Suykens, De Moor 2008): G is updated, but G X is computed anew for
# every feature, O(k m^2 p). Here by one dgemm, which flatters it.
low_rank_updated <- function(x, y, k, lambda) {
  x <- scale(x, scale = sqrt(colMeans(scale(x, scale = FALSE)^2)))
  m <- nrow(x)
  g <- (diag(m) - 1 / m) / lambda
  selected <- integer()
  for (step in seq_len(k)) {
    c <- g %*% x
    a <- drop(g %*% y)
    over <- 1 / (1 + colSums(x * c))
    residual <- a - c * rep(over * drop(crossprod(x, a)), each = m)
    slack <- diag(g) - c^2 * rep(over, each = m)
    error <- colMeans((residual / slack)^2)
    error[selected] <- Inf
    best <- which.min(error)
    selected <- c(selected, best)
    g <- g - tcrossprod(c[, best] * over[best], c[, best])
  }
  list(selected = selected, error = error[best])
}

passes <- function(m = 5000, p = 1000, k = 50) {
  d <- simulated(m, p)
  b <- rnorm(p)
  t <- compare(
    dgemv = function() for (i in seq_len(3 * k)) d$x %*% b,
    greedy = function() greedyrls(d$x, d$y, k),
    two_threads = function() greedyrls(d$x, d$y, k, threads = 2),
    folds = function() greedyrls(d$x, d$y, k, criterion = "folds"),
    recomputed = function() greedyrls(d$x, d$y, k, cache = FALSE)
  )
  cat(sprintf("m %d, p %d, k %d: %.3f s; %d dgemv %.3f s; ratio %.2f (limit 3, aim 1.5)\n", m, p, k,
              t[["greedy"]], 3 * k, t[["dgemv"]], t[["greedy"]] / t[["dgemv"]]))
  cat(sprintf("  two threads %.3f s; ten folds %.3f s; cache = FALSE %.3f s\n", t[["two_threads"]],
              t[["folds"]], t[["recomputed"]]))
}

wrapper <- function(m = 100, p = 30, k = 5) {
  d <- simulated(m, p)
  x <- standardized(d$x, rep(1, m))
  t <- compare(
    wrapper = function() wrapper_selection(x, d$y, rep(1, m), k, 1, TRUE),
    greedy = function() greedyrls(d$x, d$y, k)
  )
  same <- identical(wrapper_selection(x, d$y, rep(1, m), k, 1, TRUE)$selected,
                    greedyrls(d$x, d$y, k)$selected)
  cat(sprintf("m %d, p %d, k %d: wrapper %.1f s, greedyrls %.4f s, same features: %s\n", m, p, k,
              t[["wrapper"]], t[["greedy"]], same))
}

# One run of the baseline for every size: it is slow. The paper goes to 5000 rows, and greedy RLS to
# 50000.
against_baseline <- function(sizes = c(250, 500, 1000), p = 1000, k = 50) {
  table <- do.call(rbind, lapply(sizes, function(m) {
    d <- simulated(m, p)
    baseline <- cpu_seconds(function() found <<- low_rank_updated(d$x, d$y, k, 1))
    greedy <- compare(greedy = function() fit <<- greedyrls(d$x, d$y, k), clock = cpu_seconds)
    stopifnot(identical(found$selected, fit$selected), abs(found$error / fit$loo[k] - 1) < 1e-8)
    cat(sprintf("m %5d: low-rank updated %7.2f s, greedyrls %6.3f s, same features\n", m,
                baseline, greedy))
    data.frame(method = c("low-rank updated LS-SVM", "greedyrls"), rows = m,
               seconds = c(baseline, greedy), repetitions = c(1, repetitions))
  }))
  for (part in split(table, table$method)) {
    cat(sprintf("%s: exponent of m %.2f\n", part$method[1], growth(part$rows, part$seconds)))
  }
  table
}

growth <- function(size, seconds) coef(lm(log(seconds) ~ log(size)))[[2]]

many_rows <- function(sizes = c(5000, 10000, 20000), p = 1000, k = 50) {
  t <- vapply(sizes, function(m) {
    d <- simulated(m, p)
    compare(greedy = function() greedyrls(d$x, d$y, k), clock = cpu_seconds)
  }, 0)
  cat(sprintf("m %5d: %6.3f s\n", as.integer(sizes), t), sep = "")
  cat(sprintf("exponent of m %.2f\n", growth(sizes, t)))
  data.frame(method = "greedyrls", rows = sizes, seconds = t, repetitions)
}

other_growth <- function(m = 5000, k = 50) {
  sizes <- c(500, 1000, 2000, 4000)
  t <- vapply(sizes, function(p) {
    d <- simulated(m, p)
    compare(greedy = function() greedyrls(d$x, d$y, k))
  }, 0)
  cat(sprintf("p %4d: %6.3f s\n", as.integer(sizes), t), sep = "")
  cat(sprintf("exponent of p %.2f\n", growth(sizes, t)))
  d <- simulated(m, 1000)
  sizes <- c(25, 50, 100, 200)
  t <- vapply(sizes, function(k) compare(greedy = function() greedyrls(d$x, d$y, k)), 0)
  cat(sprintf("k %4d: %6.3f s\n", as.integer(sizes), t), sep = "")
  line <- coef(lm(t ~ sizes))
  cat(sprintf("%.3f s and %.4f s for every feature selected\n", line[[1]], line[[2]]))
}

set.seed(1)
cat(extSoftVersion()[["BLAS"]], "\n")
store(rbind(against_baseline(), many_rows()), "greedy-scaling.csv",
      "CPU seconds, 1000 features, 50 selected, seed 1", 4, of_site)
if ("figure" %in% arguments) quit(status = 0)
passes()
wrapper()
other_growth()
