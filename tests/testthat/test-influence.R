# influence() and its columns: with hardly a penalty those of lm() and glm(); elsewhere from plain
# refits without every row or group (helper-reference.R).

tiny <- c(2e-5, 1e-5)
data <- local({
  set.seed(11)
  data <- data.frame(a = rnorm(60), b = runif(60), w = runif(60, 0.5, 2),
                     g = sample(letters[1:8], 60, TRUE))
  data$w[7] <- 0
  data$y <- 1 + data$a - 2 * data$b + rnorm(60)
  data$n <- rpois(60, exp(0.5 + data$a / 2))
  data$z <- rbinom(60, 1, plogis(data$a))
  data
})

# With mu the smallest eigenvalue of Z'WZ, of standardized features, the penalty takes a share of at
# most lambda / mu from what is linear in (Z'WZ + lambda I)^-1, twice that from its squares.
# (Smaller penalties cost the full kernel digits.)
moved_by <- function(w, lambda = 2e-5) {
  z <- scale(data[c("a", "b")])
  3 * lambda / min(eigen(crossprod(z * sqrt(w)))$values)
}

test_that("with hardly a penalty rows have the diagnostics of lm()", {
  for (w in list(data$w, rep(1, 60))) for (form in c(y ~ a + b, y ~ a + b - 1)) {
    data$own <- w
    environment(form) <- environment()
    model <- lm(form, data, weights = own)
    used <- rownames(data)[w > 0]
    for (solver in c("dual", "svd", "primal")) {
      cv <- quiet(cv.rls(form, data, lambda = tiny, weights = own, nfolds = "loo", keep = TRUE,
                         intercept = attr(terms(form), "intercept") == 1, solver = solver))
      same <- function(found, expected) {
        expect_identical(names(found), used)
        expect_equal(found, expected[used], tolerance = moved_by(w))
      }
      same(hatvalues(cv), hatvalues(model))
      same(rstudent(cv), rstudent(model))
      same(cooks.distance(cv), cooks.distance(model))
      expect_equal(influence(cv)$coefficients[, c("a", "b")], dfbeta(model)[used, c("a", "b")],
                   tolerance = moved_by(w))
      expect_equal(influence(cv)$effects, dfbeta(model)[used, c("a", "b")], tolerance = moved_by(w))
      h <- hatvalues(model)[used]
      expect_equal(influence(cv)$table$change, unname(residuals(model)[used] * h / (1 - h)),
                   tolerance = moved_by(w))
    }
  }
})

test_that("leverages of families are those of glm(), of one step the distances, too", {
  for (family in list(binomial(), poisson(), quasipoisson(), Gamma("log"),
                      MASS::negative.binomial(2))) {
    data$r <- switch(substr(family$family, 1, 1), b = data$z, G = exp(data$y), data$n)
    # An offset where means are exponentials of eta.
    data$e <- if (family$link == "log") rep(log(c(1, 3, 9)), 20) else 0
    model <- glm(r ~ a + b + offset(e), family, data, epsilon = 1e-14)
    cv <- quiet(cv.rls(r ~ a + b + offset(e), data, lambda = tiny, family = family,
                       nfolds = "loo", keep = TRUE))
    w <- weights(model, "working")
    found <- influence(cv)
    expect_equal(hatvalues(cv), hatvalues(model), tolerance = 10 * moved_by(w))
    refits <- t(vapply(1:60, function(i) coef(update(model, data = data[-i, ])), coef(model)))
    eta <- model.matrix(model) %*% t(refits) + data$e
    phi <- if (family$family %in% c("Gamma", "quasipoisson")) summary(model)$dispersion else 1
    expect_equal(unname(cooks.distance(cv)),
                 colSums(w * (predict(model) - eta)^2) / (3 * phi), tolerance = 1e-4)
    expect_equal(found$table$residual, data$r - family$linkinv(diag(eta)), tolerance = 1e-4)
    expect_equal(found$table$change, unname(predict(model)) - diag(eta), tolerance = 1e-4)
    expect_equal(unname(found$coefficients), unname(rep(coef(model), each = 60) - refits),
                 tolerance = 1e-4)
    # The response of the last step, held out.
    error <- residuals(model, "working") + predict(model) - diag(eta)
    rest <- if (phi == 1) 1 else {
      others <- w * (residuals(model, "working") + predict(model) - eta)^2
      (colSums(others) - diag(others)) / 56
    }
    expect_equal(unname(rstudent(cv)), unname(error * sqrt(w * (1 - hatvalues(model)) / rest)),
                 tolerance = 1e-4)
  }
})

