# Effects and covariances of fits with a family: against glm(), numerical derivatives of predict(),
# and loops of refits by Newton steps in plain R.

m <- 48
d <- transform(family_rows(27, m), t = rep(0:1, 24), f = factor(rep(c("u", "v", "w"), each = 16)))

# y, half the derivatives of unit deviances by the linear predictor, the mean and its derivatives.
family_case <- function(family, name, y, rate) {
  c(list(family = family, y = y, mean = family$linkinv, rate = rate), reference_loss(name))
}
families <- list(family_case(binomial(), "binomial", d$z, dlogis),
                 family_case(poisson(), "poisson", d$n, exp),
                 family_case(Gamma("log"), "gamma", d$g, exp))

# The minimum of the deviance over 2 plus lambda a'P a over 2, by Newton steps: an intercept without
# a penalty and coefficients of the columns of k; `keep` those that may differ from zero.
maximum <- function(family, k, penalty, lambda, train = seq_len(m), keep = seq_len(ncol(k))) {
  design <- cbind(1, k[, keep, drop = FALSE])
  penalty <- lambda * rbind(0, cbind(0, penalty[keep, keep, drop = FALSE]))
  a <- numeric(ncol(design))
  for (step in 1:100) {
    at <- drop(design %*% a) + d$o
    gradient <- crossprod(design[train, ], (d$w * family$score(family$y, at))[train])
    hessian <- crossprod(design[train, ], (d$w * family$weight(family$y, at))[train] *
                           design[train, ])
    move <- drop(solve(hessian + penalty, gradient + penalty %*% a))
    largest <- max(abs(design %*% move))
    a <- a - move * min(1, 1 / largest)
    if (largest < 1e-13) break
  }
  replace(numeric(ncol(k) + 1), c(1, keep + 1), a)
}

jackknife <- function(values, whole) {
  change <- values - whole
  sqrt(rowSums(change^2) * (ncol(values) - 1) / ncol(values))
}

# H^-1 (sum s s') H^-1 of the coefficients of (1, k), times the factor of small samples.
sandwich <- function(family, k, penalty, lambda, a, groups = NULL) {
  design <- cbind(1, k)
  at <- drop(design %*% a) + d$o
  plain <- crossprod(design, d$w * family$weight(family$y, at) * design)
  hessian <- plain + lambda * rbind(0, cbind(0, penalty))
  scores <- d$w * family$score(family$y, at) * design
  if (!is.null(groups)) scores <- rowsum(scores, groups)
  left <- m - sum(diag(solve(hessian, plain)))
  factor <- if (is.null(groups)) m / left else nrow(scores) / (nrow(scores) - 1) * (m - 1) / left
  factor * solve(hessian, t(solve(hessian, crossprod(scores))))
}

by_differences <- function(f, a, h = 1e-5) {
  vapply(seq_along(a), function(j) {
    (f(replace(a, j, a[j] + h)) - f(replace(a, j, a[j] - h))) / (2 * h)
  }, f(a))
}

test_that("with hardly a penalty averages are those of glm(), errors those of its refits", {
  x <- as.matrix(d[c("a", "b", "t")])
  for (family in families) {
    d$y <- family$y
    cv <- quiet(cv.rls(y ~ a + b + t + offset(o), d, family = family$family, weights = w,
                       lambda = c(1e-7, 1e-8), nfolds = "loo", keep = TRUE))
    averages <- function(model) {
      change <- function(at) {
        family$mean(predict(model, transform(d, t = 1)) + at) -
          family$mean(predict(model, transform(d, t = 0)) + at)
      }
      rate <- family$rate(predict(model, d))
      c(mean(d$w * rate) * coef(model)[2:3], mean(d$w * change(0))) / mean(d$w)
    }
    fit <- function(weights) {
      d$v <- weights
      suppressWarnings(glm(y ~ a + b + t + offset(o), family$family, d, weights = v,
                           control = list(epsilon = 1e-14)))
    }
    refits <- lapply(seq_len(m), function(i) fit(replace(d$w, i, 0)))
    whole <- fit(d$w)
    found <- derivatives(cv, type = "jackknife")
    same(found$average, averages(whole), 1e-6)
    same(found$std.error, jackknife(vapply(refits, averages, numeric(3)), averages(whole)), 1e-5)
    expect_identical(found$df, m - 1)
    expect_identical(found$units, "rows")
    same(sqrt(diag(vcov(cv))), jackknife(vapply(refits, coef, numeric(4)), coef(whole)), 1e-5)
    link <- derivatives(cv, type = "jackknife", scale = "link")
    same(link$average, coef(whole)[-1], 1e-6)
    same(link$std.error, sqrt(diag(vcov(cv)))[-1], 1e-8)
    # The sandwich, and the delta method by differences.
    meat <- sandwich(family, x, 0 * diag(3), 0, coef(whole))
    same(vcov(cv, type = "sandwich"), meat, 1e-5)
    gradient <- by_differences(function(a) averages(replace(whole, "coefficients",
                                                            list(setNames(a, names(coef(whole)))))),
                               coef(whole))
    same(derivatives(cv, type = "sandwich")$vcov, gradient %*% meat %*% t(gradient), 1e-5)
  }
})

