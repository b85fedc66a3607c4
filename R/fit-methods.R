# Methods of the fits of all families and their cross-validations: coefficients, fitted values, and
# what users of lm() and glmnet() expect. (Prints and summaries are in describe.R; update() is that
# of stats: it needs the call and formula().)

#' @export
nobs.sparserls_fit <- function(object, ...) object$nobs

# f(fit, at) of a fit or of that of a cross-validation, at s or k as users give it. ...: the dots of
# the method.
at_values <- function(object, f, asked, ...) {
  check_dots(..., known = above())
  f(final_fit(object), cv_values(object, asked))
}

# The method that answers f at s.
at_s <- function(f) function(object, s = NULL, ...) at_values(object, f, s, ...)

#' Coefficients, fitted values and residuals
#'
#' Coefficients, fitted values and residuals of a fit, or of a cross-validation's fit to all rows;
#' for a cross-validation also the held-out ones.
#'
#' @param object a fit of [sparserls()], [rls()] or [rls2()], or a result of a `cv.` function. (For
#'   [ardrls()] see [coef.ardrls()], for [greedyrls()] [coef.greedyrls()].)
#' @param s values of lambda as in [predict.sparserls_fit()]; for fitted values and residuals only
#'   values of the path. For `cv.` results the default is `"lambda.min"`, for [cv.ardrls()]
#'   `"penalty.1se"`.
#' @param type for `cv.` results: `"training"` for fitted values and residuals of the fit to all
#'   rows, which has seen them, or, with `keep = TRUE`, `"held-out"` for those of the
#'   cross-validation: every row is predicted without its fold. Rows that are not scored are NA; a
#'   row that several folds score gets the mean of its predictions. Offsets are included; with a
#'   `family` fitted values are means, and `residuals()` has its own `type`, see [predict.glmrls()].
#' @param ... unused.
#' @return `coef()`: with a linear kernel the intercept and the slopes on the user's scale of x;
#'   with other kernels the intercept and the coefficients of the basis vectors, named by row. A
#'   matrix, coefficients x lambdas, or an array, coefficients x outputs x lambdas. For [rls2()] the
#'   slopes of features are `d_i s_i (X'c)_i` (formula 12), zero for features without weight; with
#'   kernels there are the intercept and the coefficients c_j of the rows,
#'   `f(x) = b0 + sum_j c_j sum_i d_i s_i k_i(x, x_j)`. Between values of its path the problem is
#'   solved again. `fitted()` and `residuals()`: as [predict.sparserls_fit()]. `residuals()` of
#'   classes are those of the -1/+1 codes.
#' @section Which fitted values are kept: All of them where rows x outputs x lambdas are at most a
#'   million numbers; otherwise those of `lambda.min` and `lambda.1se` in the fit of a
#'   cross-validation, and none in other fits. If they are not kept, `fitted()` and `residuals()`
#'   raise an error of class `sparserls_error_lambda`; `predict(fit, newdata = x, s = s)` with the
#'   training rows computes them (except for the shift by `jitter`, see [sparserls()]). Held-out
#'   ones are kept, at all values, only with `keep = TRUE`; without it they raise an error of class
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
coef.sparserls_fit <- at_s(coefficients_of)

# What coef() answers. at: s, or k.
coefficients_of <- function(fit, at) {
  values <- path_coefficients(fit, path_points(fit, at))
  names <- list(rownames(values), fit$response$outputs, path_labels(fit, at))
  v <- output_count(fit)
  kept <- c(TRUE, v > 1, TRUE)
  array(values, c(nrow(values), v, length(names[[3]]))[kept], names[kept])
}

path_coefficients.default <- function(fit, points) {
  check_expansion(fit, "coefficients")
  coefficient_values(fit, expansion_at(fit, points))
}

# For an expansion at some points, with names.
coefficient_values <- function(fit, solved) {
  values <- if (has_slopes(fit$kernel)) slopes(fit, solved) else {
    rbind(as.vector(solved$a0), matrix(solved$alpha, nrow(solved$alpha)))
  }
  rownames(values) <- coefficient_names(fit)
  values
}

