# Methods of fits with one width for each feature, and of their cross-validation. A fit holds one of
# sparserls() for every penalty, `fits`.

path_axis.ardrls <- function(fit) {
  penalty <- fit$penalty
  new_axis("penalty", penalty,
           function(s) if (is.null(s)) seq_along(penalty) else read_penalties(s, penalty),
           words = "values of the penalty", chosen = c("1se", "min"), title = "Penalty")
}

# s as positions among the penalties.
read_penalties <- function(s, penalty) {
  if (!is.numeric(s) || length(s) == 0 || anyNA(s)) {
    abort("penalty", "`s` must be numbers, values of the penalty.", describe(s))
  }
  at <- match(signif(s, 10), signif(penalty, 10))
  # As they are printed.
  at <- ifelse(is.na(at), match(format_values(s), format_values(penalty)), at)
  if (anyNA(at)) {
    abort("penalty", "`s` is not on the path of `penalty`.", format(s[is.na(at)][1]),
          sprintf("The path is %s.", enumerate(format_values(penalty), 12)))
  }
  at
}

# How many features, and which, starting with the most relevant, carry a given share of the sum of
# gammas.
carrying_features <- function(relevance, share = 0.95) {
  order <- order(relevance, decreasing = TRUE)
  sums <- cumsum(relevance[order])
  order[seq_len(which(sums >= share * sums[length(sums)])[1])]
}

carrying_counts <- function(fit) {
  unname(apply(fit$relevance, 2, function(gamma) length(carrying_features(gamma))))
}

describe_fit.ardrls <- function(fit) {
  basis <- vapply(fit$fits, function(step) length(step$basis), 0L)
  kernel <- fit$fits[[1]]$kernel
  chosen <- trimws(sprintf("%s basis vectors %s", enumerate(unique(basis)),
                           c(fit$fits[[1]]$selector, "")[1]))
  c(sprintf("%s, %s, %s kernel with a width for each of %s", describe_rows(fit), chosen,
            kernel_trait(kernel, "label"), counted(length(kernel$gamma), "feature")),
    describe_response(fit$response))
}

# Points of the path for prints and summaries.
penalty_table <- function(fit) {
  data.frame(penalty = fit$penalty, lambda = fit$lambda, loss = fit$loss,
             df = vapply(fit$fits, path_df, 0), features = carrying_counts(fit))
}

#' @export
print.ardrls <- function(x, digits = max(3, getOption("digits") - 3), ...) {
  check_model(x)
  cat("\nCall: ", deparse1(x$call), "\n\n", sep = "")
  cat(describe_fit(x), "", sep = "\n")
  table <- penalty_table(x)
  print(data.frame(Penalty = format_values(table$penalty), Lambda = signif(table$lambda, digits),
                   Loss = signif(table$loss, digits), Df = signif(table$df, digits),
                   Features = table$features))
  cat("\nLoss: the error that was minimized. Features: how many carry 95 % of the relevance.\n")
  invisible(x)
}

#' @rdname summary.sparserls_fit
#' @export
summary.ardrls <- function(object, ...) {
  check_dots(..., known = "object")
  check_model(object)
  new_summary(object, describe_fit(object), penalty_table(object), 12)
}

