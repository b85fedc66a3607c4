rare_classes <- function(m = 200, seed = 1) {
  set.seed(seed)
  d <- data.frame(a = rnorm(m), b = rnorm(m))
  d$y <- factor(ifelse(runif(m) < plogis(1.5 * d$a - 1.8), "ill", "well"), c("well", "ill"))
  d
}

plain <- function(w) as.vector(unclass(w))

test_that("classes weigh the same, one on average; those of a sampling multiply", {
  y <- factor(rep(c("a", "b", "c"), c(2, 3, 15)), c("c", "b", "a", "none"))
  w <- class_weights(y)
  expect_equal(plain(w), 20 / (3 * rep(c(2, 3, 15), c(2, 3, 15))))
  expect_equal(as.vector(tapply(plain(w), y, sum))[1:3], rep(20 / 3, 3))
  expect_equal(plain(class_weights(as.character(y))), plain(w))
  expect_equal(plain(class_weights(c(TRUE, FALSE, FALSE))), 3 / (2 * c(1, 2, 2)))
  sampled <- rep(c(1, 2, 0, 4), 5)
  own <- class_weights(y, sampled)
  expect_equal(as.vector(tapply(plain(own), y, sum))[1:3], rep(sum(sampled) / 3, 3))
  expect_equal(plain(own), sampled * unname(attr(own, "balance"))[match(y, c("c", "b", "a"))])
  gap <- class_weights(factor(c("a", NA, "b", "b")))
  expect_equal(plain(gap), 3 / (2 * c(1, NA, 2, 2)))
})

test_that("subsets, columns and products are known for class weights; other numbers are plain", {
  w <- class_weights(factor(c("a", "b", "b", "b")))
  balanced <- function(x) identical(attr(x, "balance"), attr(w, "balance"))
  expect_true(balanced(w[2:3]) && balanced(2 * w) && balanced(w / 2) && balanced(w * 1:4))
  expect_identical(plain(w[-1]), plain(w)[-1])
  d <- data.frame(x = 1:4, w = w)
  expect_true(balanced(subset(d, x > 1)$w) && balanced(stats::na.omit(d)$w))
  for (x in list(sqrt(w), w^2, 1 / w, w + 1, -w, w * w, c(w, w), ifelse(TRUE, w, 1),
                 replace(w, 1, 5), rbind(d, d)$w)) {
    expect_null(attributes(x))
  }
  expect_identical(2^w, 2^plain(w))
  expect_equal(mean(w), 1)
  expect_said({
    w
    2 * w[1:2]
  })
})

test_that("the calibration sees the weights of the sampling, the fit those of the classes too", {
  d <- rare_classes()
  sampled <- runif(200, 0.5, 2)
  id <- rep(1:5, 40)
  weigh <- function(w) quiet(cv.rls(as.matrix(d[1:2]), d$y, weights = w, foldid = id, keep = TRUE))
  for (s in list(rep(1, 200), sampled)) {
    w <- class_weights(d$y, s)
    cv <- weigh(w)
    score <- cv$fit.preval[, cv$index["min", 1]]
    kish <- tapply(s, d$y, function(s) sum(s)^2 / sum(s^2))
    expect_sigmoid(cv, plain_sigmoid(score, d$y, s, kish), score)
    expect_identical(cv$calibration$balance, attr(w, "balance"))
    numbers <- weigh(plain(w))
    expect_identical(numbers[c("lambda", "cvm", "cvsd", "index", "fit.preval")],
                     cv[c("lambda", "cvm", "cvsd", "index", "fit.preval")])
    expect_null(numbers$calibration$balance)
    # These numbers are taken for the population: half of it ill.
    weighted <- weighted.mean(predict(numbers, as.matrix(d[1:2]), type = "prob")[, 2], plain(w))
    expect_lt(abs(weighted - 0.5), 0.02)
    expect_lt(abs(weighted.mean(predict(cv, as.matrix(d[1:2]), type = "prob")[, 2], s) -
                  weighted.mean(d$y == "ill", s)), 0.02)
  }
  product <- weigh(sampled * class_weights(d$y))
  expect_equal(product$calibration$balance, attr(class_weights(d$y), "balance"))
})

