# Likelihoods: what their cross-validation costs, how well they predict, and overdispersed counts.
#
#   OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 Rscript bench/families.R accuracy [splits=10] [sets=...]
#   OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 Rscript bench/families.R first [times=3] [sets=...]
#   OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 Rscript bench/families.R counts [repetitions=200]
#
# (What held-out predictions are worth, beside refits in full, is in bench/families-exact.R.)
suppressMessages(library(sparserls))
source("bench/store.R")
parts <- c("accuracy", "first", "counts")
part <- match.arg(commandArgs(TRUE)[1], parts)
given <- strsplit(grep("=", commandArgs(TRUE), value = TRUE), "=")
size <- list(splits = 10, times = 3, repetitions = 200)
for (pair in given) size[[match.arg(pair[1], c(names(size), "sets"))]] <- {
  type.convert(pair[2], as.is = TRUE)
}
say_provenance()

# Seconds of the processor, in turns: medians of `times` runs.
seconds <- function(code) cpu_seconds(function() quiet(code()))
alternating <- function(...) {
  what <- list(...)
  runs <- replicate(size$times, vapply(what, seconds, 0))
  apply(matrix(runs, length(what)), 1, median)
}
source(file.path(here, sprintf("families-%s.R", part)))
