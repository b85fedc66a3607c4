# Methods of the fits of all families: coefficients, fitted values. (Those that users of lm() expect
# are in fit-model-methods.R, prints and summaries in describe.R.)

#' @export
nobs.sparserls_fit <- function(object, ...) {
  object$nobs
}

#' Coefficients, fitted values and residuals
#'
#' Coefficients of a fit, or of a cross-validation's fit to all rows, and its values for the
#' training rows; of a cross-validation also the held-out ones.
#'
#' @param object a fit of [sparserls()], [rls()] or [rls2()], or a result of a `cv.` function. (Of
#'   [ardrls()] see [coef.ardrls()], of [greedyrls()] [coef.greedyrls()].)
#' @param s values of lambda as in [predict.sparserls_fit()]; for fitted values and residuals
#'   values of the path only. Of `cv.` results the default is `"lambda.min"`, of [cv.ardrls()]
#'   `"penalty.1se"`.
#' @param type of `cv.` results: `"training"` for fitted values and residuals of the fit to all
#'   rows, which has seen them, or, with `keep = TRUE`, `"held-out"` for those of the
#'   cross-validation: every row is predicted without its fold. Rows that are not
#'   scored are NA; a row that several folds score has the mean of its predictions. Offsets are
#'   included; with a `family` fitted values are means, and `residuals()` has its own `type`, see
#'   [predict.glmrls()].
#' @param ... unused.
#' @return `coef()`: with a linear kernel the intercept and the slopes on the user's scale of x;
#'   with other kernels the intercept and the coefficients of the basis vectors, named by row. A
#'   matrix, coefficients x lambdas, or an array, coefficients x outputs x lambdas. Of [rls2()] the
#'   slopes of features are `d_i s_i (X'c)_i` (formula 12), zero for features without weight; of
#'   kernels there are the intercept and the coefficients c_j of the rows, `f(x) = b0 + sum_j c_j
#'   sum_i d_i s_i k_i(x, x_j)`. Between values of its path the problem is solved anew. `fitted()`
#'   and `residuals()`: as [predict.sparserls_fit()]. `residuals()` of classes are those of the
#'   -1/+1 codes.
#' @section Which fitted values are kept: All of them where rows x outputs x lambdas are at most a
#'   million numbers; otherwise those of `lambda.min` and `lambda.1se` in the fit of a
#'   cross-validation, and none in other fits. Where they are not kept, `predict(fit, newdata = x, s
#'   = s)` with the training rows has them (but for the shift by `jitter`, see [sparserls()]);
#'   `fitted()` and `residuals()` end in an error of class `sparserls_error_lambda`. Held-out ones
#'   are kept with `keep = TRUE` alone, of all values; without it they end in an error of class
#'   `sparserls_error_keep`.
#' @examples
#' set.seed(1)
#' fit <- sparserls(lpsa ~ . - train, data = prostate, basis = 20, kernel = kernel_linear())
#' coef(fit, s = 1)
#'
#' cv <- cv.sparserls(lpsa ~ . - train, data = prostate, basis = 20, keep = TRUE)
#' c(training = mean(residuals(cv)^2), held_out = mean(residuals(cv, type = "held-out")^2))
#' @aliases coef.rls2
#' @export
coef.sparserls_fit <- function(object, s = NULL, ...) {
  check_dots(..., known = names(formals()))
  coefficients_of(object, s)
}

# What coef() answers. at: s, or k.
coefficients_of <- function(fit, at) {
  check_format(fit)
  values <- warn_coefficients(path_coefficients(fit, path_points(fit, at)))
  terms <- rownames(values)
  labels <- path_labels(fit, at)
  shape <- c(nrow(values), ncol(fit$response$y), length(labels))
  if (shape[2] == 1) return(matrix(values, shape[1], dimnames = list(terms, labels)))
  array(values, shape, list(terms, fit$response$outputs, labels))
}

warn_coefficients <- function(values) {
  if (!all(is.finite(values))) {
    warn("range", "Coefficients leave the range of numbers.", NULL,
         "Rescale `y` or `x`; predict() does not need them.")
  }
  values
}

path_coefficients.default <- function(fit, points) {
  check_expansion(fit, "coefficients")
  coefficient_values(fit, coefficients_at(fit$spectrum, points))
}

# Of an expansion at some points, with names.
coefficient_values <- function(fit, solved) {
  values <- if (has_slopes(fit$kernel)) slopes(fit, solved) else {
    rbind(as.vector(solved$a0), matrix(solved$alpha, nrow(solved$alpha)))
  }
  rownames(values) <- coefficient_names(fit)
  values
}

slope_names <- function(object) {
  if (is.null(object$columns)) paste0("V", seq_len(object$blueprint$p)) else object$columns
}

# f(x) = a0 + sum_j a_j x_j'(x - centre) / scale: slopes of x and the intercept.
slopes <- function(object, solved) {
  beta <- matrix(solved$alpha, nrow(solved$alpha))
  if (!is.null(object$basis)) beta <- crossprod(densify(object$points)$x, beta)
  features <- object$kernel$features
  full <- matrix(0, object$blueprint$p, ncol(beta))
  full[if (is.null(features)) seq_len(nrow(full)) else features, ] <- beta
  standard <- object$standard
  if (is.null(standard)) return(rbind(as.vector(solved$a0), full))
  full <- full / standard$scale
  rbind(as.vector(solved$a0) - colSums(full * standard$centre), full)
}

#' @rdname coef.sparserls_fit
#' @export
fitted.sparserls_fit <- function(object, s = NULL, ...) {
  check_dots(..., known = names(formals()))
  predict_at(final_fit(object), s)
}

#' @rdname coef.sparserls_fit
#' @export
residuals.sparserls_fit <- function(object, s = NULL, ...) {
  check_dots(..., known = names(formals()))
  residuals_at(object, s)
}

coefficient_names <- function(fit) {
  c("(Intercept)", if (has_slopes(fit$kernel)) slope_names(fit) else fit$basis_labels)
}
