# Honest refits in 256-bit arithmetic (the package Rmpfr), written from the definitions: what
# double precision is held against where lambda is very small. Numbers go in as they are in the
# call, so that the reference has no rounding errors but its own, of 1e-77.

wide <- function(x) Rmpfr::mpfr(x, 256)

# Of rows a and b, all pairs: matrices whose elements are multiplied.
crossed <- function(a, b) a[rep(seq_along(a), length(b))] * b[rep(seq_along(b), each = length(a))]

wide_matrix <- function(values, rows) {
  dim(values) <- c(rows, length(values) / rows)
  values
}

# Kernel values of the rows of x with those of z.
wide_kernel <- function(kernel, x, z) {
  i <- rep(seq_len(nrow(x)), nrow(z))
  j <- rep(seq_len(nrow(z)), each = nrow(x))
  pairs <- function(term) {
    Reduce(`+`, lapply(seq_len(ncol(x)), function(l) term(wide(x[i, l]), wide(z[j, l]), l)))
  }
  gamma <- rep_len(if (is.null(kernel$gamma)) 1 else kernel$gamma, ncol(x))
  squares <- function() pairs(function(a, b, l) gamma[l] * (a - b)^2)
  values <- switch(kernel$name,
    linear = pairs(function(a, b, l) a * b),
    gaussian = exp(-squares()),
    # bench/edge.R: the default of ardrls().
    matern = {
      r <- sqrt(2 * kernel$smoothness * squares())
      exp(-r) * switch(format(kernel$smoothness), `0.5` = 1, `1.5` = 1 + r, `2.5` = 1 + r + r^2 / 3)
    }
  )
  wide_matrix(values, nrow(x))
}

# Solves a b = target for a positive definite matrix, by elimination.
wide_solve <- function(a, target) {
  n <- nrow(a)
  for (j in seq_len(n - 1)) {
    below <- (j + 1):n
    share <- a[below, j] / a[j, j]
    a[below, below] <- a[below, below] - wide_matrix(crossed(share, a[j, below]), n - j)
    target[below] <- target[below] - share * target[j]
  }
  for (j in n:1) {
    known <- if (j < n) sum(a[j, (j + 1):n] * target[(j + 1):n]) else 0
    target[j] <- (target[j] - known) / a[j, j]
  }
  target
}

# The sum over `rows` of w d d', d the rows of the design.
wide_gram <- function(design, w, rows) {
  n <- ncol(design)
  total <- Reduce(`+`, lapply(rows, function(i) crossed(w[i] * design[i, ], design[i, ])))
  wide_matrix(total, n)
}

wide_products <- function(design, v, rows) Reduce(`+`, lapply(rows, function(i) design[i, ] * v[i]))

# design: rows x terms, its first column the intercept; penalty: lambda times the matrix of the
# other terms. What a ridge regression needs of all rows: the sums, from which those of held-out
# rows are subtracted, which costs none of the digits that matter here.
wide_problem <- function(design, penalty, y) {
  rows <- seq_along(y)
  ones <- rep(1, length(y))
  list(design = design, penalty = penalty, y = y, gram = wide_gram(design, ones, rows),
       products = wide_products(design, y, rows))
}

# Coefficients of the terms `keep` without the rows `held`.
wide_ridge <- function(problem, held = integer(), keep = seq_len(ncol(problem$design))) {
  gram <- problem$gram + problem$penalty
  products <- problem$products
  if (length(held)) {
    gram <- gram - wide_gram(problem$design, rep(1, length(problem$y)), held)
    products <- products - wide_products(problem$design, problem$y, held)
  }
  wide_solve(gram[keep, keep], products[keep])
}

wide_predictions <- function(design, b, rows = seq_len(nrow(design))) {
  Rmpfr::asNumeric(do.call(c, lapply(rows, function(i) sum(design[i, ] * b))))
}

# The regression of subset of regressors with a jitter, as wide_ridge() takes it.
wide_subset <- function(kernel, x, y, basis, lambda, jitter) {
  k <- wide_kernel(kernel, x, x[basis, , drop = FALSE])
  at <- cbind(basis, seq_along(basis))
  for (row in seq_len(nrow(at))) k[at[row, 1], at[row, 2]] <- k[at[row, 1], at[row, 2]] + jitter
  wide_penalized(k, k[basis, ], y, lambda)
}

wide_penalized <- function(terms, matrix, y, lambda) {
  n <- ncol(terms)
  penalty <- wide_matrix(wide(numeric((n + 1)^2)), n + 1)
  penalty[1 + seq_len(n), 1 + seq_len(n)] <- wide(lambda) * matrix
  design <- wide_matrix(c(wide(rep(1, nrow(terms))), as(terms, "mpfr")), nrow(terms))
  wide_problem(design, penalty, wide(y))
}

wide_linear <- function(x, y, lambda) {
  wide_penalized(wide_matrix(wide(as.vector(x)), nrow(x)),
                 wide_matrix(wide(as.vector(diag(ncol(x)))), ncol(x)), y, lambda)
}

# Predictions of every fold without it; solve(problem, held, keep) answers coefficients. With
# `basis` held-out rows leave it, too.
wide_held_out <- function(problem, folds, basis = integer(), solve = wide_ridge) {
  out <- numeric(length(problem$y))
  for (held in folds) {
    keep <- setdiff(seq_len(ncol(problem$design)), 1 + which(basis %in% held))
    b <- solve(problem, held, keep)
    out[held] <- wide_predictions(problem$design[, keep], b, held)
  }
  out
}

# Of the kernel matrix of all rows, with an intercept: predictions of the folds, from the inverse C
# of the bordered matrix (K + lambda I) by C_FF^-1 (C y)_F = y_F - prediction, and fitted values.
wide_full <- function(kernel, x, y, lambda, folds) {
  m <- nrow(x)
  k <- wide_kernel(kernel, x, x)
  shifted <- k
  for (i in seq_len(m)) shifted[i, i] <- shifted[i, i] + wide(lambda)
  inverse <- wide_inverse(shifted)
  sums <- Reduce(`+`, lapply(seq_len(m), function(i) inverse[, i]))
  inverse <- inverse - wide_matrix(crossed(sums, sums), m) / sum(sums)
  c <- Reduce(`+`, lapply(seq_len(m), function(i) inverse[, i] * y[i]))
  held <- numeric(m)
  for (fold in folds) {
    residual <- wide_solve(wide_matrix(as(inverse[fold, fold], "mpfr"), length(fold)), c[fold])
    held[fold] <- Rmpfr::asNumeric(y[fold] - residual)
  }
  list(held = held, fitted = Rmpfr::asNumeric(y - wide(lambda) * c))
}

# By Gauss and Jordan, in place.
wide_inverse <- function(a) {
  n <- nrow(a)
  for (j in seq_len(n)) {
    pivot <- a[j, j]
    row <- a[j, ] / pivot
    column <- a[, j]
    a <- a - wide_matrix(crossed(column, row), n)
    a[j, ] <- row
    a[, j] <- -column / pivot
    a[j, j] <- 1 / pivot
  }
  a
}
