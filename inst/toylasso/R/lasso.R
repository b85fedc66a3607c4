# The lasso as a method of sparserls: own(y ~ ., data, method = lasso()), cv.own(...). It minimizes
#   1/2 sum_i w_i (y_i - b0 - x_i'b)^2 + lambda sum_j |b_j|
# for every output, by cyclic coordinate descent from one lambda to the next.
lasso <- function(lambda = default_lambda, tolerance = 1e-10) {
  sparserls::own_method(
    "lasso", path = list(lambda = lambda), coef = identity,
    train = function(x, y, weights, path) {
      centre <- colSums(weights * x) / sum(weights)
      mean <- colSums(weights * y) / sum(weights)
      x <- sqrt(weights) * sweep(x, 2, centre)
      y <- sqrt(weights) * sweep(y, 2, mean)
      answer <- array(0, c(1 + ncol(x), ncol(y), length(path)))
      for (j in seq_len(ncol(y))) {
        b <- numeric(ncol(x))
        for (l in seq_along(path)) {
          b <- descend(b, crossprod(x), crossprod(x, y[, j]), path[l], tolerance)
          answer[, j, l] <- c(mean[j] - sum(centre * b), b)
        }
      }
      answer
    }
  )
}

# 30 values, from the smallest lambda at which all slopes are zero on.
default_lambda <- function(x, y, weights) {
  mean <- colSums(weights * y) / sum(weights)
  centre <- colSums(weights * x) / sum(weights)
  largest <- max(abs(crossprod(sweep(x, 2, centre), weights * sweep(y, 2, mean))))
  largest * 10^seq(0, -3, length.out = 30)
}

# The slopes b at one lambda. xx, xy: cross products.
descend <- function(b, xx, xy, lambda, tolerance) {
  repeat {
    before <- b
    for (k in which(diag(xx) > 0)) {
      rest <- xy[k] - sum(xx[k, -k] * b[-k])
      b[k] <- sign(rest) * max(abs(rest) - lambda, 0) / xx[k, k]
    }
    if (max(abs(b - before)) <= tolerance * max(abs(b), 1e-300)) return(b)
  }
}
