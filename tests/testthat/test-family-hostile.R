# Hostile input to fits with a family: what is answered is what refits in plain R say, within the
# certificate; the rest are classed errors.

set.seed(5)
m <- 40
x <- matrix(rnorm(2 * m), m, dimnames = list(NULL, c("a", "b")))
n <- rpois(m, exp(x[, 1] / 2))
z <- rbinom(m, 1, plogis(x[, 1]))
fold <- rep(1:5, 8)
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

# Held-out linear predictors of cv.rls() against refits in full. slack: the share of what cancels in
# them that plain R itself knows.
expect_honest <- function(name, y, lambda = c(3, 0.1), w = rep(1, m), o = numeric(m),
                          intercept = TRUE, slack = 1e-10) {
  cv <- quiet(cv.rls(x, y, family = families[[name]], lambda = lambda, weights = w, offset = o,
                     intercept = intercept, standardize = FALSE, foldid = fold, keep = TRUE,
                     progress = FALSE))
  for (l in seq_along(lambda)) {
    honest <- ave(1:m, fold, FUN = function(held) {
      reference_glm(x, y, o, w, setdiff(1:m, held), held, lambda[l], intercept, name, 2)
    })
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
  wide <- matrix(rnorm(600), 10)
  # A level that only one row has.
  d <- data.frame(n, a = x[, 1], rare = factor(replace(rep(c("u", "v"), m / 2), 7, "w")))
  few <- list(cv.rls(x[1:3, ], c(0, 3, 1), family = p),
              cv.rls(wide, n[1:10] + 1, family = p, nfolds = "loo"),
              cv.rls(n ~ a + rare, d, family = p, nfolds = "loo"))
  for (cv in few) expect_true(all(is.finite(cv$cvm)))
  copies <- x[rep(1:8, 5), ]
  held_out <- function(cv, ...) {
    suppressWarnings(cv(copies, n, kernel = kernel_gaussian(1), lambda = 1, family = p,
                        foldid = fold, keep = TRUE, ...))$fit.preval
  }
  expect_equal(held_out(cv.rls), held_out(cv.sparserls, basis = I(1:m)), tolerance = 1e-6)
  far <- suppressWarnings(predict(rls(x, n, family = p, lambda = 1), 1e6 * x))
  expect_identical(max(far), Inf)
  one <- rls(y ~ a, data.frame(a = 1, y = 2), family = families$gamma, intercept = FALSE,
             standardize = FALSE)
  # Of y = 2 the deviance is least where the mean is 2, which a small lambda comes close to.
  expect_equal(fitted(one)[[length(one$lambda)]], 2, tolerance = 0.05)
})

d <- data.frame(x, n, z, s = rbinom(m, 5, 0.5), f = factor(z), k = factor(rep_len(letters[1:3], m)),
                o = x[, 2])
rare <- replace(numeric(m), 1, 1)
fit <- function(y, family = "binomial", ...) rls(x, y, family = family, lambda = 1, ...)
cv <- function(y, family = "binomial", ...) {
  cv.rls(x, y, family = family, lambda = 2:1, foldid = fold, progress = FALSE, ...)
}

test_that("families that there are not", {
  for (bad in list("gaussian", "Gamma", quasi(), gaussian(), "quasi", 1, mean, NA,
                   c("poisson", "binomial"), list(family = "poisson", link = "log"))) {
    expect_refusals(fit(n, bad) |
                      family | 'is not supported .. Families are "binomial" or binomial()')
  }
  expect_refusals({
    fit(n, "multinomial") | family | '"binomial" takes several classes, each against all others'
    fit(n, gaussian()) | family | "Least squares is the default: leave `family` out"
    fit(n, Gamma()) | family | 'is not supported .. Gamma, inverse link .. Its link here is "log"'
    fit(z, binomial("probit")) | family | 'x binomial, probit link .. Its link here is "logit"'
    fit(n, negative(-1)) | family | "`theta` of the negative binomial must be a positive .. x -1"
  })
})

b <- "binomial"
one <- fit(n, "poisson")
two <- cv(d$f)
counts <- cv(n, "poisson", keep = TRUE)

