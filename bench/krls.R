# KRLS: lambda sum of the gram's loss as here, y standardized, Gaussian kernel exp(-|x - z|^2 / p),
# leave-one-out for lambda; variance of coefficients s2 (K + lambda I)^-2, s2 = RSS / m.
krls_average <- function(x, y, lambda, gamma) {
  z <- scale(x)
  k <- exp(-gamma * as.matrix(dist(z))^2)
  scaled <- drop(scale(y))
  inverse <- solve(k + lambda * diag(nrow(k)))
  a <- inverse %*% scaled
  s2 <- mean((scaled - k %*% a)^2)
  functionals <- vapply(seq_len(ncol(x)), function(d) {
    steps <- outer(z[, d], z[, d], "-")
    colMeans(-2 * gamma * k * steps)
  }, numeric(nrow(x)))
  rate <- sd(y) / apply(x, 2, sd)
  list(average = drop(crossprod(functionals, a)) * rate,
       std.error = sqrt(s2 * colSums((inverse %*% functionals)^2)) * rate)
}
