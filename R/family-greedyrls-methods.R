# What greedy fits answer, and their methods, which have `k` in place of `s`.

# The method that answers f(fit, at) at k; default: of k.
by_k <- function(f, default = NULL) {
  method <- function(object, k = NULL, ...) at_values(object, f, k, ...)
  formals(method)["k"] <- list(default)
  method
}

selection_error <- function(fit) if (fit$criterion == "loo") fit$loo else fit$holdout

criterion_label <- function(fit) {
  if (fit$criterion == "loo") "leave-one-out error" else "hold-out error"
}

describe.greedyrls <- function(object) {
  k <- length(object$selected)
  feature <- slope_names(object)[object$selected]
  error <- selection_error(object)
  list(
    lines = greedy_lines(object, k),
    path = list(k = seq_len(k), feature = feature, error = error),
    printed = list(Feature = feature, Column = object$selected, Error = error),
    numbers = list(nterms = object$blueprint$p, k = k, lambda = object$lambda,
                   criterion = object$criterion, error = error[k])
  )
}

# k: how many of the features that were selected are in use.
greedy_lines <- function(fit, k) {
  fit_lines(fit, c(sprintf("%d of %d features selected by %s", k, fit$blueprint$p,
                           criterion_label(fit)),
                   paste("lambda", format(fit$lambda, digits = 4))))
}

describe.cv.greedyrls <- function(object) {
  found <- NextMethod()
  fit <- object$fit
  found$model <- greedy_lines(fit, object$k.min)
  feature <- slope_names(fit)[fit$selected]
  found$features <- paste("Features in order of selection:",
                          enumerate(head(feature, object$k.min), 20))
  column <- object$index["min", "Lambda"]
  found$curve <- list(feature = feature, selection = selection_error(fit),
                      cvm = object$cvm[, column], cvsd = object$cvsd[, column])
  found$details <- c(found$details,
                     "selection: the mean squared error that guided the selection")
  end <- match(object$lambda.min, range(object$lambda))
  most <- nrow(object$cvm)
  found$notes <- c(
    if (length(object$lambda) > 1 && !is.na(end)) {
      c(sprintf("lambda.min is the %s lambda of the grid: %s values may do better.",
                c("smallest", "largest")[end], c("smaller", "larger")[end]),
        sprintf("Give `lambda` a grid that reaches further %s.", c("down", "up")[end]))
    },
    if (object$k.min == most && most > 1 && most < fit$blueprint$p) {
      sprintf("k.min is the largest k, %d: more features may do better. Give a larger `k`.", most)
    }
  )
  found
}

chosen_arguments.cv.greedyrls <- function(cv) {
  list(lambda = cv$lambda.min,
       none = if (cv$fit$criterion == "loo") c("foldid", "groups", "folds"))
}

# Points are numbers of features; NULL: all that were selected.
path_axis.greedyrls <- function(fit) {
  most <- length(fit$selected)
  new_axis("k", seq_len(most), function(k) {
    if (is.null(k)) return(most)
    must(is.numeric(k) && length(k) > 0 && !anyNA(k) && all(k == round(k) & k >= 1 & k <= most),
         "k", sprintf("`k` must be whole numbers from 1 to %d, the number of selected features.",
                      most), shown(k))
    as.integer(k)
  }, "numbers of features", "Features", argument = "k",
           labels = function(points) sprintf("k%d", points), title = "Number of features")
}

#' Predictions after some steps of a greedy selection
#'
#' Predicts new rows with the features of any number of steps.
#'
#' @param object a fit of [greedyrls()] or a result of [cv.greedyrls()].
#' @param newdata,type,interval,level,se.fit,noise,threshold,file,unknown,outside as in
#'   [predict.sparserls_fit()]. Features that are not in use may be missing or outside. The fits of
#'   `"jackknife+"` selected their features without the fold; `"gp"` takes the selection as given.
#' @param k numbers of features: the fits with the first `k` selected ones. `NULL`: all that were
#'   selected; for `cv` results also `"k.min"`, the default, and `"k.1se"`.
#' @param ... unused.
#' @return As for [predict.sparserls_fit()], with values of k instead of lambdas, named `k1`, `k2`
#'   and so on.
#' @section Errors: As for [predict.sparserls_fit()], and `sparserls_error_k` for numbers of
#'   features outside the path.
#' @examples
#' fit <- greedyrls(lpsa ~ . - train, data = prostate, k = 4)
#' predict(fit, prostate[1:3, ], k = 1:4)
#' predict(fit, prostate[1:3, ], k = 4, interval = "gp")
#' @export
predict.greedyrls <- function(object, newdata, k = if (inherits(object, "sparserls_cv")) "k.min",
                              type = c("response", "class", "prob"), ..., interval = "none",
                              level = 0.9, se.fit = FALSE, noise = c("df", "reml"),
                              threshold = NULL, file = NULL, unknown = c("error", "as rare"),
                              outside = c("warn", "clip", "na")) {
  # Behind the dots, so that `s` is no abbreviation.
  check_dots(...)
  predict_model(object, newdata, k, asked_of(environment()))
}

