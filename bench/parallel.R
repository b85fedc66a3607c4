# What two workers of a future::plan() gain: eight kernels of a search, with cv.sparserls(), and the
# outer folds of cv.ardrls(), on rows of pole (needs the data, in SPARSERLS_DATA or ../shared/data).
#
#   OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 Rscript bench/parallel.R [repetitions]
#
# Medians, both sides in turn: seconds by the clock, which mean something on a quiet machine only
# (the load is said), and seconds of the processor on the longest way: those of this process and
# those of the busier worker. The workers are started and used once beforehand. Results must be
# identical.
#
# 22 November, two cores, R 4.2.2, OpenBLAS with one thread, three repetitions; first under a load
# of 6, then of 1.8, which rose again during the second line (the clock has others' work in it):
#   eight kernels, 5000 rows     clock 13.2 s, 8.4 s, 1.56 times; processor 4.6 s, 2.9 s, 1.58
#                                       3.9 s, 2.7 s, 1.43 times;           4.1 s, 2.8 s, 1.47
#   four outer folds, 4000 rows  clock 25.5 s, 20.6 s, 1.24 times; processor 8.5 s, 5.9 s, 1.45
#                                      10.9 s, 10.3 s, 1.06 times;           8.5 s, 6.2 s, 1.38
# The search of cv.ardrls() on all rows stays in one process.

library(sparserls)
repetitions <- as.integer(c(commandArgs(TRUE), 3)[1])
here <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)))
source(file.path(here, "store.R"))
say_provenance()
folder <- Sys.getenv("SPARSERLS_DATA", file.path(here, "..", "..", "shared", "data"))
pole <- read.csv(file.path(folder, "pole.csv.xz"))
x <- as.matrix(pole[names(pole) != "foo"])

search <- function(m) {
  rows <- seq_len(m)
  cv.sparserls(x[rows, ], pole$foo[rows], basis_random(500), kernel_gaussian(relative(2^(-3:4))),
               nfolds = 10, progress = FALSE)
}
widths <- function(m) {
  cv.ardrls(x[seq_len(m), ], pole$foo[seq_len(m)], sort(sample(m, 150)),
            penalty = c(Inf, 1, 0), maxit = 15, foldid = rep_len(1:10, m), outer = 4,
            progress = FALSE)
}

workers <- parallel::makePSOCKcluster(2)
used <- function() {
  of_process <- function() sum(proc.time()[1:2])
  c(this = of_process(), unlist(parallel::clusterCall(workers, of_process)))
}

run <- function(plan, work) {
  if (plan == "two") future::plan(future::cluster, workers = workers)
  on.exit(future::plan(future::sequential))
  set.seed(1)
  gc(FALSE)
  before <- used()
  clock <- system.time(value <- suppressWarnings(suppressMessages(work())))[["elapsed"]]
  cpu <- used() - before
  list(value = value, seconds = c(clock = clock, cpu = cpu[["this"]] + max(cpu[-1])))
}

measure <- function(name, work, small, large) {
  alike <- lapply(c("one", "two"), run, function() work(small))
  stopifnot(identical(alike[[1]]$value, alike[[2]]$value))
  load <- strsplit(readLines("/proc/loadavg"), " ")[[1]][1]
  t <- replicate(repetitions, vapply(c(one = "one", two = "two"), function(plan) {
    run(plan, function() work(large))$seconds
  }, c(clock = 0, cpu = 0)))
  t <- apply(t, 1:2, median)
  cat(sprintf("%s: one process %.1f s, two workers %.1f s, %.2f times faster (load %s); ",
              name, t["clock", "one"], t["clock", "two"], t["clock", "one"] / t["clock", "two"],
              load),
      sprintf("processor %.1f s, %.1f s, %.2f\n", t["cpu", "one"], t["cpu", "two"],
              t["cpu", "one"] / t["cpu", "two"]), sep = "")
}

measure("eight kernels, 5000 rows", search, 500, 5000)
measure("four outer folds, 4000 rows", widths, 500, 4000)
parallel::stopCluster(workers)
