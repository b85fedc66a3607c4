# The price of one gradient of the held-out error by all widths and lambda, in fits by sparserls()
# at one lambda with the same data, kernel and basis. At most 2.5.
#
#   OPENBLAS_NUM_THREADS=1 Rscript bench/ardrls-gradient.R [repetitions]
#
# Processor seconds, medians, both sides in turn.

library(sparserls)
repetitions <- as.integer(c(commandArgs(TRUE), 5)[1])
here <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)))
source(file.path(here, "timing.R"))
source(file.path(here, "store.R"))
say_provenance()

# One gradient as the search of ardrls() asks for it.
gradient <- function(x, y, basis, kernel, lambda, folds) {
  inside <- asNamespace("sparserls")
  problem <- inside$ardrls_problem(NULL, x, y, basis, kernel, Inf, 1, 1, NULL, NULL, NULL, NULL,
                                   NULL, "remove", NULL, TRUE, TRUE, 1e-7, NULL, FALSE)
  widths <- inside$start_widths(problem)
  folds <- inside$whole_folds(unname(folds))
  objective <- inside$error_objective(problem, widths, basis, list(folds = folds))
  function() objective(widths$start, log(lambda))
}

set.seed(1)
m <- 5000
n <- 500
cat(extSoftVersion()[["BLAS"]], "\n")
for (p in c(10, 40, 200)) {
  x <- matrix(rnorm(m * p), m)
  y <- sin(x[, 1]) + rnorm(m)
  basis <- sort(sample(m, n))
  kernel <- kernel_matern(gamma = 1 / p)
  designs <- list("10 folds" = rep_len(1:10, m), "leave-one-out" = seq_len(m),
                  "500 groups" = rep(1:500, each = 10))
  for (name in names(designs)) {
    t <- compare(
      fit = function() sparserls(x, y, basis, kernel, 1),
      gradient = gradient(x, y, basis, kernel, 1, split(seq_len(m), designs[[name]])),
      clock = cpu_seconds
    )
    cat(sprintf("p %3d, %-13s  fit %.2f s, gradient %.2f s, ratio %.2f\n", p, name, t[["fit"]],
                t[["gradient"]], t[["gradient"]] / t[["fit"]]))
  }
}
