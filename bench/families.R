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
given <- lapply(named_arguments(), type.convert, as.is = TRUE)
size <- modifyList(list(splits = 10, times = 3, repetitions = 200), given)
say_provenance()

source(file.path(here, sprintf("families-%s.R", part)))
