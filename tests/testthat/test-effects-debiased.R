# derivatives(type = "debiased") and average_effect() against loops of honest refits in plain R
# (helper-debiased.R).

debiased_kernel <- function(p) {
  normalize <- runif(1) < 0.25
  switch(sample(5, 1), kernel_linear(normalize), kernel_gaussian(exp(runif(1, -3, 0)), normalize),
         kernel_matern(sample(c(1.5, 2.5), 1), exp(runif(1, -3, 0)), normalize),
         kernel_polynomial(2, exp(runif(1, -2, 0)), runif(1)),
         kernel_gaussian(map = matrix(rnorm(2 * p) / 3, p)) )
}

# The last column is of zeros and ones. Folds are groups, a large one (without which sums are made
# anew) and two small ones, single rows, or five of rows.
debiased_case <- function(seed, make = random_case) {
  case <- make(seed)
  m <- nrow(case$x)
  p <- ncol(case$x)
  case$x[, p] <- case$x[, p] > 0
  if (identical(make, random_case)) case$kernel <- debiased_kernel(p)
  case <- with_units(case, seed)
  case$standardize <- runif(1) < 0.5
  case$mode <- if (seed %% 2) "remove" else "keep"
  case$folds <- if (!is.null(case$groups)) case$units
                else if (seed %% 4 < 2) {
                  unname(split(seq_len(m), cut(seq_len(m) / m, c(0, 4:6) / 6)))
                }
                else if (runif(1) < 0.5) as.list(seq_len(m))
                else unname(split(seq_len(m), sample(rep_len(1:5, m))))
  case$share <- case$w / sum(case$w)
  if (runif(1) < 0.3) case$share <- with(list(s = runif(m)), s / sum(s))
  case$fine <- case$kernel$name != "custom" && all(vapply(case$folds, function(held) {
    sum(case$w[-held] > 0) > 2 && !all(case$basis %in% held)
  }, NA))
  case
}

debiased_cv <- function(case) {
  quiet(cv.sparserls(
    case$x, case$y, I(case$basis), case$kernel, case$lambda[2:3], weights = case$w,
    intercept = case$intercept, standardize = case$standardize, jitter = case$jitter,
    folds = if (is.null(case$groups)) case$folds, groups = case$groups,
    nfolds = if (!is.null(case$groups)) "loo", holdout_basis = case$mode, keep = TRUE,
    solver = sample(c("auto", "update", "retrain"), 1), progress = FALSE
  ))
}

expect_honest <- function(found, parts, case, lambda, info = "", share = cbind(case$share), ...) {
  honest <- reference_debiased(parts$folds, parts$whole, case$y, case$w, share, case$intercept,
                               lambda, found$representer$at, found$representer$lambda, case$groups)
  expect_debiased(found, honest, info, ...)
}

expect_honest_case <- function(case, cv, info) {
  found <- quiet(derivatives(cv, case$x, type = "debiased", weights = case$share))
  standard <- if (isFALSE(case$standardize)) identity
              else reference_standard(case$x, case$w, case$kernel, case$intercept)
  parts <- reference_parts(case$x, case$kernel, case$basis, case$folds, reference_effects(case$x),
                           case$jitter, case$mode, standard)
  expect_honest(found, parts, case, cv$lambda.min, info)
}

test_that("debiased derivatives are those of honest refits, in which redundant vectors come back", {
  compared <- 0
  for (seed in c(1:12, 101:109)) {
    case <- debiased_case(seed, if (seed > 100) redundant_case else random_case)
    if (!case$fine || identical(case$redundancy, "near")) next
    cv <- tryCatch(debiased_cv(case), sparserls_error_folds = function(e) NULL)
    if (is.null(cv)) next
    expect_honest_case(case, cv, paste("seed", seed, case$redundancy))
    compared <- compared + 1
  }
  expect_gt(compared, 10)
})

# 60 rows with weights, some of them zero, groups and five folds of whole groups.
plain_case <- function(seed, v = 1) {
  set.seed(seed)
  x <- cbind(a = rnorm(60), b = rnorm(60), t = rnorm(60) > 0)
  groups <- rep(1:15, each = 4)
  w <- sample(c(0, 0.5, 1, 2), 60, TRUE, c(0.1, 0.3, 0.3, 0.3))
  fold <- rep(rep(1:5, each = 4), 3)
  y <- sin(x[, 1]) + x[, 3] * x[, 2] + matrix(rnorm(60 * v), 60)
  list(x = x, y = if (v == 1) y[, 1] else y, w = w, groups = groups, fold = fold,
       folds = unname(split(1:60, fold)), share = w / sum(w), intercept = TRUE)
}

