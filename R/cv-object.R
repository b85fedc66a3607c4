# The cv object of all families, class `sparserls_cv`: fields as glmnet's users know them, and its
# methods. With by.output = TRUE every output has a lambda of its own, too, chosen from the held-out
# predictions of the best candidate: all outputs share its kernel and basis.

# best: the curve, fit and held-out predictions of the best candidate; curves: of all candidates. A
# choice at an edge is noted.
new_cv <- function(problem, folds, best, curves) {
  curve <- best$curve
  measure <- problem$validation$measure
  cv <- structure(
    c(
      list(call = problem$call), path_fields(curve, measure$maximize),
      if (!is.null(curve$output)) output_fields(curve),
      list(name = setNames(measure$label, measure$type), rule = problem$validation$rule,
           foldid = folds$foldid, nfolds = length(folds$folds),
           omits.more = omits_more(folds$folds)),
      if (!is.null(folds$groups)) list(ngroups = nlevels(droplevels(folds$groups))),
      if (!is.null(curve$kernel)) search_fields(curve, curves),
      picked(best, c("performance", "calibration", "fit.preval", "refits", "covariance", "fit")),
      best$own
    ),
    class = c(paste0("cv.", class(best$fit)[[1]]), "sparserls_cv")
  )
  warn_shift(cv$fit, cv$index[, 1])
  notes <- describe(cv)$notes
  if (length(notes)) inform(paste(notes, collapse = "\n"))
  with_calls(cv, problem$call)
}

# Errors in the shape of the path, and what was chosen: one axis, lambda; or two, the first with one
# value for each row.
path_fields <- function(curve, maximize) {
  path <- curve$path
  errors <- list(cvm = curve$cvm, cvsd = curve$cvsd, cvup = curve$cvm + curve$cvsd,
                 cvlo = curve$cvm - curve$cvsd)
  axis <- names(path)[1]
  values <- path[[1]]
  along <- path_choice(curve$index)
  points <- setNames(as.list(values[along]), paste(axis, names(along), sep = "."))
  index <- matrix(along, dimnames = list(names(along), sub("^l", "L", axis)))
  if (length(path) == 1) return(c(unclass(path), errors, points, list(index = index)))
  rows <- length(values)
  lambda <- path$lambda
  column <- curve$index[["column"]]
  # The best on the first axis for each lambda.
  at <- vapply(split(seq_along(curve$cvm), rep(seq_along(lambda), each = rows)), function(at) {
    at[best_of(curve$cvm[at], maximize, curve$squared[at])]
  }, 1L)
  best <- data.frame(lambda, values[(at - 1L) %% rows + 1L], curve$cvm[at], curve$cvsd[at])
  names(best) <- c("lambda", names(points)[1], "cvm", "cvsd")
  c(list(lambda = lambda), lapply(errors, matrix, rows, dimnames = list(seq_len(rows), NULL)),
    points, list(lambda.min = lambda[column], index = cbind(index, Lambda = column),
                 lambdas = best))
}

# What was searched in addition to the path.
search_fields <- function(best, curves) {
  shown <- lapply(curves, function(curve) {
    c(picked(curve, c("kernel", "size", "walk", "squares")), list(lambda = curve$path$lambda),
      curve[c("cvm", "cvsd")], list(index = path_choice(curve$index)))
  })
  list(kernel = best$kernel, size = best$size, kernels = kernel_table(shown), curves = shown)
}

# Those of its fields that a list has.
picked <- function(x, names) x[intersect(names, names(x))]

# ---- every output alone ---------------------------------------------------------------------

check_by_output <- function(measure, response) {
  must(ncol(response$y) > 1, "argument", "`by.output = TRUE` needs several outputs.", "1 output")
  together <- identical(measure$loss, "class") || (is_class(response) && isTRUE(measure$as_given))
  must(!together, "measure", "`by.output = TRUE` needs a measure that exists for a single output.",
       measure$label, "Use type.measure = \"mse\" or \"mae\".")
}

# For every output its errors, points of the path x outputs, and the positions of its lambda.min and
# lambda.1se.
output_curves <- function(problem, found) {
  response <- problem$design$response
  found <- lapply(seq_len(ncol(response$y)), function(j) {
    held <- found$held
    held$scores <- held$scores[, j, , drop = FALSE]
    problem$design$response$y <- response$y[, j, drop = FALSE]
    error <- choice_errors(held, problem)
    c(error, list(index = path_choice(chosen_points(problem, found$path, held, error))))
  })
  table <- function(name) {
    values <- joined(found, name, cbind)
    colnames(values) <- output_names(response)
    values
  }
  list(cvm = table("cvm"), cvsd = table("cvsd"), index = table("index"))
}

