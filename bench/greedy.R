# Speed of greedyrls(): against passes over a matrix, against the wrapper, and the two scaling
# experiments of the paper (1000 features, 50 selected).
#
#   OPENBLAS_NUM_THREADS=1 Rscript bench/greedy.R [repetitions]
#
# Needs the installed package. Every figure is a median; the sides of a ratio are measured in turn.
# Writes greedy-baseline.png and greedy-rows.png beside this file.

library(sparserls)
options(matprod = "blas") # x %*% b is a plain dgemv
repetitions <- as.integer(c(commandArgs(TRUE), 3)[1])
here <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)))
for (helper in c("helper-reference.R", "helper-greedy.R")) { # the wrapper
  source(file.path(here, "..", "tests", "testthat", helper))
}
source(file.path(here, "timing.R"))

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

# One run of the baseline for every size: it is slow.
against_baseline <- function(sizes = c(500, 1000, 2000, 3000, 5000), p = 1000, k = 50) {
  t <- vapply(sizes, function(m) {
    d <- simulated(m, p)
    times <- c(baseline = seconds(function() found <<- low_rank_updated(d$x, d$y, k, 1)),
               compare(greedy = function() fit <<- greedyrls(d$x, d$y, k)))
    stopifnot(identical(found$selected, fit$selected), abs(found$error / fit$loo[k] - 1) < 1e-8)
    cat(sprintf("m %5d: low-rank updated %7.2f s, greedyrls %6.3f s, same features\n", m,
                times[[1]], times[[2]]))
    times
  }, c(baseline = 0, greedy = 0))
  cat(sprintf("exponents of m: %.2f and %.2f\n", growth(sizes, t[1, ]), growth(sizes, t[2, ])))
  png(file.path(here, "greedy-baseline.png"), 1000, 480)
  par(mfrow = c(1, 2))
  for (log in c("", "y")) {
    matplot(sizes, t(t), type = "b", pch = 19, lty = 1, col = c("grey40", "red"), log = log,
            xlab = "Rows", ylab = "Seconds",
            main = if (log == "") "1000 features, 50 selected" else "the same, log scale")
    legend("topleft", c("low-rank updated LS-SVM", "greedyrls"), col = c("grey40", "red"), lty = 1,
           pch = 19, bty = "n")
  }
  invisible(dev.off())
}

growth <- function(size, seconds) coef(lm(log(seconds) ~ log(size)))[[2]]

many_rows <- function(sizes = c(1000, 5000, 10000, 20000, 50000), p = 1000, k = 50) {
  t <- vapply(sizes, function(m) {
    d <- simulated(m, p)
    compare(greedy = function() greedyrls(d$x, d$y, k))
  }, 0)
  cat(sprintf("m %5d: %6.3f s\n", as.integer(sizes), t), sep = "")
  cat(sprintf("exponent of m %.2f\n", growth(sizes, t)))
  png(file.path(here, "greedy-rows.png"), 560, 480)
  plot(sizes, t, type = "b", pch = 19, col = "red", las = 1, xlab = "Rows", ylab = "Seconds",
       main = "1000 features, 50 selected")
  invisible(dev.off())
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
passes()
wrapper()
against_baseline()
many_rows()
other_growth()