# Its cross-validation, by its folds where it has no groups, else by the groups one by one.
plain_cv <- function(method, case, ...) {
  quiet(method(case$x, case$y, ..., weights = case$w, groups = case$groups, keep = TRUE,
               foldid = if (is.null(case$groups)) case$fold,
               nfolds = if (!is.null(case$groups)) "loo"))
}

test_that("points that are given are never held out, rows of a full kernel with their fold", {
  case <- plain_case(1)
  case$groups <- NULL
  points <- matrix(rnorm(24), 8)
  kernel <- kernel_gaussian(0.3)
  cv <- plain_cv(cv.sparserls, case, points, kernel, c(1, 0.1), jitter = 1e-4)
  case[c("kernel", "basis", "jitter", "mode")] <- list(kernel, points, 1e-4, "keep")
  expect_honest_case(case, cv, "points")
  for (seed in 2:5) {
    case <- plain_case(seed, v = if (seed == 3) 2 else 1)
    case$x[5:6, ] <- case$x[1:2, ]
    if (seed == 4) case$groups <- NULL
    case$intercept <- seed != 5
    kernel <- if (seed %% 2) kernel_matern(2.5, 0.3) else kernel_gaussian(0.2)
    cv <- plain_cv(cv.rls, case, kernel, c(1, 0.1), intercept = case$intercept)
    if (!is.null(case$groups)) case$folds <- unname(split(1:60, case$groups))
    case[c("kernel", "basis", "jitter", "mode")] <- list(kernel, which(case$w > 0), 0, "remove")
    expect_honest_case(case, cv, paste("seed", seed))
  }
})

test_that("linear fits have features as terms, by every solver", {
  case <- plain_case(6, v = 2)
  standard <- reference_standard(case$x, case$w, kernel_linear(), TRUE)
  part <- function(held) {
    list(held = held, k = standard(case$x), k_bb = diag(3),
         moments = lapply(reference_effects(case$x), function(effect) effect(standard)))
  }
  parts <- list(folds = lapply(case$folds, part), whole = part(integer()))
  case$groups <- NULL
  for (solver in c("dual", "svd", "primal")) {
    cv <- plain_cv(cv.rls, case, lambda = c(3, 1), solver = solver)
    found <- quiet(derivatives(cv, case$x, weights = case$share))
    expect_honest(found, parts, case, cv$lambda.min, solver)
  }
})

test_that("refits with a basis and a kernel of their own have representers in their own terms", {
  case <- plain_case(7)
  case$groups <- NULL
  effects <- reference_effects(case$x)
  cv <- plain_cv(cv.sparserls, case, basis_random(8), kernel_gaussian(0.5), c(1, 0.1),
                 reselect = TRUE, jitter = 0)
  standard <- reference_standard(case$x, case$w, kernel_gaussian(0.5), TRUE)
  parts <- own_parts(case$x, lapply(cv$refits$models, `[[`, "fit"), cv$fit, case$folds, effects, 0,
                     rep(list(standard), 6))
  found <- quiet(derivatives(cv, case$x, weights = case$share))
  expect_honest(found, parts, case, cv$lambda.min, "reselect")

  outer <- unname(split(1:60, rep(1:3, each = 20)))
  cv <- quiet(cv.ardrls(case$x, case$y, I(seq(2, 59, 5)), penalty = 1, weights = case$w,
                        foldid = rep(1:4, 15), outer = outer, keep = TRUE, maxit = 5,
                        jitter = 1e-6))
  fits <- lapply(cv$refits$models, function(model) model$fits[[1]])
  whole <- cv$fit$fits[[1]]
  standards <- lapply(c(fits, list(whole)), function(fit) function(x) {
    scale(x, fit$standard$centre, fit$standard$scale)
  })
  parts <- own_parts(case$x, fits, whole, outer, effects, 1e-6, standards)
  expect_honest(quiet(derivatives(cv, case$x, weights = case$share)), parts, case,
                vapply(c(fits, list(whole)), `[[`, 0, "lambda"), "ardrls")
})

