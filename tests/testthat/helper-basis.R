# Selections of basis vectors in plain R, written from the algorithms and sharing nothing with the
# package but the order in which random numbers are drawn.

# Algorithm 1 of the 2012 paper: a fit for every candidate. k: kernel of all rows with all rows,
# jitter included; rows: those that may be looked at. Rows that repeat another one are never chosen.
naive_greedy <- function(k, y, w, n, candidates, lambda, intercept, rows = seq_len(nrow(k)),
                         open = rows) {
  y <- as.matrix(y)
  draws <- lapply(seq_len(min(n, length(open))), function(step) {
    left <- length(open) - step + 1
    sample.int(left, min(candidates, left))
  })
  basis <- integer()
  for (draw in draws) {
    tried <- sort(setdiff(open, basis)[draw])
    errors <- vapply(tried, function(row) training_error(k, y, w, c(basis, row), lambda, intercept,
                                                         rows), 0)
    basis <- c(basis, tried[which(errors <= min(errors) * (1 + 1e-10))[1]])
  }
  basis
}

training_error <- function(k, y, w, basis, lambda, intercept, rows) {
  fitted <- reference_refit(k[, basis, drop = FALSE], y, w, basis, seq_along(basis), rows, rows,
                            lambda, intercept)
  sum(w[rows] * (y[rows, , drop = FALSE] - fitted[, , 1])^2)
}

# Randomly pivoted Cholesky on the whole kernel matrix, by Schur complements. Of up to `proposals`
# rows, which are drawn at once, each is kept with the ratio of what is left of it to what was.
naive_rpcholesky <- function(k, n, rows = seq_len(nrow(k)), proposals = 64) {
  seed <- sample.int(.Machine$integer.max, 1)
  with_random_seed(seed, draw_rpcholesky(k, n, rows, proposals))
}

draw_rpcholesky <- function(k, n, rows, proposals) {
  schur <- k[rows, rows, drop = FALSE]
  self <- diag(schur)
  least <- 1e4 * .Machine$double.eps * self
  chosen <- integer()
  while (length(chosen) < n) {
    drawn <- ifelse(diag(schur) > least, diag(schur), 0)
    drawn[chosen] <- 0
    proposed <- runif(min(proposals, n - length(chosen)))
    if (sum(drawn) == 0) break
    proposed <- vapply(proposed, function(u) which(cumsum(drawn) > u * sum(drawn))[1], 0L)
    kept <- runif(length(proposed))
    for (i in seq_along(proposed)) {
      row <- proposed[i]
      left <- schur[row, row]
      if (left <= least[row] || kept[i] * drawn[row] >= left) next
      schur <- schur - tcrossprod(schur[, row]) / left
      chosen <- c(chosen, row)
    }
  }
  rows[chosen]
}
