# The field `performance` of a cv object: what is reported of held-out predictions apart from the
# measure that chose them, at both chosen points and for the null model, which predicts every row by
# the mean of the rows that are not left out with it.

# A data frame, rows "min", "1se" and "null", of
#   error       the measure itself, NA of a whole set of rows
#   rmse        of a single output that is no class, in the user's units
#   r.squared   the share of the variance that is predicted (of a family, of the deviance), and its
#   std.error   over groups or rows, of chunks over folds
#   accuracy    of classes, the share of rows that are predicted rightly
# NULL where there are no held-out scores of rows.
new_performance <- function(problem, found, folds, index) {
  held <- found$held
  response <- problem$design$response
  if (inherits(held, "held_sums")) return(sums_performance(problem, found, index))
  if (!inherits(held, "held_rows")) return(NULL)
  points <- path_chosen(found$path, index)
  shape <- dim(held$scores)
  held$scores <- array(c(held$scores[, , points], null_scores(problem, held, folds)),
                       c(shape[1:2], 3))
  by <- function(type, f = errors) {
    if (!is.null(type)) {
      problem$validation$measure <- read_measure(type, response, problem$design$family)
    }
    f(held, problem)
  }
  measured <- is.null(problem$validation$measure$set)
  table <- data.frame(error = if (measured) by(NULL)$cvm else rep(NA_real_, 3),
                      row.names = c("min", "1se", "null"))
  if (is_class(response)) {
    # Without features the largest class is predicted. (Among equal ones the mean of the others
    # never predicts the one that a row is left out of: refits would be wrong about every row.)
    counts <- rowsum(problem$design$weights[held$row], true_classes(response)[held$row])
    table$accuracy <- c(1 - by("class")$cvm[1:2], max(counts) / sum(counts))
    if (identical(problem$validation$measure$loss, "class")) table$error <- 1 - table$accuracy
    return(table)
  }
  if (shape[2] > 1) return(table)
  share <- by(if (is.null(problem$design$family)) "mse" else "deviance", function(...) {
    over_turns(..., function(held, problem) share_of_units(loss_units(held, problem)))
  })
  cbind(table, rmse = sqrt(by("mse")$cvm), r.squared = share$cvm, std.error = share$cvsd)
}

# For sums over chunks, whose squared errors say it.
sums_performance <- function(problem, found, index) {
  held <- found$held
  squared <- held$squared %||% held
  if (is.null(squared$null)) return(NULL)
  used <- squared$weight > 0
  value <- cbind(squared$value[, path_chosen(found$path, index), drop = FALSE], squared$null)
  units <- list(value = value[used, ], weight = squared$weight[used])
  error <- weighted_error(units)
  share <- share_of_units(units)
  own <- is.null(held$squared)
  data.frame(error = if (own) rooted_error(error, problem$validation$measure)$cvm else NA_real_,
             rmse = sqrt(error$cvm), r.squared = share$cvm, std.error = share$cvsd,
             row.names = c("min", "1se", "null"))
}

# For every point 1 - E / E0, E0 the mean loss l0 of the null model, the last point. Its standard
# error is that of the mean of (l - E / E0 l0) / E0.
share_of_units <- function(units) {
  losses <- weighted_error(units)$cvm
  share <- losses / losses[3]
  units$value <- (units$value - outer(units$value[, 3], share)) / losses[3]
  list(cvm = 1 - share, cvsd = weighted_error(units)$cvsd)
}

# Held rows x outputs.
null_scores <- function(problem, held, folds) {
  family <- problem$design$family
  omitted <- lapply(folds$folds, `[[`, "omit")
  v <- ncol(problem$y)
  sums <- problem$weights * cbind(problem$y, 1)
  left <- vapply(omitted, function(rows) colSums(sums[rows, , drop = FALSE]), numeric(v + 1))
  left <- colSums(sums) - left
  values <- left[seq_len(v), , drop = FALSE] / rep(left[v + 1, ], each = v)
  if (!is.null(family)) {
    # With an offset it is another number; where folds are many that of all rows is near enough.
    values <- if (is.null(problem$offset)) family_link(family, values)
              else if (length(omitted) > 100) 0 * values + best_intercept(problem, integer())
              else rbind(vapply(omitted, best_intercept, 0, problem = problem))
  }
  with_offset(t(values)[held$fold, , drop = FALSE], problem, held$row)
}

# For the rows that are not omitted, given their offset: where the mean score, which rises, is
# zero.
best_intercept <- function(problem, omit) {
  family <- problem$design$family
  left <- setdiff(seq_along(problem$weights), omit)
  weights <- problem$weights[left]
  y <- problem$y[left, 1]
  offset <- problem$offset[left]
  mean <- function(values) sum(weights * values) / sum(weights)
  near <- family_link(family, mean(y)) - family_link(family, mean(family_mean(family, offset)))
  if (!is.finite(near)) return(near)
  uniroot(function(b) mean(loss_values(family, y, offset + b)$score), near + c(-1, 1),
          extendInt = "yes", tol = 1e-10)$root
}
