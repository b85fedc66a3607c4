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
  each <- vapply(functionals, function(m) colSums(m[rows, members, drop = FALSE]),
                 numeric(length(members)))
  matrix(each, length(members))
}

# Representers of a fold and their moment, for a subset of regressors: k is the kernel of all rows
# with the basis.
honest_representer <- function(case, functionals, k, held) {
  members <- seq_along(case$basis)
  train <- setdiff(seq_len(nrow(k)), held)
  keep <- if (case$mode == "remove") members[!case$basis %in% held] else members
  keep <- keep[!duplicated(case$x[case$basis[keep], , drop = FALSE])]
  keep <- keep[reference_independent(k[case$basis[keep], keep, drop = FALSE])]
  factor <- chol(k[case$basis[keep], keep, drop = FALSE])
  coordinates <- function(columns) backsolve(factor, columns, transpose = TRUE)
  reference_representer(t(coordinates(t(k[, keep, drop = FALSE]))), case$w, train, held,
                        case$lambda, case$intercept,
                        coordinates(functional_sums(functionals, train, keep)),
                        coordinates(functional_sums(functionals, held, keep)))
}

# What the package makes of a plan: for every fold its rows, the values in them (rows x effects x
# lambdas) and the moment. training: of any y; members: the columns of the functionals that are its
# terms.
package_representers <- function(training, plan, form, lambda, functionals, members) {
  effects <- length(functionals)
  m <- ncol(training$z)
  moments <- function(rows) training$spectrum$map %*% functional_sums(functionals, rows, members)
  training <- functional_training(training, moments(seq_len(m)))
  plan$solver <- form
  fold <- unique(plan$fold)
  held <- lapply(fold, function(i) plan$rows[plan$fold == i])
  of_folds <- function(inside) {
    hold_out(training, plan, lambda, "representers", which(inside),
             do.call(cbind, lapply(held[inside], moments)))
  }
  # Folds may come in parts.
  first <- seq_along(held) <= ceiling(length(held) / 2)
  parts <- lapply(unique(first), function(part) of_folds(first == part))
  alpha <- do.call(rbind, lapply(parts, `[[`, "values"))
  if (!is.null(plan$answer)) alpha <- alpha[plan$answer, , drop = FALSE]
  moment <- do.call(cbind, lapply(parts, `[[`, "offsets"))
  lapply(seq_along(fold), function(i) {
    list(rows = held[[i]], moment = matrix(moment[, i], effects),
         values = array(alpha[plan$fold == fold[i], ],
                        c(length(held[[i]]), effects, length(lambda))))
  })
}

# The same of a case.
case_representers <- function(case, functionals, form) {
  found <- parts_of_case(case)
  package_representers(turned(found$training), found$plan, form, case$lambda, functionals,
                       match(found$basis, case$basis))
}

# A case whose first fold may hold two thirds of the rows: the sums of the others are made anew.
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

# The largest difference of values and that of moments, relative to the largest of the fold.
representer_error <- function(found, honest) {
  vapply(c("values", "moment"), function(what) {
    max(abs(found[[what]] - honest[[what]])) / max(abs(honest[[what]]))
  }, 0)
}

test_that("both forms give the representers of the rows and basis vectors outside the fold", {
  seeds <- usable_seeds(1:60, function(seed) length(representer_case(seed)$folds) > 0)
  for (seed in seeds) {
    case <- representer_case(seed)
    functionals <- random_functionals(case)
    k <- reference_shifted(case$kernel, case$x, case$basis, case$jitter)
    # Nearly redundant vectors: see test-redundant.R.
    allowed <- if (identical(case$redundancy, "near")) 1e-7 else 1e-10
    for (form in c("update", "retrain")) {
      found <- suppressWarnings(case_representers(case, functionals, form),
                                classes = "sparserls_warning_basis")
      error <- vapply(found, function(fold) {
        representer_error(fold, honest_representer(case, functionals, k, fold$rows))
      }, c(0, 0))
      if (!(max(error) < allowed)) fail(sprintf("seed %d, %s: %.1e", seed, form, max(error)))
    }
    succeed()
  }
})

test_that("features in place of basis vectors", {
  set.seed(61)
  x <- matrix(rnorm(160), 40)
  w <- runif(40, 0.2, 3)
  folds <- unname(split(1:40, rep(1:5, 8)))
  functionals <- replicate(2, matrix(rnorm(160), 40), simplify = FALSE)
  lambda <- c(10, 1, 0.1, 1e-3)
  plan <- fold_plan(whole_folds(folds), integer(), "keep", w)
  training <- turned(.Call(ffi_primal, x, matrix(x[, 1]), w, TRUE, FALSE))
  for (form in c("update", "retrain")) {
    for (fold in package_representers(training, plan, form, lambda, functionals, 1:4)) {
      train <- setdiff(1:40, fold$rows)
      honest <- reference_representer(x, w, train, fold$rows, lambda, TRUE,
                                      functional_sums(functionals, train, 1:4),
                                      functional_sums(functionals, fold$rows, 1:4))
      expect_lt(max(representer_error(fold, honest)), 1e-12)
    }
  }
})
