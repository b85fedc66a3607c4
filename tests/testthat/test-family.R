# Fits with a family, and their cross-validations, against glm() and against Newton steps in plain R
# (helper-glm.R).

m <- 90
d <- family_rows(27, m)
x <- as.matrix(d[c("a", "b")])

# y on the scale of means.
models <- list(
  binomial = list(family = binomial(), y = d$z), poisson = list(family = poisson(), y = d$n),
  gamma = list(family = Gamma(link = "log"), y = d$g),
  negative_binomial = list(family = MASS::negative.binomial(1.3), y = d$q)
)

# Linear predictors of the rows `held` by the refit without them and their basis vectors, or of all
# rows by the fit. k: kernel values of all rows with the basis.
linear_predictors <- function(name, k, basis, lambda, w, held = integer()) {
  rows <- if (length(held)) held else seq_len(m)
  found <- reference_glm_refit(k, models[[name]]$y, d$o, w, basis, which(!basis %in% held),
                               setdiff(seq_len(m), held), rows, lambda, TRUE, name, 1.3)
  found + d$o[rows]
}

test_that("with hardly a penalty fits are those of glm()", {
  for (model in models) {
    d$y <- model$y
    fit <- rls(y ~ a + b + offset(o), d, family = model$family, lambda = 1e-7, weights = w)
    other <- suppressWarnings(glm(y ~ a + b + offset(o), model$family, d, weights = w,
                                  control = list(epsilon = 1e-14)))
    same(coef(fit)[, 1], coef(other), 1e-6)
    same(deviance(fit), deviance(other), 1e-6)
    same(predict(fit, d[1:5, ]), predict(other, d[1:5, ], type = "response"), 1e-6)
    same(predict(fit, d[1:5, ], type = "link"), predict(other, d[1:5, ]), 1e-6)
    same(residuals(fit), residuals(other, type = "response"), 1e-6)
    same(residuals(fit, type = "deviance"), residuals(other), 1e-6)
  }
  # Of the model without features, which has no closed form with an offset.
  null <- suppressWarnings(glm(z ~ 1 + offset(o), binomial(), d, weights = w))
  same(rls(z ~ a + offset(o), d, family = binomial, weights = w, lambda = 1)$nulldev,
       deviance(null))
})

test_that("on kernels fits are penalized maxima, held-out predictions those of refits in full", {
  basis <- seq(2, m, by = 4)
  k <- reference_shifted(kernel_gaussian(1), x, basis, 1e-7)
  for (name in names(models)) {
    model <- models[[name]]
    d$y <- model$y
    fit <- sparserls(y ~ a + b + offset(o), d, basis = I(basis), kernel = kernel_gaussian(1),
                     family = model$family, lambda = c(2, 0.1), weights = w * 100,
                     standardize = FALSE)
    cv <- quiet(cv.sparserls(y ~ a + b + offset(o), d, basis = I(basis), weights = w, groups = id,
                             kernel = kernel_gaussian(1), family = model$family, keep = TRUE,
                             lambda = c(3, 0.3), standardize = FALSE))
    for (l in 1:2) {
      eta <- linear_predictors(name, k, basis, fit$lambda[l], d$w * 100)
      # Coefficients are in the user's units.
      same(drop(cbind(1, k) %*% coef(fit)[, l]) + d$o, eta, 1e-6)
      same(fitted(fit)[, l], model$family$linkinv(eta))
      held <- split(seq_len(m), d$id)
      honest <- lapply(held, linear_predictors, name = name, k = k, basis = basis,
                       lambda = cv$lambda[l], w = d$w)
      off <- max(abs(cv$fit.preval[unlist(held), l] - unlist(honest)))
      expect_lte(off, cv$certificate[l] + 1e-8 * sd(unlist(honest)))
    }
    expect_lte(max(fit$certificate), 1e-9)
    expect_lte(max(cv$steps$share), 1e-6)
  }
})

test_that("errors are those of the held-out linear predictors", {
  cv <- function(formula, ..., family = "binomial") {
    quiet(cv.rls(formula, d, family = family, lambda = c(10, 1), keep = TRUE, weights = w, ...))
  }
  mean_of <- function(loss) colSums(d$w * loss) / sum(d$w)
  p <- plogis(cv(z ~ a + b, foldid = "id")$fit.preval)
  losses <- list(deviance = -2 * (d$z * log(p) + (1 - d$z) * log(1 - p)), mse = (d$z - p)^2,
                 mae = abs(d$z - p), class = (p > 0.5) != d$z)
  for (measure in names(losses)) {
    same(cv(z ~ a + b, foldid = "id", type.measure = measure)$cvm, mean_of(losses[[measure]]))
  }
  same(cv(z ~ a + b, foldid = "id")$cvm, mean_of(losses$deviance))
  # Standard errors over groups, and over rows.
  found <- cv(n ~ a + b, groups = "id", nfolds = 5, family = poisson())
  loss <- 2 * (ifelse(d$n > 0, d$n * log(d$n), 0) - d$n - d$n * found$fit.preval +
                 exp(found$fit.preval))
  same(found$cvm, mean_of(loss))
  total <- as.vector(rowsum(d$w, d$id))
  centred <- sweep(rowsum(d$w * loss, d$id) / total, 2, found$cvm)
  expect_equal(found$cvsd, sqrt(colSums(total * centred^2) / sum(total) / 14))
  # Classes: probabilities divided by their sum.
  several <- cv(k ~ a + b, foldid = "id")
  expect_true(all(several$steps$share <= several$steps$asked))
  true <- cbind(seq_len(m), as.integer(d$k))
  same(several$cvm, apply(plogis(several$fit.preval), 3, function(p) {
    mean_of(cbind(-2 * log((p / rowSums(p))[true])))
  }))
})

