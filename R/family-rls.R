#' Regularized least squares on all rows
#'
#' @description
#' Ridge regression and kernel ridge regression: fits `f(x) = b0 + sum_i c_i k(x, x_i)` over all `m`
#' rows by minimizing
#'
#' `sum_i w_i (y_i - f(x_i))^2 + lambda ||f||^2`,
#'
#' with the linear kernel `f(x) = b0 + x'b` and `||f||^2 = |b|^2`. One decomposition serves every
#' lambda. The loss is a *sum*, not a mean: for ridge regression glmnet's lambda is
#' `lambda * sd(y) / m`, sd with divisor m (without an intercept `sqrt(mean(y^2))` takes its place).
#'
#' @section Solvers: `"dual"` decomposes the m x m kernel matrix, for any kernel: time of order
#'   m^3, memory of order m^2. With the linear kernel on p features there are two more: `"primal"`,
#'   the p x p gram matrix, and `"svd"`, the singular values of x, somewhat slower, but without
#'   squaring the condition number; both take time of order m p^2. `"auto"` takes the dual where
#'   p >= m and for other kernels, otherwise the gram matrix, and the singular values where the
#'   smallest eigenvalue of the gram matrix is below 1e-6 of the largest. LAPACK takes at most 32000
#'   rows of the dual, 32000 features of the gram matrix and 20700 of the singular values; `"auto"`
#'   chooses accordingly, and [sparserls()] has no such limit on rows. Sparse x stays sparse in
#'   the dual; the other two hold the m x p block of coordinates. The full kernel needs no jitter.
#'   With an intercept and the linear kernel x is centred first (the field `standard`), which is the
#'   same model and loses no digits to an offset.
#' @section Accuracy: As in [sparserls()], within 10 times of it for Gaussian kernels down to `gamma
#'   = 1e-4`. With an intercept the dual works with the values of Gaussian, Laplacian and Matern
#'   kernels less 1, which is the same problem: digits that values near 1 have in common cost
#'   nothing. Values that come from outside have rounding errors of their own: for custom and
#'   precomputed kernels, L counts as at least the largest eigenvalue of the kernel matrix itself.
#' @section Errors: As in [sparserls()]; `sparserls_error_kernel` also for a kernel matrix that
#'   has an eigenvalue below -1e-8 of the largest, and for a solver that does not fit the kernel.
#'
#' @inheritParams sparserls
#' @param kernel a kernel, see [kernels], or its name; the linear kernel by default.
#' @param lambda regularization parameters, positive, or [lambda_df()]; used and returned in
#'   decreasing order. `NULL`: `nlambda` values, evenly spaced on the log scale, over
#'   all that a choice could want: from `20 sum(L)`, L the eigenvalues of the problem, where the
#'   degrees of freedom are below 0.05 (the null model), down to the larger of `1e-8 max(L)` and the
#'   lambda at which they are 99 % of the rank. A single one (`nlambda = 1`) is `max(L)`.
#' @param weights one non-negative weight per row; weight 2 is the same as the row twice, weight 0
#'   leaves the row out of the fit. For classes of unequal size see [class_weights()].
#' @param solver see below.
#' @return An object of class `rls`, a list with
#'   \item{lambda}{the c values, decreasing}
#'   \item{df}{effective degrees of freedom for every lambda, without the intercept}
#'   \item{gcv}{generalized cross-validation, `m RSS / (m - df - 1)^2`; without an intercept
#'     `m RSS / (m - df)^2`; m counts rows of positive weight. Of several outputs the sum}
#'   \item{dev.ratio}{share of the (weighted) sum of squares that the fit explains}
#'   \item{solver}{the one used}
#'   \item{kernel, intercept, standard, call, nobs}{what was used}
#'
#'   The other fields are what [coef()][coef.sparserls_fit], [predict()][predict.sparserls_fit] and
#'   `fitted()` need.
#' @references Rifkin, R. and Lippert, R. (2007) Notes on regularized least squares.
#'   MIT-CSAIL-TR-2007-025.
#'
#'   Golub, G. H., Heath, M. and Wahba, G. (1979) Generalized cross-validation as a method for
#'   choosing a good ridge parameter. *Technometrics* 21, 215-223.
#' @seealso [cv.rls()] for leave-one-out and other cross-validation.
#' @examples
#' fit <- rls(lpsa ~ . - train, data = prostate, subset = train)
#' fit
#' coef(fit, s = fit$lambda[which.min(fit$gcv)])
#' @export
rls <- function(x, ...) UseMethod("rls")

