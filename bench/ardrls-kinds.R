# One width, a width for each feature, a map: the test errors of what cv.ardrls(map = TRUE) chooses
# from each part of its path, from one run. Is more freedom ever worse than less?
#
#   OPENBLAS_NUM_THREADS=1 Rscript bench/ardrls-kinds.R [splits] [folder of the runs] [sets]
#
# Three quarters of the rows train. Every split of every set is a file in the folder of the runs, so
# that a run goes on where it was stopped; the tables, of all that is in the folder, are printed at
# the end (with 0 splits only they). Errors are mean squared errors over the variance of y (classes:
# of scores, -1 and +1). No larger basis at the end: it would come to one of the kinds alone.
# Figures: bench/ardrls-kinds.txt.

library(sparserls)
source("bench/store.R")
say_provenance()
arguments <- commandArgs(TRUE)
splits <- if (length(arguments) > 0) as.integer(arguments[1]) else 10L
runs <- if (length(arguments) > 1) arguments[2] else tempfile("ardrls-kinds")

# ---- data: y in the last column --------------------------------------------------------------

last <- function(d, y) d[c(setdiff(names(d), y), y)]
noise <- function() data.frame(matrix(rnorm(300 * 10), 300), y = rnorm(300))
rotated <- function() {
  x <- matrix(rnorm(400 * 6), 400)
  data.frame(x, y = sin(x[, 1] + x[, 2]) + (x[, 3] - x[, 4])^2 / 4 + rnorm(400) / 4)
}
sets <- list(
  servo = function() with_unknowns("servo"), autompg = function() with_unknowns("autompg"),
  heart = function() with_unknowns("heart_statlog"), sonar = function() with_unknowns("sonar"),
  pima = function() with_unknowns("pima"), Boston = function() last(MASS::Boston, "medv"),
  airquality = function() last(datasets::airquality, "Ozone"),
  quakes = function() last(datasets::quakes, "depth"), noise = noise, rotated = rotated
)
if (length(arguments) > 2) sets <- sets[arguments[-(1:2)]]

# ---- one split ---------------------------------------------------------------------------------

# The largest penalty of the first `steps` that is as good as the best of them, by paired
# differences over rows, as penalty.1se is.
chosen <- function(losses, steps) {
  losses <- losses[, seq_len(steps), drop = FALSE]
  apart <- losses - losses[, which.min(colMeans(losses))]
  which(colMeans(apart) <= apply(apart, 2, sd) / sqrt(nrow(apart)))[[1]]
}

one_split <- function(name, seed) {
  set.seed(seed)
  data <- complete_rows(sets[[name]]())
  rows <- sample(nrow(data), floor(0.75 * nrow(data)))
  seconds <- sum(system.time(
    cv <- suppressMessages(cv.ardrls(y ~ ., data[rows, ], map = TRUE, final_basis = FALSE,
                                     type.measure = "mse", keep = TRUE))
  )[1:2])
  fit <- cv$fit
  test <- data[-rows, ]
  steps <- Map(function(kind, penalty) list(kind = kind, penalty = penalty), fit$kind, fit$penalty)
  path <- vapply(steps, function(s) as.vector(predict(fit, test, s = s)), numeric(nrow(test)))
  losses <- (drop(cv$fit.preval) - as_number(data$y[rows]))^2
  at <- c(one = 1L, widths = chosen(losses, sum(fit$kind == "widths")),
          map = chosen(losses, length(fit$kind)), free = sum(fit$kind == "widths"),
          `free map` = length(fit$kind))
  error <- colMeans((path - as_number(test$y))^2) / var(as_number(data$y))
  list(error = error, at = at, chosen = cv$index[["1se", 1]], kind = fit$kind,
       penalty = fit$penalty, seconds = seconds)
}

# ---- tables ------------------------------------------------------------------------------------

found <- split_runs(names(sets), splits, runs, one_split)
errors <- lapply(found, function(splits) t(vapply(splits, function(s) s$error[s$at], numeric(5))))
for (name in names(found)) colnames(errors[[name]]) <- names(found[[name]][[1]]$at)

cat("\nTest error (standard error over splits); seconds of the processor, and how often a map was",
    "chosen\n")
print(noquote(t(vapply(names(found), function(name) {
  splits <- found[[name]]
  c(splits = length(splits), apply(errors[[name]], 2, mean_se),
    seconds = sprintf("%.0f", mean(vapply(splits, `[[`, 0, "seconds"))),
    maps = sum(vapply(splits, function(s) s$kind[s$chosen] == "map", NA)))
}, character(8)))))

cat("\nDifferences, paired over splits\n")
print(noquote(t(vapply(errors, function(e) {
  c(`widths - one` = mean_se(e[, "widths"] - e[, "one"]),
    `map - widths` = mean_se(e[, "map"] - e[, "widths"]),
    `free - one` = mean_se(e[, "free"] - e[, "one"]),
    `free map - free` = mean_se(e[, "free map"] - e[, "free"]))
}, character(4)))))
