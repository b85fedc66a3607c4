# Error of the solution of a linear system with this ratio of eigenvalues.
rounding <- function(lambda) 1e-9 + 1e-14 / lambda

test_that("the weights carry the certificate, and everything follows from them", {
  # In 132 a kernel enters late, past a bound that hardly holds.
  for (seed in c(1:10, 132)) {
    case <- rls2_case(seed)
    fit <- fit_rls2(case)
    bank <- reference_bank(case$kernels, case$x, case$w, case$center)
    expect_true(all(fit$d >= 0), info = seed)
    expect_equal(colSums(fit$d), rep(1, 5), tolerance = 1e-12, info = seed)
    expect_lte(max(fit$gap), 1e-8)
    for (l in seq_along(case$lambda)) {
      lambda <- case$lambda[l]
      truth <- reference_layers(bank, fit$scale, fit$d[, l], case$y, case$w, lambda, case$intercept)
      expect_lte(truth$gap, 1e-8 + 1e-14 / lambda)
      expect_lte(abs(truth$gap - fit$gap[l]), 1e-9)
      expect_equal(fit$objective[l], truth$objective, tolerance = rounding(lambda), info = seed)
      expect_equal(fit$df[l], truth$df, tolerance = rounding(lambda), info = seed)
      expect_lt(relative_error(fitted(fit)[, l], truth$prediction), rounding(lambda))
    }
    expect_lt(relative_error(predict(fit, case$x), fitted(fit)), rounding(min(case$lambda)))
  }
})

test_that("features are the linear kernels of single columns", {
  for (seed in 1:10) {
    case <- rls2_case(seed)
    p <- ncol(case$x)
    case$kernels <- NULL
    features <- fit_rls2(case, tol = 1e-11)
    case$kernels <- lapply(seq_len(p), function(j) kernel_linear(features = j))
    kernels <- fit_rls2(case, tol = 1e-11)
    expect_equal(unname(features$d), unname(kernels$d), tolerance = 1e-5, info = seed)
    expect_equal(features$objective, kernels$objective, tolerance = 1e-10, info = seed)
    expect_equal(predict(features, case$new), predict(kernels, case$new), tolerance = 1e-5)
    slopes <- coef(features)
    expect_lt(relative_error(cbind(1, case$new) %*% slopes, predict(features, case$new)), 1e-10)
    expect_identical(unname(slopes[-1, ] != 0), unname(features$d > 0), info = seed)
  }
})

test_that("coefficients are on the user's scale (formula 12)", {
  x <- as.matrix(prostate[, 1:8])
  fit <- rls2(x, prostate$lpsa)
  expect_equal(unname(cbind(1, x) %*% coef(fit)), unname(fitted(fit)), tolerance = 1e-10)
  spread <- sqrt(colMeans(scale(x, scale = FALSE)^2))
  s <- fit$lambda[20]
  c <- (prostate$lpsa - fitted(fit, s = s)) / s
  same(coef(fit, s = s)[-1, ] * spread,
       fit$d[, 20] * fit$scale * drop(crossprod(scale(x, scale = spread), c)), 1e-8)
  between <- rls2(x, prostate$lpsa, lambda = fit$lambda[c(1, 20, 30)], tol = 1e-12)
  expect_equal(predict(between, x, s = fit$lambda[25]), predict(fit, x, s = fit$lambda[25]),
               tolerance = 1e-6, ignore_attr = TRUE)
  # Where the default grid begins one kernel carries all the weight.
  expect_identical(fit$nkernels[[1]], 1L)
  expect_equal(fit$lambda[50] / fit$lambda[1], 1e-5)
  expect_gt(rls2(x, prostate$lpsa, lambda = 0.97 * fit$lambda[1])$nkernels, 1)
})

test_that("the certificate holds for 16,063 features", {
  set.seed(2)
  x <- matrix(rnorm(144 * 16063), 144)
  y <- rep_len(c(-1, 1), 144)
  x[, 1:8] <- x[, 1:8] + 0.7 * y
  fit <- rls2(x, y, lambda = 10^(1:-3), standardize = FALSE)
  expect_lte(max(fit$gap), 1e-8)
  s <- 1 / colSums(x^2)
  expect_equal(unname(fit$scale), s, tolerance = 1e-13)
  centred <- y - mean(y)
  for (l in 1:5) {
    d <- fit$d[, l]
    used <- x[, d > 0, drop = FALSE] * rep(sqrt((d * s)[d > 0]), each = 144)
    c <- solve(tcrossprod(used) + fit$lambda[l] * diag(144), centred)
    g <- s * drop(crossprod(x, c))^2
    expect_lte((max(g) - sum(d * g)) / sum(centred * c), 1e-8)
  }
})

