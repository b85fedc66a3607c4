# What the effects of a fit are: derivatives by the columns of x; for columns of zeros and ones, and
# for variables with levels, first differences. Their values at rows, their averages, and what these
# are of the coefficients.
#
# With a family effects are on its mean, mu(eta), eta = o + f(x) the linear predictor with its
# offset o (loss.R): the slope of f times mu'(eta), or mu at the one value less mu at the other.
# Offsets stay as they are. For several classes mu are their probabilities, each against the others,
# divided by their sum.

# ---- terms -----------------------------------------------------------------------------

# The effects in the order of the columns: a list of list(term, column) for derivatives,
# list(term, column, variable, level) with `column` or `variable` NULL for differences.
effect_terms <- function(fit, frame) {
  names <- slope_names(fit)
  # For every column the variables with levels that it codes; none where a number, an ordered
  # factor's rank too, is a part of it.
  coded <- vector("list", length(names))
  if (!is.null(frame)) {
    columns <- column_variables(fit$blueprint, frame)
    coded[columns$leveled] <- columns$variables[columns$leveled]
  }
  each <- lapply(seq_along(names), function(j) {
    if (length(coded[[j]]) == 0) {
      return(list(list(term = names[j], column = j, difference = j %in% fit$dummies)))
    }
    new <- setdiff(coded[[j]], unlist(coded[seq_len(j - 1)]))
    do.call(c, lapply(new, level_effects, blueprint = fit$blueprint, frame = frame))
  })
  do.call(c, each)
}

are_differences <- function(effects) vapply(effects, `[[`, NA, "difference")

# Every level but the first.
level_effects <- function(blueprint, frame, variable) {
  levels <- if (is.logical(frame[[variable]])) c(FALSE, TRUE) else blueprint$xlevels[[variable]]
  lapply(levels[-1], function(level) {
    list(term = paste0(variable, level), variable = variable, first = levels[[1]], level = level,
         difference = TRUE)
  })
}

# For every column the `term` that it belongs to, the `variables` of that, and whether all of them
# have levels, `leveled`.
column_variables <- function(blueprint, frame) {
  form <- blueprint$terms
  none <- with_ranks(rows_at(frame, 0), blueprint$ranked, blueprint$xlevels)
  term <- attr(model_columns(form, none, blueprint$contrasts), "assign")
  # Names of the rows of factors have backticks.
  used <- attr(form, "factors") > 0
  variables <- term_variables(form)
  leveled <- vapply(none[variables], is_leveled, NA)
  list(term = term, variables = lapply(term, function(t) variables[used[, t]]),
       leveled = vapply(term, function(t) all(leveled[used[, t]]), NA))
}

# A list of two: the complete rows with an effect's column or variable at its first value, and at
# the other; or as they have been `moved` (effect-average.R).
effect_ends <- function(fit, rows, effect) {
  if (!is.null(effect$moved)) {
    return(lapply(effect$moved, rows_at, rows$index[rows$complete]))
  }
  if (!is.null(effect$column)) {
    return(lapply(0:1, function(value) {
      rows$x[, effect$column] <- value
      complete_x(rows)
    }))
  }
  frame <- rows_at(rows$frame, rows$complete)
  levels <- fit$blueprint$xlevels[[effect$variable]]
  lapply(unname(effect[c("first", "level")]), function(value) {
    value <- rep(value, nrow(frame))
    frame[[effect$variable]] <- if (is.logical(value)) value else factor(value, levels)
    terms_matrix(fit$blueprint, frame)
  })
}

# ---- values ----------------------------------------------------------------------------

# What effects are of; NULL where they are of the response itself.
effect_scale <- function(fit, rows) {
  if (has_family(fit)) if (is.null(rows$offset)) "link" else "response"
  else if (!is.null(fit$response$levels)) "score"
}

# values: rows x terms x outputs, of the complete rows; average: averages x outputs; functionals:
# coefficients x averages, what every coefficient adds to them, NULL where that is not known.
# shares: rows x parts, of every complete row in the average over a part of them (one where effects
# are derivatives): averages are the effects of the first part, then of the next one. Effects on
# means are of expansions at one or several points, outputs x points, and have `gradient` in place
# of `functionals` (verbs.R).
effect_values <- function(fit, rows, effects, expansion, shares = cbind(rows$share)) {
  means <- !is.null(rows$offset)
  x <- complete_x(rows)
  if (!all(are_differences(effects))) {
    found <- expansion_slopes(fit, expansion, x, shares[, 1])
    if (means) eta <- linear_predictors(fit, expansion, x, rows)
  }
  each <- lapply(effects, function(effect) {
    if (!effect$difference) {
      slopes <- matrix(found$slopes[, effect$column, ], nrow(x))
      return(list(values = if (means) mean_slopes(fit, eta, slopes) else slopes,
                  average = found$average[, effect$column]))
    }
    ends <- effect_ends(fit, rows, effect)
    if (!means) return(average_scores(fit, expansion, ends[[2]], shares, ends[[1]]))
    ends <- lapply(ends, predicted_means, fit = fit, expansion = expansion, rows = rows)
    list(values = ends[[2]] - ends[[1]])
  })
  values <- array(joined(each, "values"), c(nrow(x), length(expansion$a0), length(effects)))
  values <- aperm(values, c(1, 3, 2))
  parts <- seq_len(ncol(shares))
  list(values = values,
       average = do.call(rbind, lapply(parts, function(k) colSums(shares[, k] * values))),
       functionals = if (!means) by_parts(joined(each, "average", list), ncol(shares)),
       gradient = if (means && output_count(fit) == 1) function() {
         effect_gradient(fit, rows, effects, expansion, shares)
       })
}

