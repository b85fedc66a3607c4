# Section 5.3 of the two-layers paper.
#
#   OPENBLAS_NUM_THREADS=1 Rscript bench/fourteen-cancers.R simulated
#   OPENBLAS_NUM_THREADS=1 Rscript bench/fourteen-cancers.R real [splits]
#
# simulated: the whole experiment on simulated expressions (144 x 16063, 14 classes, 8 folds, 50
# lambda): seconds and peak memory. real: where ../shared/data (or SPARSERLS_DATA) is, real tumours
# of the same study: 190 patients, 1363 genes, as they are and as logarithms; repeated stratified
# splits, three quarters to train, the i-th with seed i; of RLS2, ridge, greedy selection and
# glmnet's multinomial elastic net, all with the same eight folds and (but for ridge and greedy) 25
# values of lambda. Writes
# inst/extdata/fourteen-cancers.csv, which the article of that name shows. Needs the installed
# package.

library(sparserls)
arguments <- commandArgs(TRUE)
splits <- as.integer(c(arguments[-1], 20)[1])
source("bench/store.R")
source(file.path(here, "..", "vignettes", "cancer14.R"))

standardize_patients <- function(x) t(scale(t(x)))

whole_experiment <- function() {
  set.seed(1)
  data <- simulate_cancer14()
  x <- standardize_patients(data$train$x)
  run <- timed(function() {
    cv.rls2(x, data$train$y, scaling = "fisher", standardize = FALSE, nfolds = 8,
            strata = data$train$y)
  })
  cv <- run$value
  wrong <- predict(cv, standardize_patients(data$test$x), type = "class") != data$test$y
  cat(sprintf("simulated: %.1f s, of the processor %.1f s (limit 60, aim 20), largest gap %.1e\n",
              run$elapsed, run$cpu, max(cv$fit$gap)))
  cat(sprintf("  peak %.0f MB, test errors %d of 54\n", megabytes("VmHWM"), sum(wrong)))
}

read_tumours <- function() {
  table <- shared("ramaswamy190", check.names = FALSE)
  list(x = as.matrix(table[-1]), y = factor(table$class))
}

# A quarter of the patients, with the classes' shares.
test_rows <- function(y) cv_folds(length(y), nfolds = 4, strata = y)[[1]]

rls2_errors <- function(scaling) function(x, y, new, truth, folds) {
  cv <- cv.rls2(x, y, nlambda = 25, scaling = scaling, standardize = FALSE, folds = folds)
  genes <- sum(rowSums(cv$fit$d[, cv$index["min", 1], ] > 0) > 0)
  c(wrong(predict(cv, new, type = "class"), truth), genes)
}

# Each method: test errors and genes in use.
methods <- list(
  `ridge (cv.rls)` = function(x, y, new, truth, folds) {
    cv <- cv.rls(x, y, folds = folds)
    c(wrong(predict(cv, new, type = "class"), truth), ncol(x))
  },
  `RLS2, scaling by Fisher` = rls2_errors("fisher"),
  `RLS2, scaling by norms` = rls2_errors("norm"),
  `elastic net (glmnet)` = function(x, y, new, truth, folds) {
    foldid <- integer(nrow(x))
    for (i in seq_along(folds)) foldid[folds[[i]]] <- i
    cv <- glmnet::cv.glmnet(x, y, family = "multinomial", alpha = 0.2, foldid = foldid,
                            type.measure = "class", nlambda = 25)
    used <- Reduce(`|`, lapply(coef(cv, s = "lambda.min"), function(b) b[-1] != 0))
    c(wrong(predict(cv, new, s = "lambda.min", type = "class"), truth), sum(used))
  },
  `greedy (cv.greedyrls)` = function(x, y, new, truth, folds) {
    cv <- cv.greedyrls(x, y, k = 100, lambda = c(1000, 100), folds = folds)
    c(wrong(predict(cv, new, type = "class"), truth), cv$k.min)
  }
)

wrong <- function(found, truth) sum(as.character(found) != truth)

# methods x (errors, genes, seconds, rows of the test)
one_split <- function(seed, x, y) {
  set.seed(seed)
  test <- test_rows(y)
  folds <- cv_folds(length(y) - length(test), nfolds = 8, strata = y[-test])
  sapply(methods, function(method) {
    run <- timed(function() quiet(method(x[-test, ], y[-test], x[test, ], y[test], folds)))
    c(errors = run$value[1], genes = run$value[2], seconds = run$cpu, test = length(test))
  })
}

# Errors beside those of ridge regression in the same splits: the mean difference and its standard
# error. runs: methods' results x methods x splits.
compare_methods <- function(scale, runs) {
  splits <- dim(runs)[3]
  errors <- runs["errors", , ]
  over <- errors - rep(errors[1, ], each = nrow(errors))
  sd_of <- function(values) apply(values, 1, sd)
  data.frame(
    expressions = scale, method = sub(",", ":", names(methods)),
    test = mean(runs["test", 1, ]), errors = rowMeans(errors),
    errors.se = sd_of(errors) / sqrt(splits), over.ridge = rowMeans(over),
    over.ridge.se = sd_of(over) / sqrt(splits), better = rowSums(over < 0),
    worse = rowSums(over > 0), genes = rowMeans(runs["genes", , ]),
    genes.sd = sd_of(runs["genes", , ]), seconds = apply(runs["seconds", , ], 1, median),
    splits = splits
  )
}

# Stored after every split: a run may be stopped.
real_tumours <- function() {
  tumours <- read_tumours()
  x <- list(`as they are` = standardize_patients(tumours$x),
            logarithms = standardize_patients(log(tumours$x)))
  runs <- lapply(x, function(x) one_split(1, x, tumours$y))
  for (i in seq_len(splits)[-1]) {
    runs <- Map(function(before, x) {
      array(c(before, one_split(i, x, tumours$y)), c(dim(before)[1:2], i), dimnames(before))
    }, runs, x)
    table <- do.call(rbind, Map(compare_methods, names(x), runs))
    store(table, "fourteen-cancers.csv",
          sprintf("190 real tumours, 1363 genes, %d splits, seeds 1 to %d", i, i), 4)
  }
  print(table, digits = 3, row.names = FALSE)
}

if (arguments[1] == "simulated") whole_experiment()
if (arguments[1] == "real") real_tumours()