# Of a Gaussian kernel: values with the basis, penalty, and the averages of coefficients (intercept
# first) at rows with weights: the slope of a and f(t = 1) - f(t = 0).
basis <- seq(2, m, by = 5)
on_kernel <- function(gamma = 0.5, jitter = 1e-7) {
  x <- as.matrix(d[c("a", "t")])
  values <- function(x) {
    exp(-gamma * (outer(x[, 1], d$a[basis], "-")^2 + outer(x[, 2], d$t[basis], "-")^2))
  }
  shifted <- reference_shifted(kernel_gaussian(gamma), x, basis, jitter)
  ends <- lapply(0:1, function(t) cbind(1, values(cbind(d$a, t))))
  slope <- -2 * gamma * outer(d$a, d$a[basis], "-") * values(x)
  share <- d$w / sum(d$w)
  list(k = shifted, penalty = shifted[basis, ], averages = function(a, family, scale) {
    mean <- if (scale == "link") function(e) e - d$o else family$mean
    rate <- if (scale == "link") function(e) 1 else family$rate
    at <- drop(cbind(1, values(x)) %*% a) + d$o
    change <- mean(drop(ends[[2]] %*% a) + d$o) - mean(drop(ends[[1]] %*% a) + d$o)
    c(sum(share * rate(at) * drop(slope %*% a[-1])), sum(share * change))
  }, curve = function(a, family, at) {
    each <- vapply(at, function(value) {
      family$mean(drop(cbind(1, values(cbind(value, d$t))) %*% a) + d$o)
    }, numeric(m))
    means <- colSums(share * each)
    means - means[1]
  })
}

test_that("on kernels the jackknife is that of refits by groups, basis vectors removed or kept", {
  kernel <- on_kernel()
  modes <- c("remove", "keep", "remove")
  for (i in 1:3) {
    family <- families[[i]]
    mode <- modes[i]
    d$y <- family$y
    cv <- quiet(cv.sparserls(y ~ a + t + offset(o), d, basis = I(basis), weights = w,
                             kernel = kernel_gaussian(0.5), family = family$family, keep = TRUE,
                             lambda = c(1, 0.2), standardize = FALSE, groups = id,
                             holdout_basis = mode))
    lambda <- cv$lambda.min
    whole <- maximum(family, kernel$k, kernel$penalty, lambda)
    refits <- vapply(split(seq_len(m), d$id), function(rows) {
      keep <- if (mode == "keep") seq_along(basis) else which(!basis %in% rows)
      maximum(family, kernel$k, kernel$penalty, lambda, setdiff(seq_len(m), rows), keep)
    }, whole)
    for (scale in c("response", "link")) {
      averages <- function(a) kernel$averages(a, family, scale)
      found <- derivatives(cv, type = "jackknife", scale = scale)
      same(found$average, averages(whole), 1e-6)
      same(found$std.error, jackknife(apply(refits, 2, averages), averages(whole)), 1e-5)
      expect_identical(c(found$units, found$count), c("groups", "8"))
      meat <- sandwich(family, kernel$k, kernel$penalty, lambda, whole, d$id)
      gradient <- by_differences(averages, whole, 1e-4)
      same(derivatives(cv, type = "sandwich", scale = scale)$vcov,
           gradient %*% meat %*% t(gradient), 1e-4)
    }
    at <- c(-1, 0, 1)
    curve <- effect_curve(cv, "a", at = at, centre = -1)
    same(curve$estimate, kernel$curve(whole, family, at), 1e-6)
    by_refit <- apply(refits, 2, kernel$curve, family, at)
    same(curve$std.error, jackknife(by_refit, kernel$curve(whole, family, at)), 1e-5)
    gradient <- by_differences(function(a) kernel$curve(a, family, at), whole, 1e-4)
    same(effect_curve(cv, "a", at = at, centre = -1, type = "sandwich")$vcov,
         gradient %*% meat %*% t(gradient), 1e-4)
    if (mode == "keep") {
      same(sqrt(diag(vcov(cv))), jackknife(refits, whole), 1e-4)
      same(vcov(cv, type = "sandwich"), meat, 1e-4)
    }
  }
})

