# One width, a width for each feature, a map: the test errors of what cv.ardrls(map = TRUE) chooses
# from each part of its path, from one run, and that of cv.ardrls() with all its defaults. Is more
# freedom ever worse than less?
#
#   OPENBLAS_NUM_THREADS=1 Rscript bench/ardrls-kinds.R [splits] [folder of the runs]
#
# Three quarters of the rows train. Every split of every set is a file in the folder of the runs, so
# that a run goes on where it was stopped; the tables, of all that is in the folder, are printed at
# the end (with 0 splits only they).
# Errors are mean squared errors over the variance of y (classes: of scores, -1 and +1). Parts of
# the path have no larger basis at the end: it would come to one of the kinds alone.
# Figures: bench/ardrls-kinds.txt.

library(sparserls)
source("bench/store.R")
say_provenance()
arguments <- commandArgs(TRUE)
splits <- if (length(arguments) > 0) as.integer(arguments[1]) else 10L
runs <- if (length(arguments) > 1) arguments[2] else tempfile("ardrls-kinds")

# ---- data: y in the last column --------------------------------------------------------------

with_unknowns <- function(name) shared(name, na.strings = c("NA", "?"), stringsAsFactors = TRUE)
complete_rows <- function(data) {
  names(data)[ncol(data)] <- "y"
  data[complete.cases(data), ]
}
# Classes as -1 and +1.
as_number <- function(y) if (is.factor(y)) 2 * as.integer(y) - 3 else as.double(y)

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

# ---- splits ------------------------------------------------------------------------------------

# What one_split(name, split) answers, by name, of all splits in the folder of the runs.
split_runs <- function(names, splits, runs, one_split) {
  dir.create(runs, showWarnings = FALSE, recursive = TRUE)
  for (split in seq_len(splits)) for (name in names) {
    file <- file.path(runs, sprintf("%s-%02d.rds", name, split))
    if (!file.exists(file)) saveRDS(one_split(name, split), file)
  }
  sapply(names, simplify = FALSE, function(name) {
    lapply(list.files(runs, paste0("^", name, "-"), full.names = TRUE), readRDS)
  })
}
mean_se <- function(v, digits = 3) {
  sprintf("%.*f (%.*f)", digits, mean(v), digits, sd(v) / sqrt(length(v)))
}

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
  train <- data[rows, ]
  test <- data[-rows, ]
  loss <- function(predicted) (predicted - as_number(test$y))^2 / var(as_number(data$y))
  default <- timed(function() suppressMessages(cv.ardrls(y ~ ., train, type.measure = "mse")))
  set.seed(seed)
  cv <- suppressMessages(cv.ardrls(y ~ ., train, map = TRUE, final_basis = FALSE,
                                   type.measure = "mse", keep = TRUE))
  fit <- cv$fit
  steps <- Map(function(kind, penalty) list(kind = kind, penalty = penalty), fit$kind, fit$penalty)
  path <- vapply(steps, function(s) as.vector(predict(fit, test, s = s)), numeric(nrow(test)))
  losses <- (drop(cv$fit.preval) - as_number(data$y[rows]))^2
  at <- c(one = 1L, widths = chosen(losses, sum(fit$kind == "widths")),
          map = cv$index[["1se", 1]], free = sum(fit$kind == "widths"),
          `free map` = length(fit$kind))
  error <- setNames(colMeans(loss(path))[at], names(at))
  list(error = c(error, default = mean(loss(as.vector(predict(default$value, test))))),
       map = fit$kind[at[["map"]]] == "map", seconds = default$cpu)
}

# ---- tables ------------------------------------------------------------------------------------

runs_of <- function(folder, splits) {
  Filter(length, split_runs(names(sets), splits, folder, one_split))
}
errors_of <- function(splits) t(vapply(splits, `[[`, numeric(6), "error"))
seconds_of <- function(splits) vapply(splits, `[[`, 0, "seconds")

found <- runs_of(runs, splits)
cat("\nTest error (standard error over splits); seconds of the processor, of the default call, and",
    "how often\na map was chosen\n")
print(noquote(t(vapply(found, function(splits) {
  c(splits = length(splits), apply(errors_of(splits), 2, mean_se),
    seconds = sprintf("%.1f", mean(seconds_of(splits))),
    maps = sum(vapply(splits, `[[`, NA, "map")))
}, character(9)))))

cat("\nDifferences, paired over splits\n")
print(noquote(t(vapply(lapply(found, errors_of), function(e) {
  c(`widths - one` = mean_se(e[, "widths"] - e[, "one"]),
    `map - widths` = mean_se(e[, "map"] - e[, "widths"]),
    `free - one` = mean_se(e[, "free"] - e[, "one"]),
    `free map - free` = mean_se(e[, "free map"] - e[, "free"]))
}, character(4)))))
