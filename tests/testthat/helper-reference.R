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
  # Sums over features of a term of every pair of rows.
  pairs <- function(term, x, z) {
    Reduce(`+`, lapply(seq_len(ncol(x)), function(l) outer(unname(x[, l]), unname(z[, l]), term)))
  }
  squares <- function(x, z) kernel$gamma * pairs(function(a, b) (a - b)^2, x, z)
  values <- function(x, z) {
    switch(kernel$name,
      linear = pairs(`*`, x, z),
      gaussian = exp(-squares(x, z)),
      laplacian = exp(-kernel$gamma * pairs(function(a, b) abs(a - b), x, z)),
      polynomial = (kernel$scale * pairs(`*`, x, z) + kernel$offset)^kernel$degree,
      matern = {
        r <- sqrt(2 * kernel$smoothness * squares(x, z))
        exp(-r) * switch(2 * kernel$smoothness, 1, NA, 1 + r, NA, 1 + r + r^2 / 3)
      },
      custom = kernel$f(x, z)
    )
  }
  k <- values(x, z)
  if (!kernel$normalize) return(k)
  self <- function(x) {
    vapply(seq_len(nrow(x)), function(i) values(x[i, , drop = FALSE], x[i, , drop = FALSE])[1], 0)
  }
  k / sqrt(outer(self(x), self(z)))
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
  matrix(apply(z, 1, function(b) rowSums((x - rep(b, each = nrow(x)))^2)), nrow(x))
}

# Kernel of all rows with the basis, jitter added where a row meets itself.
reference_shifted <- function(kernel, x, basis, jitter) {
  k <- reference_kernel(kernel, x, x[basis, , drop = FALSE])
  k[cbind(basis, seq_along(basis))] <- k[cbind(basis, seq_along(basis))] + jitter
  k
}

# Coefficients of the ridge regression on the coordinates z (a row each) and the rows `train`, by QR
# of [sqrt(w) Z; sqrt(lambda) I] with a column sqrt(w) for the intercept, which comes first, zero
# where there is none: (1 + columns) x outputs.
reference_ridge_fit <- function(z, y, w, train, lambda, intercept) {
  y <- as.matrix(y)
  root <- sqrt(w[train])
  n <- ncol(z)
  design <- rbind(root * z[train, , drop = FALSE], sqrt(lambda) * diag(n))
  if (intercept) design <- cbind(c(root, numeric(n)), design)
  target <- rbind(root * y[train, , drop = FALSE], matrix(0, n, ncol(y)))
  b <- qr.coef(qr(design, LAPACK = TRUE), target)
  if (intercept) b else rbind(0, b)
}

# Its predictions for `rows`, rows x outputs x lambdas.
reference_ridge <- function(z, y, w, train, rows, lambda, intercept) {
  out <- array(0, c(length(rows), NCOL(y), length(lambda)))
  for (l in seq_along(lambda)) {
    b <- reference_ridge_fit(z, y, w, train, lambda[l], intercept)
    out[, , l] <- cbind(1, z[rows, , drop = FALSE]) %*% b
  }
  out
}

# Coordinates of all rows by the basis vectors `keep`, columns of k (all rows with the basis).
reference_members <- function(k, basis, keep) {
  factor <- chol(k[basis[keep], keep, drop = FALSE])
  t(backsolve(factor, t(k[, keep, drop = FALSE]), transpose = TRUE))
}

# The same predictions for a subset of regressors, `keep` those that stay in the basis, or as many
# of them as are independent.
reference_refit <- function(k, y, w, basis, keep, train, rows, lambda, intercept) {
  keep <- keep[reference_independent(k[basis[keep], keep, drop = FALSE])]
  reference_ridge(reference_members(k, basis, keep), y, w, train, rows, lambda, intercept)
}

# Rows as the kernel of a fit sees them, before features and widths.
rows_as_trained <- function(x, fit) {
  standard <- unclass(fit)[["standard"]]
  if (is.null(standard)) return(x)
  (x - rep(standard$centre, each = nrow(x))) / rep(standard$scale, each = nrow(x))
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

# Held-out predictions of all folds, rows x outputs x lambdas (dim), NA where not scored; rows of
# several folds are averaged. refit(omit, rows): predictions by the refit without the rows `omit`.
average_folds <- function(folds, dim, refit, unscored = integer()) {
  total <- array(0, dim)
  count <- numeric(dim[1])
  for (fold in folds) {
    rows <- setdiff(scored(fold), unscored)
    if (length(rows) == 0) next
    total[rows, , ] <- total[rows, , , drop = FALSE] + refit(omitted(fold), rows)
    count[rows] <- count[rows] + 1
  }
  total[count == 0, , ] <- NA
  total / ifelse(count == 0, 1, count)
}

# Those of ridge regressions on the coordinates z.
reference_ridge_cv <- function(z, y, w, folds, lambda, intercept) {
  average_folds(folds, c(nrow(z), NCOL(y), length(lambda)), function(held, rows) {
    reference_ridge(z, y, w, setdiff(seq_len(nrow(z)), held), rows, lambda, intercept)
  })
}

# Those of refits to a subset of regressors. x: of rows of the basis that coincide the first stays.
reference_cv <- function(k, y, w, basis, folds, lambda, mode, intercept, x = NULL) {
  average_folds(folds, c(nrow(k), NCOL(y), length(lambda)), function(held, rows) {
    keep <- if (mode == "remove") which(!basis %in% held) else seq_along(basis)
    if (!is.null(x)) keep <- keep[!duplicated(x[basis[keep], , drop = FALSE])]
    train <- setdiff(seq_len(nrow(k)), if (mode == "keep_loss") setdiff(held, basis) else held)
    reference_refit(k, y, w, basis, keep, train, rows, lambda, intercept)
  }, if (mode %in% c("keep_loss", "skip")) basis)
}

# Largest difference relative to the spread of the reference.
relative_error <- function(value, reference) {
  expect_identical(is.na(as.vector(value)), is.na(as.vector(reference)))
  expect_false(all(is.na(reference)))
  scale <- max(1e-300, stats::sd(reference, na.rm = TRUE), na.rm = TRUE)
  max(abs(as.vector(value) - as.vector(reference)), na.rm = TRUE) / scale
}

# Weighted means of losses, rows x columns, and their standard errors over units, from the
# definition.
unit_errors <- function(loss, w = rep(1, NROW(loss)), unit = seq_along(w)) {
  total <- as.vector(rowsum(w, unit))
  each <- rowsum(w * as.matrix(loss), unit) / total
  mean <- colSums(total * each) / sum(total)
  squares <- colSums(total * (each - rep(mean, each = nrow(each)))^2) / sum(total)
  list(mean = unname(mean), error = unname(sqrt(squares / (nrow(each) - 1))))
}