slope_names <- function(object) {
  object$columns %||% paste0("V", seq_len(object$blueprint$p))
}

# f(x) = a0 + sum_j a_j x_j'(x - centre) / scale: slopes of x and the intercept.
slopes <- function(object, solved) {
  beta <- matrix(solved$alpha, nrow(solved$alpha))
  if (!is.null(object$basis)) beta <- crossprod(densify(object$points)$x, beta)
  features <- object$kernel$features
  full <- matrix(0, object$blueprint$p, ncol(beta))
  full[features %||% seq_len(nrow(full)), ] <- beta
  standard <- object$standard
  if (is.null(standard)) return(rbind(as.vector(solved$a0), full))
  full <- full / standard$scale
  rbind(as.vector(solved$a0) - colSums(full * standard$centre), full)
}

#' @rdname coef.sparserls_fit
#' @export
fitted.sparserls_fit <- at_s(fitted_at)

#' @rdname coef.sparserls_fit
#' @export
residuals.sparserls_fit <- at_s(residuals_at)

coefficient_names <- function(fit) {
  c("(Intercept)", if (has_slopes(fit$kernel)) slope_names(fit) else fit$basis_labels)
}

# ---- what users of lm() and glmnet() expect --------------------------------------------------

# What is said of a single model is of the fit at one point of the path: a list of this `fit`, its
# `lambda`, and `known`, what knows of standard errors: the object, or outer_fits().
single_fit <- function(object, s) {
  fit <- final_fit(object)
  fit_at(fit, path_point(fit, cv_values(object, s)), object)
}

#' Deviance, residual standard deviation, formula, model frame and matrix, weights
#'
#' Methods that users of [stats::lm()] expect. [stats::update()] works too: `update(fit, . ~ . - x)`
#' for fits by a formula, `update(fit, lambda = 1)` for all; `update(cv$fit)` fits with the kernel
#' and, for [cv.greedyrls()], the lambda that the cross-validation has chosen.
#'
#' @param object a fit of [sparserls()], [rls()], [rls2()], [ardrls()] or
#'   [greedyrls()], or a result of their `cv.` functions.
#' @param s values of lambda in the path, or of penalty for [ardrls()]; `NULL`: the whole path. The
#'   default for a `cv.` result is `"lambda.min"`, for [cv.ardrls()] `"penalty.1se"`.
#' @param k numbers of features, see [predict.greedyrls()]; `NULL`: all that were selected, one
#'   value.
#' @param ... for `model.frame()` and `model.matrix()` arguments that replace those of the call,
#'   such as `data`; otherwise unused.
#' @return `deviance()`: the weighted residual sum of squares `RSS`, over all outputs, for every
#'   lambda (every `k`). `sigma()`: `sqrt(RSS / (m - df - 1))`, without an intercept
#'   `sqrt(RSS / (m - df))`; m counts rows of positive weight, df are the effective degrees of
#'   freedom (for several outputs both are summed), for [greedyrls()] those of ridge regression with
#'   the selected features taken as given. NaN if no degree of freedom is left. `formula()`,
#'   `terms()`, `model.frame()` and `model.matrix()` are those of the call, the last two evaluated
#'   again; fits without a formula have none (`sparserls_error_formula`). The model matrix has the
#'   columns of x as numbers, and a constant where there is an intercept. `weights()`: one for each
#'   row.
#' @examples
#' fit <- rls(lpsa ~ . - train, data = prostate, subset = train, lambda = c(10, 1))
#' deviance(fit)
#' sigma(fit, s = 1)
#' update(fit, . ~ . - age)
#' @rawNamespace S3method(formula, sparserls_fit, fit_formula)
#' @rawNamespace S3method(formula, sparserls_cv, fit_formula)
#' @rawNamespace S3method(terms, sparserls_fit, fit_terms)
#' @rawNamespace S3method(terms, sparserls_cv, fit_terms)
#' @rawNamespace S3method(model.frame, sparserls_fit, fit_frame)
#' @rawNamespace S3method(model.frame, sparserls_cv, fit_frame)
#' @rawNamespace S3method(model.matrix, sparserls_fit, fit_matrix)
#' @rawNamespace S3method(model.matrix, sparserls_cv, fit_matrix)
#' @rawNamespace S3method(weights, sparserls_fit, fit_weights)
#' @rawNamespace S3method(weights, sparserls_cv, fit_weights)
#' @name fit_methods
NULL

