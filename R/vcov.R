#' Covariance of coefficients, and confidence intervals
#'
#' The covariance matrix of the coefficients of a fit, in the units of [coef()][coef.sparserls_fit],
#' and their confidence intervals.
#'
#' x, lambda, the kernel and the basis are held fixed: these errors exclude their choice on the same
#' data and the bias of the penalty.
#'
#' @param object a fit of [sparserls()], [rls()] or [ardrls()], a result of their `cv.` functions,
#'   or of [derivatives()].
#' @param s a single value of lambda, see [predict.sparserls_fit()]; `NULL` for fits with one. For
#'   [ardrls()] and [cv.ardrls()] a penalty.
#' @param type `"jackknife"`: `(G - 1) / G sum_g (a_g - a)(a_g - a)'`, a_g the coefficients of the
#'   exact refit without unit g, a row or, with `groups`, a group (CV3 of MacKinnon, Nielsen and
#'   Webb, 2023); G - 1 degrees of freedom of t. `"sandwich"`: robust against unequal variances and
#'   correlation within groups, times `m / (m - df - 1)` for m rows,
#'   `G / (G - 1) (m - 1) / (m - df - 1)` for groups. `"gp"`: by the Gaussian-process view,
#'   `s2 = RSS / (m - df - 1)`, rows independent with one variance.
#' @param parm names or numbers of coefficients (for derivatives, of terms), all by default.
#' @param level of the confidence intervals.
#' @param ... unused.
#' @return A matrix, coefficients x coefficients; for several outputs an array, with a matrix for
#'   each. `confint()`: a matrix with a row for each coefficient (and output).
#' @section What it takes: `"gp"` exists for every fit by least squares. The others need a
#'   cross-validation with `keep = TRUE`, at `lambda.min` or `lambda.1se`, or a fit of [rls()] with
#'   the full kernel. [ardrls()] and [cv.ardrls()] have only `"gp"`, with basis and widths taken as
#'   known, which is too small.
#' @section Families: `"jackknife"` needs a cross-validation with `keep = TRUE` whose folds are
#'   single rows (`nfolds = "loo"`) or single groups; for other folds the default is `"sandwich"`,
#'   `H^-1 (sum_g s_g s_g') H^-1` times the factors above, with H the Hessian of half the objective,
#'   penalty included, and s_g the scores of rows or groups: kept by `keep = TRUE`, computed again
#'   for fits by a formula.
#' @section Fits with a basis: Coefficients of an expansion belong to basis vectors; if these are
#'   held out with their rows, there is no covariance. `confint()` of a cross-validation by a
#'   formula, without `s` and `type`, then returns the intervals of [partial_effects()], which need
#'   `keep = TRUE`; with a `family` it is an error: use [cv.rls()].
#' @section Rows in chunks: Only `"gp"` exists, and is the default.
#' @section Errors: `sparserls_error_keep` where refits were not kept, `sparserls_error_kernel`
#'   where basis vectors are removed.
#' @references
#' MacKinnon, J. G., Nielsen, M. O. and Webb, M. D. (2023) Cluster-robust inference: a guide to
#' empirical practice. *Journal of Econometrics* 232, 272-299.
#' @examples
#' cv <- cv.rls(lpsa ~ . - train, data = prostate, keep = TRUE, nfolds = "loo")
#' confint(cv)
#' sqrt(diag(vcov(cv, type = "gp")))
#' @importFrom stats confint
#' @export
vcov.sparserls_fit <- function(object, s = NULL, type = c("jackknife", "gp", "sandwich"), ...) {
  check_dots(...)
  check_covariances(final_fit(object))
  part <- single_fit(object, s)
  named_vcov(part$fit, part_vcov(part, type))
}

#' @rdname vcov.sparserls_fit
#' @export
vcov.sparserls_cv <- at_default_s(vcov.sparserls_fit)

# part: of single_fit(); type: as users give it.
part_vcov <- function(part, type) {
  choices <- covariance_choices(part)
  type <- if (!identical(type, covariance_types)) check_choice(type, choices, "type")
          else if (has_family(part$fit)) likelihood_type(part)
          else if (is.null(part$fit$chunks)) choices[1] else "gp"
  coefficient_vcov(part$known, part$fit, part$lambda, type)
}

