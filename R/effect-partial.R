#' Partial effects
#'
#' The table that a regression gives, adjusted for all other features by curves instead of lines:
#' for every term (a number, a logical, a factor with all its levels) the coefficient of a partially
#' linear model, with standard errors over rows or groups.
#'
#' What the other features say about the response and about the term is taken out of both, by exact
#' refits without every fold; the effect is the slope of what is left on what is left (Robinson,
#' 1988). Where the response is linear in the term it is the coefficient that [stats::lm()] would
#' have with the right curves of the others. Elsewhere it is the average of slopes, weighted by how
#' much the term still varies given the others (Vansteelandt and Dukes, 2022); for two groups the
#' overlap-weighted difference (Li, Morgan and Zaslavsky, 2018). It never extrapolates: a term that
#' the others determine has nothing left, and its row says so.
#'
#' @param object a result of [cv.sparserls()], [cv.rls()] or [cv.ardrls()] with `keep = TRUE`, whose
#'   folds divide the rows. With a `family`: use `derivatives(object, scale = "link")`, the table of
#'   a glm, or [average_effect()].
#' @param terms names of terms; `NULL`: all main effects of the formula, or all columns of `x`.
#' @param data the rows of the fit: a data frame for a fit by a formula, which may leave it out
#'   where its data are still there; `list(x, y)` or `x` for fits of `x` and `y`.
#' @param by a factor that divides the rows: its name in the data, or a value for each row of the
#'   fit. The effects are then those within each of its levels, with a joint covariance:
#'   [effect_contrasts()] has their differences.
#' @param progress whether a text bar shows how far the terms are.
#' @param ... unused.
#' @return A list of classes `partial_effects` and `derivatives`, with the fields of [derivatives()]
#'   that are about averages: `average` (the estimates), `std.error`, `vcov` (joint over all terms),
#'   `df`, `carriers`, `units` and `count`; and
#'   \item{explained}{of each row of the table the share of the term's variance that the other
#'     features explain on held-out rows; for one of several levels they and the other levels}
#'   \item{linear}{p-values: whether one number is the whole story, see below; NA for terms of two
#'     values and for factors}
#'   \item{residuals}{what others leave of the `response`, rows x columns of the terms x outputs,
#'     and of the columns of the terms, `term`}
#'
#'   `summary()` has t, p and the test; `tidy()`, `confint()`, `vcov()`, `plot()` and
#'   [effect_contrasts()] are those of [derivatives()].
#' @section How it is computed: For a term with columns D (the indicators of a factor's levels),
#'   \deqn{r = y - E(y | Z), \quad R = D - E(D | Z), \quad
#'     \hat\theta = (R'WR)^{-1} R'Wr,}{r = y - E(y | Z), R = D - E(D | Z), theta = (R'WR)^-1 R'Wr,}
#'   Z the other features and W the weights, and a constant alongside R. Both expectations are
#'   kernel regressions on the rows, basis rows, folds and weights of `object`, with its kernel
#'   without the term's columns at a quarter, once and four times its `gamma`, held out. `y` has the
#'   width and lambda with its smallest held-out error, the columns of D one of each, by the sum of
#'   their errors over all levels: [stats::relevel()] changes nothing but which differences are
#'   shown. The kernel's widths by feature, or its map, serve y alone; D has a common width.
#'   The covariance is the sandwich `(R'WR)^-1 sum_g s_g s_g' (R'WR)^-1` of jackknifed scores
#'   `s_g = R_g'W (I - H_gg)^-1 u_g` over rows or, times (G - 1) / G, groups, with quantiles of t
#'   with G - 1 degrees of freedom.
#' @section Is one number the whole story: `linear` is the p-value of a joint test of what D^2, D^3
#'   and D E(y | Z) add on held-out rows. Where it is small the effect changes with the value of the
#'   term or of the others: look at [effect_curve()].
#' @section When there is no p-value: Where fewer than 4.5 rows or groups carry an effect
#'   (`carriers`, the effective number `(sum R^2)^2 / sum R^4`), or where the other features explain
#'   more than 99 % of it.
#' @section Errors: `sparserls_error_family` with a `family`, `sparserls_error_keep` and
#'   `sparserls_error_folds` where there are no refits of every row, `sparserls_error_newdata` where
#'   the rows are not those of the fit, `sparserls_error_kernel` for precomputed and custom kernels,
#'   `sparserls_error_basis` for a basis of given points, `sparserls_error_argument` for unknown
#'   `terms` and for `by`.
#' @references
#' Robinson, P. M. (1988) Root-n-consistent semiparametric regression. *Econometrica* 56, 931-954.
#'
#' Vansteelandt, S. and Dukes, O. (2022) Assumption-lean inference for generalised linear model
#' parameters. *Journal of the Royal Statistical Society B* 84, 657-685.
#'
#' Li, F., Morgan, K. L. and Zaslavsky, A. M. (2018) Balancing covariates via propensity score
#' weighting. *Journal of the American Statistical Association* 113, 390-400.
#' @seealso [derivatives()] and [average_effect()] for averages over all rows, [effect_curve()] for
#'   the whole curve.
#' @examples
#' set.seed(1)
#' cv <- cv.sparserls(lpsa ~ . - train, data = prostate, basis = 30, keep = TRUE)
#' partial_effects(cv, c("lcavol", "svi"))
#' @export
partial_effects <- function(object, ...) {
  UseMethod("partial_effects")
}

