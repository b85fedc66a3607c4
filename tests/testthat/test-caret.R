skip_if_not_installed("caret")
train <- prostate[prostate$train, -10]

test_that("train() tunes and predicts numbers", {
  grid <- expand.grid(lambda = c(10, 1), gamma = c(0.05, 0.2))
  index <- lapply(1:3, function(i) which(rep_len(1:3, 67) != i))
  found <- caret::train(lpsa ~ ., train, method = caret_sparserls(), tuneGrid = grid, basis = 1:15,
                        trControl = caret::trainControl("cv", index = index))
  errors <- vapply(index, function(rows) {
    fit <- sparserls(lpsa ~ ., train[rows, ], 1:15, kernel_gaussian(0.2), c(10, 1))
    sqrt(colMeans((train$lpsa[-rows] - predict(fit, train[-rows, ]))^2))
  }, numeric(2))
  shown <- found$results[found$results$gamma == 0.2, ]
  expect_equal(shown$RMSE[order(-shown$lambda)], unname(rowMeans(errors)))
  final <- sparserls(lpsa ~ ., train, 1:15, kernel_gaussian(found$bestTune$gamma),
                     found$bestTune$lambda)
  expect_equal(unname(predict(found, train)), unname(predict(final, train)))
})

test_that("classes with probabilities; the random grid", {
  control <- caret::trainControl("cv", 2, classProbs = TRUE)
  set.seed(1)
  found <- caret::train(Species ~ ., iris, method = caret_sparserls(), basis = 20,
                        tuneGrid = data.frame(lambda = 1, gamma = 0.3), trControl = control)
  p <- predict(found, iris[c(1, 51, 101), ], type = "prob")
  expect_identical(names(p), levels(iris$Species))
  expect_equal(unname(rowSums(p)), rep(1, 3))
  random <- caret_sparserls()$grid(as.matrix(iris[1:4]), iris$Species, 5, "random")
  expect_identical(dim(random), c(5L, 2L))
})

test_that("factors and whole numbers as columns of x, missing values, other kernels", {
  beaver <- data.frame(time = 1:60, who = factor(rep(c("a", "b", "c"), 20)), weight = rep(1:4, 15))
  beaver$y <- sin(beaver$time / 10) + (beaver$who == "b")
  index <- list(1:45, 16:60)
  train <- function(...) {
    suppressWarnings(caret::train(beaver[1:3], beaver$y, method = caret_sparserls(), basis = 1:20,
                                  trControl = caret::trainControl("cv", index = index), ...))
  }
  set.seed(1)
  found <- train(tuneLength = 2)
  expect_false(anyNA(found$results$RMSE))
  fit <- sparserls(beaver[1:3], beaver$y, 1:20, kernel_gaussian(found$bestTune$gamma),
                   found$bestTune$lambda)
  new <- beaver[c(3, 50), 1:3]
  expect_equal(predict(found, new), as.vector(predict(fit, new)))
  default <- sparserls(beaver[1:3], beaver$y, 1:20, lambda = 1)$kernel$gamma
  expect_equal(unique(found$results$gamma), default * c(1 / 16, 4))
  grid <- data.frame(lambda = 1, gamma = 0.3)
  other <- train(tuneGrid = grid, kernel = kernel_matern())
  expect_identical(other$finalModel$kernel[c("name", "gamma")], list(name = "matern", gamma = 0.3))
  gaps <- replace(beaver, 2, replace(beaver$who, 1:5, NA))
  expect_error(caret::train(gaps[1:3], gaps$y, method = caret_sparserls(), tuneLength = 2),
               class = "sparserls_error_x")
})

test_that("family = \"binomial\" has the probabilities of the fit alone; counts have means", {
  two <- droplevels(iris[51:150, ])
  grid <- data.frame(lambda = 1, gamma = 0.3)
  train <- function(form, data, ...) {
    caret::train(form, data, method = caret_sparserls(), tuneGrid = grid, ...)
  }
  found <- train(Species ~ ., two, family = "binomial", basis = 1:20,
                 trControl = caret::trainControl("none", classProbs = TRUE))
  expect_s3_class(found$finalModel, "glmrls")
  wanted <- sparserls(as.matrix(two[1:4]), two$Species, 1:20, kernel_gaussian(0.3), 1,
                      family = "binomial")
  expect_equal(as.matrix(predict(found, two, type = "prob")),
               predict(wanted, as.matrix(two[1:4]), type = "prob"), ignore_attr = TRUE)
  expect_identical(predict(found, two), predict(wanted, as.matrix(two[1:4]), type = "class"))
  counts <- train(y ~ lbase + lage, MASS::epil, family = "poisson", basis = 1:5 * 40,
                  trControl = caret::trainControl("none"))
  wanted <- sparserls(y ~ lbase + lage, MASS::epil, 1:5 * 40, kernel_gaussian(0.3), 1,
                      family = "poisson")
  expect_equal(unname(predict(counts, MASS::epil[1:9,])), unname(predict(wanted, MASS::epil[1:9,])))
})
