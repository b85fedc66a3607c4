# Effects on the mean of a family, mu(eta), eta = o + f(x) the linear predictor with its offset o
# (loss.R): the slope of f times mu'(eta), or mu at the one value less mu at the other. Offsets stay
# as they are. Of several classes mu are their probabilities, each against the others, divided by
# their sum.

# What effects are of; NULL where they are of the response itself.
effect_scale <- function(fit, rows) {
  if (is_likelihood(fit$family)) if (is.null(rows$offset)) "link" else "response"
  else if (!is.null(fit$response$levels)) "score"
}

# ---- means and their derivatives -----------------------------------------------------------

# values: of f without a0 at the complete rows, rows x (outputs points).
linear_predictors <- function(values, expansion, rows) {
  values + rows$offset + rep(as.vector(expansion$a0), each = nrow(values))
}

predicted_means <- function(fit, values, expansion, rows) {
  eta <- linear_predictors(values, expansion, rows)
  v <- ncol(fit$response$y)
  matrix(score_means(fit$family, array(eta, c(nrow(eta), v, ncol(eta) / v))), nrow(eta))
}

# The slopes of means where f has these slopes, all rows x (outputs points). With p_k = m_k / sum m,
#   dp_k = (dm_k - p_k sum dm) / sum m.
mean_slopes <- function(fit, eta, slopes) {
  moved <- family_rate(fit$family, eta) * slopes
  v <- ncol(fit$response$y)
  if (v == 1) return(moved)
  mean <- family_mean(fit$family, eta)
  total <- class_sums(mean, v)
  (moved - mean / total * class_sums(moved, v)) / total
}

# Sums over the outputs of every point, in the shape of x.
class_sums <- function(x, v) {
  points <- ncol(x) / v
  sums <- sum_outputs(array(x, c(nrow(x), v, points)))
  sums[, rep(seq_len(points), each = v), drop = FALSE]
}

# What answers the effects at rows: of means, or of f.
effects_of <- function(rows) if (is.null(rows$offset)) effect_values else mean_effects

# The same of every part of the rows: rows of `average` and columns of `functionals` are the effects
# of the first part, then of the next one. shares: of every complete row in averages, a column for
# each part.
part_effects <- function(fit, rows, effects, expansion, shares) {
  parts <- lapply(seq_len(ncol(shares)), function(k) {
    effects_of(rows)(fit, replace(rows, "share", list(shares[, k])), effects, expansion)
  })
  list(values = parts[[1]]$values, average = do.call(rbind, lapply(parts, `[[`, "average")),
       functionals = do.call(cbind, lapply(parts, `[[`, "functionals")),
       gradient = if (!is.null(parts[[1]]$gradient)) function() {
         mean_gradients(lapply(parts, function(part) part$gradient()))
       })
}

# ---- effects -------------------------------------------------------------------------------

# As effect_values(), of expansions at one or several points; with `gradient` in place of
# `functionals` (verbs.R).
mean_effects <- function(fit, rows, effects, expansion) {
  x <- rows$x[rows$complete, , drop = FALSE]
  scores <- function(x) average_scores(fit, expansion, x, rows$share)$values
  values <- array(0, c(nrow(x), length(effects), length(expansion$a0)))
  difference <- vapply(effects, `[[`, NA, "difference")
  if (!all(difference)) {
    slopes <- expansion_slopes(fit, expansion, x, rows$share)$slopes
    eta <- linear_predictors(scores(x), expansion, rows)
  }
  for (i in seq_along(effects)) {
    values[, i, ] <- if (difference[i]) {
      means <- lapply(1:2, function(which) {
        predicted_means(fit, scores(rows_at(fit, rows, effects[[i]], which)), expansion, rows)
      })
      means[[2]] - means[[1]]
    } else {
      mean_slopes(fit, eta, matrix(slopes[, effects[[i]]$column, ], nrow(x)))
    }
  }
  list(values = values, average = colSums(rows$share * values),
       gradient = if (ncol(fit$response$y) == 1) function() {
         effect_gradient(fit, rows, effects, expansion)
       })
}

# ---- derivatives by the coefficients, of single outputs --------------------------------------
# A list of `functionals`, terms x averages, and `constant`, by the intercept.

# Of the mean over the rows as they are in x.
mean_gradient <- function(fit, expansion, x, rows) {
  eta <- linear_predictors(average_scores(fit, expansion, x, rows$share)$values, expansion, rows)
  rate <- rows$share * family_rate(fit$family, as.vector(eta))
  list(functionals = average_scores(fit, expansion, x, rate)$average, constant = sum(rate))
}

# Several as one.
mean_gradients <- function(each) {
  list(functionals = do.call(cbind, lapply(each, `[[`, "functionals")),
       constant = unlist(lapply(each, `[[`, "constant")))
}

# Of averages of slopes mu'(eta) f' that is mu'(eta) dk + mu''(eta) f' k, k and dk the terms and
# their slopes.
effect_gradient <- function(fit, rows, effects, expansion) {
  x <- rows$x[rows$complete, , drop = FALSE]
  difference <- vapply(effects, `[[`, NA, "difference")
  if (!all(difference)) {
    eta <- linear_predictors(average_scores(fit, expansion, x, rows$share)$values, expansion, rows)
    eta <- as.vector(eta)
    found <- expansion_slopes(fit, expansion, x, rows$share * family_rate(fit$family, eta))
  }
  slope <- function(column) {
    bend <- rows$share * family_bend(fit$family, eta) * found$slopes[, column, 1]
    list(functionals = found$average[, column] + average_scores(fit, expansion, x, bend)$average,
         constant = sum(bend))
  }
  each <- lapply(effects, function(effect) {
    if (!effect$difference) return(slope(effect$column))
    ends <- lapply(1:2, function(which) {
      mean_gradient(fit, expansion, rows_at(fit, rows, effect, which), rows)
    })
    Map(`-`, ends[[2]], ends[[1]])
  })
  mean_gradients(each)
}
