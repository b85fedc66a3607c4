# Seconds of first calls by rows and kind, README's table: ten features, all else by default.
# Seconds are the processor's, medians of three draws of the data.
#   Usage, from the package's root: Rscript bench/seconds.R >bench/seconds.txt
library(sparserls)
source("bench/store.R")

kinds <- list(
  `cv.sparserls()` = function(d) cv.sparserls(y ~ ., d[-12], progress = FALSE),
  `with groups of ten rows and keep` = function(d) {
    cv.sparserls(y ~ . - g, d, groups = g, keep = TRUE, progress = FALSE)
  },
  `family = binomial` = function(d) {
    d$y <- d$y > 0
    cv.sparserls(y ~ ., d[-12], family = "binomial", progress = FALSE)
  },
  `cv.rls()` = function(d) cv.rls(y ~ ., d[-12])
)
draw <- function(rows) {
  x <- matrix(rnorm(rows * 10), rows)
  y <- sin(2 * x[, 1]) + x[, 2] * x[, 3] + x[, 4] + rnorm(rows)
  data.frame(y, x, g = rep_len(seq_len(ceiling(rows / 10)), rows))
}

set.seed(1)
rows <- c(300, 1000, 3000, 10000)
found <- vapply(rows, function(m) {
  runs <- replicate(3, {
    d <- draw(m)
    vapply(kinds, function(kind) sum(suppressMessages(system.time(kind(d)))[1:2]), 0)
  })
  apply(runs, 1, median)
}, numeric(length(kinds)))
colnames(found) <- rows
say_provenance()
print(signif(found, 2))
