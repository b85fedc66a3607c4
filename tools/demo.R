# What `make demo` runs: cross-validated kernel regularized least squares, first on the prostate
# cancer data, then on simulated clustered data.  Usage, from the package's root:
#   Rscript tools/demo.R

library(sparserls)

say <- function(...) cat("", strwrap(sprintf(...), 92), sep = "\n")
mse <- function(y, prediction) mean((y - drop(prediction))^2)

## ---- 1. Prostate cancer data, by formula -------------------------------------------------------

cat("\n== 1. Prostate cancer data: 67 men to train, 30 to test\n\n")
data(prostate)
train <- prostate[prostate$train, ]
test <- prostate[!prostate$train, ]

set.seed(1)
by_formula <- cv.sparserls(
  lpsa ~ . - train,
  data = train, basis = 30, kernel = kernel_gaussian(), nfolds = "loo"
)
print(by_formula)

linear <- lm(lpsa ~ . - train, data = train)
say(
  "Look at lambda.min, where the leave-one-out error is smallest (%.3f), and at lambda.1se, the
  largest lambda within one standard error of it. Predicting always the mean would give %.3f.",
  min(by_formula$cvm), mean((train$lpsa - mean(train$lpsa))^2)
)
say(
  "The 30 test rows took no part. Their mean squared error: %.3f at lambda.min, %.3f at lambda.1se;
  least squares on all eight predictors has %.3f.",
  mse(test$lpsa, predict(by_formula, test, s = "lambda.min")),
  mse(test$lpsa, predict(by_formula, test, s = "lambda.1se")),
  mse(test$lpsa, predict(linear, test))
)

# One held-out row against the honest refit without it. The predictors are standardized beforehand,
# so that both use the same ones.
x <- scale(as.matrix(train[, 1:8]))
y <- train$lpsa
basis <- 1:30
i <- 5
lambda <- c(1, 0.1, 0.01)
kernel <- kernel_gaussian(gamma = 0.05)
shortcut <- cv.sparserls(
  x, y,
  basis = basis, kernel = kernel, lambda = lambda, standardize = FALSE,
  nfolds = "loo", keep = TRUE
)$fit.preval[i, ]
refit <- sparserls(
  x[-i, ], y[-i],
  basis = which(seq_along(y)[-i] %in% basis), kernel = kernel, lambda = lambda,
  standardize = FALSE
)
honest <- predict(refit, x[i, , drop = FALSE], s = lambda)
say(
  "Exact: row %d, also a basis vector, is predicted without being used as %s for lambda = %s; a
  refit without that row differs by at most %.0e.",
  i, paste(sprintf("%.6f", shortcut), collapse = ", "), paste(lambda, collapse = ", "),
  max(abs(shortcut - honest))
)

## ---- 2. Clustered data -------------------------------------------------------------------------

cat("\n== 2. Clustered data, simulated: 500 groups of 3 to 7 rows\n\n")

# Rows of a group have nearly the same features and share an effect that no feature explains.
simulate <- function(ngroups, p = 6) {
  groups <- rep(seq_len(ngroups), sample(3:7, ngroups, replace = TRUE))
  m <- length(groups)
  centre <- matrix(rnorm(ngroups * p), ngroups)
  effect <- rnorm(ngroups)
  x <- centre[groups, ] + 0.15 * rnorm(m * p)
  y <- sin(2 * centre[groups, 1]) + centre[groups, 2] + effect[groups] + 0.3 * rnorm(m)
  list(x = x, y = y, groups = groups)
}
set.seed(2)
known <- simulate(500)
fresh <- simulate(1000)
lambda <- 10^seq(3, -4, length.out = 50)

# Every call below draws the same basis: one row of each group.
timed <- function(f, ...) {
  set.seed(3)
  seconds <- system.time(
    value <- f(known$x, known$y, basis = basis_groups(known$groups), lambda = lambda, ...)
  )[["elapsed"]]
  list(value = value, seconds = seconds)
}
single <- timed(sparserls)
naive <- timed(cv.sparserls, nfolds = 10)
grouped <- timed(cv.sparserls, groups = known$groups)

held_out <- function(cv) {
  c(
    lambda.min = cv$lambda.min,
    estimated = min(cv$cvm),
    `new groups` = mse(fresh$y, predict(cv, fresh$x, s = "lambda.min"))
  )
}
print(signif(rbind(
  `10 folds, ignoring the groups` = held_out(naive$value),
  `leave one group out` = held_out(grouped$value)
), 3))
say(
  "Compare the error that each cross-validation has estimated with the error on 1000 groups that
  were never seen. Folds that cut through groups let the fit recognize a held-out row by the rest of
  its group: too low an error, and too small a lambda. Leaving whole groups out, with their basis
  vectors, estimates what happens on new groups."
)
say(
  "%d rows, %d basis vectors, %d lambdas. One fit: %.2f s. 10-fold: %.2f s. All %d groups left
  out in turn: %.2f s.",
  length(known$y), length(unique(known$groups)), length(lambda), single$seconds, naive$seconds,
  length(unique(known$groups)), grouped$seconds
)

## ---- The curves --------------------------------------------------------------------------------

file <- file.path(getwd(), "demo-lambda-curve.png")
png(file, width = 1400, height = 600, res = 120)
par(mfrow = c(1, 2), mar = c(5, 4, 4, 1))
plot(by_formula)
title("Prostate, leave-one-out")
plot(grouped$value)
title("Clustered data, leave one group out")
invisible(dev.off())
say("The error against lambda, with lambda.min and lambda.1se as dashed lines, is in %s", file)
