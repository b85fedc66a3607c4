# The coefficients of every refit come with the residuals: they predict what is held out.

fold_coefficients <- function(case, form) {
  found <- parts_of_case(case, case$y, form)
  training <- turned(found$training, found$plan, case$lambda)
  expect_identical(is.null(training$vectors), form == "update")
  held <- hold_out(training, found$plan, case$lambda, "coefficients")
  shape <- c(NCOL(case$y), length(case$lambda), length(found$plan$h))
  c(found, list(alpha = array(held$values, c(nrow(held$values), shape)),
                a0 = array(held$offsets, shape)))
}

# Predictions of the scored rows of fold i at the l-th lambda.
predicted_rows <- function(found, k, rows, l, i) {
  alpha <- matrix(found$alpha[, , l, i], ncol(k))
  k[rows, , drop = FALSE] %*% alpha + rep(found$a0[, l, i], each = length(rows))
}

test_that("the coefficients of a refit, by either form, predict the rows that it was made without", {
  compared <- 0
  worst <- 0
  for (seed in 901:1060) {
    case <- if (seed %% 4 == 0) redundant_case(seed) else random_case(seed)
    # The shift of a basis vector that is held out goes over to its twin: no new row has either.
    if (identical(case$redundancy, "twins")) case$jitter <- 0
    # Where folds overlap, what is kept is a mean.
    if (anyDuplicated(unlist(case$folds))) next
    honest <- suppressWarnings(suppressMessages(cv_case(case, "update")))$fit.preval
    honest <- array(honest, c(nrow(case$x), NCOL(case$y), length(case$lambda)))
    found <- suppressWarnings(fold_coefficients(case, c("update", "retrain")[seed %% 2 + 1]))
    k <- reference_shifted(case$kernel, case$x, found$basis, case$jitter)
    fold <- unique(found$plan$fold)
    for (i in seq_along(fold)) {
      rows <- found$plan$rows[found$plan$fold == fold[i] & found$plan$scored]
      for (l in seq_along(case$lambda)) {
        error <- predicted_rows(found, k, rows, l, i) - honest[rows, , l]
        worst <- max(worst, abs(error) / max(abs(honest), na.rm = TRUE))
        compared <- compared + length(rows)
      }
    }
  }
  expect_gt(compared, 1000)
  expect_lt(worst, 1e-8)
})
