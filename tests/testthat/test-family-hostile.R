# Hostile input to fits with a family: what is answered is what refits in plain R say, within the
# certificate; the rest are classed errors.

set.seed(5)
m <- 40
x <- matrix(rnorm(2 * m), m, dimnames = list(NULL, c("a", "b")))
n <- rpois(m, exp(x[, 1] / 2))
z <- rbinom(m, 1, plogis(x[, 1]))
fold <- rep(1:5, 8)
quiet <- function(code) suppressMessages(code)
# As of MASS::negative.binomial().
negative <- function(theta) {
  family <- poisson()
  family$family <- sprintf("Negative Binomial(%g)", theta)
  family$variance <- function(mu) mu + mu^2 / theta
  environment(family$variance) <- list2env(list(.Theta = theta))
  family
}
families <- list(binomial = "binomial", poisson = "poisson", gamma = Gamma(link = "log"),
                 negative_binomial = negative(2))

# Held-out linear predictors of cv.rls() against refits in full. What plain R itself knows of them is
# as much as this share of what cancels in them.
expect_honest <- function(name, y, lambda = c(3, 0.1), w = rep(1, m), o = numeric(m),
                          intercept = TRUE, slack = 1e-10) {
  cv <- quiet(cv.rls(x, y, family = families[[name]], lambda = lambda, weights = w, offset = o,
                     intercept = intercept, standardize = FALSE, foldid = fold, keep = TRUE,
                     progress = FALSE))
  for (l in seq_along(lambda)) {
    honest <- numeric(m)
    for (k in 1:5) {
      rows <- which(fold == k)
      honest[rows] <- reference_glm(x, y, o, w, which(fold != k), rows, lambda[l], intercept, name,
                                    2)
    }
    off <- max(abs(cv$fit.preval[, l] - o - honest))
    expect_lte(off, cv$certificate[l] + slack * sd(honest))
  }
  invisible(cv)
}

test_that("separation, counts of 1e9, shares of 0 and 1, constant y, tiny and huge lambda", {
  expect_honest("binomial", as.double(x[, 1] > 0), c(1, 1e-4, 1e-8))
  expect_honest("binomial", rep_len(c(0, 1, 0.3), m))
  expect_honest("binomial", rep(0.5, m))
  # All zeros have a fit without an intercept.
  expect_honest("poisson", numeric(m), intercept = FALSE)
  for (name in c("poisson", "gamma", "negative_binomial")) {
    more <- name == "gamma"
    expect_honest(name, 1e9 * (n + more))
    expect_honest(name, replace(n + more, 3, 1e9))
    expect_honest(name, n + more, c(1e12, 1e-10))
    constant <- expect_honest(name, rep(2, m))
    expect_lt(max(abs(constant$fit.preval - log(2))), 1e-14)
  }
  expect_honest("poisson", replace(numeric(m), c(3, 9), 1e9))
})

test_that("weights and offsets over many orders of magnitude", {
  expect_honest("binomial", z, w = rep_len(c(0, 1, 1e3), m))
  for (name in c("poisson", "negative_binomial")) {
    expect_honest(name, n, w = 10^rep_len(-6:6, m))
    for (o in c(300, -300)) expect_honest(name, n, o = rep(o, m))
  }
  expect_honest("poisson", n, o = rep_len(c(300, -300), m), slack = 1e-9)
  expect_honest("gamma", n + 1, o = rep_len(c(200, -200), m), slack = 1e-9)
})

test_that("powers of two in weights and lambda leave all bits, and threads and order do", {
  fit <- function(shift, ...) {
    quiet(cv.sparserls(x, n, I(1:15), kernel_gaussian(0.5), family = "poisson", foldid = fold,
                       weights = 2^shift * (1 + fold), lambda = 2^shift * c(3, 0.3), keep = TRUE,
                       progress = FALSE, ...))
  }
  one <- fit(0)
  for (other in list(fit(90), fit(-90), fit(0, threads = 2))) {
    expect_identical(other$fit.preval, one$fit.preval)
    expect_identical(unname(other$fit$alpha), unname(one$fit$alpha))
    expect_identical(other$certificate, one$certificate)
  }
  # A weight of zero is a row that is not there, one of two a row that is there twice.
  coefs <- function(rows, ...) {
    coef(rls(x[rows, ], n[rows], family = "poisson", lambda = 1, standardize = FALSE, ...))
  }
  expect_equal(coefs(1:m, weights = rep(0:1, c(7, 33))), coefs(8:m), tolerance = 1e-12)
  twice <- rep(1:2, c(7, 33))
  expect_equal(coefs(1:m, weights = twice), coefs(rep(1:m, twice)), tolerance = 1e-12)
})

