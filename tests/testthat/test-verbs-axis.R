# A family whose path is not one of lambda (knn.R) has path_axis() beside the four verbs, and no
# more.

use_family(test_path("knn.R"), "knn")
set.seed(1)
x <- matrix(rnorm(120), 40, dimnames = list(NULL, c("a", "b", "c")))
x[, "b"] <- 100 * x[, "b"]
y <- sin(2 * x[, "a"]) + x[, "b"] / 200 + rnorm(40) / 5
id <- rep(1:8, 5)
k <- c(20, 9, 3, 1)
set.seed(3)
cv <- cv.knn(x, y, groups = id, keep = TRUE, outer = 4)

# From the definition: means of the k nearest rows.
scaled <- scale(x, scale = apply(x, 2, function(a) sqrt(mean((a - mean(a))^2))))
by_hand <- function(new, rows) {
  t(apply(new, 1, function(row) {
    distance <- sqrt(colSums((t(scaled[rows, ]) - row)^2))
    vapply(k, function(k) mean(y[rows][rank(distance) <= k]), 0)
  }))
}
same <- function(found, expected) {
  expect_equal(as.vector(found), as.vector(expected), tolerance = 1e-10)
}

test_that("it is the loop of refits", {
  fit <- knn(x, y)
  all <- by_hand(scaled, 1:40)
  same(fitted(fit), all)
  same(predict(fit, x[3:7, ], s = c(3, 20)), all[3:7, c(3, 1)])
  held <- matrix(0, 40, 4)
  for (g in 1:8) held[id == g, ] <- by_hand(scaled[id == g, ], which(id != g))
  errors <- (y - held)^2
  same(cv$cvm, colMeans(errors))
  each <- rowsum(errors, id) / 5
  same(cv$cvsd, apply(each, 2, sd) / sqrt(8))
  best <- which.min(cv$cvm)
  expect_identical(cv$k.min, k[best])
  expect_identical(cv$k.1se, k[which(cv$cvm <= cv$cvm[best] + cv$cvsd[best])[1]])
  same(cv$fit.preval[, best], held[, best])
  same(predict(cv, x), all[, best])
  same(residuals(cv), y - all[, best])
  same(predict(cv, x, s = "k.1se"), all[, match(cv$k.1se, k)])
})

test_that("jackknife+ is made of its refits", {
  new <- matrix(rnorm(12), 4)
  refits <- vapply(1:8, function(g) by_hand(new, which(id != g))[, match(cv$k.min, k)], numeric(4))
  residual <- abs(y - cv$fit.preval[, match(cv$k.min, k)])
  user <- sweep(sweep(new, 2, attr(scaled, "scaled:scale"), "*"), 2,
                attr(scaled, "scaled:center"), "+")
  colnames(user) <- colnames(x)
  interval <- predict(cv, user, interval = "jackknife+", level = 0.8)
  same(interval[, "fit"], by_hand(new, 1:40)[, match(cv$k.min, k)])
  # 0.8 (8 + 1) of the groups' votes, of which a row has a fifth: 36 rows.
  for (i in 1:4) {
    same(interval[i, "lwr"], sort(refits[i, id] - residual, decreasing = TRUE)[36])
    same(interval[i, "upr"], sort(refits[i, id] + residual)[36])
  }
})

test_that("what users see of it", {
  fit <- knn(x, y)
  expect_said({
    print(fit)
    print(cv)
    summary(cv)
  })
  expect_message(cv.knn(x, y, k = c(9, 3), groups = id), "k.min is the (largest|smallest) k of")
  pdf(NULL)
  on.exit(dev.off())
  expect_silent(plot(cv))
  file <- tempfile(fileext = ".rds")
  saveRDS(cv, file)
  again <- readRDS(file)
  expect_identical(predict(again, x, interval = "jackknife+", level = 0.8),
                   predict(cv, x, interval = "jackknife+", level = 0.8))
  expect_output(print(again), "Nested")
  classes <- suppressMessages(cv.knn(x, factor(y > 0.3), groups = id))
  expect_identical(dim(predict(classes, x, type = "prob")), c(40L, 2L))
})

test_that("its tables and its ggplot", {
  skip_if_not_installed("generics")
  expect_identical(generics::tidy(cv)$k, k)
  expect_identical(generics::glance(cv)$k.min, cv$k.min)
  expect_identical(generics::glance(cv$fit)$npath, 4L)
  expect_identical(generics::tidy(cv, what = "nested")$k, cv$nested$chosen$k)
  skip_if_not_installed("ggplot2")
  pdf(NULL)
  on.exit(dev.off())
  expect_silent(print(ggplot2::autoplot(cv)))
})

test_that("what it cannot do is refused", {
  expect_refusals({
    coef(cv) | object | "Fits of knn() have no coefficients."
    predict(cv, x, interval = "gp") | object | "Fits of knn() have no view as a Gaussian process."
    effect_curve(cv, "a", x) | object | "Fits of knn() have no expansion."
    knn(x, y, c(3, 20, 9)) | k |
      "A path of `k` must go from the simplest model on. .. numeric vector of size 3"
    predict(cv, x, 5) | k | "`s` is not on the path of `k`. .. 5"
    predict(cv, x, "lambda.min") | k |
      "`s` must be \"k.min\", \"k.1se\" or numbers of neighbours. .. \"lambda.min\""
    cv.knn(x, cbind(y, x[, 1]), by.output = TRUE) | argument |
      "`by.output = TRUE` needs a path of `lambda`. .. a path of `k`"
    plot(cv$fit) | argument | "Fits of knn() have no path of lambda to draw. .. a path of `k`"
  })
})

test_that("paths go from the simplest model on", {
  expect_refusals({
    new_path(lambda = 1:3) | lambda | "A path of `lambda` must go from the simplest model on."
    new_path(lambda = c(3, NA)) | lambda |
      "A path of `lambda` must not have missing values. .. numeric vector of size 2"
    new_path(lambda = NA_real_) | lambda |
      "A path of `lambda` must not have missing values. .. NA_real_"
    new_path(k = c(1, 3, 2), lambda = 2) | k |
      "A path of `k` must go from the simplest model on. .. numeric vector of size 3"
    new_path(k = c(1, NA)) | k |
      "A path of `k` must not have missing values. .. numeric vector of size 2"
    new_path(penalty = c(2, 1, 1, 2), kind = c("a", "a", "b", "b")) | penalty |
      "A path of `penalty` must go from the simplest model on. .. numeric vector of size 4"
    new_path(penalty = c(2, 1, 2, 3, 1), kind = c("a", "a", "b", "b", "b")) | penalty |
      "A path of `penalty` must go from the simplest model on. .. numeric vector of size 5"
  })
  expect_identical(new_path(k = 1:3, lambda = 2)$k, 1:3)
})
