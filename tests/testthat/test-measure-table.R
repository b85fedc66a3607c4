# A measure is one entry of the table in R/cv-measures.R.

plain <- list(
  mse = function(y, score) mean((y - score)^2), rmse = function(y, score) sqrt(mean((y - score)^2)),
  mae = function(y, score) mean(abs(y - score)),
  class = function(y, score) mean((score > 0) != (y > 0)),
  auc = function(y, score) concordance(y, score), cindex = function(y, score) concordance(y, score)
)

# Share of pairs with different y in the order of y; ties of scores count half.
concordance <- function(y, score) {
  pairs <- which(outer(y, y, "<"), arr.ind = TRUE)
  rise <- score[pairs[, 2]] - score[pairs[, 1]]
  mean((rise > 0) + (rise == 0) / 2)
}

test_that("every measure is the plain definition on pooled leave-one-out predictions", {
  set.seed(1)
  x <- matrix(rnorm(120), 40)
  number <- x[, 1] + rnorm(40)
  expect_setequal(names(sparserls:::measures), names(plain))
  for (name in names(plain)) {
    classes <- name %in% c("class", "auc")
    y <- if (classes) factor(number > 0) else number
    cv <- cv.sparserls(x, y, 1:10, kernel_gaussian(0.2), c(1, 0.1), nfolds = "loo",
                       type.measure = name, keep = TRUE, progress = FALSE)
    code <- if (classes) 2 * (number > 0) - 1 else number
    same(cv$cvm, apply(cv$fit.preval, 2, plain[[name]], y = code), 1e-12)
    expect_identical(cv$name, setNames(sparserls:::measures[[name]]$label, name))
  }
})

test_that("what is counted, or has a name, is a number like others", {
  wrong <- function(y, yhat, weights) sum((yhat > 0) != (y == "TRUE"))
  set.seed(1)
  x <- matrix(rnorm(120), 40)
  y <- x[, 1] + rnorm(40) > 0
  run <- function(measure) {
    cv.rls(x, y, lambda = c(10, 1), foldid = rep(1:4, 10), type.measure = measure)$cvm
  }
  expected <- run(function(...) as.double(wrong(...)))
  expect_identical(run(wrong), expected)
  expect_identical(run(function(...) c(wrong = wrong(...))), expected)
})

test_that("a user's measure gets what its help says", {
  seen <- NULL
  look <- function(y, yhat, weights) {
    seen <<- list(y = y, yhat = yhat, weights = weights)
    1
  }
  x <- as.matrix(iris[1:4])
  # Fold 3 is a single row: a matrix stays one.
  seen_of <- function(y) {
    cv.rls(x, y, kernel_linear(), 1, foldid = c(rep(1:2, length.out = 149), 3), type.measure = look)
    seen
  }
  one <- seen_of(x[, 1])
  expect_identical(one$y, unname(x[150, 1]))
  expect_null(dim(one$yhat))
  classes <- seen_of(iris$Species)
  expect_identical(classes$y, iris$Species[150])
  expect_identical(dim(classes$yhat), c(1L, 3L))
  expect_identical(colnames(classes$yhat), levels(iris$Species))
  binary <- seen_of(iris$Species == "virginica")
  expect_identical(binary$y, factor(TRUE, c(FALSE, TRUE)))
  expect_identical(binary$weights, 1)
})
