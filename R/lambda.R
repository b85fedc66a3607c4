# Values of lambda: what may be given, and the default.

check_lambda <- function(lambda, remedy = "Leave it NULL for a grid that fits the data.",
                         infinite = FALSE) {
  if (is.null(lambda)) return(NULL)
  must(is_real(lambda) && length(lambda) > 0, "lambda", "`lambda` must be numeric, not empty.",
       shown(lambda), c(real_remedy(lambda), remedy)[1])
  lambda <- unclass(lambda)
  bad <- which(!(is.finite(lambda) | (infinite & lambda %in% Inf)) | lambda <= 0)
  must(!length(bad), "lambda",
       if (infinite) "Every `lambda` must be positive."
       else "Every `lambda` must be positive and finite.",
       sprintf("lambda[%d] is %s", bad[1], format(lambda[bad[1]])),
       "Use positive numbers; 1e-8 times the largest is almost no regularization.")
  sort(unique(as.double(lambda)), decreasing = TRUE)
}

# The gram matrix has rounding errors of about eps times its largest eigenvalue; lambda, or the
# smallest eigenvalue, must stand out from them.
check_resolvable <- function(lambda, values) {
  smallest <- tolerance("resolution") * max(values)
  lambda <- min(lambda)
  must(min(values) + lambda > smallest, "lambda",
       "`lambda` is too small for this problem in double precision.",
       sprintf("smallest lambda %s", three_digits(lambda)),
       sprintf("Use values above %s.", three_digits(smallest)))
}

# What double precision makes of a condition number, eps times it, above which users are told. The
# default grid ends far from it. (bench/edge.R measures errors up to ten times as large.)
told_rounding <- 1e-6

# The condition number at the smallest lambda, from eigenvalues that are at hand.
warn_ill_conditioned <- function(lambda, values) {
  lambda <- min(lambda)
  condition <- (max(values) + lambda) / (min(values) + lambda)
  rounding <- .Machine$double.eps * condition
  if (rounding <= told_rounding) return(invisible())
  safe <- lambda + max(values) * .Machine$double.eps / told_rounding
  warn("lambda", "The smallest `lambda` leaves few digits in double precision.",
       c(sprintf("lambda %s", three_digits(lambda)),
         sprintf("condition number about %s, relative rounding errors from %s on",
                 format(condition, digits = 2), format(rounding, digits = 2))),
       sprintf("Values above %s are safe.", three_digits(safe)))
}

check_single_lambda <- function(lambda, remedy = "cv.greedyrls() searches a grid.") {
  lambda <- check_lambda(lambda, remedy)
  must(length(lambda) == 1, "lambda", "`lambda` must be a single number.", shown(lambda), remedy)
  lambda
}

check_lambda_df <- function(lambda) {
  if (inherits(lambda, "sparserls_df")) lambda else check_lambda(lambda)
}

# values: the eigenvalues of the problem; shift: of shift_shares(), or NULL. From 20 times their
# sum, where df is below 0.05 and the fit is the null model, down to where df is 99 % of the rank or
# rounding errors (eps L / lambda, L the largest) come near 1e-8, beyond which nothing changes that
# a choice could see, or to where the jitter begins to matter.
default_lambda <- function(values, nlambda, shift = NULL) {
  if (nlambda == 1) return(max(values))
  above <- resolved_values(values)
  full <- lambda_at_df(0.99 * length(above), above)
  end <- shift_end(shift, values, max(1e-8 * max(values), full))
  # Where all that the kernel tells apart is jitter there is still a grid, and warn_shift().
  lambda_grid(20 * sum(above), min(end, max(values)), nlambda)
}

# With the jitter the weighted coordinates of rows along the eigenvectors are
#   W^1/2 Z V = W^1/2 (Z0 + jitter S C^-T) V
# S (m x n) the ones at basis vectors, Z0 those that predict() finds for the same rows. The second
# term is the shift's alone. Its share of the degrees of freedom, tr(U D U'), is
#   sum_k shift_k / (L_k + lambda),   shift_k = jitter^2 sum_j w_j (C^-T v_k)_j^2
# (map: V'C^-1, w: weights of the basis vectors, 0 of those that are no rows). fitted() less
# predict() at basis vector j is jitter a_j, and of white noise its variance is below j's part of
# the sum.
shift_shares <- function(map, weights, jitter) drop((jitter * map)^2 %*% weights)

