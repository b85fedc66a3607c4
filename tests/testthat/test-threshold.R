# Classes by a threshold of their probability.

two_classes <- function(m = 80, seed = 1) {
  set.seed(seed)
  d <- data.frame(a = rnorm(m), b = rnorm(m))
  d$y <- factor(ifelse(d$a + rnorm(m) > 0.8, "ill", "well"), c("well", "ill"))
  d
}

test_that("threshold: the second class from that probability on, for all families", {
  d <- two_classes()
  new <- two_classes(seed = 2)[1:30, ]
  new$a[3] <- NA
  set.seed(3)
  id <- rep(1:5, 16)
  cvs <- suppressMessages(list(
    cv.sparserls(y ~ ., d, 15, foldid = id), cv.rls(y ~ ., d, foldid = id),
    cv.rls2(y ~ ., d, foldid = id), cv.greedyrls(y ~ ., d, k = 2, foldid = id),
    cv.ardrls(y ~ ., d, 10, nfolds = 4)
  ))
  for (cv in cvs) {
    for (rows in list(new, d)) {
      p <- predict(cv, rows, type = "prob")[, "ill"]
      # A probability is its own threshold: at or above it.
      for (threshold in c(0.05, 0.3, 0.9, unname(p[7]))) {
        found <- predict(cv, rows, type = "class", threshold = threshold)
        expect_identical(found, factor(ifelse(unname(p) >= threshold, "ill", "well"),
                                       c("well", "ill")))
      }
    }
    # Training rows.
    expect_identical(predict(cv, type = "class", threshold = 0.3),
                     factor(ifelse(unname(predict(cv, type = "prob")[, 2]) >= 0.3, "ill", "well"),
                            c("well", "ill")))
    # Without one by the sign of the score, as ever.
    score <- as.vector(predict(cv, new))
    by_sign <- factor(ifelse(score > 0, "ill", "well"), c("well", "ill"))
    expect_identical(predict(cv, new, type = "class"), by_sign)
    expect_identical(predict(cv, new, type = "class", threshold = NULL), by_sign)
  }
  expect_identical(predict(cvs[[1]], new, s = "lambda.1se", type = "class", threshold = 0.3),
                   predict(cvs[[1]], new, s = cvs[[1]]$lambda.1se, type = "class",
                           threshold = 0.3))
})

test_that("logical y, rows without any, and base rates", {
  d <- two_classes()
  d$y <- d$y == "ill"
  cv <- suppressMessages(cv.rls(y ~ ., d, nfolds = 5))
  found <- predict(cv, d, type = "class", threshold = 0.4)
  expect_identical(levels(found), c("FALSE", "TRUE"))
  expect_identical(predict(cv, d[0, ], type = "class", threshold = 0.4), found[0])
  # All rows have the same probability.
  set.seed(4)
  flat <- cv.rls2(as.matrix(d[1:2]), d$y, lambda = Inf, nfolds = 4)
  p <- predict(flat, as.matrix(d[1:2]), type = "prob")[1, 2]
  expect_true(all(predict(flat, as.matrix(d[1:2]), type = "class", threshold = p) == "TRUE"))
})

test_that("new rows in chunks, and into a file", {
  d <- two_classes()
  cv <- suppressMessages(cv.sparserls(y ~ ., d, 15, nfolds = 5))
  chunks <- chunks_function(3, function(i) d[split(1:80, rep(1:3, c(30, 30, 20)))[[i]], ])
  known <- predict(cv, d, type = "class", threshold = 0.2)
  expect_identical(predict(cv, chunks, type = "class", threshold = 0.2), known)
  expect_false(identical(predict(cv, chunks, type = "class"), known))
  file <- tempfile(fileext = ".csv")
  predict(cv, chunks, type = "class", threshold = 0.2, file = file)
  expect_identical(read.csv(file)$class, as.character(known))
})

test_that("thresholds that are none, or of what has no probabilities, are refused", {
  d <- two_classes()
  d$three <- factor(rep(c("u", "v", "w", "u"), 20))
  cv <- suppressMessages(cv.sparserls(y ~ a + b, d, 1:10, lambda = c(1, 0.1), nfolds = 4))
  greedy <- suppressMessages(cv.greedyrls(y ~ a + b, d, k = 2, nfolds = 4))
  widths <- suppressMessages(ardrls(y ~ a + b, d, 5, penalty = Inf))
  three <- suppressMessages(cv.rls(three ~ a + b, d, lambda = 1, nfolds = 4))
  number <- suppressMessages(cv.rls(a ~ b, d, lambda = 1, nfolds = 4))
  chunks <- chunks_function(2, function(i) d[split(1:80, rep(1:2, each = 40))[[i]], ])
  set.seed(5)
  chunked <- suppressMessages(cv.rls(y ~ a + b, chunks, nfolds = 4, lambda = 1))
  expect_refused("argument", {
    predict(cv, d, type = "class", threshold = 0)
    predict(cv, d, type = "class", threshold = 1)
    predict(cv, d, type = "class", threshold = NA)
    predict(cv, d, type = "class", threshold = c(0.1, 0.2))
    predict(cv, d, type = "class", threshold = "0.5")
    predict(cv, d, threshold = 0.5)
    predict(cv, d, type = "prob", threshold = 0.5)
    predict(cv, d, type = "class", interval = "gp", threshold = 0.5)
    predict(cv, d, s = 0.5, type = "class", threshold = 0.5)
    predict(cv, d, s = c("lambda.min", "lambda.1se"), type = "class", threshold = 0.5)
    predict(cv$fit, d, s = 1, type = "class", threshold = 0.5)
    predict(cv$fit, d, threshold = 2)
    predict(greedy, d, k = 1:2, type = "class", threshold = 0.5)
    predict(greedy$fit, d, type = "class", threshold = 0.5)
    predict(widths, d, type = "class", threshold = 0.5)
    predict(three, d, type = "class", threshold = 0.5)
    predict(number, d, type = "class", threshold = 0.5)
    predict(chunked, d, type = "class", threshold = 0.5)
    predict(cv, chunks, type = "class", threshold = 2)
  })
})
