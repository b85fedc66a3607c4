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

# ---- data ------------------------------------------------------------------------------

# Five normal features, the first two with correlation rho; with groups half of every feature's
# variance, and noise of sd 0.7, are between groups.
draw_features <- function(cell) {
  x <- matrix(rnorm(cell$rows * 5), ncol = 5)
  x[, 1] <- cell$rho * x[, 2] + sqrt(1 - cell$rho^2) * x[, 1]
  if (cell$groups == 0) return(list(x = x, groups = NULL, noise = 0))
  groups <- sample(rep_len(seq_len(cell$groups), cell$rows))
  between <- matrix(rnorm(cell$groups * 5), ncol = 5)
  list(x = sqrt(0.5) * (x + between[groups, ]), groups = groups,
       noise = 0.7 * rnorm(cell$groups)[groups])
}

# As lognormal, with mean 0 and variance 1.
skewed <- function(z) (exp(0.6 * z) - exp(0.18)) / sqrt((exp(0.36) - 1) * exp(0.36))

surface <- list(
  linear = function(x) 0.5 * x[, 1] + x[, 2],
  null = function(x) x[, 2] + sin(x[, 3]),
  nonlinear = function(x) sin(1.5 * x[, 1]) + x[, 1] * x[, 2] / 2 + cos(x[, 3]),
  # x[, 1] is a treatment, more likely where the response without it is large.
  treatment = function(x) {
    x[, 2] + sin(x[, 3]) + x[, 4] * x[, 2] / 2 + x[, 1] * (1 + x[, 2]) / 2
  },
  # The same, where no straight line takes the confounding away.
  curved = function(x) x[, 2] + x[, 3]^2 / 2 + x[, 1] * (1 + x[, 2]) / 2
)
odds <- list(treatment = function(x) x[, 2] + x[, 3] / 2,
             curved = function(x) x[, 2] + x[, 3]^2 - 1)

# The average derivative by x[, 1], or the average effect of the treatment.
truth_of <- function(cell) {
  if (cell$truth == "null") return(0)
  if (cell$truth != "nonlinear") return(0.5)
  if (cell$x == "normal") return(1.5 * exp(-1.5^2 / 2))
  integrate(function(z) 1.5 * cos(1.5 * skewed(z)) * dnorm(z), -8, 8, rel.tol = 1e-8)$value
}

draw <- function(cell) {
  drawn <- draw_features(cell)
  x <- drawn$x
  if (cell$x == "skewed") x <- skewed(x)
  if (cell$truth %in% names(odds)) x[, 1] <- rbinom(nrow(x), 1, plogis(odds[[cell$truth]](x)))
  # Noise of variance 1, of one that grows with the first feature where that is asked for.
  sd <- if (cell$uneven) sqrt(0.25 + 0.75 * x[, 1]^2) else 1
  y <- surface[[cell$truth]](x) + drawn$noise + sd * rnorm(nrow(x))
  list(x = x, y = y, groups = drawn$groups)
}

cell <- function(truth, rows, groups = 0, rho = 0.5, x = "normal", uneven = FALSE,
                 inside = FALSE) {
  list(truth = truth, rows = rows, groups = groups, rho = rho, x = x, uneven = uneven,
       inside = inside)
}

cells <- list(
  linear250 = cell("linear", 250), linear1000 = cell("linear", 1000),
  linear4000 = cell("linear", 4000),
  nonlinear250 = cell("nonlinear", 250), nonlinear1000 = cell("nonlinear", 1000),
  nonlinear4000 = cell("nonlinear", 4000),
  null250 = cell("null", 250), null1000 = cell("null", 1000), null4000 = cell("null", 4000),
  linear.groups40 = cell("linear", 800, 40), nonlinear.groups40 = cell("nonlinear", 800, 40),
  null.groups40 = cell("null", 800, 40), treatment.groups40 = cell("treatment", 800, 40),
  linear.groups20 = cell("linear", 400, 20), nonlinear.groups20 = cell("nonlinear", 400, 20),
  linear.correlated = cell("linear", 250, rho = 0.9),
  nonlinear.correlated = cell("nonlinear", 1000, rho = 0.9),
  uneven250 = cell("nonlinear", 250, uneven = TRUE),
  uneven1000 = cell("nonlinear", 1000, uneven = TRUE),
  treatment250 = cell("treatment", 250), treatment1000 = cell("treatment", 1000),
  treatment4000 = cell("treatment", 4000), curved1000 = cell("curved", 1000),
  skewed1000 = cell("nonlinear", 1000, x = "skewed"),
  nonlinear250.inside = cell("nonlinear", 250, inside = TRUE),
  treatment250.inside = cell("treatment", 250, inside = TRUE)
)

# ---- estimates: c(estimate, standard error, degrees of freedom) ---------------------------

fitted_once <- function(x, y, groups = NULL) {
  quiet(cv.sparserls(x, y, basis = basis_random(if (length(y) < 4000) 150 else 200),
                     kernel = kernel_gaussian(width_multiples(1)), groups = groups, nfolds = 10,
                     keep = TRUE, progress = FALSE))
}

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
