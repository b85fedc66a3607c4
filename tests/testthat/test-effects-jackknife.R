# Standard errors of average derivatives and of coefficients, against honest refits without each
# row or group.

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
    # Fits alone do not know their rows again, and their weights.
    found <- derivatives(cv, case$x, type = "jackknife", weights = rep(1, nrow(case$x)))
    expect_lt(max(abs(found$vcov - honest)) / max(abs(honest)), 1e-5)
    compared <- compared + 1
  }
  expect_gt(compared, 8)
})
