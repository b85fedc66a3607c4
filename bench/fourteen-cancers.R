# Section 5.3 of the two-layers paper.
#
#   OPENBLAS_NUM_THREADS=1 Rscript bench/fourteen-cancers.R [splits]
#
# First the whole experiment on simulated expressions (144 x 16063, 14 classes, 8 folds, 50 lambda):
# seconds and peak memory. Then, where ../shared/data (or SPARSERLS_DATA) is, real tumours of the
# same study: 190 patients, 1363 genes, repeated stratified splits, three quarters to train, of
# RLS2, ridge, greedy selection and glmnet's multinomial elastic net. Needs the installed package.

library(sparserls)
splits <- as.integer(c(commandArgs(TRUE), 20)[1])
here <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)))
source(file.path(here, "timing.R"))

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
  peak <- grep("VmHWM", readLines("/proc/self/status"), value = TRUE)
  wrong <- predict(cv, standardize_patients(data$test$x), type = "class") != data$test$y
  cat(sprintf("simulated: %.1f s, of the processor %.1f s (limit 60, aim 20), largest gap %.1e\n",
              run$elapsed, run$cpu, max(cv$fit$gap)))
  cat(sprintf("  %s, test errors %d of 54\n", gsub("\\s+", " ", peak), sum(wrong)))
}

read_tumours <- function() {
  folder <- Sys.getenv("SPARSERLS_DATA", "../shared/data")
  file <- file.path(folder, "ramaswamy190.csv.xz")
  if (!file.exists(file)) return(NULL)
  table <- read.csv(file, check.names = FALSE)
  # As usual with these chips: on the log scale.
  list(x = standardize_patients(log(as.matrix(table[-1]))), y = factor(table$class))
}

# A quarter of the patients, with the classes' shares.
test_rows <- function(y) cv_folds(length(y), nfolds = 4, strata = y)[[1]]

# Each method: test errors (per cent) and genes in use.
methods <- list(
  "RLS2, Fisher's scaling" = function(x, y, new, truth, folds) {
    rls2_errors(x, y, new, truth, folds, "fisher")
  },
  "RLS2, norms" = function(x, y, new, truth, folds) {
    rls2_errors(x, y, new, truth, folds, "norm")
  },
  "ridge (cv.rls)" = function(x, y, new, truth, folds) {
    cv <- cv.rls(x, y, folds = folds)
    c(error = wrong(predict(cv, new, type = "class"), truth), genes = ncol(x))
  },
  "greedy (cv.greedyrls)" = function(x, y, new, truth, folds) {
    cv <- cv.greedyrls(x, y, k = 100, lambda = c(1000, 100), folds = folds)
    c(error = wrong(predict(cv, new, type = "class"), truth), genes = cv$k.min)
  },
  "elastic net (glmnet)" = function(x, y, new, truth, folds) {
    foldid <- integer(nrow(x))
    for (i in seq_along(folds)) foldid[folds[[i]]] <- i
    cv <- glmnet::cv.glmnet(x, y, family = "multinomial", alpha = 0.2, foldid = foldid,
                            type.measure = "class", nlambda = 50)
    used <- Reduce(`|`, lapply(coef(cv, s = "lambda.min"), function(b) b[-1] != 0))
    c(error = wrong(predict(cv, new, s = "lambda.min", type = "class"), truth), genes = sum(used))
  }
)

wrong <- function(found, truth) 100 * mean(as.character(found) != truth)

rls2_errors <- function(x, y, new, truth, folds, scaling) {
  cv <- cv.rls2(x, y, scaling = scaling, standardize = FALSE, folds = folds)
  genes <- sum(rowSums(cv$fit$d[, cv$index["min", 1], ] > 0) > 0)
  c(error = wrong(predict(cv, new, type = "class"), truth), genes = genes)
}

real_tumours <- function(data) {
  if (!requireNamespace("glmnet", quietly = TRUE)) methods$`elastic net (glmnet)` <- NULL
  results <- array(NA, c(length(methods), 3, splits),
                   list(names(methods), c("error", "genes", "seconds"), NULL))
  for (i in seq_len(splits)) {
    set.seed(i)
    test <- test_rows(data$y)
    y <- data$y[-test]
    folds <- cv_folds(length(y), nfolds = 8, strata = y)
    for (name in names(methods)) {
      run <- timed(function() {
        methods[[name]](data$x[-test, ], y, data$x[test, ], data$y[test], folds)
      })
      results[name, , i] <- c(run$value, run$elapsed)
    }
  }
  cat(sprintf("\nreal tumours, %d splits: test errors (%%) and genes, mean (sd); median seconds\n",
              splits))
  spread <- function(field, format) {
    values <- matrix(results[, field, ], length(methods))
    sprintf(format, rowMeans(values), apply(values, 1, sd))
  }
  print(data.frame(error = spread("error", "%.1f (%.1f)"), genes = spread("genes", "%.0f (%.0f)"),
                   seconds = round(apply(results[, "seconds", , drop = FALSE], 1, median), 1),
                   row.names = names(methods)))
}

whole_experiment()
tumours <- read_tumours()
if (!is.null(tumours)) real_tumours(tumours)
