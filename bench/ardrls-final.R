# ardrls() and cv.ardrls(outer = "split") with their defaults, with and without the larger last
# basis: mean squared error of a test set over the variance of y, and seconds of processor time.
#
#   OPENBLAS_NUM_THREADS=1 SPARSERLS_DATA=../shared/data \
#     Rscript bench/ardrls-final.R pole|ailerons fit|split [seed]
#
# 90 % of the rows train.

library(sparserls)
here <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)))
source(file.path(here, "store.R"))
say_provenance()

asked <- commandArgs(TRUE)
seed <- as.integer(c(asked[-(1:2)], 1)[1])
d <- read.csv(file.path(Sys.getenv("SPARSERLS_DATA"), paste0(asked[1], ".csv.xz")))
d <- d[complete.cases(d), ]
y <- as.numeric(scale(d[[ncol(d)]]))
x <- as.matrix(d[-ncol(d)])
set.seed(seed)
held <- sample(nrow(x), floor(nrow(x) / 10))
train <- setdiff(seq_len(nrow(x)), held)
for (final in list(NULL, FALSE)) {
  set.seed(seed)
  used <- system.time({
    fit <- if (asked[2] == "fit") ardrls(x[train, ], y[train], final_basis = final)
           else cv.ardrls(x[train, ], y[train], final_basis = final, outer = "split")
  })
  part <- if (asked[2] == "fit") fit else fit$fit
  cat(sprintf("| %s | %s | %d | %d | %.4f | %.0f |\n", asked[1], asked[2], seed,
              length(part$fits[[part$at]]$basis),
              mean((predict(fit, x[held, ], s = part$penalty[part$at]) - y[held])^2),
              used[["user.self"]] + used[["sys.self"]]))
}
