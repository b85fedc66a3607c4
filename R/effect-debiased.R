# Debiased average effects: of cross-fitted predictions f_-i and representers alpha_-i
# (effect-crossfit.R), with s_i the weights of the average, w_i those of the fit and r_i = y_i -
# f_-i(x_i),
#   theta = (sum_i s_i m(x_i; f_-i) + sum_i w_i alpha_-i(x_i) r_i) / sum_i s_i,
# whose error is a product of the errors of f and alpha. Row i has the influence
#   (s_i (m(x_i; f_-i) - theta) + w_i alpha_-i(x_i) r_i) / sum s,
# and the variance is G / (G - 1) times the sum over rows (or groups) of their squares, with
# quantiles of t with G - 1 degrees of freedom. For a column of zeros and ones this is augmented
# inverse propensity weighting, alpha in place of inverse propensities.

# shares: rows x parts, for each part of the rows (a subgroup, or all of them) the weights of its
# average, which add up to one. Columns of what is answered are the effects of the first part, then
# of the next one:
#   average, correction  columns x outputs; covariance and what goes with it, as of
#                        average_covariance()
#   carriers             how many rows or groups carry each (effect-carriers.R): their representer's
#                        squares say so
#   representer          a list of
#     weights            alpha_-i(x_i), rows x columns; share: of every row, w / sum w
#     size               of each column the effective sample size,
#                        (sum |w alpha|)^2 / sum (w alpha)^2
#     lambda, at, loss   lambda_a of each column; the grid; the held-out loss, grid x columns
#     unknown            of each column whether the data cannot tell it: it is aliased, or no
#                        representer has a held-out loss below that of zero
debiased_averages <- function(cross, fit, rows, effects, shares) {
  held <- held_out_effects(cross, fit, rows, effects, shares)
  own <- prop.table(fit$weights)
  used <- which(own > 0 | rowSums(shares) > 0)
  groups <- cross$groups[used]
  columns <- ncol(held$alpha)
  # For the rows that are used, for every column.
  share <- shares[used, rep(seq_len(ncol(shares)), each = length(effects)), drop = FALSE]
  values <- held$values[used, rep_len(seq_along(effects), columns), , drop = FALSE]
  weights <- rows_at(own * held$alpha, used)
  residual <- rows_at(response_less_offset(fit) - cross$held, used)
  influence <- lapply(seq_len(ncol(residual)), function(output) {
    correction <- weights * residual[, output]
    total <- share * values[, , output] + correction
    average <- colSums(total)
    list(average = average, correction = colSums(correction),
         rows = total - share * each_row(average, share))
  })
  each <- function(name) matrix(joined(influence, name), columns)
  moves <- column_moves(fit, rows, effects, shares)
  untold <- aliased(fit, rows$x, moves) | undifferentiable(fit, rows, effects, held$loss)
  # The scale of weights goes first: their squares may be too small for numbers.
  size <- abs(weights)
  size <- size / each_row(pmax(apply(size, 2, max), .Machine$double.xmin), size)
  representer <- list(lambda = held$lambda, at = held$at, loss = held$loss,
                      unknown = held$unknown | untold, weights = held$alpha, share = own,
                      size = colSums(size)^2 / colSums(size^2))
  if (!is.null(effects[[1]]$moved)) representer$target <- moves
  c(list(average = each("average"), correction = each("correction"),
         carriers = effective_count(weights^2, groups), representer = representer),
    influence_covariance(lapply(influence, `[[`, "rows"), groups))
}

# influence: of every output, rows x columns; groups: numbers, or NULL: rows. joint: the covariance
# of all columns of all outputs, where there are several.
influence_covariance <- function(influence, groups) {
  if (!is.null(groups)) influence <- lapply(influence, rowsum, groups)
  count <- nrow(influence[[1]])
  outputs <- length(influence)
  joint <- crossprod(do.call(cbind, influence)) * count / (count - 1)
  list(covariance = by_outputs(joint, outputs), joint = if (outputs > 1) joint, df = count - 1,
       units = units_by(groups), count = count)
}

# values: m(x_i; f_-i), rows x effects x outputs; alpha: alpha_-i(x_i), rows x columns; lambda,
# at, loss, unknown: of the representers. Rows that no fold holds have values NA and alpha zero, as
# their weight and share are.
held_out_effects <- function(cross, fit, rows, effects, shares) {
  found <- function(which, k) {
    part <- cross$parts(k)
    effect_values(part$fit, certain_rows(rows, which), effects, part$expansion,
                  rows_at(shares, which))
  }
  values <- array(NA_real_, c(nrow(rows$x), length(effects), output_count(fit)))
  # Moments, terms x columns; they are made again where they are asked for: those of all folds would
  # be many numbers.
  all <- 0
  for (k in seq_along(cross$folds)) {
    held <- found(cross$folds[[k]], k)
    values[cross$folds[[k]], , ] <- held$values
    if (!is.null(cross$basis)) all <- all + held$functionals
  }
  moments <- list(
    all = all, fold = function(k) found(cross$folds[[k]], k)$functionals,
    others = function(k) found(unlist(cross$folds[-k]), k)$functionals
  )
  c(list(values = values),
    held_out_representers(cross, fit, rows$x, moments, length(effects) * ncol(shares)))
}

