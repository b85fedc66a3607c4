# What the effects of a fit are: derivatives by the columns of x; for columns of zeros and ones, and
# for variables with levels, first differences. Their values at rows, their averages, and what these
# are of the coefficients.

# ---- terms -----------------------------------------------------------------------------

# The effects in the order of the columns: a list of list(term, column) for derivatives,
# list(term, column, variable, level) with `column` or `variable` NULL for differences.
effect_terms <- function(fit, frame) {
  names <- slope_names(fit)
  coded <- coded_variables(fit$blueprint, frame)
  effects <- list()
  seen <- character()
  for (j in seq_along(names)) {
    if (length(coded[[j]]) == 0) {
      effects <- c(effects, list(list(term = names[j], column = j,
                                      difference = j %in% fit$dummies)))
    }
    for (variable in setdiff(coded[[j]], seen)) {
      effects <- c(effects, level_effects(fit$blueprint, frame, variable))
    }
    seen <- c(seen, coded[[j]])
  }
  effects
}

# Every level but the first.
level_effects <- function(blueprint, frame, variable) {
  levels <- if (is.logical(frame[[variable]])) c(FALSE, TRUE) else blueprint$xlevels[[variable]]
  lapply(levels[-1], function(level) {
    list(term = paste0(variable, level), variable = variable, first = levels[[1]], level = level,
         difference = TRUE)
  })
}

# For every column the variables with levels that it codes; none where a number, an ordered factor's
# rank too, is a part of it.
coded_variables <- function(blueprint, frame) {
  if (is.null(frame)) return(vector("list", blueprint$p))
  form <- blueprint$terms
  none <- with_ranks(frame[0, , drop = FALSE], blueprint$ranked, blueprint$xlevels)
  term <- attr(model_columns(form, none, blueprint$contrasts), "assign")
  # Names of the rows of factors have backticks.
  used <- attr(form, "factors") > 0
  variables <- term_variables(form)
  leveled <- vapply(none[variables], is_leveled, NA)
  lapply(term, function(t) if (all(leveled[used[, t]])) variables[used[, t]])
}

# The complete rows with an effect's column or variable at a value: 1 the first, 2 the other; or as
# they have been `moved` (effect-average.R).
rows_at <- function(fit, rows, effect, which) {
  if (!is.null(effect$moved)) {
    return(effect$moved[[which]][rows$index[rows$complete], , drop = FALSE])
  }
  if (!is.null(effect$column)) {
    x <- rows$x[rows$complete, , drop = FALSE]
    x[, effect$column] <- which - 1
    return(x)
  }
  value <- list(effect$first, effect$level)[[which]]
  frame <- rows$frame[rows$complete, , drop = FALSE]
  values <- rep(value, nrow(frame))
  levels <- fit$blueprint$xlevels[[effect$variable]]
  frame[[effect$variable]] <- if (is.logical(value)) values else factor(values, levels)
  terms_matrix(fit$blueprint, frame)
}

# ---- values ----------------------------------------------------------------------------

# values: rows x terms x outputs, of the complete rows; average: terms x outputs; functionals:
# coefficients x terms, what every coefficient adds to the averages, NULL where that is not known.
effect_values <- function(fit, rows, effects, expansion) {
  x <- rows$x[rows$complete, , drop = FALSE]
  values <- array(0, c(nrow(x), length(effects), ncol(fit$response$y)))
  averages <- vector("list", length(effects))
  difference <- vapply(effects, `[[`, NA, "difference")
  if (!all(difference)) slopes <- expansion_slopes(fit, expansion, x, rows$share)
  for (i in seq_along(effects)) {
    if (difference[i]) {
      change <- first_difference(fit, expansion, rows_at(fit, rows, effects[[i]], 1),
                                 rows_at(fit, rows, effects[[i]], 2), rows$share)
      values[, i, ] <- change$values
      averages[i] <- list(change$average)
    } else {
      column <- effects[[i]]$column
      values[, i, ] <- slopes$slopes[, column, ]
      averages[i] <- list(slopes$average[, column])
    }
  }
  list(values = values, average = colSums(rows$share * values),
       functionals = do.call(cbind, averages))
}

# The values of features as they are drawn, rows x terms.
effect_features <- function(rows, effects, terms) {
  x <- vapply(effects, function(effect) {
    if (is.null(effect$variable)) as.double(rows$x[, effect$column])
    else as.double(as.character(rows$frame[[effect$variable]]) == as.character(effect$level))
  }, numeric(nrow(rows$x)))
  matrix(x, nrow(rows$x), length(terms), dimnames = list(rows$names, terms))
}

# ---- verbs of a fit (verbs.R) ----------------------------------------------------------

first_difference.sparserls_fit <- function(object, expansion, low, high, share) {
  check_expansion(object, "derivatives")
  term_averages(expansion, share, function(rows) {
    term_values(object, high[rows, , drop = FALSE]) - term_values(object, low[rows, , drop = FALSE])
  })
}

average_scores.sparserls_fit <- function(object, expansion, x, share) {
  check_expansion(object, "average effects")
  term_averages(expansion, share, function(rows) term_values(object, x[rows, , drop = FALSE]))
}

# terms: a function of some rows, terms x rows.
term_averages <- function(expansion, share, terms) {
  alpha <- matrix(expansion$alpha, nrow(expansion$alpha))
  values <- matrix(0, length(share), ncol(alpha))
  average <- numeric(nrow(alpha))
  for (rows in row_blocks(length(share), nrow(alpha))) {
    part <- terms(rows)
    values[rows, ] <- crossprod(part, alpha)
    average <- average + drop(part %*% share[rows])
  }
  list(values = values, average = average)
}
