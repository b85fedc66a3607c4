linear_data <- function(seed, m = 40, p = 3) {
  set.seed(seed)
  x <- matrix(rnorm(m * p), m, dimnames = list(NULL, letters[seq_len(p)])) *
    rep(c(1, 10, 0.1), each = m) + 2
  group <- sample(8, m, TRUE)
  y <- drop(x %*% c(1, -0.2, 3)) + rnorm(8)[group] + rnorm(m) * abs(x[, 1])
  list(x = x, y = y, group = group, w = runif(m, 0.2, 2))
}

# A penalty that does next to nothing: it moves the results by 2e-7. (Smaller ones cost the full
# kernel digits, the machine precision over lambda.)
tiny <- c(2e-6, 1e-6)
quiet_cv <- function(...) quiet(cv.rls(..., keep = TRUE))
types <- c("debiased", "jackknife", "gp", "sandwich")

expect_covariance <- function(found, expected, tolerance = 1e-6) {
  expect_identical(rownames(found), c("(Intercept)", "a", "b", "c"))
  expect_identical(rownames(found), colnames(found))
  expect_equal(unname(found), unname(expected), tolerance = tolerance)
}

test_that("without a penalty to speak of the jackknife is that of lm() refits", {
  for (seed in 1:2) {
    data <- linear_data(seed)
    w <- if (seed %% 2) data$w else rep(1, 40)
    refits <- function(units) {
      whole <- coef(lm(data$y ~ data$x, weights = w))
      changes <- vapply(units, function(out) {
        coef(lm(data$y ~ data$x, weights = replace(w, out, 0))) - whole
      }, whole)
      tcrossprod(changes) * (length(units) - 1) / length(units)
    }
    for (solver in c("dual", "svd", "primal")) {
      one <- quiet_cv(data$x, data$y, lambda = tiny, weights = w, nfolds = 5, solver = solver)
      expect_covariance(vcov(one), refits(seq_len(40)))
      some <- quiet_cv(data$x, data$y, lambda = tiny, weights = w, groups = data$group, nfolds = 3,
                       solver = solver)
      expect_covariance(vcov(some), refits(split(seq_len(40), data$group)))
    }
    basis <- quiet(cv.sparserls(data$x, data$y, 1:9, kernel_linear(), tiny, weights = w, jitter = 0,
                                groups = data$group, keep = TRUE, holdout_basis = "keep"))
    expect_covariance(vcov(basis), refits(split(seq_len(40), data$group)))
  }
})

test_that("the sandwich is that of a linear model", {
  data <- linear_data(5)
  design <- cbind(1, data$x)
  bread <- solve(crossprod(design, data$w * design))
  scores <- data$w * residuals(lm(data$y ~ data$x, weights = data$w)) * design
  of <- function(f, ...) {
    vcov(f(data$x, data$y, lambda = tiny, weights = data$w, ...), tiny[1], type = "sandwich")
  }
  plain <- 40 / 36 * bread %*% crossprod(scores) %*% bread
  expect_covariance(of(quiet_cv, nfolds = 5), plain)
  expect_covariance(of(quiet_cv, groups = data$group),
                    8 / 7 * 39 / 36 * bread %*% crossprod(rowsum(scores, data$group)) %*% bread)
  # Given only the fit: as if there were no groups.
  expect_covariance(of(rls, solver = "dual"), plain)
})

