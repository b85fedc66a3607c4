# Small data: the test error of cv.ardrls(), beside one tuned width, a random forest and the mean,
# and the honest error that cv.ardrls() reports beside the error on the test rows.
#
#   OPENBLAS_NUM_THREADS=1 Rscript bench/ardrls-small.R [splits] [folder of the runs] [sets]
#
# Needs the installed package and ranger. Three quarters of the rows train. Every split of every
# data set is a file in the folder of the runs, so that a run goes on where it was stopped; the
# tables, of all that is in the folder, are printed at the end (with 0 splits only they). Errors are
# mean squared errors over the variance of y (classes: -1 and +1).

library(sparserls)
arguments <- commandArgs(TRUE)
source("bench/store.R")
say_provenance()
splits <- if (length(arguments) > 0) as.integer(arguments[1]) else 20L
runs <- if (length(arguments) > 1) arguments[2] else tempfile("ardrls-small")
sets <- c("servo", "heart_statlog", "sonar", "autompg", "pima")
if (length(arguments) > 2) sets <- arguments[-(1:2)]

# ---- one split ---------------------------------------------------------------------------

forest <- function(train, test) {
  classes <- is.factor(train$y)
  model <- ranger::ranger(y ~ ., train, num.trees = 500, probability = classes, num.threads = 1,
                          seed = 1)
  found <- predict(model, test)$predictions
  if (classes) 2 * found[, levels(train$y)[2]] - 1 else found
}

one_width <- function(train, test, basis = NULL) {
  kernel <- kernel_matern(gamma = width_multiples(2^(-6:3)))
  cv <- suppressMessages(cv.sparserls(y ~ ., train, basis, kernel, nlambda = 25,
                                      type.measure = "mse"))
  predict(cv, test)
}

one_split <- function(name, split) {
  data <- complete_rows(with_unknowns(name))
  set.seed(1000 + split)
  rows <- sample(nrow(data), floor(0.75 * nrow(data)))
  train <- data[rows, ]
  test <- data[-rows, ]
  seconds <- system.time(
    cv <- suppressMessages(cv.ardrls(y ~ ., train, type.measure = "mse", rule = "1se",
                                     keep = TRUE))
  )[[3]]
  list(penalty = cv$penalty, loss = cv$fit$loss, cvm = cv$cvm, cvsd = cv$cvsd,
       index = cv$index[, 1], gradients = cv$fit$gradients, lambda = cv$fit$lambda,
       relevance = cv$fit$relevance,
       seconds = seconds, y = as_number(test$y), variance = var(as_number(data$y)),
       train = as_number(train$y), held = drop(cv$fit.preval), foldid = cv$foldid,
       path = predict(cv$fit, test, s = cv$penalty),
       others = cbind(`one width` = one_width(train, test), `one, its basis` = one_width(
         train, test, basis_rpcholesky(length(cv$fit$fits[[1]]$basis))
       ), ranger = forest(train, test), mean = mean(as_number(train$y))))
}

# ---- tables ------------------------------------------------------------------------------

found <- split_runs(sets, splits, runs, one_split)
# each: a function of the splits of a set.
show <- function(title, each, sets = names(found)) {
  cat("\n", title, "\n", sep = "")
  print(noquote(t(vapply(found[sets], each, each(found[[1]])))))
}
squared <- function(s, pred) colMeans((pred - s$y)^2) / s$variance
wrong <- function(s, pred) colMeans((pred > 0) != (s$y > 0))
paired <- function(s) {
  loss <- (s$held - s$train)^2
  apart <- loss - loss[, s$index[["min"]]]
  which(colMeans(apart) <= apply(apart, 2, sd) / sqrt(nrow(apart)))[[1]]
}
methods <- function(s) {
  path <- s$path
  cbind(`1se` = path[, s$index[["1se"]]], min = path[, s$index[["min"]]], Inf. = path[, 1],
        free = path[, ncol(path)], s$others)
}

table_of <- function(splits, error) {
  t(vapply(splits, function(s) error(s, methods(s)), numeric(8)))
}
show("Test error (standard error over splits)", function(splits) {
  apply(table_of(splits, squared), 2, mean_se)
})
show("Test error minus that of one tuned width, paired", function(splits) {
  e <- table_of(splits, squared)
  shown <- !colnames(e) %in% c("one width", "mean")
  c(apply(e[, shown, drop = FALSE] - e[, "one width"], 2, mean_se),
    `1se, same basis` = mean_se(e[, "1se"] - e[, "one, its basis"]))
})
show("Misclassification", function(splits) apply(table_of(splits, wrong), 2, mean_se),
     intersect(names(found), c("heart_statlog", "pima", "sonar")))
show("Honest error reported, and on the test rows", function(splits) {
  at <- function(which) {
    honest <- vapply(splits, function(s) s$cvm[s$index[[which]]] / s$variance, 0)
    test <- table_of(splits, squared)[, which]
    inner <- vapply(splits, function(s) s$loss[s$index[[which]]] / s$variance, 0)
    c(inner = mean_se(inner), honest = mean_se(honest), test = mean_se(test),
      difference = mean_se(honest - test))
  }
  c(`1se` = at("1se"), min = at("min"))
})
# The penalty by differences from the best, paired over rows, instead of the best's standard error.
show("Test error of penalty.1se by two rules, and their difference", function(splits) {
  e <- t(vapply(splits, function(s) squared(s, s$path)[c(s$index[["1se"]], paired(s))], c(0, 0)))
  c(usual = mean_se(e[, 1]), paired = mean_se(e[, 2]), difference = mean_se(e[, 2] - e[, 1]))
})
show("Test error along the path", function(splits) {
  e <- t(vapply(splits, function(s) squared(s, s$path), splits[[1]]$penalty))
  setNames(apply(e, 2, mean_se), format(splits[[1]]$penalty, digits = 2))
})
show("Splits, seconds of cv.ardrls(), mean position of penalty.1se", function(splits) {
  c(splits = length(splits), seconds = sprintf("%.1f", mean(vapply(splits, `[[`, 0, "seconds"))),
    position = sprintf("%.1f", mean(vapply(splits, function(s) s$index[["1se"]], 1L))))
})
