# Predictions: values of the path, scores of coded rows, and what users see of them.

#' Predictions
#'
#' Predicts numbers, classes or probabilities of new rows at any lambda of the path, with prediction
#' intervals and standard errors.
#'
#' @param object a fit of [sparserls()], [rls()] or [rls2()], or a result of their `cv.` functions.
#'   (See also [predict.ardrls()], [predict.greedyrls()] and [predict.glmrls()].)
#' @param newdata new rows, in the form of the fit's `x` or `data`. Columns are matched by name if
#'   both have names; others are ignored. Rows with missing values are predicted as NA,
#'   unless the fit used [na_level()]. For a precomputed kernel: the kernel values of new rows with
#'   all training rows. Without `newdata`: the fitted values.
#' @param s any values of lambda within the range of the path, each solved exactly, or (except for
#'   [rls2()]) [lambda_df()]. `NULL`: the whole path. For `cv.` results also
#'   `"lambda.min"`, the default, and `"lambda.1se"`; with `by.output`, `"lambda.min.output"` or
#'   `"lambda.1se.output"` take each output at its own lambda.
#' @param type `"response"`, on the scale of y (scores for classes), `"class"`, or `"prob"`, the
#'   probabilities of the classes (`cv.` results, at `lambda.min` or `lambda.1se`).
#' @param interval `"none"`; or, for numeric responses and one value of `s`, a prediction interval:
#'   `"jackknife+"`, from the refits of a cross-validation with `keep = TRUE`, or `"gp"`, from the
#'   Gaussian-process view.
#' @param level of the interval, between 0 and 1 (default here 0.9; 0.95 in `confint()` and curves).
#' @param se.fit whether to add standard errors from the Gaussian-process view.
#' @param noise for `"gp"` and `se.fit`: how the noise variance is estimated, by `"df"`, as in
#'   [sigma()][fit_methods], or `"reml"`, by restricted likelihood.
#' @param threshold for `type = "class"`, two classes and `cv.` results: the smallest probability at
#'   which the second class is predicted. `NULL`: by the sign of the score.
#' @param newoffset the offset of the new rows, one number or one per row. Required if the fit has
#'   an offset that is not a term of its formula.
#' @param outside how to treat rows outside the training data: `"warn"`, predict with a warning of
#'   class `sparserls_warning_outside`; `"clip"`, limit the numeric features of all rows to their
#'   training ranges, then predict; `"na"`, predict NA.
#' @param unknown how to treat levels of factors that the fit has not seen: `"error"`, or
#'   `"as rare"`, see below.
#' @param file for `newdata` in chunks: a new file that the predictions are written to.
#' @param ... unused.
#' @return A vector for one output and one lambda; otherwise a matrix, rows x lambdas or rows x
#'   outputs, or an array, rows x outputs x lambdas. Classes: a factor, or for several lambdas a
#'   data frame of factors. Probabilities: a matrix, rows x classes. With `interval`: a matrix with
#'   the columns `fit`, `lwr` and `upr`, or for several outputs an array, rows x outputs x these
#'   three. With `se.fit`: a list of `fit` and `se.fit`, of the same shape.
#' @section Intervals by refits: For each training row i, `"jackknife+"` (Barber and others, 2021;
#'   CV+ with folds of several rows) predicts the new row by the refit without i, and adds and
#'   subtracts the absolute held-out residual of i. With m rows and
#'   `u = ceiling(level (m + 1))`, the ends are the u-th largest difference and the u-th smallest
#'   sum; for u > m they are infinite, with a warning of class `sparserls_warning_interval`.
#'   For exchangeable rows the guaranteed coverage is about `1 - 2 (1 - level)`; in practice it is
#'   near `level` (`vignette("uncertainty")`), with few groups higher (for 0.9, about 0.93 with 18
#'   subjects and 0.96 with 12). Selection among many kernels or features makes intervals too short.
#'
#'   With `groups` the interval is for a row of a *new* group, and m is the number of groups. Each
#'   group has total weight one, split among its rows in proportion to their weights; the ends are
#'   where the cumulative shares reach `level (m + 1)`.
#'
#'   Intervals by refits exist only at `lambda.min` and `lambda.1se`, and only if no row is held out
#'   twice.
#' @section The Gaussian-process view: A fit is the posterior mean under `y = b + f(x) + noise` with
#'   noise variance `s2 / w`, covariance `(s2 / lambda) k` of f, and a flat prior for b. Standard
#'   errors include the uncertainty of b and of the part of f that the basis vectors miss; intervals
#'   add s2 and use quantiles of t.
#'
#'   They assume constant variance (or inversely proportional to the weights), independent rows, and
#'   a lambda, kernel and basis that were fixed in advance. For clustered rows they are far too
#'   small. Precomputed kernels have no standard errors.
#' @section Probabilities: A cross-validation calibrates its held-out scores by sigmoids (Platt,
#'   2000). The calibration ignores [class_weights()] but uses other weights of rows: probabilities
#'   reflect class shares in the training rows under these weights. Probabilities of training rows
#'   (without `newdata`) are too extreme; `plot(cv, "calibration")` shows those of held-out rows.
#' @section Decisions: For several classes, `type = "class"` predicts the one with the largest
#'   score. For two, if predicting the second class for a row of the first costs a, and the reverse
#'   b, the threshold `a / (a + b)` minimizes expected cost. For several take the probabilities `p`
#'   (`type = "prob"`) and a matrix `cost`, true x predicted class:
#'   `colnames(p)[max.col(-p %*% cost, "first")]`.
#' @section Rows outside: A row lies outside if a numeric feature exceeds its training range by more
#'   than that range's length. With a kernel of differences (Gaussian, Laplacian, Matern) it also
#'   lies outside if it is farther from the nearest basis vector than any training row is (itself
#'   excluded). Fits to rows in chunks check the ranges only; custom and precomputed kernels have no
#'   check.
#' @section Unknown levels: With `unknown = "as rare"` a warning of class
#'   `sparserls_warning_unknown` counts rows with levels that the fit has not seen. Kernels of
#'   differences place such a level equally far from every known one; kernels of inner products, and
#'   [greedyrls()], take the mean of known levels, weighted by frequency. If neither is possible (as
#'   for linear kernels with rows in chunks), there is an error of class `sparserls_error_argument`.
#' @section Rows in chunks: `newdata` may be [chunks]. With `file` predictions are written to a CSV
#'   file chunk by chunk, with the `key` of the chunks (if any) and the columns of the result; the
#'   file name is returned invisibly. An existing file is not overwritten.
#' @section Errors: `sparserls_error_newdata` for columns, types or levels that do not fit;
#'   `sparserls_error_lambda` for values outside the path; `sparserls_error_offset` for missing
#'   offsets; and `sparserls_error_keep`, `sparserls_error_folds` or `sparserls_error_argument` for
#'   unavailable intervals and probabilities.
#' @references Barber, R. F., Candes, E. J., Ramdas, A. and Tibshirani, R. J. (2021) Predictive
#'   inference with the jackknife+. *Annals of Statistics* 49, 486-507.
#'
#'   Platt, J. (2000) Probabilities for SV machines. *Advances in Large Margin Classifiers*, 61-74,
#'   MIT Press.
#' @examples
#' set.seed(1)
#' cv <- cv.sparserls(lpsa ~ . - train, data = prostate, subset = train, basis = 20, keep = TRUE)
#' predict(cv, prostate[!prostate$train, ][1:3, ], interval = "jackknife+")
#'
#' predict(cv, prostate[1:3, ], s = c(1, 0.1))
#' predict(cv, prostate[1:3, ], se.fit = TRUE)
#'
#' cv <- cv.sparserls(Species ~ ., data = iris, basis = 30, nlambda = 10)
#' predict(cv, iris[c(1, 51, 101), ], type = "prob")
#'
#' cv <- cv.rls(lpsa > 2.5 ~ . - train, data = prostate)
#' predict(cv, prostate[48:51, ], type = "class", threshold = 0.8)
#' @export
predict.sparserls_fit <- function(object, newdata, s = NULL,
                                  type = c("response", "class", "prob"), interval = "none",
                                  level = 0.9, se.fit = FALSE, noise = c("df", "reml"), ...,
                                  threshold = NULL, file = NULL, unknown = c("error", "as rare"),
                                  newoffset = NULL, outside = c("warn", "clip", "na")) {
  check_dots(...)
  predict_model(object, newdata, s, asked_of(environment()))
}

