# Measures of held-out predictions. Two kinds: those that are a weighted mean over rows
# (mse, mae, class), and those of a whole set of predictions (auc, cindex, a user's
# function), which are computed fold by fold.

measure_names <- c(mse = "Mean squared error", rmse = "Root mean squared error",
                   mae = "Mean absolute error", class = "Misclassification error", auc = "AUC",
                   cindex = "Concordance index")

read_measure <- function(type.measure, response) {
  if (is.function(type.measure)) {
    return(list(type = "function", label = "User's measure", f = type.measure, maximize = FALSE))
  }
  if (is.null(type.measure)) type.measure <- if (is_class(response)) "class" else "mse"
  type <- check_choice(type.measure, names(measure_names), "type.measure")
  check_measure(type, response)
  list(type = type, label = measure_names[[type]], maximize = type %in% c("auc", "cindex"))
}

check_measure <- function(type, response) {
  if (type == "class" && !is_class(response)) {
    abort("measure", "\"class\" needs a factor or logical response.", NULL, "Use factor(y).")
  }
  if (type == "auc" && response$type != "binary") {
    abort("measure", "\"auc\" needs a response with two classes.", NULL,
          "\"cindex\" measures the concordance of other responses.")
  }
  if (type == "cindex" && ncol(response$y) > 1) {
    abort("measure", "\"cindex\" needs a single output.", sprintf("%d outputs", ncol(response$y)))
  }
  if (type %in% c("auc", "cindex") && !requireNamespace("survival", quietly = TRUE)) {
    abort("measure", sprintf("\"%s\" needs the package survival.", type), NULL,
          "Install it with install.packages(\"survival\").")
  }
}

# pairs: row-fold pairs that are scored, with `row`, `fold`, `unit` and `scores`, an array
# of pairs x outputs x lambdas. unit is NULL where rows are the units of the standard error.
# Value: cvm and cvsd, one for each lambda.
cv_error <- function(measure, response, weights, pairs) {
  if (measure$type %in% c("mse", "rmse", "mae", "class")) {
    type <- switch(measure$type, mae = 1L, class = 2L, 0L)
    unit <- if (!is.null(pairs$unit)) match(pairs$unit, unique(pairs$unit))
    error <- .Call(ffi_row_errors, type, pairs$row, response$y, pairs$scores, weights[pairs$row],
                   unit)
    if (measure$type == "rmse") {
      # Delta method: se(sqrt(x)) = se(x) / (2 sqrt(x)).
      error$cvm <- sqrt(error$cvm)
      error$cvsd <- ifelse(error$cvm > 0, error$cvsd / (2 * error$cvm), 0)
    }
    return(error)
  }
  set_error(measure, response, weights, pairs)
}

# One value per fold, averaged with the folds' weights; one value of all pairs together
# where rows are the units.
set_error <- function(measure, response, weights, pairs) {
  set <- if (is.null(pairs$unit)) rep(1L, length(pairs$row)) else pairs$fold
  members <- split(seq_along(pairs$row), set)
  values <- lapply(members, function(i) {
    apply(pairs$scores[i, , , drop = FALSE], 3, function(score) {
      set_value(measure, response, weights, pairs$row[i], matrix(score, length(i)))
    })
  })
  value <- do.call(rbind, lapply(values, function(x) x["value", , drop = FALSE]))
  defined <- is.finite(value[, 1])
  if (!any(defined)) {
    abort("measure", sprintf("%s is undefined in every fold.", measure$label), NULL,
          "Every fold needs rows that differ in y; use fewer folds, strata or another measure.")
  }
  weight <- vapply(members, function(i) sum(weights[pairs$row[i]]), 0)[defined]
  error <- .Call(ffi_weighted_error, value[defined, , drop = FALSE], weight)
  if (length(members) == 1) error$cvsd <- values[[1]]["se", ]
  error
}

set_value <- function(measure, response, weights, row, score) {
  if (measure$type == "function") {
    levels <- response$levels
    y <- if (is_class(response)) factor(levels[true_classes(response)[row]], levels)
         else drop(response$y[row, ])
    value <- measure$f(y, drop(score), weights[row])
    if (!is_number(value)) {
      abort("measure", "The measure must return one finite number.", describe(value))
    }
    return(c(value = value, se = NA))
  }
  y <- response$y[row, 1]
  if (length(unique(y)) < 2) return(c(value = NA, se = NA))
  found <- survival::concordancefit(y, score[, 1], weights = weights[row])
  c(value = unname(found$concordance), se = sqrt(found$var))
}