#' @rdname vcov.sparserls_fit
#' @export
vcov.derivatives <- function(object, ...) {
  check_dots(...)
  object$vcov
}

#' @rdname effect_curve
#' @usage NULL
#' @export
vcov.effect_curve <- vcov.derivatives

#' @rdname derivatives
#' @export
coef.derivatives <- function(object, ...) {
  check_dots(...)
  object$average
}

#' @rdname vcov.sparserls_fit
#' @export
confint.sparserls_fit <- function(object, parm, level = 0.95, s = NULL,
                                  type = c("jackknife", "gp", "sandwich"), ...) {
  check_dots(...)
  check_covariances(final_fit(object))
  part <- single_fit(object, s)
  fit <- part$fit
  found <- tryCatch(part_vcov(part, type), sparserls_error_kernel = identity)
  if (!inherits(found, "error")) {
    names <- with_outputs(coefficient_names(fit), several_outputs(fit))
    return(interval_matrix(as.vector(coef(fit, s = part$lambda)),
                           as.vector(standard_errors(found)), found$df, names, parm, level))
  }
  crossed <- inherits(object, "sparserls_cv")
  must(!crossed || !has_family(fit), "kernel", found$problem, found$given,
       sprintf("confint() of %s has robust intervals of a glm's slopes.",
               glm_twin(!is.null(object$ngroups))))
  if (!crossed || !missing(s) || !missing(type) || is.null(object$fit$terms)) stop(found)
  confint(partial_effects(object), parm, level)
}

#' @rdname vcov.sparserls_fit
#' @export
confint.sparserls_cv <- at_default_s(confint.sparserls_fit)

#' @rdname vcov.sparserls_fit
#' @export
confint.derivatives <- function(object, parm, level = 0.95, ...) {
  check_dots(...)
  effects <- tidy_derivatives(object)
  interval_matrix(effects$estimate, replace(effects$std.error, is.na(effects$p.value), NA),
                  object$df, average_names(object), parm, level)
}

#' @rdname vcov.sparserls_fit
#' @export
confint.effect_curve <- function(object, parm, level = 0.95, ...) {
  check_dots(...)
  error <- replace(as.vector(object$std.error), object$few, NA)
  interval_matrix(as.vector(object$estimate), error, object$df,
                  with_outputs(as.character(object$values), colnames(object$estimate)), parm, level)
}

# The covariance of coefficients as coef() has them, a list as coefficient_covariance() has it.
coefficient_vcov <- function(object, fit, lambda, type) {
  # The fits without the outer folds have bases and widths of their own, and so have their
  # expansions, whatever the kernel.
  must(!inherits(object, "outer_fits") || type == "gp",
       "kernel", "Coefficients of fits with widths are those of an expansion: refits have another.",
       format(fit$kernel),
       paste("vcov(derivatives()) has the covariance of average effects, of a linear kernel that",
             "of its slopes; type = \"gp\" takes basis and widths as known."))
  removed <- isTRUE(object$reselect) || identical(object$holdout_basis, "remove")
  # For the full kernel every row that leaves takes its basis vector along.
  must(has_slopes(fit$kernel) || !(type == "jackknife" && removed) && !is_full(fit),
       "kernel", "Coefficients of an expansion have no covariance where basis vectors are removed.",
       format(fit$kernel),
       if (is_full(fit)) "See derivatives() for effects."
       else "See derivatives() for effects; holdout_basis = \"keep\" holds the basis fixed.")
  average_covariance(object, fit, lambda, type, linear_coefficients(fit))
}

# What coef() shows as functionals of the expansion and its intercept.
linear_coefficients <- function(fit) {
  terms <- expansion_terms(fit)
  unit <- list(alpha = cbind(diag(terms), 0), a0 = c(numeric(terms), 1))
  moves <- if (has_slopes(fit$kernel)) slopes(fit, unit) else rbind(unit$a0, unit$alpha)
  list(functionals = t(columns_at(moves, seq_len(terms))), constant = moves[, terms + 1],
       value = coefficient_values)
}

# In the user's units, with the names of coefficients (and outputs).
named_vcov <- function(fit, found) {
  names <- coefficient_names(fit)
  name_terms(found$covariance, list(names, names), several_outputs(fit))
}

