# The squares of 1e200 and of 1e-200 are no doubles. So a problem is brought to scale before the
# numeric core sees it: each output of y and (linear kernels, not standardized) x are divided by
# powers of two, weights by a power of four, the square of one, and lambda and the jitter go along.
# All of that is exact, and so is the way back, as long as the results themselves are doubles.
#
# A `unit` is a list of exponents of two: what was divided by 2^exponent.
#   y        one for each output
#   weights  even
#   x        of all columns
#   lambda   weights + 2 x, with the scales of kernels in rls2()

# Sizes between 2^-100 and 2^100 stay as they are, and what is no number.
scale_exponent <- function(size, even = FALSE) {
  exponent <- floor(log2(size))
  if (even) exponent <- 2 * floor(exponent / 2)
  ifelse(!is.finite(size) | size == 0 | abs(exponent) <= 100, 0, exponent)
}

# together: one power for all outputs, for methods that add up over them. scale_x: x may be scaled.
# jitter: beside a larger one small x do not count.
problem_unit <- function(design, scale_x, together = FALSE, jitter = NULL) {
  y <- abs(design$response$y)
  if (!is.null(design$offset)) y <- pmax(y, abs(design$offset$values))
  size <- apply(y[design$weights > 0, , drop = FALSE], 2, max)
  if (together) size[] <- max(size)
  values <- if (is.matrix(design$x)) design$x else design$x@x
  size_x <- max(largest_value(values), sqrt(as.double(jitter)))
  unit <- list(y = unname(scale_exponent(size)),
               weights = scale_exponent(max(design$weights), even = TRUE),
               x = if (scale_x) scale_exponent(size_x) else 0)
  c(unit, lambda = unit$weights + 2 * unit$x)
}

# x * 2^exponent, in steps whose factors are doubles; no copy where there is nothing to do.
times_two <- function(x, exponent) {
  if (all(exponent == 0)) return(x)
  step <- pmax(-1000, pmin(1000, exponent))
  times_two(x * 2^step, exponent - step)
}

# The same for outputs: rows x outputs x anything, with one exponent for each output.
outputs_times_two <- function(x, exponent) {
  if (all(exponent == 0)) x else times_two(x, rep(exponent, each = nrow(x)))
}

# Rows of weight zero train nothing and count nothing: there y may be anything.
scaled_response <- function(y, unit) {
  if (all(unit$y == 0)) return(y)
  y <- outputs_times_two(y, -unit$y)
  replace(y, !is.finite(y), 0)
}

# What the outputs of a problem have to be multiplied by to be added up, at most 1.
output_shares <- function(unit) 2^(unit$y - max(unit$y))

# lambda (numbers, NULL or lambda_df()) in the units of the problem.
scaled_lambda <- function(lambda, unit) {
  if (!is.numeric(lambda)) return(lambda)
  scaled <- times_two(lambda, -unit$lambda)
  lost <- is.finite(lambda) & (scaled == 0 | !is.finite(scaled))
  if (any(lost)) {
    abort("lambda", "`lambda` is out of proportion to `weights` and `x`.",
          sprintf("lambda %s", format(lambda[lost][1], digits = 3)),
          "Choose `lambda` of their size, or rescale them.")
  }
  scaled
}

# The lambda of results, in the user's units.
user_lambda <- function(lambda, unit) {
  user <- times_two(lambda, unit$lambda)
  if (any(is.finite(lambda) & (user == 0 | !is.finite(user)))) {
    abort("range", "`lambda` leaves the range of numbers: `x` or `weights` are too large or small.",
          NULL, "Rescale them, or use standardize = TRUE, or give `lambda`.")
  }
  user
}

# The values of a list times 2^exponents, with one warning that names those that are no doubles any
# more, or doubles without all their digits.
bring_back <- function(values, exponents) {
  back <- Map(times_two, values, exponents)
  lost <- mapply(function(was, is) {
    any(is.finite(was) & was != 0 & !(abs(is) >= .Machine$double.xmin & abs(is) < Inf))
  }, values, back)
  if (any(lost)) {
    warn("range", "Results leave the range of numbers.",
         enumerate(sprintf("`%s`", names(values)[lost]), 20), "Rescale `y`, `weights` or `x`.")
  }
  back
}

warn_coefficients <- function(values) {
  if (!all(is.finite(values))) {
    warn("range", "Coefficients leave the range of numbers.", NULL,
         "Rescale `y` or `x`; predict() does not need them.")
  }
  values
}

# what: "Derivatives leave", ...
warn_range <- function(values, what) {
  if (!all_finite(values)) {
    warn("range", paste(what, "the range of numbers."), NULL, "Rescale `y` or `x`.")
  }
  values
}

# The exponent of weighted sums of squares of y.
squares_exponent <- function(unit) unit$weights + 2 * max(unit$y)

# Sums of squares in the user's units; deviance() and sigma() are shares of it.
user_nulldev <- function(nulldev, unit) {
  bring_back(list(nulldev = nulldev), squares_exponent(unit))$nulldev
}

# ---- held-out errors -------------------------------------------------------------

# Errors of held-out predictions (cv-held.R) in the units of the problem. A user's function sees the
# user's numbers; for others outputs are added up.
scaled_error <- function(held, problem, error) {
  measure <- problem$validation$measure
  response <- problem$design$response
  weights <- problem$design$weights
  unit <- problem$unit
  if (isTRUE(measure$as_given)) {
    held$scores <- outputs_times_two(held$scores, unit$y)
  } else {
    held$scores <- outputs_times_two(held$scores, unit$y - max(unit$y))
    response$y <- scaled_response(response$y, list(y = max(unit$y)))
    weights <- times_two(weights, -unit$weights)
  }
  error(measure, response, weights, held)
}

# The exponent of an error.
error_exponent <- function(measure, unit) {
  c(measure$power, 0)[1] * max(unit$y)
}
