# The cv object of all families, class `sparserls_cv`: fields as glmnet's users know them, and its
# methods.

# best: the curve, fit and held-out predictions of the best candidate; curves: of all candidates. A
# choice at an edge is said.
new_cv <- function(problem, folds, best, curves) {
  curve <- best$curve
  measure <- problem$validation$measure
  cv <- structure(
    c(
      list(call = problem$call), path_fields(curve, problem),
      if (!is.null(curve$output)) output_fields(curve),
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
  notes <- describe(cv)$notes
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
