# RLS with two layers from its definitions, in plain R.

# Kernels of all rows, centred in feature space by the weighted mean over training rows (w > 0).
reference_bank <- function(kernels, x, w, center) {
  share <- w / sum(w)
  lapply(kernels, function(kernel) {
    k <- reference_kernel(kernel, x, x)
    if (!center) return(k)
    means <- drop(k %*% share)
    k - outer(means, means, "+") + sum(share * means)
  })
}

# What is known of weights d: the relative duality gap, J, the degrees of freedom and the
# predictions of all rows.
reference_layers <- function(bank, s, d, y, w, lambda, intercept) {
  train <- w > 0
  root <- sqrt(w[train])
  mean <- if (intercept) sum(w * y) / sum(w) else 0
  target <- root * (y[train] - mean)
  seen <- lapply(bank, function(k) root * k[train, train] * rep(root, each = sum(train)))
  whole <- Reduce(`+`, Map(`*`, seen, d * s))
  solved <- solve(whole + lambda * diag(sum(train)), target)
  g <- s * vapply(seen, function(k) sum(solved * (k %*% solved)), 0)
  all <- Reduce(`+`, Map(`*`, bank, d * s))
  list(
    gap = (max(g) - sum(d * g)) / sum(target * solved),
    objective = lambda / 2 * sum(target * solved),
    df = sum(diag(solve(whole + lambda * diag(sum(train)), whole))),
    prediction = mean + drop(all[, train, drop = FALSE] %*% (root * solved))
  )
}

rls2_case <- function(seed) {
  set.seed(seed)
  m <- sample(10:28, 1)
  p <- sample(2:5, 1)
  x <- matrix(rnorm(m * p), m)
  list(
    x = x, y = sin(x[, 1]) + x[, p] + 0.3 * rnorm(m),
    w = switch(sample(3, 1), rep(1, m), runif(m, 0.2, 3), sample(0:2, m, TRUE, c(0.1, 0.6, 0.3))),
    kernels = replicate(sample(2:8, 1), random_kernel(p), simplify = FALSE),
    lambda = 10^seq(1, -3, length.out = 5), center = runif(1) < 0.5, intercept = runif(1) < 0.7,
    new = matrix(rnorm(3 * p), 3)
  )
}

fit_rls2 <- function(case, ...) {
  rls2(case$x, case$y, case$kernels, case$lambda, center = case$center, weights = case$w,
       intercept = case$intercept, standardize = FALSE, ...)
}
