# What cv.ardrls() says where there is nothing to find, and where rows come in groups.
#
#   OPENBLAS_NUM_THREADS=1 Rscript bench/ardrls-noise.R [seeds] [folder of the runs]
#
# Noise: y is independent of 30 features. The path should end at one width (penalty.1se = Inf) and
# the honest error be that of the mean. Groups: 30 groups of 8 rows, whose features and whose y
# share a part that belongs to the group; the error is wanted on rows of 200 new groups. Every
# seed of every case is a file in the folder of the runs, so that a run goes on where it was stopped.

library(sparserls)
here <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)))
source(file.path(here, "store.R"))
say_provenance()
arguments <- commandArgs(TRUE)
seeds <- if (length(arguments) > 0) as.integer(arguments[1]) else 20L
runs <- if (length(arguments) > 1) arguments[2] else tempfile("ardrls-noise")
dir.create(runs, showWarnings = FALSE, recursive = TRUE)

stored <- function(name, seed, f) {
  file <- file.path(runs, sprintf("%s-%02d.rds", name, seed))
  if (!file.exists(file)) {
    set.seed(seed)
    saveRDS(f(), file)
  }
  readRDS(file)
}

# Errors over the variance of y that the mean of all rows leaves.
noise <- function(m) {
  x <- matrix(rnorm(m * 30), m)
  y <- rnorm(m)
  cv <- suppressMessages(cv.ardrls(x, y, basis = basis_rpcholesky(min(m %/% 2, 100))))
  i <- cv$index[, 1]
  level <- mean((y - mean(y))^2)
  new <- matrix(rnorm(2000 * 30), 2000)
  test <- colMeans(predict(cv$fit, new, s = cv$penalty)^2) + 1
  c(`1se is Inf` = unname(is.infinite(cv$penalty.1se)),
    `min is Inf` = unname(is.infinite(cv$penalty.min)),
    honest.1se = cv$cvm[[i[["1se"]]]] / level, honest.min = cv$cvm[[i[["min"]]]] / level,
    inner.free = cv$fit$loss[[length(cv$penalty)]] / level,
    test.1se = test[[i[["1se"]]]], test.free = test[[length(test)]])
}

simulate <- function(groups, per) {
  group <- rep(seq_len(groups), each = per)
  x <- matrix(rnorm(groups * 8), groups)[group, ] + 0.3 * matrix(rnorm(groups * per * 8), ncol = 8)
  list(x = x, group = group,
       y = sin(2 * x[, 1]) + x[, 2] + rnorm(groups)[group] + 0.3 * rnorm(groups * per))
}

grouped <- function() {
  train <- simulate(30, 8)
  test <- simulate(200, 8)
  look <- function(...) {
    cv <- suppressMessages(cv.ardrls(train$x, train$y, ...))
    c(honest = cv$cvm[[cv$index[["1se", 1]]]], se = cv$cvsd[[cv$index[["1se", 1]]]],
      test = mean((predict(cv, test$x) - test$y)^2), position = cv$index[["1se", 1]])
  }
  c(group = look(groups = train$group), random = look(),
    mean = mean((mean(train$y) - test$y)^2))
}

table_of <- function(name, f) {
  found <- vapply(seq_len(seeds), function(seed) stored(name, seed, f), stored(name, 1L, f))
  data.frame(mean = rowMeans(found), se = apply(found, 1, sd) / sqrt(seeds)) |> round(3)
}
for (m in c(100, 300, 1000)) {
  cat(sprintf("\nNoise, %d rows, %d seeds\n", m, seeds))
  print(table_of(paste0("noise", m), function() noise(m)))
}
cat("\nGroups\n")
print(table_of("groups", grouped))
