# The fit object of the whole family, class `sparserls_fit`. A fit is either an expansion over
# rows (`basis` and `points`) or linear in the features (`basis` is NULL: the terms are slopes).

# model: what training leaves behind, a list of part (kernel, points and basis, rows of the
# design), cache and path; ...: fields of a method's own.
new_fit <- function(problem, model, class, ...) {
  design <- problem$design
  part <- model$part
  cache <- model$cache
  lambda <- model$path$lambda
  spectrum <- c(cache$spectrum, list(y_mean = cache$y_mean))
  path <- .Call(ffi_fitted, cache, lambda)
  dim(path$fitted) <- c(dim(problem$y), length(lambda))
  expansion <- !is.null(part$basis)
  structure(
    list(
      call = fit_call(problem),
      lambda = lambda,
      df = coefficients_at(spectrum, lambda)$df,
      dev.ratio = explained(path$rss, total_squares(problem)),
      basis = if (expansion) design$rows[part$basis],
      basis_labels = problem$labels[part$basis],
      kernel = part$kernel,
      ...,
      intercept = problem$intercept,
      standard = problem$standard,
      nobs = nrow(problem$y),
      response = design$response,
      weights = problem$weights,
      blueprint = design$blueprint,
      columns = problem$columns,
      points = if (expansion && part$kernel$name != "precomputed") {
        point_rows(part$points, part$basis)
      },
      spectrum = spectrum,
      fitted = path$fitted
    ),
    class = c(class, "sparserls_fit")
  )
}

# alpha (terms x v x c), a0 (v x c) and df (c) for any lambda.
coefficients_at <- function(spectrum, lambda) {
  solved <- .Call(ffi_coefficients, spectrum, spectrum$y_mean, as.double(lambda))
  dim(solved$alpha) <- c(ncol(spectrum$map), length(spectrum$y_mean), length(lambda))
  solved
}

# The share of the sum of squares; of a response that does not vary in the training rows none.
explained <- function(rss, total) if (total > 0) 1 - rss / total else 0 * rss

# Weighted sum of squares of y around the intercept, or around zero without one.
total_squares <- function(problem) {
  share <- problem$weights / sum(problem$weights)
  centre <- if (problem$intercept) colSums(share * problem$y) else numeric(ncol(problem$y))
  sum(problem$weights * (problem$y - rep(centre, each = nrow(problem$y)))^2)
}
