# derivatives(type = "debiased") and average_effect() against loops of honest refits in plain R
# (helper-debiased.R).

debiased_kernel <- function(p) {
  normalize <- runif(1) < 0.25
  switch(sample(5, 1),
    kernel_linear(normalize), kernel_gaussian(exp(runif(1, -3, 0)), normalize),
    kernel_matern(sample(c(1.5, 2.5), 1), exp(runif(1, -3, 0)), normalize),
    kernel_polynomial(2, exp(runif(1, -2, 0)), runif(1)),
    kernel_gaussian(map = matrix(rnorm(2 * p) / 3, p))
  )
}

# The last column is of zeros and ones. Folds are single rows, five of rows, or groups.
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
                else if (runif(1) < 0.5) as.list(seq_len(m))
                else unname(split(seq_len(m), sample(rep_len(1:5, m))))
  case$share <- case$w / sum(case$w)
  if (runif(1) < 0.3) case$share <- with(list(s = runif(m)), s / sum(s))
  case$fine <- case$kernel$name != "custom" && all(vapply(case$folds, function(held) {
    sum(case$w[-held] > 0) > 2 && !all(case$basis %in% held)
  }, NA))
  case
}

quiet <- function(...) suppressMessages(suppressWarnings(...))

debiased_cv <- function(case) {
  quiet(cv.sparserls(
    case$x, case$y, I(case$basis), case$kernel, case$lambda[2:3], weights = case$w,
    intercept = case$intercept, standardize = case$standardize, jitter = case$jitter,
    folds = if (is.null(case$groups)) case$folds, groups = case$groups,
    nfolds = if (!is.null(case$groups)) "loo", holdout_basis = case$mode, keep = TRUE,
    solver = sample(c("auto", "update", "retrain"), 1), progress = FALSE
  ))
}

case_standard <- function(case) {
  if (!case$standardize) return(identity)
  reference_standard(case$x, case$w, case$kernel, case$intercept)
}

expect_honest <- function(found, parts, case, lambda, info = "", share = cbind(case$share), ...) {
  honest <- reference_debiased(parts$folds, parts$whole, case$y, case$w, share, case$intercept,
                               lambda, found$representer$at, found$representer$lambda, case$groups)
  expect_debiased(found, honest, info, ...)
}

test_that("debiased derivatives are those of honest refits", {
  for (seed in usable_seeds(1:40, function(seed) debiased_case(seed)$fine)) {
    case <- debiased_case(seed)
    cv <- debiased_cv(case)
    found <- quiet(derivatives(cv, case$x, type = "debiased", weights = case$share))
    parts <- reference_parts(case$x, case$kernel, case$basis, case$folds, reference_effects(case$x),
                             case$jitter, case$mode, case_standard(case))
    expect_honest(found, parts, case, cv$lambda.min, paste("seed", seed))
  }
})

test_that("redundant basis vectors come back where those that made them so leave", {
  usable <- function(seed) {
    case <- debiased_case(seed, redundant_case)
    case$fine && case$redundancy != "near"
  }
  compared <- 0
  for (seed in usable_seeds(101:120, usable)) {
    case <- debiased_case(seed, redundant_case)
    cv <- tryCatch(debiased_cv(case), sparserls_error_folds = function(e) NULL)
    if (is.null(cv)) next
    found <- quiet(derivatives(cv, case$x, type = "debiased", weights = case$share))
    parts <- reference_parts(case$x, case$kernel, case$basis, case$folds, reference_effects(case$x),
                             case$jitter, case$mode, case_standard(case))
    expect_honest(found, parts, case, cv$lambda.min, paste("seed", seed, case$redundancy))
    compared <- compared + 1
  }
  expect_gt(compared, 8)
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

test_that("points that are given are never held out", {
  case <- plain_case(1)
  case$groups <- NULL
  points <- matrix(rnorm(24), 8)
  kernel <- kernel_gaussian(0.3)
  cv <- quiet(cv.sparserls(case$x, case$y, points, kernel, c(1, 0.1), weights = case$w,
                           foldid = case$fold, keep = TRUE, jitter = 1e-4))
  parts <- reference_parts(case$x, kernel, points, case$folds, reference_effects(case$x), 1e-4,
                           "keep", reference_standard(case$x, case$w, kernel, TRUE))
  expect_honest(quiet(derivatives(cv, case$x, weights = case$share)), parts, case, cv$lambda.min)
})

# The first rows have twins.
test_that("of the full kernel every row is a basis vector, and leaves with its fold", {
  for (seed in 2:5) {
    case <- plain_case(seed, v = if (seed == 3) 2 else 1)
    case$x[5:6, ] <- case$x[1:2, ]
    if (seed == 4) case$groups <- NULL
    case$intercept <- seed != 5
    kernel <- if (seed %% 2) kernel_matern(2.5, 0.3) else kernel_gaussian(0.2)
    cv <- quiet(cv.rls(case$x, case$y, kernel, c(1, 0.1), weights = case$w, groups = case$groups,
                       foldid = if (is.null(case$groups)) case$fold, keep = TRUE,
                       intercept = case$intercept, nfolds = if (!is.null(case$groups)) "loo"))
    if (!is.null(case$groups)) case$folds <- unname(split(1:60, case$groups))
    parts <- reference_parts(case$x, kernel, which(case$w > 0), case$folds,
                             reference_effects(case$x), 0, "remove",
                             reference_standard(case$x, case$w, kernel, case$intercept))
    expect_honest(quiet(derivatives(cv, case$x, weights = case$share)), parts, case, cv$lambda.min, paste("seed", seed))
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
    cv <- quiet(cv.rls(case$x, case$y, lambda = c(3, 1), weights = case$w, foldid = case$fold,
                       keep = TRUE, solver = solver))
    expect_honest(quiet(derivatives(cv, case$x, weights = case$share)), parts, case, cv$lambda.min, solver)
  }
})

test_that("refits with a basis and a kernel of their own have representers in their own terms", {
  case <- plain_case(7)
  case$groups <- NULL
  effects <- reference_effects(case$x)
  cv <- quiet(cv.sparserls(case$x, case$y, basis_random(8), kernel_gaussian(0.5), c(1, 0.1),
                           weights = case$w, foldid = case$fold, keep = TRUE, reselect = TRUE,
                           jitter = 0))
  standard <- reference_standard(case$x, case$w, kernel_gaussian(0.5), TRUE)
  parts <- own_parts(case$x, cv$refits$models, cv$fit, case$folds, effects, 0,
                     rep(list(standard), 6))
  expect_honest(quiet(derivatives(cv, case$x, weights = case$share)), parts, case, cv$lambda.min, "reselect")

  outer <- unname(split(1:60, rep(1:3, each = 20)))
  cv <- quiet(cv.ardrls(case$x, case$y, I(seq(2, 59, 5)), penalty = 1, weights = case$w,
                        foldid = rep(1:4, 15), outer = outer, keep = TRUE, maxit = 5, jitter = 1e-6))
  fits <- lapply(cv$refits$models, function(model) model$fits[[1]])
  whole <- cv$fit$fits[[1]]
  standards <- lapply(c(fits, list(whole)), function(fit) function(x) {
    scale(x, fit$standard$centre, fit$standard$scale)
  })
  parts <- own_parts(case$x, fits, whole, outer, effects, 1e-6, standards)
  expect_honest(quiet(derivatives(cv, case$x, weights = case$share)), parts, case,
                vapply(c(fits, list(whole)), `[[`, 0, "lambda"), "ardrls")
})