# The columns of the table by their definitions. smooth(train, keep, y): predictions for all rows of
# a refit to the rows `train`, without the basis vectors that are not in `keep`.
reference_influence <- function(case, smooth) {
  m <- length(case$y)
  all <- seq_len(m)
  w <- case$w
  fitted <- smooth(all, integer(), case$y)
  hat <- vapply(all, function(j) smooth(all, integer(), (all == j) + 0), fitted)
  p <- sum(diag(hat)[w > 0])
  s2 <- sum(w * (case$y - fitted)^2) / (sum(w > 0) - p)
  units <- Filter(length, lapply(case$units, function(unit) unit[w[unit] > 0]))
  t(vapply(units, function(unit) {
    leaves <- if (case$mode == "remove") Find(function(whole) unit[1] %in% whole, case$units)
    refit <- smooth(setdiff(all, unit), leaves, case$y)
    held <- case$y - refit
    d <- sqrt(w[unit])
    left <- diag(length(unit)) - hat[unit, unit] * outer(d, d, "/")
    sigma <- sqrt(sum((w * held^2)[-unit]) / (sum(w > 0) - length(unit) - p))
    own <- w[unit] / sum(w[unit])
    c(leverage = sum(diag(hat)[unit]), residual = sum(own * held[unit]),
      studentized = drop(d %*% left %*% (d * held[unit]) / (sigma * sqrt(d %*% left %*% d))),
      cooks = sum(w * (fitted - refit)^2) / (p * s2), change = sum(own * (fitted - refit)[unit]))
  }, numeric(5)))
}

expect_influence <- function(found, case, smooth) {
  expected <- reference_influence(case, smooth)
  for (name in colnames(expected)) {
    expect_lt(relative_error(found$table[[name]], expected[, name]), 1e-8)
  }
}

one_output <- function(seed) {
  case <- unit_case(seed)
  if (is.matrix(case$y)) case$y <- case$y[, 1]
  # There is a degree of freedom to divide by, without any group.
  sizes <- lengths(case$units)
  case$fine <- case$fine && sum(case$w > 0) - max(sizes) > length(case$basis) + 2
  case
}

test_that("they are those of refits without every row or group", {
  seeds <- usable_seeds(1:8, function(seed) one_output(seed)$fine)
  for (seed in seeds) {
    case <- one_output(seed)
    set.seed(seed)
    cv <- quiet(cv.sparserls(case$x, case$y, case$basis, case$kernel, case$lambda[2:3],
                             weights = case$w, intercept = case$intercept, standardize = FALSE,
                             jitter = case$jitter, groups = case$groups,
                             nfolds = if (is.null(case$groups)) "loo", keep = TRUE,
                             holdout_basis = case$mode))
    k <- reference_shifted(case$kernel, case$x, case$basis, case$jitter)
    expect_influence(influence(cv, case$x), case, function(train, leaves, y) {
      keep <- which(!case$basis %in% leaves)
      reference_refit(k, y, case$w, case$basis, keep, train, seq_along(y), cv$lambda.min,
                      case$intercept)[, 1, 1]
    })
  }
})

test_that("of the full kernel and of linear fits, too, which have coefficients", {
  for (seed in 51:54) for (solver in c("dual", if (seed %% 2) "svd" else "primal")) {
    case <- one_output(seed)
    linear <- solver != "dual"
    case[c("mode", "kernel")] <- list("keep", if (linear) kernel_linear() else
      kernel_matern(1.5, 0.3))
    cv <- quiet(cv.rls(case$x, case$y, case$kernel, c(2, 1), weights = case$w,
                       intercept = case$intercept, standardize = FALSE, groups = case$groups,
                       nfolds = if (is.null(case$groups)) "loo", keep = TRUE, solver = solver))
    z <- if (linear) case$x
         else reference_coordinates(reference_kernel(case$kernel, case$x, case$x))
    found <- influence(cv, list(x = case$x, y = case$y))
    expect_influence(found, case, function(train, leaves, y) {
      reference_ridge(z, y, case$w, train, seq_along(y), cv$lambda.min, case$intercept)[, 1, 1]
    })
    if (!linear) next
    without <- function(rows) {
      reference_ridge_fit(z, case$y, case$w, rows, cv$lambda.min, case$intercept)
    }
    all <- seq_along(case$y)
    units <- Filter(function(unit) any(case$w[unit] > 0), case$units)
    moved <- vapply(units, function(unit) without(all) - without(setdiff(all, unit)), coef(cv)[, 1])
    expect_equal(unname(found$coefficients), unname(t(moved)), tolerance = 1e-8)
  }
})

