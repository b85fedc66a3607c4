#' Tidy results
#'
#' Methods for the generics of the packages generics (broom) and ggplot2, registered when those are
#' loaded.
#'
#' @param x,object a fit of [sparserls()], [rls()] or [rls2()], or a result of their `cv.`
#'   functions.
#' @param data,newdata rows to predict, as for [predict.sparserls_fit()]; without both, the training
#'   rows.
#' @param s one value of lambda, as in [predict.sparserls_fit()].
#' @param ... unused.
#' @return Data frames. `tidy()` of a fit: `term, lambda, estimate` (and `output`); of a `cv.`
#'   result: `lambda, estimate, std.error, conf.low, conf.high, df`, the error curve. `glance()`:
#'   one row. `augment()`: the data with `.fitted` (and `.resid` for training rows of a single
#'   output). `autoplot()`: a ggplot of the error curve.
#' @examples
#' set.seed(1)
#' cv <- cv.sparserls(lpsa ~ . - train, data = prostate, basis = 30, nlambda = 10)
#' if (requireNamespace("generics", quietly = TRUE)) {
#'   generics::tidy(cv)
#'   generics::glance(cv)
#' }
#' @name tidiers
NULL

#' @rdname tidiers
#' @exportS3Method generics::tidy
tidy.sparserls_fit <- function(x, s = NULL, ...) {
  check_dots(..., known = names(formals()))
  values <- coef(x, s = s)
  lambda <- path_values(x, s)
  shape <- dim(values)
  terms <- dimnames(values)[[1]]
  if (length(shape) == 2) {
    return(data.frame(term = rep(terms, shape[2]), lambda = rep(lambda, each = shape[1]),
                      estimate = as.vector(values)))
  }
  outputs <- output_names(x$response)
  data.frame(term = rep(terms, prod(shape[-1])),
             output = rep(rep(outputs, each = shape[1]), shape[3]),
             lambda = rep(lambda, each = shape[1] * shape[2]), estimate = as.vector(values))
}

#' @rdname tidiers
#' @exportS3Method generics::tidy
tidy.sparserls_cv <- function(x, ...) {
  check_dots(..., known = names(formals()))
  data.frame(lambda = x$lambda, estimate = x$cvm, std.error = x$cvsd, conf.low = x$cvlo,
             conf.high = x$cvup, df = path_df(x$fit))
}

#' @rdname tidiers
#' @exportS3Method generics::glance
glance.sparserls_fit <- function(x, ...) {
  check_dots(..., known = names(formals()))
  data.frame(nobs = x$nobs, nterms = ncol(x$spectrum$map), kernel = format(x$kernel),
             npath = length(x$lambda))
}

#' @rdname tidiers
#' @exportS3Method generics::glance
glance.sparserls_cv <- function(x, ...) {
  check_dots(..., known = names(formals()))
  data.frame(lambda.min = x$lambda.min, lambda.1se = x$lambda.1se,
             estimate = x$cvm[x$index["min", 1]], std.error = x$cvsd[x$index["min", 1]],
             measure = names(x$name), nobs = nobs(x))
}

#' @rdname tidiers
#' @exportS3Method generics::augment
augment.sparserls_cv <- function(x, data = NULL, newdata = NULL, s = "lambda.min", ...) {
  check_dots(..., known = names(formals()))
  augment.sparserls_fit(x$fit, data, newdata, cv_lambda(x, s))
}

#' @rdname tidiers
#' @exportS3Method generics::augment
augment.sparserls_fit <- function(x, data = NULL, newdata = NULL, s = min(x$lambda), ...) {
  check_dots(..., known = names(formals()))
  if (length(s) != 1) abort("lambda", "`s` must be a single value of lambda here.", describe(s))
  rows <- if (is.null(newdata)) data else newdata
  values <- if (is.null(rows)) predict(x, s = s) else predict(x, rows, s = s)
  shape <- dim(values)
  values <- matrix(values, shape[1])
  fitted <- if (ncol(values) == 1) values[, 1] else {
    colnames(values) <- output_names(x$response)
    I(values)
  }
  out <- if (is.null(rows)) data.frame(.rownames = seq_len(shape[1])) else as.data.frame(rows)
  out$.fitted <- fitted
  if (is.null(rows) && ncol(values) == 1) out$.resid <- x$response$y[, 1] - fitted
  out
}

output_names <- function(response) {
  if (is.null(response$outputs)) paste0("y", seq_len(ncol(response$y))) else response$outputs
}

#' @rdname tidiers
#' @exportS3Method ggplot2::autoplot
autoplot.sparserls_cv <- function(object, ...) {
  check_dots(..., known = names(formals()))
  curves <- do.call(rbind, lapply(object$curves, function(curve) {
    data.frame(kernel = format(curve$kernel), lambda = curve$lambda, estimate = curve$cvm)
  }))
  best <- tidy.sparserls_cv(object)
  # Aesthetics by name, so that no variable looks global to R CMD check.
  column <- function(...) do.call(ggplot2::aes, lapply(list(...), as.name))
  figure <- ggplot2::ggplot(best, column(x = "lambda", y = "estimate")) +
    ggplot2::geom_linerange(column(ymin = "conf.low", ymax = "conf.high"), colour = "grey60") +
    ggplot2::geom_vline(xintercept = c(object$lambda.min, object$lambda.1se), linetype = "dashed",
                        colour = "grey40") +
    ggplot2::geom_point(colour = "red") +
    ggplot2::scale_x_log10() +
    ggplot2::labs(x = expression(lambda), y = object$name[[1]])
  if (length(object$curves) == 1) return(figure)
  figure + ggplot2::geom_line(column(x = "lambda", y = "estimate", colour = "kernel"), curves)
}
