# Influence: what the fit would be without each row, or each group, by the refits that a
# cross-validation has kept.

#' Influence of rows and groups
#'
#' Which patients, or which sites, a model rests on: how far its predictions, coefficients and
#' average effects move if a row, or a group of rows, is left out, from the refits of a
#' cross-validation.
#'
#' @param model a result of [cv.sparserls()] or [cv.rls()] with `keep = TRUE` and `nfolds = "loo"`,
#'   or with `groups` and a fold for each group (their default).
#' @param data the rows of the fit: `data` of the fit, needed only if it is no longer there; for
#'   fits of `x` and `y`, `x` or `list(x, y)`.
#' @param s `"lambda.min"`, the default, or `"lambda.1se"`, at which refits are kept.
#' @param x a result of `influence()`.
#' @param digits significant digits.
#' @param ... for `hatvalues()`, `rstudent()` and `cooks.distance()`, arguments of `influence()`;
#'   otherwise unused.
#' @return `influence()`: a list of class `unit_influence`. Units are the rows of positive weight or
#'   the groups.
#'   \item{table}{a data frame: the unit, `row` or `group`, for groups the number of `rows`, and
#'     `leverage`, `residual`, `studentized`, `cooks` and `change`, see below}
#'   \item{coefficients}{for linear kernels, units x coefficients: [coef()] minus that of the refit
#'     without the unit; otherwise `NULL`}
#'   \item{effects}{units x terms, the same for the plug-in averages of [derivatives()], or `NULL`}
#'   \item{average, units, lambda, call}{the effects of the fit; "rows" or "groups"; lambda and
#'     call}
#'
#'   `hatvalues()`, `rstudent()` and `cooks.distance()` are columns of it, named by unit.
#' @section Columns: H is the smoother of the fit, p its trace with the intercept, and s2 = RSS /
#'   (m - p) over m rows.
#'   * `leverage`: for a row the diagonal element h of H, for a group the trace of its block: the
#'     unit's degrees of freedom, which add up to p.
#'   * `residual`: y minus the prediction of the refit without the unit; for groups the mean.
#'   * `studentized`: for a row `e sqrt(w (1 - h)) / sigma`, with the held-out residual e, the
#'     weight w and sigma of the refit without the row; for a group the t statistic of a constant
#'     that only its rows have, by sigma without the group. Rows count as independent.
#'   * `cooks`: `sum_i w_i (f(x_i) - f_-g(x_i))^2 / (p s2)` over all rows, f_-g the refit without
#'     unit g.
#'   * `change`: the prediction for the unit minus that of the refit without it; for groups the
#'     mean.
#'
#'   For rows, a linear kernel and a tiny penalty they equal those of [stats::lm()]. Lambda, kernel
#'   and basis are held fixed, except for basis vectors that leave with their rows.
#' @section Families: With a `family` leverages and studentized residuals are those of weighted
#'   least squares at the fit, as `rstandard(type = "pearson")` of a `glm()`; `cooks`, `change` and
#'   effects concern linear predictors; `residual` is `y` minus the held-out mean. s2 is 1, or
#'   estimated for `Gamma()` and quasi-likelihoods.
#' @section Errors: `sparserls_error_keep`, `sparserls_error_folds` and `sparserls_error_lambda`
#'   without refits of single units, `sparserls_error_newdata` for missing or other `data`,
#'   `sparserls_error_object` for other methods, several outputs and `reselect = TRUE`.
#' @references MacKinnon, J. G., Nielsen, M. O. and Webb, M. D. (2023) Leverage, influence, and the
#' jackknife in clustered regression models. *The Stata Journal* 23, 942-982.
#' @seealso [plot(cv, "influence")][plot.sparserls_cv()], [vcov()][vcov.sparserls_fit].
#' @examples
#' cv <- cv.rls(lpsa ~ . - train, data = prostate, nfolds = "loo", keep = TRUE)
#' influence(cv)
#'
#' # groups: which chick moves the fit most?
#' chicks <- cv.rls(weight ~ Time + Diet, data = ChickWeight, groups = Chick, keep = TRUE)
#' plot(chicks, "influence")
#' @importFrom stats influence hatvalues rstudent cooks.distance
#' @export
influence.sparserls_cv <- function(model, data = NULL, s = default_s(model), ...) {
  check_dots(...)
  asked <- asked_effects(model, given_x(data), s)
  check_influence(model, asked)
  rows <- tryCatch(own_rows(model, asked), sparserls_error_newdata = function(e) {
    if (!is.null(data)) stop(e)
    # plot(cv, "influence") has no argument for them.
    abort("newdata", e$problem, e$given,
          "Give the rows of the fit: influence(cv, data = ), and plot() what it returns.")
  })
  new_influence(model, asked, rows)
}