test_that("with a penalty, sandwich and Gaussian process are their formulas", {
  for (intercept in c(TRUE, FALSE)) {
    data <- linear_data(6)
    lambda <- 7
    scales <- apply(data$x, 2, sd) * sqrt(39 / 40)
    z <- data$x / rep(scales, each = 40)
    design <- if (intercept) cbind(1, z - rep(colMeans(z), each = 40)) else z
    penalty <- diag(c(if (intercept) 0, rep(lambda, 3)))
    inverse <- solve(crossprod(design) + penalty)
    # Standardized slopes and the value at the mean (or zero), as coefficients of x.
    back <- if (intercept) rbind(c(1, -colMeans(data$x) / scales), cbind(0, diag(1 / scales)))
            else rbind(0, diag(1 / scales))
    r <- drop(data$y - design %*% (inverse %*% crossprod(design, data$y)))
    hat <- design %*% inverse %*% t(design)
    left <- 40 - sum(diag(hat))
    fit <- rls(data$x, data$y, lambda = lambda, intercept = intercept, solver = "dual")
    gp <- sum(r^2) / left * back %*% inverse %*% t(back)
    expect_covariance(vcov(fit, type = "gp"), gp, 1e-8)
    effects <- derivatives(fit, data$x[1:6, ], type = "gp")
    expect_equal(unname(effects$vcov), unname(gp[-1, -1]), tolerance = 1e-8)
    expect_equal(effects$df, left)
    meat <- inverse %*% crossprod(r * design) %*% inverse * 40 / left
    expect_covariance(vcov(fit, type = "sandwich"), back %*% meat %*% t(back), 1e-8)
    svd <- quiet_cv(data$x, data$y, lambda = c(lambda, 1e3), intercept = intercept, solver = "svd",
                    nfolds = 3)
    expect_covariance(vcov(svd, s = lambda, type = "gp"), gp, 1e-8)
  }
})

test_that("several outputs have a covariance each", {
  data <- linear_data(9)
  y <- cbind(u = data$y, v = data$x[, 2] + rnorm(40))
  both <- quiet_cv(data$x, y, lambda = c(1, 0.1), groups = data$group)
  found <- vcov(both)
  expect_identical(dimnames(found)[[3]], c("u", "v"))
  expect_identical(dim(found), c(4L, 4L, 2L))
  for (output in 1:2) {
    # Of one output lambda may be chosen otherwise.
    one <- quiet_cv(data$x, y[, output], lambda = both$lambda.min, groups = data$group)
    for (type in types[-1]) {
      expect_equal(vcov(both, type = type)[, , output], vcov(one, type = type),
                   tolerance = 1e-10, info = type)
    }
  }
})

# The ratios of average effects and their standard errors, t and p, in multiples of units.
effect_ratios <- function(data, model, type) function(x, y) {
  x <- data$x * x
  table <- summary(quiet(derivatives(quiet(model(x, data$y * y)), x, type = type)))$coefficients
  unlist(c(table$std.error / table$estimate, table[c("statistic", "p.value")]))
}

test_that("standard errors have the digits that estimates have, whatever the units", {
  data <- linear_data(13, m = 25)
  for (type in types) for (kernel in list(kernel_linear(), kernel_gaussian(0.2))) {
    ratios <- effect_ratios(data, function(x, y) {
      cv.sparserls(x, y, I(1:6), kernel, lambda = c(1, 0.1), keep = TRUE, nfolds = "loo")
    }, type)
    plain <- ratios(1, 1)
    expect_identical(ratios(2^90, 2^-90), plain, info = type)
    expect_equal(ratios(1e-28, 1e28), plain, tolerance = 1e-12, info = type)
  }
})

test_that("so have those by leaving outer folds out; weights may be of any size", {
  data <- linear_data(14, m = 20)
  weights <- replace(rep(c(0.5, 1), 10), 3, 9)
  for (type in types[1:2]) {
    ratios <- function(x, y, w = 1) effect_ratios(data, function(x, y) {
      set.seed(1)
      cv.ardrls(x, y, I(seq(1, 19, 3)), penalty = c(Inf, 1), maxit = 3, foldid = rep(1:5, 4),
                keep = TRUE, weights = w * weights, outer = unname(split(1:20, rep(1:4, each = 5))))
    }, type)(x, y)
    plain <- ratios(1, 1)
    expect_identical(ratios(2^90, 1), plain)
    # The search itself stops by rounding errors elsewhere.
    expect_equal(ratios(1, 2^-90, 2^90), plain, tolerance = 1e-6)
  }
})

