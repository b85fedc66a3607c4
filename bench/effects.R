# Whether 95 % intervals of average effects hold: debiased averages beside those of the penalized
# fit, a linear model, KRLS (its formulas) and, of a treatment, grf's causal forest.
#
#   OPENBLAS_NUM_THREADS=1 Rscript bench/effects.R SIMULATIONS cell [cell ...]     >> effects.txt
#   OPENBLAS_NUM_THREADS=1 Rscript bench/effects.R list
#
# Every cell is printed as soon as it is done. Of every method:
#   mean      of the estimates, and sd theirs
#   cover     how often the interval holds the truth, with its binomial standard error
#   se/sd     mean standard error by the sd of the estimates
#   width     mean width of the intervals
#   n         simulations; less where a method is slow, or had nothing to say
# Data, fits and folds are drawn anew in every simulation: the truth is the average over the
# population.
suppressMessages(library(sparserls))
source("bench/store.R")
source("bench/effects-designs.R")

# ---- estimates: c(estimate, standard error, degrees of freedom) ---------------------------

of_first <- function(effects) {
  untold <- isTRUE(effects$representer$unknown[1])
  c(if (untold) NA else effects$average[[1]], effects$std.error[[1]], effects$df)
}

linear_model <- function(x, y, groups) {
  fit <- lm.fit(cbind(1, x), y)
  unit <- if (is.null(groups)) seq_along(y) else groups
  c(fit$coefficients[[2]], sandwich(cbind(1, x), fit$residuals, unit)[2], length(unique(unit)) - 1)
}

# KRLS: lambda sum of the gram's loss as here, y standardized, Gaussian kernel exp(-|x - z|^2 / p),
# leave-one-out for lambda; variance of coefficients s2 (K + lambda I)^-2, s2 = RSS / m.
krls_average <- function(x, y, lambda, gamma) {
  z <- scale(x)
  k <- exp(-gamma * as.matrix(dist(z))^2)
  scaled <- drop(scale(y))
  inverse <- solve(k + lambda * diag(nrow(k)))
  a <- inverse %*% scaled
  s2 <- mean((scaled - k %*% a)^2)
  functionals <- vapply(seq_len(ncol(x)), function(d) {
    steps <- outer(z[, d], z[, d], "-")
    colMeans(-2 * gamma * k * steps)
  }, numeric(nrow(x)))
  rate <- sd(y) / apply(x, 2, sd)
  list(average = drop(crossprod(functionals, a)) * rate,
       std.error = sqrt(s2 * colSums((inverse %*% functionals)^2)) * rate)
}

# KRLS knows nothing of groups.
krls_formulas <- function(x, y) {
  full <- quiet(cv.rls(x, y, kernel_gaussian(1 / ncol(x)), nfolds = "loo", progress = FALSE))
  found <- krls_average(x, y, full$lambda.min, 1 / ncol(x))
  c(found$average[1], found$std.error[1], length(y))
}

forest <- function(x, y, groups) {
  grown <- grf::causal_forest(x[, -1], y, x[, 1], clusters = groups, num.threads = 1)
  c(unname(grf::average_treatment_effect(grown)), Inf)
}

# Lambda, lambda_a, kernel and basis of every fold by a cross-validation of the other rows alone.
chosen_inside <- function(x, y) {
  m <- length(y)
  fold <- sample(rep_len(1:10, m))
  rows <- function(k) which(fold == k)
  psi <- numeric(m)
  for (k in 1:10) {
    others <- setdiff(seq_len(m), rows(k))
    cv <- fitted_once(x[others, ], y[others])
    lambda <- quiet(derivatives(cv, x[others, ]))$representer$lambda[1]
    part <- list(fit = cv$fit, expansion = expansion_at(cv$fit, cv$lambda.min),
                 spectrum = cv$fit$spectrum)
    all <- effect_rows(asked_effects(cv, x, "lambda.min", NULL, NULL, "response", NULL))
    moment <- function(which) {
      part_effects(cv$fit, certain_rows(all, which), effect_terms(cv$fit, NULL)[1], part$expansion,
                   cbind(rep(1 / m, length(which))))
    }
    held <- moment(rows(k))
    cross <- list(folds = lapply(1:10, rows), parts = function(k) part)
    alpha <- own_representers(cross, k, rep(1, m), x, lambda, moment(others)$functionals,
                              held$functionals)$alpha
    residual <- y[rows(k)] - drop(predict(cv, x[rows(k), ]))
    psi[rows(k)] <- drop(held$values) + drop(alpha) * residual
  }
  c(mean(psi), sd(psi) / sqrt(m), m - 1)
}
environment(chosen_inside) <- list2env(list(fitted_once = fitted_once, quiet = quiet),
                                       parent = asNamespace("sparserls"))

# Slow ones are made in the first simulations only, where `slowly`.
estimates <- function(cell, slowly) {
  data <- draw(cell)
  cv <- fitted_once(data$x, data$y, data$groups)
  effects <- function(type) quiet(derivatives(cv, data$x, type = type))
  found <- list(debiased = of_first(effects("debiased")),
                `plug-in, jackknife` = of_first(effects("jackknife")),
                `lm()` = linear_model(data$x, data$y, data$groups))
  if (cell$rows <= 400 && is.null(odds[[cell$truth]])) {
    found$`KRLS, its formulas` <- krls_formulas(data$x, data$y)
  }
  if (slowly && !is.null(odds[[cell$truth]]) && requireNamespace("grf", quietly = TRUE)) {
    found$`grf, causal forest` <- forest(data$x, data$y, data$groups)
  }
  if (cell$inside) found$`debiased, chosen inside` <- chosen_inside(data$x, data$y)
  found
}

# ---- tables ------------------------------------------------------------------------------

summarized <- function(found, truth) {
  found <- found[, !is.na(found[1, ]), drop = FALSE]
  half <- qt(0.975, found[3, ]) * found[2, ]
  cover <- mean(abs(found[1, ] - truth) <= half)
  n <- ncol(found)
  c(mean = mean(found[1, ]), sd = sd(found[1, ]), cover = cover,
    `(se)` = sqrt(cover * (1 - cover) / n), `se/sd` = mean(found[2, ]) / sd(found[1, ]),
    width = mean(2 * half), n = n)
}

described <- function(cell) {
  paste0(cell$truth, ", ", cell$rows, " rows",
         if (cell$groups) sprintf(" in %d groups", cell$groups),
         if (cell$rho != 0.5) sprintf(", correlation %.1f", cell$rho),
         if (cell$x != "normal") ", skewed features",
         if (cell$uneven) ", noise of unequal variance")
}

run <- function(name, times) {
  cell <- cells[[name]]
  slow <- min(100, 5e4 / cell$rows)
  start <- proc.time()[[1]]
  all <- lapply(seq_len(times), function(i) {
    set.seed(10000 * match(name, names(cells)) + i)
    estimates(cell, i <= slow)
  })
  truth <- truth_of(cell)
  table <- t(vapply(names(all[[1]]), function(method) {
    summarized(do.call(cbind, lapply(all, `[[`, method)), truth)
  }, numeric(7)))
  cat(sprintf("\n%s: %s; the truth is %.3f (%.2f s each)\n", name, described(cell), truth,
              (proc.time()[[1]] - start) / times))
  print(round(table, 3))
}

asked <- commandArgs(TRUE)
if ("list" %in% asked) {
  cat(names(cells), sep = "\n")
} else {
  cat("\n")
  say_provenance()
  for (name in asked[-1]) run(name, as.integer(asked[1]))
}