# Fields of the cv object: errors, lambdas x outputs, and the chosen lambda of each output.
output_fields <- function(curve) {
  output <- curve$output
  axis <- names(curve$path)[1]
  must(axis == "lambda", "argument", "`by.output = TRUE` needs a path of `lambda`.",
       sprintf("a path of `%s`", axis))
  at <- function(which) setNames(curve$path$lambda[output$index[which, ]], colnames(output$index))
  list(cvm.output = output$cvm, cvsd.output = output$cvsd, lambda.min.output = at("min"),
       lambda.1se.output = at("1se"))
}

# ---- values of its fit ------------------------------------------------------------------------

# method(fit, s, ...) of a cross-validation's fit. With lambda.min.output, or lambda.1se.output, it
# is an array with one value of the path, each output at its own lambda. (Predictions lose this
# dimension by label_predictions().)
at_chosen <- function(object, s, method, ...) {
  fit <- final_fit(object)
  if (!by_output(object, s)) return(method(fit, cv_values(object, s), ...))
  own <- object[[s]]
  must(!is.null(own), "lambda", sprintf("There is no \"%s\".", s), NULL,
       "Cross-validate with `by.output = TRUE`.")
  lambda <- unique(unname(own))
  values <- method(fit, lambda, ...)
  names <- list(rownames(values), colnames(values), s)
  dim(values) <- c(nrow(values), length(own), length(lambda))
  each <- lapply(seq_along(own), function(j) values[, j, match(own[[j]], lambda)])
  array(unlist(each), c(nrow(values), length(own), 1), names)
}

# What fitted() and residuals() answer, `values` of a fit at s or k, and of scores of its rows: its
# own or, with keep = TRUE, held-out ones. ...: the dots of the method.
cv_rows <- function(object, at, type, values, ...) {
  check_dots(..., known = above())
  held <- check_choice(type, c("training", "held-out"), "type") == "held-out"
  found <- at_chosen(object, at, function(fit, at) {
    if (held) values(fit, at, held_out_scores(object, at)) else values(fit, at)
  })
  if (by_output(object, at)) label_predictions(found, object$fit$response, at) else found
}

# The method that answers them at s.
cv_rows_at_s <- function(values) {
  function(object, s = default_s(object), type = c("training", "held-out"), ...) {
    cv_rows(object, s, type, values, ...)
  }
}

# The held-out predictions that are kept, offset included, rows x outputs x values of the path; NA
# of rows that are not scored. at: for the fit.
held_out_scores <- function(cv, at) {
  fit <- cv$fit
  must(!is.null(cv$fit.preval), "keep",
       if (is.null(fit$chunks)) "The cross-validation has not kept its held-out predictions."
       else "Held-out predictions of rows in chunks are not in memory.", NULL,
       if (is.null(fit$chunks)) "Cross-validate with keep = TRUE."
       else if (is.null(cv$predictions)) "Give `keep` a folder: they are written there."
       else "The field `predictions` names their files.")
  name <- path_axis(fit)$name
  must(is_on_path(fit, at), name,
       sprintf("Held-out predictions exist only for the values of `%s` in the path.", name),
       shown(at), sprintf("Cross-validate with a `%s` that has them.", name))
  points <- path_positions(fit, at)
  # Where there are two axes, at what was chosen on the second.
  if (ncol(cv$index) == 2) points <- points + nrow(cv$cvm) * (cv$index[["min", 2]] - 1L)
  array(cv$fit.preval, c(fit$nobs, output_count(fit), length(cv$cvm)))[, , points, drop = FALSE]
}

#' @rdname coef.sparserls_fit
#' @export
coef.sparserls_cv <- function(object, s = default_s(object), ...) {
  check_dots(...)
  at_chosen(object, s, coef)
}

#' @rdname coef.sparserls_fit
#' @export
fitted.sparserls_cv <- cv_rows_at_s(fitted_at)

#' @rdname coef.sparserls_fit
#' @export
residuals.sparserls_cv <- cv_rows_at_s(residuals_at)

#' @export
nobs.sparserls_cv <- function(object, ...) nobs(final_fit(object))
