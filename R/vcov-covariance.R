# Covariances of the coefficients of a fit; lambda, the kernel and x are held fixed. They are those
# of what the spectrum solves for: b (n numbers; coefficients of the expansion are map'b) and below
# them the offset of the intercept (y_mean - z_mean'b + offset). A covariance is a list of
#   covariance  (n + 1) x (n + 1) x outputs, of the coefficients
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
coefficient_covariance <- function(object, lambda, type) {
  fit <- final_fit(object)
  kept <- kept_sums(object)
  if (type == "gp") {
    noise <- view_noise(gp_view(fit, lambda), "df")
    spread <- c(gp_spread(fit, lambda), intercept_spread(fit))
    return(list(covariance = outer(diag(spread, length(spread)), noise$s2), df = noise$left[1],
                units = NULL))
  }
  must(!is.null(kept) || (is_full(fit) && !inherits(object, "sparserls_cv")), "keep",
       sprintf("The fit does not keep the influence of its rows, which type = \"%s\" needs.", type),
       NULL,
       if (is.null(fit$chunks)) "Cross-validate with keep = TRUE, or use type = \"gp\"."
       else "With rows in chunks there is type = \"gp\".")
  if (is_full(fit)) return(full_covariance(fit, lambda, type, kept$groups))
  must(type != "jackknife" || !length(kept$failed),
       "folds", "Not every unit can be left out.", kept$failed,
       "Use more basis vectors, holdout_basis = \"keep\", or type = \"sandwich\".")
  at <- match_points(lambda, kept$at)
  must(!is.na(at),
       "lambda", "The covariance was kept only at the chosen values.",
       format(lambda), sprintf("Use %s.", enumerate(format(kept$at, digits = 15))))
  new_covariance(fit, lambda, type, array(kept[[type]][, , , at], dim(kept[[type]])[1:3]),
                 kept$groups)
}

# What a cross-validation has kept, NULL of a fit.
kept_sums <- function(object) if (inherits(object, "sparserls_cv")) object$covariance

# ---- from sums over units ------------------------------------------------------------

# sum: of outer products over the units. groups: the group of each row
# as a number, or NULL.
new_covariance <- function(fit, lambda, type, sum, groups) {
  used <- fit$weights > 0
  count <- if (is.null(groups)) sum(used) else length(unique(groups[used]))
  left <- rows_left(fit, lambda)
  if (type == "sandwich" && is.nan(left)) {
    stop_no_noise(trained_rows(fit), trained_df(fit, lambda),
                  "Use a larger `lambda`, or type = \"jackknife\".")
  }
  factor <- if (type == "jackknife") (count - 1) / count
            else if (is.null(groups)) sum(used) / left
            else count / (count - 1) * (sum(used) - 1) / left
  df <- if (type == "jackknife" || !is.null(groups)) count - 1 else left
  list(covariance = sum * factor, df = df, units = units_by(groups), count = count)
}

# What counts once: groups is NULL where rows do.
units_by <- function(groups) if (is.null(groups)) "rows" else "groups"

# changes: parameters x outputs x units, of each left out.
jackknife_covariance <- function(changes, units) {
  count <- dim(changes)[3]
  joint <- tcrossprod(matrix(changes, ncol = count)) * (count - 1) / count
  list(covariance = by_outputs(joint, dim(changes)[2]), df = count - 1, units = units,
       count = count)
}

# The covariances within each output, size x size x outputs, of the joint one.
by_outputs <- function(joint, outputs) {
  at <- matrix(seq_len(nrow(joint)), ncol = outputs)
  array(apply(at, 2, function(own) joint[own, own]), c(nrow(at), dim(at)))
}

# m - df - 1, NaN where nothing is left but rounding errors.
rows_left <- function(fit, lambda) {
  left <- trained_rows(fit) - trained_df(fit, lambda) - fit$intercept
  if (left > 1e-6) left else NaN
}

trained_df <- function(fit, lambda) {
  if (is.null(fit$spectrum)) df_at(fit, lambda) else coefficients_at(fit$spectrum, lambda)$df
}

# The variances of b over s2 (interval-gp.R). On the full kernel the values of f are K c: b has the
# variances of theirs over the squares of the eigenvalues, values / (values + lambda) / values^2,
# and those of zero belong to no function.
gp_spread <- function(fit, lambda) {
  values <- fit$spectrum$values
  spread <- 1 / (values + lambda)
  if (!is_full(fit)) return(spread)
  seen <- is_resolved(values)
  replace(spread / values, !seen, 0)
}

# ---- full kernels -------------------------------------------------------------------

