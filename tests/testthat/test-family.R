# Fits with a family, and their cross-validations, against glm() and against Newton steps in plain R
# on the coefficients of kernel values.

set.seed(27)
m <- 90
d <- data.frame(a = rnorm(m), b = runif(m), e = rexp(m) + 0.1, id = rep(1:15, 6))
d$w <- runif(m, 0.5, 2)
eta <- sin(2 * d$a) + d$b - 0.5
d$o <- log(d$e)
d$z <- rbinom(m, 1, plogis(2 * eta))
d$s <- rbinom(m, 5, plogis(eta))
d$n <- rpois(m, d$e * exp(eta))
d$g <- rgamma(m, 2, 2 / exp(eta))
d$q <- rnbinom(m, size = 1.3, mu = d$e * exp(eta))
d$k <- factor(c("x", "y", "z")[1 + rbinom(m, 2, plogis(eta))])
x <- as.matrix(d[c("a", "b")])
quiet <- suppressMessages
same <- function(found, expected, tolerance = 1e-7) {
  expect_equal(unname(found), unname(expected), tolerance = tolerance)
}

# y on the scale of means; half the derivatives of unit deviances by the linear predictor.
models <- list(
  binomial = list(family = "binomial", y = d$z, score = function(y, e) plogis(e) - y,
                  weight = function(y, e) plogis(e) * plogis(-e), glm = binomial()),
  poisson = list(family = poisson(), y = d$n, score = function(y, e) exp(e) - y,
                 weight = function(y, e) exp(e), glm = poisson()),
  gamma = list(family = Gamma(link = "log"), y = d$g, score = function(y, e) 1 - y * exp(-e),
               weight = function(y, e) y * exp(-e), glm = Gamma(link = "log"))
)
if (requireNamespace("MASS", quietly = TRUE)) {
  models$negative <- list(
    family = MASS::negative.binomial(1.3), y = d$q, glm = MASS::negative.binomial(1.3),
    score = function(y, e) 1.3 * (exp(e) - y) / (exp(e) + 1.3),
    weight = function(y, e) 1.3 * (y + 1.3) * exp(e) / (exp(e) + 1.3)^2
  )
}

# f(x) = a0 + k(x)'a by the rows `train`: Newton steps for the penalty lambda a'K_BB a, short ones
# where they are long.
newton <- function(model, k, k_bb, lambda, train = seq_len(m), w = rep(1, m), o = numeric(m),
                   y = model$y) {
  design <- cbind(1, k)
  penalty <- lambda * rbind(0, cbind(0, k_bb))
  a <- numeric(ncol(design))
  for (step in 1:100) {
    eta <- drop(design %*% a) + o
    gradient <- crossprod(design[train, ], (w * model$score(y, eta))[train]) + penalty %*% a
    hessian <- crossprod(design[train, ], (w * model$weight(y, eta))[train] * design[train, ]) +
      penalty
    move <- drop(solve(hessian, gradient))
    largest <- max(abs(design %*% move))
    a <- a - move * min(1, 1 / largest)
    if (largest < 1e-13) break
  }
  a
}

# Kernel values of all rows with the basis, with the shift where a row is itself a basis vector.
gaussian_values <- function(basis, gamma = 1, jitter = 1e-7) {
  k <- exp(-gamma * as.matrix(dist(x))^2)[, basis]
  k[cbind(basis, seq_along(basis))] <- 1 + jitter
  k
}

