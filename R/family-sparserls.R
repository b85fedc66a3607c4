#' Kernel regularized least squares with basis vectors
#'
#' @description
#' Predicts a number, a class or a count by a smooth function of the features, with
#' curves and interactions. Begin with [cv.sparserls()], which chooses the smoothness; `sparserls()`
#' fits it for given `lambda`.
#'
#' The function is `f(x) = b0 + sum_j a_j k(x, x_j)`, a sum over `n` of the `m` rows, the basis
#' vectors x_j. It minimizes
#' `sum_i w_i (y_i - f(x_i))^2 + lambda a' K_BB a`. The loss is a *sum*, not a mean: glmnet's lambda
#' is `lambda * sd(y) / m`, where sd has the divisor m. Without an intercept, `sqrt(mean(y^2))`
#' replaces `sd(y)`.
#'
#' @param x numeric matrix, data frame or Matrix, `m` rows by `p` columns; [factors] says how
#'   factors are coded. For [kernel_precomputed()] the m x m kernel matrix.
#' @param formula,data,subset,na.action as in [stats::lm()]; `data` may also be rows in chunks
#'   ([chunk_models]). `weights`, `groups` and other row labels are looked up in `data` first;
#'   in a wrapper that passes on `...`, give column names as strings.
#' @param y numeric vector; numeric matrix, one output per column; factor or logical vector. Two
#'   classes are coded -1 and +1 (the second level); more are fitted one-versus-all.
#' @param basis the number of basis vectors, or which they are: row numbers, a selector such as
#'   [basis_random()], or a matrix or data frame of points. `NULL`: [basis_rpcholesky()] of half the
#'   rows, at most 500.
#' @param kernel a kernel, see [kernels], or its name, such as `"laplacian"`.
#' @param lambda positive penalties, used and returned in decreasing order. `NULL`: `nlambda`
#'   values, evenly spaced on the log scale, see Numbers below.
#' @param nlambda length of the default grid.
#' @param weights one non-negative weight per row: 2 counts a row twice in the loss, 0 leaves it
#'   out. For classes of unequal size see [class_weights()].
#' @param intercept whether to fit an unpenalized intercept.
#' @param standardize whether to centre the columns of `x` (only with an intercept) and divide them
#'   by their weighted standard deviations (divisor `sum(weights)`; for factors see [factors]).
#'   Ignored for precomputed kernels.
#' @param jitter non-negative number, see Numbers below.
#' @param threads threads for kernel values; `NULL` means `getOption("sparserls.threads", 1)`.
#' @param offset one number per row, added to the prediction without being fitted, such as
#'   `log(exposure)` for counts; or `offset()` in the formula. For new rows the expression is
#'   evaluated again, or [predict()][predict.sparserls_fit] takes `newoffset`.
#' @param family `NULL` for least squares, or the likelihood of `y`: `"binomial"`, `"poisson"`,
#'   `"negbin"`, `Gamma(link = "log")` or a similar object, see [families].
#' @param ... for the formula method, further arguments of the default method.
#' @return An object of class `sparserls` (with a `family` `glmrls`), a list with
#'   \item{lambda}{decreasing penalties}
#'   \item{df, shift_df}{degrees of freedom at each lambda, without the intercept, and the part due
#'     to the jitter}
#'   \item{dev.ratio}{share of the (weighted) sum of squares that the fit explains, per lambda}
#'   \item{basis}{row numbers of the basis vectors in the data supplied}
#'   \item{selector, kernel, jitter, intercept, standard, call, nobs}{what was used}
#' @section Numbers: The default grid goes from 0.05 degrees of freedom, close to the null model, to
#'   99 % of the rank, with no lambda below 1e-8 L; `nlambda = 1` gives L. L is the largest
#'   eigenvalue of `K K_BB^-1 K'`, centred and weighted (K: kernel of rows and basis vectors).
#'
#'   `jitter` is added to the kernel value of every row with itself, so that kernel matrices are
#'   positive definite. If it costs more than 0.1 degrees of freedom, a warning of class
#'   `sparserls_warning_jitter` asks for a smaller one.
#'
#'   The relative rounding error is about the machine precision times `L / lambda`, at worst 2e-8 on
#'   the default grid. Above 1e-6 there is a warning of class `sparserls_warning_lambda`; a lambda
#'   below 2e-12 L is an error. Redundant basis vectors are dropped; a warning of class
#'   `sparserls_warning_basis` lists any that you supplied.
#' @section Errors: Every error of the package has the class `sparserls_error` and a second class,
#'   `sparserls_error_` followed by what is wrong: `x`, `y`, `basis`, `kernel`, `lambda`, `formula`,
#'   `dots` (an unknown argument), `range` (a value that is not zero and whose absolute
#'   value is not between 2^-100 and 2^100).
#' @references Pahikkala, T., Suominen, H. and Boberg, J. (2012) Efficient cross-validation for
#'   kernelized least-squares regression with sparse basis expansions. *Machine Learning*
#'   87, 381-407.
#' @seealso [cv.sparserls()], [families], [factors], `vignette("sparserls")`
#' @examples
#' set.seed(1)
#' fit <- sparserls(lpsa ~ . - train, data = prostate, subset = train, basis = 20)
#' fit
#' predict(fit, prostate[!prostate$train, ], s = 0.5)
#' @export
sparserls <- function(x, ...) UseMethod("sparserls")

