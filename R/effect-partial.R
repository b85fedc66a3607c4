#' Partial effects
#'
#' A regression table in which each term is adjusted for the other features by curves instead of
#' lines: for every term (a number, a logical, a factor with all its levels) the coefficient of a
#' partially linear model, with standard errors over rows or groups.
#'
#' The other features Z predict both the response y and the term D, on held-out rows; the effect is
#' the slope of the response's residuals on the term's (Robinson, 1988). Like a regression
#' coefficient, it weights slopes by how much the term varies given the other features;
#' [derivatives()] average over all rows. It does not extrapolate: a term that the others determine
#' has no residuals left (NA in the table). Interactions in the formula are left out of Z with their
#' terms and get no row. Estimates depend on the seed of folds and basis: compare several.
#'
#' @param object a result of [cv.sparserls()], [cv.rls()] or [cv.ardrls()] with `keep = TRUE` and
#'   folds that hold out each row once. With a `family` use [average_effect()] or, for a glm's
#'   coefficients, [derivatives()].
#' @param terms names of terms; `NULL`: all main effects of the formula, or all columns of `x`.
#' @param data the data frame of the fit, needed only without a formula. For fits of `x` and `y`:
#'   `list(x, y)` or `x`.
#' @param by subgroups, as in [average_effect()].
#' @param progress whether to show a text bar.
#' @param ... unused.
#' @return A list of classes `partial_effects` and `derivatives`, with the fields of [derivatives()]
#'   about averages (`average` has the estimates; `vcov` is joint over all terms), and
#'   \item{explained}{the share of the term's variance, on held-out rows, that the other features
#'     (for a factor level, its other levels too) explain}
#'   \item{linear}{for numbers with more than two values, p-values of a joint test that D^2, D^3
#'     and D times the centred E(y | Z) do not improve held-out predictions. If small, one number is
#'     not enough: see [effect_curve()]. If the truth is linear, p < 0.05 in 6 % (standard error 2)
#'     of 200 draws with slopes that differ by group, and in 15 % (standard error 3) with
#'     uninformative features and noise that grows with D}
#'   \item{residuals}{of the `response`, rows x columns x outputs, and of the `term`'s columns}
#'
#'   Methods are those of [derivatives()]; `plot()` scales numeric terms to one standard deviation,
#'   two-valued ones to their difference. An effect has no p-value if it rests on fewer than 4.5
#'   rows or groups (`carriers`, `(sum R^2)^2 / sum R^4`), or if the other features explain more
#'   than 99 % of the term.
#' @section How it is computed: `theta = (R'WR)^-1 R'Wr`. R and r are centred residuals of the
#'   term's columns (a factor's indicators) and of y, from held-out kernel regressions on the other
#'   features. These have the rows, basis rows, folds and kernel of `object`, without the term's
#'   columns; lambda and `gamma` (a quarter, once or four times that of `object`) minimize the
#'   held-out error. Widths or linear combinations of features that [cv.ardrls()] found are
#'   used only to predict y; one common width predicts the term. The covariance is a sandwich of
#'   scores jackknifed over G rows or groups; t has G - 1 degrees of freedom.
#' @section Errors: As in [derivatives()]; `sparserls_error_kernel` for precomputed and custom
#'   kernels, `sparserls_error_basis` for a basis of given points.
#' @references
#' Robinson, P. M. (1988) Root-n-consistent semiparametric regression. *Econometrica* 56, 931-954.
#' @examples
#' set.seed(1)
#' cv <- cv.sparserls(lpsa ~ . - train, data = prostate, basis = 30, keep = TRUE)
#' partial_effects(cv, c("lcavol", "svi"))
#' @importFrom stats pf
#' @export
partial_effects <- function(object, ...) UseMethod("partial_effects")

#' @rdname partial_effects
#' @export
partial_effects.sparserls_cv <- function(object, terms = NULL, data = NULL, by = NULL,
                                         progress = interactive(), ...) {
  check_dots(...)
  asked <- asked_effects(object, given_x(data), default_s(object))
  refuse_partial(asked$fit, !is.null(object$ngroups))
  rows <- named_data(effect_rows(asked))
  nuisance <- new_nuisance(object, asked, rows)
  all <- partial_terms(asked$fit, rows)
  wanted <- match(terms %||% names(all), names(all))
  must(length(wanted) > 0 && !anyNA(wanted), "argument", "`terms` must name terms of the model.",
       shown(terms), quoted(names(all), 10))
  parts <- read_subgroups(by, rows, nuisance$used)
  new_partial(asked, rows, nuisance, partial_residuals(nuisance, all[wanted], progress), parts)
}