# The method that answers a column of the table, with the names of the units.
influence_column <- function(name) function(model, ...) {
  table <- influence(model, ...)$table
  setNames(table[[name]], table[[1]])
}

#' @rdname influence.sparserls_cv
#' @export
hatvalues.sparserls_cv <- influence_column("leverage")

#' @rdname influence.sparserls_cv
#' @export
rstudent.sparserls_cv <- influence_column("studentized")

#' @rdname influence.sparserls_cv
#' @export
cooks.distance.sparserls_cv <- influence_column("cooks")

check_influence <- function(cv, asked) {
  fit <- asked$fit
  refuse_chunks(fit, "influence()")
  outputs <- output_count(fit)
  must(inherits(asked$known, "sparserls_cv") && !is.null(coordinates(fit)) && outputs == 1 &&
         !isTRUE(cv$reselect), "object",
       "Influence is for cv.sparserls(), without `reselect`, and cv.rls(), with one output.",
       sprintf("%s, %s", class(cv)[1], counted(outputs, "output")))
  reason <- why_no_units(cv, fit, asked$lambda)
  if (!is.null(reason)) {
    stop_without(reason, "is no influence", sub(", or use .*", ".", reason$remedy))
  }
}

# A list of the rows of positive weight, `used`, and `unit`, the number of each one's unit, 1 to G,
# in the order of folds; and for every unit its `names`, `rows`, and the number of its `refit`.
left_units <- function(cv) {
  refits <- cv$refits
  names <- if (is.null(refits$groups)) cv$fit$rownames else refits$group_names[refits$groups]
  names <- names %||% as.character(seq_along(refits$fold))
  used <- which(cv$fit$weights > 0)
  refit <- sort(unique(refits$fold[used]))
  unit <- match(refits$fold[used], refit)
  list(used = used, unit = unit, names = names[used][match(seq_along(refit), unit)],
       rows = tabulate(unit), refit = refit)
}

# ---- the numbers -------------------------------------------------------------------------

new_influence <- function(cv, asked, rows) {
  fit <- asked$fit
  units <- left_units(cv)
  k <- columns_at(training_terms(fit, rows$x), units$used)
  whole <- expansion_at(fit, asked$lambda)
  point <- match_points(asked$lambda, cv$refits$at)
  without <- refit_expansion(cv$refits, point, units$refit)
  functionals <- effect_functionals(fit, rows, whole)
  effects <- function(of) crossprod(functionals, matrix(of$alpha, nrow(functionals)))
  values <- list(coefficients = function(of) coefficient_values(fit, of), effects = effects)
  known <- c(has_slopes(fit$kernel), !is.null(functionals))
  moves <- lapply(values[known], function(value) {
    moved <- t(value(whole)[, 1] - value(without))
    rownames(moved) <- units$names
    moved
  })
  structure(c(
    list(call = asked$call, table = influence_table(cv, asked, units, k, whole, without)), moves,
    list(average = if (known[2]) effects(whole)[, 1],
         units = units_by(cv$refits$groups), lambda = asked$lambda)
  ), class = "unit_influence")
}