test_that("effects of rows are differences of predict(), of means and linear predictors", {
  new <- transform(d[1:9, ], a = a + 0.1)
  kernels <- list(kernel_linear(), kernel_gaussian(0.3), kernel_linear())
  for (i in 1:3) {
    d$y <- families[[i]]$y
    fit <- rls(y ~ a + b + t + f + offset(o), d, kernels[[i]], family = families[[i]]$family,
               lambda = 0.3, weights = w)
    for (scale in c("response", "link")) {
      at <- function(name, value) {
        predict(fit, replace(new, name, value), type = scale) - predict(fit, new, type = scale)
      }
      level <- function(l) at("f", factor(l, levels(d$f)))
      found <- quiet(derivatives(fit, new, scale = scale))
      for (name in c("a", "b")) {
        rate <- (at(name, new[[name]] + 1e-5) - at(name, new[[name]] - 1e-5)) / 2e-5
        same(found$derivatives[, name], rate, 1e-6)
      }
      same(found$derivatives[, "t"], at("t", 1) - at("t", 0))
      same(found$derivatives[, "fw"], level("w") - level("u"))
      same(found$average, colMeans(found$derivatives))
      # The linear predictor of a curve is without offset.
      curve <- quiet(effect_curve(fit, "f", new, centre = FALSE, scale = scale))
      same(curve$estimate + if (scale == "link") mean(new$o) else 0,
           vapply(levels(d$f), function(l) {
             mean(predict(fit, replace(new, "f", factor(l, levels(d$f))), type = scale))
           }, 0))
    }
  }
  # A fit by a formula knows its rows, and so the scores of the sandwich. Two classes: of the
  # probability of the second.
  expect_identical(quiet(derivatives(fit))$type, "sandwich")
  d$c <- factor(d$z, labels = c("no", "yes"))
  of <- function(formula) quiet(derivatives(rls(formula, d, family = "binomial", lambda = 1)))
  same(of(c ~ a + t)$average, of(z ~ a + t)$average, 1e-10)
})

test_that("several classes: of probabilities that are divided by their sum, by honest refits", {
  cv <- quiet(cv.rls(k ~ a + t, d, family = "binomial", lambda = c(2, 1), groups = id, keep = TRUE,
                     standardize = FALSE))
  s <- cv$lambda.min
  averages <- function(model, scale) {
    p <- function(...) matrix(predict(model, transform(d, ...), s = s, type = scale), m)
    slope <- (p(a = a + 1e-4) - p(a = a - 1e-4)) / 2e-4
    change <- p(t = 1) - p(t = 0)
    as.vector(rbind(colMeans(slope), colMeans(change)))
  }
  whole <- rls(k ~ a + t, d, family = "binomial", lambda = s, standardize = FALSE)
  for (scale in c("response", "link")) {
    refits <- vapply(1:8, function(left) {
      averages(rls(k ~ a + t, d, family = "binomial", lambda = s, standardize = FALSE,
                   weights = as.numeric(d$id != left)), scale)
    }, numeric(6))
    found <- derivatives(cv, type = "jackknife", scale = scale)
    same(as.vector(found$average), averages(whole, scale), 1e-6)
    same(as.vector(found$std.error), jackknife(refits, averages(whole, scale)), 1e-5)
  }
  # Each class by itself, but for degrees of freedom, which are the mean of those of all.
  d$y <- as.numeric(d$k == "y")
  one <- quiet(cv.rls(y ~ a + t, d, family = "binomial", lambda = c(2, 1), groups = id, keep = TRUE,
                      standardize = FALSE))
  left <- function(cv) m - 1 - cv$fit$df[match(s, cv$fit$lambda)]
  same(vcov(cv, s = s, type = "sandwich")[, , "y"] * left(cv),
       vcov(one, s = s, type = "sandwich") * left(one), 1e-6)
  expect_refusals(derivatives(cv, type = "sandwich") |
                    argument | 'no sandwich for probabilities .. "link"')
})

