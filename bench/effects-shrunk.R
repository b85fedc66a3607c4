# Where effects of kernels are wrong, and the errors do not say so: of rare levels with few basis
# vectors of their own (debiased), and plug-in averages with a `family`.
#
#   OPENBLAS_NUM_THREADS=1 Rscript bench/effects-shrunk.R     > bench/effects-shrunk.txt
#
# Levels: 3000 rows, p uniform features (-2, 2), y = sin(1.5 x1) + x2^2 / 2 + effect + noise; two
# levels of 13 and 18 rows (effects -6, 6), one of 200 (effect 4); 40 basis vectors of other levels
# and so many of each of these. Families: logistic with slopes 2, 1 and 0 of normal features, ten
# folds; kernel: 1000 rows, 60 basis vectors; linear: 200 rows, five features correlated 0.5. Shares
# of 95 % intervals that cover the truth. An hour.

library(sparserls)
source("bench/store.R")
say_provenance()

effects_of <- function(cv, ...) as.data.frame(generics::tidy(quiet(derivatives(cv, ...))))

levels_with <- function(seed, p) {
  set.seed(seed)
  lev <- sample(rep(c("a", "b", "c", "d", "mid", "neg", "pos"), c(1200, 800, 500, 269, 200, 13, 18)))
  x <- matrix(runif(3000 * p, -2, 2), 3000, dimnames = list(NULL, paste0("x", seq_len(p))))
  effect <- c(a = 0, b = 1, c = -1, d = 2, mid = 4, neg = -6, pos = 6)
  d <- data.frame(x, lev = factor(lev))
  d$y <- sin(1.5 * d$x1) + d$x2^2 / 2 + effect[lev] + rnorm(3000)
  rare <- c("mid", "neg", "pos")
  vapply(c(0, 1, 2, 3, 5), function(k) {
    own <- lapply(rare, function(level) sample(which(lev == level), k))
    basis <- c(sample(which(!lev %in% rare), 40), unlist(own))
    # Errors that the package withholds are those of the covariance.
    found <- quiet(derivatives(quiet(cv.sparserls(y ~ ., d, basis = basis, keep = TRUE))))
    at <- paste0("lev", rare)
    abs(found$average[at] - effect[rare]) < 1.96 * sqrt(diag(found$vcov)[at])
  }, logical(3))
}

for (p in c(2, 5)) {
  covered <- Reduce(`+`, lapply(seq_len(20), levels_with, p = p)) / 20
  shown <- rbind(covered[1, ], colMeans(covered[2:3, ]))
  dimnames(shown) <- list(c("200 rows", "13 and 18"), paste(c(0, 1, 2, 3, 5), "vectors"))
  cat(sprintf("\nlevels, %d other features, 20 data sets\n", p))
  print(round(shown, 2))
}

# Which intervals cover, on the scale of the linear predictor and of the mean.
inside <- function(cv, slopes, eta) {
  rate <- mean(plogis(eta) * plogis(-eta))
  unlist(lapply(c(link = 1, response = rate), function(rate) {
    found <- effects_of(cv, scale = if (rate == 1) "link" else "response")[1:3, ]
    abs(found$estimate - slopes * rate) < 1.96 * found$std.error
  }))
}

kernel_with <- function(seed) {
  set.seed(seed)
  d <- data.frame(x = rnorm(1000), z = rnorm(1000), u = rnorm(1000))
  eta <- -0.5 + 2 * d$x + d$z
  d$y <- rbinom(1000, 1, plogis(eta))
  inside(quiet(cv.sparserls(y ~ ., d, basis = 60, family = "binomial", keep = TRUE)), 2:0, eta)
}

linear_with <- function(seed) {
  set.seed(seed)
  x <- matrix(rnorm(1000), 200) %*% chol(0.5 + diag(0.5, 5))
  eta <- -0.5 + 2 * x[, 1] + x[, 2]
  d <- data.frame(x, y = rbinom(200, 1, plogis(eta)))
  known <- summary(glm(y ~ ., "binomial", d))$coefficients[2:4, ]
  c(inside(quiet(cv.rls(y ~ ., d, family = "binomial", keep = TRUE)), 2:0, eta),
    abs(known[, 1] - 2:0) < 1.96 * known[, 2])
}

covered <- rbind(matrix(rowMeans(vapply(seq_len(40), kernel_with, logical(6))), 2, byrow = TRUE),
                 matrix(rowMeans(vapply(seq_len(200), linear_with, logical(9))), 3, byrow = TRUE))
dimnames(covered) <- list(c("kernel, link", "kernel, mean", "linear, link", "linear, mean", "glm()"),
                          c("slope 2", "slope 1", "slope 0"))
cat("\nlogistic models, 40 data sets (kernel), 200 (linear)\n")
print(round(covered, 3))
