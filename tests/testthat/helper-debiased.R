# Debiased averages from their definition, by loops of honest refits in plain R. A *part* is what is
# known without a fold, a list of
#   held     the rows of the fold
#   k        kernel values of all rows with the terms, rows x terms, as they train
#   k_bb     of the terms with each other
#   moments  for every effect m(x_i; k_j), rows x terms

# Representers in the refit to the rows `train` in the coordinates z (a row each): their values in
# `rows`, rows x effects x lambdas, and their moment, effects x lambdas, `held` times the
# coefficients. sums: of `train`. By the singular values of the rows, which serve all lambdas.
reference_representer <- function(z, w, train, rows, lambda, intercept, sums, held) {
  centre <- if (intercept) colSums(w[train] * z[train, , drop = FALSE]) / sum(w[train])
            else numeric(ncol(z))
  z <- z - rep(centre, each = nrow(z))
  found <- svd(sqrt(w[train]) * z[train, , drop = FALSE], 0, ncol(z))
  squares <- c(found$d, numeric(ncol(z) - length(found$d)))^2
  values <- array(0, c(length(rows), ncol(sums), length(lambda)))
  moment <- matrix(0, ncol(sums), length(lambda))
  for (l in seq_along(lambda)) {
    b <- found$v %*% (crossprod(found$v, sums) / (squares + lambda[l]))
    values[, , l] <- z[rows, , drop = FALSE] %*% b
    moment[, l] <- colSums(held * b)
  }
  list(values = values, moment = moment)
}

# f and alpha of a part: values in the rows it holds and in all rows. share: rows x parts of the
# rows, the weights of averages, each adding up to one.
reference_part <- function(part, y, w, share, intercept, lambda, at) {
  kept <- reference_independent(part$k_bb)
  factor <- chol(part$k_bb[kept, kept, drop = FALSE])
  coordinates <- function(k) t(backsolve(factor, t(k[, kept, drop = FALSE]), transpose = TRUE))
  z <- coordinates(part$k)
  moments <- lapply(part$moments, coordinates)
  train <- setdiff(which(w > 0), part$held)
  b <- reference_ridge_fit(z, y, w, train, lambda, intercept)
  b0 <- b[1, ]
  b <- b[-1, , drop = FALSE]
  sums <- function(rows) {
    do.call(cbind, lapply(seq_len(ncol(share)), function(j) {
      matrix(vapply(moments, function(m) colSums((share[, j] * m)[rows, , drop = FALSE]),
                    numeric(ncol(z))), ncol(z))
    }))
  }
  c(list(scores = z %*% b + rep(b0, each = nrow(z)), effects = lapply(moments, `%*%`, b)),
    if (length(part$held)) {
      reference_representer(z, w, train, part$held, at, intercept,
                            sum(w) * sums(setdiff(seq_along(w), part$held)), sums(part$held))
    })
}

# All of derivatives(type = "debiased"), with several outputs in the last dimension, but lambda_a,
# which are read: `used`, of the grid `at`. lambda: of all parts, or of each and of the whole.
reference_debiased <- function(parts, whole, y, w, share, intercept, lambda, at, used,
                               groups = NULL) {
  y <- as.matrix(y)
  v <- ncol(y)
  effects <- length(whole$moments)
  columns <- effects * ncol(share)
  effect <- rep(seq_len(effects), ncol(share))
  share_of <- share[, rep(seq_len(ncol(share)), each = effects), drop = FALSE]
  m <- array(0, c(nrow(y), columns, v))
  alpha <- array(0, c(nrow(y), columns, length(at)))
  residual <- matrix(0, nrow(y), v)
  loss <- size <- matrix(0, length(at), columns)
  lambda <- rep_len(lambda, length(parts) + 1)
  for (i in seq_along(parts)) {
    rows <- parts[[i]]$held
    found <- reference_part(parts[[i]], y, w, share, intercept, lambda[i], at)
    residual[rows, ] <- y[rows, ] - found$scores[rows, ]
    for (j in seq_len(columns)) m[rows, j, ] <- found$effects[[effect[j]]][rows, ]
    alpha[rows, , ] <- found$values
    squares <- apply(w[rows] / sum(w) * found$values^2, 2:3, sum)
    loss <- loss + t(matrix(squares, columns) - 2 * found$moment)
    size <- size + t(matrix(squares, columns) + 2 * abs(found$moment))
  }
  chosen <- match(signif(used, 10), signif(at, 10))
  weights <- vapply(seq_len(columns), function(j) alpha[, j, chosen[j]], numeric(nrow(y)))
  all <- reference_part(whole, y, w, share, intercept, lambda[length(parts) + 1], at)
  used <- w > 0 | rowSums(share) > 0
  count <- length(unique(if (is.null(groups)) which(used) else groups[used]))
  average <- correction <- plugin <- matrix(0, columns, v)
  covariance <- array(0, c(columns, columns, v))
  for (o in seq_len(v)) {
    corrected <- w / sum(w) * weights * residual[, o]
    correction[, o] <- colSums(corrected)
    average[, o] <- colSums(share_of * m[, , o]) + correction[, o]
    plugin[, o] <- colSums(share_of * vapply(effect, function(j) all$effects[[j]][, o], y[, o]))
    influence <- share_of * (m[, , o] - rep(average[, o], each = nrow(y))) + corrected
    if (!is.null(groups)) influence <- rowsum(influence, groups)
    covariance[, , o] <- crossprod(influence) * count / (count - 1)
  }
  list(average = average, correction = correction, plugin = plugin, vcov = covariance,
       std.error = apply(covariance, 3, function(v) sqrt(diag(as.matrix(v)))), count = count,
       weights = weights, loss = loss, size = size, at = at)
}

