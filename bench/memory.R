# Peak memory of a 10-fold cross-validation above the data, in units of the m x n block.
#
#   OPENBLAS_NUM_THREADS=1 Rscript bench/memory.R      (Linux: reads /proc/self/status)

library(sparserls)

status <- function(field) {
  line <- grep(field, readLines("/proc/self/status"), value = TRUE)
  as.numeric(gsub("[^0-9]", "", line)) / 1024
}

set.seed(1)
m <- 40000
n <- 600
p <- 20
x <- matrix(rnorm(m * p), m, p)
y <- sin(x[, 1]) + 0.3 * rnorm(m)
basis <- sort(sample(m, n))
# Load everything that R and the BLAS load once.
invisible(cv.sparserls(x[1:500, ], y[1:500], 1:20, progress = FALSE))
invisible(gc())

before <- status("VmRSS")
cv <- cv.sparserls(x, y, basis, nfolds = as.integer(c(commandArgs(TRUE), 10)[1]), progress = FALSE)
block <- 8 * m * n / 2^20
peak <- status("VmHWM")
cat(sprintf("before %.0f MB, peak %.0f MB, m x n block %.0f MB: ", before, peak, block))
cat(sprintf("peak above the data %.2f blocks (limit 2.6)\n", (peak - before) / block))
