# The wrapper of the paper in plain R, written from the definitions and sharing nothing with the
# package: for every candidate and every held-out set an honest refit on the other rows
# (reference_ridge() in helper-reference.R).

# Weighted mean, over all held rows, of the squared held-out errors summed over outputs.
wrapper_error <- function(x, y, w, lambda, intercept, folds) {
  total <- weight <- 0
  for (fold in folds) {
    held <- scored(fold)
    train <- setdiff(seq_len(nrow(x)), omitted(fold))
    error <- as.vector(y[held, ]) - reference_ridge(x, y, w, train, held, lambda, intercept)
    total <- total + sum(w[held] * error^2)
    weight <- weight + sum(w[held])
  }
  total / weight
}

# Constant columns are for the intercept to fit; without one all but zeros count.
wrapper_candidates <- function(x, w, intercept) {
  which(apply(x[w > 0, , drop = FALSE], 2, function(column) {
    if (intercept) diff(range(column)) > 0 else any(column != 0)
  }))
}

wrapper_selection <- function(x, y, w, k, lambda, intercept, folds = as.list(seq_len(nrow(x)))) {
  y <- as.matrix(y)
  selected <- integer()
  path <- numeric()
  for (step in seq_len(k)) {
    candidates <- setdiff(wrapper_candidates(x, w, intercept), selected)
    errors <- vapply(candidates, function(i) {
      wrapper_error(x[, c(selected, i), drop = FALSE], y, w, lambda, intercept, folds)
    }, 0)
    best <- which(errors <= min(errors) * (1 + 1e-10))[1]
    selected <- c(selected, candidates[best])
    path <- c(path, errors[best])
  }
  list(selected = selected, error = path)
}

# Population standardization with weights, from its definition; without an intercept not centred,
# and a constant column stays as it is.
standardized <- function(x, w, intercept) {
  apply(x, 2, function(column) {
    centre <- weighted.mean(column, w)
    sd <- sqrt(weighted.mean((column - centre)^2, w))
    (column - if (intercept) centre else 0) / if (diff(range(column[w > 0])) > 0) sd else 1
  })
}

greedy_case <- function(seed) {
  set.seed(seed)
  m <- sample(8:25, 1)
  p <- sample(3:9, 1)
  v <- if (runif(1) < 0.3) sample(2:3, 1) else 1
  x <- matrix(rnorm(m * p), m, p) %*% (diag(p) + runif(1) * matrix(rnorm(p * p), p))
  if (runif(1) < 0.3) x[, sample(p, 1)] <- 1
  y <- x[, seq_len(2)] %*% matrix(rnorm(2 * v), 2) + rnorm(1, 0, 5) + matrix(rnorm(m * v), m)
  w <- switch(sample(3, 1), rep(1, m), runif(m, 0.2, 3), sample(0:2, m, TRUE, c(0.15, 0.6, 0.25)))
  folds <- switch(sample(4, 1),
    as.list(seq_len(m)),
    unname(split(seq_len(m), sample(rep_len(1:4, m)))),
    unname(split(seq_len(m), sample(rep_len(1:2, m)))),
    replicate(3, sort(sample(m, sample(2:5, 1))), simplify = FALSE)
  )
  fine <- vapply(folds, function(held) sum(w[-held] > 0) > 1 && sum(w[held]) > 0, NA)
  varying <- length(wrapper_candidates(x, w, TRUE))
  list(x = x, y = if (v == 1) y[, 1] else y, w = w, folds = folds[fine],
       k = sample(min(5, varying), 1), lambda = 10^runif(1, -3, 2), intercept = runif(1) < 0.5)
}

greedy_fit <- function(case, ...) {
  greedyrls(case$x, case$y, case$k, case$lambda, weights = case$w, intercept = case$intercept, ...)
}

expect_sane_path <- function(fit) {
  steps <- seq_along(fit$selected)
  expect_true(all(is.finite(c(fit$loo, fit$holdout))))
  expect_true(all(is.finite(coef(fit, k = steps))))
  expect_true(all(is.finite(fitted(fit, k = steps))))
}