#' @rdname rls
#' @export
rls.default <- function(x, y, kernel = kernel_linear(), lambda = NULL, nlambda = 50,
                        weights = NULL, intercept = TRUE, standardize = TRUE,
                        solver = c("auto", "dual", "svd", "primal"), threads = NULL,
                        offset = NULL, family = NULL, ...) {
  asked <- read_arguments("rls", match.call(), environment(), ...)
  public_call(fit_problem, asked_rls(asked))
}

#' @rdname rls
#' @export
rls.formula <- function(formula, data, ..., subset, na.action, weights, offset) {
  given <- formula_call(match.call(), "rls", parent.frame(), formula, data)
  if (is_chunks(given$read$data)) return(rls_chunks("rls", given, ...))
  from_formula(given, rls.default, ...)
}

#' Exact cross-validation of regularized least squares on all rows
#'
#' Cross-validates [rls()] over a grid of `lambda`, from one decomposition. Held-out predictions
#' are those of honest refits, which keep centres and scales of all rows (see [cv.sparserls()]).
#' Leave-one-out costs of order m^2 for each lambda with the full
#' kernel, and m p with p features.
#'
#' @section Leave-pair-out: `nfolds = "pairs"` holds out, two at a time, all pairs of rows that
#'   differ in y, and asks whether their held-out predictions are in the order of y. With two
#'   classes the share of pairs in order is an estimate of the AUC that is almost unbiased, where
#'   the AUC of pooled leave-one-out predictions is too small in small samples. The measure is
#'   `"auc"` for two classes and `"cindex"` for numeric responses; the weight of a pair is the
#'   product of its rows' weights. The standard error is the infinitesimal jackknife over rows.
#'   Memory and time for each lambda are of order m^2 and m^3.
#' @section Cost: With the full kernel N folds cost m^3 / N operations for each lambda, beside one
#'   decomposition of order m^3, and time does not shrink where x is sparse. For ridge regression on
#'   thousands of rows and more features, where a few digits are enough, `glmnet::cv.glmnet(alpha =
#'   0)` is faster: with 3000 sparse rows of 5000 features (1 % not zero), 10 folds and 50 lambdas
#'   1.4 seconds on one core (within 6e-4 standard deviations of the exact fit, in the middle and
#'   at the end of its path) against 13 seconds here, of which 5 are the folds; leave-one-out takes
#'   7, where glmnet would fit 3000 times.
#' @section Accuracy: As in [rls()].
#' @section A choice at the edge of its grid: As in [cv.sparserls()] a message and the print say so.
#' @section Errors: As in [cv.sparserls()] and [rls()].
#'
#' @inheritParams rls
#' @inheritParams cv.sparserls
#' @param nfolds number of folds, `"loo"` or `"pairs"`. `NULL`: 10, or with `groups` leave one group
#'   out. See [cv_folds()].
#' @return An object of class `cv.rls`, with the fields of [cv.sparserls()]; `fit` is the [rls()]
#'   fit to all rows.
#' @inherit rls references
#' @examples
#' cv <- cv.rls(lpsa ~ . - train, data = prostate, subset = train, nfolds = "loo")
#' cv
#' coef(cv)
#'
#' # two classes in a small sample: leave-pair-out AUC
#' some <- prostate[seq(1, 97, by = 3), ]
#' if (requireNamespace("survival", quietly = TRUE)) {
#'   cv.rls(as.matrix(some[, 1:8]), some$lpsa > 2.5, nfolds = "pairs", nlambda = 5)
#' }
#' @export
cv.rls <- function(x, ...) UseMethod("cv.rls")