#' @rdname partial_effects
#' @export
partial_effects.sparserls_cv <- function(object, terms = NULL, data = NULL, by = NULL,
                                         progress = interactive(), ...) {
  check_dots(..., known = names(formals()))
  asked <- asked_rows(object, data, default_s(object))
  refuse_partial(asked$fit)
  rows <- fit_weighted(named_data(effect_rows(asked)), asked)
  nuisance <- new_nuisance(object, asked, rows)
  all <- partial_terms(asked$fit, rows)
  wanted <- if (is.null(terms)) seq_along(all) else match(terms, names(all))
  must(length(wanted) > 0 && !anyNA(wanted), "argument", "`terms` must name terms of the model.",
       shown(terms), enumerate(dQuote(names(all), FALSE), 10))
  parts <- partial_parts(by, asked, data, rows, nuisance$used)
  new_partial(asked, rows, nuisance, partial_residuals(nuisance, all[wanted], progress), parts)
}

# A fit alone has no refits.
#' @rdname partial_effects
#' @export
partial_effects.sparserls_fit <- function(object, ...) {
  refuse_partial(object)
  stop_without(cross_fits(object, object, NULL), "are no partial effects")
}

refuse_partial <- function(fit) {
  must(!is_likelihood(fit$family), "family", "Partial effects are for least squares.", NULL,
       paste("derivatives(cv, scale = \"link\") is the table that summary() of a glm has;",
             "average_effect() moves what you like: function(d) transform(d, x = \"level\")."))
  must(!is.null(coordinates(fit)), "object",
       sprintf("Fits of %s() have no partial effects.", class(fit)[1]))
  must(!is_foreign(fit$kernel), "kernel",
       "A precomputed or custom kernel does not say what it is without a term.")
}

# ---- terms -----------------------------------------------------------------------------

# The main effects, a list by their names. Each is a list of
#   columns  those of x that leave with it: all that have one of its variables in them
#   d        its own columns, rows x q: numbers as x has them, or the indicators of all levels
#   first    whether the first of these is a reference, and has no effect of its own
#   names    of its effects
partial_terms <- function(fit, rows) {
  names <- slope_names(fit)
  if (is.null(rows$frame)) return(setNames(lapply(seq_along(names), function(j) {
    list(columns = j, d = cbind(as.double(rows$x[, j])), first = FALSE, names = names[j])
  }), names))
  form <- fit$blueprint$terms
  columns <- column_variables(fit$blueprint, rows$frame)
  raw <- lapply(columns$variables, function(used) all.vars(str2expression(used)))
  main <- which(attr(form, "order") == 1)
  labels <- attr(form, "term.labels")[main]
  setNames(Map(function(term, label) {
    with <- which(vapply(raw, function(used) any(all.vars(str2lang(label)) %in% used), NA))
    c(list(columns = with), own_columns(fit, rows, which(columns$term == term), columns))
  }, main, labels), labels)
}