#' @rdname predict.greedyrls
#' @export
predict.cv.greedyrls <- predict.greedyrls

kept_scores.greedyrls <- function(object, at) {
  greedy_scores(object$expansion, object$points, path_points(object, at))
}

coded_scores.greedyrls <- function(object, x, at) {
  greedy_scores(object$expansion, expansion_points(object$expansion, x), at)
}

#' Coefficients, fitted values and residuals of a greedy selection
#'
#' The fit after any number of steps.
#'
#' @inheritParams predict.greedyrls
#' @param type for [cv.greedyrls()]: `"training"` for the fit to all rows, or, with `keep = TRUE`,
#'   `"held-out"`.
#' @return `coef()`: the intercept and the slopes on the user's scale of x, zero for features that
#'   are not selected; coefficients x (outputs x) values of k. `fitted()` and `residuals()`: as
#'   [predict.greedyrls()]; residuals of classes are those of the -1/+1 codes.
#' @examples
#' fit <- greedyrls(lpsa ~ . - train, data = prostate, k = 4)
#' coef(fit, k = c(1, 4))
#' @export
coef.greedyrls <- by_k(coefficients_of)

path_coefficients.greedyrls <- function(fit, points) {
  expansion <- fit$expansion
  slopes <- expansion$beta[, , points, drop = FALSE] / expansion$scale
  values <- array(0, c(fit$blueprint$p + 1, dim(slopes)[-1]))
  values[expansion$features + 1, , ] <- slopes
  values[1, , ] <- expansion$a0 - colSums(slopes * expansion$centre)
  matrix(values, nrow(values), dimnames = list(c("(Intercept)", slope_names(fit)), NULL))
}

#' @rdname coef.greedyrls
#' @export
fitted.greedyrls <- by_k(fitted_at)

#' @rdname coef.greedyrls
#' @export
residuals.greedyrls <- by_k(residuals_at)

#' @rdname coef.greedyrls
#' @export
coef.cv.greedyrls <- by_k(coefficients_of, "k.min")

#' @rdname coef.greedyrls
#' @export
fitted.cv.greedyrls <- function(object, k = "k.min", type = c("training", "held-out"), ...) {
  cv_rows(object, k, type, fitted_at, ...)
}

#' @rdname coef.greedyrls
#' @export
residuals.cv.greedyrls <- function(object, k = "k.min", type = c("training", "held-out"), ...) {
  cv_rows(object, k, type, residuals_at, ...)
}

#' @rdname fit_methods
#' @export
deviance.greedyrls <- by_k(residual_squares)

#' @rdname fit_methods
#' @export
deviance.cv.greedyrls <- by_k(deviance, "k.min")

#' @rdname fit_methods
#' @export
sigma.greedyrls <- by_k(residual_sd)

#' @rdname fit_methods
#' @export
sigma.cv.greedyrls <- by_k(sigma, "k.min")

df_at.greedyrls <- function(fit, at) {
  vapply(path_points(fit, at), function(k) gp_view(fit, k)$df[[1]], 0)
}

gp_view.greedyrls <- function(fit, at) {
  step <- seq_len(at)
  v <- output_count(fit)
  view <- coordinate_view(
    columns_at(fit$points, step), fit$response$y, fit$weights, fit$lambda, fit$intercept,
    fit$intercept, function(x) columns_at(expansion_points(fit$expansion, x), step)
  )
  each <- function(x) matrix(view$variance(x), nrow(x), v)
  new_view(fit, each, view$rss, view$penalty, rep(view$df, v))
}

expansion_terms.greedyrls <- function(object) length(object$selected)
