#' Lambda by degrees of freedom
#'
#' Asks for regularization in terms of effective degrees of freedom, `sum(L / (L + lambda))` over
#' the eigenvalues L of the problem, without the intercept. Use it as `lambda` of [rls()] and
#' [cv.rls()], or as `s` of [predict()][predict.sparserls_fit] and [coef()][coef.sparserls_fit].
#'
#' @param df positive numbers, below the rank of the problem.
#' @return An object of class `sparserls_df`.
#' @section Errors: `sparserls_error_lambda` for numbers that are not positive or not below the
#'   number of positive eigenvalues.
#' @examples
#' fit <- rls(lpsa ~ . - train, data = prostate, lambda = lambda_df(c(2, 4, 6)))
#' fit
#' coef(fit, s = lambda_df(3))
#' @export
lambda_df <- function(df) {
  if (!is.numeric(df) || length(df) == 0 || !all(is.finite(df)) || any(df <= 0)) {
    abort("lambda", "`df` must be positive.", describe(df))
  }
  structure(list(df = as.double(df)), class = "sparserls_df")
}

#' @export
print.sparserls_df <- function(x, ...) {
  cat("<lambda with ", enumerate(format(x$df, digits = 4, trim = TRUE)),
      " effective degrees of freedom>\n", sep = "")
  invisible(x)
}

solve_df <- function(spec, values) {
  spec <- lambda_df(as.list(unclass(spec))[["df"]])
  values <- resolved_values(values)
  vapply(spec$df, function(df) {
    if (df > 0.999 * length(values)) {
      abort("lambda", sprintf("Degrees of freedom must be below %d, the rank of the problem.",
                              length(values)), format(df))
    }
    lambda_at_df(df, values)
  }, 0)
}

# Eigenvalues above rounding: their number is the rank.
resolved_values <- function(values) {
  values[values > length(values) * .Machine$double.eps * max(values)]
}

# The lambda with sum(values / (values + lambda)) = df, by root finding in log(lambda).
lambda_at_df <- function(df, values) {
  # Near one, so that the roots of problems that differ by a power of two do so exactly.
  exponent <- floor(log2(max(values)))
  values <- times_two(values, -exponent)
  excess <- function(log_lambda) sum(values / (values + exp(log_lambda))) - df
  # At lambda = sum(values) / df the sum is below df; at the smallest value's share above.
  # (Twice as far, for rounding errors.)
  ends <- log(c(min(values) * (length(values) - df) / length(values) / 2, 2 * sum(values) / df))
  if (!all(is.finite(ends))) {
    abort("lambda", "`df` is so small that `lambda` overflows.", format(df))
  }
  times_two(exp(stats::uniroot(excess, ends, tol = 1e-12)$root), exponent)
}
