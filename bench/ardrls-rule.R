# Which penalty.1se: one standard error of the smallest error (rule = "1se") against one standard
# error of the paired differences from it (rule = "paired", the default of cv.ardrls()).
#
#   OPENBLAS_NUM_THREADS=1 Rscript bench/ardrls-rule.R [splits] [folder of the runs] [minutes]
#
# Three quarters of the rows train, as in bench/ardrls-small.R. The sets of that script, and two
# with heavy tails: MASS::cpus (the performance of computers, some of which are ten times as fast)
# and a smooth function of the first of five features with t noise of 1.5 degrees of freedom in a
# tenth of the rows. Both rules choose from the same run, which is a file in the folder of the
# runs; it goes on where it was stopped, and starts no split after so many minutes. Errors are of
# the test rows, mean squared errors over the variance of y of all rows (classes: -1 and +1).

library(sparserls)
arguments <- commandArgs(TRUE)
here <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)))
splits <- if (length(arguments) > 0) as.integer(arguments[1]) else 20L
runs <- if (length(arguments) > 1) arguments[2] else tempfile("ardrls-rule")
minutes <- if (length(arguments) > 2) as.double(arguments[3]) else Inf
folder <- Sys.getenv("SPARSERLS_DATA", file.path(here, "..", "..", "shared", "data"))
dir.create(runs, showWarnings = FALSE, recursive = TRUE)
sets <- c("cpus", "tails", "servo", "autompg", "heart_statlog", "sonar", "pima")

stored <- function(name) {
  file <- file.path(folder, paste0(name, ".csv.xz"))
  data <- read.csv(file, na.strings = "?", stringsAsFactors = TRUE)
  data <- data[complete.cases(data), ]
  names(data)[ncol(data)] <- "y"
  data
}

tails <- function(m = 300) {
  x <- matrix(rnorm(m * 5), m)
  data.frame(x, y = sin(2 * x[, 1]) + rnorm(m) / 5 + (runif(m) < 0.1) * rt(m, 1.5))
}

# Simulated data are new for every split.
data_set <- function(name) {
  switch(name,
    cpus = setNames(MASS::cpus[2:8], c(names(MASS::cpus)[2:7], "y")),
    tails = tails(),
    stored(name)
  )
}

as_number <- function(y) if (is.factor(y)) 2 * as.integer(y) - 3 else as.double(y)

one_split <- function(name, seed) {
  set.seed(seed)
  data <- data_set(name)
  rows <- sample(nrow(data), floor(0.75 * nrow(data)))
  test <- data[-rows, ]
  cv <- suppressMessages(cv.ardrls(y ~ ., data[rows, ], type.measure = "mse"))
  limit <- min(cv$cvm) + cv$cvsd[which.min(cv$cvm)]
  loss <- colMeans((predict(cv$fit, test, s = cv$penalty) - as_number(test$y))^2)
  list(loss = loss / var(as_number(data$y)), cvm = cv$cvm, cvsd = cv$cvsd, penalty = cv$penalty,
       min = cv$index[["min", 1]], paired = cv$index[["1se", 1]],
       usual = which(cv$cvm <= limit)[[1]])
}

started <- proc.time()[[3]]
for (split in seq_len(splits)) {
  for (set in sets) {
    file <- file.path(runs, sprintf("%s-%02d.rds", set, split))
    if (!file.exists(file) && proc.time()[[3]] - started < 60 * minutes) {
      saveRDS(one_split(set, 2000 + split), file)
    }
  }
}

mean_se <- function(v) sprintf("%.3f (%.3f)", mean(v), sd(v) / sqrt(length(v)))
found <- lapply(setNames(sets, sets), function(set) {
  lapply(list.files(runs, paste0("^", set, "-"), full.names = TRUE), readRDS)
})
rows <- lapply(Filter(length, found), function(splits) {
  error <- function(which) vapply(splits, function(s) s$loss[s[[which]]], 0)
  inf <- function(which) sprintf("%d", sum(vapply(splits, function(s) s[[which]] == 1L, NA)))
  c(splits = length(splits), `1se` = mean_se(error("usual")), paired = mean_se(error("paired")),
    min = mean_se(error("min")), `paired - 1se` = mean_se(error("paired") - error("usual")),
    `worst 1se` = sprintf("%.2f", max(error("usual"))),
    `worst paired` = sprintf("%.2f", max(error("paired"))),
    `Inf, 1se` = inf("usual"), `Inf, paired` = inf("paired"), `Inf, min` = inf("min"))
})
print(noquote(do.call(rbind, rows)))