test_that("average effects move by what refits of their own say", {
  set.seed(2)
  x <- matrix(rnorm(90), 30, dimnames = list(NULL, c("a", "b", "c")))
  y <- sin(x[, 1]) + rnorm(30) / 3
  groups <- rep_len(c("u", "v", "w", "x", "z"), 30)
  cv <- quiet(cv.sparserls(x, y, 1:8, kernel_gaussian(0.2), c(1, 0.1), groups = groups,
                           standardize = FALSE, keep = TRUE, holdout_basis = "remove"))
  found <- influence(cv, x)
  k <- reference_shifted(kernel_gaussian(0.2), x, 1:8, 1e-7)
  functionals <- reference_functionals(kernel_gaussian(0.2), x, x[1:8, ], rep(1 / 30, 30))
  average <- function(out) {
    drop(reference_coefficients(k, y, rep(1, 30), 1:8, which(!1:8 %in% out),
                                setdiff(1:30, out), cv$lambda.min, TRUE)[-1, 1] %*% functionals)
  }
  expected <- t(vapply(split(1:30, groups), function(out) average(integer()) - average(out),
                       numeric(3)))
  # Central differences.
  expect_equal(unname(found$effects), unname(expected), tolerance = 1e-6)
  expect_identical(dimnames(found$effects), list(c("u", "v", "w", "x", "z"), c("a", "b", "c")))
  expect_equal(found$average, quiet(derivatives(cv, x))$plugin)
  expect_null(found$coefficients)
})

test_that("the print, the data and what is refused", {
  loo <- quiet(cv.rls(lpsa ~ . - train, prostate, nfolds = "loo", keep = TRUE))
  expect_output(print(influence(loo)), "Influence of 97 rows, .*Cook's.*\n *row .*lcavol")
  expect_identical(influence(loo), influence(loo, prostate))
  expect_identical(influence(loo, s = "lambda.1se")$lambda, loo$lambda.1se)
  x <- as.matrix(prostate[1:3])
  y <- prostate$lpsa
  cv <- function(...) quiet(cv.sparserls(x, y, 1:9, ..., keep = TRUE))
  site <- rep_len(1:12, 97)
  plain <- cv(kernel = "gaussian", nfolds = "loo")
  custom <- cv(kernel = kernel_custom(function(x, z) exp(-reference_squares(x, z) / 9)),
               nfolds = "loo")
  again <- quiet(cv.sparserls(x[1:20, ], y[1:20], basis_random(5), nfolds = "loo", reselect = TRUE,
                              keep = TRUE))
  expect_null(influence(custom, x)$effects)
  expect_identical(names(hatvalues(plain, x)), as.character(1:97))
  # The formula is from here, the data are an argument of a function that has ended.
  fitted_inside <- function(form, ...) cv.rls(form, ..., nfolds = "loo", keep = TRUE)
  inside <- fitted_inside(lpsa ~ lcavol + age, prostate)
  expect_identical(influence(inside, prostate)$table[["row"]], rownames(prostate))
  expect_refusals({
    plot(inside, "influence") | newdata | "cannot be found again .. influence(cv, data = ), and"
    influence(plain) | newdata | "`data` is missing .. influence(cv, data = )"
    influence(plain, x[-1, ]) | newdata | "`data` are not the rows of the fit"
    influence(plain, x[97:1, ]) | newdata | "`data` are not the rows of the fit"
    influence(plain, x, s = 0.5) | lambda | 'There is no influence .. Use "lambda.min"'
    cooks.distance(loo, type = "x") | dots | "Unknown argument `type`"
    influence(cv(nfolds = 5), x) | folds | 'the folds are not single rows .. and nfolds = "loo" (or'
    influence(cv(nfolds = 3, groups = site), x) |
      folds | "the folds are not single groups .. keep = TRUE and a fold for each group."
    influence(update(loo, keep = FALSE)) | keep | 'There is no influence .. nfolds = "loo"'
    influence(quiet(cv.sparserls(x, cbind(y, y), 1:9, nfolds = "loo", keep = TRUE)), x) |
      object | "Influence is for .. x cv.sparserls, 2 outputs"
    influence(quiet(cv.greedyrls(x, y, 2, nfolds = "loo", keep = TRUE)), x) | object | "coef()"
    influence(quiet(cv.rls2(x, y, nfolds = "loo", keep = TRUE)), x) | object | "Influence is for"
    influence(again, x) | object | "without `reselect`"
  })
})