full_covariance <- function(fit, lambda, type, groups) {
  rows <- which(fit$weights > 0)
  weights <- fit$weights[rows]
  map <- fit$spectrum$map
  y <- rows_at(response_less_offset(fit), rows)
  if (fit$intercept) y <- y - each_row(fit$spectrum$y_mean, y)
  # Column i of z is row i of U.
  training <- fit_training(fit, map / each_row(sqrt(weights), map), y, weights)
  units <- list(groups = groups[rows], own = integer(), plan = function(units) {
    fold_plan(units, integer(), "keep", weights)
  })
  sums <- unit_sums(training, lambda, units, type == "jackknife")
  new_covariance(fit, lambda, type, sums, groups)
}

# ---- functionals ---------------------------------------------------------------------

# The covariance of linear functionals of the coefficients of the expansion (terms x functionals),
# each with `constant` (of all, or each) times the intercept.
functional_covariance <- function(fit, found, functionals, constant) {
  solved <- coordinates(fit)
  constant <- rep_len(constant, ncol(functionals))
  # They are moved'(b, offset).
  moved <- rbind(solved$map %*% functionals - outer(drop(solved$z_mean), constant), constant)
  values <- apply(found$covariance, 3, function(covariance) {
    crossprod(moved, matrix(covariance, nrow(moved)) %*% moved)
  })
  found$covariance <- array(values, c(ncol(moved), ncol(moved), dim(found$covariance)[3]))
  found
}

# For a covariance the variances' roots, parameters x outputs.
standard_errors <- function(found) {
  variances <- apply(found$covariance, 3, function(covariance) diag(as.matrix(covariance)))
  matrix(sqrt(pmax(variances, 0)), nrow(found$covariance))
}

# ---- what users see of them -----------------------------------------------------------

interval_matrix <- function(estimate, error, df, names, parm, level) {
  must(is_number(level) && level > 0 && level < 1,
       "argument", "The confidence level must be a number between 0 and 1.", shown(level))
  at <- c(1 - level, 1 + level) / 2
  ends <- estimate + outer(error, qt(at, df))
  dimnames(ends) <- list(names, paste(format(100 * at, trim = TRUE, digits = 3), "%"))
  if (missing(parm)) return(ends)
  unknown <- setdiff(parm, if (is.character(parm)) names else seq_along(names))
  must(!length(unknown),
       "argument", "`parm` must be names or numbers of coefficients.", enumerate(unknown))
  rows_at(ends, parm)
}

check_covariances <- function(fit) {
  # Fits with widths have a fit of sparserls() at every penalty.
  must(!is.null(fit$spectrum) || !is.null(fit$fits) || !is.null(fit$family),
       "object", "Only fits of sparserls() and rls() have covariances.", shown(fit),
       if (inherits(fit, "greedyrls")) {
         "Fit rls() to the selected features: the covariance then ignores their choice."
       })
}

# x: rows and terms, or terms (and terms), and outputs, whose dimension goes where there is one.
name_terms <- function(x, names, outputs) {
  names <- c(names, if (!is.null(outputs)) list(outputs))
  shape <- lengths(names[-1])
  if (length(shape) == 0) setNames(as.vector(x), names[[1]])
  # Rows may have no names.
  else array(x, c(length(x) / prod(shape), shape), names)
}

# ---- by outer folds ---------------------------------------------------------------------------
# Standard errors for fits that searched their widths: from the fits without the outer folds, each
# of which has searched again. The delete-a-group jackknife with K folds, (K - 1) / K sum_k (t_k -
# t.)(t_k - t.)', t_k the estimate without fold k, t. their mean, has K - 1 degrees of freedom. It
# includes the variation of the search, and errs on the side of too large.

# What a fit with widths, at one penalty, knows of errors: `fits`, those without the outer folds,
# or NULL, and `why` there are none; with these the `refits` (cv-refits.R) that they are of, and
# `held`, their held-out predictions, rows x outputs.
outer_fits <- function(fits = NULL, why = NULL, carriers = NULL, refits = NULL, held = NULL) {
  structure(list(fits = fits, why = why, carriers = carriers, refits = refits, held = held),
            class = "outer_fits")
}

# point: a position on the path.
kept_outer_fits <- function(cv, point) {
  refits <- cv$refits
  if (is.null(refits)) return(outer_fits(why = if (is.null(cv$fit.preval)) {
    "Cross-validate with keep = TRUE."
  } else "Use outer folds that hold every row once."))
  if (length(refits$models) < 3) return(outer_fits(why = "Use outer = 5, or more folds."))
  kept <- match(point, refits$at)
  if (is.na(kept)) return(outer_fits(why = "Use \"penalty.1se\" or \"penalty.min\"."))
  outer_fits(lapply(refits$models, function(model) model$fits[[kept]]),
             carriers = cv$covariance$carriers, refits = refits,
             held = matrix(refits$scores[, , kept], nrow(refits$scores)))
}

outer_types <- c("jackknife", "gp")

