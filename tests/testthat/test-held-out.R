d <- transform(prostate, w = rep(1:2, length.out = 97), o = age / 50,
               fold = rep(1:5, length.out = 97))
d$class <- cut(d$lpsa, c(-Inf, 1.7, 2.7, Inf), c("low", "middle", "high"))

methods <- list(
  sparserls = function(...) {
    cv.sparserls(..., basis = 1:20, lambda = c(10, 1), kernel = kernel_gaussian(0.05))
  },
  rls = function(...) cv.rls(..., lambda = c(10, 1)),
  rls2 = function(...) cv.rls2(..., lambda = c(10, 1)),
  greedyrls = function(...) cv.greedyrls(..., k = 3, lambda = c(10, 1)),
  ardrls = function(...) cv.ardrls(..., basis = 1:20, penalty = c(Inf, 1), maxit = 2)
)
points <- list(sparserls = c(10, 1), rls = c(10, 1), rls2 = c(10, 1), greedyrls = 1:2,
               ardrls = c(Inf, 1))

form <- lpsa ~ lcavol + age + svi

test_that("held-out residuals are those of the error, and tables have both", {
  for (name in names(methods)) {
    method <- methods[[name]]
    at <- points[[name]]
    set.seed(1)
    cv <- quiet(method(form, d, weights = "w", nfolds = 4, type.measure = "mse", keep = TRUE))
    chosen <- if (name == "ardrls") "1se" else "min"
    held <- fitted(cv, type = "held-out")
    residual <- residuals(cv, type = "held-out")
    expect_equal(residual, d$lpsa - held, info = name)
    expect_equal(weighted.mean(residual^2, d$w), cv$cvm[cv$index[chosen, , drop = FALSE]])
    several <- residuals(cv, at, type = "held-out")
    expect_equal(several[, 2], residuals(cv, at[2], type = "held-out"), info = name)
    error <- if (name == "greedyrls") cv$cvm[1:2, cv$index["min", "Lambda"]] else cv$cvm
    expect_equal(colSums(d$w * several^2) / sum(d$w), error, ignore_attr = TRUE, info = name)
    expect_output(print(summary(cv)), "Held-out predictions are kept")

    rows <- generics::augment(cv, d)
    expect_identical(tail(names(rows), 4), c(".fitted", ".resid", ".held_out", ".held_out_resid"))
    expect_equal(rows$.held_out, held, ignore_attr = TRUE, info = name)
    expect_equal(rows$.held_out_resid, residual, ignore_attr = TRUE, info = name)
    expect_identical(generics::augment(cv)$.held_out, rows$.held_out)
  }
  none <- quiet(cv.rls(form, d, lambda = 1))
  expect_refusals({
    fitted(none, type = "held-out") | keep | "keep = TRUE"
    residuals(none, type = "held-out") | keep | "keep = TRUE"
    residuals(cv, type = "heldout") | argument | "held-out"
  })
})

test_that("with an offset they are what is kept, means of several folds, NA where none scores", {
  keeping <- function(...) {
    cv.rls(lpsa ~ lcavol + age + offset(o), d, lambda = c(10, 1), standardize = FALSE, keep = TRUE,
           ...)
  }
  cv <- keeping(foldid = "fold")
  expect_identical(fitted(cv, type = "held-out"), cv$fit.preval[, cv$index["min", 1]])
  expect_refusals(fitted(cv, s = 5, type = "held-out") |
                    lambda | "only for the values of `lambda` in the path")
  twice <- keeping(folds = list(1:10, 5:30))
  expect_identical(which(is.na(residuals(twice, type = "held-out"))), 31:97)
  one <- keeping(folds = list(1:10))
  two <- keeping(folds = list(5:30))
  both <- vapply(list(one, two), fitted, numeric(97), s = 1, type = "held-out")
  expect_equal(fitted(twice, s = 1, type = "held-out")[5:10], rowMeans(both)[5:10])
})

test_that("several outputs, each at its own lambda too, and classes", {
  y <- as.matrix(d[c("lpsa", "lcp")])
  cv <- quiet(cv.rls(y ~ age + svi + pgg45, d, lambda = c(100, 10, 1), by.output = TRUE,
                     keep = TRUE, nfolds = 5))
  held <- fitted(cv, type = "held-out")
  expect_identical(held, cv$fit.preval[, , cv$index["min", 1]])
  own <- fitted(cv, "lambda.min.output", type = "held-out")
  error <- cv$cvm.output[cbind(match(cv$lambda.min.output, cv$lambda), 1:2)]
  expect_equal(colMeans((y - own)^2), error, ignore_attr = TRUE)

  cv <- quiet(cv.rls(class ~ age + svi + pgg45, d, lambda = c(10, 1), keep = TRUE, nfolds = 5))
  scores <- fitted(cv, type = "held-out")
  expect_equal(mean(max.col(scores, "first") != as.integer(d$class)), min(cv$cvm))
  codes <- 2 * outer(as.integer(d$class), 1:3, "==") - 1
  expect_equal(residuals(cv, type = "held-out"), codes - scores, ignore_attr = TRUE)
})

test_that("with a family they are of means, and have deviances", {
  cv <- quiet(cv.rls(Claims ~ Age + Group + offset(log(Holders)), MASS::Insurance,
                     family = "poisson", nfolds = 8, nlambda = 10, keep = TRUE))
  y <- MASS::Insurance$Claims
  mean <- fitted(cv, type = "held-out")
  expect_equal(log(mean), cv$fit.preval[, cv$index["min", 1]])
  expect_equal(residuals(cv, type = "held-out"), y - mean)
  deviance <- residuals(cv, type = "held-out deviance")
  expect_equal(mean(deviance^2), min(cv$cvm))
  expect_identical(sign(deviance), sign(y - mean))
  expect_refusals(residuals(cv, type = "held out") |
                    argument | '"held-out deviance" .. Did you mean "held-out"?')
})

test_that("of rows in chunks the files have them", {
  chunks <- chunks_function(2, function(i) d[if (i == 1) 1:50 else 51:97, ])
  chunked <- function(...) {
    quiet(cv.rls(lpsa ~ age + svi, chunks, nfolds = 4, progress = FALSE, ...))
  }
  plain <- chunked()
  kept <- chunked(keep = withr::local_tempdir())
  expect_refusals({
    fitted(plain, type = "held-out") | keep | "not in memory .. Give `keep` a folder"
    residuals(kept, type = "held-out") | keep | "not in memory .. `predictions` names their files"
  })
})