# The same of all columns but `values`. Values at the whole grid would be a large block where
# columns are many: some columns at a time, each with decompositions of its own. count: of columns.
held_out_representers <- function(cross, fit, x, moments, count) {
  # Half decades from the largest eigenvalue of the design down.
  lambda <- max(fit$spectrum$values) * 10^seq(0, -8, by = -0.5)
  # All columns where they have 2^26 values at most.
  most <- floor(2^26 / (nrow(x) * length(lambda)))
  parts <- lapply(split_by(seq_len(count), most), function(columns) {
    column_representers(cross, fit, x, lambda, moments, columns)
  })
  list(alpha = joined(parts, "alpha", cbind), lambda = joined(parts, "lambda"), at = lambda,
       loss = joined(parts, "loss", cbind), unknown = joined(parts, "unknown"))
}

# lambda_a is chosen by the held-out loss sum_i w_i alpha_-i(x_i)^2 - 2 sum_i s_i m(x_i; alpha_-i),
# grid x columns.
column_representers <- function(cross, fit, x, lambda, moments, columns) {
  solve <- representer_solver(cross, fit, x, lambda, moments, columns)
  alpha <- array(0, c(nrow(x), length(columns), length(lambda)))
  loss <- 0
  own <- prop.table(fit$weights)
  for (folds in row_blocks(length(cross$folds), nrow(fit$spectrum$map) * length(columns))) {
    solved <- solve(folds)
    for (i in seq_along(folds)) {
      held <- cross$folds[[folds[i]]]
      alpha[held, , ] <- solved[[i]]$alpha
      loss <- loss + colSums(own[held] * solved[[i]]$alpha^2) - 2 * solved[[i]]$moment
    }
  }
  choose_representers(alpha, t(loss), lambda, if (is.null(cross$groups)) 1L else 2L)
}

# For every column alpha (rows x columns) at lambda_a, which is some steps of the grid below the
# minimizer of the loss: there alpha is shrunk, and standard errors would be too small. One where
# rows are independent, two for groups, by simulation (bench/effects-penalty.txt).
choose_representers <- function(alpha, loss, lambda, steps) {
  used <- pmin(apply(loss, 2, which.min) + steps, length(lambda))
  chosen <- vapply(seq_along(used), function(j) alpha[, j, used[j]], numeric(nrow(alpha)))
  list(alpha = matrix(chosen, nrow(alpha)), lambda = lambda[used], loss = loss,
       unknown = apply(loss, 2, min) >= 0)
}

# ---- what the data cannot tell ---------------------------------------------------------
# Effects that the data cannot tell from those of other features, like the aliased coefficients of
# lm(). Where features depend on each other linearly, x1 = x2 say, a derivative by x1 at a fixed x2
# asks for rows of which there are none; a representer is found all the same, for it is asked for
# functions of the data's rows. So the question is put to the columns that the kernel sees: an
# effect moves them by t on average (of a derivative a unit vector), and is aliased where t is not
# in the row space of the centred columns. (What features determine in other ways, as x1^2 does, is
# not found.)

# For every column of debiased_averages() whether it is aliased. moves: of column_moves().
aliased <- function(fit, x, moves) {
  if (is_precomputed(fit$kernel)) return(logical(ncol(moves)))
  column <- seen_columns(fit, fit$kernel)$column
  x <- columns_at(x, column)
  moments <- column_moments(x, fit$weights)
  moves <- rows_at(moves, column)
  by_constants <- colSums(abs(rows_at(moves, moments$sd == 0))) > 0
  sd <- replace(moments$sd, moments$sd == 0, Inf)
  moves <- moves / sd
  # The row space of the standardized columns: directions in which they vary by less than 1e-5 of
  # the most count as none.
  space <- svd(sqrt(prop.table(fit$weights)) * scale(as.matrix(x), moments$centre, sd), 0)
  told <- crossprod(space$v[, space$d > 1e-5 * space$d[1]], moves)
  by_constants | colSums(told^2) < (1 - 1e-8) * colSums(moves^2)
}

# By how much effects move the columns of x on average, columns x (effects parts).
column_moves <- function(fit, rows, effects, shares) {
  each <- lapply(effects, function(effect) {
    if (!effect$difference) {
      return(matrix(as.double(seq_len(ncol(rows$x)) == effect$column), ncol(rows$x), ncol(shares)))
    }
    ends <- effect_ends(fit, rows, effect)
    as.matrix(Matrix::crossprod(ends[[2]] - ends[[1]], shares))
  })
  unname(by_parts(each, ncol(shares)))
}

# For every column of `loss` (lambda_a x columns) whether it is a derivative between values of which
# there are too few for one: of functions that pass through the same values some are as steep as one
# likes, and what the representer gains grows without end as lambda_a falls, like its inverse, or,
# where values and basis vectors are few, until these are exhausted. Linear functions have
# derivatives all the same.
undifferentiable <- function(fit, rows, effects, loss) {
  if (has_slopes(fit$kernel)) return(logical(ncol(loss)))
  derivative <- !are_differences(effects)
  few <- vapply(effects, function(effect) {
    !effect$difference && length(unique(rows$x[fit$weights > 0, effect$column])) <= 12
  }, NA)
  gains <- function(after, factor) {
    smallest <- function(steps) apply(rows_at(loss, steps), 2, min)
    before <- seq_len(nrow(loss)) <= after
    smallest(!before) < factor * pmin(smallest(before), 0)
  }
  # In the last decade, and in the lower half of the grid.
  (gains(nrow(loss) - 2, 1.1) & derivative) | (gains((nrow(loss) + 1) / 2, 2) & few)
}
