# How often the average first difference of a rare level that has no effect is called significant,
# where the level goes with another feature: averaged over all rows, and over those that have it.
#
#   OPENBLAS_NUM_THREADS=1 Rscript bench/effects-rare.R [repetitions [noise]]     > effects-rare.txt
#
# 600 rows, the level z in 3 % of them, x normal less rho z, y = 2 x + noise (standard deviation
# 1); 100 basis vectors, ten folds. Shares of |t| > 1.97 with their binomial standard errors, and
# the mean of the average first difference.

library(sparserls)
here <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)))
source(file.path(here, "store.R"))
repetitions <- argument(1, 200)
noise <- argument(2, 1)
say_provenance()

effect_of <- function(data, kernel) {
  cv <- suppressMessages(
    cv.sparserls(y ~ x + z, data, basis = basis_random(100), kernel = kernel, keep = TRUE)
  )
  found <- function(...) {
    effects <- suppressWarnings(derivatives(cv, ...))
    c(effects$average[["z"]], effects$average[["z"]] / effects$std.error[["z"]])
  }
  rbind(all = found(data), having = found(data[data$z == 1, ]))
}

one <- function(seed, rho) {
  set.seed(seed)
  z <- rbinom(600, 1, 0.03)
  x <- rnorm(600) - rho * z
  data <- data.frame(x, z, y = 2 * x + noise * rnorm(600))
  rbind(one = effect_of(data, kernel_gaussian(relative(1))),
        searched = effect_of(data, kernel_gaussian()),
        linear = effect_of(data, kernel_linear()),
        lm = summary(lm(y ~ x + z, data))$coefficients["z", c(1, 3)])
}

ways <- c("data-driven width, all rows", "data-driven width, rows that have it",
          "searched widths, all rows", "searched widths, rows that have it",
          "linear kernel, all rows", "linear kernel, rows that have it", "lm()")
for (rho in c(1.5, 0)) {
  found <- vapply(seq_len(repetitions), one, matrix(0, 7, 2), rho = rho)
  rate <- rowMeans(abs(found[, 2, ]) > 1.97)
  cat(sprintf("rho %.1f, %-36s %.3f (%.3f) of %d, mean %.2f\n", rho, ways, rate,
              sqrt(rate * (1 - rate) / repetitions), repetitions, rowMeans(found[, 1, ])), sep = "")
}
