# What effects cost: all those of p features, in fits of one lambda. Partial effects should take at
# most 60 s, and 8 fits for each term (issue 45).
#
#   Rscript bench/effects-price.R [m=5000] [n=500] [p=20]
suppressMessages(library(sparserls))
source("bench/store.R")
say_provenance()

size <- modifyList(list(m = 5000, n = 500, p = 20), lapply(named_arguments(), as.numeric))
seconds <- function(code) median(replicate(3, cpu_seconds(code)))
set.seed(1)
x <- matrix(rnorm(size$m * size$p), size$m)
y <- sin(x[, 1]) + x[, 2] * x[, 3] + rnorm(size$m)
kernel <- kernel_gaussian(0.02)
basis <- sample(size$m, size$n)
one <- seconds(function() quiet(sparserls(x, y, I(basis), kernel, 1)))
cat(sprintf("m = %d, n = %d, p = %d: one fit of one lambda %.2f s\n", size$m, size$n, size$p, one))
in_fits <- function(what, code) {
  time <- seconds(code)
  cat(sprintf("%-50s %6.2f s  %5.2f fits\n", what, time, time / one))
}
cv <- quiet(cv.sparserls(x, y, I(basis), kernel, 1, nfolds = 10, keep = TRUE, progress = FALSE))
in_fits("cross-validation, ten folds, keep = TRUE", function() {
  quiet(cv.sparserls(x, y, I(basis), kernel, 1, nfolds = 10, keep = TRUE, progress = FALSE))
})
in_fits("all effects, plug-in, jackknife", function() derivatives(cv, x, type = "jackknife"))
in_fits("all effects, debiased", function() derivatives(cv, x))

time <- cpu_seconds(function() partial_effects(cv, data = x, progress = FALSE))
cat(sprintf("%-50s %6.2f s  %5.2f fits for each term\n", "all partial effects", time,
            time / one / size$p))
