# What is said of a cross-validation, facts as those of a fit (describe.R):
#   fit       those of its fit
#   model     lines: what was fitted, as it was chosen
#   folds     parts of a line; `rule` and `searched`, lines of their own; `details`, of a summary
#   curve     columns of a summary, where they are not the errors along the path
#   chosen    columns with what was chosen, rows "min" and "1se"; of classes `classes` next to them
#   ...       paragraphs of a print: `features`, of what was chosen; `response`, where it asks for a
#             logarithm or another family
#   notes     lines about a choice at an edge of its grid, which are a message, too, when it is made

describe.sparserls_cv <- function(object) {
  fit <- describe(object$fit)
  list(
    fit = fit, model = fit$lines,
    # A user's function sees all outputs at once.
    folds = c(describe_folds(object),
              if (!is_class(object$fit$response) && output_count(object$fit) > 1 &&
                    !is.null(measure_of(object))) "errors summed over outputs"),
    details = c(fit$details, describe_held_basis(object), if (!is.null(object$fit.preval)) {
      "Held-out predictions are kept: fitted() and residuals() with type = \"held-out\"."
    }),
    # The usual rule goes without saying.
    rule = if (is_paired(object$rule)) {
      sprintf("%s.1se: by paired differences", chosen_axis(object))
    },
    chosen = chosen_table(object, fit$chosen),
    classes = if (!is.null(object$calibration)) class_table(object),
    searched = if (NROW(object$kernels) > 1) {
      # Rows in chunks have no outer folds.
      few <- object$fit$nobs < 100 && is.null(object$nested) && is.null(object$fit$chunks)
      c(describe_search(object), if (few) {
        "With so few rows a search can make errors too small: outer = 5 adds an honest one."
      })
    },
    response = if (is_skewed(object$fit)) {
      "The response is positive and skewed: log(y), or family = Gamma(\"log\"), may do better."
    },
    notes = edge_notes(object, fit)
  )
}

#' @export
print.sparserls_cv <- function(x, digits = print_digits(), ...) {
  final_fit(x)
  facts <- describe(x)
  print_head(x$call, wrapped(c(cv_lines(facts), facts$searched), 2))
  table <- reported_table(x, facts, digits)
  print_chosen(table, reported_key(x, table))
  if (!is.null(x$cvm.output)) print_by_output(x, digits)
  print_lines(wrapped(facts$features))
  print_lines(facts$response)
  nested <- x$nested
  if (!is.null(nested)) {
    print_lines(sprintf("Nested: %s (SE %s), the error of the whole choice, in %d outer folds.",
                        format(signif(nested$cvm, digits)), format(signif(nested$cvsd, digits)),
                        nested$nfolds))
  }
  print_lines(wrapped(facts$notes))
  invisible(x)
}

# For least squares on a single output; a skewness above 2 is that of an exponential distribution.
is_skewed <- function(fit) {
  y <- fit$response$y
  plain <- is.null(fit$chunks) && is.null(fit$family) && !is_class(fit$response)
  if (!plain || ncol(y) > 1) return(FALSE)
  share <- prop.table(fit$weights)
  z <- as.vector(y) - sum(share * y)
  isTRUE(min(y) > 0 && sum(share * z^3) > 2 * sum(share * z^2)^1.5)
}

cv_lines <- function(facts) c(facts$model, paste(facts$folds, collapse = ", "), facts$rule)

# At most ten outputs with their lambda and error, as lines of a print.
print_by_output <- function(x, digits) {
  count <- length(x$lambda.min.output)
  lambda <- head(x$lambda.min.output, 10)
  error <- x$cvm.output[cbind(match(lambda, x$lambda), seq_along(lambda))]
  cat("\nFor each output", if (count > 10) sprintf(" (10 of %d)", count), ":\n\n", sep = "")
  table <- data.frame(names(lambda), format_values(lambda), signif(error, digits))
  print(setNames(table, c("Output", "Lambda", x$name)), row.names = FALSE)
}

