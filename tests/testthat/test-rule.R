set.seed(8)
m <- 90
x <- matrix(rnorm(3 * m), m)
y <- sin(2 * x[, 1]) + rt(m, 2)
w <- replace(runif(m, 0.2, 2), c(4, 40), 0)
fold <- rep_len(1:9, m)
basis <- seq(1, m, 3)
quiet <- function(...) {
  suppressMessages(cv.sparserls(x, ..., basis = basis, kernel = kernel_gaussian(0.2), keep = TRUE))
}

# loss: rows (or groups) x path, differences from the column of the best.
by_definition <- function(loss, w, best) {
  apart <- unit_errors(loss - loss[, best], w)
  which(apart$mean <= apart$error)[[1]]
}

test_that("paired differences are over rows, whatever the folds, and over groups", {
  usual <- quiet(y, foldid = fold, weights = w)
  paired <- quiet(y, foldid = fold, weights = w, rule = "paired")
  expect_output(print(paired), "\nlambda.1se: by paired differences\n", fixed = TRUE)
  expect_identical(paired$rule, "paired")
  same <- c("lambda", "cvm", "cvsd", "lambda.min", "fit.preval")
  expect_identical(unclass(paired)[same], unclass(usual)[same])
  best <- paired$index[["min", 1]]
  expect_identical(paired$index[["1se", 1]],
                   by_definition(((y - paired$fit.preval)^2)[w > 0, ], w[w > 0], best))
  # As good by less: the differences are known better than the errors are.
  expect_gt(paired$index[["1se", 1]], usual$index[["1se", 1]])

  group <- rep(1:10, each = 9)
  y <- y + sin(3 * group)
  grouped <- quiet(y, groups = group, nfolds = 5, weights = w, rule = "paired")
  total <- as.vector(rowsum(w, group))
  loss <- rowsum(w * (y - grouped$fit.preval)^2, group) / total
  expect_identical(grouped$index[["1se", 1]], by_definition(loss, total, grouped$index[["min", 1]]))
  expect_false(grouped$index[["1se", 1]] == by_definition(
    ((y - grouped$fit.preval)^2)[w > 0, ], w[w > 0], grouped$index[["min", 1]]
  ))
})

test_that("several outputs add up, alone they have their own", {
  two <- cbind(a = y, b = x[, 2]^2 + rnorm(m))
  cv <- quiet(two, foldid = fold, rule = "paired", by.output = TRUE)
  loss <- apply((array(two, dim(cv$fit.preval)) - cv$fit.preval)^2, c(1, 3), sum)
  expect_identical(cv$index[["1se", 1]], by_definition(loss, rep(1, m), cv$index[["min", 1]]))
  for (j in 1:2) {
    loss <- (two[, j] - cv$fit.preval[, j, ])^2
    at <- by_definition(loss, rep(1, m), match(cv$lambda.min.output[[j]], cv$lambda))
    expect_identical(cv$lambda.1se.output[[j]], cv$lambda[at])
  }
})

test_that("repeats are no independent evidence", {
  repeats <- cv_folds(m, 5, repeats = 2)
  cv <- quiet(y, folds = repeats, rule = "paired")
  one <- lapply(1:2, function(i) {
    part <- quiet(y, folds = unclass(repeats)[5 * (i - 1) + 1:5])
    loss <- (y - part$fit.preval)^2
    apart <- loss - loss[, cv$index[["min", 1]]]
    list(mean = colMeans(apart), error = apply(apart, 2, sd) / sqrt(m))
  })
  mean <- (one[[1]]$mean + one[[2]]$mean) / 2
  error <- sqrt((one[[1]]$error^2 + one[[2]]$error^2) / 2)
  expect_identical(cv$index[["1se", 1]], which(mean <= error)[[1]])
})

test_that("values of sets are compared by folds, one of all rows by what every row moves", {
  class <- factor(y > 0)
  value <- function(score, rows) survival::concordancefit(sign(y[rows]), score)$concordance
  folds <- quiet(class, foldid = fold, type.measure = "auc", rule = "paired")
  each <- t(sapply(1:9, function(f) {
    apply(folds$fit.preval[fold == f, ], 2, value, rows = fold == f)
  }))
  expect_identical(folds$index[["1se", 1]],
                   by_definition(-each, tabulate(fold), folds$index[["min", 1]]))

  single <- quiet(class, nfolds = "loo", type.measure = "auc", rule = "paired")
  moves <- apply(single$fit.preval, 2, function(score) {
    survival::concordancefit(sign(y), score, influence = 1)$dfbeta
  })
  best <- single$index[["min", 1]]
  apart <- single$cvm[best] - single$cvm
  expect_identical(single$index[["1se", 1]],
                   which(apart <= sqrt(colSums((moves - moves[, best])^2)))[[1]])
})

test_that("what is not to be compared is refused", {
  ours <- function(y, yhat, w) mean(abs(y - yhat))
  expect_refusals({
    quiet(y, nfolds = "loo", type.measure = ours, rule = "paired") |
      measure | "`rule = \"paired\"` needs several .. User's measure .. A function of all rows at"
  })
  chunks <- chunks_function(1, function(i) data.frame(x, y, g = rep(1:30, 3)))
  expect_refusals({
    cv.sparserls(y ~ X1 + X2, chunks, basis = 10, nfolds = "loo", rule = "paired") |
      argument | 'With rows in chunks `rule = "paired"` needs .. groups or rows left out .. Their'
  })
  expect_identical(quiet(y, foldid = fold, type.measure = ours, rule = "paired")$rule, "paired")
})

test_that("of rows in chunks the differences are those of folds", {
  data <- data.frame(x, y, fold)
  chunks <- chunks_function(6, function(i) data[15 * i - 14:0, ])
  cv <- suppressMessages(cv.sparserls(y ~ X1 + X2 + X3, chunks, basis = 20, foldid = fold,
                                      lambda = 2^(8:-8), rule = "paired"))
  whole <- suppressMessages(cv.sparserls(y ~ X1 + X2 + X3, data, basis = cv$fit$basis,
                                         kernel = cv$kernel, foldid = fold, lambda = cv$lambda,
                                         keep = TRUE))
  expect_equal(whole$cvm, cv$cvm)
  loss <- rowsum((y - whole$fit.preval)^2, fold) / 10
  expect_identical(cv$index[["1se", 1]], by_definition(loss, rep(10, 9), cv$index[["min", 1]]))
})
