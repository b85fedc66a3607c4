# Influence: what the fit would be without each row, or each group, by the refits that a
# cross-validation has kept.

#' Influence of rows and groups
#'
#' Which patients, or which sites, a model rests on: how far its predictions, coefficients and
#' average effects move when a row, or a group of rows, is left out. The refits without them are
#' those of the cross-validation, exact, so this costs little more than predictions.
#'
#' @param model a result of [cv.sparserls()] or [cv.rls()] with `keep = TRUE` and a fold for each
#'   row (`nfolds = "loo"`), or with `groups` and a fold for each group (their default).
#' @param data the rows of the fit: a data frame for a fit by a formula, which may leave it out
#'   where its data are still there; `list(x, y)` or `x` for fits of `x` and `y`.
#' @param s `"lambda.min"`, the default, or `"lambda.1se"`, at which refits are kept.
#' @param x a result of `influence()`.
#' @param digits significant digits.
#' @param ... of `hatvalues()`, `rstudent()` and `cooks.distance()` arguments of `influence()`;
#'   otherwise unused.
#' @return `influence()`: a list of class `unit_influence`. Units are the rows of positive weight or
#'   the groups.
#'   \item{table}{a data frame with a row for each unit: `row` or `group`, its name, of groups how
#'     many `rows` they have, and `leverage`, `residual`, `studentized`, `cooks` and `change`, see
#'     below}
#'   \item{coefficients}{of linear kernels, units x coefficients: [coef()] less that of the refit
#'     without the unit, as `coefficients` of [stats::lm.influence()]; else `NULL`}
#'   \item{effects}{units x terms, the same of average effects, those of the fit itself over all
#'     rows that [derivatives()] calls `plugin`; `NULL` for kernels without derivatives}
#'   \item{average}{these effects of the fit itself}
#'   \item{units, lambda, call}{"rows" or "groups"; lambda, and the call of `model`}
#'
#'   `print()` shows the five units with the largest Cook's distance, and what moves effects most.
#'   `hatvalues()`, `rstudent()` and `cooks.distance()`: columns of the table, vectors with the
#'   names of the units.
#' @section What the columns are: With H the smoother of the fit, which makes fitted values of y
#'   (`H_gg` its block for unit g), the intercept included, `p` its trace, and s2 = RSS / (m - p)
#'   over m rows,
#'   * `leverage`: the trace of `H_gg`, for a row its diagonal element h: the degrees of freedom
#'     that the unit takes. All leverages add up to p; those far above p / G, of G units, are high
#'     (MacKinnon, Nielsen and Webb, 2023). A larger group has more of it.
#'   * `residual`: y less the prediction of the refit without the unit, of groups the mean.
#'   * `studentized`: for a row that residual e over its estimated standard deviation,
#'     `e sqrt(w (1 - h)) / sigma`, w the weight and sigma^2 the residual sum of squares of the
#'     refit without the row, over the rows that it has, by `m - 1 - p`. For a group the t statistic
#'     of a constant that only its rows have: with d the roots of its weights,
#'     `d'(I - H_gg) (d e) / (sigma sqrt(d'(I - H_gg) d))`, sigma^2 by `m - m_g - p`. It takes rows
#'     as independent: where groups differ by more than their rows do, more of them than one in
#'     twenty are beyond 2.
#'   * `cooks`: `sum_i w_i (f(x_i) - f_-g(x_i))^2 / (p s2)` over all rows.
#'   * `change`: what the fit predicts for the unit less what the refit without it predicts, of
#'     groups the mean.
#'
#'   With a linear kernel and hardly a penalty those of rows are [stats::hatvalues()],
#'   [stats::rstudent()] and [stats::cooks.distance()] of [stats::lm()]. Lambda, the kernel and the
#'   basis are held fixed, except for basis vectors that leave with their rows (`holdout_basis =
#'   "remove"`); H is the one of the fit, with all of them.
#' @section Families: With a `family` the columns are those of weighted least squares at the fit to
#'   all rows (Pregibon, 1981), with the linear predictor eta: the weights are
#'   `w mu'(eta)^2 / V(mu)`, V the variance, the working response is `eta + (y - mu) / mu'(eta)`.
#'   Leverages without a penalty are thus those of [stats::glm()]. `cooks` and `change` are about
#'   linear predictors, by exact refits, where [stats::glm()] takes one step; `residual` is `y` less
#'   the held-out mean; s2 and sigma^2 are 1; with `Gamma()` and quasi-likelihoods they are
#'   estimated. Effects are those on the linear predictor.
#' @section Errors: `sparserls_error_keep` and `sparserls_error_folds` where there are no refits
#'   without single rows or groups, `sparserls_error_lambda` where they were not kept,
#'   `sparserls_error_newdata` where `data` are not the rows of the fit, `sparserls_error_object`
#'   for other methods, several outputs, more than two classes, and `reselect = TRUE`.
#' @references
#' Belsley, D. A., Kuh, E. and Welsch, R. E. (1980) *Regression Diagnostics*. Wiley.
#'
#' Cook, R. D. (1977) Detection of influential observation in linear regression. *Technometrics* 19,
#' 15-18.
#'
#' MacKinnon, J. G., Nielsen, M. O. and Webb, M. D. (2023) Leverage, influence, and the jackknife in
#' clustered regression models: reliable inference using summclust. *The Stata Journal* 23, 942-982.
#'
#' Pregibon, D. (1981) Logistic regression diagnostics. *The Annals of Statistics* 9, 705-724.
#' @seealso [plot(cv, "influence")][plot.sparserls_cv()], which names the three largest;
#'   [vcov()][vcov.sparserls_fit], the jackknife by the same refits.
#' @examples
#' cv <- cv.rls(lpsa ~ . - train, data = prostate, nfolds = "loo", keep = TRUE)
#' influence(cv)
#' head(sort(cooks.distance(cv), decreasing = TRUE), 3)
#'
#' # Of groups: which chick moves the fit most?
#' chicks <- cv.rls(weight ~ Time + Diet, data = ChickWeight, groups = Chick, keep = TRUE)
#' influence(chicks)
#' plot(chicks, "influence")
#' @importFrom stats influence hatvalues rstudent cooks.distance
#' @export
influence.sparserls_cv <- function(model, data = NULL, s = default_s(model), ...) {
  check_dots(..., known = names(formals()))
  asked <- asked_rows(model, data, s)
  check_influence(model, asked)
  new_influence(model, asked, own_rows(model, asked))
}

