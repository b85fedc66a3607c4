# Effects from their definitions, in plain R.

# Derivatives by column d of x of a function of rows, which answers rows x terms: five points, of
# which the error is of the order of step^4.
five_points <- function(f, x, d, step = 1e-3 * sd(x[, d])) {
  at <- function(times) {
    x[, d] <- x[, d] + times * step
    f(x)
  }
  (8 * (at(1) - at(-1)) - (at(2) - at(-2))) / (12 * step)
}

# Those of predict(), rows x features (x outputs).
central_differences <- function(fit, x, s) {
  scores <- function(x) matrix(quiet(predict(fit, x, s = s)), nrow(x))
  rates <- lapply(seq_len(ncol(x)), function(d) five_points(scores, x, d, 1e-5))
  aperm(array(unlist(rates), c(dim(rates[[1]]), ncol(x))), c(1, 3, 2))
}

# What the average derivatives make of one coefficient each: terms x features.
reference_functionals <- function(kernel, x, points, share) {
  values <- function(x) reference_kernel(kernel, x, points)
  vapply(seq_len(ncol(x)), function(d) colSums(share * five_points(values, x, d, 1e-5)),
         numeric(nrow(points)))
}

# Coefficients of the refit to the rows `train` on the basis vectors `keep` (positions; columns of
# k), intercept first: (1 + terms) x outputs, zero where removed.
reference_coefficients <- function(k, y, w, basis, keep, train, lambda, intercept) {
  b <- reference_ridge_fit(reference_members(k, basis, keep), y, w, train, lambda, intercept)
  out <- matrix(0, 1 + length(basis), ncol(b))
  out[1, ] <- b[1, ]
  out[1 + keep, ] <- backsolve(chol(k[basis[keep], keep, drop = FALSE]), b[-1, , drop = FALSE])
  out
}

# (G - 1) / G times the sum of squared changes of linear functionals (of the coefficients, with or
# without the intercept) over honest refits without each of case$units, functionals x functionals x
# outputs.
reference_jackknife <- function(case, functionals, k, lambda) {
  all <- seq_len(nrow(case$x))
  refit <- function(out) {
    keep <- if (case$mode == "remove") which(!case$basis %in% out) else seq_along(case$basis)
    coefficients <- reference_coefficients(k, case$y, case$w, case$basis, keep, setdiff(all, out),
                                           lambda, case$intercept)
    crossprod(functionals, tail(coefficients, nrow(functionals)))
  }
  units <- Filter(function(unit) any(case$w[unit] > 0), case$units)
  whole <- refit(integer())
  changes <- lapply(units, function(unit) refit(unit) - whole)
  out <- array(0, c(rep(nrow(whole), 2), ncol(whole)))
  for (o in seq_len(ncol(whole))) {
    moved <- vapply(changes, function(change) change[, o], numeric(nrow(whole)))
    out[, , o] <- tcrossprod(matrix(moved, nrow(whole)))
  }
  out * (length(units) - 1) / length(units)
}

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

# The full kernel or a basis, with or without standardized features.
case_fit <- function(case) {
  asked <- list(case$x, case$y, kernel = case$kernel, lambda = case$lambda, weights = case$w,
                intercept = case$intercept, standardize = !isFALSE(case$standardize))
  quiet(if (runif(1) < 0.3) do.call(rls, asked)
        else do.call(sparserls, c(asked, list(basis = case$basis, jitter = case$jitter))))
}
