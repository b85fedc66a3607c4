# The generator has the properties that the experiment of the paper rests on.

test_that("sizes, shapes and ranges are as documented, and a seed reproduces them", {
  set.seed(1)
  d <- simulate_parses()
  expect_s4_class(d$train$x, "dgCMatrix")
  expect_identical(unique(d$train$sentence), 1:501)
  expect_identical(unique(d$test$sentence), 1:600)
  expect_identical(dim(d$train$x), c(length(d$train$y), 60000L))
  expect_identical(dim(d$test$x), c(length(d$test$y), 60000L))
  expect_equal(length(d$train$y) / 501, 4.7, tolerance = 0.02)
  expect_equal(length(d$test$y) / 600, 18.6, tolerance = 0.02)
  expect_true(all(d$train$y >= 0 & d$train$y <= 1))
  # Tens of thousands of features occur, in few rows each.
  expect_gt(sum(Matrix::colSums(d$train$x) > 0), 20000)
  expect_lt(Matrix::nnzero(d$train$x) / length(d$train$x), 0.005)
  set.seed(1)
  expect_identical(simulate_parses(), d)
})

test_that("kernel values within sentences are about three times those between them", {
  set.seed(2)
  d <- simulate_parses(test_sentences = 1)$train
  first <- which(!duplicated(d$sentence))
  for (normalize in c(FALSE, TRUE)) {
    k <- kernel_matrix(kernel_linear(normalize), d$x, d$x[first, ])
    own <- outer(d$sentence, d$sentence[first], "==")
    k[cbind(first, seq_along(first))] <- NA
    expect_equal(mean(k[own], na.rm = TRUE) / mean(k[!own], na.rm = TRUE), 3, tolerance = 0.15)
  }
})

test_that("the three ways to treat a held-out basis vector are biased as in the paper", {
  set.seed(3)
  d <- simulate_parses(test_parses = 5)
  basis <- which(!duplicated(d$train$sentence))
  lambda <- 2^c(10, 5, 0, -5)
  run <- function(holdout_basis) {
    cv.sparserls(d$train$x, d$train$y, basis, kernel_linear(), lambda, intercept = FALSE,
                 standardize = FALSE, groups = d$train$sentence, holdout_basis = holdout_basis,
                 progress = FALSE)
  }
  removed <- run("remove")
  test <- colMeans((d$test$y - predict(removed, d$test$x, s = lambda))^2)
  expect_lt(max(abs(removed$cvm / test - 1)), 0.15)
  expect_lt(max((run("keep_loss")$cvm / test)[2:4]), 0.75)
  expect_gt(min((run("keep")$cvm / test)[3:4]), 1.75)
})

test_that("arguments that are no counts are refused", {
  expect_refused("argument", {
    simulate_parses(0)
    simulate_parses(parses = 2.5)
    simulate_parses(test_sentences = "many")
    simulate_parses(test_parses = NA)
    simulate_parses(features = -1)
  })
})