test_that("levels have first differences, of linear kernels and others", {
  case <- plain_case(8)
  case$groups <- NULL
  data <- data.frame(y = case$y, case$x[, 1:2],
                     f = factor(rep_len(c("low", "mid", "top"), 60)), l = rnorm(60) > 0)
  for (kernel in list(kernel_linear(), kernel_gaussian(0.2))) {
    cv <- quiet(cv.sparserls(y ~ ., data, basis = I(seq(1, 60, 7)), kernel = kernel,
                             lambda = c(1, 0.1), weights = case$w, foldid = case$fold,
                             keep = TRUE))
    # How levels are coded is what test-factors.R is about.
    coded <- function(data) forge(cv$fit$blueprint, data)
    x <- coded(data)
    standard <- function(x) scale(x, cv$fit$standard$centre, cv$fit$standard$scale)
    moved <- function(name, to, from) function(terms) {
      at <- function(value) {
        data[[name]] <- if (name == "f") factor(rep(value, 60), levels(data$f)) else value
        terms(coded(data))
      }
      at(to) - at(from)
    }
    effects <- list(function(terms) five_points(terms, x, 1),
                    function(terms) five_points(terms, x, 2),
                    moved("f", "mid", "low"), moved("f", "top", "low"), moved("l", TRUE, FALSE))
    parts <- reference_parts(x, kernel, cv$fit$basis, case$folds, effects, 1e-7, "remove", standard)
    found <- quiet(derivatives(cv))
    expect_identical(names(found$average), c("a", "b", "fmid", "ftop", "lTRUE"))
    expect_honest(found, parts, case, cv$lambda.min, kernel$name)
  }
})

test_that("effects of moving rows, and of subgroups, are those of honest refits", {
  case <- plain_case(9)
  case$folds <- unname(split(1:60, case$groups))
  kernel <- kernel_gaussian(0.3)
  cv <- plain_cv(cv.sparserls, case, I(seq(1, 60, 7)), kernel, c(1, 0.1))
  up <- function(x) replace(x, cbind(1:60, 1), x[, 1] + 0.5)
  treated <- function(x) replace(x, cbind(1:60, 3), 1)
  none <- function(x) replace(x, cbind(1:60, 3), 0)
  parts_of <- function(low, moves) {
    effects <- lapply(moves, function(move) {
      function(terms) terms(move(case$x)) - terms(low(case$x))
    })
    reference_parts(case$x, kernel, cv$fit$basis, case$folds, effects, 1e-7, "remove",
                    reference_standard(case$x, case$w, kernel, TRUE))
  }
  found <- quiet(average_effect(cv, list(up = up, treated = treated), newdata = case$x))
  expect_s3_class(found, c("average_effect", "derivatives"), exact = TRUE)
  parts <- parts_of(identity, list(up, treated))
  expect_honest(found, parts, case, cv$lambda.min, "f")

  by <- rep(c("u", "v", "w"), 20)
  weights <- runif(60)
  found <- quiet(average_effect(cv, list(t = treated, both = function(x) up(treated(x))),
                                from = none, by = by, newdata = case$x, weights = weights))
  expect_identical(names(found$average), c("t, u", "both, u", "t, v", "both, v", "t, w", "both, w"))
  share <- sapply(c("u", "v", "w"), function(level) {
    weights * (by == level) / sum(weights[by == level])
  })
  parts <- parts_of(none, list(treated, function(x) up(treated(x))))
  expect_honest(found, parts, case, cv$lambda.min, "by", share)
  expect_identical(is.na(found$derivatives[, "t, v"]), by != "v")
  # All rows treated less none is the first difference of a column of zeros and ones.
  one <- quiet(average_effect(cv, treated, from = none, newdata = case$x))
  all <- quiet(derivatives(cv, case$x, weights = case$w))
  fields <- c("average", "std.error", "plugin", "correction")
  for (field in fields) expect_equal(one[[field]][["effect"]], all[[field]][["t"]])
})

test_that("lambda_a is one or two steps of half a decade below the minimizer of the loss", {
  case <- plain_case(10)
  for (groups in list(NULL, rep(1:12, each = 5))) {
    cv <- quiet(cv.rls(case$x, case$y, lambda = c(1, 0.1), weights = case$w, groups = groups,
                       nfolds = 5, keep = TRUE, standardize = FALSE))
    found <- quiet(derivatives(cv, case$x))$representer
    # From the largest eigenvalue of the design down.
    centred <- scale(case$x, colSums(case$w * case$x) / sum(case$w), FALSE)
    expect_equal(found$at, svd(sqrt(case$w) * centred)$d[1]^2 * 10^seq(0, -8, -0.5))
    best <- apply(found$loss, 2, which.min)
    steps <- if (is.null(groups)) 1 else 2
    expect_identical(found$lambda, found$at[pmin(best + steps, 17)])
    size <- found$share * abs(found$weights)
    expect_equal(found$size, colSums(size)^2 / colSums(size^2))
  }
})

