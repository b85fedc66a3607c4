#' Regularized least squares on all rows
#'
#' @description
#' Ridge regression, and kernel ridge regression on all rows: a linear or a smooth function of the
#' features, shrunk towards zero. Begin with [cv.rls()], which chooses how much.
#'
#' The fit `f(x) = b0 + sum_i c_i k(x, x_i)` minimizes
#' `sum_i w_i (y_i - f(x_i))^2 + lambda ||f||^2`; with the linear kernel, `f(x) = b0 + x'b` and
#' `||f||^2 = |b|^2`. The loss is a *sum*, not a mean, see [sparserls()]. One decomposition serves
#' every lambda.
#'
#' @param x,y features and responses, as in [sparserls()]: a numeric matrix, data frame or Matrix;
#'   and numbers, a factor or logical values.
#' @param
#'   formula,data,subset,na.action,nlambda,weights,intercept,standardize,threads,offset,family,...
#'   as in [sparserls()].
#' @param kernel a kernel, see [kernels], or its name; the linear kernel by default.
#' @param lambda penalties, positive, or [lambda_df()]; used and returned in decreasing order.
#'   `NULL`: `nlambda` values, evenly spaced on the log scale, from the null model to degrees of
#'   freedom of 99 % of the rank (or 1e-8 of the largest eigenvalue).
#' @param solver see below.
#' @return An object of class `rls` (with a `family` `glmrls`, see [families]), a list with
#'   \item{lambda, df, dev.ratio}{as in [sparserls()]}
#'   \item{gcv}{generalized cross-validation, `m RSS / (m - df - 1)^2`; without an intercept
#'     `m RSS / (m - df)^2`; m counts rows of positive weight. For several outputs the sum}
#'   \item{solver}{the one used}
#'   \item{kernel, intercept, standard, call, nobs}{what was used}
#'
#' @section Solvers: `"dual"` decomposes the m x m kernel matrix, for any kernel, in time of order
#'   m^3. With the linear kernel on p features there are also `"primal"`, the p x p gram matrix, and
#'   `"svd"`, the singular values of x, slower but without squaring the condition number; both take
#'   time of order m p^2. `"auto"` takes the dual where p >= m, otherwise the gram matrix, or the
#'   singular values if that is ill-conditioned (1e-6). The dual takes at most 32000 rows, the gram
#'   matrix 32000 features and the singular values 20700; [sparserls()] has no limit on rows. Sparse
#'   x stays sparse in the dual only.
#' @section Errors: As in [sparserls()], also in accuracy; `sparserls_error_kernel` for a kernel
#'   matrix that has an eigenvalue below -1e-8 of the largest, and for a solver that does not fit
#'   the kernel.
#' @references Rifkin, R. and Lippert, R. (2007) Notes on regularized least squares.
#'   MIT-CSAIL-TR-2007-025.
#' @seealso [cv.rls()] for leave-one-out and other cross-validation.
#' @examples
#' fit <- rls(lpsa ~ . - train, data = prostate, subset = train)
#' fit
#' coef(fit, s = fit$lambda[which.min(fit$gcv)])
#' @export
rls <- function(x, ...) UseMethod("rls")

#' @rdname rls
#' @export
rls.default <- with_defaults(function(x, y, kernel = kernel_linear(),
  lambda = NULL, nlambda, weights, intercept, standardize,
  solver = c("auto", "dual", "svd", "primal"), threads, offset, family, ...) {
  public_call(fit_problem, asked_rls(read_arguments("rls", ...)))
})

#' @rdname rls
#' @export
rls.formula <- function(formula, data, ..., subset, na.action, weights, offset) {
  from_formula("rls", formula, data, ..., .chunks = rls_chunks)
}

