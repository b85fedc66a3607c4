# The reason for greedyrls(): it selects what a wrapper around honest refits selects.

expect_wrapper <- function(fit, wrapper, seed) {
  error <- if (fit$criterion == "loo") fit$loo else fit$holdout
  expect_identical(fit$selected, wrapper$selected, info = sprintf("seed %d", seed))
  expect_lt(max(abs(error / wrapper$error - 1)), 1e-8)
}

test_that("features, order and leave-one-out errors are those of the wrapper", {
  for (seed in 1:200) {
    case <- greedy_case(seed)
    wrapper <- wrapper_selection(case$x, case$y, case$w, case$k, case$lambda, case$intercept)
    expect_wrapper(greedy_fit(case, standardize = FALSE), wrapper, seed)
    expect_wrapper(greedy_fit(case, standardize = FALSE, cache = FALSE), wrapper, seed)
  }
})

test_that("features, order and errors are those of the wrapper with any hold-out sets", {
  for (seed in 1:200) {
    case <- greedy_case(seed)
    wrapper <- wrapper_selection(case$x, case$y, case$w, case$k, case$lambda, case$intercept,
                                 case$folds)
    fit <- greedy_fit(case, standardize = FALSE, criterion = "folds", folds = case$folds)
    expect_wrapper(fit, wrapper, seed)
  }
})