#' @rdname sparserls
#' @export
sparserls.default <- with_defaults(function(x, y, basis = NULL,
  kernel = kernel_gaussian(), lambda = NULL, nlambda, weights, intercept, standardize, jitter,
  threads, offset, family, ...) {
  public_call(fit_problem, asked_sparserls(read_arguments("sparserls", ...)))
})

#' @rdname sparserls
#' @export
sparserls.formula <- function(formula, data, basis = NULL, ..., subset, na.action, weights,
                              offset) {
  from_formula("sparserls", formula, data, ..., .basis = basis, .chunks = sparserls_chunks)
}

#' Exact cross-validation of kernel ridge regression with basis vectors
#'
#' @description
#' Fits a smooth function of the features and chooses its smoothness by the error on
#' held-out rows. Hold out what will be new: single rows or, with `groups`, whole patients, sites or
#' periods.
#'
#' Up to rounding, held-out predictions equal those of [sparserls()] refitted without the fold,
#' using the scaling, kernel and lambda from all rows. With a `family` they agree within a known
#' bound, see [families].
#'
#' @param x,y,formula,data,subset,na.action,lambda,nlambda,weights,intercept,standardize,jitter
#'   as in [sparserls()].
#' @param threads,offset,family,... as in [sparserls()].
#' @param basis as in [sparserls()]; [basis_sizes()] searches several sizes. Basis vectors that are
#'   not rows are never held out.
#' @param kernel a kernel, a list of kernels, a vector of names, or a kernel with several gammas (or
#'   [width_multiples()]): all are tried with the same folds. If gamma is `NULL`, the width is
#'   searched too, see Default width in [kernels]. `NULL`, the default of `cv.sparserls()`, searches
#'   the Gaussian and the Laplacian kernel with their widths (for sparse `x` only the Gaussian).
#'   `kernel_gaussian(width_multiples(1))` skips the search.
#' @param nfolds number of folds, or `"loo"`. `NULL`: 10, or with `groups` each group in turn. See
#'   [cv_folds()].
#' @param foldid one label per row: its fold.
#' @param groups one label per row, or the name of a column (with a formula also unquoted): rows
#'   with equal labels are held out together.
#' @param strata one label per row: rows of each label are spread evenly over the folds.
#' @param folds a list with one element per fold: its row numbers, or `list(score = , omit = )`, the
#'   rows to score and those to leave out of training (see [cv_folds()]). Or resamples of rsample or
#'   spatialsample, except bootstraps.
#' @param reselect whether `basis` is selected again in every fold.
#' @param holdout_basis what happens to held-out basis vectors.
#' @param type.measure `r help_measures()`; or a function, see Measures below.
#' @param rule how `lambda.1se` (`k.1se`) is chosen: the simplest model whose error exceeds the
#'   smallest by at most one standard error, that of the smallest error (`"1se"`) or of the
#'   difference (`"paired"`).
#' @param keep whether to return held-out predictions (`fitted(type = "held-out")`), and the refits
#'   that prediction intervals, [vcov()][vcov.sparserls_fit] and [derivatives()] need. With rows in
#'   chunks: `FALSE`, or a folder, see [chunk_models].
#' @param certificate with a `family`, how far held-out predictions may be from those of exact
#'   refits, see [families].
#' @param solver `"update"` and `"retrain"` are two exact ways to compute a fold; `"auto"` takes the
#'   cheaper one.
#' @param by.output whether to choose a lambda for each output as well (`lambda.min.output`).
#' @param outer for nested cross-validation, which estimates the error of the whole procedure: a
#'   number of outer folds, `"loo"`, or folds as in `folds`. `NULL`: none.
#' @param progress whether to show a text bar, on stderr.
#' @return An object of classes `cv.sparserls` and `sparserls_cv`, a list with
#'   \item{lambda}{decreasing}
#'   \item{cvm, cvsd, cvup, cvlo}{error, standard error, and error plus and minus it}
#'   \item{name, rule}{name of the measure; the `rule` for `lambda.1se`}
#'   \item{lambda.min, lambda.1se}{lambda of the best error (in a tie, the largest), and the
#'     largest lambda that `rule` accepts}
#'   \item{index}{their positions}
#'   \item{cvm.output, cvsd.output, lambda.min.output, lambda.1se.output}{with `by.output`}
#'   \item{foldid}{fold of every row; NULL where folds overlap or leave rows out}
#'   \item{omits.more, ngroups}{whether folds omit rows that they do not score; how many groups}
#'   \item{performance}{of held-out predictions at `"min"`, at `"1se"` and by the `"null"` model:
#'     the `error`; for one output `rmse`, `r.squared` (with a `family`, the share of the deviance
#'     explained) and its `std.error`; for classes `accuracy`}
#'   \item{calibration}{for classes, how scores become probabilities, see [predict.sparserls_fit()]:
#'     `intercept` and `slope` (0 and 1 with a `family`, where none is needed); held-out
#'     `logloss` and `auc`; `bins`: predicted and observed shares; `counts`: how
#'     many rows per 0.05 of probability; `balance`, the factors of [class_weights()]}
#'   \item{nested}{with `outer`: `cvm` and `cvsd` of the whole procedure, `nfolds`, `foldid`,
#'     what was `chosen` in each outer fold and, with `keep`, the predictions `scores`}
#'   \item{fit}{the fit to all rows, see [sparserls()]}
#'   \item{fit.preval}{with `keep`: held-out predictions, rows x (outputs x) lambdas; NA where a row
#'     is not scored}
#'   \item{refits}{what intervals need: with `keep`, if no row is held out twice}
#'   \item{kernel, size, kernels, curves}{the best kernel and size of the basis, a table of all that
#'     were tried, and their error curves}
#'   \item{certificate, steps}{with a `family`, see [families]}
#'   \item{stand_ins}{per fold, training rows identical to held-out basis vectors, which they
#'     replace}
#'   \item{holdout_basis, reselect, nfolds, call}{what was used}
#' @section Held-out basis vectors: For fold rows H, of which E are basis vectors, the refit uses
#'
#'   | `holdout_basis` | basis | rows trained on | rows scored |
#'   |---|---|---|---|
#'   | `"remove"` | all but E | all but H | H |
#'   | `"keep"` | all | all but H | H |
#'   | `"keep_loss"` | all | all but H, plus E | H without E |
#'   | `"skip"` | all | all but H | H without E |
#'
#'   For clustered data, in which basis vectors resemble the other rows of their group, only
#'   `"remove"` tracks the error on new groups. [basis_greedy()], which uses `y`, needs
#'   `reselect = TRUE`, which selects again without each fold and costs one fit per fold; otherwise
#'   there is a warning of class `sparserls_warning_selection`.
#' @section What refits take from all rows: Centres and scales of the columns, a default `gamma` and
#'   the grid of lambda are computed once, from the features of all rows. This makes the error
#'   too small, by 0.4 to 38 % in simulations of 40 or 100 rows, most for long-tailed features
#'   (`vignette("cross-validation")`). ([cv.greedyrls()] computes them in each fold.) With `outer`
#'   they exclude the outer fold; only formula terms such as `poly()` use all rows.
#' @section Measures: The default is `"mse"` for numbers and `"class"` for classes; with a `family`
#'   see [families]. A `function(y, yhat, weights)` of held-out rows returns a number to minimize.
#'   `y` is a vector, a factor or a matrix (rows x outputs); `yhat` a vector or matrix of
#'   predictions or scores (for two classes a vector, positive for the second).
#'
#'   `cvm` is the weighted mean loss over the scored rows, summed over outputs. `cvsd` is its
#'   standard error, over groups if given, otherwise over folds, or over rows if folds hold fewer
#'   than three. AUC, concordance and functions are averaged over folds; with fewer than three rows
#'   per fold they are computed once, over all rows (functions then without `cvsd`). Without a
#'   standard error `lambda.1se` is `lambda.min`. `rule = "paired"` compares losses on the same rows
#'   or groups, so outliers that every model misses cancel.
#' @section Messages: A message of class `sparserls_message`, and the printout, say whether a
#'   choice is at an edge of its grid.
#' @section Nested cross-validation: With `outer` the whole call is repeated without each outer
#'   fold, and the chosen model predicts that fold: `nested` has the error of these predictions. The
#'   smallest of many errors is optimistic, especially with fewer than 100 rows:
#'
#'   | | smallest | `outer = 5` | new rows | `lm()`, new rows |
#'   |---|---|---|---|---|
#'   | `swiss`, 35 rows | 60 | 94 | 82 | 64 |
#'   | `airquality`, 74 rows | 335 | 383 | 372 | 496 |
#'
#'   Outer folds never split groups or folds of `foldid`; with `folds`, `outer` must be such a list,
#'   too.
#' @section Errors: Those of [sparserls()]; `sparserls_error_measure`; `sparserls_error_folds` for
#'   folds that do not fit or leave no training rows.
#' @inherit sparserls references
#' @seealso [predict.sparserls_fit()], [plot.sparserls_cv()], [derivatives()],
#'   `vignette("cross-validation")` for timings
#' @examples
#' set.seed(1)
#' cv <- cv.sparserls(lpsa ~ . - train, data = prostate, subset = train, basis = 30)
#' cv
#' plot(cv)
#' predict(cv, prostate[!prostate$train, ])
#'
#' # clustered rows: hold out whole patients
#' d <- transform(prostate, patient = rep(1:33, length.out = 97))
#' cv.sparserls(lpsa ~ lcavol + age, data = d, basis = 30, groups = "patient")
#' @export
cv.sparserls <- function(x, ...) UseMethod("cv.sparserls")

