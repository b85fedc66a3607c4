# Peak memory of cv.sparserls() above the data, in units of the m x n block: of one case, or of all,
# each in a process of its own.
#
#   OPENBLAS_NUM_THREADS=1 Rscript bench/memory.R [case]      (Linux: reads /proc/self/status)
#
# Needs the installed package. Of all: writes inst/extdata/memory.csv, which tests read. The seed is
# 1.

library(sparserls)
source("bench/store.R")
m <- 20000
n <- 500
p <- 20

cases <- list(
  "leave-one-out of one lambda" = list(lambda = 1, nfolds = "loo"),
  "leave-one-out" = list(nfolds = "loo"),
  "ten folds" = list(nfolds = 10),
  "ten folds and three widths" = list(nfolds = 10, kernel = kernel_gaussian(c(0.01, 0.03, 0.1))),
  "2000 groups" = list(groups = rep_len(1:2000, m)),
  "2000 groups and keep" = list(groups = rep_len(1:2000, m), keep = TRUE)
)

blocks <- function(case) {
  set.seed(1)
  x <- matrix(rnorm(m * p), m, p)
  y <- sin(x[, 1]) + 0.3 * rnorm(m)
  basis <- sort(sample(m, n))
  # Load everything that R and the BLAS load once.
  invisible(cv.sparserls(x[1:500, ], y[1:500], 1:20, kernel_gaussian(0.03), progress = FALSE))
  invisible(gc())
  before <- megabytes("VmRSS")
  given <- c(list(x, y, basis, progress = FALSE), cases[[case]])
  if (is.null(given$kernel)) given$kernel <- kernel_gaussian(0.03)
  cv <- suppressMessages(do.call(cv.sparserls, given))
  (megabytes("VmHWM") - before) / (8 * m * n / 2^20)
}

case <- commandArgs(TRUE)
if (length(case)) {
  cat(blocks(case), "\n")
} else {
  script <- file.path(here, "memory.R")
  table <- data.frame(case = names(cases), blocks = vapply(names(cases), function(case) {
    as.numeric(system2(file.path(R.home("bin"), "Rscript"), c(script, shQuote(case)), TRUE))
  }, 0), row.names = NULL)
  print(table, digits = 2)
  what <- sprintf("Peak above the data, %d rows, %d basis vectors, seed 1", m, n)
  store(table, "memory.csv", what, 2)
}