# own: the term's columns of x.
own_columns <- function(fit, rows, own, columns) {
  if (!columns$leveled[own[1]]) {
    return(list(d = as.matrix(rows$x[, own, drop = FALSE]), first = FALSE,
                names = slope_names(fit)[own]))
  }
  variable <- columns$variables[[own[1]]]
  effects <- level_effects(fit$blueprint, rows$frame, variable)
  levels <- c(effects[[1]]$first, vapply(effects, function(effect) as.character(effect$level), ""))
  list(d = outer(as.character(rows$frame[[variable]]), as.character(levels), "==") + 0,
       first = TRUE, names = vapply(effects, `[[`, "", "term"))
}

# Parts of the rows that have effects of their own: `within`, logical, rows x parts, of the rows
# that are used; and their `names`, NULL where all rows are one part.
partial_parts <- function(by, asked, data, rows, used) {
  if (is.null(by)) return(list(within = cbind(used)))
  part <- rows_by(by, asked$fit, data, rows)
  must(!anyNA(part[used]), "argument", "`by` has missing values.")
  levels <- levels(droplevels(part[used]))
  list(within = used & outer(as.character(part), levels, "=="), names = levels)
}

# The part that each of the rows is in. by: a value for each, or its name in the data.
rows_by <- function(by, fit, data, rows, name = "by") {
  if (is.null(data) && length(by) != nrow(rows$x)) data <- fit_data(fit)
  if (is.null(data)) data <- if (is.null(rows$frame)) rows$x else rows$frame
  subgroup_of(by, data, name)
}

# ---- slopes of what is left ------------------------------------------------------------

# Of one term in some rows: `estimate`, q x outputs; `moves`, a list with units x q for each
# output: by how much every unit moves the estimates; `explained` and `carriers` of each column.
# r: rows x outputs; left: rows x q, what others leave of the columns d; unit: of each row, or NULL:
# rows. With A = [1, R] and M = (A'WA)^-1 unit g moves them by M s_g,
# s_g = A_g'W (I - H_gg)^-1 u_g = (I - A_g'W A_g M)^-1 A_g'W u_g. Columns that others determine are
# left out: their effects are NA.
partial_slopes <- function(r, left, d, weights, unit) {
  share <- weights / sum(weights)
  varied <- colSums(share * (d - rep(colSums(share * d), each = nrow(d)))^2)
  left[, !varying_columns(d)] <- 0
  size <- sqrt(colSums(share * left^2))
  size[size == 0] <- 1
  a <- sqrt(share) * cbind(1, left / rep(size, each = nrow(left)))
  ranked <- qr(a, tol = 1e-7)
  kept <- sort(ranked$pivot[seq_len(ranked$rank)])
  own <- match(seq_len(ncol(left)) + 1L, kept)
  a <- a[, kept, drop = FALSE]
  inverse <- chol2inv(chol(crossprod(a)))
  y <- sqrt(share) * r
  theta <- inverse %*% crossprod(a, y)
  moves <- slope_moves(a, y - a %*% theta, inverse, unit)
  list(estimate = theta[own, , drop = FALSE] / size,
       moves = lapply(moves, function(move) move[, own, drop = FALSE] /
                        rep(size, each = nrow(move))),
       explained = 1 - size^2 / diag(inverse)[own] / varied,
       carriers = effective_count((a %*% inverse)[, own, drop = FALSE]^2, unit))
}

# u: rows x outputs. A list of units x columns, one for each output.
slope_moves <- function(a, u, inverse, unit) {
  outputs <- seq_len(ncol(u))
  if (is.null(unit)) {
    kept <- 1 - rowSums((a %*% inverse) * a)
    return(lapply(outputs, function(k) (a %*% inverse) * (u[, k] / kept)))
  }
  parts <- split(seq_along(unit), unit)
  units <- length(parts)
  found <- vapply(parts, function(i) {
    a <- a[i, , drop = FALSE]
    kept <- diag(ncol(a)) - crossprod(a) %*% inverse
    tryCatch(inverse %*% solve(kept, crossprod(a, u[i, , drop = FALSE])),
             error = function(e) matrix(NA_real_, ncol(a), ncol(u)))
  }, matrix(0, ncol(a), ncol(u)))
  found <- array(found, c(ncol(a), ncol(u), units)) * sqrt((units - 1) / units)
  lapply(outputs, function(k) t(matrix(found[, k, ], ncol(a))))
}

