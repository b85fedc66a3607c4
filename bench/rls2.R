# Speed and memory of rls2().
#
#   OPENBLAS_NUM_THREADS=1 Rscript bench/rls2.R [repetitions]     the figures of speed
#   OPENBLAS_NUM_THREADS=1 Rscript bench/rls2.R memory            182 kernels on 5000 rows
#
# Needs the installed package and MASS; glmnet as a yardstick. Seconds are those of the processor
# (user and system), so that other work on the machine does not count; every figure is a median, and
# what is compared is measured in turn.

library(sparserls)
argument <- c(commandArgs(TRUE), "5")[1]
repetitions <- if (argument == "memory") 1 else as.integer(argument)
here <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)))
source(file.path(here, "timing.R"))
source(file.path(here, "store.R"))
say_provenance()

# Boston, 354 of the 506 rows, and the kernels of the benchmark: 30 lambda from 1 to 1e-6.
housing <- function() {
  x <- scale(as.matrix(MASS::Boston[, 1:13]))
  y <- MASS::Boston$medv
  train <- sample(506, 354)
  lambda <- 10^seq(0, -6, length.out = 30)
  path <- function() {
    rls2(x[train, ], y[train], kernel_bank(x), lambda, newdata = x[-train, ], standardize = FALSE)
  }
  t <- compare(path = path, clock = cpu_seconds)
  fit <- path()
  cat(sprintf("%d kernels, 354 rows, 30 lambda: %.2f s (limit 10, aim 2); %d steps, gap %.0e\n",
              nrow(fit$d), t[["path"]], sum(fit$iterations), max(fit$gap)))
}

# 144 rows, 16063 features, one class of 8 rows against the others: simulated with the shape of the
# tumour data; 50 features tell the class apart.
genes <- function() {
  x <- matrix(rnorm(144 * 16063), 144)
  x[1:8, 1:50] <- x[1:8, 1:50] + 1.5
  class <- rep(c(TRUE, FALSE), c(8, 136))
  lambda <- 10^seq(1, -3, length.out = 50)
  sides <- list(norm = function() rls2(x, class, lambda = lambda),
                fisher = function() rls2(x, class, lambda = lambda, scaling = "fisher"),
                ridge = function() rls(x, class, lambda = lambda))
  if (requireNamespace("glmnet", quietly = TRUE)) {
    sides$lasso <- function() glmnet::glmnet(x, as.numeric(class), nlambda = 50)
  }
  t <- do.call(compare, c(sides, clock = cpu_seconds))
  fits <- list(norm = sides$norm(), fisher = sides$fisher())
  for (name in names(fits)) {
    fit <- fits[[name]]
    cat(sprintf("144 x 16063, 50 lambda, scaling %s: %.2f s (limit 1); %s features, gap %.0e\n",
                name, t[[name]], paste(range(fit$nkernels), collapse = " to "), max(fit$gap)))
  }
  others <- setdiff(names(t), names(fits))
  cat(sprintf("  yardsticks: %s\n", paste(others, sprintf("%.2f s", t[others]), collapse = ", ")))
}

# The paper's alternation against Newton steps: 50 lambda on the prostate data.
alternation <- function() {
  x <- scale(as.matrix(prostate[, 1:8]))[prostate$train, ]
  y <- prostate$lpsa[prostate$train]
  lambda <- 10^seq(1, -3, length.out = 50)
  fit <- function(...) rls2(x, y, lambda = lambda, standardize = FALSE, ...)
  sides <- list(
    newton = function() fit(),
    `alternate, tol 1e-4 (the paper)` = function() fit(algorithm = "alternate", tol = 1e-4),
    `alternate, tol 1e-12` = function() fit(algorithm = "alternate", tol = 1e-12),
    `alternate, tol 1e-20` = function() fit(algorithm = "alternate", tol = 1e-20)
  )
  t <- do.call(compare, c(sides, clock = cpu_seconds))
  optimum <- fit(tol = 1e-12)$d
  for (name in names(sides)) {
    path <- sides[[name]]()
    cat(sprintf("prostate, %-32s %.3f s, %5d rounds (at most %4d), gap %.0e, d off by %.0e\n", name,
                t[[name]], sum(path$iterations), max(path$iterations), max(path$gap),
                max(abs(path$d - optimum))))
  }
}

# One process, which has nothing else in its peak.
memory <- function(m = 5000, p = 13) {
  status <- function(field) {
    line <- grep(field, readLines("/proc/self/status"), value = TRUE)
    as.numeric(gsub("[^0-9]", "", line)) / 1024
  }
  x <- matrix(rnorm(m * p), m)
  y <- sin(2 * x[, 1]) + x[, 2] * x[, 3] + 0.3 * rnorm(m)
  kernels <- kernel_bank(x)
  lambda <- 10^-(0:3)
  before <- status("VmRSS")
  run <- timed(function() rls2(x, y, kernels, lambda, standardize = FALSE))
  fit <- run$value
  cat(sprintf("%d kernels, %d rows, %d lambda: %.0f s, %s steps, %s kernels, gap %.0e\n",
              length(kernels), m, length(lambda), run$cpu, sum(fit$iterations),
              paste(fit$nkernels, collapse = " "), max(fit$gap)))
  cat(sprintf("peak %.0f MB, before %.0f MB; one kernel matrix %.0f MB, all %.0f MB\n",
              status("VmHWM"), before, 8 * m^2 / 2^20, length(kernels) * 8 * m^2 / 2^20))
}

set.seed(1)
cat(extSoftVersion()[["BLAS"]], "\n")
if (argument == "memory") {
  memory()
} else {
  housing()
  genes()
  alternation()
}
