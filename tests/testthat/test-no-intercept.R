# Without an intercept standardized columns are divided by their standard deviations and not
# centred: f goes through the origin, and is the ridge regression of these columns.

set.seed(1)
m <- 60
x <- cbind(a = rnorm(m, 3), b = runif(m, 10, 12), c = rexp(m) * (runif(m) < 0.6), one = 1)
w <- runif(m, 0.2, 2)
y <- drop(x[, 1:3] %*% c(1, -2, 0.5)) + rnorm(m) / 10
d <- data.frame(x, y = y, w = w)
in_parts <- function(d) chunks_function(4, function(i) d[seq(i, m, by = 4), ])
parts <- in_parts(d)
origin <- 0 * x[1, , drop = FALSE]

# By the definition; a constant column stays as it is.
by_hand <- function(lambda, rows = seq_len(m)) {
  sd <- apply(x, 2, function(v) sqrt(weighted.mean((v - weighted.mean(v, w))^2, w)))
  sd["one"] <- 1
  z <- sweep(x, 2, sd, "/")
  drop(solve(crossprod(z[rows, ], w[rows] * z[rows, ]) + lambda * diag(4),
             crossprod(z[rows, ], w[rows] * y[rows]))) / sd
}

test_that("linear fits are the ridge regression of columns that are not centred", {
  sparse <- Matrix::Matrix(x, sparse = TRUE)
  linear <- kernel_linear()
  fits <- suppressWarnings(list(
    rls(x, y, lambda = 0.5, weights = w, intercept = FALSE, solver = "dual"),
    rls(x, y, lambda = 0.5, weights = w, intercept = FALSE, solver = "svd"),
    rls(x, y, lambda = 0.5, weights = w, intercept = FALSE, solver = "primal"),
    rls(sparse, y, lambda = 0.5, weights = w, intercept = FALSE),
    rls(y ~ a + b + c + one - 1, d, lambda = 0.5, weights = w),
    rls(y ~ 0 + a + b + c + one, parts, lambda = 0.5, weights = w),
    sparserls(x, y, 1:m, linear, 0.5, weights = w, intercept = FALSE, jitter = 1e-10),
    sparserls(sparse, y, 1:m, linear, 0.5, weights = w, intercept = FALSE, jitter = 1e-10),
    sparserls(y ~ a + b + c + one - 1, parts, 8, linear, 0.5, weights = w, jitter = 1e-10)
  ))
  for (fit in fits) {
    expect_equal(coef(fit)[-1], unname(by_hand(0.5)), tolerance = 1e-7)
    expect_identical(coef(fit)[1], 0)
    new <- if (inherits(fit$terms, "terms")) data.frame(origin) else origin
    expect_identical(as.vector(predict(fit, new)), 0)
  }
  greedy <- greedyrls(x, y, 4, 0.5, weights = w, intercept = FALSE)
  expect_equal(coef(greedy)[-1], unname(by_hand(0.5)), tolerance = 1e-7)
})

test_that("so are their refits", {
  folds <- rep(1:6, 10)
  honest <- ave(seq_len(m), folds, FUN = function(i) x[i, ] %*% by_hand(0.5, -i))
  error <- weighted.mean((y - honest)^2, w)
  d$id <- folds
  run <- function(cv, data, ...) {
    suppressWarnings(cv(y ~ a + b + c + one - 1, data, ..., lambda = c(1e3, 0.5), weights = w,
                        foldid = id, type.measure = "mse", progress = FALSE))
  }
  sparse <- function(...) {
    run(cv.sparserls, ..., kernel = kernel_linear(), jitter = 1e-10, holdout_basis = "keep")
  }
  expect_equal(run(cv.rls, d)$cvm[2], error, tolerance = 1e-9)
  expect_equal(run(cv.rls, in_parts(d))$cvm[2], error, tolerance = 1e-9)
  expect_equal(sparse(d, 1:m)$cvm[2], error, tolerance = 1e-6)
  expect_equal(sparse(in_parts(d), 8)$cvm[2], error, tolerance = 1e-6)
})

test_that("other models that see inner products go through the origin, too", {
  zero <- data.frame(origin)
  at_zero <- function(fit, ...) as.vector(predict(fit, zero, ...))
  cubic <- kernel_polynomial(3, offset = 0)
  expect_identical(at_zero(sparserls(y ~ a + b - 1, d, 1:4, cubic, c(1, 0.1))), c(0, 0))
  expect_identical(at_zero(rls2(y ~ a + b + c - 1, d, lambda = c(1, 0.1))), c(0, 0))
  ard <- quiet(ardrls(y ~ a + b + c - 1, d, 1:3, kernel_linear(), c(Inf, 1), progress = FALSE))
  expect_identical(at_zero(ard), c(0, 0))
  # A custom kernel sees the columns that a linear one would.
  custom <- kernel_custom(function(x, z) tcrossprod(x, z))
  expect_equal(predict(rls(y ~ a + b - 1, d, custom, 0.5), d),
               predict(rls(y ~ a + b - 1, d, lambda = 0.5), d), tolerance = 1e-8)
})

test_that("glmnet's solution without an intercept, after converting lambda", {
  skip_if_not_installed("glmnet")
  root <- sqrt(mean(y^2))
  theirs <- glmnet::glmnet(x[, 1:3], y, alpha = 0, lambda = 0.3, intercept = FALSE, thresh = 1e-20)
  ours <- rls(x[, 1:3], y, lambda = m * 0.3 / root, intercept = FALSE)
  expect_equal(coef(ours)[-1], unname(as.matrix(coef(theirs))[-1]), tolerance = 1e-6)
})

test_that("factors have the columns of lm(), all levels of the first without an intercept", {
  d <- transform(warpbreaks, z = sin(seq_len(54)), l = rep(c(TRUE, FALSE), 27))
  source <- chunks_function(3, function(i) d[seq(18 * i - 17, 18 * i), ])
  for (form in list(breaks ~ wool - 1, breaks ~ 0 + tension + z, breaks ~ tension + wool - 1,
                    breaks ~ l + z - 1, breaks ~ wool:tension - 1, breaks ~ z * tension + wool)) {
    least <- lm(form, d)
    wanted <- unname(predict(least, d[1:20, ]))
    for (fit in list(rls(form, d, lambda = 1e-8), rls(form, source, lambda = 1e-8),
                     sparserls(form, d, 1:54, kernel_linear(), lambda = 1e-7, jitter = 1e-12))) {
      expect_equal(unname(predict(fit, d[1:20, ])), wanted, tolerance = 1e-6)
    }
    fit <- rls(form, d, lambda = 1e-8)
    expect_equal(coef(fit)[names(coef(least)), 1], coef(least), tolerance = 1e-6)
  }
})