test_that("coefficients of an expansion have a covariance where the basis stays", {
  set.seed(10)
  x <- matrix(rnorm(80), 40)
  y <- sin(x[, 1]) + rnorm(40) / 5
  case <- list(x = x, y = y, w = rep(1, 40), basis = 1:6, mode = "keep", intercept = TRUE,
               units = as.list(1:40))
  cv <- quiet(cv.sparserls(x, y, 1:6, kernel_gaussian(0.4), c(0.1, 0.01), keep = TRUE,
                           holdout_basis = "keep", standardize = FALSE))
  k <- reference_shifted(kernel_gaussian(0.4), x, 1:6, 1e-7)
  honest <- reference_jackknife(case, diag(6), k, cv$lambda.min)[, , 1]
  found <- vcov(cv)
  expect_equal(unname(found[-1, -1]), honest, tolerance = 1e-5)
  expect_identical(rownames(found), c("(Intercept)", 1:6))
})

test_that("confint() is coefficients and quantiles of t, of linear fits that of lm()", {
  data <- linear_data(9)
  cv <- quiet_cv(data$x, data$y, lambda = tiny, nfolds = 5, groups = data$group)
  ends <- confint(cv)
  expect_identical(dimnames(ends), list(c("(Intercept)", "a", "b", "c"), c("2.5 %", "97.5 %")))
  error <- sqrt(diag(vcov(cv)))
  expect_equal(ends[, 2], coef(cv)[, 1] + qt(0.975, 7) * error)
  expect_identical(confint(cv, c("a", "c")), ends[c(2, 4), ])
  expect_identical(confint(cv, 2), ends[2, , drop = FALSE])
  model <- lm(y ~ a + b + c, data.frame(data$x, y = data$y))
  same(confint(cv, level = 0.8, type = "gp"), confint(model, level = 0.8), 1e-6)
  two <- quiet_cv(data$x, cbind(u = data$y, v = -data$y), lambda = tiny, nfolds = 5,
                  groups = data$group)
  expect_equal(unname(confint(two)), unname(rbind(ends, -ends[, 2:1])))
  expect_identical(rownames(confint(two))[c(1, 8)], c("u: (Intercept)", "v: c"))
  effects <- derivatives(cv, data$x)
  expect_equal(confint(effects, 2, level = 0.9)["b", ],
               effects$average[["b"]] + qt(c(0.05, 0.95), 7) * effects$std.error[["b"]],
               ignore_attr = TRUE)
  expect_refusals({
    confint(cv, level = 2) | argument | "level must be a number between 0 and 1"
    confint(cv, "d") | argument | "`parm` must be names or numbers of coefficients"
  })
  unkept <- quiet(cv.sparserls(data$x, data$y, 1:20, groups = data$group))
  expect_message(derivatives(unkept, data$x), "keep = TRUE", class = "sparserls_message")
  expect_no_message(derivatives(unkept, data$x, type = "gp"))
})

test_that("confint() of an expansion whose basis vectors leave is that of partial effects", {
  set.seed(1)
  fold <- rep_len(1:5, 97)
  basis <- quiet(cv.sparserls(lpsa ~ lcavol + svi, prostate, 1:9, "gaussian", foldid = fold,
                              keep = TRUE))
  full <- quiet(cv.rls(lpsa ~ lcavol + svi, prostate, "matern", foldid = fold, keep = TRUE))
  for (cv in list(basis, full)) {
    expect_identical(confint(cv), confint(partial_effects(cv)))
    expect_identical(confint(cv, "svi", 0.8), confint(partial_effects(cv), "svi", 0.8))
    expect_refusals(confint(cv, s = "lambda.1se") | kernel | "Coefficients of an expansion have no")
    expect_refusals(confint(cv, type = "jackknife") | kernel | "Coefficients of an expansion have")
  }
  held <- quiet(update(basis, holdout_basis = "keep"))
  expect_identical(rownames(confint(held)), rownames(coef(held)))
  expect_refusals({
    confint(update(full, keep = FALSE)) | keep | "There are no partial effects .. keep = TRUE"
    confint(quiet(cv.rls(prostate[, 1:2], prostate$lpsa, "matern", keep = TRUE))) |
      kernel | "Coefficients of an expansion have no covariance"
    derivatives(full, type = "average") | argument | "`type` must be one of"
    predict(full, type = "average") | argument | "`type` must be one of"
  })
})

