# Answers against refits in plain R, which decide what is wrong (tests/testthat/helper-reference.R
# and its like): the largest error as a share of the spread; NULL for a call of no such kind.

# Whose answers are held against refits now and then in every long run.
refitted_here <- c("sparserls", "cv.sparserls", "rls", "cv.rls", "greedyrls", "rls2")

against_refits <- function(call, value) {
  fit <- if (inherits(value, "sparserls_cv")) value$fit else value
  x <- call$args[[1]]
  this <- list(x = rows_as_trained(x, fit), y = call$args[[2]], lambda = fit$lambda[1],
               w = if (is.null(fit$weights)) rep(1, nrow(x)) else fit$weights,
               intercept = isTRUE(fit$intercept), family = call$args$family)
  method <- sub("^cv[.]", "", call$what)
  if (method == "greedyrls") return(greedy_error(this, value))
  if (method == "rls2") return(layer_error(this, value, fit))
  coordinates_of <- if (is.null(fit$jitter)) full_coordinates else subset_coordinates
  coordinates <- coordinates_of(this, fit)
  all <- seq_along(this$y)
  exact <- refitted(coordinates(integer()), this, all, all)
  error <- share_beyond(link_values(fit), exact, fit$certificate * stats::sd(exact))
  if (!inherits(value, "sparserls_cv") || is.null(value$fit.preval)) return(error)
  exact <- refits_of_folds(this, value, coordinates)
  max(error, share_beyond(value$fit.preval, exact, value$certificate))
}

# The largest error as a share of the spread: of a likelihood, of what exceeds the certificate.
share_beyond <- function(value, exact, certificate = NULL) {
  difference <- max(abs(as.vector(value) - as.vector(exact)))
  max(0, difference - max(0, certificate)) / stats::sd(exact)
}

link_values <- function(fit) {
  values <- stats::fitted(fit)
  if (inherits(fit, "glmrls")) stats::family(fit)$linkfun(values) else values
}

# Coordinates of all rows, as functions of the rows that are held out: by the basis vectors that
# stay, or by all rows, which give the same whoever is held out.
subset_coordinates <- function(this, fit) {
  k <- reference_shifted(fit$kernel, this$x, fit$basis, fit$jitter)
  function(held) {
    keep <- which(!fit$basis %in% held)
    keep <- keep[reference_independent(k[fit$basis[keep], keep, drop = FALSE])]
    reference_members(k, fit$basis, keep)
  }
}

full_coordinates <- function(this, fit) {
  z <- reference_coordinates(reference_kernel(fit$kernel, this$x, this$x))
  function(held) z
}

refitted <- function(z, this, train, rows) {
  if (is.null(this$family)) {
    return(reference_ridge(z, this$y, this$w, train, rows, this$lambda, this$intercept))
  }
  reference_glm(z, as.numeric(this$y), numeric(length(this$y)), this$w, train, rows, this$lambda,
                this$intercept, this$family, 1)
}

refits_of_folds <- function(this, value, coordinates) {
  all <- seq_along(this$y)
  held <- numeric(length(all))
  for (rows in split(all, value$foldid)) {
    held[rows] <- refitted(coordinates(rows), this, setdiff(all, rows), rows)
  }
  held
}

# The features that were selected are given; their leave-one-out error is refitted, too.
greedy_error <- function(this, fit) {
  if (inherits(fit, "cv.greedyrls")) return(NULL)
  z <- standardized(this$x, this$w, this$intercept)[, fit$selected, drop = FALSE]
  all <- seq_along(this$y)
  exact <- reference_ridge(z, this$y, this$w, all, all, this$lambda, this$intercept)
  loo <- wrapper_error(z, as.matrix(this$y), this$w, this$lambda, this$intercept, as.list(all))
  max(share_beyond(stats::fitted(fit), exact), abs(utils::tail(fit$loo, 1) / loo - 1))
}

# At the weights that were found; their duality gap says how far from the best they are.
layer_error <- function(this, value, fit) {
  if (inherits(value, "sparserls_cv")) return(NULL)
  kernels <- lapply(seq_len(ncol(this$x)), function(j) kernel_linear(features = j))
  exact <- reference_layers(reference_bank(kernels, this$x, this$w, FALSE), fit$scale, fit$d[, 1],
                            this$y, this$w, this$lambda, this$intercept)
  max(share_beyond(stats::fitted(fit), exact$prediction), exact$gap / 100)
}
