# Predictions: values of the path, scores of coded rows, and what users see of them.

#' Predictions
#'
#' Predicts new rows, with classes, probabilities, prediction intervals and standard errors, at any
#' lambda of the path.
#'
#' @param object a fit of [sparserls()], [rls()] or [rls2()], or a result of their `cv.` functions.
#'   (For [ardrls()] see [predict.ardrls()], for [greedyrls()] [predict.greedyrls()], with a
#'   `family` [predict.glmrls()].)
#' @param newdata new rows, as `x` or `data` of the fit. Columns are matched by name where both
#'   have names: extra ones are ignored, their order does not matter. Rows of a data frame with
#'   missing values are predicted as NA. With a precomputed kernel: the matrix of kernel values of
#'   new rows with all training rows. Without `newdata`: the fitted values, as
#'   [fitted()][coef.sparserls_fit] has them.
#' @param s values of lambda within the path, or (not for [rls2()]) [lambda_df()]; between the
#'   values of the path they are solved for exactly. `NULL` means the whole path; for `cv.` results
#'   also `"lambda.min"`, the default, and `"lambda.1se"`, and with `by.output`
#'   `"lambda.min.output"` or `"lambda.1se.output"`: every output at its own.
#' @param type `"response"` for predictions on the scale of y (scores for classes), `"class"` for
#'   the predicted class, `"prob"` for the probabilities of the classes (`cv.` results, at
#'   `lambda.min` or `lambda.1se`).
#' @param interval `"none"` or, for numeric responses and one value of `s`, `"jackknife+"`, a
#'   prediction interval from the refits of a cross-validation with `keep = TRUE` (CV+ with folds of
#'   several rows or groups), or `"gp"`, one from the Gaussian-process view.
#' @param level of the interval, between 0 and 1.
#' @param se.fit whether to add standard errors of the predictions, of the Gaussian-process view.
#' @param noise how that view estimates the variance of the noise: `"df"`, the residual sum of
#'   squares by rows less degrees of freedom, as [sigma()][fit_methods]; or `"reml"`, restricted
#'   likelihood.
#' @param threshold for `type = "class"` of two classes and `cv.` results: rows whose probability of
#'   the second class is at least this are predicted as the second. `NULL`: by the sign of the
#'   score.
#' @param file for `newdata` in chunks: the name of a new file that the predictions are written to.
#' @param unknown what is done with levels of factors that the fit has not seen: `"error"`, or
#'   `"as rare"`, see below.
#' @param newoffset for fits with an `offset`: that of the new rows, a number for each of them, or a
#'   single one. It must be given where the fit's was given as values; otherwise it takes the place
#'   of what the formula says of `newdata`.
#' @param outside what is done with rows of `newdata` that lie outside of the training rows:
#'   `"warn"`, a warning of class `sparserls_warning_outside` with their number; `"clip"`,
#'   features are first moved into their range in the training rows, except the columns of factors;
#'   or `"na"`, `NA` for these rows.
#' @param ... unused.
#' @return A vector for one output at one lambda, as of [stats::predict.lm()]; a matrix, rows x
#'   lambdas, for one output at several; a matrix, rows x outputs, for several outputs at one; an
#'   array, rows x outputs x lambdas, for several of both. The lambdas are named `lambda.min`,
#'   `lambda.1se`, or `s1`, `s2` and so on. Classes: a factor for one lambda, a data frame of
#'   factors for several. Probabilities: a matrix, rows x classes. With `interval`: a matrix with
#'   the columns `fit`, `lwr` and `upr`; for several outputs an array, rows x outputs x these three.
#'   With `se.fit`: a list of `fit` and `se.fit`, of the same shape.
#' @section Intervals by refits: `"jackknife+"` (Barber and others, 2021) takes, for every row i,
#'   the prediction of the new row by the refit without row i (without its fold), plus and minus the
#'   absolute held-out residual of row i, and the order statistics of both: with m scored rows the
#'   `ceiling(level (m + 1))`-th, infinite where that exceeds m (a warning of class
#'   `sparserls_warning_interval` says so). Nothing is assumed of the noise or of the model being
#'   right. The interval need not be symmetric about `fit`.
#'
#'   With `groups` the interval is for a row of a *new* group, and every group counts once: a row
#'   counts by its weight's share of the group, and an end is the first value at which counts add up
#'   to `level (G + 1)` with G groups. With equal weights and single groups left out it is the
#'   jackknife+ for hierarchical data of Lee, Barber and Willett (2023; other sets: Dunn, Wasserman
#'   and Ramdas, 2023). Without groups every row of positive weight counts once.
#'
#'   The theorem guarantees a coverage of `1 - 2 (1 - level)` for exchangeable rows (groups), and
#'   slightly less with larger folds; in practice it is near `level`. A choice of lambda, kernel or
#'   width by the same held-out errors voids the theorem strictly. With 200 rows and a width that
#'   was searched 90 % intervals by ten folds covered 90.8 % of new rows, and 60 groups left out one
#'   by one 89.8 % of rows of new groups (100 simulations, standard errors 0.3 and 0.4;
#'   `vignette("uncertainty")`). Many more choices from few rows make intervals too short.
#'
#'   Intervals exist for `lambda.min` and `lambda.1se` (`k.min` and `k.1se`) where every row is held
#'   out at most once.
#' @section The Gaussian-process view: A fit is the mean of a Gaussian process given the data: `y =
#'   b + f(x) + noise`, the noise of variance `s2 / w`, f with the covariance `(s2 / lambda) k`, b
#'   (the intercept) free. Its standard errors hold the variance of b and, where the basis is
#'   smaller than the data, `(s2 / lambda) (k(x, x) - k_x' K_BB^-1 k_x)`, what the basis vectors
#'   cannot see of f at x. The interval adds s2, with quantiles of t with the degrees of freedom of
#'   s2. `noise = "df"` takes s2 as `RSS / (m - df - 1)`, `"reml"` as `(RSS + lambda |f|^2) / (m -
#'   1)` (without an intercept nothing is subtracted for it); m counts rows of positive weight. With
#'   a linear kernel and a tiny lambda this is what `predict.lm()` has. As an approximation of the
#'   process on all rows it is the deterministic training conditional (Quinonero-Candela and
#'   Rasmussen, 2005), apart from the intercept.
#'
#'   The view is exact if it is true: constant variance (or that of the weights), independent rows,
#'   lambda, kernel and basis known beforehand. Clusters make it far too sure. Precomputed kernels
#'   have no standard errors.
#' @section Probabilities: A cross-validation turns its exact held-out scores into probabilities
#'   (Platt, 2000): that of class k is proportional to `exp(a_k + b_k score_k)`; for two classes
#'   that of the second is `1 / (1 + exp(-a - b score))`. a and b >= 0 have the least cross-entropy
#'   to Platt's smoothed classes (for a class with n rows `(n + 1) / (n + 2)`); b is 0, and the
#'   probabilities are the base rates, where held-out scores do not rise with the class. Rows count
#'   with their weights, without the part of [class_weights()], so that probabilities are right for
#'   the population; for n weights count by `(sum w)^2 / sum w^2`, a group once.
#'
#'   Probabilities exist at `lambda.min` and `lambda.1se`. Those of training rows (without
#'   `newdata`) are too sure. `plot(cv, what = "calibration")` shows how good those of held-out rows
#'   are; the print has their log loss, by sigmoids that were fitted without them, and the AUC of
#'   held-out scores (with the package survival).
#' @section Decisions: `type = "class"` predicts, of two classes, the second where the score is
#'   above 0, of several the one with the largest score. `threshold = 0.5` predicts the more
#'   probable of two. Where a false prediction of the second class costs u, and one of the first
#'   costs v, the threshold of the least expected cost is `u / (u + v)`. For more classes take `p`
#'   of `type = "prob"` and a matrix `cost`, true x predicted class:
#'   `colnames(p)[max.col(-p %*% cost, "first")]`.
#' @section Rows outside: Far from the data predictions and their intervals can be absurd. A row
#'   lies outside if a numeric feature is beyond its range in the training rows by more than the
#'   range: above `max + (max - min)` or below `min - (max - min)`. Factors, and features that did
#'   not vary, are not looked at. With a kernel of differences (Gaussian, Laplacian, Matern) a row
#'   also lies outside if it is farther from the basis than every training row: its largest k(x, b)
#'   over the basis vectors b is below the smallest such value of a training row, basis vectors at
#'   the row itself left out. (-log k may be 1 % larger, and the `floor(m / 1000)` basis vectors
#'   farthest from all others do not count.) Fits to rows in chunks have the ranges only; custom and
#'   precomputed kernels have no check.
#'
#'   Training rows of positive weight never lie outside. With `"clip"` rows are counted after they
#'   have been moved. [derivatives()] of `newdata`, [augment()][tidy.sparserls_fit],
#'   [effect_curve()] and the adapters to other packages warn in the same way.
#' @section Unknown levels: With `unknown = "as rare"` rows with a level that no row of the fit has
#'   are predicted, and a warning of class `sparserls_warning_unknown` counts them. Kernels of
#'   differences place such a level as far from every known level as these are from each other;
#'   kernels of inner products, and [greedyrls()], take the mean over the levels of the fit; an
#'   ordered factor that is a rank has the mean rank. Custom kernels, sums of kernels of squared and
#'   of absolute distances, and mean levels with fits to rows in chunks are not supported and raise
#'   `sparserls_error_argument`.
#' @section Rows in chunks: `newdata` may be [chunks], for fits to rows in memory too. With `file`
#'   the predictions need not fit into memory: they are written to a CSV file chunk by chunk, with
#'   the `key` of the chunks, if they have one, and a column for each column of the result (`fit`
#'   where it is a vector, `class` for classes, `output.s1` for several outputs at several lambdas,
#'   `se.` before standard errors), and the file's name is returned invisibly. A file that exists is
#'   not overwritten; after an error there is none.
#' @section Errors: `sparserls_error_newdata` for columns, types or levels that do not fit,
#'   `sparserls_error_lambda` for values outside the path, and for intervals at values of which no
#'   refits are kept; `sparserls_error_argument` for probabilities and intervals where there are
#'   none; `sparserls_error_offset` for missing or infinite offsets; `sparserls_error_keep` for
#'   intervals without `keep = TRUE`, `sparserls_error_folds` with folds that hold rows several
#'   times.
#' @references Barber, R. F., Candes, E. J., Ramdas, A. and Tibshirani, R. J. (2021) Predictive
#'   inference with the jackknife+. *Annals of Statistics* 49, 486-507.
#'
#'   Dunn, R., Wasserman, L. and Ramdas, A. (2023) Distribution-free prediction sets for two-layer
#'   hierarchical models. *Journal of the American Statistical Association* 118, 2491-2502.
#'
#'   Lee, Y., Barber, R. F. and Willett, R. (2023) Distribution-free inference with hierarchical
#'   data. arXiv:2306.06342.
#'
#'   Quinonero-Candela, J. and Rasmussen, C. E. (2005) A unifying view of sparse approximate
#'   Gaussian process regression. *Journal of Machine Learning Research* 6, 1939-1959.
#'
#'   Platt, J. (2000) Probabilities for SV machines. *Advances in Large Margin
#'   Classifiers*, 61-74, MIT Press.
#' @examples
#' set.seed(1)
#' fit <- sparserls(lpsa ~ . - train, data = prostate, basis = 20)
#' predict(fit, prostate[1:3, ], s = c(1, 0.1))
#' predict(fit, prostate[1:3, ], s = 1, se.fit = TRUE)
#'
#' cv <- cv.sparserls(lpsa ~ . - train, data = prostate, subset = train, basis = 20, keep = TRUE)
#' predict(cv, prostate[!prostate$train, ][1:3, ], interval = "jackknife+")
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
predict.sparserls_cv <- function(object, newdata, s = default_s(object),
                                 type = c("response", "class", "prob"), interval = "none",
                                 level = 0.9, se.fit = FALSE, noise = c("df", "reml"), ...,
                                 threshold = NULL, file = NULL, unknown = c("error", "as rare"),
                                 newoffset = NULL, outside = c("warn", "clip", "na")) {
  check_dots(...)
  predict_model(object, newdata, s, asked_of(environment()))
}