test_that("open paths end where the error is two standard errors above its least", {
  cv <- function(...) {
    quiet(cv.sparserls(x, d$z, basis = 1:30, kernel = kernel_gaussian(2), family = "binomial",
                       foldid = rep_len(1:6, m), progress = FALSE, certificate = 1e-9, ...))
  }
  open <- cv(nlambda = 30)
  given <- cv(lambda = sparserls(x, d$z, 1:30, kernel_gaussian(2), nlambda = 30,
                                 family = "binomial")$lambda)
  n <- length(open$lambda)
  expect_lt(n, length(given$lambda))
  same(open$lambda, given$lambda[seq_len(n)], 1e-12)
  same(open$cvm, given$cvm[seq_len(n)], 1e-9)
  best <- which.min(given$cvm)
  risen <- given$cvm > given$cvm[best] + 2 * given$cvsd[best]
  same(which(risen & seq_along(risen) > best)[1], n)
  expect_identical(open$lambda.min, given$lambda.min)
  expect_identical(open$fit$lambda, open$lambda)
})

test_that("refits are in full where the choice is made, and everywhere where that is asked for", {
  cv <- function(...) {
    quiet(cv.sparserls(x, d$n, basis = 1:30, family = "poisson", foldid = rep_len(1:6, m),
                       nlambda = 30, keep = TRUE, progress = FALSE, ...))
  }
  width <- kernel_gaussian(0.5)
  loose <- cv(kernel = width)
  full <- cv(kernel = width, certificate = 1e-6)
  chosen <- unique(as.vector(outer(loose$index[, 1], -1:1, "+")))
  expect_true(all(loose$steps$share <= loose$steps$asked))
  expect_true(all(loose$steps$asked[intersect(chosen, seq_along(loose$lambda))] == 1e-6))
  expect_gt(sum(loose$steps$asked > 1e-6), 5)
  expect_true(all(full$steps$share <= 1e-6))
  expect_identical(loose[c("lambda.min", "lambda.1se")], full[c("lambda.min", "lambda.1se")])
  # The path ends where df is known, with `certificate` everywhere.
  both <- seq_along(full$lambda)
  expect_true((length(loose$lambda) - length(both)) %in% 0:2)
  off <- apply(abs(loose$fit.preval[, both] - full$fit.preval), 2, max)
  expect_true(all(off <= loose$certificate[both] + full$certificate))
  same(loose$fit$df[both], full$fit$df, 1e-3)
  # Widths are searched by squares, and the best is done by the likelihood.
  found <- cv()
  own <- found$kernels$error == "likelihood"
  expect_identical(sum(own), 1L)
  expect_gt(length(own), 2)
  expect_equal(found$kernels$cvm[own], min(found$cvm))
  expect_identical(found$kernels$kernel[own], format(found$kernel))
  again <- cv(kernel = kernel_gaussian(found$kernel$gamma))
  same(found$cvm, again$cvm, 1e-9)
})

test_that("responses are read in all the ways of glm()", {
  fit <- function(formula, data = d, ...) {
    rls(formula, data, family = "binomial", lambda = c(5, 0.5), ...)
  }
  zero_one <- fit(z ~ a + b)
  d$f <- factor(d$z, labels = c("no", "yes"))
  for (form in c(z == 1 ~ a + b, f ~ a + b, cbind(z, 1 - z) ~ a + b)) {
    same(coef(fit(form, d)), coef(zero_one), 1e-10)
  }
  d$five <- 5 * d$w
  trials <- fit(cbind(s, 5 - s) ~ a + b, weights = "w")
  same(coef(fit(I(s / 5) ~ a + b, d, weights = "five")), coef(trials), 1e-10)
  expect_equal(unname(weights(trials)), 5 * d$w)
  # Rows of single trials.
  rows <- rep(seq_len(m), each = 5)
  long <- transform(d[rows, ], hit = sequence(rep(5, m)) <= d$s[rows])
  same(coef(fit(hit ~ a + b, long, weights = "w")), coef(trials), 1e-8)
  same(fitted(trials), predict(trials, d), 1e-10)
})