#' @rdname predict.sparserls_fit
#' @export
predict.sparserls_cv <- at_default_s(predict.sparserls_fit)

# What predict() is asked apart from rows and points of the path, a list; NULL where a method has no
# such argument. here: the frame of a method.
asked_of <- function(here) {
  mget(c("type", names(no_uncertainty), "threshold", "file", names(rows_as_given), "newoffset"),
       here, ifnotfound = list(NULL))
}

# Where nothing is asked about uncertainty, and nothing about new rows.
no_uncertainty <- list(interval = "none", level = 0.9, se.fit = FALSE, noise = c("df", "reml"))
rows_as_given <- list(unknown = c("error", "as rare"), outside = c("warn", "clip", "na"))

# The same for rows in memory, with what read_uncertainty() answers, `wanted`.
asked_in_memory <- function(asked, no_rows) {
  if (!is.null(asked$file)) {
    abort("argument", "`file` is for `newdata` in chunks.", shown(asked$file),
          "Predictions of rows in memory are written by write.csv().")
  }
  # The rows of the fit have their own.
  if (no_rows && !is.null(asked$newoffset)) {
    abort("offset", "`newoffset` is for `newdata`.", NULL, "Give both.")
  }
  uncertain <- asked[names(no_uncertainty)]
  if (!identical(uncertain, no_uncertainty)) asked$wanted <- do.call(read_uncertainty, uncertain)
  asked
}

