skip_if_not_installed("generics")

test_that("tidiers give data frames of what the objects hold", {
  set.seed(1)
  x <- matrix(rnorm(90), 30)
  y <- x[, 1] + 0.1 * rnorm(30)
  cv <- cv.sparserls(x, y, 1:8, kernel_gaussian(0.3), c(1, 0.1), nfolds = 5, progress = FALSE)
  expect_identical(generics::tidy(cv)$estimate, cv$cvm)
  expect_identical(generics::glance(cv)$lambda.1se, cv$lambda.1se)
  expect_identical(generics::augment(cv)$.fitted, fitted(cv))
  expect_identical(generics::augment(cv, newdata = x[1:3, ])$.fitted, predict(cv, x[1:3, ]))
  terms <- generics::tidy(cv$fit)
  expect_identical(terms$estimate, as.vector(coef(cv$fit)))
  expect_identical(nrow(terms), 18L)
  two <- sparserls(x, cbind(a = y, b = -y), 1:8, kernel_gaussian(0.3), c(1, 0.1))
  terms <- generics::tidy(two)
  expect_identical(terms$estimate[terms$output == "b" & terms$lambda == 0.1],
                   unname(coef(two)[, "b", 2]))
  expect_identical(generics::glance(two)$nterms, 8L)
})

test_that("a response of new rows that is of another type is refused", {
  d <- transform(prostate[1:20, ], class = factor(rep(c("u", "v"), 10)), late = age > 60)
  numbers <- rls(log(lpsa + 2) ~ age, d, lambda = 1)
  plain <- greedyrls(lpsa ~ age + lcavol, d, k = 1)
  classes <- rls(class ~ age, d, lambda = 1)
  late <- rls(late ~ lcavol, d, lambda = 1)
  expect_refusals({
    generics::augment(plain, newdata = transform(d, lpsa = class)) | newdata |
      "The response must be numeric, as in the fit. .. factor of size 20"
    generics::augment(numbers, newdata = transform(d, lpsa = "2")) | newdata |
      "The response could not be evaluated. .. non-numeric argument to binary operator"
    generics::augment(classes, newdata = transform(d, class = age)) | newdata |
      "The response must have the classes of the fit. .. numeric vector of size 20"
  })
  # Classes may be given as text, and unknown ones or missing values have no residuals.
  residuals <- function(fit, ...) generics::augment(fit, newdata = transform(d, ...))$.resid
  wanted <- generics::augment(classes, newdata = d)$.resid
  expect_identical(residuals(classes, class = as.character(class)), wanted)
  expect_identical(residuals(classes, class = replace(as.character(class), 3, "w")),
                   replace(wanted, 3, NA))
  for (fit in list(numbers, plain)) {
    expect_true(all(is.na(residuals(fit, lpsa = NA))))
    expect_true(all(is.finite(residuals(fit, lpsa = lpsa > 1))))
  }
  expect_null(generics::augment(plain, newdata = d[c("age", "lcavol")])$.resid)
})

test_that("augment takes data", {
  fit <- rls(lpsa ~ lcavol, prostate, lambda = c(10, 1))
  rows <- generics::augment(fit, prostate[1:3, ], s = 1)
  expect_identical(rows$.fitted, unname(predict(fit, prostate[1:3, ], s = 1)))
  two <- rls(as.matrix(prostate[1:4]), as.matrix(prostate[8:9]), lambda = 1)
  expect_identical(dim(generics::augment(two)$.fitted), c(97L, 2L))
})
