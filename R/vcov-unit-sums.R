# What units (rows, or groups of rows) do to the coefficients (b, offset) of vcov-covariance.R,
# summed up as outer products. Units are a list of
#   groups  the group of every row as a number, or NULL: rows
#   own     rows that take a basis vector along when they leave
#   plan    a function of folds: the plan (fold-plan.R) for leaving them out

# What a cross-validation with keep = TRUE keeps: at (lambda.min and lambda.1se), groups (or NULL),
# the `carriers` of effects (effect-carriers.R), and the sums `jackknife` and `sandwich`, (n + 1) x
# (n + 1) x outputs x at; `failed` says why there is no jackknife.
# The fit of a full kernel has all else that it takes. Families whose refits are trained one by one
# keep nothing, or carriers alone (ardrls()).
kept_covariance.default <- function(problem, found, folds, index) {
  training <- found[["model"]]$training
  if (is.null(training)) return(NULL)
  groups <- if (!is.null(folds$groups)) as.integer(droplevels(folds$groups))
  carriers <- carriers(problem$design, problem$weights, groups)
  if (training$dual) return(list(groups = groups, carriers = carriers))
  lambda <- found$path$lambda[unique(index[c("min", "1se")])]
  training <- turned(training)
  units <- c(list(groups = groups), leaving_units(problem, found[["model"]]$part))
  sums <- function(leave) {
    one <- lapply(lambda, function(lambda) unit_sums(training, lambda, units, leave))
    array(unlist(one), c(dim(one[[1]]), length(lambda)))
  }
  kept <- list(at = lambda, groups = groups, carriers = carriers, sandwich = sums(FALSE))
  jackknife <- tryCatch(sums(TRUE), sparserls_error = identity)
  if (is.array(jackknife)) kept$jackknife <- jackknife else kept$failed <- jackknife$problem
  kept
}

# How units leave where coefficients are asked without them: with their basis vectors, if these are
# removed, or with none.
leaving_units <- function(problem, part) {
  removed <- identical(problem$holdout_basis, "remove")
  basis <- if (removed) part$basis else integer()
  redundant <- if (removed) part$redundant else no_redundant
  list(own = c(basis, redundant$rows), plan = function(units) {
    fold_plan(units, basis, if (removed) "remove" else "keep", problem$weights, redundant)
  })
}

# The sum of outer products over units, (n + 1) x (n + 1) x outputs: of refits without them less the
# fit, or (leave = FALSE) of what their residuals are in it. training: of turned().
unit_sums <- function(training, lambda, units, leave) {
  trains <- training$weights > 0
  residual <- weighted_residuals(training, lambda)
  if (is.null(units$groups)) {
    if (leave) residual$values <- residual$values / row_pivots(training, lambda)
    alone <- trains & is.finite(rowSums(residual$values))
    if (leave) alone[units$own] <- FALSE
    total <- group_products(training, lambda, as.list(which(alone)), residual)
    groups <- which(trains & !alone)
  } else {
    groups <- split(seq_along(trains), factor(units$groups, unique(units$groups[trains])))
    if (!leave) return(group_products(training, lambda, groups, residual))
    total <- 0
  }
  if (length(groups)) total + refit_products(training, lambda, units, groups) else total
}

# Some rows, or groups, at a time: the sum of f(part) over parts of x of about 2^21 numbers.
sum_over <- function(x, size, f) {
  total <- 0
  for (part in split_by(x, floor(2^21 / size))) total <- total + f(part)
  total
}

# changes: (n + 1) x units for every output.
outer_products <- function(changes) {
  vapply(changes, tcrossprod, matrix(0, nrow(changes[[1]]), nrow(changes[[1]])))
}

# Exact refits, by their hold-out form.
refit_products <- function(training, lambda, units, groups) {
  n <- nrow(training$z)
  v <- ncol(training$y)
  plan <- units$plan(whole_folds(unname(as.list(groups))))
  whole <- as.vector(training$spectrum$zy / (training$spectrum$values + lambda))
  sum_over(seq_along(plan$h), n * v, function(some) {
    result <- hold_out(training, plan, lambda, "refits", some, unit = "unit")
    change <- array(rbind(result$values - whole, as.vector(result$offsets)),
                    c(n + 1L, v, length(some)))
    outer_products(lapply(seq_len(v), function(k) matrix(change[, k, ], n + 1L)))
  })
}

# Groups of rows without a basis vector of their own: the sums of D z_i w_i e_i over each, e the
# residuals (held out or not) of `residual`.
group_products <- function(training, lambda, groups, residual) {
  sum_over(groups, nrow(training$z) * mean(lengths(groups)), function(groups) {
    rows <- unlist(groups)
    group <- rep(seq_along(groups), lengths(groups))
    # What a residual of one in every row is in (b, offset), (n + 1) x rows.
    points <- rbind(columns_at(training$z, rows) / (training$spectrum$values + lambda),
                    residual$share[rows])
    outer_products(lapply(seq_len(ncol(training$y)), function(k) {
      each <- points * each_row(residual$values[rows, k], points)
      if (length(rows) > length(groups)) t(rowsum(t(each), group)) else each
    }))
  })
}

# W r of all rows, r the residuals of the fit; on the full kernel, whose z are the rows of U
# (src/dual.c), S r. share: of a row in the intercept, over that.
weighted_residuals <- function(training, lambda) {
  fitted <- .Call(ffi_fitted, training, lambda)$fitted
  residuals <- training$y + each_row(training$y_mean, training$y) - fitted
  weights <- training$weights
  list(values = residuals * if (training$dual) sqrt(weights) else weights,
       share = training$intercept / training$sum_weights *
         if (training$dual) sqrt(weights) else rep(1, length(weights)))
}

# What residuals are divided by to be held out, 1 - h; on the full kernel lambda (M)_ii is the same
# without a subtraction. NA where rounding has spoilt it.
row_pivots <- function(training, lambda) {
  scale <- 1 / (training$spectrum$values + lambda)
  parts <- row_blocks(ncol(training$z), nrow(training$z))
  product <- unlist(lapply(parts, function(rows) {
    colSums(columns_at(training$z, rows)^2 * scale)
  }), use.names = FALSE)
  if (training$dual) return(lambda * product)
  pivot <- 1 - training$weights * (product + training$intercept / training$sum_weights)
  ifelse(pivot > 1e-6, pivot, NA)
}
