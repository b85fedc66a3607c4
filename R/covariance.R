# Covariances of the coefficients of a fit; lambda, the kernel and x are held fixed. They are those
# of what the spectrum solves for: b (n numbers; coefficients of the expansion are map'b) and below
# them the offset of the intercept (y_mean - z_mean'b + offset). A covariance is a list of
#   covariance  (n + 1) x (n + 1) x outputs, in the user's units of y
#   df          degrees of freedom of t
#   units       "rows" or "groups": what counts once; with `gp` none
#   count       how many of them
#
# jackknife  (G - 1) / G sum_g c_g c_g', c_g the change of the coefficients when the unit g is left
#            out, exactly (src/holdout.c): with groups the estimator called CV3; G - 1
# sandwich   sum_g r_g r_g', r_g the part of the coefficients in the residuals of g: A^-1 Z_g'W r;
#            times m / (m - df - 1) for rows, G / (G - 1) (m - 1) / (m - df - 1) for groups
# gp         that of b given y in the view of Gaussian processes, s2 A^-1 with s2 = RSS / (m - df -
#            1); on the full kernel see gp_spread()
# With an intercept; without one m - df in place of m - df - 1.

covariance_types <- c("jackknife", "gp", "sandwich")

# lambda: one value, in the user's units.
coefficient_covariance <- function(object, lambda, type) UseMethod("coefficient_covariance")

coefficient_covariance.sparserls_fit <- function(object, lambda, type) {
  if (type == "gp") return(gp_covariance(object, lambda))
  if (!is_full(object)) stop_no_units(type)
  full_covariance(object, lambda, type, NULL)
}

coefficient_covariance.sparserls_cv <- function(object, lambda, type) {
  fit <- object$fit
  if (type == "gp") return(coefficient_covariance(fit, lambda, type))
  kept <- object$covariance
  if (is.null(kept)) stop_no_units(type)
  if (is_full(fit)) return(full_covariance(fit, lambda, type, kept$groups))
  if (type == "jackknife" && length(kept$failed)) {
    abort("folds", "Not every unit can be left out.", kept$failed,
          "Use more basis vectors, holdout_basis = \"keep\", or type = \"sandwich\".")
  }
  at <- match(signif(lambda, 10), signif(kept$at, 10))
  if (is.na(at)) {
    abort("lambda", "The covariance was kept at what the cross-validation has chosen only.",
          format(lambda), sprintf("Use %s.", enumerate(format(kept$at, digits = 15))))
  }
  new_covariance(fit, lambda, type, array(kept[[type]][, , , at], dim(kept[[type]])[1:3]),
                 kept$groups)
}

stop_no_units <- function(type) {
  abort("keep", sprintf("The fit does not know what its rows do to it, which type = \"%s\" needs.",
                        type), NULL,
        "Cross-validate with keep = TRUE, or use type = \"gp\".")
}

# ---- from sums over units ------------------------------------------------------------

# sum: of outer products over the units. groups: the group of each row as a number, or NULL.
new_covariance <- function(fit, lambda, type, sum, groups) {
  units <- if (is.null(groups)) "rows" else "groups"
  used <- fit$weights > 0
  count <- if (is.null(groups)) sum(used) else length(unique(groups[used]))
  left <- rows_left(fit, lambda)
  factor <- if (type == "jackknife") (count - 1) / count
            else if (is.null(groups)) sum(used) / left
            else count / (count - 1) * (sum(used) - 1) / left
  df <- if (type == "jackknife" || !is.null(groups)) count - 1 else left
  list(covariance = sum * factor, df = df, units = units, count = count)
}

# m - df - 1, NaN where nothing is left.
rows_left <- function(fit, lambda) {
  left <- sum(fit$weights > 0) - coefficients_at(fit$spectrum, lambda)$df - fit$intercept
  if (left > 0) left else NaN
}

gp_covariance <- function(fit, lambda) {
  spectrum <- fit$spectrum
  view <- gp_view(fit, lambda)
  noise <- view_noise(view, "df")
  n <- length(spectrum$values)
  weight <- sum(times_two(fit$weights, -view$unit$weights))
  spread <- c(gp_spread(fit, times_two(lambda, -spectrum$unit$lambda)),
              if (fit$intercept) 1 / weight else 0)
  covariance <- vapply(times_two(noise$s2, 2 * view$unit$y), function(s2) {
    diag(s2 * spread, n + 1)
  }, matrix(0, n + 1, n + 1))
  list(covariance = array(covariance, c(n + 1, n + 1, length(noise$s2))), df = noise$left[1],
       units = NULL)
}

