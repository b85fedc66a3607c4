# Methods of others: a list of plain functions, own_method(), becomes a family by the few verbs of
# verbs.R that have no default. It is the one to copy for a new family of the package, too.

#' Methods of your own
#'
#' You write a method of estimation as two functions; it gets what all methods here have: formulas,
#' factors, honest cross-validation with groups, intervals, prints and plots. `own()` fits it,
#' `cv.own()` cross-validates it along its path.
#'
#' @inheritParams sparserls
#' @inheritParams cv.sparserls
#' @param formula,data,subset,na.action as in [sparserls()], with rows in memory as `data`.
#' @param x numeric matrix, data frame or Matrix of any class; it is made dense.
#' @param method a result of `own_method()`.
#' @param name of the method, for prints.
#' @param path a list of one element with the name of the path: its values, from the simplest model
#'   on (lambda falls, numbers of features grow), such as `list(lambda = c(1, 0.1))`, or a
#'   `function(x, y, weights)` that returns them. Predictions exist only at these values.
#' @param train,predict,coef functions, see below; either `predict` or `coef`.
#' @param y,weights,standardize,nfolds,foldid,groups,strata,folds as in [cv.rls()].
#' @param type.measure,rule,keep,by.output,outer,progress as in [cv.rls()].
#' @return `own_method()`: an object of class `own_method`. `own()`: of class `own`, a list with the
#'   values of the path under its name, the `method` and the trained `model`. `cv.own()`: of class
#'   `cv.own`, with the fields of [cv.rls()]; chosen values are named after the path, such as
#'   `lambda.min`.
#' @section What the functions take and return: There are n rows of positive weight with p columns,
#'   v outputs and q values of the path.
#'   * `train(x, y, weights, path)` returns the model for the whole path, any value except `NULL`.
#'     `x` is a numeric matrix, n x p, standardized unless `standardize = FALSE`, with factors coded
#'     as numbers; `y` a numeric matrix, n x v (classes are codes, -1 and 1; more than two have a
#'     column each); `weights` n positive numbers; `path` the q numbers. It is called for every fold
#'     with the other rows and the path of all rows, and must use nothing else.
#'   * `coef(model)`, for a method that is linear in `x`, returns intercepts and slopes, an array
#'     (1 + p) x v x q, or with one output a matrix (1 + p) x q.
#'   * `predict(model, x)`, for other methods, returns predictions of the rows of `x` (perhaps a
#'     single one, without missing values): an array rows x v x q, or with one output a matrix rows
#'     x q.
#'
#'   `source(system.file("check-method.R", package = "sparserls"))` defines `check_method()`, which
#'   runs a method through all of this and reports what is wrong.
#'   `system.file("toylasso", package = "sparserls")` is a whole package with a method, the lasso.
#' @section Limits: Methods run in the main session and may draw random numbers. Data are dense and
#'   in memory. Offsets, standard errors and effects are not supported.
#' @section Errors: As in [rls()]; `sparserls_error_method` for an invalid method, or results of
#'   another shape or with values that are not finite; and `sparserls_error_` with the name of the
#'   path if its values are not ordered.
#' @examples
#' # Means of y, weighted by a Gaussian of the distance.
#' smoother <- function(width = c(4, 2, 1, 0.7)) {
#'   own_method(
#'     "smoother", path = list(width = width),
#'     train = function(x, y, weights, path) list(x = x, y = y, weights = weights, width = path),
#'     predict = function(model, x) {
#'       squares <- outer(rowSums(x^2), rowSums(model$x^2), "+") - 2 * tcrossprod(x, model$x)
#'       scores <- array(0, c(nrow(x), ncol(model$y), length(model$width)))
#'       for (l in seq_along(model$width)) {
#'         near <- exp(-squares / (2 * model$width[l]^2))
#'         scores[, , l] <- near %*% (model$weights * model$y) / drop(near %*% model$weights)
#'       }
#'       scores
#'     }
#'   )
#' }
#' set.seed(1)
#' cv <- cv.own(lpsa ~ . - train, prostate, method = smoother(), subset = train, keep = TRUE)
#' cv
#' predict(cv, prostate[!prostate$train, ][1:3, ], interval = "jackknife+")
#'
#' source(system.file("check-method.R", package = "sparserls"))
#' check_method(smoother)
#' @aliases sparserls_methods
#' @export
own <- function(x, ...) UseMethod("own")

#' @rdname own
#' @export
own.default <- with_defaults(function(x, y, method, weights, standardize, ...) {
  public_call(fit_problem, own_problem(read_arguments("own", ...)))
})

#' @rdname own
#' @export
own.formula <- function(formula, data, ..., subset, na.action, weights) {
  from_formula("own", formula, data, ...)
}

#' @rdname own
#' @export
cv.own <- function(x, ...) UseMethod("cv.own")

