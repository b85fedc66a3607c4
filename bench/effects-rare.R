# How often the average first difference of a rare level that has no effect is called significant,
# where the level goes with another feature: averaged over all rows, and over those that have it.
#
#   OPENBLAS_NUM_THREADS=1 Rscript bench/effects-rare.R [repetitions [noise]]     > effects-rare.txt
#
# 600 rows, the level z in 3 % of them, x normal less rho z, y = 2 x + noise (standard deviation
# 1); 100 basis vectors drawn at random, ten folds. Plug-in averages with jackknife errors, and
# debiased ones, the default with keep = TRUE. Shares of |t| > 1.97 with their binomial standard
# errors, and the mean of the average first difference. Five minutes of one core.

library(sparserls)
source("bench/store.R")
repetitions <- argument(1, 200)
noise <- argument(2, 1)
say_provenance()

effect_of <- function(data, kernel) {
  cv <- quiet(cv.sparserls(y ~ x + z, data, basis_random(100), kernel, keep = TRUE))
  found <- function(...) {
    effects <- quiet(derivatives(cv, ...))
    c(effects$average[["z"]], effects$average[["z"]] / effects$std.error[["z"]])
  }
  rbind(found(type = "jackknife"), found(type = "jackknife", weights = data$z),
        found(type = "debiased"), found(type = "debiased", weights = data$z))
}

one <- function(seed, rho) {
  set.seed(seed)
  z <- rbinom(600, 1, 0.03)
  x <- rnorm(600) - rho * z
  data <- data.frame(x, z, y = 2 * x + noise * rnorm(600))
  rbind(effect_of(data, kernel_gaussian(width_multiples(1))), effect_of(data, kernel_gaussian()),
        effect_of(data, kernel_linear()), summary(lm(y ~ x + z, data))$coefficients["z", c(1, 3)])
}

ways <- c(outer(c("plug-in, all rows", "plug-in, rows that have it", "debiased, all rows",
                  "debiased, rows that have it"),
                c("data-driven width", "searched widths", "linear kernel"),
                function(average, kernel) paste(kernel, average, sep = ", ")), "lm()")
for (rho in c(1.5, 0)) {
  found <- vapply(seq_len(repetitions), one, matrix(0, length(ways), 2), rho = rho)
  rate <- rowMeans(abs(found[, 2, ]) > 1.97)
  cat(sprintf("rho %.1f, %-46s %.3f (%.3f) of %d, mean %.2f\n", rho, ways, rate,
              sqrt(rate * (1 - rate) / repetitions), repetitions, rowMeans(found[, 1, ])), sep = "")
}