# k: terms x rows of positive weight; without: the expansion of the refits without each unit.
influence_table <- function(cv, asked, units, k, whole, without) {
  fit <- asked$fit
  unit <- units$unit
  m <- length(unit)
  of <- function(alpha, a0) crossprod(k, matrix(alpha, nrow(k))) + rep(a0, each = m)
  f <- of(whole$alpha, whole$a0)[, 1]
  squares <- working_squares(fit, units$used, f)
  point <- match_points(asked$lambda, cv$refits$at)
  held <- less_offset(cv$refits$scores[, 1, point], fit$offset)[units$used]
  sums <- function(x) drop(rowsum(x, unit))
  mean_of <- function(x) sums(fit$weights[units$used] * x) / sums(fit$weights[units$used])
  weights <- squares$weights
  b <- smoother_root(fit, asked$lambda, k, weights)
  # d'(I - H_gg) (d x) of every unit, d the roots of weights.
  own <- rowsum(b * sqrt(weights), unit)
  left <- function(x) sums(weights * x) - rowSums(own * rowsum(b * sqrt(weights) * x, unit))
  leverage <- sums(rowSums(b^2))
  p <- sum(leverage)
  moved <- rest <- numeric(length(units$rows))
  for (some in row_blocks(length(moved), m)) {
    found <- of(without$alpha[, , some], without$a0[, some])
    moved[some] <- colSums(weights * (f - found)^2)
    rest[some] <- colSums(weights * (squares$y - found)^2 * outer(unit, some, "!="))
  }
  noise <- function(sum, rows) {
    if (squares$known) 1 else sum / ifelse(rows - p > 1e-6, rows - p, NaN)
  }
  columns <- known(
    unit = units$names, rows = if (!is.null(cv$refits$groups)) units$rows, leverage = leverage,
    residual = mean_of(squares$residual(held)),
    studentized = left(squares$y - held) / sqrt(noise(rest, m - units$rows) * left(rep(1, m))),
    cooks = moved / (p * noise(sum(weights * (squares$y - f)^2), m)), change = mean_of(f - held)
  )
  names(columns)[1] <- if (is.null(columns$rows)) "row" else "group"
  data.frame(columns, row.names = NULL)
}

# What least squares (with a family its last step) are of, at scores f of the rows `used` without
# their offset: `y` and `weights`, and whether the size of the noise is `known`; and `residual`, a
# function of such scores, y less the mean.
working_squares <- function(fit, used, f) {
  y <- fit$response$y[used]
  offset <- if (is.null(fit$offset)) 0 else fit$offset$values[used]
  family <- fit$family
  likelihood <- is_likelihood(family)
  residual <- function(f) y - if (likelihood) family_mean(family, f + offset) else f + offset
  rate <- if (likelihood) family_rate(family, f + offset) else 1
  variance <- if (likelihood) family_variance(family, f + offset) else 1
  list(y = f + residual(f) / rate, weights = fit$weights[used] * rate^2 / variance,
       known = likelihood && loss_trait(family, "unit") && !family$quasi, residual = residual)
}

# B, rows x q, of which the smoother of roots of weights times y is BB'. (On the full kernel map has
# the eigenvectors, times roots of weights.)
smoother_root <- function(fit, lambda, k, weights) {
  if (is_full(fit)) {
    spectrum <- fit$spectrum
    u <- t(spectrum$map * sqrt(spectrum$values / (spectrum$values + lambda))) / sqrt(weights)
    return(cbind(u, if (fit$intercept) sqrt(prop.table(weights))))
  }
  solved <- coordinates(fit)
  design <- rbind(solved$map %*% k - drop(solved$z_mean), if (fit$intercept) 1)
  penalty <- rep(c(lambda, 0), c(nrow(solved$map), fit$intercept))
  squares <- tcrossprod(design * each_row(weights, design), design) + diag(penalty)
  sqrt(weights) * t(backsolve(chol(squares), design, transpose = TRUE))
}

# What coefficients of the expansion are in the average effects on f, terms x effects; NULL where
# the kernel has no derivatives.
effect_functionals <- function(fit, rows, expansion) {
  effects <- effect_terms(fit, rows$frame)
  found <- tryCatch(effect_values(fit, rows, effects, expansion)$functionals,
                    sparserls_error_kernel = function(e) NULL)
  if (!is.null(found)) colnames(found) <- vapply(effects, `[[`, "", "term")
  found
}

# ---- print -------------------------------------------------------------------------------

#' @rdname influence.sparserls_cv
#' @export
print.unit_influence <- function(x, digits = print_digits(), ...) {
  print_head(x$call, sprintf("Influence of %d %s, each left out in turn, lambda %s",
                             nrow(x$table), x$units, format(x$lambda, digits = 4)))
  cat("Largest Cook's distances:\n")
  print(head(x$table[order(-x$table$cooks), ], 5), digits = digits, row.names = FALSE)
  if (is.null(x$effects)) return(invisible(x))
  largest <- apply(abs(x$effects), 2, which.max)
  cat("\nAverage effects, and their largest change (the fit minus that without the unit):\n")
  print(data.frame(estimate = x$average, change = x$effects[cbind(largest, seq_along(largest))],
                   without = x$table[[1]][largest]), digits = digits)
  invisible(x)
}