test_that("predictions: means, links, classes, probabilities, thresholds, chunks", {
  cv <- quiet(cv.rls(z ~ a + b, d, family = "binomial", lambda = c(5, 0.5), foldid = id))
  p <- predict(cv, d)
  same(p, plogis(predict(cv, d, type = "link")))
  same(predict(cv, d, type = "prob"), cbind(1 - p, p))
  expect_identical(dim(predict(cv, d[0, ], type = "prob")), c(0L, 2L))
  expect_identical(predict(cv, d, type = "class"), factor(as.integer(p > 0.5), 0:1))
  expect_identical(predict(cv, d, type = "class", threshold = 0.7),
                   factor(as.integer(p > 0.7), 0:1))
  same(fitted(cv), p)
  same(residuals(cv), d$z - p)
  same(predict(cv, chunks_function(3, function(i) d[30 * (i - 1) + 1:30, ])), p)
  several <- rls(k ~ a + b, d, family = "binomial", lambda = c(5, 0.5))
  p <- predict(several, d)
  expect_identical(dim(p), c(90L, 3L, 2L))
  # Each class is a binomial, divided by the sum.
  each <- vapply(levels(d$k), function(class) {
    predict(rls(k == class ~ a + b, d, family = "binomial", lambda = 5), d)
  }, numeric(m))
  same(p[, , 1], each / rowSums(each))
  same(predict(several, d, s = 5, type = "prob"), p[, , 1])
  expect_identical(as.integer(predict(several, d, s = 5, type = "class")), max.col(p[, , 1]))
})

# Scales on which residuals have about the same size everywhere, and the way back.
scales <- list(
  n = list(family = "poisson", of = sqrt, back = function(s) pmax(s, 0)^2),
  g = list(family = Gamma(link = "log"), of = log, back = exp),
  q = list(family = MASS::negative.binomial(1.3), of = function(y) asinh(sqrt(y / 1.3)),
           back = function(s) 1.3 * sinh(pmax(s, 0))^2)
)

test_that("intervals of counts are order statistics of the refits' means and residuals", {
  for (y in names(scales)) for (groups in list(NULL, d$id)) {
    scale <- scales[[y]]
    cv <- quiet(cv.rls(reformulate(c("a", "b", "offset(o)"), y), d, family = scale$family,
                       lambda = c(3, 0.3), keep = TRUE, nfolds = if (is.null(groups)) 15,
                       groups = groups))
    refits <- cv_refits(cv)
    held_out <- exp(cv$fit.preval[, match(cv$lambda.min, cv$lambda)])
    residual <- abs(scale$of(d[[y]]) - scale$of(held_out))
    new <- d[c(1, 40, 77), ]
    means <- vapply(seq_len(15), function(k) {
      rest <- d[refits$fold != k, ]
      scaled <- function(x) t((t(as.matrix(x[c("a", "b")])) - cv$fit$standard$centre) /
                                cv$fit$standard$scale)
      fit <- rls(scaled(rest), rest[[y]], family = scale$family, lambda = cv$lambda.min,
                 standardize = FALSE, offset = rest$o)
      predict(fit, scaled(new), newoffset = new$o)
    }, numeric(3))
    found <- predict(cv, new, interval = "jackknife+", level = 0.8)
    same(found[, "fit"], predict(cv, new))
    votes <- if (is.null(groups)) rep(1, m) else rep(1 / 6, m)
    enough <- function(x) sort(x)[which(cumsum(votes) >= 0.8 * (sum(votes) + 1) - 1e-9)[1]]
    for (i in 1:3) {
      at <- scale$of(means[i, refits$fold])
      same(found[i, "upr"], scale$back(enough(at + residual)), 1e-5)
      same(found[i, "lwr"], scale$back(-enough(residual - at)), 1e-5)
    }
  }
})

test_that("prints and summaries say what the family is", {
  cv <- cv.rls(z ~ a + b, d, family = "binomial", lambda = c(5, 0.5), foldid = id)
  expect_said({
    read_family("binomial")
    rls(n ~ a + b + offset(o), d, family = poisson(), lambda = c(5, 0.5))
    summary(rls(k ~ a + b, d, family = "binomial", lambda = c(5, 0.5)))
    cv
    summary(cv)
  })
})

test_that("lambdas that nearly coincide, and df between those that have their own", {
  set.seed(1)
  x <- matrix(rnorm(300), 100)
  y <- rbinom(100, 1, plogis(2 * x[, 1]))
  fit <- function(lambda, ...) rls(x, y, family = "binomial", lambda = lambda, ...)
  close <- fit(c(1 + 1e-7 * (3:0), 0.4))
  expect_equal(coef(close, s = 0.4), coef(fit(0.4)), tolerance = 1e-7, ignore_attr = TRUE)
  for (grid in list(10^(3:-1), 2^(8:-6))) {
    cv <- cv.rls(x, y, family = "binomial", lambda = grid, foldid = rep(1:10, 10))
    expect_lt(max(abs(cv$fit$df / fit(grid)$df - 1)), 0.01)
  }
})
