# Predictions: values of the path, scores of coded rows, and what users see of them.

#' Predictions
#'
#' Predicts new rows with fits of the whole family, for values of lambda on the path or between.
#'
#' @param object a fit of [sparserls()], [rls()] or [rls2()], or a result of their `cv.` functions.
#'   (Of [ardrls()] `s` is a penalty, see [predict.ardrls()]; of [greedyrls()] see
#'   [predict.greedyrls()].)
#' @param newdata new rows, as `x` or `data` of the fit. Columns are matched by name where both
#'   have names: extra ones are ignored, their order does not matter. Rows of a data frame with
#'   missing values are predicted as NA. With a precomputed kernel: the matrix of kernel values of
#'   new rows with all training rows. Without `newdata`: the fitted values, as
#'   [fitted()][coef.sparserls_fit] has them.
#' @param s values of lambda within the path, or (not of [rls2()]) [lambda_df()]; between the values
#'   of the path they are solved for exactly. `NULL` means the whole path; for `cv.` results
#'   also `"lambda.min"`, the default, and `"lambda.1se"`, and with `by.output`
#'   `"lambda.min.output"` or `"lambda.1se.output"`: every output at its own, a matrix, rows x
#'   outputs.
#' @param type `"response"` for predictions on the scale of y (scores for classes), `"class"` for
#'   the predicted class, `"prob"` for the probabilities of the classes (`cv.` results, at
#'   `lambda.min` or `lambda.1se`; see below).
#' @param interval `"none"` or, for responses that are numbers, `"jackknife+"`, a prediction
#'   interval from the refits of a cross-validation with `keep = TRUE` (with folds of several rows
#'   or groups, as the ten of the default, it is CV+), or `"gp"`, one from the Gaussian-process view
#'   (fits too); for one value of `s`. See below.
#' @param level of the interval, between 0 and 1.
#' @param se.fit whether to add standard errors of the predictions, of the Gaussian-process view.
#' @param noise how that view estimates the variance of the noise: `"df"`, the residual sum of
#'   squares by rows less degrees of freedom, as [sigma()][fit_methods]; or `"reml"`, restricted
#'   likelihood.
#' @param threshold for `type = "class"` of two classes and `cv.` results: a probability between 0
#'   and 1; rows whose probability of the second class is at least that are taken for it. `NULL`:
#'   classes go by the sign of the score. See the section Probabilities.
#' @param file for `newdata` in chunks: the name of a new file that the predictions are written to.
#' @param unknown what is done with levels of factors in `newdata` that the fit has not seen:
#'   `"error"`, or `"as rare"`, see below.
#' @param newoffset of fits with an `offset`: that of the new rows, a number for each of them, or a
#'   single one. It must be given where the fit's was given as values; otherwise, where it was
#'   `offset()` of a formula or an expression of columns, `newdata` has it, and `newoffset` takes
#'   its place.
#' @param outside what is done with rows of `newdata` that lie outside of the training rows:
#'   `"warn"`, a warning of class `sparserls_warning_outside` with their number; `"clip"`,
#'   features are first moved into their range in the training rows, except the columns of factors;
#'   or `"na"`, `NA` for these rows. See the section Rows outside.
#' @param ... unused.
#' @return An array, rows x outputs x lambdas, without the dimension of outputs where there is one,
#'   and without that of lambdas where there is one: a vector for one output at one lambda, as of
#'   [stats::predict.lm()], a matrix, rows x lambdas, for one output at several, and a matrix, rows
#'   x outputs, for several outputs at one. Rows have the names of the data; of several lambdas
#'   those that `s` names are `lambda.min` and `lambda.1se`, others `s1`, `s2` and so on. Classes: a
#'   factor for one lambda, a data frame of factors for several. Probabilities: a matrix, rows x
#'   classes, columns named by the levels. With `interval`: a matrix with the columns `fit`, `lwr`
#'   and `upr`; for several outputs an array, rows x outputs x these three. With `se.fit`: a list
#'   of `fit`, the same as without, and `se.fit`, of the same shape.
#' @section Rows in chunks: `newdata` may be [chunks], of fits to rows in memory too. They are read
#'   one after another, and what is in memory is one of them and the predictions of all, which are
#'   those of the same rows in memory, in the order of the chunks, without names of rows. With
#'   `file` they need not fit into memory: they are written chunk by chunk to a CSV file, and the
#'   name of the file is returned invisibly. It has the `key` of the chunks, if they have one, and a
#'   column for each column of the result (`fit` where it is a vector, `class` for classes; several
#'   outputs at several values of the path as `output.s1`; standard errors begin with `se.`),
#'   numbers with 15 digits. A file that exists is
#'   not written over; after an error there is none.
#' @section Intervals by refits: `"jackknife+"` puts around the refit without row i (without its
#'   fold), at the new row, the absolute held-out residual of row i, for all rows i, and takes the
#'   order statistics of both ends: with m scored rows the `ceiling(level (m + 1))`-th, infinite
#'   where that exceeds m (a warning of class `sparserls_warning_interval` says so). Where single
#'   rows or groups were left out this is the jackknife+ (Barber and others 2021); with folds of
#'   several rows or groups it is their CV+. Nothing is assumed of the noise or of the model being
#'   right. The interval need not be symmetric about `fit`, the prediction of the fit to all rows.
#'
#'   With `groups` every group counts once: a row counts by its weight's share of the group, and an
#'   end is the first of these values, in order, at which the counts add up to `level (G + 1)` or
#'   more, with G groups (nothing is rounded up); where that exceeds G the end is infinite. The
#'   interval is then for a row of a *new* group; by single rows it would
#'   be too short wherever rows of a group resemble each other. With equal weights and single groups
#'   left out it is the jackknife+ for hierarchical data of Lee, Barber and Willett (2023); Dunn,
#'   Wasserman and Ramdas (2023) have other prediction sets for groups. Without groups every row of
#'   positive weight counts once, whatever its weight.
#'
#'   The theorem guarantees a coverage of `1 - 2 (1 - level)` where rows (groups) are exchangeable;
#'   that of CV+ slightly less. In practice it is near `level`. A lambda, kernel,
#'   width, basis or number of features that was chosen by the same held-out errors voids the
#'   theorem strictly. With 200 rows and a width that was searched, as by default, 90 % intervals
#'   by ten folds covered 90.8 % of new rows, and 60 groups left out one by one 89.8 % of rows of
#'   new groups (100 simulations each, standard errors 0.3 and 0.4; with one width 91.0 and 90.0 %;
#'   `vignette("uncertainty")`). Many more choices from few rows make intervals too short.
#'   What [cv.greedyrls()] selects inside of its folds, and bases chosen anew with `reselect`, are
#'   honest. Basis vectors that stay while they are held out (`holdout_basis = "keep"`) have a small
#'   part in the refits.
#'
#'   Intervals are there for `lambda.min` and `lambda.1se` (`k.min` and `k.1se`), whose refits a
#'   cross-validation keeps, terms x folds coefficients, and where every row is held out at most
#'   once: folds that overlap, repeats and pairs have none. New rows are taken in blocks.
#' @section Unknown levels: A level that no row of the fit has ends in an error. With `unknown = "as
#'   rare"` its rows are predicted, and a warning of class `sparserls_warning_unknown` counts them.
#'   Kernels of differences place it as far from every known level as these are from each other, as
#'   a level is of which hardly any row was there. Kernels of inner products, and [greedyrls()],
#'   take the mean over levels, as frequent as they are in the fit. An ordered factor that is a rank
#'   (in kernels of differences, see the section Factors of [sparserls()]) has the mean rank. Where
#'   [rls2()] adds both, kernels of inner products see the place of the others. In interactions of
#'   factors with numbers the distance is approximate. Custom kernels, and a factor in sums of
#'   kernels of squared and of absolute distances, cannot be served (`sparserls_error_argument`),
#'   nor mean levels with fits to rows in chunks. In a recipe of tidymodels `recipes::step_novel()`
#'   makes a level for such rows, in mlr3 `po("fixfactors")` makes them gaps; caret asks for levels
#'   that are known.
#' @section Rows outside: Far from the data predictions can be absurd, and so can their intervals,
#'   because every refit is absurd there. A row lies outside if a feature is beyond its range in
#'   the training rows by more than the range: above `max + (max - min)` or below `min - (max -
#'   min)`. Features are the columns of numbers that the kernels read (for [greedyrls()] those
#'   that were selected), as the formula makes them. Factors, and features that did not vary, are
#'   not looked at.
#'
#'   With a kernel of differences (Gaussian, Laplacian, Matern) a row also lies outside if it is
#'   farther from the basis than every training row: its largest k(x, b) over the basis vectors b
#'   is below the smallest such value of a training row, for which basis vectors at the row itself
#'   do not count. -log k may be 1 % larger, and the `floor(m / 1000)` basis vectors that are
#'   farthest from all others do not count as training rows, so that a few odd rows do not hide
#'   others. For [rls()], whose basis is all rows, this is the distance to the nearest other row.
#'   For [ardrls()] every penalty that is predicted is looked at. Fits to rows in chunks have the
#'   ranges only.
#'
#'   Training rows are those of positive weight; they never lie outside. Custom and precomputed
#'   kernels have no check, and offsets are not looked at. With `"clip"` rows are counted after
#'   they have been moved: they may still be far from all others. Rows with missing values are not
#'   counted. [derivatives()] of `newdata`, [augment()][tidy.sparserls_fit] and the adapters to
#'   other packages warn in the same way, and [effect_curve()] of values `at` beyond those of the
#'   rows.
#' @section The Gaussian-process view: A fit is the mean of a Gaussian process given the data: `y =
#'   b + f(x) + noise`, the noise of variance `s2 / w`, f with the covariance `(s2 / lambda) k`, b
#'   (the intercept) free. Its standard errors hold the variance of b and, where the basis is
#'   smaller than the data, `(s2 / lambda) (k(x, x) - k_x' K_BB^-1 k_x)`, what the basis vectors
#'   cannot see of f at x: far from the data they grow to the variance of f itself. The
#'   interval adds s2, the noise of a row of weight one, with quantiles of t with the
#'   degrees of freedom of s2. `noise = "df"` takes s2 as `RSS / (m - df - 1)`, `"reml"` as
#'   `(RSS + lambda |f|^2) / (m - 1)` (without an intercept nothing is subtracted for it); m counts
#'   rows of positive weight. With a linear kernel and a tiny lambda all of this is what
#'   `predict.lm()` has. As an approximation of the Gaussian process on all rows it is, apart from
#'   the intercept, the deterministic training conditional (Quinonero-Candela and Rasmussen, 2005).
#'
#'   The view is exact if it is true: the noise has the same variance everywhere (or that of the
#'   weights), rows are independent, and lambda, kernel, basis, selected features ([cv.greedyrls()])
#'   and weights of kernels ([rls2()]) were known beforehand. Clusters make it far too sure.
#'   Precomputed kernels have no k(x, x) of new rows, and so no standard errors.
#' @section Probabilities: Scores are no probabilities. A cross-validation turns its exact held-out
#'   scores into some (Platt 2000): that of class k is proportional to `exp(a_k + b_k score_k)`, and
#'   of two classes that of the second is `1 / (1 + exp(-a - b score))`. a and b >= 0 have the least
#'   cross-entropy to Platt's smoothed classes: of a class with n rows `(n + 1) / (n + 2)` for it,
#'   and the rest for the others. Where held-out scores do not rise with the class, as happens when
#'   x says nothing of y, b is 0 and the probabilities are the base rates (of the smoothed classes).
#'   Rows count with their weights, but for the part of [class_weights()]: with and without those
#'   probabilities are right for the population. For n, which says how sure the data can make us,
#'   weights count by `(sum w)^2 / sum w^2`, a group once, and a row once however many folds score
#'   it.
#'
#'   This is made once, at `lambda.min` and `lambda.1se`, and kept as the field `calibration`,
#'   whether the held-out predictions are kept or not. Other values of lambda have scores of another
#'   scale and end in an error. Probabilities of training rows (without `newdata`) are too sure, as
#'   their scores are. How good those of other rows are is what `plot(cv, what = "calibration")`
#'   shows, and the print of a `cv.` result says: its log loss is that of held-out rows whose
#'   sigmoid was fitted without them. Beside it is the AUC of the held-out scores (if the package
#'   survival is installed), over folds as `type.measure = "auc"`.
#' @section Decisions: `type = "class"` goes by the scores: of two classes the second where the
#'   score is above 0, of several the one with the largest score. With unequal classes that need not
#'   be the most probable class, which of two classes `threshold = 0.5` predicts. Where the second
#'   class in place of the first costs u, and the first in place of the second costs v, the
#'   threshold of the least expected cost is `u / (u + v)`. For more classes take `p` of `type =
#'   "prob"` and a matrix `cost`, true x predicted class:
#'   `colnames(p)[max.col(-p %*% cost, "first")]`.
#' @section Errors: `sparserls_error_newdata` for columns, types or levels that do not fit,
#'   `sparserls_error_lambda` for values outside the path, and for intervals at values of which no
#'   refits are kept; `sparserls_error_argument` for probabilities and intervals where there are
#'   none; `sparserls_error_offset` for offsets that are lacking, or are not finite;
#'   `sparserls_error_keep` for intervals without `keep = TRUE`, `sparserls_error_folds` with
#'   folds that hold rows several times.
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
  if (!is.null(asked$file)) stop_file(asked$file)
  if (no_rows && !is.null(asked$newoffset)) refuse_newoffset(asked$newoffset)
  uncertain <- asked[names(no_uncertainty)]
  if (!identical(uncertain, no_uncertainty)) asked$wanted <- do.call(read_uncertainty, uncertain)
  asked
}

# New rows where unknown levels and rows outside have been placed as was asked: as given, or coded.
placed_rows <- function(fit, newdata, asked) {
  if (identical(asked[names(rows_as_given)], rows_as_given)) return(newdata)
  unknown <- check_choice(asked$unknown, rows_as_given$unknown, "unknown")
  outside <- check_choice(asked$outside, rows_as_given$outside, "outside")
  if (unknown == "as rare") newdata <- place_unknown(fit, newdata)
  if (outside == "warn") newdata else place_outside(fit, newdata, outside)
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
