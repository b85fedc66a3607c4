# Effects that the data cannot tell from those of other features, like the aliased coefficients of
# lm(). Where features depend on each other linearly, x1 = x2 say, a derivative by x1 at a fixed x2
# asks for rows of which there are none; a representer is found all the same, for it is asked for
# functions of the data's rows. So the question is put to the columns that the kernel sees: an
# effect moves them by t on average (of a derivative a unit vector), and is aliased where t is not
# in the row space of the centred columns. (What features determine in other ways, as x1^2 does, is
# not found.)

# Of every column of debiased_averages() whether it is aliased.
aliased <- function(fit, rows, effects, shares) {
  if (is_precomputed(fit$kernel)) return(logical(length(effects) * ncol(shares)))
  column <- seen_columns(fit, fit$kernel)$column
  x <- rows$x[, column, drop = FALSE]
  moments <- column_moments(x, fit$weights)
  space <- row_space(x, moments, fit$weights)
  each <- vapply(effects, function(effect) {
    moves <- column_moves(fit, rows, effect, shares)[column, , drop = FALSE]
    by_constants <- colSums(abs(moves[moments$sd == 0, , drop = FALSE])) > 0
    moves <- moves / ifelse(moments$sd > 0, moments$sd, Inf)
    by_constants | colSums(crossprod(space, moves)^2) < (1 - 1e-8) * colSums(moves^2)
  }, logical(ncol(shares)))
  as.vector(t(matrix(each, ncol(shares))))
}

# By how much an effect moves the columns of x on average, columns x parts of the rows.
column_moves <- function(fit, rows, effect, shares) {
  if (!effect$difference) {
    return(outer(as.double(seq_len(ncol(rows$x)) == effect$column), rep(1, ncol(shares))))
  }
  moved <- rows_at(fit, rows, effect, 2) - rows_at(fit, rows, effect, 1)
  as.matrix(Matrix::crossprod(moved, shares))
}

# The same of effects of moved rows, columns x (effects parts).
moved_by <- function(fit, rows, effects, shares) {
  changes <- lapply(effects, function(effect) column_moves(fit, rows, effect, shares))
  order <- order(rep(seq_len(ncol(shares)), length(effects)))
  unname(do.call(cbind, changes)[, order, drop = FALSE])
}

# An orthonormal basis of the row space of the standardized columns, columns x rank; directions in
# which they vary by less than 1e-5 of the most count as none.
row_space <- function(x, moments, weights) {
  scale <- ifelse(moments$sd > 0, moments$sd, Inf)
  x <- sqrt(weights / sum(weights)) *
    ((as.matrix(x) - rep(moments$centre, each = nrow(x))) / rep(scale, each = nrow(x)))
  wide <- ncol(x) > nrow(x)
  found <- eigen(if (wide) tcrossprod(x) else crossprod(x), symmetric = TRUE)
  kept <- which(found$values > 1e-5^2 * max(found$values, .Machine$double.xmin))
  vectors <- found$vectors[, kept, drop = FALSE]
  if (!wide) return(vectors)
  crossprod(x, vectors) / rep(sqrt(found$values[kept]), each = ncol(x))
}

# Of every column of `loss` (lambda_a x columns) whether it is a derivative between values of which
# there are too few for one: of functions that pass through the same values some are as steep as one
# likes, and what the representer gains grows without end as lambda_a falls, like its inverse, or,
# where values and basis vectors are few, until these are exhausted. Linear functions have
# derivatives all the same.
undifferentiable <- function(fit, rows, effects, loss) {
  if (has_slopes(fit$kernel)) return(logical(ncol(loss)))
  derivative <- !vapply(effects, `[[`, NA, "difference")
  few <- derivative
  few[derivative] <- vapply(effects[derivative], function(effect) {
    length(unique(rows$x[fit$weights > 0, effect$column])) <= few_values
  }, NA)
  gains <- function(after, factor) {
    smallest <- function(steps) apply(loss[steps, , drop = FALSE], 2, min)
    before <- seq_len(nrow(loss)) <= after
    smallest(!before) < factor * pmin(smallest(before), 0)
  }
  # In the last decade, and in the lower half of the grid.
  (gains(nrow(loss) - 2, 1.1) & derivative) | (gains((nrow(loss) + 1) / 2, 2) & few)
}

few_values <- 12