test_that("with hardly a penalty fits are those of glm()", {
  for (model in models) {
    d$y <- model$y
    fit <- rls(y ~ a + b + offset(o), d, family = model$family, lambda = 1e-7, weights = w)
    other <- suppressWarnings(glm(y ~ a + b + offset(o), model$glm, d, weights = w,
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

test_that("fits on kernels are penalized maxima of likelihood, in the user's units", {
  basis <- seq(2, m, by = 4)
  k <- gaussian_values(basis)
  for (model in models) {
    d$y <- model$y
    fit <- sparserls(y ~ a + b + offset(o), d, basis = I(basis), kernel = kernel_gaussian(1),
                     family = model$family, lambda = c(2, 0.1), weights = w * 100,
                     standardize = FALSE)
    for (l in 1:2) {
      a <- newton(model, k, k[basis, ], fit$lambda[l], w = d$w * 100, o = d$o)
      same(coef(fit)[, l], a, 1e-5)
      mean_of <- if (model$glm$link == "logit") plogis else exp
      same(fitted(fit)[, l], mean_of(drop(cbind(1, k) %*% a + d$o)))
    }
    expect_lte(max(fit$certificate), 1e-9)
  }
})

# Held-out linear predictors with removed basis vectors, by refits in full.
refits <- function(model, folds, basis, lambda, w, o) {
  k <- gaussian_values(basis)
  held <- numeric(m)
  for (rows in folds) {
    keep <- which(!basis %in% rows)
    a <- newton(model, k[, keep], k[basis[keep], keep], lambda, setdiff(seq_len(m), rows), w, o)
    held[rows] <- (cbind(1, k[, keep]) %*% a + o)[rows]
  }
  held
}

test_that("held-out predictions are those of refits in full, within their certificate", {
  basis <- seq(1, m, by = 3)
  for (model in models) {
    d$y <- model$y
    cv <- quiet(cv.sparserls(y ~ a + b + offset(o), d, basis = I(basis), weights = w, groups = id,
                             kernel = kernel_gaussian(1), family = model$family, keep = TRUE,
                             lambda = c(3, 0.3), standardize = FALSE))
    for (l in 1:2) {
      honest <- refits(model, split(seq_len(m), d$id), basis, cv$lambda[l], d$w, d$o)
      expect_lte(max(abs(cv$fit.preval[, l] - honest)), cv$certificate[l] + 1e-8 * sd(honest))
      expect_lte(cv$steps$share[l], 1e-6)
    }
  }
})

test_that("shortcuts answer what evaluate.default() answers, of linear fits and full kernels too", {
  of <- function(problem) {
    folds <- draw_folds(problem$validation$folds)
    candidate <- candidates(problem, folds)[[1]]
    found <- evaluate(problem, candidate, folds, NULL)
    honest <- evaluate.default(problem, candidate, folds, NULL)
    same(found$held$scores, honest$held$scores, 1e-6)
  }
  for (model in models) {
    design <- as_design(x, model$y, d$w, NULL, d$o, read_family(model$family))
    asked <- asked_of("cv.rls", kernels = list(kernel_linear()), lambda = c(5, 0.1), nfolds = 4)
    of(glm_rls_problem(asked, design, new_validation(asked, design)))
    asked <- asked_of("cv.rls", kernels = list(kernel_gaussian(1)), lambda = 1,
                      groups = rep(1:9, 10))
    problem <- glm_rls_problem(asked, design, new_validation(asked, design))
    problem$holdout_basis <- "keep"
    of(problem)
  }
  # Classes, one against all others.
  design <- as_design(x, d$k, NULL, NULL, NULL, read_family("binomial"))
  asked <- asked_of("cv.rls", kernels = list(kernel_linear()), lambda = c(5, 0.1), nfolds = 4,
                    standardize = FALSE)
  of(glm_rls_problem(asked, design, new_validation(asked, design)))
})

test_that("errors are those of the held-out linear predictors", {
  cv <- function(formula, ..., family = "binomial") {
    quiet(cv.rls(formula, d, family = family, lambda = c(10, 1), keep = TRUE, weights = w, ...))
  }
  mean_of <- function(loss) colSums(d$w * loss) / sum(d$w)
  eta <- cv(z ~ a + b, foldid = "id")$fit.preval
  p <- plogis(eta)
  same(cv(z ~ a + b, foldid = "id")$cvm,
       mean_of(-2 * (d$z * log(p) + (1 - d$z) * log(1 - p))))
  same(cv(z ~ a + b, foldid = "id", type.measure = "mse")$cvm, mean_of((d$z - p)^2))
  same(cv(z ~ a + b, foldid = "id", type.measure = "mae")$cvm, mean_of(abs(d$z - p)))
  same(cv(z ~ a + b, foldid = "id", type.measure = "class")$cvm, mean_of((p > 0.5) != d$z))
  own <- function(y, yhat, weights) sum(weights * abs((y == "1") - yhat)) / sum(weights)
  same(cv(z ~ a + b, nfolds = "loo", type.measure = own)$cvm,
       cv(z ~ a + b, nfolds = "loo", type.measure = "mae")$cvm)
  # Standard errors over groups, and over rows.
  found <- cv(n ~ a + b, groups = "id", nfolds = 5, family = poisson())
  loss <- 2 * (ifelse(d$n > 0, d$n * log(d$n), 0) - d$n - d$n * found$fit.preval +
                 exp(found$fit.preval))
  same(found$cvm, mean_of(loss))
  total <- as.vector(rowsum(d$w, d$id))
  each <- rowsum(d$w * loss, d$id) / total
  centred <- sweep(each, 2, found$cvm)
  expect_equal(found$cvsd, sqrt(colSums(total * centred^2) / sum(total) / 14))
  # Classes: probabilities divided by their sum.
  several <- cv(k ~ a + b, foldid = "id")
  p <- plogis(several$fit.preval)
  p <- p / as.vector(p[, 1, ] + p[, 2, ] + p[, 3, ])[c(outer(1:m, 0:1 * m, "+")[, rep(1, 3)],
                                                      outer(1:m, 0:1 * m, "+")[, rep(2, 3)])]
  true <- cbind(seq_len(m), as.integer(d$k))
  same(several$cvm, mean_of(cbind(-2 * log(p[, , 1][true]), -2 * log(p[, , 2][true]))))
})

test_that("open paths end where the error is a quarter above the first", {
  fold <- rep_len(1:6, m)
  cv <- function(...) {
    quiet(cv.sparserls(x, d$z, basis = 1:30, kernel = kernel_gaussian(2), foldid = fold,
                       family = "binomial", progress = FALSE, ...))
  }
  open <- cv(nlambda = 30)
  given <- cv(lambda = sparserls(x, d$z, 1:30, kernel_gaussian(2), nlambda = 30,
                                 family = "binomial")$lambda)
  n <- length(open$lambda)
  expect_lt(n, length(given$lambda))
  same(open$lambda, given$lambda[seq_len(n)], 1e-12)
  same(open$cvm, given$cvm[seq_len(n)], 1e-9)
  same(which(given$cvm > 1.25 * given$cvm[1])[1], n)
  expect_identical(open$lambda.min, given$lambda.min)
  expect_identical(open$fit$lambda, open$lambda)
})

test_that("responses are read in all the ways of glm()", {
  fit <- function(formula, ...) rls(formula, d, family = "binomial", lambda = c(5, 0.5), ...)
  zero_one <- fit(z ~ a + b)
  d$f <- factor(d$z, labels = c("no", "yes"))
  for (other in list(fit(z == 1 ~ a + b), fit(f ~ a + b), fit(cbind(z, 1 - z) ~ a + b))) {
    same(coef(other), coef(zero_one), 1e-10)
  }
  d$five <- 5 * d$w
  trials <- fit(cbind(s, 5 - s) ~ a + b, weights = "w")
  same(coef(fit(I(s / 5) ~ a + b, weights = "five")), coef(trials), 1e-10)
  expect_equal(unname(weights(trials)), 5 * d$w)
  # Rows of single trials.
  rows <- rep(seq_len(m), each = 5)
  long <- transform(d[rows, ], hit = sequence(rep(5, m)) <= d$s[rows])
  same(coef(rls(hit ~ a + b, long, family = "binomial", lambda = c(5, 0.5), weights = w)),
       coef(trials), 1e-8)
  same(fitted(trials), predict(trials, d), 1e-10)
})

test_that("predictions: means, links, classes, probabilities, thresholds, chunks", {
  cv <- quiet(cv.rls(z ~ a + b, d, family = "binomial", lambda = c(5, 0.5), foldid = id))
  p <- predict(cv, d)
  same(p, plogis(predict(cv, d, type = "link")))
  same(predict(cv, d, type = "prob"), cbind(1 - p, p))
  expect_identical(predict(cv, d, type = "class"), factor(as.integer(p > 0.5), 0:1))
  expect_identical(predict(cv, d, type = "class", threshold = 0.7),
                   factor(as.integer(p > 0.7), 0:1))
  same(fitted(cv), p)
  same(residuals(cv), d$z - p)
  same(predict(cv, chunks_function(3, function(i) d[30 * (i - 1) + 1:30, ])), p)
  several <- rls(k ~ a + b, d, family = "binomial", lambda = c(5, 0.5))
  p <- predict(several, d)
  expect_identical(dim(p), c(90L, 3L, 2L))
  same(apply(p, c(1, 3), sum), matrix(1, m, 2))
  same(predict(several, d, s = 5, type = "prob"), p[, , 1])
  expect_identical(as.integer(predict(several, d, s = 5, type = "class")), max.col(p[, , 1]))
  gap <- transform(d[1:3, ], a = c(1, NA, 2))
  expect_identical(unname(is.na(predict(cv, gap))), c(FALSE, TRUE, FALSE))
})

test_that("kept refits, outer folds, bases chosen anew, saved fits", {
  cv <- quiet(cv.sparserls(n ~ a + b + offset(o), d, basis = 1:20, kernel = kernel_gaussian(1),
                           family = "poisson", lambda = c(3, 0.3), groups = id, keep = TRUE,
                           outer = split(1:90, rep(1:2, 45))))
  # The refits predict what was held out.
  refits <- cv_refits(cv)
  scores <- fold_predictor(cv, 1)
  all <- scores$scores(forge(cv$fit$blueprint, d)) + rep(as.vector(scores$offset), each = m)
  same(all[cbind(seq_len(m), refits$fold)] + d$o, cv$fit.preval[, match(refits$at[1], cv$lambda)],
       1e-5)
  half <- seq(2, 90, by = 2)
  part <- quiet(cv.sparserls(n ~ a + b + offset(o), d[-half, ], basis = 1:20,
                             kernel = kernel_gaussian(1), family = "poisson", lambda = c(3, 0.3),
                             groups = id))
  expect_identical(cv$nested$nfolds, 2L)
  set.seed(2)
  anew <- quiet(cv.sparserls(z ~ a + b, d, basis = basis_random(10), reselect = TRUE, foldid = id,
                             family = "binomial", lambda = c(3, 0.3), keep = TRUE))
  expect_true(all(is.finite(anew$cvm)))
  file <- tempfile()
  saveRDS(cv, file)
  expect_identical(predict(readRDS(file), d[1:4, ]), predict(cv, d[1:4, ]))
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
    units <- sum(votes)
    for (i in 1:3) {
      at <- scale$of(means[i, refits$fold])
      enough <- function(x) sort(x)[which(cumsum(votes) >= 0.8 * (units + 1) - 1e-9)[1]]
      same(found[i, "upr"], scale$back(enough(at + residual)), 1e-5)
      same(found[i, "lwr"], scale$back(-enough(residual - at)), 1e-5)
    }
  }
})

test_that("intervals grow with the mean, and cover small and large counts alike", {
  set.seed(6)
  many <- data.frame(a = rnorm(800))
  many$n <- rnbinom(800, size = 4, mu = exp(2 + many$a))
  new <- 401:800
  covered <- function(family) {
    cv <- quiet(cv.rls(n ~ a, many[-new, ], family = family, keep = TRUE, nlambda = 10))
    ends <- predict(cv, many[new, ], interval = "jackknife+", level = 0.8)
    hit <- many$n[new] >= ends[, "lwr"] & many$n[new] <= ends[, "upr"]
    tapply(hit, cut(many$a[new], quantile(many$a[new], 0:3 / 3), include.lowest = TRUE), mean)
  }
  # Three times the standard error of a share of 133 rows at 0.8.
  expect_lt(max(abs(covered(MASS::negative.binomial(4)) - 0.8)), 3 * 0.4 / sqrt(133))
})

test_that("rounding is spoken of where it concerns the choice, or could be seen", {
  cv <- cv.rls(z ~ a + b, d, family = "binomial", lambda = c(5, 0.5, 0.05), foldid = id)
  cv$lambda.min <- cv$lambda.1se <- cv$lambda[2]
  spoken <- function(l, share) {
    cv$steps$share[l] <- share
    any(grepl("certificate", describe(cv)$notes))
  }
  expect_false(spoken(3, 1e-5))
  expect_true(spoken(2, 1e-5))
  expect_true(spoken(1, 1e-5))
  expect_true(spoken(3, 1e-2))
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

test_that("families that there are not are refused, and what fits with a family have not", {
  fit <- function(family, y = d$n) rls(x, y, family = family, lambda = 1)
  one <- fit("poisson")
  cv <- quiet(cv.rls(x, d$z, family = "binomial", lambda = 1))
  expect_refused("family", {
    fit("gaussian")
    fit("Gamma")
    fit(Gamma())
    fit(binomial("probit"))
    fit(quasipoisson())
    fit(1)
    fit(mean)
    greedyrls(x, d$z, k = 1, family = "binomial")
    rls2(x, d$z, family = "binomial")
    ardrls(x, d$z, 5, family = "binomial")
    rls(z ~ a, chunks_function(1, function(i) d), family = "binomial")
    cv.rls(x, d$z, nfolds = "pairs", family = "binomial")
    cv.rls(x, d$k, family = "binomial", by.output = TRUE)
    sigma(one)
    sigma(cv)
    predict(one, x, se.fit = TRUE)
    predict(cv, x, interval = "jackknife+")
    predict(one, x, interval = "gp")
    derivatives(one, x, type = "debiased")
  })
  expect_refused("argument", {
    predict(quiet(cv.rls(x, d$n, family = "poisson", lambda = 1, keep = TRUE)), x,
            interval = "jackknife+", type = "link")
    residuals(quiet(rls(x, d$k, family = "binomial", lambda = 1)), type = "deviance")
  })
  expect_refused("kernel", {
    cv.rls(x, d$z, list(kernel_linear(), kernel_gaussian()), family = "binomial")
  })
  expect_refused("lambda", {
    predict(one, x, s = 0.5)
    predict(one, x, s = "all")
    predict(one, x, s = lambda_df(1))
    rls(x, d$n, family = "poisson", lambda = lambda_df(1))
  })
})

test_that("responses that a family has no fit to are refused before", {
  fit <- function(y, family = "binomial", ...) rls(x, y, family = family, lambda = 1, ...)
  expect_refused("y", {
    fit(rep(1, m))
    fit(rep(0, m), "poisson")
    fit(d$n + 1)
    fit(-d$z)
    fit(cbind(d$s, 5 - d$s))
    fit(letters[1 + d$z])
    fit(d$k, "poisson")
    fit(cbind(d$n, d$n), "poisson")
    fit(-d$n, "poisson")
    fit(d$n, Gamma(link = "log"))
    fit(replace(d$n, 3, NA), "poisson")
    fit(d$z, weights = d$z)
    rls(cbind(z, -1) ~ a, d, family = "binomial")
  })
  expect_refused("folds", {
    cv.rls(x, d$z, family = "binomial", foldid = 1 + d$z)
  })
  expect_refused("weights", {
    fit(factor(d$z), weights = class_weights(factor(d$z)))
  })
  expect_refused("range", {
    fit(d$n * 1e100, "poisson")
  })
  expect_refused("offset", {
    fit(d$n, "poisson", offset = d$a * 1e4)
  })
  expect_refused("argument", {
    rls(x, d$z, family = "binomial", solver = "svd")
    predict(fit(d$n, "poisson"), x, type = "class")
    predict(fit(d$n, "poisson"), x, interval = "jackknife+")
    predict(rls(x, d$z, family = "binomial", lambda = 2:1), x, type = "prob")
  })
})
