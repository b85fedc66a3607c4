# The cv object of all families, class `sparserls_cv`: fields as glmnet's users know them, and its
# methods.

# best: the curve, fit and held-out predictions of the best candidate; curves: of all candidates. A
# choice at an edge is said.
new_cv <- function(problem, folds, best, curves) {
  curve <- best$curve
  measure <- problem$validation$measure
  cv <- structure(
    c(
      list(call = problem$call), path_fields(curve, problem), output_fields(curve, problem),
      list(name = setNames(measure$label, measure$type), rule = problem$validation$rule,
           foldid = folds$foldid, nfolds = length(folds$folds),
           omits.more = omits_more(folds$folds)),
      if (!is.null(folds$groups)) list(ngroups = nlevels(droplevels(folds$groups))),
      if (!is.null(curve$kernel)) search_fields(curve, curves, problem),
      list(calibration = best$calibration, fit.preval = best$preval, refits = best$refits,
           covariance = best$covariance, fit = best$fit),
      best$own
    ),
    class = c(paste0("cv.", class(best$fit)[[1]]), "sparserls_cv")
  )
  warn_shift(cv$fit, cv$index[, 1])
  notes <- edge_notes(cv)
  if (length(notes)) inform(paste(notes, collapse = "\n"))
  with_calls(cv, problem$call)
}

# Errors in the shape of the path, and what was chosen: one axis, lambda; or two, the first with one
# value for each row.
path_fields <- function(curve, problem) {
  measure <- problem$validation$measure
  path <- curve$path
  index <- curve$index
  errors <- list(cvm = curve$cvm, cvsd = curve$cvsd, cvup = curve$cvm + curve$cvsd,
                 cvlo = curve$cvm - curve$cvsd)
  axis <- names(path)[1]
  along <- index[c("min", "1se")]
  points <- setNames(as.list(path[[1]][along]), paste(axis, names(along), sep = "."))
  if (length(path) == 1) {
    index <- matrix(along, dimnames = list(names(along), sub("^l", "L", axis)))
    return(c(unclass(path), errors, points, list(index = index)))
  }
  in_shape <- function(errors) {
    lapply(errors, matrix, length(path[[1]]), dimnames = list(seq_along(path[[1]]), NULL))
  }
  errors <- in_shape(errors)
  squared <- if (!is.null(curve$squared)) matrix(curve$squared, length(path[[1]]))
  each <- vapply(seq_along(path$lambda), function(l) {
    best_of(errors$cvm[, l], measure$maximize, squared[, l])
  }, 1L)
  at <- cbind(each, seq_along(path$lambda))
  best <- setNames(data.frame(path$lambda, path[[1]][each], errors$cvm[at], errors$cvsd[at]),
                   c("lambda", names(points)[1], "cvm", "cvsd"))
  index <- cbind(along, Lambda = index[["column"]])
  colnames(index)[1] <- axis
  c(list(lambda = path$lambda), errors, points,
    list(lambda.min = path$lambda[index[["min", "Lambda"]]], index = index, lambdas = best))
}

# What was searched beside the path.
search_fields <- function(best, curves, problem) {
  shown <- lapply(curves, function(curve) {
    c(curve[intersect(c("kernel", "size", "walk"), names(curve))],
      list(lambda = curve$path$lambda), curve[c("cvm", "cvsd")],
      list(index = curve$index[c("min", "1se")]))
  })
  list(kernel = best$kernel, size = best$size, kernels = kernel_table(shown), curves = shown)
}

#' @export
print.sparserls_cv <- function(x, digits = max(3, getOption("digits") - 3), ...) {
  check_format(x)
  cat("\nCall: ", deparse1(x$call), "\n\n", sep = "")
  cat(describe_cv(x), sep = "\n")
  cat("\nMeasure: ", x$name, "\n\n", sep = "")
  print_chosen(chosen_table(x, digits), x, digits)
  print_by_output(x, digits)
  cat(describe_features(x))
  if (NROW(x$kernels) > 1) cat("", describe_search(x), sep = "\n")
  print_nested(x, digits)
  notes <- c(describe_kept(x), edge_notes(x))
  if (length(notes)) cat("", notes, sep = "\n")
  invisible(x)
}

# What was chosen, with its errors, rows "min" and "1se".
chosen_table <- function(x, digits) {
  axis <- path_axis(x$fit)
  i <- x$index[, 1]
  single <- ncol(x$index) == 1
  beside <- Filter(length, c(list(df = path_df(x$fit)), path_columns(x$fit)))
  table <- c(list(printed_values(axis, i, digits)),
             if (!is.null(axis$kind)) list(Kind = axis$kind[i]),
             if (single) list(Index = i) else list(Lambda = signif(x$lambda.min, digits)),
             list(Measure = signif(x$cvm[x$index], digits), SE = signif(x$cvsd[x$index], digits)),
             if (single) lapply(beside, function(column) signif(column[i], digits)))
  names(table)[1] <- axis$heading
  data.frame(table, row.names = rownames(x$index), check.names = FALSE)
}

