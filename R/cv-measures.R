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
# Measures of families (cv-family-measures.R) have instead of `loss` and `set` perhaps
#   rows       a function(response, row, scores) of the losses of rows, rows x points of the path

measures <- list(
  mse = list(label = "Mean squared error", loss = "squared"),
  rmse = list(label = "Root mean squared error", loss = "squared", root = TRUE),
  mae = list(label = "Mean absolute error", loss = "absolute"),
  class = list(label = "Misclassification error", loss = "class", check = function(response) {
    if (!is_class(response)) {
      abort("measure", "\"class\" needs a factor or logical response.", NULL, "Use factor(y).")
    }
  }),
  auc = list(label = "AUC", set = concordance, moves = concordance_moves,
             maximize = TRUE, check = function(response) {
    if (response$type != "binary") {
      abort("measure", "\"auc\" needs a response with two classes.", NULL,
            if (is_class(response)) "It is not defined for more classes."
            else "Use factor(y) for classes; \"cindex\" is the concordance with numbers.")
    }
    check_survival("auc")
  }),
  cindex = list(label = "Concordance index", set = concordance, moves = concordance_moves,
                maximize = TRUE, check = function(response) {
    if (ncol(response$y) > 1) {
      abort("measure", "\"cindex\" needs a single output.",
            sprintf("%d outputs", ncol(response$y)))
    }
    check_survival("cindex")
  })
)

# For help pages.
help_measures <- function() {
  paste0("`\"", names(measures), "\"` (", vapply(measures, `[[`, "", "label"), ")", collapse = ", ")
}

check_survival <- function(type) {
  if (!requireNamespace("survival", quietly = TRUE)) {
    abort("measure", sprintf("\"%s\" needs the package survival.", type), NULL,
          "Install it with install.packages(\"survival\").")
  }
}

# The measure of a user's function(y, yhat, weights). Of several outputs it gets matrices, whose
# columns have the names that they have in predictions.
user_measure <- function(f) {
  if (!takes_arguments(f, 3)) {
    abort("measure", "The measure must be a function of y, its predictions and the weights.",
          deparse1(args(f))[1], "Add the argument where weights do not count.")
  }
  value_of <- function(response, row, score, weights) {
    levels <- response$levels
    outputs <- function(x) if (ncol(x) == 1) x[, 1] else name_all(x, NULL, response$outputs)
    y <- if (is_class(response)) factor(levels[true_classes(response)[row]], levels)
         else outputs(response$y[row, , drop = FALSE])
    value <- f(y, outputs(score), weights)
    if (!is_number(value)) {
      abort("measure", "The measure must return one finite number.", shown(value))
    }
    c(value = as.double(value), se = NA)
  }
  list(label = "User's measure", set = value_of, as_given = TRUE)
}

is_users <- function(measure) identical(measure$type, "function")

# The entry of the measure that the user chose, with its name as `type`.
read_measure <- function(type.measure, response) {
  if (is.function(type.measure)) {
    type <- "function"
    measure <- user_measure(type.measure)
  } else {
    if (is.null(type.measure)) type.measure <- if (is_class(response)) "class" else "mse"
    type <- check_choice(type.measure, names(measures), "type.measure")
    measure <- measures[[type]]
    if (!is.null(measure$check)) measure$check(response)
  }
  measure$maximize <- isTRUE(measure$maximize)
  c(list(type = type), measure)
}