# What was chosen, columns. beside: of values of the path.
chosen_table <- function(x, beside) {
  axis <- path_axis(x$fit)
  i <- x$index[, 1]
  c(axis_column(axis, i), known(Kind = axis$kind[i]),
    if (ncol(x$index) > 1) list(Lambda = format_values(rep(x$lambda.min, 2)))
    else lapply(beside, function(values) format_values(values[i])))
}

# Errors by their short names.
short_names <- c(`Mean squared error` = "MSE", `Root mean squared error` = "RMSE",
                 `Mean absolute error` = "MAE", `Misclassification error` = "Accuracy")

# What a print says of the two points that are chosen and of the null model: the measure, and what
# else is reported. Classes have their accuracy in place of the share of errors.
reported_table <- function(x, facts, digits = print_digits()) {
  held <- x$performance
  rows <- c("min", "1se", if (!is.null(held)) "null")
  label <- if (x$name %in% names(short_names)) short_names[[x$name]] else x$name[[1]]
  measured <- c(x$cvm[x$index], held$error[3])
  accuracy <- label == "Accuracy"
  # Among all rows or the first two, those that are known.
  padded <- function(text, known = TRUE) c(replace(text, !known, ""), "")[seq_along(rows)]
  column <- function(values, error = NULL) {
    if (is.null(values)) return(NULL)
    text <- padded(format(values, digits = max(1, digits - 1)), !is.na(values))
    if (is.null(error)) return(text)
    paste(text, format(padded(sprintf("(%s)", format(signif(error, 2))), !is.na(error))))
  }
  table <- c(
    lapply(facts$chosen, padded),
    setNames(list(column(if (accuracy) 1 - measured else measured, x$cvsd[x$index])),
             paste(label, "(SE)")),
    known(
      RMSE = if (label != "RMSE") column(held$rmse),
      `R2 (SE)` = if (!is.null(held$r.squared)) {
        column(round(held$r.squared[1:2], 3), held$std.error[1:2])
      },
      Accuracy = if (!accuracy) column(held$accuracy), AUC = column(facts$classes$AUC),
      LogLoss = column(x$calibration$logloss)
    )
  )
  data.frame(table, row.names = rows, check.names = FALSE)
}

# What its rows and columns are.
reported_key <- function(x, table) {
  deviance <- has_family(x$fit)
  words <- c(min = "best", `1se` = "simplest within one standard error (SE) of it",
             null = "without features", Lambda = "penalty",
             df = "effective number of coefficients",
             R2 = paste("share of the", if (deviance) "deviance" else "variance", "predicted"))
  if ("Penalty" %in% names(table)) words <- words[names(words) != "Lambda"]
  shown <- intersect(names(words), c(rownames(table), sub(" .*", "", names(table))))
  c(paste0("Computed on held-out rows. ", paste0(shown, ": ", words[shown], collapse = "; ")),
    if (is_loo(x) && any(grepl("^AUC", names(table)))) {
      "AUC: leave-one-out makes it too low for weak models; 10 folds do not"
    },
    if (!is.null(x$calibration$balance)) {
      sprintf("Probabilities are of the population, accuracy is balanced; class weights: %s.",
              describe_balance(x$calibration$balance))
    })
}

print_chosen <- function(table, key) {
  print(table)
  cat(wrapped(key), sep = "\n")
}

describe_folds <- function(x) {
  if (x$nfolds == 0) return("leave-pair-out")
  groups <- if (is.null(x$ngroups)) ""
            else if (x$ngroups == x$nfolds) " of one group each"
            else sprintf(" of %d groups", x$ngroups)
  paste0(if (is_loo(x)) "leave-one-out" else sprintf("%.0f folds%s", x$nfolds, groups),
         if (isTRUE(x$omits.more)) " that omit more rows than they score")
}

is_loo <- function(x) x$nfolds == x$fit$nobs && (!is.null(x$foldid) || !is.null(x$fit$chunks))

describe_held_basis <- function(x) {
  if (isTRUE(x$reselect)) "the basis chosen again in every fold"
  else if (!is.null(x$holdout_basis)) switch(x$holdout_basis,
    remove = "held-out basis vectors removed",
    keep = "held-out basis vectors kept",
    keep_loss = "basis vectors kept in the loss",
    skip = "held-out basis vectors kept, not scored"
  )
}