test_that("a basis that is chosen anew, and rows of weight zero", {
  d$v <- replace(d$w, 5, 0)
  set.seed(3)
  cv <- quiet(cv.sparserls(z ~ a + t, d, basis_random(16), kernel_gaussian(0.5), c(1, 0.2),
                           family = "binomial", weights = v, groups = id, keep = TRUE,
                           reselect = TRUE))
  whole <- derivatives(cv, d, weights = d$w, type = "jackknife")
  each <- vapply(cv$refits$models, function(model) {
    quiet(derivatives(model$fit, d, s = cv$lambda.min, weights = d$w))$average
  }, numeric(2))
  same(whole$std.error, jackknife(each, whole$average))
  loo <- quiet(cv.rls(z ~ a + t, d, family = "binomial", weights = v, nfolds = "loo", keep = TRUE,
                      lambda = c(2, 1)))
  expect_identical(derivatives(loo, type = "jackknife")$count, 47L)
  without <- quiet(cv.rls(z ~ a + t, d[-5, ], family = "binomial", weights = v, nfolds = "loo",
                          keep = TRUE, lambda = c(2, 1), standardize = FALSE))
  loo <- quiet(update(loo, standardize = FALSE))
  for (type in c("jackknife", "sandwich")) {
    same(vcov(loo, type = type), vcov(without, s = loo$lambda.min, type = type), 1e-6)
  }
})

test_that("average effects of moved rows are those of predict(), in subgroups too", {
  cv <- quiet(cv.rls(n ~ a + t + f + offset(o), d, family = poisson(), weights = w, groups = id,
                     lambda = c(2, 1), keep = TRUE, standardize = FALSE))
  up <- function(d) transform(d, a = a + 0.5)
  found <- average_effect(cv, list(up = up, treated = function(d) transform(d, t = 1)),
                          from = function(d) transform(d, t = 0), by = "f", type = "jackknife")
  averages <- function(model, s) {
    mean_at <- function(d) predict(model, d, s = s)
    low <- mean_at(transform(d, t = 0))
    change <- cbind(mean_at(up(d)) - low, mean_at(transform(d, t = 1)) - low)
    as.vector(t(rowsum(d$w * change, d$f) / as.vector(rowsum(d$w, d$f))))
  }
  same(found$average, averages(cv, cv$lambda.min))
  refits <- vapply(1:8, function(left) {
    averages(rls(n ~ a + t + f + offset(o), d, family = poisson(), weights = w * (id != left),
                 lambda = cv$lambda.min, standardize = FALSE), NULL)
  }, numeric(6))
  same(found$std.error, jackknife(refits, averages(cv, cv$lambda.min)), 1e-5)
  expect_message(average_effect(cv, up), "not debiased", class = "sparserls_message")
  expect_error(average_effect(cv, up, type = "debiased"), class = "sparserls_error_family")
  one <- quiet(average_effect(cv$fit, up, s = cv$lambda.min))
  expect_identical(c(one$type, one$units), c("sandwich", "rows"))
  # The fit's own rows weigh as there.
  change <- predict(cv$fit, up(d), s = 2) - predict(cv$fit, d, s = 2)
  same(quiet(average_effect(cv$fit, up, s = 2))$average[[1]], weighted.mean(change, d$w), 1e-12)
})

test_that("offsets that were given as values are asked for on the scale of means alone", {
  x <- as.matrix(d[c("a", "b")])
  fit <- rls(x, d$n, family = poisson(), offset = d$o, lambda = 1)
  found <- quiet(derivatives(fit, x, newoffset = d$o))
  same(found$average, mean(fitted(fit)) * coef(fit)[-1, ])
  same(quiet(derivatives(fit, x, scale = "link"))$average, coef(fit)[-1, ])
  expect_refusals(derivatives(fit, x) |
                    offset | "given as values: new rows need theirs .. Give `newoffset`")
})