# What is found is what is honest: errors relative to the largest number of every effect; of
# estimates to these and their standard errors; of losses, a tenth, to the sum of their parts, at
# values of lambda_a that are no less than 1e-5 of the largest. (Below, both sides have the rounding
# errors of a problem of that condition.)
expect_debiased <- function(found, honest, info = "", tolerance = 1e-8) {
  columns <- ncol(honest$weights)
  by_column <- function(x, columns) matrix(as.vector(x), ncol = columns)
  relative <- function(value, expected, columns) {
    off <- abs(by_column(value, columns) - by_column(expected, columns))
    max(apply(off, 2, max) / pmax(apply(abs(by_column(expected, columns)), 2, max), 1e-300))
  }
  scale <- as.vector(abs(honest$average)) + as.vector(honest$std.error)
  of_size <- function(name) max(abs(as.vector(found[[name]]) - as.vector(honest[[name]])) / scale)
  losses <- honest$at >= 1e-5 * max(honest$at)
  errors <- c(
    average = of_size("average"), correction = of_size("correction"), plugin = of_size("plugin"),
    std.error = relative(found$std.error, honest$std.error, length(honest$std.error)),
    vcov = relative(found$vcov, honest$vcov, dim(honest$vcov)[3]),
    weights = relative(found$representer$weights, honest$weights, columns),
    loss = max((abs(found$representer$loss - honest$loss) / honest$size)[losses, ]) / 10
  )
  worst <- which.max(errors)
  testthat::expect(isTRUE(errors[[worst]] < tolerance),
                   sprintf("%s: %s %.1e", info, names(errors)[worst], errors[[worst]]))
  testthat::expect_identical(found$type, "debiased")
  testthat::expect_equal(c(found$count, found$df), honest$count - 0:1)
}

# The effects of derivatives() as functions of `terms`: of a column of zeros and ones the first
# difference.
reference_effects <- function(x) {
  lapply(seq_len(ncol(x)), function(d) function(terms) {
    if (!all(x[, d] %in% 0:1)) return(five_points(terms, x, d))
    terms(replace(x, cbind(seq_len(nrow(x)), d), 1)) -
      terms(replace(x, cbind(seq_len(nrow(x)), d), 0))
  })
}

# What puts rows on a common scale as standardize = TRUE does: without an intercept f goes through
# the origin of kernels that see it.
reference_standard <- function(x, w, kernel, intercept) {
  centre <- colSums(w * x) / sum(w)
  scale <- sqrt(colSums(w * (x - rep(centre, each = nrow(x)))^2) / sum(w))
  if (!intercept && !kernel$name %in% c("gaussian", "matern")) centre[] <- 0
  function(x) (x - rep(centre, each = nrow(x))) / rep(scale, each = nrow(x))
}

# A part for every fold, and the whole, of refits that share kernel and members of the basis: rows
# `basis`, or points. mode: of basis vectors that are held out.
reference_parts <- function(x, kernel, basis, folds, effects, jitter, mode, standard = identity) {
  points <- standard(if (is.matrix(basis)) basis else x[basis, , drop = FALSE])
  terms <- function(x) reference_kernel(kernel, standard(x), points)
  k <- terms(x)
  k_bb <- reference_kernel(kernel, points, points) + jitter * diag(nrow(points))
  if (!is.matrix(basis)) {
    own <- cbind(basis, seq_along(basis))
    k[own] <- k[own] + jitter
  }
  moments <- lapply(effects, function(effect) effect(terms))
  part <- function(held) {
    stays <- if (mode == "remove" && !is.matrix(basis)) which(!basis %in% held)
             else seq_len(nrow(points))
    stays <- stays[!duplicated(points[stays, , drop = FALSE])]
    list(held = held, k = k[, stays, drop = FALSE], k_bb = k_bb[stays, stays, drop = FALSE],
         moments = lapply(moments, function(m) m[, stays, drop = FALSE]))
  }
  list(folds = lapply(folds, part), whole = part(integer()))
}

# The parts of refits that have kernel and basis each (`refits`: lists with both), and the whole.
own_parts <- function(x, refits, whole, folds, effects, jitter, standards) {
  of <- function(refit, held, standard) {
    kernel <- refit$kernel
    # A width for every column: as a map.
    if (length(kernel$gamma) > 1) {
      kernel$map <- diag(sqrt(kernel$gamma))
      kernel$features <- NULL
    }
    part <- reference_parts(x, kernel, refit$basis, list(), effects, jitter, "keep", standard)$whole
    replace(part, "held", list(held))
  }
  list(folds = Map(of, refits, folds, standards[seq_along(folds)]),
       whole = of(whole, integer(), standards[[length(folds) + 1]]))
}
