# y, weights and x of any size inside the door (R/check-args.R): what is multiplied by powers of two
# comes out multiplied by powers of two, to the last bit.

scaled_data <- function(seed, outputs = 1) {
  set.seed(seed)
  m <- 24
  x <- matrix(rnorm(m * 4), m) * rep(c(1, 2, 5, 0.3), each = m)
  y <- matrix(x[, 1] - 0.4 * x[, 2] + rnorm(m * outputs), m)
  list(x = x, y = y, weights = rexp(m) * rbinom(m, 1, 0.9), new = (x[1:3, ] + x[4:6, ]) / 2,
       foldid = rep(1:4, length.out = m))
}

times_two <- function(x, exponent) x * 2^exponent

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

# All that a family answers, brought back to the units of the data without exponents.
answers <- function(family, d, y = 0, weights = 0, x = 0, standardize = TRUE, lambda = NULL, ...) {
  squared <- if (standardize) 0 else 2 * x
  exponent <- if (grepl("rls2", family)) 0 else weights + squared
  call <- list(times_two(d$x, x), times_two(d$y, y), weights = times_two(d$weights, weights),
               standardize = standardize, ...)
  if (grepl("sparserls", family)) call$jitter <- times_two(1e-7, squared)
  if (grepl("greedy", family) && is.null(lambda)) lambda <- c(10, 0.1)
  if (family == "greedyrls") lambda <- lambda[1]
  if (!is.null(lambda)) call$lambda <- times_two(lambda, exponent)
  if (!family %in% c("sparserls", "rls", "greedyrls", "rls2")) {
    call <- c(call, list(foldid = d$foldid, keep = TRUE, progress = FALSE))
  }
  result <- do.call(scaling_families[[family]], call)
  fit <- if (is.null(result[["fit"]])) result else result[["fit"]]
  new <- times_two(d$new, x)
  back <- function(values, exponent) if (!is.null(values)) times_two(values, -exponent)
  slopes <- coef(fit)
  slopes <- matrix(slopes, nrow(slopes))
  squares <- weights + 2 * y
  list(
    lambda = back(result$lambda, exponent), cvm = back(result$cvm, 2 * y),
    cvsd = back(result$cvsd, 2 * y), cvup = back(result$cvup, 2 * y),
    cvlo = back(result$cvlo, 2 * y), preval = back(result$fit.preval, y), index = result$index,
    df = fit$df, dev = fit$dev.ratio, d = fit$d, selected = fit$selected,
    loo = back(fit$loo, 2 * y), gcv = back(fit$gcv, squares), cp = fit$cp,
    objective = back(fit$objective, squares), scale = back(fit$scale, -weights - squared),
    response = back(fit$response$y, y),
    fitted = back(fitted(fit), y), predicted = back(predict(fit, new), y),
    between = if (length(fit$lambda) > 1) {
      back(predict(fit, new, s = sqrt(fit$lambda[1]) * sqrt(fit$lambda[2])), y)
    },
    intercept = back(slopes[1, ], y), slopes = back(slopes[-1, ], y - x)
  )
}

expect_same_answers <- function(family, d, ..., standardize, lambda, info) {
  plain <- answers(family, d, standardize = standardize, lambda = lambda)
  scaled <- answers(family, d, ..., standardize = standardize, lambda = lambda)
  same <- mapply(identical, lapply(plain, as.vector), lapply(scaled, as.vector))
  expect_identical(names(plain)[!same], character(), info = paste(family, info))
}

test_that("powers of two go through every family to the last bit", {
  sizes <- list(c(90, 0, 0), c(-90, 0, 80), c(0, 84, 0), c(0, -84, -80), c(-60, 40, 50),
                c(0, 0, -90))
  for (seed in seq_along(sizes)) {
    size <- sizes[[seed]]
    d <- scaled_data(seed, outputs = 1 + seed %% 2)
    for (family in names(scaling_families)) {
      expect_same_answers(family, d, y = size[1], weights = size[2], x = size[3],
                          standardize = abs(size[3]) > 80 || seed %% 4 < 2,
                          lambda = if (seed %% 3 == 0) c(10, 1, 0.1), info = toString(size))
    }
  }
})