test_that("the alternation comes to the same optimum, more slowly", {
  x <- scale(as.matrix(prostate[prostate$train, 1:8]))
  y <- prostate$lpsa[prostate$train]
  lambda <- c(1, 0.3, 0.1, 0.03)
  newton <- rls2(x, y, lambda = lambda, tol = 1e-12)
  slow <- rls2(x, y, lambda = lambda, algorithm = "alternate", tol = 1e-18)
  expect_equal(slow$objective, newton$objective, tolerance = 1e-10)
  expect_equal(slow$d, newton$d, tolerance = 1e-6)
  expect_gt(slow$iterations[4], 5 * newton$iterations[4])
})

test_that("lambda = Inf is the kernel of largest alignment (Lemma 5)", {
  for (seed in 1:10) {
    case <- rls2_case(seed)
    case$lambda <- c(Inf, 1e9, 1)
    fit <- fit_rls2(case)
    bank <- reference_bank(case$kernels, case$x, case$w, case$center)
    mean <- if (case$intercept) weighted.mean(case$y, case$w) else 0
    target <- case$w * (case$y - mean)
    alignment <- fit$scale * vapply(bank, function(k) sum(target * (k %*% target)), 0)
    # Seed 2 has two kernels that are equal after centring: the lower one.
    expect_identical(unname(which(fit$d[, 1] > 0)),
                     which(alignment > (1 - 1e-8) * max(alignment))[1], info = seed)
    expect_equal(fit$d[, 1], fit$d[, 2], info = seed)
    expect_equal(fit$df[1], 0)
    expect_equal(fit$objective[1], fit$objective[2], tolerance = 1e-6)
    expect_equal(unname(predict(fit, case$new, s = Inf)), rep(mean, 3))
  }
})

test_that("scales are what the rules say", {
  set.seed(4)
  x <- matrix(rnorm(40 * 3), 40) + 1
  new <- matrix(rnorm(20 * 3), 20)
  w <- runif(40)
  y <- factor(rep_len(c("a", "b", "b"), 40))
  scales <- function(...) {
    unname(rls2(x, y, lambda = 1, standardize = FALSE, weights = w, ...)$scale)
  }
  expect_equal(scales(scaling = "none"), rep(1, 3))
  expect_equal(scales(scaling = 3:1), 3:1)

  # Of features, the linear kernels of single columns, and of kernels: sums of what rows have with
  # themselves in the feature space, centred by the training rows.
  features <- lapply(1:3, function(j) kernel_linear(features = j))
  kernels <- list(kernel_gaussian(0.3), kernel_polynomial(2), kernel_gaussian(5, features = 2))
  for (bank in list(NULL, kernels)) {
    both <- lapply(if (is.null(bank)) features else bank, kernel_matrix, rbind(x, new))
    by_hand <- function(seen, center) {
      share <- c(w / sum(w), numeric(20))
      vapply(both, function(k) {
        self <- diag(k)
        if (center) self <- self - 2 * drop(k %*% share) + sum(share * (k %*% share))
        1 / sum(seen * self)
      }, 0)
    }
    for (center in c(FALSE, TRUE)) {
      expect_equal(scales(bank, center = center), by_hand(c(w, numeric(20)), center))
      expect_equal(scales(bank, newdata = new, center = center), by_hand(c(w, rep(1, 20)), center))
    }
    within <- function(k, rows) {
      share <- w[rows] / sum(w[rows])
      sum(share * diag(k)[rows]) - sum(share * (k[rows, rows] %*% share))
    }
    expect_equal(scales(bank, scaling = "fisher"), vapply(both, function(k) {
      1 / (within(k, which(y == "a")) + within(k, which(y == "b")))
    }, 0))
  }
})

