# Sigmoids of held-out scores from Platt's definition, in plain R.

# Minus the log likelihood of smoothed classes (Platt 2000) over a_k and b_k >= 0, by another
# optimizer than the package's. scores: rows x classes, of two classes a vector; n: how many rows of
# each class count.
plain_sigmoid <- function(scores, class, w, n = tapply(w, class, sum)) {
  class <- as.integer(factor(class))
  v <- max(class)
  target <- matrix(0, length(class), v)
  for (i in seq_along(class)) {
    k <- class[i]
    target[i, ] <- 1 / (n[k] + 2) / (v - 1)
    target[i, k] <- (n[k] + 1) / (n[k] + 2)
  }
  scores <- as.matrix(scores)
  q <- ncol(scores)
  loss <- function(ab) {
    eta <- sapply(1:q, function(k) ab[k] + ab[q + k] * scores[, k])
    if (q == 1) eta <- cbind(0, eta)
    -sum(w * target * (eta - log(rowSums(exp(eta))))) / sum(w)
  }
  found <- nlminb(rep(c(0, 0.5), each = q), loss, lower = rep(c(-Inf, 0), each = q),
                  control = list(iter.max = 1000, eval.max = 5000, rel.tol = 1e-14))
  c(found$par, found$objective)
}

# a and b of a cross-validation, which are found to the root of the digits of the loss, at
# lambda.min or (at = 2) lambda.1se.
expect_sigmoid <- function(cv, reference, score, at = 1) {
  found <- cv$calibration$intercept[1, at] + cv$calibration$slope[1, at] * score
  expect_equal(as.vector(found), unname(reference[1] + reference[2] * score), tolerance = 1e-4)
}
