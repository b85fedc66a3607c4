# y, weights and x of any size: what is multiplied by powers of two comes out multiplied by powers
# of two, to the last bit.

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
    df = fit$df, dev = fit$dev.ratio, d = fit$d, selected = fit$selected, loo = back(fit$loo, 2 * y),
    gcv = back(fit$gcv, squares), objective = back(fit$objective, squares), cp = fit$cp,
    scale = back(fit$scale, -weights - squared), response = back(fit$response$y, y),
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
  sizes <- list(c(490, 0, 0), c(-490, 0, 0), c(0, 480, 0), c(0, -480, 0), c(0, 0, 240),
                c(0, 0, -240), c(-300, 60, 130), c(110, -320, -40), c(20, -30, 10))
  for (seed in seq_along(sizes)) {
    size <- sizes[[seed]]
    d <- scaled_data(seed, outputs = 1 + seed %% 2)
    for (family in names(scaling_families)) {
      expect_same_answers(family, d, y = size[1], weights = size[2], x = size[3],
                          standardize = seed %% 4 < 2, lambda = if (seed %% 3 == 0) c(10, 1, 0.1),
                          info = toString(size))
    }
  }
})

test_that("standardized x may have any size", {
  d <- scaled_data(1)
  for (family in names(scaling_families)) for (x in c(500, -500)) {
    expect_same_answers(family, d, x = x, standardize = TRUE, lambda = NULL, info = x)
  }
})

test_that("outputs that differ by 1e360 are each fitted in their own units", {
  d <- scaled_data(2, 2)
  both <- cbind(a = d$y[, 1] * 2^600, b = d$y[, 2] * 2^-600)
  size <- rep(2^c(600, -600), each = 24)
  for (fit in list(rls, function(...) sparserls(..., basis = 1:8), rls2)) {
    expect_identical(as.vector(suppressWarnings(fitted(fit(d$x, both)))),
                     as.vector(size * fitted(fit(d$x, d$y))))
  }
  joint <- suppressWarnings(rls2(d$x, both))
  expect_identical(unname(joint$d), unname(rls2(d$x, d$y)$d))
  # What is summed over outputs is that of the large one.
  cv <- function(y) cv.rls(d$x, y, foldid = d$foldid, type.measure = "mae")
  one <- suppressWarnings(cv(both[, 1]))
  two <- suppressWarnings(cv(both))
  expect_equal(two$cvm, one$cvm, tolerance = 1e-14)
  expect_equal(two$fit$dev.ratio, one$fit$dev.ratio, tolerance = 1e-14)
})

test_that("measures see their own units", {
  skip_if_not_installed("survival")
  d <- scaled_data(3)
  seen <- list()
  measure <- function(y, yhat, weights) {
    seen <<- c(seen, list(list(y, weights)))
    max(abs(y - yhat)) / 2^400
  }
  cv <- function(y, ...) cv.rls(d$x, y, weights = d$weights * 2^-400, foldid = d$foldid, ...)
  big <- cv(d$y * 2^400, type.measure = measure)
  expect_identical(seen[[1]], list(d$y[d$foldid == 1] * 2^400, d$weights[d$foldid == 1] * 2^-400))
  expect_identical(cv(d$y, type.measure = function(y, yhat, w) max(abs(y - yhat)))$cvm, big$cvm)
  for (type in c("rmse", "mae", "cindex")) {
    unit <- if (type == "cindex") 1 else 2^700
    big <- suppressWarnings(cv(d$y * 2^700, type.measure = type))
    plain <- cv(d$y, type.measure = type)
    expect_identical(big$cvm, plain$cvm * unit, info = type)
    expect_identical(big$cvsd, plain$cvsd * unit, info = type)
    expect_identical(big$index, plain$index, info = type)
  }
})

test_that("criteria of rls2 move by the logarithm of the size", {
  d <- scaled_data(4)
  fit <- rls2(d$x, d$y)
  big <- rls2(d$x, d$y * 2^450)
  expect_equal(big$aic, fit$aic + 24 * 2 * 450 * log(2), tolerance = 1e-12)
  expect_equal(big$bic, fit$bic + 24 * 2 * 450 * log(2), tolerance = 1e-12)
})