# Lines of a print about the nested error (cv-nested.R).
print_nested <- function(x, digits) {
  nested <- x$nested
  if (is.null(nested)) return(invisible())
  cat("", sprintf("Nested: %s (SE %s), the error of the whole choice, in %d outer folds",
                  format(signif(nested$cvm, digits)), format(signif(nested$cvsd, digits)),
                  nested$nfolds),
      sprintf("at the price of %d more fits.", nested$fits), sep = "\n")
}

describe_folds.default <- function(x) {
  if (x$nfolds == 0) return("leave-pair-out")
  loo <- x$nfolds == x$fit$nobs && (!is.null(x$foldid) || !is.null(x$fit$chunks))
  paste0(if (loo) "leave-one-out" else sprintf("%.0f folds%s", x$nfolds, describe_groups(x)),
         if (isTRUE(x$omits.more)) " that omit more rows than they score")
}

describe_groups <- function(x) {
  if (is.null(x$ngroups)) return("")
  if (x$ngroups == x$nfolds) " of one group each" else sprintf(" of %d groups", x$ngroups)
}

describe_cv <- function(x) {
  held <- if (isTRUE(x$reselect)) "the basis chosen anew in every fold"
  else if (!is.null(x$holdout_basis)) switch(x$holdout_basis,
    remove = "held-out basis vectors removed",
    keep = "held-out basis vectors kept",
    keep_loss = "basis vectors kept in the loss",
    skip = "held-out basis vectors kept, not scored"
  )
  c(describe_chosen(x), paste(c(describe_folds(x), held, describe_sum(x)), collapse = ", "),
    describe_rule(x))
}

# The usual rule goes without saying.
describe_rule <- function(x) {
  if (is_paired(x$rule)) sprintf("%s.1se: by paired differences", chosen_axis(x))
}

# A user's function sees all outputs at once.
describe_sum <- function(x) {
  response <- x$fit$response
  if (!is_class(response) && ncol(response$y) > 1 && !is.null(measures[[names(x$name)]])) {
    "errors summed over outputs"
  }
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
  check_format(object)
  fit <- object$fit
  # loss: of fits whose training minimized an error.
  curve <- c(path_grid(object), object[c("cvm", "cvsd")], list(loss = fit$loss), known_along(fit))
  structure(
    list(
      call = object$call, description = describe_cv(object), name = object$name,
      index = object$index[, 1],
      kernels = if (is.null(object$kernels)) data.frame() else object$kernels,
      classes = class_table(object),
      curve = data.frame(Filter(length, curve))
    ),
    class = "summary.sparserls_cv"
  )
}

#' @export
print.summary.sparserls_cv <- function(x, digits = max(3, getOption("digits") - 3), ...) {
  cat("\nCall: ", deparse1(x$call), "\n\n", sep = "")
  cat(x$description, sep = "\n")
  cat("\nMeasure: ", x$name, "\n\n", sep = "")
  mark <- character(nrow(x$curve))
  mark[x$index["1se"]] <- "1se"
  mark[x$index["min"]] <- trimws(paste(mark[x$index["min"]], "min"))
  most <- if (names(x$curve)[1] == "lambda") 7 else 12
  shown <- sort(union(even_rows(nrow(x$curve), most), x$index))
  numeric <- vapply(x$curve, is.numeric, NA)
  x$curve[numeric] <- signif(x$curve[numeric], digits)
  print(cbind(x$curve, ` ` = mark)[shown, ])
  print_class_table(x, digits)
  if (NROW(x$kernels) > 1) {
    cat("\n")
    print(x$kernels, digits = digits)
  }
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

#' @rdname coef.sparserls_fit
#' @export
coef.sparserls_cv <- function(object, s = default_s(object), ...) {
  check_dots(..., known = names(formals()))
  at_chosen(object, s, coef)
}

#' @rdname coef.sparserls_fit
#' @export
fitted.sparserls_cv <- function(object, s = default_s(object), type = c("training", "held-out"),
                                ...) {
  check_dots(..., known = names(formals()))
  cv_fitted(object, s, type)
}

#' @rdname coef.sparserls_fit
#' @export
residuals.sparserls_cv <- function(object, s = default_s(object), type = c("training", "held-out"),
                                   ...) {
  check_dots(..., known = names(formals()))
  cv_residuals(object, s, type)
}

#' @export
nobs.sparserls_cv <- function(object, ...) nobs(final_fit(object))
