# Measures of held-out predictions: their table, errors by a measure, and differences of errors.

# Values of a whole set of rows, c(value, se); NA where they are undefined. (These stand before the
# table that names them.)

concordance <- function(response, row, score, weights) {
  y <- response$y[row, 1]
  if (length(unique(y)) < 2) return(c(value = NA, se = NA))
  found <- survival::concordancefit(y, score[, 1], weights = weights)
  c(value = unname(found$concordance), se = sqrt(found$var))
}

# What every row moves it by: the sum of squares is the square of the standard error.
concordance_moves <- function(response, row, score, weights) {
  survival::concordancefit(response$y[row, 1], score[, 1], weights = weights, influence = 1)$dfbeta
}

# The table, an entry each:
#   label
#   loss       the name of a row's loss in src/measure.c: the measure is its weighted mean over rows
#   root       whether the square root of that mean is meant
#   set        instead of `loss` a function(response, row, score, weights) of a whole set of rows
#              and their scores (rows x outputs); it answers c(value, se)
#   moves      of such a measure: a function of the same that answers what every row moves it by
#   as_given   whether it is a function of the user's
#   maximize   whether more is better
#   check      a function(response) that stops where the measure does not suit it
# Measures of families have instead of `loss` and `set` perhaps
#   rows       a function(response, row, scores) of the losses of rows, rows x points of the path

measures <- list(
  mse = list(label = "Mean squared error", loss = "squared"),
  rmse = list(label = "Root mean squared error", loss = "squared", root = TRUE),
  mae = list(label = "Mean absolute error", loss = "absolute"),
  class = list(label = "Misclassification error", loss = "class", check = function(response) {
    must(is_class(response), "measure", "\"class\" needs a factor or logical response.", NULL,
         "Use factor(y).")
  }),
  auc = list(label = "AUC", set = concordance, moves = concordance_moves,
             maximize = TRUE, check = function(response) {
    must(response$type == "binary",
         "measure", "\"auc\" needs a response with two classes.", NULL,
         if (is_class(response)) "It is not defined for more classes."
         else "Use factor(y) for classes; \"cindex\" is the concordance with numbers.")
    check_installed("survival", "\"auc\"", "measure")
  }),
  cindex = list(label = "Concordance index", set = concordance, moves = concordance_moves,
                maximize = TRUE, check = function(response) {
    must(ncol(response$y) == 1, "measure", "\"cindex\" needs a single output.",
         sprintf("%d outputs", ncol(response$y)))
    check_installed("survival", "\"cindex\"", "measure")
  })
)

# The entry of a cross-validation's measure, NULL of those that are not in the table.
measure_of <- function(cv) measures[[names(cv$name)]]

# For help pages.
help_measures <- function() {
  paste0("`\"", names(measures), "\"` (", vapply(measures, `[[`, "", "label"), ")", collapse = ", ")
}

# For families (loss.R), measures of held-out linear predictors.
family_measures <- function(family) {
  classes <- loss_trait(family, "classes")
  table <- list(
    deviance = list(label = "Deviance", rows = row_deviance(family)),
    class = measures$class,
    auc = measures$auc,
    mse = list(label = if (classes) "Brier score" else "Mean squared error",
               rows = row_means(family, function(r) r^2)),
    mae = list(label = "Mean absolute error", rows = row_means(family, abs))
  )
  if (classes) table else table[c("deviance", "mse", "mae")]
}

row_deviance <- function(family) function(response, row, scores) {
  y <- response$y[row, , drop = FALSE]
  if (ncol(y) == 1) return(matrix(family_deviance(family, y[, 1], scores), nrow(scores)))
  2 * (log(sum_outputs(family_mean(family, scores))) -
         sum_outputs(family_log_mean(family, scores) * as.vector(y)))
}

row_means <- function(family, loss) function(response, row, scores) {
  sum_outputs(loss(as.vector(response$y[row, ]) - score_means(family, scores)))
}

# From rows x outputs x points, rows x points.
sum_outputs <- function(x) colSums(aperm(x, c(2, 1, 3)))

# Means of scores, in their shape: of one output, or of several classes, each against the others,
# divided by their sum.
score_means <- function(family, scores) {
  means <- array(family_mean(family, scores), dim(scores)) # of no rows plogis() drops dimensions
  if (ncol(scores) == 1) return(means)
  sums <- sum_outputs(means)
  means / as.vector(sums[, rep(seq_len(ncol(sums)), each = ncol(scores))])
}

# The same of a matrix, rows x (outputs points).
mean_matrix <- function(family, scores, outputs = ncol(scores)) {
  shape <- c(nrow(scores), outputs, ncol(scores) / outputs)
  matrix(score_means(family, array(scores, shape)), shape[1])
}

# The measure of a user's function(y, yhat, weights). For several outputs it gets matrices, whose
# columns have the names that they have in predictions; of families it sees means.
user_measure <- function(f, family) {
  must(takes_arguments(f, 3),
       "measure", "The measure must be a function of y, its predictions and the weights.",
       deparse1(args(f))[1], "Add the argument where weights do not count.")
  value_of <- function(response, row, score, weights) {
    levels <- response$levels
    outputs <- function(x) {
      if (ncol(x) == 1) return(x[, 1])
      dimnames(x) <- if (!is.null(response$outputs)) list(NULL, response$outputs)
      x
    }
    y <- if (is_class(response)) factor(levels[true_classes(response)[row]], levels)
         else outputs(response$y[row, , drop = FALSE])
    if (!is.null(family)) score <- mean_matrix(family, score)
    value <- f(y, outputs(score), weights)
    must(is_number(value), "measure", "The measure must return one finite number.", shown(value))
    c(value = as.double(value), se = NA)
  }
  list(label = "User's measure", set = value_of, as_given = TRUE)
}