test_that("degrees of freedom, selectors and kernels go along", {
  d <- scaled_data(5)
  df <- function(...) suppressWarnings(rls(..., lambda = lambda_df(c(1, 2.5))))
  expect_identical(df(d$x, d$y * 2^-700)$lambda, df(d$x, d$y)$lambda)
  expect_identical(df(d$x, d$y, weights = rep(2^600, 24))$lambda, df(d$x, d$y)$lambda * 2^600)
  greedy <- function(y, size) {
    set.seed(1)
    suppressWarnings(
      sparserls(d$x, y, basis_greedy(6, lambda = 0.1 * size), weights = rep(size, 24))$basis
    )
  }
  expect_identical(greedy(d$y * 2^-600, 2^-500), greedy(d$y, 1))
  bank <- kernel_bank(d$x)[c(1, 5, 14, 20)]
  score <- function(y, size, ...) {
    fit <- suppressWarnings(rls2(d$x, y, bank, weights = rep(size, 24), ...))
    list(fit$d, predict(fit, d$new), predict(fit, d$new, s = mean(fit$lambda[1:2])), coef(fit))
  }
  for (scaling in c("norm", "none")) {
    plain <- score(d$y, 1, scaling = scaling)
    tiny <- score(d$y * 2^-500, 2^-400, scaling = scaling)
    expect_identical(tiny[[1]], plain[[1]])
    expect_identical(lapply(tiny[2:3], `*`, 2^500), plain[2:3])
    expect_identical(coef_size(tiny[[4]], scaling), plain[[4]])
  }
})

test_that("what leaves the range of numbers is said", {
  d <- scaled_data(6)
  cv <- function(f, y, ...) f(d$x, y, ..., foldid = d$foldid, nlambda = 5)
  warned <- function(code) {
    suppressWarnings(expect_warning(code, class = "sparserls_warning_range"))
  }
  warned(big <- cv(cv.sparserls, d$y * 2^700, basis = 1:6))
  plain <- cv(cv.sparserls, d$y, basis = 1:6)
  # The choice is made before.
  expect_identical(big$index, plain$index)
  expect_identical(big$cvm, rep(Inf, 5))
  expect_identical(fitted(big), fitted(plain) * 2^700)
  warned(tiny <- cv(cv.sparserls, d$y * 2^-700, basis = 1:6))
  expect_identical(tiny$index, plain$index)
  expect_identical(tiny$cvm, numeric(5))
  expect_said(invisible(rls(d$x, d$y * 2^600)))
  expect_said(invisible(rls2(d$x, d$y * 2^-600)))
  expect_said(invisible(greedyrls(d$x, d$y * 2^600, 2)))
  expect_said(invisible(coef(rls(d$x * 1e-300, d$y * 1e300))))
  expect_refused("range", {
    rls(d$x * 1e200, d$y, standardize = FALSE)
  })
  # y up to the largest numbers.
  expect_equal(fitted(rls(d$x, d$y / max(abs(d$y)) * 1.7e308, lambda = 1)) / 1.7e308,
               fitted(rls(d$x, d$y / max(abs(d$y)), lambda = 1))) |> suppressWarnings()
})

test_that("a cross-validation of y of any size is none that is damaged", {
  d <- scaled_data(6)
  quietly <- function(code) suppressWarnings(suppressMessages(code))
  for (power in c(-540, -517, -510, 510, 517, 600)) {
    y <- d$y * 2^power
    for (cv in quietly(list(cv.sparserls(d$x, y, basis = 1:6, foldid = d$foldid, keep = TRUE),
                            cv.rls(d$x, y, foldid = d$foldid, keep = TRUE)))) {
      ends <- predict(cv, d$x, interval = "jackknife+")
      expect_true(all(is.finite(ends)))
      found <- suppressWarnings(derivatives(cv, d$x))
      expect_true(all(is.finite(found$average)))
    }
  }
  # Variances are squares.
  for (type in c("jackknife", "sandwich", "gp")) {
    expect_warning(vcov(cv, type = type), class = "sparserls_warning_range")
    expect_warning(derivatives(cv, d$x, type = type), class = "sparserls_warning_range")
  }
})

test_that("a lambda that was given serves where the default leaves the range", {
  d <- scaled_data(7)
  # What lambda = 1 adds to 1e400 is nothing: least squares.
  fit <- rls(d$x * 2^400, d$y, lambda = 1, standardize = FALSE)
  expect_equal(fitted(fit), unname(fitted(lm(d$y ~ d$x))))
})
