# Methods that users of lm() and glmnet() expect, for the fits of all families and their
# cross-validations. update() is that of stats: it needs the call and formula().

# The fit to all rows, of the format that this version reads.
final_fit <- function(object) {
  check_format(object)
  if (inherits(object, "sparserls_cv")) object$fit else object
}

# What is said of a single model is of the fit at one point of the path: a list of this `fit`, its
# `lambda`, and `known`, what knows of standard errors: the object, or outer_fits(). refuse: what
# refuses fits that there is nothing to be said of.
single_fit <- function(object, s, refuse = function(fit) NULL) {
  fit <- final_fit(object)
  refuse(fit)
  fit_at(fit, path_point(fit, cv_values(object, s)), object)
}

#' Deviance, residual standard deviation, formula, model frame and matrix, weights
#'
#' Methods that users of [stats::lm()] expect. [stats::update()] works too: `update(fit, . ~ . - x)`
#' for fits by a formula, `update(fit, lambda = 1)` for all; and `update(cv$fit)` fits with the
#' kernel and, for [cv.greedyrls()], the lambda that the cross-validation has chosen.
#'
#' @param object a fit of [sparserls()], [rls()], [rls2()], [ardrls()] or
#'   [greedyrls()], or a result of their `cv.` functions.
#' @param s values of lambda in the path, of [ardrls()] of penalty; `NULL`: the whole path. The
#'   default of a `cv.` result is what it predicts at: `"lambda.min"`, of [cv.ardrls()]
#'   `"penalty.1se"`.
#' @param k numbers of features, see [predict.greedyrls()]; `NULL`: all that were selected, one
#'   value.
#' @param ... for `model.frame()` and `model.matrix()` arguments that replace those of the call,
#'   such as `data`; otherwise unused.
#' @return `deviance()`: the weighted residual sum of squares `RSS`, over all outputs, for every
#'   lambda (every `k`). `sigma()`: `sqrt(RSS / (m - df - 1))`, without an intercept
#'   `sqrt(RSS / (m - df))`; m counts rows of positive weight, df are the effective degrees of
#'   freedom (of several outputs the sums of both over outputs), for [greedyrls()] those of ridge
#'   regression on the selected features as if they had been given. NaN where no degree of freedom
#'   is left.
#'   `formula()`, `terms()`, `model.frame()` and `model.matrix()`, the last two evaluated anew, are
#'   those of the call; fits without a formula have none (`sparserls_error_formula`). The model
#'   matrix has the columns of x as numbers, and a constant where there is an intercept.
#'   `weights()`: one for each row.
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
  check_dots(..., known = "x")
  terms <- final_fit(x)$terms
  if (is.null(terms)) {
    abort("formula", "The fit has no formula.", NULL,
          "It was made from a matrix or data frame `x` and a response `y`.")
  }
  terms
}

fit_formula <- function(x, ...) {
  terms <- fit_terms(x, ...)
  stats::formula(terms)
}

fit_frame <- function(formula, ...) frame_again(formula, list(...))

# given: arguments that replace those of the call.
frame_again <- function(object, given = list()) {
  terms <- fit_terms(object)
  fit <- final_fit(object)
  if (length(given) != sum(names(given) != "")) {
    abort("dots", "Arguments that replace those of the call need names.", NULL,
          "Write data = ..., for example.")
  }
  if (!is.null(fit$chunks) && is.null(given$data)) {
    abort("formula", "A fit to rows in chunks has no model frame.", NULL,
          "Give rows in memory as `data`.")
  }
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
  check_dots(..., known = "object")
  fit <- final_fit(object)
  stats::naresid(fit$na.action, setNames(fit$weights, fit$rownames))
}

#' @rdname fit_methods
#' @export
deviance.sparserls_fit <- function(object, s = NULL, ...) {
  check_dots(..., known = names(formals()))
  check_format(object)
  residual_squares(object, s)
}

residual_squares.default <- function(fit, at) {
  if (!is.null(fit$dev.ratio)) {
    return(((1 - fit$dev.ratio) * fit$nulldev)[path_positions(fit, at)])
  }
  residuals <- as.vector(fit$response$y) - kept_scores(fit, at)
  colSums(fit$weights * residuals^2, dims = 2)
}

df_at.default <- function(fit, at) {
  if (is.null(fit$df)) NA_real_ else path_df(fit)[path_positions(fit, at)]
}

#' @rdname fit_methods
#' @export
deviance.sparserls_cv <- function(object, s = default_s(object), ...) {
  check_dots(..., known = names(formals()))
  deviance(final_fit(object), cv_values(object, s))
}

# Fits with widths have theirs in each of the fits at the points of the path.
intercept_of <- function(fit) if (is.null(fit$fits)) fit$intercept else fit$fits[[1]]$intercept

# The root of RSS over the degrees of freedom that are left, summed over outputs.
residual_sd <- function(fit, at) {
  left <- trained_rows(fit) - df_at(fit, at) - intercept_of(fit)
  sqrt(residual_squares(fit, at) / ifelse(left > 0, ncol(fit$response$y) * left, NaN))
}

#' @rdname fit_methods
#' @export
sigma.sparserls_fit <- function(object, s = NULL, ...) {
  check_dots(..., known = names(formals()))
  check_format(object)
  residual_sd(object, s)
}

#' @rdname fit_methods
#' @export
sigma.sparserls_cv <- function(object, s = default_s(object), ...) {
  check_dots(..., known = names(formals()))
  sigma(final_fit(object), cv_values(object, s))
}