# The p-value, for each output, of what `more` (rows x 3: D^2, D^3 and D times the response that
# others predict, less what others say of them) adds to the slope; units - 1 degrees of freedom.
added_curves <- function(r, left, more, weights, unit) {
  found <- partial_slopes(r, cbind(left, more), cbind(left, more), weights, unit)
  at <- which(!is.na(found$estimate[, 1]))
  at <- at[at > ncol(left)]
  vapply(seq_len(ncol(r)), function(k) {
    moves <- found$moves[[k]][, at, drop = FALSE]
    theta <- found$estimate[at, k]
    f <- tryCatch(sum(theta * solve(crossprod(moves), theta)) / length(at),
                  error = function(e) NA_real_)
    stats::pf(f, length(at), nrow(moves) - 1, lower.tail = FALSE)
  }, 0)
}

# ---- the result ------------------------------------------------------------------------

# residuals: of partial_residuals(), of every term what is left of y and of its columns.
new_partial <- function(asked, rows, nuisance, residuals, parts) {
  weights <- nuisance$weights
  all <- if (is.null(nuisance$groups)) seq_along(weights) else nuisance$groups
  known <- sort(unique(all[nuisance$used]))
  found <- lapply(seq_len(ncol(parts$within)), function(part) {
    i <- which(parts$within[, part])
    lapply(residuals, function(term) {
      of <- function(x) x[i, , drop = FALSE]
      slopes <- partial_slopes(of(term$r), of(term$left), of(term$d), weights[i],
                               nuisance$groups[i])
      slopes$linear <- if (is.null(term$more)) rep(NA_real_, ncol(term$left) * ncol(term$r))
                       else added_curves(of(term$r), of(term$left), of(term$more), weights[i],
                                         nuisance$groups[i])
      slopes$units <- match(sort(unique(all[i])), known)
      slopes
    })
  })
  found <- do.call(c, found)
  each <- function(name) unlist(lapply(found, `[[`, name))
  moves <- lapply(seq_len(ncol(nuisance$y)), function(k) {
    do.call(cbind, lapply(found, function(slopes) {
      whole <- matrix(0, length(known), ncol(slopes$moves[[k]]))
      whole[slopes$units, ] <- slopes$moves[[k]]
      whole
    }))
  })
  partial_object(asked, rows, residuals, parts$names, list(
    average = do.call(rbind, lapply(found, `[[`, "estimate")),
    joint = crossprod(do.call(cbind, moves)), df = min(lengths(lapply(found, `[[`, "units"))) - 1,
    units = units_by(nuisance$groups), count = length(known),
    explained = each("explained"), carriers = each("carriers"), linear = each("linear")
  ))
}

# parts: names; found: of all rows of the table.
partial_object <- function(asked, rows, residuals, parts, found) {
  outputs <- several_outputs(asked$fit)
  v <- max(1, length(outputs))
  each <- function(name) lapply(residuals, `[[`, name)
  columns <- lengths(each("names"))
  own <- unlist(each("names"), use.names = FALSE)
  terms <- in_parts(own, parts)
  d <- do.call(cbind, each("d"))
  left <- do.call(cbind, each("left"))
  colnames(d) <- colnames(left) <- own
  found$covariance <- by_outputs(found$joint, v)
  named <- function(values) name_terms(values, list(terms), outputs)
  first <- rep(vapply(residuals, `[[`, NA, "first"), columns)
  response <- array(unlist(rep(each("r"), columns)), c(nrow(d), v, ncol(d)))
  structure(c(effect_fields(asked, rows, with_errors(found, "partial"), terms), list(
    average = named(found$average), carriers = setNames(found$carriers, terms),
    explained = setNames(found$explained, terms), linear = named(found$linear),
    difference = setNames(rep_len(first, length(terms)), terms),
     variable = rep_len(rep(seq_along(residuals), columns), length(terms)), x = d,
    residuals = list(response = aperm(response, c(1, 3, 2)), term = left),
    joint = if (v > 1) found$joint,
    representer = list(unknown = !(found$explained < 0.99) %in% TRUE)
  )), class = c("partial_effects", "derivatives"))
}
