# Where debiased effects are not to be believed: a treatment that hardly overlaps, and few groups.
#
#   OPENBLAS_NUM_THREADS=1 Rscript bench/effects-trust.R [repetitions]
#
# overlap   500 rows, a treatment with probability plogis(k x_1) and an effect of (1 + x_2) / 2, so
#           0.5 on average; x_1 has a nonlinear effect of its own
# groups    20 rows each of 10 to 80 groups, which features and noise share; the average derivative
#           of a nonlinear function
# Debiased averages, and the penalized fit's own with its jackknife.
suppressMessages(library(sparserls))
here <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)))
source(file.path(here, "store.R"))
quiet <- function(code) suppressWarnings(suppressMessages(code))

with_overlap <- function(k, m = 500) {
  x <- matrix(rnorm(m * 3), m)
  d <- rbinom(m, 1, plogis(k * x[, 1]))
  list(x = cbind(d, x), truth = 0.5,
       y = sin(1.5 * x[, 1]) + x[, 3] + d * (1 + x[, 2]) / 2 + rnorm(m))
}

with_groups <- function(count, rows = 20) {
  group <- rep(seq_len(count), each = rows)
  share <- sqrt(0.5)
  x <- share * matrix(rnorm(length(group) * 3), length(group)) +
    share * matrix(rnorm(count * 3), count)[group, ]
  list(x = x, group = group, truth = 1.5 * exp(-1.5^2 / 2),
       y = sin(1.5 * x[, 1]) + x[, 1] * x[, 2] / 2 + rnorm(length(group)) +
         0.7 * rnorm(count)[group])
}

# Estimate, error, whether the interval covers; the effective sample size, and whether it has a
# p-value.
once <- function(data) {
  cv <- quiet(cv.sparserls(data$x, data$y, 100, groups = data$group, nfolds = 10, keep = TRUE))
  of <- function(type) {
    found <- quiet(derivatives(cv, data$x, type = type))
    half <- qt(0.975, found$df) * found$std.error[[1]]
    c(found$average[[1]], found$std.error[[1]], abs(found$average[[1]] - data$truth) <= half)
  }
  debiased <- quiet(derivatives(cv, data$x))
  size <- c(debiased$representer$size[1], debiased$representer$unknown[1] |
              anyNA(quiet(tidy(debiased)$p.value[1])))
  rbind(debiased = c(of("debiased"), size), `plug-in` = c(of("jackknife"), size))
}

of_cell <- function(kind, value, draw, repetitions) {
  set.seed(1)
  found <- replicate(repetitions, once(draw(value)))
  means <- apply(found, 1:2, mean)
  data.frame(kind = kind, value = value, method = rownames(means), truth = draw(value)$truth,
             mean = means[, 1], sd = apply(found[, 1, ], 1, sd), std.error = means[, 2],
             coverage = means[, 3], size = apply(found[, 4, ], 1, median), silent = means[, 5],
             repetitions = repetitions)
}

repetitions <- argument(1, 300)
tidy <- generics::tidy
cells <- c(lapply(c(0, 1, 2, 4), of_cell, kind = "overlap", draw = with_overlap, repetitions),
           lapply(c(10, 20, 40, 80), of_cell, kind = "groups", draw = with_groups, repetitions))
store(do.call(rbind, cells), "effects-trust.csv", sprintf("seed 1, %d simulations", repetitions))
