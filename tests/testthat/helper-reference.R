# Honest refits in plain R, written from the definitions and sharing nothing with the package.

reference_kernel <- function(kernel, x, z) {
  if (!is.null(kernel$features)) {
    x <- x[, kernel$features, drop = FALSE]
    z <- z[, kernel$features, drop = FALSE]
  }
  if (!is.null(kernel$map)) {
    x <- x %*% kernel$map
    z <- z %*% kernel$map
    kernel$gamma <- 1
  }
  one <- function(a, b) {
    switch(kernel$name,
      linear = sum(a * b),
      gaussian = exp(-kernel$gamma * sum((a - b)^2)),
      laplacian = exp(-kernel$gamma * sum(abs(a - b))),
      polynomial = (kernel$scale * sum(a * b) + kernel$offset)^kernel$degree,
      matern = {
        r <- sqrt(2 * kernel$smoothness * kernel$gamma * sum((a - b)^2))
        exp(-r) * switch(2 * kernel$smoothness, 1, NA, 1 + r, NA, 1 + r + r^2 / 3)
      },
      custom = kernel$f(matrix(a, 1), matrix(b, 1))[1]
    )
  }
  k <- matrix(0, nrow(x), nrow(z))
  for (i in seq_len(nrow(x))) for (j in seq_len(nrow(z))) k[i, j] <- one(x[i, ], z[j, ])
  if (kernel$normalize) {
    self <- function(x) apply(x, 1, function(a) one(a, a))
    k <- k / sqrt(outer(self(x), self(z)))
  }
  k
}

# The points that kernels of differences see, by the definition: every variable (a vector, or a
# matrix whose columns belong together) centred and divided by the root of the sum of the variances
# of its columns; of a factor these are the indicators of its levels, an ordered one is a number.
reference_coding <- function(variables, w = rep(1, NROW(variables[[1]]))) {
  share <- w / sum(w)
  parts <- lapply(variables, function(v) {
    if (is.ordered(v)) v <- as.integer(v)
    known <- if (is.factor(v)) levels(v) else sort(unique(v))
    columns <- if (is.numeric(v)) as.matrix(v) else outer(as.character(v), known, "==") + 0
    centred <- columns - rep(colSums(share * columns), each = nrow(columns))
    centred / sqrt(sum(share * centred^2))
  })
  unname(do.call(cbind, parts))
}

reference_squares <- function(x, z) {
  apply(z, 1, function(b) rowSums((x - rep(b, each = nrow(x)))^2))
}

# Kernel of all rows with the basis, jitter added where a row meets itself.
reference_shifted <- function(kernel, x, basis, jitter) {
  k <- reference_kernel(kernel, x, x[basis, , drop = FALSE])
  k[cbind(basis, seq_along(basis))] <- k[cbind(basis, seq_along(basis))] + jitter
  k
}

# Predictions for `rows` of the ridge regression on the coordinates z (a row each) and the rows
# `train`, by QR of [sqrt(w) Z; sqrt(lambda) I] with a column sqrt(w) for the intercept.
# Value: rows x outputs x lambdas.
reference_ridge <- function(z, y, w, train, rows, lambda, intercept) {
  y <- as.matrix(y)
  root <- sqrt(w[train])
  n <- ncol(z)
  out <- array(0, c(length(rows), ncol(y), length(lambda)))
  for (l in seq_along(lambda)) {
    design <- rbind(root * z[train, , drop = FALSE], sqrt(lambda[l]) * diag(n))
    if (intercept) design <- cbind(c(root, numeric(n)), design)
    target <- rbind(root * y[train, , drop = FALSE], matrix(0, n, ncol(y)))
    b <- qr.coef(qr(design, LAPACK = TRUE), target)
    new <- z[rows, , drop = FALSE]
    if (intercept) new <- cbind(1, new)
    out[, , l] <- new %*% b
  }
  out
}

# The same for a subset of regressors, `keep` the columns of k (all rows with the basis) that
# stay in the basis, or as many of them as are independent.
reference_refit <- function(k, y, w, basis, keep, train, rows, lambda, intercept) {
  keep <- keep[reference_independent(k[basis[keep], keep, drop = FALSE])]
  factor <- chol(k[basis[keep], keep, drop = FALSE])
  z <- t(backsolve(factor, t(k[, keep, drop = FALSE]), transpose = TRUE))
  reference_ridge(z, y, w, train, rows, lambda, intercept)
}

# Basis vectors that span the others to working precision.
reference_independent <- function(k) {
  scale <- ifelse(diag(k) > 0, 1 / sqrt(diag(k)), 0)
  factor <- suppressWarnings(chol(k * outer(scale, scale), pivot = TRUE,
                                  tol = nrow(k) * .Machine$double.eps))
  sort(attr(factor, "pivot")[seq_len(attr(factor, "rank"))])
}

# Coordinates whose inner products are the full kernel matrix: RLS on all rows is the ridge
# regression in them.
reference_coordinates <- function(k) {
  decomposed <- eigen(k, symmetric = TRUE)
  decomposed$vectors * rep(sqrt(pmax(decomposed$values, 0)), each = nrow(k))
}

# The rows that a fold leaves out, and those that it scores: fewer in list(score = , omit = ).
omitted <- function(fold) if (is.list(fold)) fold$omit else fold
scored <- function(fold) if (is.list(fold)) fold$score else fold

# Held-out predictions of all folds, rows x outputs x lambdas, NA where not scored; rows of
# several folds are averaged. x: of rows of the basis that coincide the first stays.
reference_cv <- function(k, y, w, basis, folds, lambda, mode, intercept, x = NULL) {
  y <- as.matrix(y)
  m <- nrow(y)
  total <- array(0, c(m, ncol(y), length(lambda)))
  count <- numeric(m)
  for (fold in folds) {
    held <- omitted(fold)
    in_basis <- basis %in% held
    keep <- if (mode == "remove") which(!in_basis) else seq_along(basis)
    if (!is.null(x)) keep <- keep[!duplicated(x[basis[keep], , drop = FALSE])]
    train <- setdiff(seq_len(m), if (mode == "keep_loss") setdiff(held, basis) else held)
    rows <- scored(fold)
    if (mode %in% c("keep_loss", "skip")) rows <- setdiff(rows, basis)
    if (length(rows) == 0) next
    total[rows, , ] <- total[rows, , , drop = FALSE] +
      reference_refit(k, y, w, basis, keep, train, rows, lambda, intercept)
    count[rows] <- count[rows] + 1
  }
  total[count == 0, , ] <- NA
  total / ifelse(count == 0, 1, count)
}

# Largest difference relative to the spread of the reference.
relative_error <- function(value, reference) {
  expect_identical(is.na(as.vector(value)), is.na(as.vector(reference)))
  expect_false(all(is.na(reference)))
  scale <- max(1e-300, stats::sd(reference, na.rm = TRUE), na.rm = TRUE)
  max(abs(as.vector(value) - as.vector(reference)), na.rm = TRUE) / scale
}