#' @rdname cv.rls
#' @export
cv.rls.default <- function(x, y, kernel = kernel_linear(), lambda = NULL, nlambda = 50,
                           weights = NULL, intercept = TRUE, standardize = TRUE,
                           solver = c("auto", "dual", "svd", "primal"), nfolds = NULL,
                           foldid = NULL, groups = NULL, strata = NULL, folds = NULL,
                           type.measure = NULL, rule = c("1se", "paired"), keep = FALSE,
                           by.output = FALSE, outer = NULL, progress = interactive(),
                           threads = NULL, offset = NULL, family = NULL, certificate = NULL, ...) {
  asked <- read_arguments("cv.rls", match.call(), environment(), ...)
  public_call(cross_validate, asked_rls(asked))
}

#' @rdname cv.rls
#' @export
cv.rls.formula <- function(formula, data, ..., subset, na.action, weights, offset, foldid, groups,
                           strata) {
  given <- formula_call(match.call(), "cv.rls", parent.frame(), formula, data)
  if (is_chunks(given$read$data)) return(rls_chunks("cv.rls", given, ...))
  from_formula(given, cv.rls.default, ..., labels = c("foldid", "groups", "strata"))
}

# The problem of either, of least squares or with a family.
asked_rls <- function(asked) {
  asked$kernels <- asked_kernels(asked)
  asked$lambda <- check_lambda_df(asked$lambda)
  design <- asked_design(asked)
  validation <- if (identical(asked$nfolds, "pairs")) pairs_validation(asked, design)
                else if (is_cv(asked)) new_validation(asked, design)
  make <- if (is.null(asked$family)) rls_problem else glm_rls_problem
  make(asked, design, validation)
}

pairs_validation <- function(asked, design) {
  if (!is.null(asked$family)) {
    abort("family", "`nfolds = \"pairs\"` is for least squares.", NULL,
          "Use type.measure = \"auc\" with `nfolds`.")
  }
  asked$type.measure <- pairs_measure(design, asked$type.measure, asked$keep)
  asked$nfolds <- "loo"
  validation <- new_validation(asked, design)
  validation$folds <- pairs_recipe(validation$folds)
  validation
}

# The measure of leave-pair-out: AUC for two classes, concordance for numbers.
pairs_measure <- function(design, type.measure, keep) {
  response <- design$response
  wanted <- if (response$type == "binary") "auc" else "cindex"
  if (ncol(response$y) > 1) {
    abort("measure", "Leave-pair-out needs a single output or two classes.",
          sprintf("%d outputs", ncol(response$y)))
  }
  if (!is.null(type.measure) && !identical(type.measure, wanted)) {
    abort("measure", sprintf("`nfolds = \"pairs\"` needs type.measure = \"%s\" here.", wanted),
          shown(type.measure))
  }
  if (!is.null(design$offset)) {
    abort("offset", "`nfolds = \"pairs\"` takes no offset.", NULL, "Use `nfolds = \"loo\"`.")
  }
  if (keep) {
    abort("argument", "`keep` must be FALSE with nfolds = \"pairs\".", NULL,
          "Every row has a prediction for each of its pairs.")
  }
  wanted
}

pairs_recipe <- function(recipe) {
  if (!is.null(recipe$groups) || !is.null(recipe$strata)) {
    abort("folds", "`nfolds = \"pairs\"` takes no `groups` or `strata`.", NULL,
          "Every pair of rows that differ in y is held out.")
  }
  recipe$kind <- "pairs"
  recipe
}
