set.seed(21)
m <- 60
x <- matrix(rnorm(4 * m), m)
class <- factor(x[, 1] + x[, 2] + rnorm(m) / 3 > 0)
sign <- ifelse(class == "TRUE", 1, -1)
basis <- seq(1, m, 2)
fold <- rep_len(1:6, m)
quiet <- function(...) suppressMessages(cv.sparserls(x, basis = basis, foldid = fold, ...))

# The smaller squared error among the smallest errors.
by_definition <- function(cvm, squared) {
  ties <- which(cvm == min(cvm))
  ties[which.min(squared[ties])]
}

test_that("lambda.min of a misclassification, and of other measures", {
  cv <- quiet(class, keep = TRUE)
  squared <- colMeans((sign - cv$fit.preval)^2)
  best <- cv$index[["min", 1]]
  expect_gt(sum(cv$cvm == min(cv$cvm)), 1)
  expect_identical(best, by_definition(cv$cvm, squared))
  expect_gt(best, which.min(cv$cvm))
  # The other rule counts from there.
  expect_identical(cv$index[["1se", 1]], which(cv$cvm <= cv$cvm[best] + cv$cvsd[best])[[1]])

  # A function that counts, of a number.
  far <- function(y, yhat, w) mean(abs(y - yhat) > 0.5)
  cv <- quiet(x[, 1]^2, type.measure = far, keep = TRUE)
  expect_identical(cv$index[["min", 1]],
                   by_definition(cv$cvm, colMeans((x[, 1]^2 - cv$fit.preval)^2)))
})

test_that("numbers of features, for every lambda", {
  cv <- suppressMessages(cv.greedyrls(x, class, 4, lambda = c(10, 1, 0.1), foldid = fold,
                                      keep = TRUE))
  squared <- apply((sign - cv$fit.preval)^2, 2:3, mean)
  each <- vapply(1:3, function(l) by_definition(cv$cvm[, l], squared[, l]), 1L)
  expect_identical(cv$lambdas$k.min, each)
  expect_identical(unname(cv$index["min", ]),
                   as.vector(arrayInd(by_definition(cv$cvm, squared), dim(squared))))
})

test_that("the best kernel", {
  apart <- x + 2 * cbind(sign, sign, 0, 0)
  gammas <- c(1, 0.2, 0.05, 0.01)
  run <- function(gamma) {
    suppressMessages(cv.sparserls(apart, class, kernel_gaussian(gamma), basis = basis,
                                  foldid = fold, keep = TRUE))
  }
  table <- vapply(gammas, function(gamma) {
    cv <- run(gamma)
    at <- cv$index[["min", 1]]
    c(cv$cvm[at], mean((sign - cv$fit.preval[, at])^2))
  }, c(0, 0))
  expect_gt(sum(table[1, ] == min(table[1, ])), 1)
  best <- by_definition(table[1, ], table[2, ])
  expect_gt(best, which.min(table[1, ]))
  expect_identical(run(gammas)$kernel$gamma, gammas[best])
})

test_that("rows in chunks", {
  data <- data.frame(x, class, fold, group = rep(1:20, each = 3))
  chunks <- chunks_function(4, function(i) data[15 * i - 14:0, ])
  for (by in c("foldid", "groups")) {
    run <- function(data, basis, ...) {
      call <- list(class ~ X1 + X2 + X3 + X4, data, basis, lambda = 2^(8:-12), ...)
      call[[by]] <- if (by == "foldid") quote(fold) else quote(group)
      suppressMessages(do.call(cv.sparserls, call))
    }
    cv <- run(chunks, basis_random(20))
    whole <- run(data, cv$fit$basis, keep = TRUE)
    expect_equal(cv$cvm, whole$cvm)
    squared <- colMeans((sign - whole$fit.preval)^2)
    expect_identical(cv$index[["min", 1]], by_definition(whole$cvm, squared))
  }
})

test_that("what is equal does not depend on the size of the errors", {
  for (size in c(1e-12, 1, 1e12)) {
    expect_identical(best_of(size * c(2, 1 + 1e-6, 1), FALSE), 3L)
    expect_identical(best_of(size * c(2, 1 + 1e-15, 1), FALSE), 2L)
    expect_identical(best_of(-size * c(2, 1 + 1e-15, 1), TRUE), 2L)
  }
})
