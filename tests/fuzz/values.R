# What arguments may be: data as users have them, data as nobody should have them, and values that
# are of no use at all.

one_of <- function(...) {
  choices <- substitute(list(...))[-1]
  eval(choices[[sample.int(length(choices), 1)]], parent.frame())
}

sometimes <- function(probability, yes, no) if (runif(1) < probability) yes else no

# Of any argument.
useless <- function() one_of(
  NULL, NA, NaN, Inf, -Inf, -1, 0, 0.5, 1e300, 1e-300, 2^31, 3L, TRUE, "no", "", character(),
  list(), numeric(), integer(), factor("a"), as.Date("2026-01-01"), matrix(1:4, 2),
  data.frame(a = 1:2), quote(a), quote(a + b), function(...) NULL, function(...) stop("mine"),
  new.env(), 1i, as.raw(1), c(1, NA, 3), list(1, "a"), array(1, c(2, 2, 2)), y ~ x,
  structure(1, class = "other"), globalenv()
)

# ---- data ------------------------------------------------------------------------------------

column <- function(m) one_of(
  rnorm(m), rnorm(m), rnorm(m), runif(m) < 0.5, sample(letters[1:3], m, TRUE), rpois(m, 3),
  factor(sample(c("u", "v", "w"), m, TRUE), c("u", "v", "w", "unused")), rep(1, m), 1e8 + rnorm(m),
  1e-200 * rnorm(m), 1e180 * rnorm(m), sample(c(0, 1), m, TRUE), ordered(sample(3, m, TRUE)),
  as.Date("2026-01-01") + seq_len(m),
  replace(rnorm(m), sample.int(m, 1), one_of(NA, NaN, Inf, -Inf))
)

table_of <- function(m, p) {
  columns <- lapply(seq_len(p), function(j) if (runif(1) < 0.7) rnorm(m) else column(m))
  names(columns) <- sometimes(0.95, letters[seq_len(p)], rep("a", p))
  structure(columns, class = "data.frame", row.names = seq_len(m))
}

matrix_of <- function(m, p) {
  x <- matrix(rnorm(m * p), m, p)
  one_of(
    x, x, x, x, round(x), x[sample.int(m, m, TRUE), , drop = FALSE], x * 10^sample(-150:150, 1),
    cbind(x, x[, 1]), cbind(x, 1), x + 1e9, methods::as(x * (abs(x) > 1), "CsparseMatrix"),
    replace(x, sample.int(m * p, 1), one_of(NA, NaN, Inf)), x > 0, `storage.mode<-`(x, "integer"),
    `colnames<-`(x, rep("a", p)), as.data.frame(x), x[0, , drop = FALSE], x[, 0, drop = FALSE]
  )
}

response_of <- function(m) one_of(
  rnorm(m), rnorm(m), rnorm(m), rnorm(m), 1e10 + rnorm(m), rnorm(m) * 10^sample(-150:150, 1),
  rep(2, m), matrix(rnorm(2 * m), m), runif(m) < 0.5, factor(sample(c("no", "yes"), m, TRUE)),
  factor(sample(c("a", "b", "c"), m, TRUE)), sample(letters[1:2], m, TRUE), rpois(m, 2),
  replace(rnorm(m), sample.int(m, 1), one_of(NA, Inf)), rnorm(m + 1), rep(TRUE, m)
)

weights_of <- function(m) one_of(
  rep(1, m), runif(m), sample(0:2, m, TRUE), rep(0, m), 10^sample(-150:150, m, TRUE),
  replace(rep(1, m), 1, -1), rep(1, m + 1)
)

# ---- arguments of the methods ----------------------------------------------------------------

