set.seed(1)
m <- 40
x <- matrix(rnorm(m * 4), m)
y <- sin(x[, 1]) + 0.2 * rnorm(m)
lambda <- c(10, 1, 0.01)

rls_case <- function(case, kernel, solver) {
  cv.rls(case$x, case$y, kernel, case$lambda, weights = case$w, intercept = case$intercept,
         standardize = FALSE, solver = solver, folds = case$folds, keep = TRUE, progress = FALSE)
}

test_that("held-out predictions are those of honest refits, for every kernel and solver", {
  for (seed in 501:514) {
    case <- random_case(seed)
    if (seed %% 2) case <- with_wider_folds(case)
    expect_honest <- function(z, kernel, solvers) {
      honest <- reference_ridge_cv(z, case$y, case$w, case$folds, case$lambda, case$intercept)
      for (solver in solvers) {
        expect_lt(relative_error(rls_case(case, kernel, solver)$fit.preval, honest), 1e-8,
                  label = paste(seed, kernel$name, solver))
      }
    }
    k <- reference_kernel(case$kernel, case$x, case$x)
    expect_honest(reference_coordinates(k), case$kernel, "dual")
    expect_honest(case$x, kernel_linear(), c("dual", "svd", "primal"))
  }
})

test_that("leave-one-out is the closed form, at tiny lambda too", {
  k <- kernel_matrix(kernel_laplacian(1), x)
  for (lambda in c(1e-14, 0.1)) {
    g <- solve(k + lambda * diag(m))
    cv <- cv.rls(x, y, kernel_laplacian(1), lambda, intercept = FALSE, standardize = FALSE,
                 nfolds = "loo", keep = TRUE)
    expect_equal(cv$fit.preval[, 1], y - drop(g %*% y) / diag(g),
                 tolerance = if (lambda == 0.1) 1e-12 else 1e-9)
  }
})

test_that("leave-pair-out is what refits without both rows say", {
  m <- 14
  x <- matrix(rnorm(m * 2), m)
  y <- x[, 1] + rnorm(m)
  w <- runif(m, 0.5, 2)
  w[4] <- 0
  class <- y > 0
  honest <- function(z, y, lambda) {
    above <- total <- 0
    for (i in 2:m) for (j in seq_len(i - 1)) {
      if (y[i] == y[j]) next
      f <- reference_ridge(z, y, w, setdiff(1:m, c(i, j)), c(i, j), lambda, TRUE)[, 1, 1]
      above <- above + w[i] * w[j] * ((f[1] - f[2]) * (y[i] - y[j]) > 0)
      total <- total + w[i] * w[j]
    }
    above / total
  }
  pairs <- function(y, kernel, measure, solver = "auto") {
    cv.rls(x, y, kernel, lambda, weights = w, standardize = FALSE, nfolds = "pairs",
           type.measure = measure, solver = solver)$cvm
  }
  z <- reference_coordinates(kernel_matrix(kernel_gaussian(0.5), x))
  codes <- ifelse(class, 1, -1)
  expect_equal(pairs(class, kernel_gaussian(0.5), "auc"),
               sapply(lambda, function(l) honest(z, codes, l)))
  for (solver in c("dual", "svd", "primal")) {
    expect_equal(pairs(y, kernel_linear(), "cindex", solver),
                 sapply(lambda, function(l) honest(x, y, l)))
  }
})

test_that("standard errors of leave-pair-out are those of survival, by what single rows move", {
  # With a huge lambda and no intercept the held-out order is that of one fixed score.
  score <- drop(x %*% c(1, 0, 0, 0))
  cv <- cv.rls(cbind(score), y, lambda = 1e6, intercept = FALSE, standardize = FALSE,
               nfolds = "pairs", type.measure = "cindex")
  found <- survival::concordancefit(y, score)
  expect_equal(cv$cvm, unname(found$concordance), tolerance = 1e-12)
  expect_equal(cv$cvsd, sqrt(found$var), tolerance = 1e-8)
  concordant <- cbind(c(2, 1, 1), c(1, 1, 0))
  found <- differences(structure(list(concordant = concordant, pairs = matrix(2, 3, 2)),
                                 class = "held_pairs"), NULL, 1)
  by_row <- 2 * (concordant - 2 * rep(c(4, 2) / 6, each = 3)) / 6
  error <- sqrt(sum((by_row[, 2] - by_row[, 1])^2))
  expect_equal(found, list(cvm = c(0, -1 / 3), cvsd = c(0, error)))
})
