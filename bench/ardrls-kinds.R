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
here <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)))
source(file.path(here, "store.R"))
say_provenance()
arguments <- commandArgs(TRUE)
splits <- if (length(arguments) > 0) as.integer(arguments[1]) else 10L
runs <- if (length(arguments) > 1) arguments[2] else tempfile("ardrls-kinds")
dir.create(runs, showWarnings = FALSE, recursive = TRUE)

# ---- data: y in the last column --------------------------------------------------------------

shared <- function(name) {
  folder <- Sys.getenv("SPARSERLS_DATA", file.path(here, "..", "..", "shared", "data"))
  read.csv(file.path(folder, paste0(name, ".csv.xz")), na.strings = "?", stringsAsFactors = TRUE)
}
last <- function(d, y) d[c(setdiff(names(d), y), y)]
noise <- function() data.frame(matrix(rnorm(300 * 10), 300), y = rnorm(300))
rotated <- function() {
  x <- matrix(rnorm(400 * 6), 400)
  data.frame(x, y = sin(x[, 1] + x[, 2]) + (x[, 3] - x[, 4])^2 / 4 + rnorm(400) / 4)
}
sets <- list(
  servo = function() shared("servo"), autompg = function() shared("autompg"),
  heart = function() shared("heart_statlog"), sonar = function() shared("sonar"),
  pima = function() shared("pima"), Boston = function() last(MASS::Boston, "medv"),
  airquality = function() last(datasets::airquality, "Ozone"),
  quakes = function() last(datasets::quakes, "depth"), noise = noise, rotated = rotated
)
if (length(arguments) > 2) sets <- sets[arguments[-(1:2)]]

data_set <- function(name, seed) {
  set.seed(seed)
  data <- sets[[name]]()
  data <- data[complete.cases(data), ]
  names(data)[ncol(data)] <- "y"
  data
}

as_number <- function(y) if (is.factor(y)) 2 * as.integer(y) - 3 else as.double(y)

# ---- one split ---------------------------------------------------------------------------------

# The largest penalty of the first `steps` that is as good as the best of them, by paired
# differences over rows, as penalty.1se is.
chosen <- function(losses, steps) {
  losses <- losses[, seq_len(steps), drop = FALSE]
  apart <- losses - losses[, which.min(colMeans(losses))]
  which(colMeans(apart) <= apply(apart, 2, sd) / sqrt(nrow(apart)))[[1]]
}

one_split <- function(name, seed) {
  data <- data_set(name, seed)
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

for (split in seq_len(splits)) {
  for (name in names(sets)) {
    file <- file.path(runs, sprintf("%s-%02d.rds", name, split))
    if (!file.exists(file)) saveRDS(one_split(name, split), file)
  }
}

# ---- tables ------------------------------------------------------------------------------------

found <- lapply(setNames(names(sets), names(sets)), function(name) {
  lapply(list.files(runs, paste0("^", name, "-"), full.names = TRUE), readRDS)
})
mean_se <- function(v) sprintf("%.3f (%.3f)", mean(v), sd(v) / sqrt(length(v)))
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
