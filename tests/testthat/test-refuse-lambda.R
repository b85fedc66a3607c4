x <- bad_x()
y <- bad_y()
id <- rep(1:5, 4)

lonely <- cbind(x, c(1, rep(0, 19)))
spanned <- cbind(x, x[, 1] + 1e-9 * x[, 2])
wide <- outer(1:5, 1:8, function(i, j) sin(i * j))
classes <- y > 1

test_that("lambda, penalty, k and scaling, anywhere", {
  expect_refusals({
    basis_greedy(5, lambda = 0) | lambda | "Every `lambda` must be positive and .. lambda[1] is 0"
    sparserls(x, y, 5, lambda = NA) | lambda | "`lambda` must be numeric .. x NA .. Leave it NULL"
    cv.greedyrls(x, y, 1, NULL) | lambda | "`lambda` must be numeric .. x NULL"
    sparserls(x, y, 5, lambda = numeric()) | lambda | "`lambda` must be numeric, not empty .. numeric vector of size"
    sparserls(x, y, 1:5, lambda = 1e-300, weights = 10^seq(-29, 29, length.out = 20)) |
      lambda | "`lambda` is too small for this problem in"
    rls2(x, y, lambda = 1e-14) | lambda | "`lambda` is too small for this problem in .. smallest"
    basis_greedy(5, lambda = c(1, 2)) | lambda | "`lambda` must be a single .. numeric vector of"
    greedyrls(x, y, 1, NULL) | lambda | "`lambda` must be a single number .. x NULL"
    predict(rls2(x, y, lambda = c(1, 0.1)), s = lambda_df(2)) |
      lambda | "lambda_df() is for least squares by .. The field `df` of the fit has"
    summary(rls2(x, y, lambda = c(1, 0.1)), s = c(1, 0.1)) | lambda | "`s` must be a single value"
    rls(x, y, lambda = lambda_df(1e-320)) | lambda | "`df` is so small that .. 9.999889e-321"
    ardrls(x, y, 5, penalty = -1) | penalty | "`penalty` must be numbers that are not .. x -1"
    ardrls(x, y, 5, penalty = "a") | penalty | '`penalty` must be numbers that .. x "a" .. Inf is'
    cv.ardrls(x, y, 5, penalty = numeric()) | penalty | "`penalty` must be .. numeric vector of"
    ardrls(x, y, 5, penalty = list(1)) | penalty | "`penalty` as a list must be .. list of size 1"
    greedyrls(x, y) | k | "`k` is missing .. How many features are to be selected?"
    greedyrls(x, y, 0) | k | "`k` .. number of columns that vary .. x 0 .. For greedyrls() it may"
    cv.greedyrls(cbind(x, c(1, rep(0, 19))), y, 4, 1, foldid = id) |
      k | "`k` .. from 1 to 3, the number of columns that vary .. x 4 .. For greedyrls() it may"
    cv.greedyrls(x, y, "loo") | k | '`k` must be a number here .. x "loo" .. The cross-validation'
    coef(greedyrls(x, y, 2), k = 3) | k | "`k` must be whole numbers from 1 to 2, the number .. x 3"
    predict(quiet(cv.greedyrls(x, y, 2, 1, foldid = id)), x, k = "lambda.min") |
      k | '`k` must be "k.min", "k.1se" or numbers of features .. "lambda.min"'
    greedyrls(lonely, y, 2, 1e-14, standardize = FALSE, intercept = FALSE) |
      lambda | "`lambda` is too small: 1 - h of .. lambda 1e-14, step 1 .. Use a larger `lambda`"
    greedyrls(spanned, y, 4, 1e-300, cache = FALSE) | lambda | "`lambda` is too small: 1 - h of a"
    greedyrls(wide, y[1:5], 6, 1e-20, criterion = "folds", foldid = c(1, 1, 2, 3, 3)) |
      lambda | "`lambda` is too small: 1 - h of .. lambda 1e-20, step 3 .. Use a larger `lambda`"
    cv.greedyrls(spanned, y, 4, c(1, 1e-300), foldid = id) | lambda | "`lambda` is too small: 1 - h"
    rls2(x, y, scaling = "fisher") | scaling | '`scaling = "fisher"` needs a .. y was numeric.'
    rls2(x, y, scaling = 1:2) | scaling | "`scaling` must be a rule or 3 numbers that .. numeric"
    rls2(x, classes, scaling = "fisher", newdata = x) | scaling | '`newdata` is for `scaling ='
    rls2(cbind(x, tells = classes), classes, scaling = "fisher") |
      scaling | 'A kernel does not vary within the classes .. x tells .. Use scaling = "norm" or'
    rls2(x, y, scaling = c(1, -1, 1)) | scaling | "`scaling`"
    rls2(bad_frame()[1:3], y, newdata = replace(bad_frame()[1:3], 1, NA_real_)) |
      newdata | "`newdata` has missing values .. Drop or impute those rows"
  })
  for (bad in list(0, c(1, -1), NA, c(1, NA), NaN, Inf, numeric(), "1", TRUE, list(1))) {
    expect_refusals({
      sparserls(x, y, 5, lambda = bad) | lambda | "`lambda`"
      cv.rls(x, y, lambda = bad) | lambda | "`lambda`"
      greedyrls(x, y, 1, bad) | lambda | "`lambda`"
    })
  }
})

test_that("s of paths of lambda and of penalties", {
  fit <- sparserls(x, y, 1:5, lambda = c(1, 0.1))
  cv <- cv.sparserls(x, y, 1:5, kernel_gaussian(width_multiples(1)), c(1, 0.1), nfolds = "loo")
  widths <- ardrls(x, y, 5, penalty = c(Inf, 10 / 3, 0), maxit = 2)
  cv_widths <- quiet(cv.ardrls(x, y, 8, penalty = c(Inf, 1), maxit = 2))
  withr::local_pdf(NULL)
  expect_refusals({
    predict(fit, x, s = 2) | lambda | "`s` is outside the path of `lambda` .. x 2 .. The path goes"
    predict(fit, x, s = "lambda.min") | lambda | '`s` must be numbers .. x "lambda.min"'
    predict(fit, s = 0.5) | lambda | "Fitted values are kept for the values of .. x 0.5"
    predict(cv, x, s = "lambda.max") | lambda | '`s` must be "lambda.min", .. "lambda.max"'
    plot(cv.rls2(x, y, lambda = Inf)) | lambda | "There is no finite .. Fit again with finite"
    predict(widths, x, s = 2) | penalty | "`s` is not on the path of `penalty` .. x 2 .. The path"
    coef(widths, s = c(Inf, 0)) | penalty | "`s` must be a single value here .. numeric vector of"
    plot(widths, "bars", s = c(Inf, 0)) | penalty | "`s` must be a single value .. numeric vector"
    predict(cv_widths, x, s = "lambda.min") | penalty | '`s` .. "penalty.1se", "penalty.min" or'
    plot(widths, "bar") | argument | '`type` must be one of "profile" .. x "bar" .. Did you mean'
    plot(widths, labels = 0) | argument | "`labels` must be a whole number of at least 1 .. x 0"
  })
  expect_refusals(generics::tidy(widths, s = 9) |
                    penalty | "`s` is not on the path of .. x 9 .. The path is Inf")
})