# The variances of b over s2 (gp-view.R). On the full kernel the values of f are K c: b has the
# variances of theirs over the squares of the eigenvalues, values / (values + lambda) / values^2,
# and those of zero belong to no function.
gp_spread <- function(fit, lambda) {
  values <- fit$spectrum$values
  spread <- 1 / (values + lambda)
  if (!is_full(fit)) return(spread)
  seen <- values > length(values) * .Machine$double.eps * max(values)
  replace(spread / values, !seen, 0)
}

# ---- the units of a problem ---------------------------------------------------------

# What a cross-validation with keep = TRUE keeps: at (lambda.min and lambda.1se), groups (or NULL),
# and the sums `jackknife` and `sandwich`, (n + 1) x (n + 1) x outputs x at; `failed` says why there
# is no jackknife. Of full kernels the fit itself has all that it takes, but for the groups. NULL of
# families without one problem that all refits come from.
kept_covariance <- function(problem, found, folds, index) {
  if (is.null(found$model$training)) return(NULL)
  groups <- if (!is.null(folds$groups)) as.integer(droplevels(folds$groups))
  if (found$model$training$dual) return(list(groups = groups))
  lambda <- found$path$lambda[unique(index[c("min", "1se")])]
  kept <- list(at = user_lambda(lambda, problem$unit), groups = groups)
  training <- turned(found$model$training)
  sums <- function(leave) {
    plan <- unit_plan(problem, found$model, unit_folds(problem$weights, groups), leave)
    one <- lapply(lambda, function(lambda) {
      outputs_squared(unit_sums(training, lambda, plan, leave), problem$unit)
    })
    array(unlist(one), c(dim(one[[1]]), length(lambda)))
  }
  kept$sandwich <- sums(FALSE)
  kept$jackknife <- tryCatch(sums(TRUE), sparserls_error = identity)
  if (is.array(kept$jackknife)) return(kept)
  kept$failed <- kept$jackknife$problem
  kept$jackknife <- NULL
  kept
}

# In the coordinates of the eigenvectors, as the update form wants it.
turned <- function(training) {
  if (is.null(training$gram)) training else .Call(ffi_turned, training)
}

outputs_squared <- function(sums, unit) {
  if (all(unit$y == 0)) sums
  else times_two(sums, rep(2 * unit$y, each = prod(dim(sums)[1:2])))
}

# The rows that train, or the groups with some: all of their rows, for the basis vectors among them.
unit_folds <- function(weights, groups) {
  units <- if (is.null(groups)) which(weights > 0)
           else split(seq_along(groups), factor(groups, unique(groups[weights > 0])))
  unname(lapply(units, function(unit) list(score = unit, omit = unit)))
}

# A plan with its forms (holdout.R). leave: FALSE where nothing is left out.
unit_plan <- function(problem, model, units, leave) {
  plan <- if (leave) leave_units(problem, model, units)
          else fold_plan(units, integer(), "keep", problem$weights)
  solver <- if (leave && !model$training$dual) "auto" else "update"
  plan$forms <- holdout_forms(solver, plan, nrow(problem$y), nrow(model$training$z),
                              ncol(problem$y), 1L)
  plan
}

# The plan for leaving out the units of a problem, basis vectors as its folds do it.
leave_units <- function(problem, model, units) UseMethod("leave_units")

leave_units.default <- function(problem, model, units) {
  fold_plan(units, integer(), "keep", problem$weights)
}

leave_units.sparserls_problem <- function(problem, model, units) {
  mode <- if (problem$holdout_basis == "remove") "remove" else "keep"
  fold_plan(units, model$part$basis, mode, problem$weights, model$part$redundant)
}

# The sum over units of the outer products of what they do to (b, offset), (n + 1) x (n + 1) x
# outputs; some units at a time. training: in the coordinates of the eigenvectors.
unit_sums <- function(training, lambda, plan, leave) {
  n <- nrow(training$z)
  v <- ncol(training$y)
  total <- array(0, c(n + 1L, n + 1L, v))
  chunk <- (seq_along(plan$h) - 1L) %/% max(1, floor(2^21 / (n * v)))
  residual <- if (!leave) weighted_residuals(training, lambda)
  for (i in unique(chunk)) {
    change <- if (leave) left_changes(training, lambda, plan, chunk == i)
              else residual_changes(training, lambda, plan, chunk == i, residual)
    for (k in seq_len(v)) total[, , k] <- total[, , k] + tcrossprod(matrix(change[, k, ], n + 1))
  }
  total
}