test_that("what the data cannot tell has an estimate, but no p-value", {
  case <- plain_case(11)
  # The same column again, and one that differs by a thousandth of its spread.
  for (share in c(0, 2e-3)) {
    x <- cbind(case$x, twice = 2 * case$x[, "a"] + share * rnorm(60))
    cv <- quiet(cv.rls(x, case$y, lambda = 1, foldid = case$fold, keep = TRUE))
    found <- quiet(derivatives(cv, x))
    unknown <- c(a = TRUE, b = FALSE, t = FALSE, twice = TRUE) & share == 0
    expect_identical(found$representer$unknown, unname(unknown))
    expect_identical(is.na(confint(found)[, 1]), unknown)
  }
  # Between the ten values of each group there is no derivative, but the slope of a straight line.
  set.seed(1)
  few <- data.frame(dose = rep(0:9, 18), z = rnorm(180), patient = rep(1:18, each = 10))
  few$y <- few$dose / 2 + rnorm(180)
  unknown <- function(formula, kernel) {
    cv <- quiet(cv.sparserls(formula, few, kernel = kernel, lambda = c(1, 0.1), keep = TRUE,
                             groups = "patient", nfolds = 6))
    quiet(derivatives(cv))$representer$unknown
  }
  expect_true(unknown(y ~ dose, kernel_gaussian(1)))
  expect_false(unknown(y ~ dose, kernel_linear()))
  expect_false(unknown(y ~ z, kernel_gaussian(1)))
  # A loss that no lambda_a brings below that of no weights.
  loss <- cbind(c(1, 2, 3), c(-1, -2, 1))
  chosen <- choose_representers(array(0, c(4, 2, 3)), loss, c(100, 10, 1), 1L)
  expect_identical(chosen$unknown, c(TRUE, FALSE))
  expect_identical(chosen$lambda, c(10, 1))
})

test_that("sparse rows and classes have what dense rows and codes have", {
  case <- plain_case(14)
  x <- case$x * (case$x > -0.5)
  for (kernel in list(kernel_gaussian(0.3), kernel_linear())) {
    by <- function(x, y) {
      cv <- quiet(cv.sparserls(x, y, I(seq(2, 60, 7)), kernel, 0.5, weights = case$w,
                               groups = case$groups, nfolds = "loo", keep = TRUE))
      effects <- quiet(average_effect(cv, function(x) x + 1, newdata = x, by = case$groups %% 2))
      list(effects[c("average", "plugin", "correction", "vcov")], effects$representer$weights,
           balance(effects), quiet(derivatives(cv, x, weights = case$w))$vcov)
    }
    expect_equal(by(as(x, "CsparseMatrix"), factor(case$y > 0)), by(x, 2 * (case$y > 0) - 1),
                 tolerance = 1e-8, info = kernel$name)
  }
})

test_that("rows of the fit are known in any units, and count as there unless weights are given", {
  case <- plain_case(10)
  x <- cbind(case$x, gdp = 1e13 + 1e12 * rnorm(60), tiny = 1e-9 * rnorm(60))
  cv <- quiet(cv.sparserls(x, case$y, I(which(case$w > 0)[1:12]), lambda = c(1, 0.1),
                           weights = case$w, keep = TRUE))
  own <- derivatives(cv, x)
  expect_identical(own[-1], derivatives(cv, x, weights = case$w)[-1])
  expect_identical(own$nobs, sum(case$w > 0))
  up <- function(d) d + 1
  expect_identical(average_effect(cv, up, newdata = x)[-1],
                   average_effect(cv, up, newdata = x, weights = case$w)[-1])
  expect_false(identical(derivatives(cv, x, weights = rep(1, 60), type = "gp")$average, own$plugin))
  for (j in 1:5) {
    other <- replace(x, cbind(7, j), if (j == 3) 1 - x[7, j] else x[8, j])
    expect_refusals(derivatives(cv, other, type = "debiased") | newdata | "not the rows of the fit")
  }
})

test_that("rows that a fit leaves out do not move its basis", {
  case <- plain_case(11)
  data <- data.frame(case$x, y = case$y, fold = case$fold)
  gaps <- rbind(data[1:2, ], NA, data[3:30, ], NA, data[31:60, ])
  for (mode in c("remove", "keep")) {
    of <- function(data, basis) {
      quiet(cv.sparserls(y ~ a + b + t, data, I(basis), kernel_gaussian(0.3), c(1, 0.1),
                         foldid = fold, holdout_basis = mode, keep = TRUE, jitter = 1e-3))
    }
    basis <- seq(4, 60, 5)
    expect_equal(derivatives(of(gaps, basis + 1 + (basis > 30)))[c("average", "vcov")],
                 derivatives(of(data, basis))[c("average", "vcov")], tolerance = 1e-9)
  }
})