shift_df <- function(shift, values, lambda) {
  vapply(lambda, function(l) sum(shift / (values + l)), 0)
}

# Up to here the shift does not matter; users are told of ten times as much.
shift_limit <- 0.01

# The larger of `least` and the lambda at which the shift has shift_limit degrees of freedom. In
# ratios to `least`, so that problems that differ by a power of two do so exactly.
shift_end <- function(shift, values, least) {
  excess <- function(log_ratio) {
    shift_df(shift / least, values / least, exp(log_ratio)) - shift_limit
  }
  if (excess(0) <= 0) return(least)
  ends <- c(0, log(2 * sum(shift / least) / shift_limit))
  least * exp(uniroot(excess, ends, tol = 1e-12)$root)
}

# fit: with `shift_df` for each point of its path, or without; at: positions there.
warn_shift <- function(fit, at = seq_along(fit$shift_df)) {
  worst <- at[which.max(fit$shift_df[at])]
  if (!any(fit$shift_df[worst] > 10 * shift_limit)) return(invisible())
  warn("jitter", "`lambda` is so small that the jitter shapes the fit.",
       c(sprintf("more than %s degrees of freedom are the jitter's", 10 * shift_limit),
         sprintf("%s at lambda %s", format(fit$shift_df[worst], digits = 2),
                 three_digits(fit$lambda[worst]))),
       if (inherits(fit, "ardrls")) "Use a smaller `jitter`."
       else "Use larger values of `lambda`, or a smaller `jitter`.")
}

# In ratios, so that the grids of problems that differ by a power of two do so exactly.
lambda_grid <- function(top, bottom, nlambda) {
  top * (bottom / top)^seq(0, 1, length.out = nlambda)
}

#' Lambda by degrees of freedom
#'
#' Gives lambda in terms of effective degrees of freedom, `sum(L / (L + lambda))` over the
#' eigenvalues L of the problem, without the intercept. Use it as `lambda` of [rls()] and
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
  must(is.numeric(df) && length(df) > 0 && all(is.finite(df)) && !any(df <= 0), "lambda",
       "`df` must be positive.", shown(df))
  structure(list(df = as.double(df)), class = "sparserls_df")
}

#' @export
print.sparserls_df <- function(x, ...) {
  print_brief(x, "lambda with ", enumerate(format(x$df, digits = 4, trim = TRUE)),
              " effective degrees of freedom")
}

solve_df <- function(spec, values) {
  values <- resolved_values(values)
  rank <- length(values)
  large <- spec$df[spec$df > 0.999 * rank]
  must(!length(large), "lambda",
       sprintf("Degrees of freedom must be below %d, the rank of the problem.", rank),
       format(large[1]))
  vapply(spec$df, lambda_at_df, 0, values)
}

# Eigenvalues above rounding: their number is the rank.
resolved_values <- function(values) values[is_resolved(values)]

is_resolved <- function(values) values > length(values) * .Machine$double.eps * max(values)

# The lambda with sum(values / (values + lambda)) = df, by root finding in log(lambda).
lambda_at_df <- function(df, values) {
  # Near one, so that the roots of problems that differ by a power of two do so exactly.
  size <- 2^floor(log2(max(values)))
  values <- values / size
  excess <- function(log_lambda) sum(values / (values + exp(log_lambda))) - df
  # At lambda = sum(values) / df the sum is below df; at the smallest value's share above.
  # (Twice as far, for rounding errors.)
  ends <- log(c(min(values) * (length(values) - df) / length(values) / 2, 2 * sum(values) / df))
  must(all(is.finite(ends)), "lambda", "`df` is so small that `lambda` overflows.", format(df))
  exp(uniroot(excess, ends, tol = 1e-12)$root) * size
}
