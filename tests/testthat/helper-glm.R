# Penalized likelihood in plain R.

# Rows with a response of every family.
family_rows <- function(seed, m) {
  set.seed(seed)
  d <- data.frame(a = rnorm(m), b = runif(m), e = rexp(m) + 0.1, id = rep_len(seq_len(m / 6), m))
  d$w <- runif(m, 0.5, 2)
  eta <- sin(2 * d$a) + d$b - 0.5
  d$o <- log(d$e)
  d$z <- rbinom(m, 1, plogis(2 * eta))
  d$s <- rbinom(m, 5, plogis(eta))
  d$n <- rpois(m, d$e * exp(eta))
  d$g <- rgamma(m, 2, 2 / exp(eta))
  d$q <- rnbinom(m, size = 1.3, mu = d$e * exp(eta))
  d$k <- factor(c("x", "y", "z")[1 + rbinom(m, 2, plogis(eta))])
  d
}

# Half of the unit deviance's first and second derivatives, from their definitions, written so that
# they keep their digits at both ends.
reference_loss <- function(name, theta) {
  switch(name,
    gaussian = list(score = function(y, eta) eta - y, weight = function(y, eta) 0 * eta + 1),
    binomial = list(score = function(y, eta) (1 - y) * plogis(eta) - y * plogis(-eta),
                    weight = function(y, eta) plogis(eta) * plogis(-eta)),
    poisson = list(score = function(y, eta) exp(eta) - y, weight = function(y, eta) exp(eta)),
    gamma = list(score = function(y, eta) 1 - y * exp(-eta),
                 weight = function(y, eta) y * exp(-eta)),
    negative_binomial = list(
      score = function(y, eta) theta * plogis(eta - log(theta)) - y * plogis(log(theta) - eta),
      weight = function(y, eta) (y + theta) * plogis(eta - log(theta)) * plogis(log(theta) - eta)
    )
  )
}

# Linear predictors without the offset of `rows` by the penalized fit in coordinates z (a row each)
# to the rows `train`: Newton steps by QR, halved until the slope along a step does not end
# higher than half of what it began with.
reference_glm <- function(z, y, offset, w, train, rows, lambda, intercept, name, theta) {
  loss <- reference_loss(name, theta)
  design <- if (intercept) cbind(1, z) else z
  penalty <- c(if (intercept) 0, rep(lambda, ncol(z)))
  train <- train[w[train] > 0]
  x <- design[train, , drop = FALSE]
  eta_of <- function(b) offset[train] + drop(x %*% b)
  gradient_of <- function(b) {
    drop(crossprod(x, w[train] * loss$score(y[train], eta_of(b)))) + penalty * b
  }
  b <- numeric(ncol(design))
  if (intercept && name == "gamma") {
    b[1] <- log(sum(w[train] * y[train] * exp(-offset[train])) / sum(w[train]))
  } else if (intercept && name %in% c("poisson", "negative_binomial")) {
    b[1] <- log(sum(w[train] * y[train]) / sum(w[train] * exp(offset[train])))
  }
  for (step in 1:300) {
    weight <- sqrt(w[train] * loss$weight(y[train], eta_of(b)))
    root <- qr.R(qr(rbind(weight * x, diag(sqrt(penalty), length(penalty))), tol = 0))
    gradient <- gradient_of(b)
    move <- backsolve(root, backsolve(root, gradient, transpose = TRUE))
    share <- 1
    while (!isTRUE(sum(move * gradient_of(b - share * move)) >= -sum(move * gradient) / 2) &&
           share > 1e-12) {
      share <- share / 2
    }
    b <- b - share * move
    if (max(abs(move)) <= 1e-13 * max(abs(b))) break
  }
  drop(design[rows, , drop = FALSE] %*% b)
}

# The same on the basis vectors `keep` (columns of k, the kernel of all rows with the basis), or as
# many of them as are independent.
reference_glm_refit <- function(k, y, offset, w, basis, keep, train, rows, lambda, intercept, name,
                                theta) {
  keep <- keep[reference_independent(k[basis[keep], keep, drop = FALSE])]
  reference_glm(reference_members(k, basis, keep), y, offset, w, train, rows, lambda, intercept,
                name, theta)
}