test_that("the jackknife of average derivatives is that of honest refits", {
  cases <- Filter(function(case) case$fine, lapply(2001:2015, unit_case))
  expect_gt(length(cases), 7)
  for (case in cases) {
    cv <- unit_cv(case)
    case$basis <- cv$fit$basis
    k <- reference_shifted(case$kernel, case$x, case$basis, case$jitter)
    at <- matrix(rnorm(5 * ncol(case$x)), 5)
    functionals <- reference_functionals(case$kernel, at, case$x[case$basis, , drop = FALSE],
                                         rep(1 / 5, 5))
    honest <- reference_jackknife(case, functionals, k, cv$lambda.min)
    found <- derivatives(cv, at, type = "jackknife")
    expect_identical(found$units, if (is.null(case$groups)) "rows" else "groups")
    expect_identical(found$df, found$count - 1)
    # Central differences carry 1e-9, the normal equations of a nearly singular basis more.
    expect_lt(max(abs(as.vector(found$vcov) - as.vector(honest))) / max(abs(honest)), 1e-6)
    expect_equal(as.vector(found$std.error)^2,
                 as.vector(apply(array(found$vcov, dim(honest)), 3, diag)))
  }
})

test_that("redundant basis vectors come back where those that made them so leave", {
  cases <- Filter(function(case) case$fine, lapply(2101:2113, unit_case, redundant_case))
  compared <- 0
  for (case in cases) {
    cv <- tryCatch(suppressWarnings(unit_cv(case)), sparserls_error = function(e) NULL)
    if (is.null(cv) || NCOL(case$y) > 1) next
    refit <- function(out) {
      basis <- if (case$mode == "remove") setdiff(case$basis, out) else case$basis
      fit <- suppressWarnings(sparserls(
        case$x, case$y, I(basis), case$kernel, cv$lambda.min, weights = replace(case$w, out, 0),
        intercept = case$intercept, standardize = FALSE, jitter = case$jitter
      ))
      derivatives(fit, case$x)$average
    }
    units <- Filter(function(unit) any(case$w[unit] > 0), case$units)
    whole <- refit(integer())
    changes <- vapply(units, function(unit) refit(unit) - whole, whole)
    honest <- tcrossprod(changes) * (length(units) - 1) / length(units)
    # Fits alone do not know their rows again, and their weights.
    found <- derivatives(cv, case$x, type = "jackknife", weights = rep(1, nrow(case$x)))
    expect_lt(max(abs(found$vcov - honest)) / max(abs(honest)), 1e-5)
    compared <- compared + 1
  }
  expect_gt(compared, 1)
})

test_that("confint() of a family without covariances names derivatives()", {
  d <- data.frame(x = sin(1:40), y = rep(0:1, 20))
  cv <- quiet(cv.sparserls(y == 1 ~ x, d, 8, family = "binomial", nfolds = 5, keep = TRUE))
  expect_refusals(confint(cv) |
                    kernel | "have no covariance .. confint() of rls(y ~ ., family = , lambda")
  linear <- quiet(cv.rls(y == 1 ~ x, d, family = "binomial", nfolds = 5, keep = TRUE))
  expect_notes(ends <- confint(linear) |
                 message | "sandwich, not the jackknife: the folds are not single rows")
  expect_identical(ends, confint(linear, type = "sandwich"))
})
