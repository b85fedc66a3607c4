two_classes <- function(m = 80, seed = 1) {
  set.seed(seed)
  d <- data.frame(a = rnorm(m), b = rnorm(m))
  d$y <- factor(ifelse(d$a + rnorm(m) > 0.8, "ill", "well"), c("well", "ill"))
  d
}
d <- two_classes()
classes <- function(ill) factor(ifelse(unname(ill), "ill", "well"), c("well", "ill"))

test_that("threshold: the second class from that probability on, for all families", {
  new <- two_classes(seed = 2)[1:30, ]
  new$a[3] <- NA
  set.seed(3)
  id <- rep(1:5, 16)
  cvs <- quiet(list(
    cv.sparserls(y ~ ., d, 15, foldid = id), cv.rls(y ~ ., d, foldid = id),
    cv.rls2(y ~ ., d, foldid = id), cv.greedyrls(y ~ ., d, k = 2, foldid = id),
    cv.ardrls(y ~ ., d, 10, nfolds = 4)
  ))
  for (cv in cvs) {
    p <- predict(cv, new, type = "prob")[, "ill"]
    # A probability is its own threshold: at or above it.
    for (threshold in c(0.05, 0.3, 0.9, unname(p[7]))) {
      expect_identical(predict(cv, new, type = "class", threshold = threshold),
                       classes(p >= threshold))
    }
    expect_identical(predict(cv, type = "class", threshold = 0.3),
                     classes(predict(cv, type = "prob")[, 2] >= 0.3))
    expect_identical(predict(cv, new, type = "class"), classes(as.vector(predict(cv, new)) > 0))
  }
  expect_identical(predict(cvs[[1]], new, s = "lambda.1se", type = "class", threshold = 0.3),
                   predict(cvs[[1]], new, s = cvs[[1]]$lambda.1se, type = "class", threshold = 0.3))
})

test_that("logical y, rows without any, base rates, and rows in chunks", {
  logical <- transform(d, y = y == "ill")
  cv <- quiet(cv.rls(y ~ ., logical, nfolds = 5))
  found <- predict(cv, d, type = "class", threshold = 0.4)
  expect_identical(levels(found), c("FALSE", "TRUE"))
  expect_identical(predict(cv, d[0, ], type = "class", threshold = 0.4), found[0])
  cv <- quiet(cv.sparserls(y ~ ., d, 15, nfolds = 5))
  chunks <- chunks_function(3, function(i) d[split(1:80, rep(1:3, c(30, 30, 20)))[[i]], ])
  known <- predict(cv, d, type = "class", threshold = 0.2)
  expect_identical(predict(cv, chunks, type = "class", threshold = 0.2), known)
})

test_that("thresholds that are none, or of what has no probabilities, are refused", {
  d$three <- factor(rep(c("u", "v", "w", "u"), 20))
  cv <- quiet(cv.sparserls(y ~ a + b, d, 1:10, lambda = c(1, 0.1), nfolds = 4))
  greedy <- quiet(cv.greedyrls(y ~ a + b, d, k = 2, nfolds = 4))
  three <- quiet(cv.rls(three ~ a + b, d, lambda = 1, nfolds = 4))
  chunks <- chunks_function(2, function(i) d[split(1:80, rep(1:2, each = 40))[[i]], ])
  chunked <- quiet(cv.rls(y ~ a + b, chunks, nfolds = 4, lambda = 1))
  class_of <- function(object, ..., threshold = 0.5) {
    predict(object, d, ..., type = "class", threshold = threshold)
  }
  for (bad in list(0, 1, NA, c(0.1, 0.2), "0.5")) expect_refusals({
    class_of(cv, threshold = bad) | argument | "`threshold` must be a number between 0 and 1"
  })
  expect_refusals({
    predict(cv, chunks, type = "class", threshold = 2) | argument | "a number between .. chunk 1 of"
    predict(cv, d, threshold = 0.5) | argument | '`threshold` is for `type = "class"` .. "response"'
    class_of(greedy$fit) | argument | "`threshold` needs a result of a `cv.` function"
    class_of(three) | argument | "`threshold` is for two classes .. 3 classes .. max.col(-p"
    class_of(chunked) | argument | "no held-out scores of classes .. without `threshold`"
  })
})
