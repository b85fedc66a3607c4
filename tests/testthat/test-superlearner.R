skip_if_not_installed("SuperLearner")
x <- prostate[prostate$train, 1:8]
y <- prostate$lpsa[prostate$train]
new <- prostate[!prostate$train, 1:8]

test_that("SL.sparserls() in an ensemble, alone the same as cv.sparserls()", {
  # As where both packages are attached.
  attached <- new.env(parent = asNamespace("SuperLearner"))
  attached$SL.sparserls <- SL.sparserls
  set.seed(1)
  found <- SuperLearner::SuperLearner(y, x, new, SL.library = c("SL.mean", "SL.sparserls"),
                                      cvControl = list(V = 3), env = attached)
  expect_length(found$SL.predict, nrow(new))
  expect_gt(found$coef[["SL.sparserls_All"]], 0.5)
  expect_equal(stats::predict(found, new)$pred, found$SL.predict)
  alone <- seeded(2, SL.sparserls(y, x, new, stats::gaussian(), rep(1, 67), seq_len(67)))
  cv <- seeded(2, cv.sparserls(x, y, nfolds = 10, progress = FALSE))
  expect_equal(alone$pred, unname(predict(cv, new)))
})

test_that("two classes get probabilities, groups are held out whole", {
  id <- rep_len(1:20, 67)
  set.seed(3)
  found <- SL.sparserls(as.numeric(y > 2.5), x, new, stats::binomial(), rep(1, 67), id, basis = 20)
  expect_true(all(found$pred > 0 & found$pred < 1))
  set.seed(3)
  cv <- cv.sparserls(x, y > 2.5, 20, weights = rep(1, 67), groups = id, nfolds = 10,
                     progress = FALSE)
  expect_equal(found$pred, unname(predict(cv, new, type = "prob")[, 2]))
  expect_identical(found$pred, predict(found$fit, new))
})

test_that("SL.ardrls()", {
  set.seed(4)
  found <- quiet(SL.ardrls(y, x, new, stats::gaussian(), rep(1, 67), seq_len(67),
                           basis = 15, maxit = 2, npenalty = 2, outer = 2))
  expect_length(found$pred, nrow(new))
  expect_identical(found$pred, predict(found$fit, new))
  set.seed(4)
  classes <- quiet(SL.ardrls(as.numeric(y > 2.5), x, new, stats::binomial(), rep(1, 67),
                             seq_len(67), basis = 15, maxit = 2, npenalty = 2, outer = 2))
  expect_true(all(classes$pred > 0 & classes$pred < 1))
})

test_that("likelihood = TRUE is the binomial family, for shares too", {
  id <- rep_len(1:20, 67)
  for (y in list(as.numeric(y > 2.5), stats::plogis(y - 2.5))) {
    found <- seeded(5, quiet(SL.sparserls(y, x, new, stats::binomial(), rep(1, 67), id, basis = 15,
                                          kernel = kernel_gaussian(0.1), likelihood = TRUE)))
    cv <- seeded(5, quiet(cv.sparserls(x, y, 15, kernel_gaussian(0.1), groups = id, nfolds = 10,
                                       family = "binomial")))
    expect_equal(found$pred, unname(predict(cv, new)))
    expect_identical(predict(found$fit, new), found$pred)
  }
  expect_refusals(SL.sparserls(y, x, new, stats::binomial(), likelihood = 1) | argument | "")
  expect_refusals(SL.sparserls(y, x, new, stats::gaussian(), rep(1, 67), 1:3) | folds | "")
})
