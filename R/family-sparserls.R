#' Kernel regularized least squares on a subset of regressors
#'
#' @description
#' Predicts a number, a class or a count by a smooth function of the features, which may bend and
#' in which features may interact. Begin with [cv.sparserls()], which finds out how smooth it should
#' be; `sparserls()` makes the fits for given values of `lambda`.
#'
#' The function is `f(x) = b0 + sum_j a_j k(x, x_j)`, a sum over `n` of the `m` rows, the basis
#' vectors x_j. It minimizes `sum_i w_i (y_i - f(x_i))^2 + lambda a' K_BB a`. The loss is a *sum*,
#' not a mean: glmnet's lambda is `lambda * sd(y) / m`, sd with divisor m (without an intercept
#' `sqrt(mean(y^2))` in place of sd).
#'
#' @param x numeric matrix, data frame or Matrix, `m` rows by `p` columns, coded as [factors] says.
#'   With [kernel_precomputed()] the m x m kernel matrix.
#' @param formula,data,subset,na.action as in [stats::lm()]; `data` may also be rows in chunks
#'   ([chunk_models]). `weights`, `groups` and other labels of rows are looked for in `data` first;
#'   inside a function that hands on its `...` name their columns by strings.
#' @param y numeric vector; numeric matrix, one output per column; factor or logical vector. Two
#'   classes are coded -1 and +1 (the second level); more are fitted one-versus-all.
#' @param basis how many rows become basis vectors, or which: row numbers, a selector such as
#'   [basis_random()], or a matrix or data frame of points. `NULL`: [basis_rpcholesky()] of half the
#'   rows, at most 500.
#' @param kernel a kernel, see [kernels], or its name, such as `"laplacian"`.
#' @param lambda penalties, positive; used and returned in decreasing order. `NULL`: `nlambda`
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
#' @param offset one number per row, added to its prediction and not fitted, such as `log(exposure)`
#'   of counts; also by `offset()` in the formula. New rows evaluate the expression again, or take
#'   `newoffset` of [predict()][predict.sparserls_fit].
#' @param family `NULL` for least squares, or the likelihood of `y`: `"binomial"`, `"poisson"`,
#'   `"negbin"`, `Gamma(link = "log")` or a similar object, see [families].
#' @param ... for the formula method, further arguments of the default method.
#' @return An object of class `sparserls` (with a `family` `glmrls`), a list with
#'   \item{lambda}{the c values, decreasing}
#'   \item{df, shift_df}{degrees of freedom for every lambda, without the intercept; how many of
#'     them are the jitter's}
#'   \item{dev.ratio}{share of the (weighted) sum of squares that the fit explains, per lambda}
#'   \item{basis}{rows that are basis vectors, as numbers of the data supplied}
#'   \item{selector, kernel, jitter, intercept, standard, call, nobs}{what was used}
#' @section Numbers: The default grid goes from the null model (0.05 degrees of freedom) to 99 % of
#'   the rank, but not below 1e-8 of the largest eigenvalue L; `nlambda = 1` is L.
#'
#'   `jitter` is added to the kernel value of every row with itself, so that kernel matrices are
#'   positive definite. Where it takes more than 0.1 degrees of freedom there is a warning of class
#'   `sparserls_warning_jitter`: use a smaller one.
#'
#'   The relative error is about the machine precision times `L / lambda`, at worst 2e-8 on the
#'   default grid. Above 1e-6 there is a warning of class
#'   `sparserls_warning_lambda`; a lambda below 2e-12 L is refused. Basis vectors that others span
#'   are dropped with a warning of class `sparserls_warning_basis`.
#' @section Errors: Every error of the package has the class `sparserls_error` and one of its own,
#'   `sparserls_error_` and what is wrong: `x`, `y`, `basis`, `kernel`, `lambda`, `formula`, `dots`
#'   (an unknown argument), `range` (absolute values must be zero or between 2^-100 and 2^100).
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
sparserls.default <- offered(function(x, y, basis = NULL, kernel = kernel_gaussian(), lambda = NULL,
    nlambda, weights, intercept, standardize, jitter, threads, offset, family, ...) {
  asked <- read_arguments("sparserls", ...)
  public_call(fit_problem, asked_sparserls(asked))
})

#' @rdname sparserls
#' @export
sparserls.formula <- function(formula, data, basis = NULL, ..., subset, na.action, weights,
                              offset) {
  given <- formula_call("sparserls", formula, data)
  if (is_chunks(given$read$data)) return(sparserls_chunks("sparserls", given, basis, ...))
  from_formula(given, sparserls.default, formula_basis(basis, given), ...)
}

