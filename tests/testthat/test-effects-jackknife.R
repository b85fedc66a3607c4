# Standard errors of average derivatives and of coefficients, against honest refits without each
# row or group.

# Units of a case: rows, or groups of unequal sizes.
with_units <- function(case, seed) {
  m <- nrow(case$x)
  if (seed %% 3 == 0) return(c(case, list(groups = NULL, units = as.list(seq_len(m)))))
  groups <- sample(seq_len(sample(3:12, 1)), m, TRUE)
  c(case, list(groups = groups, units = unname(split(seq_len(m), groups))))
}

fine_units <- function(case) {
  all(vapply(case$units, function(unit) {
    sum(case$w[-unit] > 0) > 1 && !all(case$basis %in% unit)
  }, NA))
}

unit_case <- function(seed, make = random_case) {
  case <- with_units(make(seed), seed)
  case$mode <- if (case$mode == "remove") "remove" else "keep"
  case$fine <- case$kernel$name != "custom" && fine_units(case)
  case
}

# Folds are other than the units where basis vectors stay.
unit_cv <- function(case) {
  rows <- is.null(case$groups)
  suppressMessages(cv.sparserls(
    case$x, case$y, case$basis, case$kernel, case$lambda[2:3], weights = case$w,
    intercept = case$intercept, standardize = FALSE, jitter = case$jitter, groups = case$groups,
    nfolds = if (case$mode == "keep") 2 else if (rows) "loo", holdout_basis = case$mode,
    keep = TRUE, solver = sample(c("auto", "update", "retrain"), 1), progress = FALSE
  ))
}

test_that("the jackknife of average derivatives is that of honest refits", {
  cases <- Filter(function(case) case$fine, lapply(2001:2090, unit_case))
  expect_gt(length(cases), 50)
  for (case in cases) {
    cv <- unit_cv(case)
    case$basis <- cv$fit$basis
    k <- reference_shifted(case$kernel, case$x, case$basis, case$jitter)
    at <- matrix(rnorm(5 * ncol(case$x)), 5)
    functionals <- reference_functionals(case$kernel, at, case$x[case$basis, , drop = FALSE],
                                         rep(1 / 5, 5))
    honest <- reference_jackknife(case, functionals, k, cv$lambda.min)
    found <- derivatives(cv, at)
    expect_identical(found$type, "jackknife")
    expect_identical(found$units, if (is.null(case$groups)) "rows" else "groups")
    expect_identical(found$df, found$count - 1)
    # Central differences carry 1e-9, the normal equations of a nearly singular basis more.
    expect_lt(max(abs(as.vector(found$vcov) - as.vector(honest))) / max(abs(honest)), 1e-6)
    expect_equal(as.vector(found$std.error)^2,
                 as.vector(apply(array(found$vcov, dim(honest)), 3, diag)))
  }
})

test_that("redundant basis vectors come back where those that made them so leave", {
  cases <- Filter(function(case) case$fine, lapply(2101:2150, unit_case, redundant_case))
  expect_gt(length(cases), 15)
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
    found <- derivatives(cv, case$x)
    expect_lt(max(abs(found$vcov - honest)) / max(abs(honest)), 1e-5)
    compared <- compared + 1
  }
  expect_gt(compared, 8)
})
