# What is said of a cross-validation, facts as those of a fit (describe.R):
#   fit       those of its fit
#   model     lines: what was fitted, as it was chosen
#   folds     parts of a line; `rule` and `searched`, lines of their own; `details`, of a summary
#   chosen    columns with what was chosen, rows "min" and "1se"; of classes `classes` beside them
#   ...       paragraphs of a print: `features`, of what was chosen; `response`, where it asks for a
#             logarithm or another family
#   notes     lines about a choice at an edge of its grid, which are a message, too, when it is made

describe.sparserls_cv <- function(object) {
  fit <- describe(object$fit)
  list(
    fit = fit, model = fit$lines,
    folds = c(describe_folds(object), describe_sum(object)),
    details = c(fit$details, describe_held_basis(object), if (!is.null(object$fit.preval)) {
      "Held-out predictions are kept: fitted() and residuals() with type = \"held-out\"."
    }),
    # The usual rule goes without saying.
    rule = if (is_paired(object$rule)) {
      sprintf("%s.1se: by paired differences", chosen_axis(object))
    },
    chosen = chosen_table(object, fit$chosen),
    classes = if (!is.null(object$calibration)) class_table(object),
    searched = if (NROW(object$kernels) > 1) describe_search(object),
    response = if (is_skewed(object$fit)) {
      "The response is positive and skewed: log(y), or family = Gamma(\"log\"), may do better."
    },
    notes = edge_notes(object, fit)
  )
}

#' @export
print.sparserls_cv <- function(x, digits = max(3, getOption("digits") - 3), ...) {
  final_fit(x)
  facts <- describe(x)
  print_head(x$call, c(cv_lines(facts), facts$searched, ""))
  print(reported_table(x, facts, digits))
  writeLines(as.character(reported_key(x)))
  if (!is.null(x$cvm.output)) print_by_output(x, digits)
  print_lines(facts$features)
  print_lines(facts$response)
  if (!is.null(x$nested)) print_lines(describe_nested(x$nested, digits))
  print_lines(facts$notes)
  invisible(x)
}

# Of least squares on a single output; a skewness above 2 is that of an exponential distribution.
is_skewed <- function(fit) {
  y <- fit$response$y
  plain <- is.null(fit$chunks) && is.null(fit$family) && !is_class(fit$response)
  if (!plain || ncol(y) > 1) return(FALSE)
  share <- fit$weights / sum(fit$weights)
  z <- as.vector(y) - sum(share * y)
  isTRUE(min(y) > 0 && sum(share * z^3) > 2 * sum(share * z^2)^1.5)
}

cv_lines <- function(facts) c(facts$model, paste(facts$folds, collapse = ", "), facts$rule)

# At most ten outputs with their lambda and error, as lines of a print.
print_by_output <- function(x, digits) {
  at <- match(x$lambda.min.output, x$lambda)
  error <- x$cvm.output[cbind(at, seq_along(at))]
  shown <- head(seq_along(at), 10)
  cat("\nFor every output alone", if (length(at) > 10) sprintf(" (10 of %d)", length(at)), ":\n\n",
      sep = "")
  table <- data.frame(Output = names(x$lambda.min.output),
                      Lambda = format_values(x$lambda.min.output), error = signif(error, digits))
  names(table)[3] <- x$name
  print(table[shown, ], row.names = FALSE)
}

# What was chosen, columns. beside: of values of the path.
chosen_table <- function(x, beside) {
  axis <- path_axis(x$fit)
  i <- x$index[, 1]
  c(axis_column(axis, i), if (!is.null(axis$kind)) list(Kind = axis$kind[i]),
    if (ncol(x$index) > 1) list(Lambda = format_values(rep(x$lambda.min, 2)))
    else lapply(beside, function(values) format_values(values[i])))
}

# What a print says of the two points that are chosen and of the null model: the measure, and what
# else is reported. Classes have their accuracy in place of the share of errors.
reported_table <- function(x, facts, digits) {
  known <- x$performance
  accuracy <- names(x$name) == "class"
  labels <- c(mse = "MSE", rmse = "RMSE", mae = "MAE")
  label <- if (accuracy) "Accuracy"
           else if (identical(x$name[[1]], measures[[names(x$name)]]$label)) labels[names(x$name)]
  label <- if (is.null(label) || is.na(label)) x$name[[1]] else label[[1]]
  error <- x$cvm[x$index]
  measured <- if (accuracy) c(1 - error, known$accuracy[3]) else c(error, known$error[3])
  rows <- c("min", "1se", if (length(measured) == 3) "null")
  # of: rows, or the first two.
  column <- function(values, spread = NULL) {
    text <- ifelse(is.na(values), "", format(values, digits = max(1, digits - 1)))
    if (!is.null(spread)) {
      spread <- ifelse(is.na(spread), "", sprintf("(%s)", format(signif(spread, 2))))
      text <- paste(text, format(c(spread, "")[seq_along(values)]))
    }
    c(text, "")[seq_along(rows)]
  }
  table <- c(
    lapply(facts$chosen, function(values) c(values, "")[seq_along(rows)]),
    setNames(list(column(measured, x$cvsd[x$index])), paste(label, "(SE)")),
    if (label != "RMSE" && !is.null(known$rmse)) list(RMSE = column(known$rmse)),
    if (!is.null(known$r.squared)) {
      list(`R2 (SE)` = column(round(c(known$r.squared[1:2], NA), 3), known$std.error[1:2]))
    },
    if (!accuracy && !is.null(known$accuracy)) list(Accuracy = column(known$accuracy)),
    if (!is.null(facts$classes$AUC)) list(AUC = column(facts$classes$AUC)),
    if (!is.null(facts$classes)) list(LogLoss = column(x$calibration$logloss))
  )
  data.frame(table, row.names = rows, check.names = FALSE)
}