test_that("computed, low-rank and full kernels are the same kernel", {
  set.seed(6)
  x <- matrix(rnorm(600 * 2), 600)
  y <- matrix(x[, 1] + (x[, 2] %% 0.2 > 0.1) + 0.1 * rnorm(600))
  points <- list(x = x, shift = NULL)
  # 600 rows: computed kernels come in two blocks.
  kernels <- list(kernel_gaussian(300), kernel_polynomial(2), kernel_gaussian(0.5, features = 1L))
  terms <- function(room, low_rank) {
    lapply(kernels, function(kernel) {
      term <- bank_term(kernel, point_features(points, kernel$features), room, 1L)
      if (low_rank) return(term)
      replace(term, c("factor", "matrix"), list(NULL, kernel_matrix(kernel, x)))
    })
  }
  w <- rep_len(c(1, 2, 0.5, 0), 600)
  solve_with <- function(terms, center) {
    traces <- .Call(ffi_bank_traces, terms, w, center)
    path <- .Call(ffi_rls2_path, terms, y, w, TRUE, center, matrix(1 / traces), c(1, 0.1, 0.01),
                  1e-12, FALSE, TRUE)
    c(list(traces = traces), path[c("d", "objective", "df", "a0", "fitted", "alpha")])
  }
  for (center in c(FALSE, TRUE)) {
    held <- solve_with(terms(1e9, FALSE), center)
    expect_equal(solve_with(terms(1e9, TRUE), center), held, tolerance = 1e-6)
    computed <- terms(0, TRUE)
    expect_null(computed[[1]]$matrix)
    expect_gt(max(matrix(held$d, 3)[1, ]), 0.01)
    expect_false(is.null(computed[[2]]$factor))
    expect_equal(solve_with(computed, center), held, tolerance = 1e-6)
  }
})

test_that("outputs are problems of their own, with scales of their own", {
  case <- rls2_case(8)
  outputs <- list(case$y, cos(case$y))
  scales <- matrix(runif(2 * length(case$kernels)), ncol = 2)
  for (scaling in list(NULL, scales)) {
    of <- function(y, scaling) {
      do.call(fit_rls2, c(list(replace(case, "y", list(y)), tol = 1e-12),
                          if (!is.null(scaling)) list(scaling = scaling)))
    }
    both <- of(cbind(a = outputs[[1]], b = outputs[[2]]), scaling)
    expect_identical(dim(both$d), c(length(case$kernels), 5L, 2L))
    each <- lapply(1:2, function(v) of(outputs[[v]], scaling[, v]))
    for (v in 1:2) {
      expect_equal(both$objective[, v], each[[v]]$objective, tolerance = 1e-9)
      expect_equal(predict(both, case$new)[, v, ], predict(each[[v]], case$new),
                   tolerance = 1e-6, ignore_attr = TRUE)
    }
    expect_equal(both$gcv, each[[1]]$gcv + each[[2]]$gcv, tolerance = 1e-7)
  }
})

test_that("of identical kernels the first has the weight", {
  set.seed(9)
  x <- matrix(rnorm(60), 30)
  y <- x[, 1] + x[, 2] + rnorm(30)
  fit <- rls2(cbind(x, x, -2 * x), y, lambda = c(1, 0.1, 0.001))
  expect_true(all(fit$d[3:6, ] == 0))
  kernels <- list(kernel_gaussian(1), kernel_linear(), kernel_gaussian(1), kernel_linear())
  fit <- rls2(x, y, kernels, lambda = c(1, 0.1, 0.001))
  expect_true(all(fit$d[3:4, ] == 0))
  # Not the same bits, but the same kernels to working precision, of a feature of few values.
  z <- rep_len(c(-1, 0, 2), 30)
  kernels <- lapply(c(500, 50, 300, 900), kernel_gaussian, features = 3)
  fit <- rls2(cbind(x, z), y + (z == 0), kernels, lambda = 10^(1:-4))
  expect_true(all(fit$d[-1, ] == 0))
  # Where several weights change at once.
  for (seed in 1:5) {
    set.seed(seed)
    x <- matrix(rnorm(60 * 8), 60)
    y <- rowSums(x[, 1:4]) + rnorm(60)
    fit <- quiet(rls2(cbind(x, x[, 1:3]), y, lambda = c(3, 1, 0.1, 0.01)))
    expect_true(all(fit$d[9:11, ] == 0))
  }
})

test_that("rows that do not train leave the kernels of the others alone", {
  set.seed(11)
  x <- matrix(rnorm(180), 60)
  y <- x[, 1]^2 + x[, 2] + 0.1 * rnorm(60)
  kernels <- list(kernel_polynomial(2), kernel_gaussian(0.01), kernel_linear())
  fit <- function(x, y, ...) rls2(x, y, kernels, lambda = c(1, 0.01), standardize = FALSE, ...)
  alone <- fit(x, y)
  beside <- fit(rbind(x, 1e3), c(y, 0), weights = rep(1:0, c(60, 1)))
  expect_equal(beside$objective, alone$objective, tolerance = 1e-9)
  expect_equal(fitted(beside)[1:60, ], fitted(alone), tolerance = 1e-8)
  # The quadratic kernel's factor has 10 columns, more than twice as many as rows that train.
  few <- fit(x, y, weights = rep(c(1, 0), c(4, 56)))
  expect_gt(few$d[1, 2], 0)
  alone <- fit(x[1:4, ], y[1:4])
  expect_equal(few$objective, alone$objective, tolerance = 1e-9)
  expect_equal(predict(few, x), predict(alone, x), tolerance = 1e-6)
})