test_that("rows, columns and folds at their limits", {
  p <- "poisson"
  expect_true(all(is.finite(quiet(cv.rls(x[1:3, ], c(0, 3, 1), family = p))$cvm)))
  wide <- matrix(rnorm(600), 10)
  expect_true(all(is.finite(quiet(cv.rls(wide, n[1:10] + 1, family = p, nfolds = "loo"))$cvm)))
  copies <- x[rep(1:8, 5), ]
  all <- quiet(cv.rls(copies, n, kernel = kernel_gaussian(1), lambda = 1, family = p,
                      foldid = fold, keep = TRUE))
  some <- quiet(suppressWarnings(cv.sparserls(copies, n, I(1:m), kernel_gaussian(1), lambda = 1,
                                              family = p, foldid = fold, keep = TRUE)))
  expect_equal(all$fit.preval, some$fit.preval, tolerance = 1e-6)
  # A level that only one row has.
  d <- data.frame(n, a = x[, 1], rare = factor(replace(rep(c("u", "v"), m / 2), 7, "w")))
  expect_true(all(is.finite(quiet(cv.rls(n ~ a + rare, d, family = p, nfolds = "loo"))$cvm)))
  expect_identical(max(predict(rls(x, n, family = p, lambda = 1), 1e6 * x)), Inf)
})

test_that("cross-validation stops when it is told to", {
  many <- 3000
  wide <- matrix(rnorm(many * 5), many)
  counts <- rpois(many, exp(wide[, 1]))
  limit <- function() {
    on.exit(setTimeLimit())
    setTimeLimit(elapsed = 0.7, transient = TRUE)
    cv.sparserls(wide, counts, 400, kernel_gaussian(0.2), family = "poisson", nfolds = "loo",
                 progress = FALSE)
  }
  began <- proc.time()[["elapsed"]]
  expect_error(limit(), "time limit")
  expect_lt(proc.time()[["elapsed"]] - began, 20)
})

test_that("what has no fit is refused", {
  rare <- replace(numeric(m), 1, 1)
  cv <- function(y, ..., family = "binomial") {
    cv.rls(x, y, family = family, foldid = fold, progress = FALSE, ...)
  }
  expect_refused("y", {
    rls(x, numeric(m), family = negative(2))
    rls(x, z, family = "binomial", weights = 1 - z)
    cv.sparserls(x, rare, 10, kernel_gaussian(1), family = "binomial", reselect = TRUE,
                 foldid = fold, progress = FALSE)
  })
  expect_refused("folds", {
    cv(rare)
    cv(rare, family = "poisson")
    cv(1 - rare, weights = 1 + fold)
    cv.rls(x, rare, family = "binomial", nfolds = "loo")
    cv.rls(x, factor(c(rep(c("u", "v"), c(20, 19)), "w")), family = "binomial", nfolds = "loo")
  })
  expect_refused("family", {
    rls(x, n, family = gaussian())
    rls(x, n, family = quasi())
    rls(x, n, family = c("poisson", "binomial"))
    rls(x, n, family = list(family = "poisson", link = "log"))
    rls(x, n, family = NA)
    rls(x, n, family = negative(-1))
  })
  expect_refused("offset", {
    rls(x, n, family = "poisson", offset = rep(600, m))
    rls(x, n, family = "poisson", offset = replace(x[, 1], 2, -Inf))
    rls(x, n, family = "poisson", offset = letters)
  })
  expect_refused("argument", {
    cv.sparserls(x, n, 10, family = "poisson", solver = "retrain")
  })
  # Means of 0 and 1 alone, whatever the coefficients.
  expect_refused("no_convergence", {
    rls(x, z, family = "binomial", offset = rep_len(c(-300, 300), m), intercept = FALSE,
        lambda = 1e-128)
  })
})

test_that("a single row is fitted, and no rows are predicted", {
  one <- data.frame(a = 1, y = 2)
  fit <- rls(y ~ a, one, family = families$gamma, intercept = FALSE, standardize = FALSE)
  expect_identical(dim(fitted(fit)), c(1L, length(fit$lambda)))
  # Of y = 2 the deviance is least where the mean is 2, which a small lambda comes close to.
  expect_equal(fitted(fit)[[length(fit$lambda)]], 2, tolerance = 0.05)
  d <- data.frame(x, y = factor(rep_len(letters[1:3], m)))
  cv <- quiet(cv.rls(y ~ a + b, d, foldid = fold, family = "binomial", progress = FALSE))
  expect_identical(dim(predict(cv, d[0, ], type = "prob")), c(0L, 3L))
  expect_length(predict(cv, d[0, ], type = "class"), 0)
})