reported_key <- function(x) {
  share <- if (!is.null(x$performance$r.squared)) {
    sprintf("R2: the share of the %s that is predicted",
            if (is_likelihood(x$fit$family)) "deviance" else "variance")
  }
  c(if (!is.null(x$performance)) {
    paste(c("Of held-out rows. null: without features", share), collapse = "; ")
  }, if (!is.null(x$calibration)) class_key(x$calibration))
}

describe_folds <- function(x) {
  if (x$nfolds == 0) return("leave-pair-out")
  loo <- x$nfolds == x$fit$nobs && (!is.null(x$foldid) || !is.null(x$fit$chunks))
  paste0(if (loo) "leave-one-out" else sprintf("%.0f folds%s", x$nfolds, describe_groups(x)),
         if (isTRUE(x$omits.more)) " that omit more rows than they score")
}

describe_groups <- function(x) {
  if (is.null(x$ngroups)) return("")
  if (x$ngroups == x$nfolds) " of one group each" else sprintf(" of %d groups", x$ngroups)
}

describe_held_basis <- function(x) {
  if (isTRUE(x$reselect)) "the basis chosen again in every fold"
  else if (!is.null(x$holdout_basis)) switch(x$holdout_basis,
    remove = "held-out basis vectors removed",
    keep = "held-out basis vectors kept",
    keep_loss = "basis vectors kept in the loss",
    skip = "held-out basis vectors kept, not scored"
  )
}

# A user's function sees all outputs at once.
describe_sum <- function(x) {
  response <- x$fit$response
  if (!is_class(response) && ncol(response$y) > 1 && !is.null(measures[[names(x$name)]])) {
    "errors summed over outputs"
  }
}

# Of nested_error().
describe_nested <- function(nested, digits) {
  number <- function(x) format(signif(x, digits))
  c(sprintf("Nested: %s (SE %s), the error of the whole choice, in %d outer folds",
            number(nested$cvm), number(nested$cvsd), nested$nfolds),
    sprintf("at the price of %d more fits.", nested$fits))
}

#' Summary of a cross-validation
#'
#' The description, the error curve and, where kernels were searched, what each of them reached.
#'
#' @param object a `cv.` object.
#' @param ... unused.
#' @return A list of class `summary.sparserls_cv` with the description, the error curve
#'   (`lambda, cvm, cvsd, df`), the table of kernels and, of classes, `classes`, the AUC (of two)
#'   and the log loss at both chosen points. `print()` shows a few points of the curve, the best
#'   among them.
#' @examples
#' set.seed(1)
#' summary(cv.sparserls(lpsa ~ . - train, data = prostate, basis = 30, nlambda = 10))
#' @export
summary.sparserls_cv <- function(object, ...) {
  check_dots(..., known = "object")
  final_fit(object)
  facts <- describe(object)
  # loss: of fits whose training minimized an error.
  curve <- c(path_grid(object), object[c("cvm", "cvsd")], known(loss = object$fit$loss),
             facts$fit$along)
  structure(
    list(
      call = object$call, description = c(cv_lines(facts), facts$details), name = object$name,
      index = object$index[, 1],
      kernels = if (is.null(object$kernels)) data.frame() else object$kernels,
      classes = facts$classes, curve = data.frame(curve), effects = describe_effects(object)
    ),
    class = "summary.sparserls_cv"
  )
}

# The function to call, of what has partial effects (effect-partial.R).
describe_effects <- function(cv) {
  has <- !is.null(cv$fit.preval) && inherits(cv, c("cv.sparserls", "cv.rls", "cv.ardrls"))
  if (has && !is_likelihood(cv$fit$family) && !is_foreign(cv$fit$kernel)) {
    "Effects of the features: partial_effects()."
  }
}

#' @export
print.summary.sparserls_cv <- function(x, digits = max(3, getOption("digits") - 3), ...) {
  print_head(x$call, c(x$description, "", paste("Measure:", x$name), ""))
  mark <- character(nrow(x$curve))
  mark[x$index["1se"]] <- "1se"
  mark[x$index["min"]] <- trimws(paste(mark[x$index["min"]], "min"))
  most <- if (names(x$curve)[1] == "lambda") 7 else 12
  shown <- sort(union(even_rows(nrow(x$curve), most), x$index))
  curve <- rounded(x$curve, digits)
  if (!is.null(curve$lambda)) curve$lambda <- format_values(curve$lambda)
  print(cbind(curve, ` ` = mark)[shown, ])
  print_class_table(x, digits)
  if (NROW(x$kernels) > 1) {
    cat("\n")
    print(x$kernels, digits = digits)
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
  c(setNames(list(axis$values), axis$name), if (!is.null(axis$kind)) list(kind = axis$kind))
}
