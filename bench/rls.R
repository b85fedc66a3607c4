# Speed of rls() and cv.rls() as ratios between two things measured in one run.
#
#   OPENBLAS_NUM_THREADS=1 Rscript bench/rls.R [repetitions]
#
# Needs the installed package; glmnet and KRLS from CRAN for the comparisons with them.

library(sparserls)
repetitions <- as.integer(c(commandArgs(TRUE), 3)[1])

here <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)))
source(file.path(here, "timing.R"))
source(file.path(here, "store.R"))
say_provenance()

report <- function(what, t, limit) {
  cat(sprintf("%-58s %7.2f  (limit %s)  %.3f s / %.3f s\n", what, t[[1]] / t[[2]], limit, t[[1]],
              t[[2]]))
}

simulated <- function(m, p) {
  x <- matrix(rnorm(m * p), m, p)
  list(x = x, y = sin(x[, 1]) + x[, 2] + 0.3 * rnorm(m))
}

set.seed(1)
cat(extSoftVersion()[["BLAS"]], "\n")

d <- simulated(2000, 20)
kernel <- kernel_gaussian(1 / 40)
report("LOO, 50 lambda, m 2000, Gaussian / eigen() and K", compare(
  loo = function() cv.rls(d$x, d$y, kernel, nlambda = 50, nfolds = "loo", progress = FALSE),
  eigen = function() eigen(kernel_matrix(kernel, d$x), symmetric = TRUE)
), "1.5")
report("10-fold, 50 lambda, the same", compare(
  cv = function() cv.rls(d$x, d$y, kernel, nlambda = 50, nfolds = 10, progress = FALSE),
  eigen = function() eigen(kernel_matrix(kernel, d$x), symmetric = TRUE)
), "-")

d <- simulated(50000, 100)
for (solver in c("auto", "svd", "primal")) {
  report(sprintf("LOO, 100 lambda, m 50000, p 100, %s / svd(x)", solver), compare(
    loo = function() {
      cv.rls(d$x, d$y, nlambda = 100, nfolds = "loo", solver = solver, progress = FALSE)
    },
    svd = function() svd(d$x)
  ), "1.3")
}

d <- simulated(144, 16063)
cat(sprintf("rls(), 144 x 16063, 50 lambda: %.2f s\n", seconds(function() rls(d$x, d$y))))

if (requireNamespace("glmnet", quietly = TRUE)) {
  d <- simulated(500, 50)
  report("cv.glmnet(alpha = 0, nfolds = m), m 500, p 50 / cv.rls", compare(
    glmnet = function() glmnet::cv.glmnet(d$x, d$y, alpha = 0, nfolds = 500, grouped = FALSE),
    rls = function() cv.rls(d$x, d$y, nlambda = 100, nfolds = "loo", progress = FALSE)
  ), "-")
}
if (requireNamespace("KRLS", quietly = TRUE)) {
  d <- simulated(1000, 5)
  krls <- function() {
    KRLS::krls(d$x, d$y, sigma = 5, derivative = FALSE, vcov = FALSE, print.level = 0,
               approx = "none")
  }
  report("KRLS::krls, m 1000, one lambda by LOO / cv.rls, 50 lambda", compare(
    krls = krls,
    rls = function() {
      cv.rls(d$x, d$y, kernel_gaussian(1 / 5), nfolds = "loo", progress = FALSE)
    }
  ), "-")
}