test_that("the gap is reached: nearly collinear features, a single kernel, scales of many orders", {
  for (seed in 21:26) {
    set.seed(seed)
    z <- rnorm(60)
    x <- sqrt(0.99) * z + 0.1 * matrix(rnorm(60 * 150), 60)
    fit <- rls2(x, x[, 1] - x[, 2] + 0.5 * x[, 3], nlambda = 20)
    expect_lte(max(fit$gap), 1e-8)
    expect_equal(colSums(fit$d), rep(1, 20), tolerance = 1e-12)
    expect_lt(max(fit$iterations), 100)
    expect_lte(max(rls2(x[1:20, 1:6], rnorm(20), kernel_linear())$gap), 1e-8)
  }
  scaled <- x[1:20, 1:3] * rep(c(1e8, 1, 1e-8), each = 20)
  fit <- rls2(scaled, rnorm(20), scaling = "none", standardize = FALSE)
  expect_true(all(is.finite(fit$objective)))
})

test_that("features far from the origin are centred without loss", {
  set.seed(13)
  x <- matrix(rnorm(150), 50)
  y <- factor(rep_len(c("a", "b"), 50))
  for (scaling in c("norm", "fisher")) {
    near <- rls2(x, y, lambda = 0.1, scaling = scaling, center = TRUE, standardize = FALSE)
    far <- rls2(x + 1e7, y, lambda = 0.1, scaling = scaling, center = TRUE, standardize = FALSE)
    expect_equal(far$scale, near$scale, tolerance = 1e-7)
    expect_equal(fitted(far), fitted(near), tolerance = 1e-6)
  }
})

test_that("criteria are those of a linear smoother", {
  x <- as.matrix(prostate[, 1:8])
  w <- rep_len(c(0.5, 1, 1.5), 97)
  fit <- rls2(x, prostate$lpsa, weights = w)
  rss <- unname(colSums(w * (prostate$lpsa - fitted(fit))^2))
  q <- fit$df + 1
  expect_equal(fit$gcv, 97 * rss / (97 - q)^2)
  expect_equal(fit$aic, 97 * log(rss / 97) + 2 * q)
  expect_equal(fit$bic, 97 * log(rss / 97) + log(97) * q)
  expect_equal(fit$cp, rss / (rss[50] / (97 - q[50])) - 97 + 2 * q)
  expect_equal(fit$cp[50], q[50])
  # Kernels that span the intercept: more degrees of freedom than rows.
  fit <- rls2(x[1:30, ], prostate$lpsa[1:30], kernel_gaussian(1), lambda = c(1, 1e-6))
  expect_identical(is.na(fit$gcv), c(FALSE, TRUE))
  expect_true(all(is.na(fit$cp)))
})

test_that("sparse x, and new rows that the scales see, dense or not", {
  set.seed(10)
  x <- Matrix::rsparsematrix(40, 6, 0.4)
  y <- as.vector(x %*% c(1, -1, 0, 0, 0, 0)) + 0.1 * rnorm(40)
  dense <- as.matrix(x)
  expect_equal(rls2(x, y)$objective, rls2(dense, y)$objective)
  kernels <- list(kernel_polynomial(2), kernel_linear(), kernel_gaussian(0.1))
  fit <- function(x, new) rls2(x, y, kernels, nlambda = 5, newdata = new, center = TRUE)
  plain <- fit(dense, dense[1:9, ])
  for (other in list(fit(x, x[1:9, ]), fit(x, dense[1:9, ]), fit(dense, x[1:9, ]))) {
    expect_equal(other$scale, plain$scale)
    expect_equal(other$objective, plain$objective, tolerance = 1e-7)
  }
})

test_that("print and summary", {
  fit <- rls2(lpsa ~ . - train, data = prostate, lambda = c(1, 0.1))
  expect_said(fit)
  expect_said(summary(fit, s = 0.1))
  expect_identical(vapply(kernel_bank(prostate[, 1:2])[c(1, 4, 14)], format, ""),
                   c("polynomial kernel (degree = 1, scale = 1, offset = 1)",
                     "Gaussian kernel (gamma = 0.001)",
                     "polynomial kernel (degree = 1, scale = 1, offset = 1) on lcavol"))
})
