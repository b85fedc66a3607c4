# Values of lambda: what may be given, and the default.

check_lambda <- function(lambda, remedy = "Leave it NULL for a grid that fits the data.",
                         infinite = FALSE) {
  if (is.null(lambda)) return(NULL)
  if (!is_real(lambda) || length(lambda) == 0) {
    abort("lambda", if (is_real(lambda)) "`lambda` is empty." else "`lambda` must be numeric.",
          describe(lambda), c(real_remedy(lambda), remedy)[1])
  }
  lambda <- unclass(lambda)
  bad <- which(!(is.finite(lambda) | (infinite & lambda %in% Inf)) | lambda <= 0)
  if (length(bad)) {
    abort("lambda", if (infinite) "Every `lambda` must be positive."
                    else "Every `lambda` must be positive and finite.",
          sprintf("lambda[%d] is %s", bad[1], format(lambda[bad[1]])),
          "Use positive numbers; 1e-8 times the largest is nearly no regularization.")
  }
  sort(unique(as.double(lambda)), decreasing = TRUE)
}

# The gram matrix has rounding errors of about eps times its largest eigenvalue; lambda, or the
# smallest eigenvalue, must stand out from them.
check_resolvable <- function(lambda, values) {
  smallest <- tolerance("resolution") * max(values)
  if (min(values) + min(lambda) <= smallest) {
    abort("lambda", "`lambda` is too small for this problem in double precision.",
          sprintf("smallest lambda %s", format(min(lambda), digits = 3)),
          sprintf("Use values above %s.", format(smallest, digits = 3)))
  }
}

# What double precision makes of a condition number, eps times it, above which users are told. The
# default grid ends far from it. (bench/edge.R measures errors up to ten times as large.)
told_rounding <- 1e-6

# The condition number at the smallest lambda, from eigenvalues that are at hand.
warn_ill_conditioned <- function(lambda, values) {
  condition <- (max(values) + min(lambda)) / (min(values) + min(lambda))
  rounding <- .Machine$double.eps * condition
  if (rounding <= told_rounding) return(invisible())
  warn("lambda", "The smallest `lambda` leaves few digits in double precision.",
       c(sprintf("lambda %s", format(min(lambda), digits = 3)),
         sprintf("condition number about %s, relative rounding errors from %s on",
                 format(condition, digits = 2), format(rounding, digits = 2))),
       sprintf("Values above %s are safe.",
               format(min(lambda) + max(values) * .Machine$double.eps /
                        told_rounding, digits = 3)))
}

check_single_lambda <- function(lambda, remedy = "cv.greedyrls() searches a grid.") {
  lambda <- check_lambda(lambda, remedy)
  if (length(lambda) != 1) {
    abort("lambda", "`lambda` must be a single number.", describe(lambda), remedy)
  }
  lambda
}

check_lambda_grid <- function(lambda) {
  if (is.null(lambda)) abort("lambda", "`lambda` must be numeric.", "NULL")
  check_lambda(lambda, NULL)
}

check_lambda_df <- function(lambda) {
  if (inherits(lambda, "sparserls_df")) lambda else check_lambda(lambda)
}

# values: the eigenvalues of the problem. From 20 times their sum, where df is below 0.05 and the
# fit is the null model, down to where df is 99 % of the rank or rounding errors (eps L / lambda, L
# the largest) come near 1e-8: beyond either end nothing changes that a choice could see.
default_lambda <- function(values, nlambda) {
  if (nlambda == 1) return(max(values))
  above <- resolved_values(values)
  full <- lambda_at_df(0.99 * length(above), above)
  lambda_grid(20 * sum(above), max(1e-8 * max(values), full), nlambda)
}

# In ratios, so that the grids of problems that differ by a power of two do so exactly.
lambda_grid <- function(top, bottom, nlambda) {
  if (nlambda == 1) top else top * (bottom / top)^seq(0, 1, length.out = nlambda)
}

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
  size <- 2^floor(log2(max(values)))
  values <- values / size
  excess <- function(log_lambda) sum(values / (values + exp(log_lambda))) - df
  # At lambda = sum(values) / df the sum is below df; at the smallest value's share above.
  # (Twice as far, for rounding errors.)
  ends <- log(c(min(values) * (length(values) - df) / length(values) / 2, 2 * sum(values) / df))
  if (!all(is.finite(ends))) {
    abort("lambda", "`df` is so small that `lambda` overflows.", format(df))
  }
  exp(stats::uniroot(excess, ends, tol = 1e-12)$root) * size
}