#' @rdname cv.sparserls
#' @export
cv.sparserls.default <- with_defaults(function(x, y, basis = NULL,
  kernel = NULL, lambda = NULL, nlambda, weights, intercept, standardize, jitter, nfolds, foldid,
  groups, strata, folds, reselect, holdout_basis, type.measure, rule, keep, solver, by.output,
  outer, progress, threads, offset, family, certificate, ...) {
  public_call(cross_validate, asked_sparserls(read_arguments("cv.sparserls", ...)))
})

#' @rdname cv.sparserls
#' @export
cv.sparserls.formula <- function(formula, data, basis = NULL, ..., subset, na.action, weights,
                                 offset, foldid, groups, strata) {
  from_formula("cv.sparserls", formula, data, ..., .basis = basis, .chunks = sparserls_chunks)
}

# The problem of either, of least squares or with a family.
asked_sparserls <- function(asked) {
  asked$kernels <- asked_kernels(asked)
  asked$lambda <- check_lambda(asked$lambda)
  if (is_cv(asked)) check_reselect(asked$reselect, asked$basis, asked$holdout_basis)
  else refuse_sizes(asked$basis)
  # Points that are no rows are never held out.
  if (is_point_basis(asked$basis)) asked$holdout_basis <- "keep"
  design <- asked_design(asked)
  problem <- sparserls_problem(asked, design, new_validation(asked, design))
  if (is.null(asked$family)) problem else with_family(problem)
}