test_that("responses, weights, folds, calls and arguments that have no fit with a family", {
  expect_refusals({
    fit(rep(1, m)) | y | '`y` has a single class .. "1"'
    fit(z, weights = z) | y | "training rows have no fit with an intercept: all of them are 1"
    fit(2 * z) | y | "The binomial family needs `y` between 0 and 1 .. is 2 .. Counts are shares"
    fit(cbind(z, 1 - z)) | y | "The binomial family needs one number for each row .. size 40 x 2"
    fit(d$k, "poisson") | y | "Poisson family needs one number for .. Classes have family ="
    fit(cbind(n, n), "poisson") | y | "The Poisson family needs one number for each row as `y`"
    fit(-n, "poisson") | y | "The Poisson family needs non-negative `y`"
    fit(0 * n, Gamma(link = "log")) | y | "The Gamma family needs positive `y` .. y[1] is 0"
    rls(cbind(z, -1) ~ a, d, family = "binomial") | y | "`cbind()` of a binomial .. two columns"
    fit(n * 1e100, "poisson") | range | "`y` is too large .. Divide it by 1e100"
    fit(d$f, weights = class_weights(d$f)) | weights | "would make probabilities .. balanced"
    cv.sparserls(x, rare, 10, kernel_gaussian(1), family = "binomial", reselect = TRUE,
                 foldid = fold, progress = FALSE) | y | "no fit with an intercept .. x fold 1"
    cv(rare) | folds | "Without a fold the training rows are all of one kind .. x fold 1"
    cv.rls(x, replace(d$k, 1, "a"), family = "binomial", foldid = as.integer(d$k)) |
      folds | "Without a fold the training rows are all of one kind"
    greedyrls(f ~ a + b, d, family = b) | dots | "Unknown argument `family`"
    rls2(f ~ a + b, d, family = b) | dots | "Unknown argument `family`"
    ardrls(f ~ a + b, d, 10, family = b) | dots | "Unknown argument `family`"
    cv.rls(x, z, family = b, nfolds = "pairs") | folds | '`nfolds = "pairs"` takes no `family`'
    cv(d$k, by.output = TRUE) | family | "Fits with a family have no lambda for every output"
    sigma(one) | family | "no standard deviation of residuals .. deviance() says"
    predict(one, x, se.fit = TRUE) | family | "no standard errors of .. average_effect()"
    predict(two, x, interval = "jackknife+") | family | "no intervals for classes and shares"
    predict(one, x, interval = "gp") | family | "no view as a Gaussian process"
    derivatives(one, x, type = "debiased") | family | "There are no debiased effects"
    family(fit(d$k)) | family | "Several classes have a binomial each: they have no common family"
    predict(counts, x, interval = "jackknife+", type = "link") |
      argument | '`interval` is for `type = "response"` .. "link"'
    residuals(fit(d$k), type = "deviance") | argument | "there are only residuals of type"
    predict(one, x, type = "class") | argument | '`type = "class"` needs a fit to classes .. y was'
    predict(counts, x, type = "prob") | argument | '`type = "prob"` needs a fit to classes'
    predict(two$fit, x, type = "prob") | argument | "Probabilities need a single value .. Give `s`"
    predict(two, x, type = "link", threshold = 0.3) | argument | '`threshold` is for .. "link"'
    cv(n, "poisson", type.measure = "class") | argument | 'one of "deviance", "mse", "mae" .. "cl'
    cv(z, type.measure = "rmse") | argument | '"deviance", "class", "auc", "mse", "mae" .. "rmse"'
    generics::augment(two, d, type.residuals = "student") |
      argument | '`type.residuals` must be one of "response", "deviance" .. "student"'
    cv(d$k, type.measure = "auc") | measure | '"auc" needs a response with two classes'
    cv.rls(cbind(s, 5 - s) ~ a, d, family = "binomial", type.measure = "class") |
      measure | '"class" needs a factor or logical response'
  })
})

test_that("offsets, lambda, solvers, and fits that Newton steps do not find", {
  one <- fit(n, "poisson")
  expect_refusals({
    fit(n, "poisson", offset = rep(600, m)) | offset | "too large for a linear predictor .. 600"
    fit(n, "poisson", offset = replace(x[, 1], 2, -Inf)) |
      offset | "`offset` has values that are missing or not finite .. row 2: -Inf"
    predict(one, x, s = 0.5) | lambda | "With a family `s` must be values of the path .. 0.5"
    predict(one, x, s = "all") | lambda | '`s` must be numbers, values of lambda .. "all"'
    predict(one, x, s = lambda_df(1)) | lambda | "lambda_df() is for .. field `df`"
    fit(z, solver = "svd") | argument | 'With a family `solver` is not a choice .. "svd"'
    cv.sparserls(x, n, 10, family = "poisson", solver = "retrain") |
      argument | 'With a family `solver` is not a choice .. "retrain"'
    cv.rls(x, z, list(kernel_linear(), kernel_gaussian()), family = "binomial") |
      kernel | "With a family the plain linear kernel cannot be searched with others"
    # Means of 0 and 1 alone, whatever the coefficients.
    rls(x, z, family = "binomial", offset = rep_len(c(-300, 300), m), intercept = FALSE,
        lambda = 1e-128) | no_convergence | "Newton steps found no fit .. lambda 1e-128"
  })
})
