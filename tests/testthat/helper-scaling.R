# One small seeded problem for tests of scaling.
scaled_data <- function(seed, outputs = 1) {
  set.seed(seed)
  m <- 24
  x <- matrix(rnorm(m * 4), m) * rep(c(1, 2, 5, 0.3), each = m)
  y <- matrix(x[, 1] - 0.4 * x[, 2] + rnorm(m * outputs), m)
  list(x = x, y = y, weights = rexp(m) * rbinom(m, 1, 0.9), new = matrix(rnorm(12), 3),
       foldid = rep(1:4, length.out = m))
}

times_two <- function(x, exponent) {
  x * 2^exponent
}

# The coefficients of rls2() with weights 2^-70 and y times 2^-80, back in the units of the data:
# scales by rule are in units of one over the weights.
coef_size <- function(coef, scaling) {
  rbind(coef[1, , drop = FALSE] * 2^80,
        coef[-1, , drop = FALSE] * 2^80 * if (scaling == "norm") 2^70 else 1)
}

# The families with their linear fits, so that x may be scaled without being standardized.
scaling_families <- list(
  sparserls = function(...) sparserls(..., basis = 1:9, kernel = kernel_linear()),
  cv.sparserls = function(...) cv.sparserls(..., basis = 1:9, kernel = kernel_linear()),
  rls = rls, cv.rls = cv.rls,
  dual = function(...) cv.rls(..., solver = "dual"),
  svd = function(...) cv.rls(..., solver = "svd"),
  greedyrls = function(...) greedyrls(..., k = 3),
  cv.greedyrls = function(...) cv.greedyrls(..., k = 3),
  rls2 = rls2, cv.rls2 = cv.rls2
)
