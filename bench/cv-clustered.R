# Clustered data: figures 8 and 9 and table 2 of the 2012 paper on simulate_parses().
#
#   OPENBLAS_NUM_THREADS=1 Rscript bench/cv-clustered.R [repetitions]
#
# Whole sentences are held out; their basis vector is removed with them, kept in the loss or kept in
# the basis only, and all three are compared with the error on 600 new sentences. Needs the
# installed package. Writes inst/extdata/cv-clustered.csv and cv-coefficients.csv, which the
# vignette cross-validation shows.

library(sparserls)
repetitions <- as.integer(c(commandArgs(TRUE), 10)[1])
source("bench/store.R")
for (file in c("estimates.R", "parses.R")) source(file.path(here, "..", "vignettes", file))

lambdas <- function(normalize) if (normalize) 2^(6:-12) else 2^(14:-5)

error_curves <- function(d, basis, normalize) {
  lambda <- lambdas(normalize)
  run <- function(holdout_basis) {
    cv.sparserls(d$train$x, d$train$y, basis, kernel_linear(normalize), lambda, intercept = FALSE,
                 standardize = FALSE, groups = d$train$sentence, holdout_basis = holdout_basis,
                 progress = FALSE)
  }
  removed <- run("remove")
  cbind(`test set` = colMeans((d$test$y - predict(removed, d$test$x, s = lambda))^2),
        removed = removed$cvm, `kept in the loss` = run("keep_loss")$cvm,
        `kept in the basis` = run("keep")$cvm)
}

figure_8 <- function(normalize) {
  curves <- replicate(repetitions, {
    d <- simulate_parses()
    error_curves(d, one_per_sentence(d), normalize)
  })
  names <- dimnames(curves)[[2]]
  estimates <- do.call(cv_estimates, c(setNames(lapply(names, function(name) t(curves[, name, ])),
                                                names), list(lambda = lambdas(normalize))))
  # Relative to the test set: the ratio of means, and its standard error over repetitions, in which
  # all estimators share the data.
  test <- t(curves[, 1, ])
  ratios <- lapply(names, function(name) {
    of <- t(curves[, name, ])
    ratio <- colMeans(of) / colMeans(test)
    rest <- of - test * rep(ratio, each = repetitions)
    cbind(ratio, apply(rest, 2, sd) / sqrt(repetitions) / colMeans(test))
  })
  estimates[c("ratio", "ratio.se")] <- do.call(rbind, ratios)
  cat(sprintf("Mean squared errors, %s linear kernel, %d repetitions, by log2(lambda)\n",
              kind(normalize), repetitions))
  means <- tapply(estimates$mean, list(log2(estimates$lambda), estimates$estimator), identity)
  print(signif(means[order(-as.numeric(rownames(means))), ], 3))
  cbind(kernel = kind(normalize), estimates)
}

kind <- function(normalize) if (normalize) "normalized" else "plain"

one_per_sentence <- function(d) {
  as.vector(tapply(seq_along(d$train$sentence), d$train$sentence, function(rows) {
    rows[sample.int(length(rows), 1)]
  }))
}

# Averages over the rounds of a leave-one-sentence-out that keeps the held-out basis vector x in the
# basis, of absolute values: kernel values of x and of the other basis vectors v with the held-out
# rows z, their coefficients and the products.
table_2 <- function(normalize, log2_lambda) {
  d <- simulate_parses()
  basis <- one_per_sentence(d)
  k <- kernel_matrix(kernel_linear(normalize), d$train$x, d$train$x[basis, ])
  k[cbind(basis, seq_along(basis))] <- k[cbind(basis, seq_along(basis))] + 1e-7
  squares <- crossprod(k)
  product <- drop(crossprod(k, d$train$y))
  rounds <- lapply(seq_along(basis), function(s) {
    held <- which(d$train$sentence == s)
    left <- squares - crossprod(k[held, , drop = FALSE])
    right <- product - drop(crossprod(k[held, , drop = FALSE], d$train$y[held]))
    a <- sapply(2^log2_lambda, function(lambda) abs(solve(left + lambda * k[basis, ], right)))
    values <- colMeans(abs(k[setdiff(held, basis), , drop = FALSE]))
    cbind(k_xz = values[s], k_vz = mean(values[-s]), a_x = a[s, ], a_v = colMeans(a[-s, ]),
          ax_kxz = values[s] * a[s, ], av_kvz = colMeans(values[-s] * a[-s, ]))
  })
  # A sentence with a single parse has no z.
  rounds <- Filter(function(round) !anyNA(round), rounds)
  data.frame(kernel = kind(normalize), log2_lambda = log2_lambda,
             Reduce(`+`, rounds) / length(rounds), row.names = NULL)
}

set.seed(1)
what <- sprintf("simulate_parses(), %d repetitions, seed 1", repetitions)
store(rbind(figure_8(FALSE), figure_8(TRUE)), "cv-clustered.csv", what)
coefficients <- rbind(table_2(FALSE, c(10, 0)), table_2(TRUE, c(0, -10)))
print(coefficients, digits = 3)
store(coefficients, "cv-coefficients.csv", 
      "simulate_parses(), one data set for each kernel, drawn after those of seed 1", 6)