#' @rdname influence.sparserls_cv
#' @export
hatvalues.sparserls_cv <- function(model, ...) influence_column(model, "leverage", ...)

#' @rdname influence.sparserls_cv
#' @export
rstudent.sparserls_cv <- function(model, ...) influence_column(model, "studentized", ...)

#' @rdname influence.sparserls_cv
#' @export
cooks.distance.sparserls_cv <- function(model, ...) influence_column(model, "cooks", ...)

influence_column <- function(model, name, ...) {
  table <- influence(model, ...)$table
  setNames(table[[name]], table[[1]])
}

check_influence <- function(cv, asked) {
  fit <- asked$fit
  outputs <- ncol(fit$response$y)
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
  if (is.null(names)) names <- as.character(seq_along(refits$fold))
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
  k <- training_terms(fit, rows$x)[, units$used, drop = FALSE]
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
  columns <- list(
    unit = units$names, rows = if (!is.null(cv$refits$groups)) units$rows, leverage = leverage,
    residual = mean_of(squares$residual(held)),
    studentized = left(squares$y - held) / sqrt(noise(rest, m - units$rows) * left(rep(1, m))),
    cooks = moved / (p * noise(sum(weights * (squares$y - f)^2), m)), change = mean_of(f - held)
  )
  names(columns)[1] <- if (is.null(columns$rows)) "row" else "group"
  data.frame(Filter(length, columns), row.names = NULL)
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
    return(cbind(u, if (fit$intercept) sqrt(weights / sum(weights))))
  }
  solved <- coordinates(fit)
  design <- rbind(solved$map %*% k - drop(solved$z_mean), if (fit$intercept) 1)
  penalty <- rep(c(lambda, 0), c(nrow(solved$map), fit$intercept))
  squares <- tcrossprod(design * rep(weights, each = nrow(design)), design) + diag(penalty)
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
print.unit_influence <- function(x, digits = max(3, getOption("digits") - 3), ...) {
  print_head(x$call, c(sprintf("Influence of %d %s, each left out in turn, lambda %s",
                               nrow(x$table), x$units, format(x$lambda, digits = 4)),
                       "", "Largest Cook's distances:"))
  print(head(x$table[order(-x$table$cooks), ], 5), digits = digits, row.names = FALSE)
  if (is.null(x$effects)) return(invisible(x))
  largest <- apply(abs(x$effects), 2, which.max)
  cat("\nAverage effects, and their largest change (the fit less that without the unit):\n")
  print(data.frame(estimate = x$average, change = x$effects[cbind(largest, seq_along(largest))],
                   without = x$table[[1]][largest]), digits = digits)
  invisible(x)
}
