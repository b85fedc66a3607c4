x <- as.matrix(prostate[, 1:8])
y <- prostate$lpsa

test_that("plots refuse what is no graphical parameter without drawing", {
  cv <- cv.rls(x, y, nfolds = 5, nlambda = 5)
  withr::local_pdf(NULL)
  expect_refusals(plot(cv, xvar = "df") | dots | "Unknown argument `xvar`.")
  expect_error(plot(cv$fit, colour = 1), class = "sparserls_error_dots")
  expect_silent(plot(cv, main = "a", col = 2, cex.axis = 0.5, xlim = c(10, 0.1)))
})

test_that("prints name features, classes and choices", {
  named <- sparserls(x, y, 1:9, kernel_gaussian(0.1, features = c("age", "lcavol")), lambda = 1)
  expect_match(format(named$kernel), "on age, lcavol", fixed = TRUE)
  expect_said({
    lambda_df(5)
    lambda_df(1:9)
    summary(rls(x, y, lambda = 10^(9:0)))
    summary(greedyrls(x, y, 3))
    rls(x, y > 2, lambda = 1)
    rls2(x, cut(y, 3, labels = c("low", "mid", "high")), lambda = 1)
  })
  set.seed(1)
  cv <- cv.greedyrls(x, y, 8, 1, nfolds = 5)
  expect_output(print(cv), sprintf("%d of 8 features selected", cv$k.min), fixed = TRUE)
})

test_that("prints tell missing values and outputs", {
  expect_output(print(rls(Ozone ~ Wind, airquality)), "116 rows (37 more with missing values), ",
                fixed = TRUE)
  expect_output(print(greedyrls(Ozone ~ Wind, airquality, k = 1)), "116 rows (37", fixed = TRUE)
  expect_output(print(rls(mpg ~ wt, mtcars)), "32 rows, linear kernel", fixed = TRUE)
  two <- cv.rls(cbind(mpg, wt) ~ hp, mtcars)
  expect_output(print(two), "2 outputs: mpg, wt\n10 folds, errors summed over outputs")
  greedy <- cv.greedyrls(cbind(mpg, wt) ~ hp + qsec, mtcars, k = 1)
  expect_output(print(greedy), "10 folds, errors summed over outputs")
  own <- cv.rls(cbind(mpg, wt) ~ hp, mtcars, type.measure = function(y, f, w) mean(abs(y - f)))
  expect_output(print(own), "2 outputs: mpg, wt\n10 folds\n")
})

test_that("the largest size of the basis is said where it is best", {
  search <- function(sizes) {
    set.seed(1)
    cv <- quiet(cv.sparserls(x, y, basis_sizes(sizes), kernel_gaussian(0.01)))
    paste(capture.output(print(cv)), collapse = " ")
  }
  said <- "The best size of the basis, 20, is the largest of those searched"
  expect_match(search(c(2, 5, 20)), said, fixed = TRUE)
  expect_no_match(search(c(2, 20)), "size of the basis, ")
  expect_no_match(search(c(2, 20, 97)), "size of the basis, ")
})

test_that("at the end of its grid cv.rls() is not told of basis vectors, nor of itself", {
  set.seed(1)
  x <- matrix(rnorm(800), 20)
  y <- drop(x %*% rnorm(40))
  expect_message(cv.rls(x, y, lambda = 10^(0:-3), nfolds = 5),
                 "may do better: more features or another kernel.", fixed = TRUE)
})
