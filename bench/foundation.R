# Speed of sparserls() and cv.sparserls() as ratios between two things measured in one run.
#
#   OPENBLAS_NUM_THREADS=1 Rscript bench/foundation.R [repetitions]
#
# Needs the installed package and a compiler. Every figure is a median; the two sides
# of a ratio are measured in turn, so that both see the same machine.

library(sparserls)
repetitions <- as.integer(c(commandArgs(TRUE), 5)[1])
here <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)))
source(file.path(here, "timing.R"))

build <- function() {
  dir <- tempfile()
  dir.create(dir)
  file.copy(file.path(here, "unavoidable.c"), dir)
  writeLines("PKG_LIBS = $(LAPACK_LIBS) $(BLAS_LIBS) $(FLIBS)", file.path(dir, "Makevars"))
  old <- setwd(dir)
  on.exit(setwd(old))
  system2(file.path(R.home("bin"), "R"), c("CMD", "SHLIB", "unavoidable.c"), stdout = FALSE)
  dyn.load(file.path(dir, paste0("unavoidable", .Platform$dynlib.ext)))
}

report <- function(what, ratio, limit, ...) {
  cat(sprintf("%-52s %5.2f  (limit %s)  %s\n", what, ratio, limit, sprintf(...)))
}

simulated <- function(m, p, v = 1) {
  x <- matrix(rnorm(m * p), m, p)
  y <- sin(x[, 1:3] %*% matrix(rnorm(3 * v), 3)) + 0.3 * matrix(rnorm(m * v), m)
  list(x = x, y = if (v == 1) y[, 1] else y)
}

leave_one_out <- function(m = 5000, n = 1000, p = 20) {
  d <- simulated(m, p)
  basis <- sort(sample(m, n))
  lambda <- 10^seq(3, -5, length.out = 20)
  kernel <- kernel_gaussian(1 / (2 * p))
  k <- kernel_matrix(kernel, d$x[basis, ], d$x)
  k_bb <- k[, basis] + 1e-7 * diag(n)
  t <- compare(
    calls = self_timed(function() sum(.Call("unavoidable", k_bb, k))),
    loo = function() {
      cv.sparserls(d$x, d$y, basis, kernel, lambda, nfolds = "loo", holdout_basis = "keep",
                   standardize = FALSE, progress = FALSE)
    },
    removed = function() {
      cv.sparserls(d$x, d$y, basis, kernel, lambda, nfolds = "loo", standardize = FALSE,
                   progress = FALSE)
    }
  )
  report("LOO, 20 lambda, m 5000, n 1000, keep / BLAS calls", t[["loo"]] / t[["calls"]], "1.5",
         "%.3f s / %.3f s", t[["loo"]], t[["calls"]])
  report("the same, removing held-out basis vectors", t[["removed"]] / t[["calls"]], "-",
         "%.3f s", t[["removed"]])
}

ten_folds <- function(m = 5000, n = 500, p = 20) {
  d <- simulated(m, p)
  basis <- sort(sample(m, n))
  lambda <- 10^seq(3, -5, length.out = 50)
  kernel <- kernel_gaussian(1 / (2 * p))
  t <- compare(
    fit = function() sparserls(d$x, d$y, basis, kernel, lambda),
    cv = function() {
      cv.sparserls(d$x, d$y, basis, kernel, lambda, nfolds = 10, progress = FALSE)
    }
  )
  report("10-fold, removal, 50 lambda, m 5000, n 500 / fit", t[["cv"]] / t[["fit"]], "3, aim 2",
         "%.3f s / %.3f s", t[["cv"]], t[["fit"]])
}

outputs <- function(m = 5000, n = 500, p = 20, v = 20) {
  d <- simulated(m, p, v)
  basis <- sort(sample(m, n))
  lambda <- 10^seq(3, -5, length.out = 20)
  kernel <- kernel_gaussian(1 / (2 * p))
  for (nfolds in list(10, "loo")) {
    run <- function(y) function() {
      cv.sparserls(d$x, y, basis, kernel, lambda, nfolds = nfolds, progress = FALSE)
    }
    t <- compare(one = run(d$y[, 1]), many = run(d$y))
    report(sprintf("20 outputs / one, %s, m 5000, n 500, 20 lambda", nfolds),
           t[["many"]] / t[["one"]], "2", "%.3f s / %.3f s", t[["many"]], t[["one"]])
  }
}

groups_out <- function(p = 20) {
  groups <- rep(1:500, sample(3:7, 500, replace = TRUE))
  d <- simulated(length(groups), p)
  basis <- which(!duplicated(groups))
  lambda <- 10^seq(3, -5, length.out = 20)
  kernel <- kernel_gaussian(1 / (2 * p))
  t <- compare(
    fit = function() sparserls(d$x, d$y, basis, kernel, lambda),
    cv = function() {
      cv.sparserls(d$x, d$y, basis, kernel, lambda, groups = groups, progress = FALSE)
    }
  )
  report("leave 500 groups out, removal, 20 lambda / fit", t[["cv"]] / t[["fit"]], "4, aim 2",
         "m %d: %.3f s / %.3f s", length(groups), t[["cv"]], t[["fit"]])
}

growth <- function(n = 300, p = 20) {
  sizes <- c(1e4, 2e4, 5e4, 1e5)
  lambda <- 10^seq(3, -5, length.out = 20)
  runs <- lapply(sizes, function(m) {
    d <- simulated(m, p)
    basis <- sort(sample(m, n))
    function() {
      cv.sparserls(d$x, d$y, basis, kernel_gaussian(1 / (2 * p)), lambda, nfolds = 10,
                   progress = FALSE)
    }
  })
  names(runs) <- format(sizes, scientific = FALSE, trim = TRUE)
  t <- do.call(compare, runs)
  slope <- coef(lm(log(t) ~ log(sizes)))[[2]]
  cat(sprintf("10-fold, n = %d, 20 lambda, growth with m: seconds %s; exponent of m %.2f\n", n,
              paste(names(t), round(t, 2), sep = ": ", collapse = ", "), slope))
}

set.seed(1)
build()
cat(extSoftVersion()[["BLAS"]], "\n")
leave_one_out()
ten_folds()
outputs()
groups_out()
growth()