# Columns of the parts of every effect, of which each is a matrix, as those of the effects of every
# part; NULL where there are none.
by_parts <- function(each, parts) {
  columns_at(do.call(cbind, each), order(rep(seq_len(parts), length(each))))
}

# The values of features as they are drawn, rows x terms.
effect_features <- function(rows, effects, terms) {
  x <- vapply(effects, function(effect) {
    if (is.null(effect$variable)) as.double(rows$x[, effect$column])
    else as.double(as.character(rows$frame[[effect$variable]]) == as.character(effect$level))
  }, numeric(nrow(rows$x)))
  matrix(x, nrow(rows$x), length(terms), dimnames = list(rows$names, terms))
}

# ---- means and their derivatives -------------------------------------------------------

# With offsets, at rows as they are in x, rows x (outputs points).
linear_predictors <- function(fit, expansion, x, rows) {
  average_scores(fit, expansion, x, rows$share)$values + rows$offset +
    each_row(as.vector(expansion$a0), x)
}

predicted_means <- function(fit, expansion, x, rows) {
  mean_matrix(fit$family, linear_predictors(fit, expansion, x, rows), output_count(fit))
}

# The slopes of means where f has these slopes, all rows x (outputs points). With p_k = m_k / sum m,
#   dp_k = (dm_k - p_k sum dm) / sum m.
mean_slopes <- function(fit, eta, slopes) {
  moved <- family_rate(fit$family, eta) * slopes
  v <- output_count(fit)
  if (v == 1) return(moved)
  mean <- family_mean(fit$family, eta)
  total <- class_sums(mean, v)
  (moved - mean / total * class_sums(moved, v)) / total
}

# Sums over the outputs of every point, in the shape of x.
class_sums <- function(x, v) {
  points <- ncol(x) / v
  sums <- sum_outputs(array(x, c(nrow(x), v, points)))
  columns_at(sums, rep(seq_len(points), each = v))
}

# Derivatives by the coefficients, of single outputs: a list of `functionals`, terms x averages, and
# `constant`, by the intercept. For the mean over the rows as they are in x:
mean_gradient <- function(fit, expansion, x, rows, shares = cbind(rows$share)) {
  rate <- shares * family_rate(fit$family, as.vector(linear_predictors(fit, expansion, x, rows)))
  list(functionals = average_scores(fit, expansion, x, rate)$average,
       constant = rbind(colSums(rate)))
}

# For averages of slopes mu'(eta) f' that is mu'(eta) dk + mu''(eta) f' k, k and dk the terms and
# their slopes.
effect_gradient <- function(fit, rows, effects, expansion, shares) {
  x <- complete_x(rows)
  if (!all(are_differences(effects))) {
    eta <- as.vector(linear_predictors(fit, expansion, x, rows))
    found <- expansion_slopes(fit, expansion, x, shares[, 1] * family_rate(fit$family, eta))
  }
  joined_gradients(lapply(effects, function(effect) {
    if (effect$difference) {
      ends <- lapply(effect_ends(fit, rows, effect), function(x) {
        mean_gradient(fit, expansion, x, rows, shares)
      })
      return(Map(`-`, ends[[2]], ends[[1]]))
    }
    bend <- shares[, 1] * family_bend(fit$family, eta) * found$slopes[, effect$column, 1]
    list(functionals = found$average[, effect$column] +
           average_scores(fit, expansion, x, bend)$average,
         constant = sum(bend))
  }), ncol(shares))
}

# Several as one.
joined_gradients <- function(each, parts = 1) {
  of <- function(name) by_parts(lapply(each, `[[`, name), parts)
  list(functionals = of("functionals"), constant = as.vector(of("constant")))
}

# ---- verbs of a fit (verbs.R) ----------------------------------------------------------

average_scores.sparserls_fit <- function(object, expansion, x, share, low = NULL) {
  check_expansion(object, "average effects")
  term_averages(expansion, share, function(rows) {
    of <- function(x) term_values(object, rows_at(x, rows))
    if (is.null(low)) of(x) else of(x) - of(low)
  })
}

# shares: one for each row, or rows x averages; terms: a function of some rows, terms x rows.
term_averages <- function(expansion, shares, terms) {
  shares <- as.matrix(shares)
  alpha <- matrix(expansion$alpha, nrow(expansion$alpha))
  values <- matrix(0, nrow(shares), ncol(alpha))
  average <- 0
  for (rows in row_blocks(nrow(shares), nrow(alpha))) {
    part <- terms(rows)
    values[rows, ] <- crossprod(part, alpha)
    average <- average + part %*% rows_at(shares, rows)
  }
  list(values = values, average = average)
}
