# The Gaussian-process view: standard errors and intervals against kriging in plain R, and lm().

# Universal kriging: prior covariance (s2 / lambda) k, noise s2 / w, a free constant. k: of all rows
# that train; cross: train x new; self: k(x, x) of new rows. Variances over s2, and s2 by both ways.
kriging <- function(k, cross, self, y, w, lambda, intercept) {
  used <- w > 0
  k <- k[used, used]
  cross <- cross[used, , drop = FALSE]
  y <- as.matrix(y)[used, , drop = FALSE]
  g <- solve(k + lambda * diag(1 / w[used], sum(used)))
  one <- rep(1, sum(used))
  p <- if (intercept) g - tcrossprod(rowSums(g)) / sum(g) else g
  constant <- if (intercept) (1 - colSums(g %*% cross))^2 / sum(g) else 0
  c <- p %*% y
  rss <- colSums(lambda^2 * c^2 / w[used])
  df <- sum(used) - lambda * sum(diag(p) / w[used]) - intercept
  list(variance = (self - colSums(cross * (g %*% cross)) + constant) / lambda, df = df,
       s2 = list(df = rss / (sum(used) - df - intercept),
                 reml = lambda * colSums(c * y) / (sum(used) - intercept)))
}

expect_kriged <- function(fit, at, new, view, unseen = 0, info = NULL, tolerance = 1e-7) {
  predict <- function(...) quiet(stats::predict(...))
  for (noise in c("df", "reml")) {
    found <- predict(fit, new, at, se.fit = TRUE, noise = noise)
    expect_identical(found$fit, predict(fit, new, at), info = info)
    expect_identical(dimnames(found$se.fit), dimnames(found$fit), info = info)
    expect_equal(as.vector(found$se.fit),
                 as.vector(sqrt(outer(view$variance + unseen, view$s2[[noise]]))),
                 tolerance = tolerance, info = info)
    left <- nrow(fit$response$y[fit$weights > 0, , drop = FALSE]) - fit$intercept -
      if (noise == "df") view$df else 0
    interval <- predict(fit, new, at, interval = "gp", level = 0.8, noise = noise)
    ends <- predicted(interval)
    sd <- sqrt(outer(view$variance + unseen, view$s2[[noise]]) + rep(view$s2[[noise]],
                                                                   each = nrow(new)))
    expect_equal(as.vector(ends[, , "upr"] - ends[, , "lwr"]), as.vector(2 * qt(0.9, left) * sd),
                 tolerance = tolerance, info = info)
    expect_equal(as.vector(ends[, , "upr"] + ends[, , "lwr"]) / 2, as.vector(found$fit),
                 tolerance = tolerance, info = info)
  }
}

# rows x outputs x 3
predicted <- function(value) {
  if (!is.matrix(value)) return(value)
  array(value, c(nrow(value), 1, 3), list(NULL, NULL, colnames(value)))
}

test_that("standard errors of rls() and sparserls() are those of kriging", {
  for (seed in 4001:4010) {
    case <- random_case(seed)
    # What double precision resolves is not the question here.
    lambda <- max(case$lambda[2], 0.01)
    new <- matrix(rnorm(5 * ncol(case$x)), 5)
    self <- diag(reference_kernel(case$kernel, new, new))
    k <- reference_kernel(case$kernel, case$x, case$x)
    cross <- reference_kernel(case$kernel, case$x, new)
    full <- rls(case$x, case$y, case$kernel, c(2, 1) * lambda, weights = case$w,
                intercept = case$intercept, standardize = FALSE,
                solver = c("dual", "auto")[1 + seed %% 2])
    expect_kriged(full, lambda, new, kriging(k, cross, self, case$y, case$w, lambda,
                                             case$intercept), info = paste("full", seed))
    fit <- suppressWarnings(sparserls(case$x, case$y, I(case$basis), case$kernel, c(2, 1) * lambda,
                                      weights = case$w, intercept = case$intercept,
                                      standardize = FALSE, jitter = 1e-4))
    basis <- case$x[fit$basis, , drop = FALSE]
    k_b <- reference_shifted(case$kernel, case$x, fit$basis, 1e-4)
    new_b <- reference_kernel(case$kernel, new, basis)
    inner <- solve(k_b[fit$basis, ])
    seen <- rowSums(new_b * (new_b %*% inner))
    view <- kriging(k_b %*% inner %*% t(k_b), k_b %*% inner %*% t(new_b), seen, case$y, case$w,
                    lambda, case$intercept)
    expect_kriged(fit, lambda, new, view, pmax(self - seen, 0) / lambda, paste("sparse", seed),
                  tolerance = 1e-5)
  }
})

