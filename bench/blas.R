# What the BLAS costs: the package with the BLAS that R runs on, and with its own products instead,
# in turn in one process.
#
#   OPENBLAS_NUM_THREADS=1 Rscript bench/blas.R [repetitions] [own] [svd]
#
# Processor seconds (user and system), medians. With `own` the BLAS is left out, with `svd` all but
# ridge regression by singular values, which are LAPACK's in any case. Another BLAS is
# preloaded, as LD_PRELOAD="$lib/blas/libblas.so.3 $lib/lapack/liblapack.so.3" on Debian, where lib
# is /usr/lib/x86_64-linux-gnu.
# bench/blas.md has what came of it.

library(sparserls)
arguments <- commandArgs(TRUE)
repetitions <- as.integer(c(arguments, 3)[1])
source("bench/store.R")
inside <- asNamespace("sparserls")
say_provenance()
print(sparserls_info())

use <- function(blas) {
  options(sparserls.blas = blas)
  inside$use_blas()
}
sides <- if ("own" %in% arguments) c(own = "own") else c(blas = "blas", own = "own")

# Medians of f() for each side, f() being called on all sides in turn.
both <- function(f) {
  do.call(compare, c(sides, clock = function(blas) {
    use(blas)
    cpu_seconds(f)
  }))
}

show <- function(title, rows) {
  cat("\n", title, "\n", sep = "")
  print(round(do.call(rbind, lapply(rows, both)), 2))
}

# One gradient as the search of ardrls() asks for it, ten folds.
gradient <- function(x, y, basis, lambda) {
  read <- function(x, y, basis, kernel, penalty = Inf, npenalty = 1, maxit = 1, progress = FALSE) {
    inside$read_arguments("ardrls", quote(ardrls()), environment())
  }
  problem <- inside$ardrls_problem(read(x, y, basis, kernel_gaussian(0.05)))
  widths <- inside$start_widths(problem)
  folds <- inside$whole_folds(unname(split(seq_along(y), rep_len(1:10, length(y)))))
  objective <- inside$error_objective(problem, widths, basis, list(folds = folds))
  function() objective(widths$start, log(lambda))
}

# ---- singular values ---------------------------------------------------------------

set.seed(1)
by_singular_values <- function(m, p) {
  x <- matrix(rnorm(m * p), m)
  y <- x[, 1] + rnorm(m)
  list(fit = function() rls(x, y, solver = "svd"))
}
for (p in c(300, 1000)) {
  show(sprintf("seconds: ridge regression by singular values, 2000 rows, %d features", p),
       by_singular_values(2000, p))
}
if ("svd" %in% arguments) quit(status = 0)

# ---- the package -------------------------------------------------------------------

set.seed(1)
m <- 5000
x <- matrix(rnorm(m * 20), m)
y <- sin(x[, 1]) + x[, 2]^2 + rnorm(m) / 3
lambda <- 2^seq(5, -5, length.out = 20)
groups <- rep(1:200, each = 25)

for (n in c(300, 1000)) {
  basis <- seq(3, m, length.out = n) %/% 1
  cv <- function(...) quiet(cv.sparserls(x, y, basis, kernel_gaussian(0.025), lambda, ...))
  show(sprintf("seconds: %d rows, 20 features, 20 lambda, n = %d basis vectors", m, n), list(
    fit = function() sparserls(x, y, basis, kernel_gaussian(0.025), lambda),
    "leave-one-out" = function() cv(nfolds = "loo"),
    "10 folds" = function() cv(nfolds = 10),
    "200 groups" = function() cv(groups = groups),
    "ardrls gradient" = gradient(x, y, basis, 1)
  ))
}

few <- 1:400
show("seconds: others", list(
  "greedyrls, 400 x 2000, 20 chosen" = local({
    wide <- matrix(rnorm(400 * 2000), 400)
    function() greedyrls(wide, y[few], 20, lambda = 1)
  }),
  "rls2, 400 rows, 65 kernels" = function() {
    quiet(rls2(x[few, 1:4], y[few], kernel_bank(x[few, 1:4])))
  },
  "rls, 1000 rows" = function() quiet(cv.rls(x[1:1000, ], y[1:1000], kernel_gaussian(0.05)))
))

# ---- the algebra alone ------------------------------------------------------------

algebra <- function(routine, letters, m, n, k, a, b, c) {
  .Call(inside$ffi_algebra, routine, letters, as.integer(c(m, n, k)), c(1, 0), a, b, c)
}
# flops / seconds of as many calls as take about a third of a second with 20 GF/s.
rate <- function(flops, call) {
  times <- ceiling(6e9 / flops)
  flops * times / 1e9 / both(function() for (i in seq_len(times)) call())
}
cat("\n10^9 flops in a second\n")
for (n in c(300, 1000)) {
  a <- matrix(rnorm(n * n), n)
  positive <- crossprod(a) + diag(n)
  l <- t(chol(positive))
  rates <- rbind(
    gemm = rate(2 * n^3, function() algebra("gemm", "NN", n, n, n, a, a, a)),
    "gemm, transposed" = rate(2 * n^3, function() algebra("gemm", "TN", n, n, n, a, a, a)),
    syrk = rate(n^3, function() algebra("syrk", "NN", 0, n, n, a, a, a)),
    trsm = rate(n^3, function() algebra("solve_left", "NN", 0, n, n, l, a, a)),
    "trsm, right" = rate(n^3, function() algebra("solve_right", "TN", 0, n, n, l, a, a)),
    potrf = rate(n^3 / 3, function() algebra("cholesky", "NN", 0, n, 0, a, a, positive))
  )
  print(round(cbind(n = n, rates), 1))
}