fit_terms <- function(x, ...) {
  check_dots(...)
  terms <- final_fit(x)$terms
  must(!is.null(terms), "formula", "The fit has no formula.", NULL,
       "It was made from a matrix or data frame `x` and a response `y`.")
  terms
}

fit_formula <- function(x, ...) formula(fit_terms(x, ...))

# ...: arguments that replace those of the call.
fit_frame <- function(formula, ...) {
  given <- list(...)
  terms <- fit_terms(formula)
  fit <- final_fit(formula)
  must(length(given) == sum(names(given) != ""), "dots",
       "Arguments that replace those of the call need names.", NULL,
       "Write data = ..., for example.")
  must(is.null(fit$chunks) || !is.null(given$data), "formula",
       "A fit to rows in chunks has no model frame.", NULL, "Give rows in memory as `data`.")
  call <- frame_call(fit$call, frame_arguments)
  call$formula <- terms
  for (name in names(given)) call[[name]] <- given[[name]]
  tryCatch({
    call$data <- raw_values(eval(call$data, environment(terms)))
    for (name in intersect(c("weights", "offset"), names(call))) {
      # A string names a column.
      value <- eval(call[[name]], call$data, environment(terms))
      if (is_string(value)) call[[name]] <- as.name(value)
    }
    eval(call, environment(terms))
  }, error = function(e) {
    abort("formula", "The model frame of the fit cannot be made again.", conditionMessage(e),
          "Give the rows as `data`.")
  })
}

# As coef() has its terms, where f is linear.
fit_matrix <- function(object, ...) {
  fit <- final_fit(object)
  frame <- fit_frame(object, ..., xlev = fit$blueprint$xlevels)
  x <- blueprint_matrix(fit$blueprint, frame, "data")
  if (intercept_of(fit)) cbind(`(Intercept)` = 1, x) else x
}

fit_weights <- function(object, ...) {
  check_dots(...)
  fit <- final_fit(object)
  naresid(fit$na.action, setNames(fit$weights, fit$rownames))
}

#' @rdname fit_methods
#' @export
deviance.sparserls_fit <- at_s(residual_squares)

# The weighted sum of squares of residuals, at s as users give it. Fits with widths have theirs in
# each of the fits at the points of the path.
residual_squares <- function(fit, at) {
  if (!is.null(fit$fits)) vapply(fit$fits[path_points(fit, at)], residual_squares, 0, NULL)
  else if (!is.null(fit$dev.ratio)) {
    ((1 - fit$dev.ratio) * fit$nulldev)[path_positions(fit, at)]
  } else {
    colSums(fit$weights * (as.vector(fit$response$y) - kept_scores(fit, at))^2, dims = 2)
  }
}

df_at.default <- function(fit, at) {
  if (is.null(fit$df)) NA_real_ else path_df(fit)[path_positions(fit, at)]
}

#' @rdname fit_methods
#' @export
deviance.sparserls_cv <- at_default_s(deviance.sparserls_fit)

intercept_of <- function(fit) if (is.null(fit$fits)) fit$intercept else fit$fits[[1]]$intercept

# The root of RSS over the degrees of freedom that are left, summed over outputs.
residual_sd <- function(fit, at) {
  if (has_family(fit)) {
    stop_likelihood("standard deviation of residuals", "deviance() says how well they fit.")
  }
  left <- trained_rows(fit) - df_at(fit, at) - intercept_of(fit)
  sqrt(residual_squares(fit, at) / ifelse(left > 0, output_count(fit) * left, NaN))
}

#' @rdname fit_methods
#' @export
sigma.sparserls_fit <- at_s(residual_sd)

#' @rdname fit_methods
#' @export
sigma.sparserls_cv <- at_default_s(sigma.sparserls_fit)
