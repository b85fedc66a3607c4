# The default grid of lambda.

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
