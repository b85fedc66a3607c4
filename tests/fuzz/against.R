# Answers against refits in plain R, which decide what is wrong (tests/testthat/helper-reference.R
# and its like): the largest error as a share of the spread; NULL where a call is of no such kind.

against_definition <- function(call, fit) {
  if (isTRUE(call$plain)) against_refits(call, fit) else against_equations(call, fit)
}

# Fits by sparserls() and rls() with a kernel of differences or an inner product, of good matrices:
# the fitted values solve the normal equations, written down from the definition. The largest error
# as a share of the spread of y; NULL where a call is not of this kind.
against_definition <- function(call, fit) {
  if (!call$what %in% c("sparserls", "rls") || !is_plain(call$args)) return(NULL)
  x <- call$args[[1]]
  y <- as.double(call$args[[2]])
  if (stats::sd(y) < 1e-8 * max(abs(y)) || fit$kernel$name == "custom") return(NULL)
  w <- fit$weights
  z <- training_values(x, fit)
  if (is.null(z)) return(NULL)
  intercept <- isTRUE(fit$intercept)
  design <- cbind(if (intercept) 1, z$values)
  penalty <- matrix(0, ncol(design), ncol(design))
  own <- seq_len(ncol(z$values)) + intercept
  lambda <- fit$lambda[1]
  penalty[own, own] <- lambda * z$gram
  normal <- crossprod(design, w * design) + penalty
  if (!all(is.finite(normal)) || rcond(normal) < 1e-10) return(NULL)
  expected <- design %*% solve(normal, crossprod(design, w * y))
  max(abs(as.vector(stats::fitted(fit, s = lambda)) - expected)) / stats::sd(y)
}

is_plain <- function(args) {
  is.matrix(args[[1]]) && is.double(args[[1]]) && is.numeric(args[[2]]) &&
    is.null(dim(args[[2]])) && is.null(args$offset) && is.null(args$family) &&
    !is.matrix(args$basis)
}

# Kernel values of rows and basis, and of the basis, with its jitter in both; of rls() without one
# all rows are it. NULL where it is not as simple as that.
training_values <- function(x, fit) {
  basis <- if (is.null(fit$basis)) which(fit$weights > 0) else fit$basis
  if (!is.null(fit$standard)) x <- standardized(x, fit)
  k <- tryCatch(kernel_matrix(fit$kernel, x, x[basis, , drop = FALSE]), error = function(e) NULL)
  if (is.null(k)) return(NULL)
  jitter <- if (is.null(fit$jitter)) 0 else fit$jitter
  k[cbind(basis, seq_along(basis))] <- k[cbind(basis, seq_along(basis))] + jitter
  list(values = k, gram = k[basis, , drop = FALSE])
}

standardized <- function(x, fit) {
  (x - rep(fit$standard$centre, each = nrow(x))) / rep(fit$standard$scale, each = nrow(x))
}

# ---- calls of plain_call() ---------------------------------------------------------------------

against_refits <- function(call, value) {
  fit <- if (inherits(value, "sparserls_cv")) value$fit else value
  this <- list(x = call$args[[1]], y = call$args[[2]], lambda = fit$lambda[1],
               w = if (is.null(fit$weights)) rep(1, nrow(call$args[[1]])) else fit$weights,
               intercept = isTRUE(fit$intercept), family = call$args$family)
  this$x <- if (is.null(fit$standard)) this$x else standardized(this$x, fit)
  method <- sub("^cv[.]", "", call$what)
  if (method == "greedyrls") return(greedy_error(this, value))
  if (method == "rls2") return(layer_error(this, value, fit))
  z <- if (is.null(fit$basis)) {
    reference_coordinates(reference_kernel(fit$kernel, this$x, this$x))
  } else {
    subset_coordinates(this, fit, seq_along(fit$basis))
  }
  all <- seq_along(this$y)
  errors <- share_of(link_values(fit), refitted(z, this, all, all))
  if (!inherits(value, "sparserls_cv") || is.null(value$fit.preval)) return(errors)
  max(errors, share_of(value$fit.preval, refits_of_folds(this, value, fit, z)))
}

share_of <- function(value, exact) max(abs(as.vector(value) - as.vector(exact))) / stats::sd(exact)

link_values <- function(fit) {
  values <- stats::fitted(fit)
  if (inherits(fit, "glmrls")) stats::family(fit)$linkfun(values) else values
}

# Coordinates of all rows by the basis vectors `keep`.
subset_coordinates <- function(this, fit, keep) {
  k <- reference_shifted(fit$kernel, this$x, fit$basis, fit$jitter)
  keep <- keep[reference_independent(k[fit$basis[keep], keep, drop = FALSE])]
  t(backsolve(chol(k[fit$basis[keep], keep, drop = FALSE]), t(k[, keep, drop = FALSE]),
              transpose = TRUE))
}

refitted <- function(z, this, train, rows) {
  if (is.null(this$family)) {
    return(reference_ridge(z, this$y, this$w, train, rows, this$lambda, this$intercept))
  }
  reference_glm(z, as.numeric(this$y), numeric(length(this$y)), this$w, train, rows, this$lambda,
                this$intercept, this$family, 1)
}

refits_of_folds <- function(this, value, fit, z) {
  held <- numeric(length(this$y))
  for (rows in split(seq_along(this$y), value$foldid)) {
    of_fold <- if (is.null(fit$basis)) z
               else subset_coordinates(this, fit, which(!fit$basis %in% rows))
    held[rows] <- refitted(of_fold, this, setdiff(seq_along(this$y), rows), rows)
  }
  held
}

# The features that were selected are given; their leave-one-out error is refitted, too.
greedy_error <- function(this, fit) {
  if (inherits(fit, "cv.greedyrls")) return(NULL)
  z <- this$x[, fit$selected, drop = FALSE]
  all <- seq_along(this$y)
  exact <- reference_ridge(z, this$y, this$w, all, all, this$lambda, this$intercept)
  loo <- wrapper_error(z, as.matrix(this$y), this$w, this$lambda, this$intercept, as.list(all))
  max(share_of(stats::fitted(fit), exact), abs(utils::tail(fit$loo, 1) / loo - 1))
}

# At the weights that were found; their duality gap says how far from the best they are.
layer_error <- function(this, value, fit) {
  if (inherits(value, "sparserls_cv")) return(NULL)
  kernels <- lapply(seq_len(ncol(this$x)), function(j) kernel_linear(features = j))
  exact <- reference_layers(reference_bank(kernels, this$x, this$w, FALSE), fit$scale, fit$d[, 1],
                            this$y, this$w, this$lambda, this$intercept)
  max(share_of(stats::fitted(fit), exact$prediction), exact$gap / 100)
}