#' Predictions at penalties
#'
#' Predicts new rows with the fits along a path of penalties.
#'
#' @param object a fit of [ardrls()] or a result of [cv.ardrls()].
#' @param newdata new rows, as in [predict.sparserls_fit()]. Without `newdata`: the fitted values.
#' @param s values of the path of penalties, as they are or as they are printed; `NULL`: all of
#'   them; for `cv` results also `"penalty.1se"` and `"penalty.min"`.
#' @param type `"response"` for predictions on the scale of y (scores for classes), `"class"` for
#'   the predicted class; of `cv` results of classes `"prob"`, probabilities calibrated on the outer
#'   held-out scores, at `"penalty.1se"` or `"penalty.min"`.
#' @param interval,level,se.fit,noise as in [predict.sparserls_fit()]. `"jackknife+"` takes the fits
#'   and the residuals of the outer folds (cv.ardrls() with `keep = TRUE`), never the error that was
#'   minimized; with `outer = "split"` it is a split conformal interval. `"gp"` and `se.fit` take
#'   widths and lambda as known.
#' @param threshold of the probability of the second of two classes, for `type = "class"` of `cv`
#'   results, as in [predict.sparserls_fit()].
#' @param file for `newdata` in [chunks], as in [predict.sparserls_fit()].
#' @param unknown what is done with levels of factors in `newdata` that the fit has not seen, as in
#'   [predict.sparserls_fit()].
#' @param ... unused.
#' @return A matrix, rows x penalties; for several outputs an array, rows x outputs x penalties.
#'   Classes: a factor for one penalty, a data frame of factors for several. Probabilities,
#'   intervals and standard errors as of [predict.sparserls_fit()].
#' @section Errors: `sparserls_error_newdata` for columns, types or levels that do not fit,
#'   `sparserls_error_penalty` for values that are not in the path.
#' @examples
#' set.seed(1)
#' fit <- ardrls(lpsa ~ . - train, data = prostate, basis = 20, penalty = c(Inf, 1))
#' predict(fit, prostate[1:3, ])
#' @export
predict.ardrls <- function(object, newdata, s = NULL, type = c("response", "class", "prob"),
                           interval = c("none", "jackknife+", "gp"), level = 0.9, se.fit = FALSE,
                           noise = c("df", "reml"), ...,
                           threshold = NULL, file = NULL, unknown = c("error", "as rare")) {
  check_dots(..., known = names(formals()))
  if (!missing(newdata) && is_chunks(newdata)) {
    return(predict_chunks(object, newdata, file, s = s, type = type, interval = interval,
                          level = level, se.fit = se.fit, noise = noise, threshold = threshold,
                          unknown = unknown))
  }
  check_no_file(file)
  if (!missing(newdata)) newdata <- place_unknown(object, newdata, unknown)
  predict_fit(object, newdata, s, type, interval, level, se.fit, noise, threshold)
}

# at: a position in the path, as of path_points().
gp_view.ardrls <- function(fit, at) gp_view(fit$fits[[at]], fit$fits[[at]]$lambda)

expansion_terms.ardrls <- function(object) {
  max(vapply(object$fits, function(fit) expansion_terms(fit), 0L))
}

kept_scores.ardrls <- function(object, at) {
  fits <- object$fits[path_points(object, at)]
  scores <- lapply(fits, function(fit) kept_scores(fit, NULL))
  array(unlist(scores), c(dim(scores[[1]])[1:2], length(scores)))
}

coded_scores.ardrls <- function(object, x, at) step_scores(object$fits[at], x)

#' Coefficients, fitted values and residuals at penalties
#'
#' Coefficients of the fits along a path of penalties, and their values for the training rows.
#'
#' @inheritParams predict.ardrls
#' @param s for `coef()` one value of the path, by default its last; otherwise as in
#'   [predict.ardrls()].
#' @return `coef()`: as [coef.sparserls_fit()], one column. `fitted()` and `residuals()`: as
#'   [predict.ardrls()]; residuals of classes are those of the -1/+1 codes.
#' @examples
#' set.seed(1)
#' fit <- ardrls(lpsa ~ . - train, data = prostate, basis = 20, penalty = c(Inf, 1))
#' head(coef(fit))
#' @export
coef.ardrls <- function(object, s = min(object$penalty), ...) {
  check_dots(..., known = names(formals()))
  check_model(object)
  coef(object$fits[[path_point(object, s)]])
}

#' @rdname derivatives
#' @export
derivatives.ardrls <- function(object, newdata, s = min(object$penalty), type = NULL,
                               weights = NULL, ...) {
  check_dots(..., known = names(formals()))
  check_model(object)
  width_derivatives(no_outer_fits(), object, path_point(object, s), newdata, type, weights)
}

# outer: of outer_fits(); at: a position on the path.
width_derivatives <- function(outer, object, at, newdata, type, weights) {
  fit <- path_fit(object, at)
  new_derivatives(outer, fit, effect_rows(fit, newdata, weights), fit$lambda, type)
}

# The fit at a position on the path, with the call of the whole.
path_fit <- function(object, at) replace(object$fits[[at]], "call", list(object$call))

#' @rdname coef.ardrls
#' @export
fitted.ardrls <- function(object, s = NULL, ...) {
  check_dots(..., known = names(formals()))
  predict(object, s = s)
}

#' @rdname coef.ardrls
#' @export
residuals.ardrls <- function(object, s = NULL, ...) {
  check_dots(..., known = names(formals()))
  residuals_at(object, s)
}

#' @rdname fit_methods
#' @export
deviance.ardrls <- function(object, s = NULL, ...) {
  check_dots(..., known = names(formals()))
  check_model(object)
  vapply(object$fits[path_points(object, s)], deviance, 0)
}

#' @rdname fit_methods
#' @export
sigma.ardrls <- function(object, s = NULL, ...) {
  check_dots(..., known = names(formals()))
  check_model(object)
  vapply(object$fits[path_points(object, s)], sigma, 0)
}
