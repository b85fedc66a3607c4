# How many held-out rows of ordinary data predict() calls outside of the training rows (?predict,
# section Rows outside).
#
#   OPENBLAS_NUM_THREADS=1 Rscript bench/outside.R > bench/outside.txt
#
# Split i of 20 has the seed i: two thirds of the rows train, at lambda = 1 with the default basis
# and width; Diamonds are 3000 rows drawn with the seed 0. `share`: per cent of the rows to test that
# lie outside, with the standard error of its mean over the splits; `1/m`: per cent, m the number of
# training rows.

suppressMessages(library(sparserls))
splits <- 20

sets <- list(
  prostate = list(formula = lpsa ~ . - train, data = prostate),
  mtcars = list(formula = mpg ~ ., data = mtcars),
  Boston = list(formula = medv ~ ., data = MASS::Boston),
  iris = list(formula = Sepal.Length ~ ., data = iris)
)
if (requireNamespace("ggplot2", quietly = TRUE)) {
  set.seed(0)
  diamonds <- as.data.frame(ggplot2::diamonds)
  sets$diamonds <- list(formula = log10(price) ~ ., data = diamonds[sample(nrow(diamonds), 3000), ])
}

methods <- list(
  "sparserls, Gaussian" = function(...) sparserls(..., lambda = 1),
  "sparserls, Laplacian" = function(...) sparserls(..., kernel = kernel_laplacian(), lambda = 1),
  "rls, Gaussian" = function(...) rls(..., kernel = kernel_gaussian(), lambda = 1),
  "rls, linear" = function(...) rls(..., lambda = 1)
)

for (set in names(sets)) {
  formula <- sets[[set]]$formula
  data <- sets[[set]]$data
  for (method in names(methods)) {
    shares <- vapply(seq_len(splits), function(seed) {
      set.seed(seed)
      train <- sample(nrow(data), round(2 / 3 * nrow(data)))
      fit <- methods[[method]](formula, data[train, ])
      100 * mean(is.na(predict(fit, data[-train, ], outside = "na")))
    }, 0)
    cat(sprintf("%-9s %-21s share %5.2f (%.2f)   1/m %.2f\n", set, method, mean(shares),
                sd(shares) / sqrt(splits), 100 / round(2 / 3 * nrow(data))))
  }
}