# What predict() is asked besides rows and points of the path, a list; NULL where a method has no
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
  must(is.null(asked$file), "argument", "`file` is for `newdata` in chunks.", shown(asked$file),
       "Predictions of rows in memory are written by write.csv().")
  if (no_rows && !is.null(asked$newoffset)) refuse_newoffset(asked$newoffset)
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
  if (outside == "na") attr(x, "outside") <- "na"
  else if (!is.null(fit$ranges)) x <- clipped(x, fit$ranges)
  as_coded(x, rownames(newdata))
}

# object: a fit or its cross-validation; at: s, or k.
predict_model <- function(object, newdata, at, asked) {
  if (!missing(newdata) && inherits(newdata, "sparserls_chunks")) {
    return(predict_chunks(object, newdata, at, asked, predict_model))
  }
  fit <- final_fit(object)
  asked <- asked_in_memory(asked, missing(newdata))
  if (missing(newdata)) return(predict_rows_of(object, fit, , at, asked))
  offset <- if (!is.null(fit$offset) || !is.null(asked$newoffset)) {
    new_offset(fit, newdata, asked$newoffset)
  }
  predicted <- predict_rows_of(object, fit, placed_rows(fit, newdata, asked), at, asked)
  if (is.null(offset)) predicted else plus_offset(predicted, offset)
}

# Without offsets of new rows.
predict_rows_of <- function(object, fit, newdata, at, asked) {
  crossed <- inherits(object, "sparserls_cv")
  type <- check_predict_type(asked$type, fit$response)
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