#' @rdname own
#' @export
cv.own.default <- with_defaults(function(x, y, method, weights, standardize,
  nfolds, foldid, groups, strata, folds, type.measure, rule, keep, by.output, outer, progress,
  ...) {
  public_call(cross_validate, own_problem(read_arguments("cv.own", ...)))
})

#' @rdname own
#' @export
cv.own.formula <- function(formula, data, ..., subset, na.action, weights, foldid, groups, strata) {
  from_formula("cv.own", formula, data, ...)
}

#' @rdname own
#' @export
own_method <- function(name, path, train, predict = NULL, coef = NULL) {
  functions <- vapply(list(train, predict, coef), is.function, NA)
  must(length(path) == 1 && any(nzchar(names(path))) && functions[1] && sum(functions) == 2,
       "method", "A method needs a path with a name, `train`, and either `predict` or `coef`.",
       NULL, "Give path = list(lambda = ), for example, and functions.")
  structure(list(name = name, path = path, train = train, predict = predict, coef = coef),
            class = "own_method")
}

own_problem <- function(asked) {
  must(inherits(asked$method, "own_method"), "method", "`method` must be a result of own_method().",
       shown(asked$method))
  design <- dense_design(asked_design(asked))
  must(design$intercept, "formula", "own() takes no formula without an intercept.", NULL,
       "The method has its own intercept: leave out - 1.")
  new_problem("own", asked, design, new_validation(asked, design), "method")
}

train.own_problem <- function(problem, candidate, path = NULL) {
  rows <- problem$weights > 0
  method <- problem$method
  x <- rows_at(problem$points$x, rows)
  y <- rows_at(problem$y, rows)
  weights <- problem$weights[rows]
  if (is.null(path)) {
    path <- method$path
    if (is.function(path[[1]])) path[[1]] <- path[[1]](x, y, weights)
    must(is.numeric(path[[1]]) && length(path[[1]]) > 0, names(path),
         sprintf("A path of `%s` must be numbers.", names(path)), shown(path[[1]]))
    path <- do.call(new_path, path)
  }
  list(candidate = candidate, path = path, model = method$train(x, y, weights, path[[1]]))
}

# The predictions of a model for rows of x, rows x outputs x values of the path. shape: how many of
# the last two.
own_scores <- function(method, model, x, shape) {
  if (!nrow(x)) return(array(0, c(0, shape)))
  if (is.null(method$coef)) {
    return(own_answer("predict", method$predict(model, x), c(nrow(x), shape)))
  }
  b <- own_answer("coef", method$coef(model), c(1 + ncol(x), shape))
  array(cbind(1, x) %*% matrix(b, nrow(b)), c(nrow(x), shape))
}

own_answer <- function(what, values, shape) {
  must(is.numeric(values) && NROW(values) == shape[1] && length(values) == prod(shape) &&
         all(is.finite(values)), "method",
       sprintf("`%s` of the method must return finite numbers, %s.", what,
               paste(shape, collapse = " x ")), shown(values))
  array(values, shape)
}

predict_rows.own_problem <- function(problem, model, rows) {
  own_scores(problem$method, model$model, rows_at(problem$points$x, rows),
             c(ncol(problem$y), length(model$path[[1]])))
}

finish.own_problem <- function(problem, begun, choice = NULL) {
  model <- begun$model
  scores <- predict_rows(problem, model, seq_len(nrow(problem$y)))
  new_fit(problem, "own", c(
    model$path, list(intercept = TRUE, linear = !is.null(problem$method$coef)),
    problem["standard"], kept_fitted(scores, choice), problem["method"], model["model"]
  ))
}

coded_scores.own <- function(object, x, at) {
  shape <- c(output_count(object), length(path_axis(object)$values))
  complete <- rowSums(is.na(x)) == 0
  new <- new_points(object, as.matrix(rows_at(x, complete)))$x
  scores <- array(NA_real_, c(nrow(x), shape[1], length(at)))
  scores[complete, , ] <- own_scores(object$method, object$model, new, shape)[, , at]
  scores
}

path_axis.own <- function(fit) {
  name <- names(fit$method$path)
  values <- fit[[name]]
  new_axis(name, values, function(s) {
    if (is.null(s)) return(seq_along(values))
    at <- if (is.numeric(s)) match_points(s, values) else NA
    must(length(at) && !anyNA(at), name, sprintf("`s` is not on the path of `%s`.", name), shown(s))
    at
  }, paste("values of", name), name)
}

path_coefficients.own <- function(fit, points) {
  if (is.null(fit$method$coef)) return(path_coefficients.default(fit, points))
  b <- fit$method$coef(fit$model)
  dim(b) <- c(nrow(b), output_count(fit), length(path_axis(fit)$values))
  b <- matrix(b[, , points], nrow(b))
  structure(slopes(fit, list(a0 = b[1, ], alpha = rows_at(b, -1))),
            dimnames = list(c("(Intercept)", slope_names(fit)), NULL))
}