test_that("what is said of effects with a family, and refused, is said in words", {
  x <- as.matrix(d[c("a", "b")])
  path <- c(4, 2, 1)
  loo <- quiet(cv.rls(z ~ a + t, d, family = "binomial", lambda = path, nfolds = "loo",
                      keep = TRUE))
  ten <- quiet(cv.rls(x, d$z, family = "binomial", lambda = path, foldid = d$id, keep = TRUE))
  other <- setdiff(path, ten$covariance$at)[1]
  several <- quiet(cv.rls(k ~ a, d, family = "binomial", lambda = path, foldid = id))
  grouped <- quiet(cv.rls(z ~ a, d, family = "binomial", lambda = path, groups = id))
  fit <- rls(x, d$z, family = "binomial", lambda = 1)
  expect_output(print(derivatives(loo, type = "sandwich", scale = "link")),
                "derivatives of the linear predictor .* by the sandwich")
  expect_notes({
    derivatives(loo) | message | "with a `family` are not debiased; type is \"jackknife\""
    derivatives(ten, x, s = other) |
      message | "no standard errors: scores were kept .. lambda.min" | message | "not debiased"
    derivatives(several) |
      message | 'errors: the cross-validation has not .. nfolds = "loo"' | message | "not debiased"
    derivatives(fit, x) |
      message | "scores of the rows were not kept .. fit by a formula" | message | "not debiased"
    derivatives(grouped) |
      message | "scores of the rows were not kept .. Cross-validate with" | message | "not debiased"
  })
  expect_refusals({
    derivatives(ten, x, type = "jackknife") | folds | 'no jackknife: the folds are not .. "loo"'
    vcov(grouped, type = "sandwich") | keep | "There is no sandwich: the scores of the rows were"
    vcov(fit) | keep | "There is no jackknife: a fit alone has no refits"
    vcov(ten, s = other, type = "sandwich") | lambda | "no sandwich: scores were kept only at"
    derivatives(loo, s = setdiff(path, loo$refits$at)[1], type = "jackknife") |
      lambda | "There is no jackknife: refits were kept only at the chosen values"
    vcov(ten, type = "gp") | argument | '`type` must be one of "jackknife", "sandwich" .. "gp"'
    derivatives(ten, x, scale = "mean") | argument | '`scale` must be one of "response", "link"'
  })
  same(rowMeans(confint(loo, type = "sandwich")), coef(loo)[, 1])
})

test_that("first differences that are extrapolated have no p-value", {
  set.seed(6)
  apart <- data.frame(f = rep(c("a", "b"), c(80, 120)), t = rep(0:1, 100), v = rnorm(200))
  apart$u <- ifelse(apart$f == "a", runif(200, -4, 1), runif(200, 0, 4))
  apart$y <- rbinom(200, 1, plogis(apart$u - 2 + apart$t))
  cv <- quiet(cv.sparserls(y == 1 ~ f + t + u + v, apart, 30, family = "binomial", nfolds = 5,
                           nlambda = 5, keep = TRUE))
  found <- quiet(derivatives(cv))
  expect_gt(found$uncovered[["fb"]], 0.5)
  expect_identical(unname(found$uncovered[-1]), c(0, 0, 0))
  expect_identical(is.na(generics::tidy(found)$p.value), c(TRUE, FALSE, FALSE, FALSE))
  expect_identical(unname(is.na(confint(found)[, 1])), c(TRUE, FALSE, FALSE, FALSE))
  expect_output(print(found), "cannot determine the effect of fb.*rows are moved to where no row")
  moved <- quiet(average_effect(cv, list(b = function(d) transform(d, f = "b"),
                                         t = function(d) transform(d, t = 1)), by = "f"))
  expect_identical(names(which(moved$uncovered > 0)), "b, a")
  expect_output(print(moved), "effect of \"b, a\"", fixed = TRUE)
  # Rows where both occur, and a linear kernel, which is taken at its word.
  both <- subset(apart, u > 0 & u < 1)
  expect_false(anyNA(generics::tidy(suppressWarnings(quiet(derivatives(cv, both))))$p.value))
  linear <- rls(y == 1 ~ f + t + u, apart, family = "binomial", lambda = 1)
  expect_null(quiet(derivatives(linear, apart))$uncovered)
})