test_that("those of greedyrls() and rls2() take the selection and the weights as given", {
  for (seed in 1:8) {
    set.seed(seed)
    m <- 30
    x <- matrix(rnorm(m * 4), m) %*% diag(c(1, 5, 0.2, 1)) + 3
    v <- if (seed %% 3) 1 else 2
    y <- x[, 1:v] + matrix(rnorm(m * v), m) / 3
    w <- if (seed %% 2) rep(1, m) else sample(0:2, m, TRUE, c(0.1, 0.5, 0.4))
    new <- matrix(rnorm(12), 3) + 3
    intercept <- seed %% 4 > 0
    greedy <- greedyrls(x, y, 3, 0.5, weights = w, intercept = intercept)
    z <- function(x, k) expansion_points(greedy$expansion, x)[, 1:k]
    for (k in 2:3) {
      view <- kriging(tcrossprod(z(x, k)), tcrossprod(z(x, k), z(new, k)), rowSums(z(new, k)^2), y,
                      w, 0.5, intercept)
      expect_kriged(greedy, k, new, view, info = paste("greedy", seed))
    }
    y <- y[, 1]
    kernels <- if (seed %% 3 == 0) NULL else
      list(kernel_gaussian(0.2), kernel_linear(), kernel_laplacian(0.1))
    fit <- rls2(x, y, kernels, c(1, 0.3), weights = w, intercept = intercept,
                standardize = FALSE, center = seed %% 5 == 0)
    if (is.null(kernels)) kernels <- lapply(1:4, function(j) kernel_linear(features = j))
    all <- rbind(x, new)
    bank <- reference_bank(kernels, all, c(w, numeric(3)), fit$center)
    whole <- Reduce(`+`, Map(`*`, bank, fit$d[, 2] * fit$scale))
    rows <- m + 1:3
    view <- kriging(whole[1:m, 1:m], whole[1:m, rows], diag(whole)[rows], y, w, 0.3, intercept)
    expect_kriged(fit, 0.3, new, view, info = paste("rls2", seed))
  }
})

test_that("with a tiny lambda they are those of lm()", {
  data <- prostate[prostate$train, 1:9]
  new <- prostate[!prostate$train, 1:9]
  line <- lm(lpsa ~ ., data)
  fits <- list(rls(lpsa ~ ., data, lambda = c(1, 1e-9)),
               rls(lpsa ~ ., data, lambda = c(1, 1e-9), solver = "dual"),
               sparserls(lpsa ~ ., data = data, basis = I(1:40), kernel = kernel_linear(),
                         lambda = c(1, 1e-9), jitter = 0) |> suppressWarnings())
  plain <- predict(line, new, se.fit = TRUE, interval = "prediction", level = 0.9)
  for (fit in fits) {
    found <- predict(fit, new, s = 1e-9, se.fit = TRUE, interval = "gp")
    expect_equal(found$se.fit, plain$se.fit, tolerance = 1e-5)
    expect_equal(unname(found$fit), unname(plain$fit), tolerance = 1e-5)
  }
  greedy <- predict(greedyrls(lpsa ~ ., data, k = 8, lambda = 1e-9), new, se.fit = TRUE)
  expect_equal(greedy$se.fit, plain$se.fit, tolerance = 1e-5)
})

test_that("several values of lambda and units of any size", {
  set.seed(2)
  x <- matrix(rnorm(90), 30)
  y <- cbind(a = x[, 1], b = x[, 2]^2) + rnorm(60) / 5
  fit <- rls(x, y, lambda = c(4, 1, 0.5))
  expect_equal(predict(fit, x[1:4, ], se.fit = TRUE)$se.fit[, , 2],
               predict(fit, x[1:4, ], 1, se.fit = TRUE)$se.fit, ignore_attr = TRUE)
  interval <- predict(fit, x[1:4, ], 1, interval = "gp")
  expect_identical(dimnames(interval)[2:3], list(c("a", "b"), c("fit", "lwr", "upr")))
  # A method, what it takes, and by which power of two its lambda grows with x * 2^60, y * 2^80 and
  # weights of 2^60.
  pairs <- list(list(rls, list(standardize = FALSE), 180), list(rls, list(), 60),
                list(rls, list(kernel = kernel_gaussian(1)), 60),
                list(sparserls, list(basis = I(1:10), kernel = kernel_linear(),
                                     standardize = FALSE, jitter = 0), 180),
                list(greedyrls, list(standardize = FALSE, k = 2), 180),
                list(greedyrls, list(k = 2), 60), list(rls2, list(), 0),
                list(rls2, list(kernels = list(kernel_gaussian(1), kernel_linear())), 0))
  for (pair in pairs) {
    errors <- function(unit) suppressWarnings({
      fit <- do.call(pair[[1]], c(list(x * unit^60, y[, 1] * unit^80, lambda = unit^pair[[3]],
                                       weights = rep(unit^60, 30)), pair[[2]]))
      predict(fit, x[1:3, ] * unit^60, interval = "gp", se.fit = TRUE)$se.fit
    })
    expect_equal(errors(2) * 2^-80, errors(1), tolerance = 1e-8)
  }
})

test_that("standard errors of predictions say that groups are not theirs", {
  d <- data.frame(x = sin(1:40), y = cos(1:40), g = rep(1:8, 5))
  cv <- quiet(cv.sparserls(y ~ x, d, basis = 8, groups = g))
  expect_message(predict(cv, d[1:3, ], se.fit = TRUE), "takes rows as independent")
  expect_no_message(predict(cv, d[1:3, ], interval = "gp"))
})