# (n + 1) x outputs x units: refits without them less the fit.
left_changes <- function(training, lambda, plan, inside) {
  result <- .Call(ffi_fold_refits, training, lambda, some_folds(plan, inside))
  stop_status(result$status, sprintf("unit %d", which(inside)[result$fold]))
  spectrum <- training$spectrum
  whole <- spectrum$zy / (spectrum$values + lambda)
  array(rbind(result$b - as.vector(whole), as.vector(result$offset)),
        c(nrow(whole) + 1L, ncol(whole), sum(inside)))
}

# The same shape, what residuals of units are in the coefficients: D Z_g'W r and, in the intercept,
# sum_g w r / sum(w). residual: of weighted_residuals().
residual_changes <- function(training, lambda, plan, inside, residual) {
  rows <- plan$rows[rep(inside, plan$h)]
  unit <- rep(seq_len(sum(inside)), plan$h[inside])
  points <- rbind(training$z[, rows, drop = FALSE] / (training$spectrum$values + lambda),
                  residual$share[rows])
  changes <- lapply(seq_len(ncol(residual$values)), function(k) {
    t(rowsum(t(points) * residual$values[rows, k], unit))
  })
  aperm(array(unlist(changes), c(nrow(points), sum(inside), length(changes))), c(1, 3, 2))
}

# W r of all rows; on the full kernel, whose z are the rows of U (src/dual.c), S r. share: of a row
# in the intercept, over that.
weighted_residuals <- function(training, lambda) {
  fitted <- .Call(ffi_fitted, training, lambda, rep(1, ncol(training$y)))$fitted
  residuals <- training$y + rep(training$y_mean, each = nrow(training$y)) - fitted
  weights <- training$weights
  list(values = residuals * if (training$dual) sqrt(weights) else weights,
       share = training$intercept / training$sum_weights *
         if (training$dual) sqrt(weights) else rep(1, length(weights)))
}

# ---- full kernels -------------------------------------------------------------------

# Whether the terms are those of all rows: the spectrum then says everything (src/dual.c).
is_full <- function(fit) identical(fit$solver, "dual")

# The training list of the rows that train, from the fit alone: column i of z is row i of U.
full_training <- function(fit) {
  spectrum <- fit$spectrum
  rows <- which(fit$weights > 0)
  weights <- times_two(fit$weights[rows], -weights_exponent(fit$weights))
  y <- scaled_response(fit$response$y[rows, , drop = FALSE], spectrum$unit)
  if (fit$intercept) y <- y - rep(spectrum$y_mean, each = nrow(y))
  list(z = spectrum$map / rep(sqrt(weights), each = nrow(spectrum$map)), y = y, weights = weights,
       sum_weights = sum(weights), unit_weights = all(weights == 1), intercept = fit$intercept,
       dual = TRUE, map = spectrum$map, gram = NULL, zy = spectrum$zy, z_mean = spectrum$z_mean,
       y_mean = spectrum$y_mean, spectrum = spectrum[c("values", "map", "zy", "z_mean")],
       vectors = NULL)
}

full_covariance <- function(fit, lambda, type, groups) {
  training <- full_training(fit)
  units <- unit_folds(training$weights, groups[fit$weights > 0])
  plan <- fold_plan(units, integer(), "keep", training$weights)
  plan$forms <- rep(form_code("update"), length(plan$h))
  lambda_scaled <- times_two(lambda, -fit$spectrum$unit$lambda)
  sums <- unit_sums(training, lambda_scaled, plan, type == "jackknife")
  new_covariance(fit, lambda, type, outputs_squared(sums, fit$spectrum$unit), groups)
}

# ---- functionals ---------------------------------------------------------------------

# The covariance of linear functionals of the coefficients of the expansion (terms x functionals):
# functionals x functionals x outputs.
functional_covariance <- function(fit, found, functionals) {
  moved <- rbind(fit$spectrum$map %*% functionals, 0)
  each_output(found$covariance, function(covariance) crossprod(moved, covariance %*% moved))
}

# f of every matrix of the last dimension, as an array.
each_output <- function(x, f) {
  values <- lapply(seq_len(dim(x)[3]), function(k) f(matrix(x[, , k], nrow(x))))
  array(unlist(values), c(dim(values[[1]]), length(values)))
}