test_that("formulas, gaps, columns, folds and files carry them", {
  d <- rare_classes()
  d$a[5] <- NA
  d$y[c(9, 30)] <- NA
  d$w <- class_weights(d$y)
  d$id <- rep(1:5, 40)
  left <- d[stats::complete.cases(d) & d$b < 1.5, ]
  # As it is written: through dots weights are no columns.
  result <- function(...) {
    set.seed(1)
    call <- substitute(cv.sparserls(y ~ a + b, ..., basis = 20, holdout_basis = "keep",
                                    foldid = id))
    quiet(eval(call, parent.frame()))[c("cvm", "calibration")]
  }
  reference <- result(left, weights = w)
  expect_false(is.null(reference$calibration$balance))
  expect_identical(result(d, weights = class_weights(y), subset = b < 1.5), reference)
  expect_identical(result(d, weights = "w", subset = b < 1.5), reference)
  expect_identical(result(d, weights = d$w, subset = b < 1.5), reference)
  expect_identical(result(stats::na.omit(d), weights = w, subset = b < 1.5), reference)
  d$y2 <- factor(ifelse(seq_len(200) %% 20 == 0, "other", as.character(d$y)))
  some <- quiet(cv.rls(y2 ~ a, d, weights = class_weights(y2), subset = y2 != "other", nfolds = 4))
  expect_named(some$calibration$balance, c("ill", "well"))
  x <- as.matrix(left[1:2])
  set.seed(3)
  overlap <- cv_folds(nrow(x), 4, repeats = 2)
  for (cv in quiet(list(
    cv.rls(x, left$y, weights = left$w, folds = overlap),
    cv.rls(x, left$y, weights = left$w, nfolds = 5, outer = 3),
    cv.rls(x, left$y, weights = left$w, groups = rep_len(1:30, nrow(x))),
    cv.greedyrls(x, left$y, k = 2, weights = left$w, nfolds = 5),
    cv.rls2(x, left$y, weights = left$w, nfolds = 5, nlambda = 10),
    cv.ardrls(x, left$y, 10, weights = left$w, nfolds = 3)
  ))) {
    p <- mean(predict(cv, x, type = "prob")[, "ill"])
    expect_lt(abs(p - mean(left$y == "ill")), 0.05)
    saved <- unserialize(serialize(cv, NULL))
    expect_identical(predict(saved, x, type = "prob"), predict(cv, x, type = "prob"))
  }
})

test_that("weights of what are no classes, or of others, are refused", {
  d <- rare_classes()
  expect_refusals({
    class_weights(c(0, 1, 1)) | y | "`y` must be a factor, logical or .. numeric vector of size 3"
    class_weights(factor(c("a", "a", NA))) | y | "`y` must have two classes at least .. 1 of them"
    class_weights(addNA(factor(c("a", NA)))) |
      y | '`y` has NA as a level .. "a", NA .. Give it a name, levels(f)[is.na(levels(f))] <-'
    class_weights(d$y, 1:3) | weights | "`weights` must have one value for each of the .. 3 values"
    class_weights(factor(c("a", "b")), c(1, 0)) | weights | 'A class has no weight .. x "b"'
    class_weights(factor(c("a", "b")), c(1e308, 1e308)) | range | "too large"
    class_weights(factor(c("a", "b")), c(1, -1)) |
      weights | "`weights` must be finite and not negative .. weights[2] is -1"
    cv.rls(as.matrix(d[1:2]), d$y, weights = class_weights(d$y == "ill")) |
      weights | '`weights` are class_weights() of other .. "well", "ill" .. Give class_weights()'
  })
  number <- quiet(cv.rls(as.matrix(d[1:2]), d$a + d$b^2, weights = class_weights(d$y)))
  expect_null(number$calibration)
})