# New rows where unknown levels and rows outside have been placed as was asked: as given, or coded
# with features moved to their ranges ("clip"), or marked for new_scores() ("na").
placed_rows <- function(fit, newdata, asked) {
  if (identical(asked[names(rows_as_given)], rows_as_given)) return(newdata)
  unknown <- check_choice(asked$unknown, rows_as_given$unknown, "unknown")
  outside <- check_choice(asked$outside, rows_as_given$outside, "outside")
  if (unknown == "as rare") newdata <- place_unknown(fit, newdata)
  if (outside == "warn") return(newdata)
  x <- forge(fit$blueprint, newdata)
  if (outside == "na") attr(x, "leave_out") <- TRUE
  else if (!is.null(fit$ranges)) x <- clipped(x, fit$ranges)
  as_coded(x, rownames(newdata))
}

# object: a fit or its cross-validation; at: s, or k; answer: a function like predict_rows_of().
predict_model <- function(object, newdata, at, asked, answer = predict_rows_of) {
  if (!missing(newdata) && inherits(newdata, "sparserls_chunks")) {
    return(predict_chunks(object, newdata, at, asked, function(...) predict_model(..., answer)))
  }
  fit <- final_fit(object)
  asked <- asked_in_memory(asked, missing(newdata))
  if (missing(newdata)) return(answer(object, fit, , at, asked))
  if (!is.null(fit$offset) || !is.null(asked$newoffset)) {
    asked$offset <- new_offset(fit, newdata, asked$newoffset)
  }
  predicted <- answer(object, fit, placed_rows(fit, newdata, asked), at, asked)
  # Those of a family have it in their linear predictors.
  if (is.null(asked$offset) || has_family(fit)) predicted else plus_offset(predicted, asked$offset)
}

# Without offsets of new rows.
predict_rows_of <- function(object, fit, newdata, at, asked) {
  crossed <- inherits(object, "sparserls_cv")
  type <- check_predict_type(asked$type, fit)
  threshold <- asked$threshold
  if (!is.null(threshold)) check_threshold(threshold, type, fit$response, crossed)
  if (!is.null(asked$wanted)) {
    return(predict_uncertain(object, newdata, cv_values(object, at), type, asked$wanted))
  }
  if (type == "prob" || !is.null(threshold)) {
    return(predict_probabilities(object, newdata, at, threshold))
  }
  if (!by_output(object, at)) {
    axis <- path_axis(fit)
    return(predict_at(fit, cv_values(object, at, axis), newdata, type, axis))
  }
  # Every output at its own lambda has scores first, classes from them.
  scores <- at_chosen(object, at, predict_at, newdata)
  if (type == "class") label_classes(scores, fit$response, at)
  else label_predictions(scores, fit$response, at)
}
