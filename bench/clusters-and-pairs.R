# Two claims of the article sparserls, over repetitions.
#
#   OPENBLAS_NUM_THREADS=1 Rscript bench/clusters-and-pairs.R [data sets] [draws of noise]
#
# Clusters: 200 groups of five rows, one basis vector of each; the error that three
# cross-validations promise at the lambda that they choose, over the error on 1000 new groups there,
# and the lambda.
# Pairs: 30 rows of pure noise, 15 of each class; AUC by leave-one-out and by leave-pair-out. The
# seed is 1. Writes inst/extdata/clusters.csv and pairs.csv. Needs the installed package.

library(sparserls)
sizes <- as.integer(c(commandArgs(TRUE), 20, 2000))[1:2]
source("bench/store.R")

clusters <- function(ngroups) {
  group <- rep(seq_len(ngroups), each = 5)
  centre <- matrix(rnorm(ngroups * 6), ngroups)
  x <- centre[group, ] + 0.15 * rnorm(length(group) * 6)
  y <- sin(2 * centre[group, 1]) + centre[group, 2] + rnorm(ngroups)[group] +
    0.3 * rnorm(length(group))
  list(x = x, y = y, group = group)
}

# For each way: the promised error over the true one, the true one over the smallest there is, and
# log10(lambda).
one_data_set <- function() {
  known <- clusters(200)
  fresh <- clusters(1000)
  basis <- as.vector(tapply(seq_along(known$y), known$group, function(rows) sample(rows, 1)))
  kernel <- one_width(known$x)
  run <- function(...) {
    cv.sparserls(known$x, known$y, basis, kernel, lambda = 10^seq(3, -4, length.out = 30),
                 progress = FALSE, ...)
  }
  ways <- list(rows = run(nfolds = 10), kept = run(groups = known$group, holdout_basis = "keep"),
               removed = run(groups = known$group))
  truth <- colMeans((fresh$y - predict(ways$rows, fresh$x, s = ways$rows$lambda))^2)
  sapply(ways, function(cv) {
    i <- which.min(cv$cvm)
    c(promise = cv$cvm[[i]] / truth[[i]], regret = truth[[i]] / min(truth),
      lambda = log10(cv$lambda[[i]]))
  })
}

auc <- function(nfolds) {
  cv.rls(matrix(rnorm(30 * 5), 30), rep(c(TRUE, FALSE), 15), lambda = 30, nfolds = nfolds,
         type.measure = "auc")$cvm
}

mean_se <- function(values) c(mean = mean(values), se = sd(values) / sqrt(length(values)))

set.seed(1)
runs <- suppressMessages(replicate(sizes[1], one_data_set()))
table <- do.call(rbind, lapply(dimnames(runs)[[2]], function(way) {
  found <- apply(runs[, way, ], 1, mean_se)
  data.frame(way = way, quantity = colnames(found), t(found), repetitions = sizes[1])
}))
print(table, digits = 3, row.names = FALSE)
store(table, "clusters.csv", sprintf("%d data sets, seed 1", sizes[1]))

set.seed(1)
table <- do.call(rbind, lapply(c("loo", "pairs"), function(nfolds) {
  values <- replicate(sizes[2], auc(nfolds))
  data.frame(folds = nfolds, t(mean_se(values)), sd = sd(values), repetitions = sizes[2])
}))
print(table, digits = 3, row.names = FALSE)
store(table, "pairs.csv", sprintf("%d draws of noise for each, seed 1", sizes[2]))