#' Exact cross-validation of kernel regularized least squares on a subset of regressors
#'
#' @description
#' Fits a smooth function of the features and chooses how smooth it is by its error on rows that
#' were held out. Hold out what new data will be: rows, or with `groups` whole patients, sites or
#' periods.
#'
#' Held-out predictions equal those of [sparserls()] refitted without the fold, with the scaling,
#' width and lambda of all rows, up to rounding; with a `family` up to a bound, see [families].
#'
#' @param x,y,formula,data,subset,na.action,lambda,nlambda,weights,intercept,standardize,jitter
#'   as in [sparserls()].
#' @param threads,offset,family,... as in [sparserls()].
#' @param basis as in [sparserls()]; [basis_sizes()] searches several sizes. Points that are no rows
#'   are never held out.
#' @param kernel a kernel, a list of kernels or their names, or a kernel with several gammas (or
#'   [width_multiples()]): all are searched with the same folds. Where gamma is `NULL` the width is
#'   searched too, see the section Default width of [kernels]. `NULL`, the default of
#'   `cv.sparserls()`: the Gaussian and the Laplacian kernel with their widths (for sparse `x` the
#'   Gaussian alone). `kernel_gaussian(width_multiples(1))` is one width.
#' @param nfolds number of folds, or `"loo"`. `NULL`: 10, or with `groups` each group in turn. See
#'   [cv_folds()].
#' @param foldid labels, one per row: the folds.
#' @param groups labels, one per row: rows of a group are held out together.
#' @param strata labels, one per row: balanced over the folds.
#' @param folds a list of vectors of row numbers or of `list(score = , omit = )` (rows that are
#'   scored; all that do not train), see [cv_folds()], or resamples of rsample or spatialsample,
#'   except bootstraps.
#' @param reselect whether `basis` is selected again in every fold, see below.
#' @param holdout_basis what happens to held-out basis vectors, see below.
#' @param type.measure `r help_measures()`; or a function, see Measures below.
#' @param rule what `lambda.1se` (`k.1se`) is: `"1se"`, within one standard error of the smallest
#'   error; or `"paired"`, within one standard error of the difference from it.
#' @param keep whether to return held-out predictions (`fitted(type = "held-out")`), and the refits
#'   that prediction intervals, [vcov()][vcov.sparserls_fit] and [derivatives()] need. With rows in
#'   chunks `FALSE` or a folder, see [chunk_models].
#' @param certificate with a `family`, the error of held-out predictions to be reached at all
#'   lambdas, see [families].
#' @param solver `"auto"` takes the cheaper of two exact forms for every fold; `"update"` and
#'   `"retrain"` force one.
#' @param by.output whether to choose lambda also for every output alone (`lambda.min.output`).
#' @param outer a number of outer folds (of groups, where there are groups), `"loo"`, or folds as in
#'   `folds`: the error of the whole choice, by nested cross-validation. `NULL`: none.
#' @param progress whether to show a text bar, on stderr.
#' @return An object of class `cv.sparserls`, a list with
#'   \item{lambda}{decreasing}
#'   \item{cvm, cvsd, cvup, cvlo}{error, standard error, and error plus and minus it}
#'   \item{name, rule}{of the measure; the `rule` of `lambda.1se`}
#'   \item{lambda.min, lambda.1se}{lambda of the smallest error (the largest of equals), and the
#'     largest that is as good by `rule`}
#'   \item{index}{their positions}
#'   \item{cvm.output, cvsd.output, lambda.min.output, lambda.1se.output}{with `by.output`}
#'   \item{foldid}{fold of every row; NULL where folds overlap or leave rows out}
#'   \item{omits.more, ngroups}{whether folds omit rows that they do not score; how many groups}
#'   \item{performance}{of held-out predictions at `"min"`, `"1se"` and by the `"null"` model: the
#'     `error`; for one output `rmse`, `r.squared` (with a `family` of the deviance) and its
#'     `std.error`; for classes `accuracy`}
#'   \item{calibration}{of classes, what turns scores into probabilities, see
#'     [predict.sparserls_fit()]: `intercept` and `slope` (with a `family`, not calibrated, 0 and
#'     1); the held-out `logloss`; `auc`; `bins` of
#'     predicted and observed shares; `counts` in twentieths; `balance` of [class_weights()]}
#'   \item{nested}{with `outer`: `cvm` and `cvsd` of the whole choice, `nfolds`, `foldid`,
#'     `chosen` (by each outer fold) and, with `keep`, the predictions, `scores`}
#'   \item{fit}{the fit to all rows, see [sparserls()]}
#'   \item{fit.preval}{with `keep`: held-out predictions, rows x (outputs x) lambdas; NA where a row
#'     is not scored}
#'   \item{refits}{with `keep`, where no row is held out twice: what intervals need}
#'   \item{kernel, size, kernels, curves}{the best kernel and size of the basis, a table of all, and
#'     their errors}
#'   \item{certificate, steps}{with a `family`, see [families]}
#'   \item{stand_ins}{by fold, redundant rows that are used where what spans them is held out}
#'   \item{holdout_basis, reselect, nfolds, call}{what was used}
#' @section Held-out basis vectors: For a fold H whose rows E are basis vectors, the refit is
#'
#'   | `holdout_basis` | basis | rows in the loss | rows scored |
#'   |---|---|---|---|
#'   | `"remove"` | all but E | all but H | H |
#'   | `"keep"` | all | all but H | H |
#'   | `"keep_loss"` | all | all but H, and E | H without E |
#'   | `"skip"` | all | all but H | H without E |
#'
#'   Only `"remove"` is honest for clustered data, where basis vectors resemble the other rows of
#'   their group. A selector that looks at `y`, [basis_greedy()], needs `reselect = TRUE`, which
#'   selects without the fold, at the price of a fit for each; otherwise there is a warning of class
#'   `sparserls_warning_selection`.
#' @section What refits keep of all rows: Centres and scales of the columns, a default `gamma` and
#'   the grid of lambda are found once, over all rows and without looking at `y` (except in
#'   [cv.greedyrls()]). This makes the error too small, by 0.4 to 38 percent in simulations of 40 or
#'   100 rows (`vignette("cross-validation")`). With `outer` they are found without the
#'   outer fold; only what the formula computes (`poly()`) is kept.
#' @section Measures: The default is `"mse"` for numbers and `"class"` for classes; with a `family`
#'   see [families]. A `function(y, yhat, weights)` of held-out rows returns a number to minimize.
#'   `y` is a vector, a factor or a matrix (rows x outputs); `yhat` a vector or matrix of
#'   predictions or scores (for two classes a vector, positive for the second).
#'
#'   `cvm` is the weighted mean loss over the scored rows (for several outputs the sum), `cvsd` its
#'   standard error over folds; with `groups` over groups, and over rows where folds hold fewer than
#'   three. AUC, concordance and functions are averaged over folds, or, where these hold fewer than
#'   three rows, computed once (for a function without `cvsd`). Without a standard error
#'   `lambda.1se` is `lambda.min`. `rule = "paired"` compares losses of the same rows or groups, so
#'   that outliers, which make all models err alike, do not count.
#' @section Messages: A message of class `sparserls_message`, and the print, say when the choice is
#'   at an end of its grid.
#' @section Nested cross-validation: The smallest of many errors is too small. With `outer` the
#'   whole call is repeated without each outer fold, and the model that it chooses predicts the
#'   fold: `nested` has the error of these predictions. Outer folds keep groups and folds of
#'   `foldid` whole; where `folds` hide what belongs together, give `outer` as folds too.
#' @section Errors: As in [sparserls()], `sparserls_error_measure`, and `sparserls_error_folds` for
#'   folds that do not fit or leave nothing to train.
#' @inherit sparserls references
#' @seealso [predict.sparserls_fit()], [plot.sparserls_cv()], [derivatives()],
#'   `vignette("sparserls")`; for the time that it takes `vignette("cross-validation")`
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
cv.sparserls.default <- offered(function(x, y, basis = NULL, kernel = NULL, lambda = NULL, nlambda,
    weights, intercept, standardize, jitter, nfolds, foldid, groups, strata, folds, reselect,
    holdout_basis, type.measure, rule, keep, solver, by.output, outer, progress, threads, offset,
    family, certificate, ...) {
  asked <- read_arguments("cv.sparserls", ...)
  public_call(cross_validate, asked_sparserls(asked))
})

#' @rdname cv.sparserls
#' @export
cv.sparserls.formula <- function(formula, data, basis = NULL, ..., subset, na.action, weights,
                                 offset, foldid, groups, strata) {
  given <- formula_call("cv.sparserls", formula, data)
  if (is_chunks(given$read$data)) return(sparserls_chunks("cv.sparserls", given, basis, ...))
  from_formula(given, cv.sparserls.default, formula_basis(basis, given), ...)
}

# The problem of either, of least squares or with a family.
asked_sparserls <- function(asked) {
  asked$kernels <- asked_kernels(asked)
  asked$lambda <- check_lambda(asked$lambda)
  selects <- inherits(asked$basis, "sparserls_basis")
  if (is_cv(asked)) {
    if (asked$reselect || selects) {
      check_reselect(asked$reselect, asked$basis, asked$holdout_basis)
    }
  } else if (selects) {
    refuse_sizes(asked$basis)
  }
  # Points that are no rows are never held out.
  if (is_point_basis(asked$basis)) asked$holdout_basis <- "keep"
  design <- asked_design(asked)
  problem <- sparserls_problem(asked, design, new_validation(asked, design))
  if (is.null(asked$family)) problem else with_family(problem)
}
