# Representers of functionals in the refit without each fold, against a direct solve in plain R.
# The functionals are contrasts of f at random points, random multiples in every row: linear in f,
# zero on constants, and (for the points are no rows) without a shift. So they are known for every
# basis vector, also for those that come back where others are held out.

# m(x_i; k_j) of all rows and members of the basis, rows x members for each effect.
random_functionals <- function(case) {
  count <- sample(3, 1)
  points <- matrix(rnorm(6 * ncol(case$x)), 6)
  k <- reference_kernel(case$kernel, points, case$x[case$basis, , drop = FALSE])
  lapply(seq_len(count), function(effect) {
    of_points <- matrix(rnorm(6 * nrow(case$x)), nrow(case$x))
    (of_points - rowMeans(of_points)) %*% k
  })
}

# Its sums over some rows, members x effects.
functional_sums <- function(functionals, rows, members) {
  vapply(functionals, function(m) colSums(m[rows, members, drop = FALSE]), numeric(length(members)))
}

# Values of the representers in `rows`, rows x effects x lambdas, and their `moment`, effects x
# lambdas: the sums `held` times the coefficients. `sums` are those of `train`.
reference_representer <- function(k, w, basis, keep, train, rows, lambda, intercept, sums, held) {
  keep <- keep[reference_independent(k[basis[keep], keep, drop = FALSE])]
  factor <- chol(k[basis[keep], keep, drop = FALSE])
  coordinates <- function(columns) backsolve(factor, columns, transpose = TRUE)
  z <- t(coordinates(t(k[, keep, drop = FALSE])))
  sums <- coordinates(sums[keep, , drop = FALSE])
  held <- coordinates(held[keep, , drop = FALSE])
  values <- array(0, c(length(rows), ncol(sums), length(lambda)))
  moment <- matrix(0, ncol(sums), length(lambda))
  for (l in seq_along(lambda)) {
    design <- rbind(sqrt(w[train]) * z[train, , drop = FALSE], sqrt(lambda[l]) * diag(length(keep)))
    if (intercept) design <- cbind(design, c(sqrt(w[train]), numeric(length(keep))))
    triangle <- qr.R(qr(design, LAPACK = FALSE, tol = 0))
    right <- if (intercept) rbind(sums, 0) else sums
    b <- backsolve(triangle, backsolve(triangle, right, transpose = TRUE))
    new <- if (intercept) cbind(z, 1) else z
    values[, , l] <- new[rows, , drop = FALSE] %*% b
    moment[, l] <- colSums(held * b[seq_along(keep), , drop = FALSE])
  }
  list(values = values, moment = moment)
}

# What the package makes of the case: for every fold its rows, the values in them (rows x effects x
# lambdas) and the moment.
package_representers <- function(case, functionals, form) {
  design <- as_design(case$x, rowSums(case$x), case$w)
  validation <- new_validation(design, NULL, NULL, NULL, NULL, case$folds, "mse", FALSE, FALSE)
  problem <- sparserls_problem(design, quote(f()), list(case$kernel), I(case$basis), case$lambda,
                               1L, case$intercept, FALSE, case$jitter, 1L, validation,
                               solver = form, holdout_basis = case$mode, reselect = FALSE)
  candidate <- candidates(problem)[[1]]
  part <- basis_part(problem, candidate)
  plan <- fold_plan(draw_folds(validation$folds)$folds, part$basis, case$mode, problem$weights,
                    part$redundant)
  plan$forms <- rep(form_code(form), length(plan$h))
  training <- train_part(problem, candidate, part, rotate = TRUE)$training
  effects <- length(functionals)
  training$y <- matrix(0, nrow(case$x), effects)
  training$y_mean <- numeric(effects)
  kept <- match(part$basis, case$basis)
  moments <- function(rows) training$map %*% functional_sums(functionals, rows, kept)
  training$zy <- moments(seq_len(nrow(case$x)))
  fold <- unique(plan$fold)
  held <- lapply(fold, function(i) plan$rows[plan$fold == i])
  found <- .Call(ffi_fold_representers, training, case$lambda,
                 some_folds(plan, rep(TRUE, length(plan$h))),
                 do.call(cbind, lapply(held, moments)))
  expect_identical(found$status, 0L)
  alpha <- found$alpha
  if (!is.null(plan$answer)) alpha <- alpha[plan$answer, , drop = FALSE]
  lapply(seq_along(fold), function(i) {
    rows <- held[[i]]
    list(rows = rows, values = array(alpha[plan$fold == fold[i], ],
                                     c(length(rows), effects, length(case$lambda))),
         moment = matrix(found$moment[, i], effects), twins = length(plan$twins))
  })
}

# A case whose first fold may hold two thirds of the rows: then the sums of the others are made anew.
representer_case <- function(seed) {
  case <- if (seed %% 2) random_case(seed) else redundant_case(seed)
  if (seed %% 3 == 0) case <- with_wider_folds(case)
  m <- nrow(case$x)
  large <- seq_len(ceiling(2 * m / 3))
  if (seed %% 4 < 2 && !all(case$basis %in% large) && sum(case$w[-large] > 0) > 1) {
    case$folds <- c(list(large), case$folds)
  }
  case$lambda <- case$lambda[seq_len(sample(4, 1))]
  case
}

# Largest differences of values and moments, relative to the largest value and moment of the fold.
representer_error <- function(case, functionals, k, fold) {
  members <- seq_along(case$basis)
  rows <- seq_len(nrow(k))
  train <- setdiff(rows, fold$rows)
  keep <- if (case$mode == "remove") members[!case$basis %in% fold$rows] else members
  keep <- keep[!duplicated(case$x[case$basis[keep], , drop = FALSE])]
  honest <- reference_representer(k, case$w, case$basis, keep, train, fold$rows, case$lambda,
                                  case$intercept, functional_sums(functionals, train, members),
                                  functional_sums(functionals, fold$rows, members))
  compare <- function(what) max(abs(fold[[what]] - honest[[what]])) / max(abs(honest[[what]]))
  c(compare("values"), compare("moment"))
}

test_that("representers without a fold, by either form, are those of the rows and basis that stay", {
  seeds <- usable_seeds(1:60, function(seed) length(representer_case(seed)$folds) > 0)
  for (seed in seeds) {
    case <- representer_case(seed)
    functionals <- random_functionals(case)
    k <- reference_shifted(case$kernel, case$x, case$basis, case$jitter)
    # Nearly redundant vectors: see test-redundant.R.
    allowed <- if (identical(case$redundancy, "near")) 1e-7 else 1e-10
    for (form in c("update", "retrain")) {
      found <- suppressWarnings(package_representers(case, functionals, form),
                                classes = "sparserls_warning_basis")
      error <- vapply(found, function(fold) representer_error(case, functionals, k, fold), c(0, 0))
      if (!(max(error) < allowed)) fail(sprintf("seed %d, %s: %.1e", seed, form, max(error)))
    }
    succeed()
  }
})