# held: held rows (cv-held.R) with their scores; cluster is NULL where rows are the units of the
# standard error. Value: cvm and cvsd, one for each lambda.
cv_error <- function(measure, response, weights, held) {
  if (!is.null(measure$rows)) return(rows_error(measure, response, weights, held))
  if (is.null(measure$loss)) return(set_error(measure, response, weights, held))
  cluster <- if (!is.null(held$cluster)) match(held$cluster, unique(held$cluster))
  error <- .Call(ffi_row_errors, measure$loss, held$row, response$y, held$scores,
                 weights[held$row], cluster)
  rooted_error(error, measure)
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

# One value per fold, averaged with the folds' weights; one value of all held rows together
# where rows are the units.
set_error <- function(measure, response, weights, held) {
  sets <- set_values(measure, response, weights, held)
  error <- known_error(.Call(ffi_weighted_error, sets$value, sets$weight))
  if (length(sets$members) == 1) error$cvsd <- sets$se
  error
}

# value: sets x points of the path, of those sets in which it is defined, with their weight; se: of
# the first set of all. members: the held rows of every set.
set_values <- function(measure, response, weights, held) {
  set <- if (is.null(held$cluster)) rep(1L, length(held$row)) else held$fold
  members <- split(seq_along(held$row), set)
  values <- lapply(members, function(i) {
    apply_set(measure$set, response, weights, held, i)
  })
  value <- do.call(rbind, lapply(values, function(x) x["value", , drop = FALSE]))
  defined <- is.finite(value[, 1])
  if (!any(defined)) {
    abort("measure", sprintf("%s is undefined in every fold.", measure$label), NULL,
          "Every fold needs rows that differ in y; use fewer folds, strata or another measure.")
  }
  weight <- vapply(members, function(i) sum(weights[held$row[i]]), 0)
  list(value = value[defined, , drop = FALSE], weight = weight[defined], se = values[[1]]["se", ],
       members = members)
}

# f of the held rows i at every point of the path, a column each.
apply_set <- function(f, response, weights, held, i) {
  apply(held$scores[i, , , drop = FALSE], 3, function(score) {
    f(response, held$row[i], matrix(score, length(i)), weights[held$row[i]])
  })
}

# ---- differences from one point of the path, on the same rows -----------------------------

# Like cv_error(), of the differences from the errors at the point `from`. The standard error is
# over groups or rows, however many of them a fold has; that of a set's value over folds, as it is.
cv_difference <- function(measure, response, weights, held, from) {
  if (!is.null(measure$rows)) return(rows_difference(measure, response, weights, held, from))
  if (is.null(measure$loss)) return(set_difference(measure, response, weights, held, from))
  pair <- match(held$pair, unique(held$pair))
  sums <- .Call(ffi_loss_sums, measure$loss, held$row, response$y, held$scores,
                weights[held$row], pair, max(pair))
  used <- sums$weight > 0
  weighted_difference(sums$sum[used, , drop = FALSE] / sums$weight[used], sums$weight[used], from)
}

# value: units x points of the path.
weighted_difference <- function(value, weight, from) {
  .Call(ffi_weighted_error, value - value[, from], weight)
}

set_difference <- function(measure, response, weights, held, from) {
  sets <- set_values(measure, response, weights, held)
  if (length(sets$members) > 1) return(weighted_difference(sets$value, sets$weight, from))
  if (is.null(measure$moves)) stop_unpaired(measure)
  moves <- apply_set(measure$moves, response, weights, held, seq_along(held$row))
  moves <- rowsum(moves - moves[, from], held$pair)
  list(cvm = sets$value[1, ] - sets$value[1, from], cvsd = sqrt(colSums(moves^2)))
}

stop_unpaired <- function(measure) {
  abort("measure", "`rule = \"paired\"` needs several folds of three rows and more here.",
        measure$label,
        "A function of all rows at once has no standard error: use rule = \"1se\".")
}

# ---- losses of rows that are computed here -------------------------------------------------

rows_error <- function(measure, response, weights, held) {
  loss <- measure$rows(response, held$row, held$scores)
  w <- weights[held$row]
  units <- unit_means(loss, w, held$cluster)
  known_error(.Call(ffi_weighted_error, units$value, units$weight))
}

# Over groups or rows, however many of them a fold has.
rows_difference <- function(measure, response, weights, held, from) {
  units <- unit_means(measure$rows(response, held$row, held$scores), weights[held$row], held$pair)
  weighted_difference(units$value, units$weight, from)
}

# Weighted means of the rows of every unit (NULL: rows are units), units x points.
unit_means <- function(loss, w, unit) {
  loss <- loss[w > 0, , drop = FALSE]
  if (is.null(unit)) return(list(value = loss, weight = w[w > 0]))
  unit <- unit[w > 0]
  w <- w[w > 0]
  weight <- as.vector(rowsum(w, unit))
  list(value = unname(rowsum(w * loss, unit)) / weight, weight = weight)
}
