x <- bad_x()
y <- bad_y()
d <- bad_frame()
fit <- sparserls(x, y, 1:5, lambda = c(1, 0.1))
cv <- cv.sparserls(x, y, 1:5, lambda = c(1, 0.1), nfolds = "loo")

test_that("unknown arguments are refused with the nearest name", {
  expect_refused("dots", {
    sparserls(x, y, 5, lamda = 1)
    sparserls(x, y, 5, LAMBDA = 1)
    sparserls(x, y, 5, standardise = FALSE)
    sparserls(x, y, 5, weigths = y)
    cv.sparserls(x, y, 5, nfoldss = 5)
    cv.sparserls(x, y, 5, fold_id = 1:20)
    cv.sparserls(x, y, 5, typemeasure = "mae")
    sparserls(y ~ a, d, basis = 5, lamda = 1)
    cv.sparserls(y ~ a, d, basis = 5, nfoldss = 5)
    predict(fit, x, tpye = "response")
    predict(cv, x, S = "lambda.min")
    coef(fit, S = 1)
    fitted(cv, S = 1)
    residuals(fit, S = 1)
    summary(fit, digit = 3)
    summary(cv, digit = 3)
  })
})

test_that("a letter is near no other letter, but for what others call an argument", {
  greedy <- greedyrls(x, y, k = 2)
  cv_greedy <- suppressMessages(cv.greedyrls(x, y, k = 2, lambda = 1))
  expect_refused("dots", {
    predict(greedy, x, s = 1)
    predict(fit, x, k = 1)
    predict(cv_greedy, x, b = 1)
    tidy.greedyrls(greedy, s = 2)
    augment.greedyrls(greedy, s = 2)
    tidy.sparserls_cv(cv_greedy, k = 2)
    predict(fit, newx = x)
    predict(cv, x, lambda = 1)
    coef(fit, lambda = 1)
    coef(greedy, lambda = 1)
  })
})

# Which name is near to these is a matter of taste; that they are refused is not.
test_that("other unknown and too many arguments are refused, unevaluated", {
  expect_classed("dots", {
    sparserls(x, y, 5, kernel_linear(), 1, 5, NULL, TRUE, TRUE, 1e-7, 1, NULL, NULL, 99)
    sparserls(x, y, 5, nfolds = 5)
    sparserls(x, y, 5, foo = stop("evaluated"))
    predict(fit, x, 1, "response", "none", 0.9, FALSE, "df", 5)
    coef(fit, 1, 2)
    residuals(cv, "lambda.min", "training", 2)
  })
})

test_that("switches are TRUE or FALSE", {
  expect_refused("argument", {
    sparserls(x, y, 5, intercept = NA)
    sparserls(x, y, 5, intercept = 1)
    sparserls(x, y, 5, standardize = "TRUE")
    sparserls(x, y, 5, standardize = NULL)
    sparserls(x, y, 5, standardize = c(TRUE, FALSE))
    cv.sparserls(x, y, 5, keep = NA)
    cv.sparserls(x, y, 5, progress = 1)
  })
})

test_that("jitter and threads are numbers", {
  expect_refused("argument", {
    sparserls(x, y, 5, jitter = -1)
    sparserls(x, y, 5, jitter = NA)
    sparserls(x, y, 5, jitter = Inf)
    sparserls(x, y, 5, jitter = "0")
    sparserls(x, y, 5, jitter = NULL)
    sparserls(x, y, 5, jitter = 1:2)
    sparserls(x, y, 5, threads = 0)
    sparserls(x, y, 5, threads = 1.5)
    sparserls(x, y, 5, threads = NA)
    sparserls(x, y, 5, threads = "2")
    cv.sparserls(x, y, 5, threads = 1:2)
  })
  old <- options(sparserls.threads = "two")
  on.exit(options(old))
  expect_refused("argument", {
    sparserls(x, y, 5)
    kernel_matrix(kernel_linear(), x)
  })
})

test_that("choices are one of their words", {
  expect_refused("argument", {
    cv.sparserls(x, y, 5, holdout_basis = "removed")
    cv.sparserls(x, y, 5, holdout_basis = c("keep", "skip"))
    cv.sparserls(x, y, 5, holdout_basis = NA)
    cv.sparserls(x, y, 5, holdout_basis = NULL)
    cv.sparserls(x, y, 5, solver = "updating")
    cv.sparserls(x, y, 5, solver = 1)
    cv.sparserls(x, y, 5, type.measure = "mean")
    cv.sparserls(x, y, 5, type.measure = NA)
    cv.sparserls(x, y, 5, type.measure = 1)
  })
})

test_that("measures that do not suit the response are refused", {
  expect_refused("measure", {
    cv.sparserls(x, y, 5, type.measure = "class")
    cv.sparserls(x, y, 5, type.measure = "auc")
    cv.sparserls(x, factor(rep(1:4, 5)), 5, type.measure = "auc")
    cv.sparserls(x, cbind(y, -y), 5, type.measure = "cindex")
  })
})

test_that("a user's measure returns one finite number", {
  measured <- function(f) cv.sparserls(x, y, 1:5, lambda = c(1, 0.1), type.measure = f)
  expect_refused("measure", {
    measured(function(y, yhat, weights) NA)
    measured(function(y, yhat, weights) Inf)
    measured(function(y, yhat, weights) 1:2)
    measured(function(y, yhat, weights) "a")
    measured(function(y, yhat, weights) NULL)
    measured(function(y, yhat) 1)
  })
  expect_error(measured(function(y, yhat, weights) stop("my own words")), "my own words")
  expect_sane(measured(function(y, yhat, weights) max(abs(y - yhat))))
})

test_that("measures of whole folds work for a single lambda", {
  set.seed(1)
  worst <- function(y, yhat, weights) max(abs(y - yhat))
  one <- cv.sparserls(x, y, 1:5, lambda = 1, foldid = rep(1:5, 4), type.measure = worst)
  two <- cv.sparserls(x, y, 1:5, lambda = c(1, 0.1), foldid = rep(1:5, 4), type.measure = worst)
  expect_equal(one$cvm, two$cvm[1])
  skip_if_not_installed("survival")
  expect_sane(cv.sparserls(x, y, 1:5, lambda = 1, nfolds = "loo", type.measure = "cindex"))
  expect_sane(cv.sparserls(x, d$f, 1:5, lambda = 1, nfolds = 2, type.measure = "auc"))
})

test_that("a formula that does not come first is told to", {
  expect_refused("dots", {
    rls(data = d, formula = y ~ a)
    cv.sparserls(data = d, formula = y ~ a)
  })
  expect_refused("y", {
    rls(d, y ~ a)
  })
})

test_that("plots take no letter for an argument of their own", {
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  two <- rls2(x, y, lambda = c(1, 0.1))
  linear <- cv.rls(y ~ a + b, d, lambda = c(1, 0.1), keep = TRUE, foldid = rep(1:5, 4))
  expect_classed("dots", {
    plot(two, s = 1)
    plot(rls(x, y), s = 1)
    plot(derivatives(linear), s = 1)
    plot(effect_curve(linear, "a"), s = 1)
  })
})