is_users <- function(measure) identical(measure$type, "function")

# The entry of the measure that the user chose, with its name as `type`. The first of the table
# breaks `ties` of others.
read_measure <- function(asked, response, family = NULL) {
  table <- if (is.null(family)) measures else family_measures(family)
  first <- names(table)[1]
  asked <- asked %||% if (is.null(family) && is_class(response)) "class" else first
  type <- if (is.function(asked)) "function" else check_choice(asked, names(table), "type.measure")
  measure <- if (is.function(asked)) user_measure(asked, family) else table[[type]]
  if (!is.null(measure$check)) measure$check(response)
  measure$maximize <- isTRUE(measure$maximize)
  if (type != first && !identical(measure$loss, "squared")) measure$ties <- table[[first]]
  c(list(type = type), measure)
}

# ---- errors ---------------------------------------------------------------------------------

# held: held rows (cv-held.R) with their scores; cluster is NULL where rows are the units of the
# standard error. Value: cvm and cvsd, one for each lambda.
cv_error <- function(held, problem) {
  measure <- problem$validation$measure
  if (!is.null(measure$set)) {
    sets <- set_values(held, problem)
    error <- weighted_error(sets)
    return(if (sets$count == 1) replace(error, "cvsd", list(sets$se)) else error)
  }
  if (!is.null(measure$rows)) return(weighted_error(row_units(held, problem, held$cluster)))
  cluster <- if (!is.null(held$cluster)) match(held$cluster, unique(held$cluster))
  rooted_error(.Call(ffi_row_errors, measure$loss, held$row, problem$design$response$y,
                     held$scores, problem$design$weights[held$row], cluster), measure)
}

# The root of the mean, where that is the measure. Delta method: se(sqrt(x)) = se(x) / (2 sqrt(x)).
rooted_error <- function(error, measure) {
  error <- known_error(error)
  if (!isTRUE(measure$root)) return(error)
  error$cvm <- sqrt(error$cvm)
  error$cvsd <- ifelse(error$cvm > 0, error$cvsd / (2 * error$cvm), 0 * error$cvsd)
  error
}

# A single cluster has no standard error.
known_error <- function(error) {
  error$cvsd[is.nan(error$cvsd)] <- NA
  error
}

# units: a list of value, units x points of the path, and weight.
weighted_error <- function(units) {
  known_error(.Call(ffi_weighted_error, units$value, units$weight))
}

# One value per fold, to be averaged with the folds' weights; one of all held rows together where
# rows are the units. value: sets x points of the path, of those sets in which it is defined, with
# their weight; se: of the first set of all; count: of all.
set_values <- function(held, problem) {
  measure <- problem$validation$measure
  all <- seq_along(held$row)
  members <- if (is.null(held$cluster)) list(all) else split(all, held$fold)
  values <- lapply(members, function(i) of_set(measure$set, held, problem, i))
  value <- do.call(rbind, lapply(values, function(x) x["value", , drop = FALSE]))
  defined <- is.finite(value[, 1])
  must(any(defined), "measure", sprintf("%s is undefined in every fold.", measure$label), NULL,
       "Every fold needs rows that differ in y; use fewer folds, strata or another measure.")
  weight <- vapply(members, function(i) sum(problem$design$weights[held$row[i]]), 0)
  list(value = value[defined, , drop = FALSE], weight = weight[defined], se = values[[1]]["se", ],
       count = length(members))
}

# f of the held rows i at every point of the path, a column each.
of_set <- function(f, held, problem, i) {
  row <- held$row[i]
  apply(held$scores[i, , , drop = FALSE], 3, function(score) {
    f(problem$design$response, row, matrix(score, length(i)), problem$design$weights[row])
  })
}

# Weighted means of losses that are computed here, of the rows of every unit (NULL: rows are units).
row_units <- function(held, problem, unit) {
  loss <- problem$validation$measure$rows(problem$design$response, held$row, held$scores)
  w <- problem$design$weights[held$row]
  used <- w > 0
  loss <- loss[used, , drop = FALSE]
  w <- w[used]
  if (is.null(unit)) return(list(value = loss, weight = w))
  weight <- as.vector(rowsum(w, unit[used]))
  list(value = unname(rowsum(w * loss, unit[used])) / weight, weight = weight)
}

# ---- differences from one point of the path, on the same rows -----------------------------

# Mean losses of what counts once in differences.
loss_units <- function(held, problem) {
  measure <- problem$validation$measure
  if (!is.null(measure$rows)) return(row_units(held, problem, held$pair))
  pair <- match(held$pair, unique(held$pair))
  sums <- .Call(ffi_loss_sums, measure$loss, held$row, problem$design$response$y, held$scores,
                problem$design$weights[held$row], pair, max(pair))
  used <- sums$weight > 0
  weight <- sums$weight[used]
  list(value = sums$sum[used, , drop = FALSE] / weight, weight = weight)
}

weighted_difference <- function(units, from) {
  .Call(ffi_weighted_error, units$value - units$value[, from], units$weight)
}

set_difference <- function(held, problem, from) {
  sets <- set_values(held, problem)
  if (sets$count > 1) return(weighted_difference(sets, from))
  measure <- problem$validation$measure
  must(!is.null(measure$moves), "measure",
       "`rule = \"paired\"` needs several folds of three rows and more here.", measure$label,
       "A function of all rows at once has no standard error: use rule = \"1se\".")
  moves <- of_set(measure$moves, held, problem, seq_along(held$row))
  moves <- rowsum(moves - moves[, from], held$pair)
  list(cvm = sets$value[1, ] - sets$value[1, from], cvsd = sqrt(colSums(moves^2)))
}