#' Exact cross-validation of regularized least squares on all rows
#'
#' @description
#' Chooses the penalty of a ridge regression, or of a kernel ridge regression on all rows, by the
#' error on held-out rows. Hold out what will be new: single rows or, with `groups`, whole patients,
#' sites or periods.
#'
#' Held-out predictions equal those of [rls()] refitted without the fold, from one decomposition.
#'
#' @param x,y,lambda,solver,formula,data,subset,na.action,nlambda,weights,intercept,standardize,...
#'   as in [rls()].
#' @param threads,offset,family as in [rls()].
#' @param kernel a kernel, a list of kernels, or a kernel with several gammas, see [cv.sparserls()];
#'   the linear kernel by default.
#' @param nfolds number of folds, `"loo"` or `"pairs"`. `NULL`: 10, or with `groups` each group in
#'   turn. See [cv_folds()].
#' @param foldid,groups,strata one label per row, as in [cv.sparserls()].
#' @param folds,type.measure,rule,keep,by.output,outer,progress,certificate as in [cv.sparserls()].
#' @return An object of class `cv.rls`, with the fields of [cv.sparserls()]; `fit` is the [rls()]
#'   fit to all rows.
#' @section Leave-pair-out: `nfolds = "pairs"` holds out all pairs of rows that differ in y, and
#'   counts those whose held-out predictions are in the order of y. For two classes this AUC is
#'   almost unbiased, whereas that of leave-one-out predictions is too small in small samples. The
#'   measure is `"auc"` for classes and `"cindex"` for numbers; a pair weighs the product of its
#'   rows' weights. The standard error is the infinitesimal jackknife over rows. For each lambda,
#'   memory is of order m^2 and time of order m^3.
#' @section Time: For each lambda, leave-one-out takes time of order m^2 with the full kernel and
#'   m p with p features; N folds take m^3 / N with the full kernel.
#' @section Errors: As in [cv.sparserls()] and [rls()]; the same holds for messages and for what
#'   refits keep of all rows.
#' @inherit rls references
#' @examples
#' cv <- cv.rls(lpsa ~ . - train, data = prostate, subset = train, nfolds = "loo")
#' cv
#' coef(cv)
#' @export
cv.rls <- function(x, ...) UseMethod("cv.rls")

#' @rdname cv.rls
#' @export
cv.rls.default <- with_defaults(function(x, y, kernel = kernel_linear(),
  lambda = NULL, nlambda, weights, intercept, standardize,
  solver = c("auto", "dual", "svd", "primal"), nfolds, foldid, groups, strata, folds, type.measure,
  rule, keep, by.output, outer, progress, threads, offset, family, certificate, ...) {
  public_call(cross_validate, asked_rls(read_arguments("cv.rls", ...)))
})

#' @rdname cv.rls
#' @export
cv.rls.formula <- function(formula, data, ..., subset, na.action, weights, offset, foldid, groups,
                           strata) {
  from_formula("cv.rls", formula, data, ..., .chunks = rls_chunks)
}

# The problem of either, of least squares or with a family.
asked_rls <- function(asked) {
  asked$kernels <- asked_kernels(asked)
  asked$lambda <- check_lambda_df(asked$lambda)
  design <- asked_design(asked)
  validation <- if (identical(asked$nfolds, "pairs")) pairs_validation(asked, design)
                else new_validation(asked, design)
  make <- if (is.null(asked$family)) rls_problem else glm_rls_problem
  make(asked, design, validation)
}

# Leave-pair-out: every pair of rows that differ in y. The measure is AUC for two classes,
# concordance for numbers.
pairs_validation <- function(asked, design) {
  asked$nfolds <- "loo"
  recipe <- asked_folds(asked, design)
  given <- names(not_null(list(
    family = asked$family, offset = design$offset, groups = recipe$groups, strata = recipe$strata,
    keep = if (asked$keep) TRUE
  )))
  must(!length(given), "folds", sprintf("`nfolds = \"pairs\"` takes no `%s`.", given[1]), NULL,
       "Use nfolds = \"loo\".")
  response <- design$response
  must(ncol(response$y) == 1, "measure", "Leave-pair-out needs a single output or two classes.",
       sprintf("%d outputs", ncol(response$y)))
  wanted <- if (response$type == "binary") "auc" else "cindex"
  must(is.null(asked$type.measure) || identical(asked$type.measure, wanted), "measure",
       sprintf("`nfolds = \"pairs\"` needs type.measure = \"%s\" here.", wanted),
       shown(asked$type.measure))
  asked$type.measure <- wanted
  new_validation(asked, design, replace(recipe, "kind", "pairs"))
}