test_that("outputs that differ by 1e54 are each fitted in their own units", {
  d <- scaled_data(2, 2)
  both <- cbind(a = d$y[, 1] * 2^90, b = d$y[, 2] * 2^-90)
  size <- rep(2^c(90, -90), each = 24)
  for (fit in list(rls, function(...) sparserls(..., basis = 1:8), rls2)) {
    expect_identical(as.vector(suppressWarnings(fitted(fit(d$x, both)))),
                     as.vector(size * fitted(fit(d$x, d$y))))
  }
  joint <- suppressWarnings(rls2(d$x, both))
  expect_identical(unname(joint$d), unname(rls2(d$x, d$y)$d))
})

test_that("measures see their own units", {
  d <- scaled_data(3)
  seen <- list()
  measure <- function(y, yhat, weights) {
    seen <<- c(seen, list(list(y, weights)))
    max(abs(y - yhat)) / 2^80
  }
  cv <- function(y, ...) cv.rls(d$x, y, weights = d$weights * 2^-80, foldid = d$foldid, ...)
  big <- cv(d$y * 2^80, type.measure = measure)
  expect_identical(seen[[1]], list(d$y[d$foldid == 1] * 2^80, d$weights[d$foldid == 1] * 2^-80))
  expect_identical(cv(d$y, type.measure = function(y, yhat, w) max(abs(y - yhat)))$cvm, big$cvm)
  for (type in c("rmse", "mae", "cindex")) {
    unit <- if (type == "cindex") 1 else 2^90
    big <- suppressWarnings(cv(d$y * 2^90, type.measure = type))
    plain <- cv(d$y, type.measure = type)
    expect_identical(big$cvm, plain$cvm * unit, info = type)
    expect_identical(big$cvsd, plain$cvsd * unit, info = type)
  }
})

test_that("degrees of freedom, selectors and kernels go along", {
  d <- scaled_data(5)
  df <- function(...) suppressWarnings(rls(..., lambda = lambda_df(c(1, 2.5))))
  expect_identical(df(d$x, d$y * 2^-80)$lambda, df(d$x, d$y)$lambda)
  expect_identical(df(d$x, d$y, weights = rep(2^80, 24))$lambda, df(d$x, d$y)$lambda * 2^80)
  greedy <- function(y, size) {
    seeded(1, suppressWarnings(
      sparserls(d$x, y, basis_greedy(6, lambda = 0.1 * size), weights = rep(size, 24))$basis
    ))
  }
  expect_identical(greedy(d$y * 2^-80, 2^-70), greedy(d$y, 1))
  # Of rank 10: what no pivot resolves is relative to the diagonal.
  drawn <- function(scale) {
    seeded(1, sparserls(d$x, d$y, basis_rpcholesky(12), kernel_polynomial(2, scale, 0), 1,
                        jitter = 1e-7 * scale^2)$basis)
  }
  for (scale in 2^c(-30, 30)) expect_identical(drawn(scale), drawn(1))
  fit <- function(y) rls2(d$x, y, kernel_bank(d$x)[c(1, 5, 14, 20)])
  plain <- fit(d$y)
  tiny <- fit(d$y * 2^-80)
  expect_identical(tiny$d, plain$d)
  expect_identical(predict(tiny, d$new), predict(plain, d$new) * 2^-80)
  # Criteria move by the logarithm of the size.
  for (name in c("aic", "bic")) {
    expect_equal(tiny[[name]], plain[[name]] - 24 * 2 * 80 * log(2), tolerance = 1e-12)
  }
})

test_that("columns, responses, weights and offsets beyond 2^100 or below 2^-100 are refused", {
  x <- bad_x()
  y <- bad_y()
  d <- data.frame(x, y = y, huge = 1e31 * y)
  expect_refusals({
    greedyrls(unname(x) * 1e-200, y, 1) |
      range | "Column 1 of `x` is too small .. the largest absolute value .. Divide it by 1e-201"
    ardrls(y ~ a + huge, d, basis = 5) |
      range | "Column `huge` of `x` is too large .. the largest absolute .. Divide it by 1e31"
    rls(x, y, weights = rep(1e40, 20)) |
      range | "`weights` is too large .. the largest absolute value is .. Divide it by 1e40"
    rls(x, y, offset = 1e300 * y) | range | "`offset` is too large .. the largest absolute value is"
  })
  # Columns of zeros, small entries and the ends.
  for (size in 2^c(99, -95)) {
    expect_silent(suppressMessages(rls(cbind(x / max(abs(x)) * size, 0), y / max(abs(y)) * size,
                                       lambda = 1)))
  }
})
