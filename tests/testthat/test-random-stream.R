# The user's stream of random numbers: what draws nothing leaves it alone, and what draws goes on to
# the same numbers under any plan.

stream <- function() globalenv()$.Random.seed

drawn_by <- function(code, seed = 1) {
  set.seed(seed)
  value <- suppressWarnings(suppressMessages(code))
  list(value = value, stream = stream())
}

expect_no_draw <- function(code) {
  set.seed(1)
  before <- stream()
  suppressWarnings(suppressMessages(capture.output(code)))
  testthat::expect_identical(stream(), before)
}

test_that("a call draws its folds and nothing else, methods and calls with given folds nothing", {
  folds <- drawn_by(cv_folds(150, 10))
  two <- iris$Species == "virginica"
  for (y in list(iris$Species, two, iris$Sepal.Width)) {
    expect_identical(drawn_by(cv.rls(as.matrix(iris[1:3]), y))$stream, folds$stream)
  }
  x <- as.matrix(iris[1:4])
  id <- rep_len(1:5, 150)
  three <- iris$Species
  counts <- round(iris$Petal.Length)
  expect_no_draw({
    rls(x, three, lambda = 1)
    sparserls(x, three, 1:20, lambda = 1)
    cv.rls2(x, three, nlambda = 3, foldid = id)
    cv.greedyrls(x, three, 2, lambda = 1, foldid = id)
    cv.rls(x, iris$Petal.Width, nfolds = "loo")
    cv.rls(x, three, groups = id, type.measure = "class")
    cv.sparserls(x, counts, 1:20, lambda = 1, foldid = id, family = "poisson")
    cv.sparserls(Species ~ ., iris, 1:20, foldid = id, weights = class_weights(Species))
  })
  cv <- suppressMessages(cv.sparserls(Species ~ ., iris, 1:20, foldid = id, keep = TRUE))
  expect_no_draw({
    print(summary(cv))
    predict(cv, iris, type = "prob")
    derivatives(cv)
    effect_curve(cv, "Sepal.Width")
    average_effect(cv, function(d) transform(d, Sepal.Width = Sepal.Width + 1))
  })
  withr::local_pdf(NULL)
  expect_no_draw({
    generics::augment(cv, newdata = iris)
    plot(cv, what = "calibration")
  })
})