# A fit alone has no refits.
#' @rdname partial_effects
#' @export
partial_effects.sparserls_fit <- function(object, ...) {
  refuse_partial(object, FALSE)
  stop_without(cross_fits(object, object, NULL), "are no partial effects")
}

# grouped: whether the cross-validation holds out groups.
refuse_partial <- function(fit, grouped) {
  refuse_chunks(fit, "partial_effects()")
  must(!has_family(fit), "family", "Partial effects are for least squares.", NULL,
       paste("derivatives() of", glm_twin(grouped), "has a glm's coefficients,",
             if (grouped) "with standard errors by groups;" else "with robust standard errors;",
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
  calls <- setNames(variable_calls(form), term_variables(form))
  raw <- lapply(columns$variables, function(used) unlist(lapply(calls[used], all.vars)))
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
    return(list(d = as.matrix(columns_at(rows$x, own)), first = FALSE,
                names = slope_names(fit)[own]))
  }
  variable <- columns$variables[[own[1]]]
  effects <- level_effects(fit$blueprint, rows$frame, variable)
  levels <- c(effects[[1]]$first, vapply(effects, function(effect) as.character(effect$level), ""))
  list(d = outer(as.character(rows$frame[[variable]]), as.character(levels), "==") + 0,
       first = TRUE, names = vapply(effects, `[[`, "", "term"))
}

# ---- slopes of what is left ------------------------------------------------------------

# For one term in some rows: `estimate`, q x outputs; `moves`, a list with units x q for each
# output: by how much every unit moves the estimates; `explained` and `carriers` of each column.
# r: rows x outputs; left: rows x q, what others leave of the columns d; unit: of each row, or NULL:
# rows. With A = [1, R] and M = (A'WA)^-1 unit g moves them by M s_g,
# s_g = A_g'W (I - H_gg)^-1 u_g = (I - A_g'W A_g M)^-1 A_g'W u_g. Columns that others determine are
# left out: their effects are NA.
partial_slopes <- function(r, left, weights, unit, d = left) {
  share <- prop.table(weights)
  varied <- colSums(share * (d - each_row(colSums(share * d), d))^2)
  left[, !varying_columns(d)] <- 0
  size <- sqrt(colSums(share * left^2))
  size[size == 0] <- 1
  a <- sqrt(share) * cbind(1, left / each_row(size, left))
  ranked <- qr(a, tol = 1e-7)
  kept <- sort(ranked$pivot[seq_len(ranked$rank)])
  own <- match(seq_len(ncol(left)) + 1L, kept)
  a <- columns_at(a, kept)
  inverse <- chol2inv(chol(crossprod(a)))
  y <- sqrt(share) * r
  theta <- inverse %*% crossprod(a, y)
  moves <- slope_moves(a, y - a %*% theta, inverse, unit)
  list(estimate = rows_at(theta, own) / size,
       moves = lapply(moves, function(move) columns_at(move, own) /
                        each_row(size, move)),
       explained = 1 - size^2 / diag(inverse)[own] / varied,
       carriers = effective_count(columns_at(a %*% inverse, own)^2, unit))
}

# u: rows x outputs. A list of units x columns, one for each output.
slope_moves <- function(a, u, inverse, unit) {
  if (is.null(unit)) {
    kept <- 1 - rowSums((a %*% inverse) * a)
    return(lapply(seq_len(ncol(u)), function(k) (a %*% inverse) * (u[, k] / kept)))
  }
  parts <- split(seq_along(unit), unit)
  units <- length(parts)
  found <- vapply(parts, function(i) {
    a <- rows_at(a, i)
    kept <- diag(ncol(a)) - crossprod(a) %*% inverse
    tryCatch(inverse %*% solve(kept, crossprod(a, rows_at(u, i))),
             error = function(e) matrix(NA_real_, ncol(a), ncol(u)))
  }, matrix(0, ncol(a), ncol(u)))
  found <- array(found, c(ncol(a), ncol(u), units)) * sqrt((units - 1) / units)
  lapply(seq_len(ncol(u)), function(k) t(matrix(found[, k, ], ncol(a))))
}

# The p-value, for each output, of what `more` (rows x 3: D^2, D^3 and D times the response that
# others predict, less what others say of them) adds to the slope; units - 1 degrees of freedom.
added_curves <- function(r, left, more, weights, unit) {
  found <- partial_slopes(r, cbind(left, more), weights, unit)
  at <- which(!is.na(found$estimate[, 1]))
  at <- at[at > ncol(left)]
  vapply(seq_len(ncol(r)), function(k) {
    moves <- columns_at(found$moves[[k]], at)
    theta <- found$estimate[at, k]
    f <- tryCatch(sum(theta * solve(crossprod(moves), theta)) / length(at),
                  error = function(e) NA_real_)
    pf(f, length(at), nrow(moves) - 1, lower.tail = FALSE)
  }, 0)
}

# ---- the result ------------------------------------------------------------------------

# residuals: of partial_residuals(), of every term what is left of y and of its columns; parts: of
# read_subgroups().
new_partial <- function(asked, rows, nuisance, residuals, parts) {
  groups <- nuisance$groups
  unit <- groups %||% seq_along(nuisance$weights)
  found <- lapply(seq_len(ncol(parts$within)), function(part) {
    i <- which(parts$within[, part])
    of <- function(x) rows_at(x, i)
    lapply(residuals, function(term) {
      slopes <- partial_slopes(of(term$r), of(term$left), nuisance$weights[i], groups[i],
                               of(term$d))
      slopes$linear <- if (is.null(term$more)) rep(NA_real_, length(slopes$estimate))
                       else added_curves(of(term$r), of(term$left), of(term$more),
                                         nuisance$weights[i], groups[i])
      slopes$units <- sort(unique(unit[i]))
      slopes
    })
  })
  found <- do.call(c, found)
  each <- function(name) joined(found, name)
  moves <- lapply(seq_len(ncol(nuisance$y)), function(k) {
    do.call(cbind, lapply(found, function(slopes) {
      whole <- matrix(0, max(unit), ncol(slopes$moves[[k]]))
      whole[slopes$units, ] <- slopes$moves[[k]]
      whole
    }))
  })
  joint <- crossprod(do.call(cbind, moves))
  count <- length(unique(unit[nuisance$used]))
  # t of the smallest subgroup that has a p-value.
  told <- vapply(found, function(slopes) {
    any(slopes$explained < 0.99 & !too_few(slopes$carriers, count), na.rm = TRUE)
  }, NA)
  sizes <- lengths(lapply(found, `[[`, "units"))
  partial_object(asked, rows, residuals, parts$names, list(
    average = joined(found, "estimate", rbind), joint = joint,
    covariance = by_outputs(joint, length(moves)),
    df = max(1, min(if (any(told)) sizes[told] else sizes) - 1), units = units_by(groups),
    count = count, explained = each("explained"),
    carriers = each("carriers"), linear = each("linear")
  ))
}

# parts: names; found: of all rows of the table.
partial_object <- function(asked, rows, residuals, parts, found) {
  outputs <- several_outputs(asked$fit)
  form <- asked$fit$blueprint$terms
  v <- max(1, length(outputs))
  each <- function(name) lapply(residuals, `[[`, name)
  own <- unlist(each("names"), use.names = FALSE)
  terms <- in_parts(own, parts)
  # The term of every row of the table.
  term <- rep_len(rep(seq_along(residuals), lengths(each("names"))), length(terms))
  column <- term[seq_along(own)]
  bound <- function(name) `colnames<-`(do.call(cbind, each(name)), own)
  named <- function(values) name_terms(values, list(terms), outputs)
  response <- array(unlist(each("r")[column]), c(nrow(rows$x), v, length(own)))
  structure(c(effect_fields(asked, rows, with_errors(found, "partial"), terms), list(
    average = named(found$average), carriers = setNames(found$carriers, terms),
    explained = setNames(found$explained, terms), linear = named(found$linear),
    difference = setNames(unlist(each("first"))[term], terms), variable = term, x = bound("d"),
    residuals = list(response = aperm(response, c(1, 3, 2)), term = bound("left")),
    joint = if (v > 1) found$joint, straight = has_slopes(asked$fit$kernel),
    interactions = attr(form, "term.labels")[attr(form, "order") > 1],
    representer = list(unknown = !(found$explained < 0.99) %in% TRUE)
  )), class = c("partial_effects", "derivatives"))
}