#' Summary of a cross-validation
#'
#' The description, what was chosen, the error curve and, after a search of kernels, the error of
#' each.
#'
#' @param object a `cv.` object.
#' @param ... unused.
#' @return A list of class `summary.sparserls_cv` with the `description`, `chosen` (the table that
#'   `print(object)` shows, as text), the error `curve` (`lambda, cvm, cvsd, df`), the table of
#'   `kernels` and, for classes, `classes`, the AUC (of two) and the log loss at both chosen points.
#'   `print()` shows a few points of the curve, including the best. For
#'   [cv.greedyrls()] the curve has the features in order of selection at `lambda.min`, with the
#'   error that guided the selection and the held-out one, and `kernels` is the field `lambdas`.
#' @examples
#' set.seed(1)
#' summary(cv.sparserls(lpsa ~ . - train, data = prostate, basis = 30, nlambda = 10))
#' @export
summary.sparserls_cv <- function(object, ...) {
  check_dots(...)
  final_fit(object)
  facts <- describe(object)
  chosen <- reported_table(object, facts)
  # loss: of fits whose training minimized an error.
  curve <- facts$curve %||% c(path_grid(object), object[c("cvm", "cvsd")],
                              known(loss = object$fit$loss), facts$fit$along)
  kernels <- object$kernels %||% object$lambdas
  # gamma has a column.
  if (!is.null(kernels$gamma)) {
    kernels$kernel <- ifelse(is.na(kernels$gamma), kernels$kernel, kernel_labels(object$curves))
  }
  structure(
    list(
      call = object$call, description = c(cv_lines(facts), facts$details), chosen = chosen,
      key = reported_key(object, chosen), name = object$name, index = object$index[, 1],
      kernels = kernels, classes = facts$classes, curve = data.frame(curve),
      effects = describe_effects(object)
    ),
    class = "summary.sparserls_cv"
  )
}

# The function to call, where there are partial effects (effect-partial.R).
describe_effects <- function(cv) {
  has <- !is.null(cv$fit.preval) && inherits(cv, c("cv.sparserls", "cv.rls", "cv.ardrls"))
  if (has && !has_family(cv$fit) && !is_foreign(cv$fit$kernel)) {
    "Effects of the features: partial_effects()."
  }
}

#' @export
print.summary.sparserls_cv <- function(x, digits = print_digits(), ...) {
  print_head(x$call, wrapped(x$description, 2))
  print_chosen(x$chosen, x$key)
  cat("\n", x$name, ":\n\n", sep = "")
  curve <- rounded(x$curve, digits)
  curve$` ` <- ""
  for (which in names(x$index)) {
    at <- x$index[[which]]
    curve$` `[at] <- trimws(paste(curve$` `[at], which))
  }
  most <- if (names(curve)[1] == "lambda") 7 else 12
  if (!is.null(curve$lambda)) curve$lambda <- format_values(curve$lambda)
  print(curve[sort(union(even_rows(nrow(curve), most), x$index)), ])
  if (NROW(x$kernels) > 1) {
    values <- intersect(c("gamma", "multiple", "lambda.min", "lambda.1se"), names(x$kernels))
    table <- replace(x$kernels, values, lapply(x$kernels[values], format_values))
    # Squared errors, by which kernels were searched, are no errors of a likelihood.
    if (any(table$error == "likelihood")) {
      table[c("cvm", "cvsd")] <- lapply(table[c("cvm", "cvsd")], function(v) {
        ifelse(table$error == "squared", "", format_values(v))
      })
    }
    cat("\n")
    print(table, digits = digits, row.names = FALSE)
  }
  print_lines(x$effects)
  invisible(x)
}

# Columns of tables: the points of the path that errors are of.
path_grid <- function(cv) {
  axis <- path_axis(cv$fit)
  if (is.matrix(cv$cvm)) {
    return(setNames(list(axis$values[row(cv$cvm)], cv$lambda[col(cv$cvm)]), c(axis$name, "lambda")))
  }
  c(setNames(list(axis$values), axis$name), known(kind = axis$kind))
}