kernel_of <- function() {
  gamma <- function() one_of(NULL, 0.1, 1, c(0.1, 1), width_multiples(c(0.5, 1)), 1e-12, 1e12, -1)
  one_of(
    kernel_gaussian(), kernel_gaussian(gamma()), kernel_laplacian(gamma()), kernel_linear(),
    kernel_matern(sample(c(0.5, 1.5, 2.5), 1), gamma()), kernel_polynomial(sample(0:4, 1)),
    kernel_linear(normalize = TRUE), list(kernel_gaussian(0.1), kernel_linear()),
    kernel_custom(function(x, z) as.matrix(x) %*% t(as.matrix(z))),
    kernel_custom(function(x, z) NA), kernel_custom(function(x, z) stop("mine")),
    kernel_custom(function(x, z) -as.matrix(x) %*% t(as.matrix(z))),
    kernel_gaussian(0.1, features = sample(0:4, 1)), kernel_precomputed(), "gaussian"
  )
}

lambda_of <- function() one_of(
  NULL, 1, c(10, 1, 0.1), 10^(3:-3), 0, 1e-300, 1e300, c(1, 1), -1, NA_real_, Inf, lambda_df(3),
  numeric()
)

basis_of <- function(m) one_of(
  NULL, NULL, min(5, m), seq_len(min(4, m)), basis_random(min(5, m)), basis_greedy(min(3, m)),
  basis_rpcholesky(min(4, m)), basis_sizes(c(2, 4)), m + 1, 0, c(1, 1, 2), -1, seq_len(m), TRUE,
  matrix(rnorm(6), 2), basis_groups(rep_len(1:3, m), 3)
)

groups_of <- function(m) one_of(
  rep_len(1:4, m), rep_len(letters[1:3], m), factor(rep_len(1:2, m), 1:5), rep(1, m), seq_len(m),
  replace(rep_len(1:3, m), 1, NA), rep_len(1:3, m + 2), rnorm(m)
)

folds_of <- function(m) one_of(
  unname(split(seq_len(m), rep_len(1:3, m))), list(1, 2), list(seq_len(m)), list(), list(integer()),
  list(m + 1), list(c(1, 1)), list(list(score = 1, omit = seq_len(min(3, m)))),
  list(list(score = 1)), list(1.5), cv_folds(m, groups = rep_len(1:3, m))
)

# The arguments that a function has beside x and y, each with what it may be.
argument_table <- function(m) list(
  kernel = quote(kernel_of()), lambda = quote(lambda_of()), basis = quote(basis_of(m)),
  weights = quote(weights_of(m)), groups = quote(groups_of(m)), folds = quote(folds_of(m)),
  foldid = quote(rep_len(one_of(1:3, 1:2, 0:1, 1), m)), strata = quote(rep_len(1:2, m)),
  nfolds = quote(one_of("loo", 3, 5, 1, m, m + 1, 2.5, "pairs", Inf)),
  repeats = quote(one_of(1, 2, 0)), nlambda = quote(one_of(5, 1, 0, 3)),
  intercept = quote(one_of(TRUE, FALSE, NA)),
  standardize = quote(one_of(TRUE, FALSE)), jitter = quote(one_of(0, 1e-7, 1e-2, -1)),
  keep = quote(one_of(TRUE, FALSE)),
  holdout_basis = quote(one_of("remove", "keep", "keep_loss", "skip")),
  type.measure = quote(one_of("mse", "mae", "class", "auc", "r2",
                              function(y, yhat, w) mean((y - yhat)^2))),
  outer = quote(one_of(2, 3, 0, NULL)), reselect = quote(one_of(TRUE, FALSE)),
  by.output = quote(one_of(TRUE, FALSE)), threads = quote(one_of(1, 2, 0, NULL)),
  solver = quote(one_of("auto", "dual", "svd", "primal", "update")),
  k = quote(one_of(1, 2, 3, 0, 100)),
  offset = quote(one_of(rnorm(m), rep(0, m), rnorm(m + 1))), center = quote(one_of(TRUE, FALSE)),
  family = quote(one_of(NULL, "binomial", "poisson", stats::Gamma("log"), stats::gaussian()))
)
