#' Cross-validation of multiple kernel learning
#'
#' Cross-validates [rls2()] over its path of lambda: for every fold the path is followed anew from
#' its beginning, without the fold's rows, and with scales computed without them too (unless the
#' scales are given as numbers, or `newdata` brings all rows into them). Standardization, a default
#' `gamma` and the default grid of lambda are those of all rows. More than two classes are fitted
#' one-versus-all.
#'
#' @section Scaling in the folds: `"fisher"` looks at y and is therefore never computed with the
#'   held-out rows. The paper computes it once; to repeat that, pass its numbers (the field
#'   `scale` of a fit to all rows) as `scaling`.
#' @section A choice at the edge of its grid: As in [cv.sparserls()] a message and the print say so.
#'   The default grid reaches neither the null model (`lambda = Inf`) nor the unregularized end, so
#'   a `lambda.min` at one of its ends calls for a longer grid. With `algorithm = "alternate"` they
#'   also say when `lambda.min` is the smallest of the grid and the alternation stopped short of the
#'   optimum there: such a fit owes its error to the early stop, not to lambda.
#' @section Errors: As in [rls2()], and `sparserls_error_folds` and `sparserls_error_measure` as in
#'   [cv.sparserls()].
#'
#' @inheritParams rls2
#' @inheritParams cv.sparserls
#' @return An object of class `cv.rls2`, with the fields of [cv.sparserls()] (`lambda.1se` is the
#'   largest lambda with an error within one standard error of the smallest); `fit` is the
#'   [rls2()] fit to all rows.
#' @references As for [rls2()].
#' @examples
#' set.seed(1)
#' cv <- cv.rls2(lpsa ~ . - train, data = prostate, subset = train)
#' cv
#' coef(cv, s = "lambda.1se")
#' plot(cv)
#' @export
cv.rls2 <- function(x, ...) {
  UseMethod("cv.rls2")
}

#' @rdname cv.rls2
#' @export
cv.rls2.default <- function(x, y, kernels = NULL, lambda = NULL, nlambda = 50,
                            scaling = c("norm", "fisher", "none"), center = FALSE, newdata = NULL,
                            weights = NULL, intercept = TRUE, standardize = TRUE,
                            algorithm = c("newton", "alternate"), tol = 1e-8, nfolds = NULL,
                            foldid = NULL, groups = NULL, strata = NULL, folds = NULL,
                            type.measure = NULL, rule = c("1se", "paired"), keep = FALSE,
                            by.output = FALSE, outer = NULL, progress = interactive(),
                            threads = NULL, ...) {
  check_dots(..., known = names(formals()))
  kernels <- read_kernels(kernels)
  design <- as_design(x, y, weights, kernels)
  settings <- rls2_settings(scaling, center, algorithm, tol)
  validation <- new_validation(design, nfolds, foldid, groups, strata, folds, type.measure, keep,
                               progress, by.output, outer, rule)
  if (!missing(standardize)) note_standardize(standardize, kernels)
  cross_validate(rls2_problem(
    design, generic_call(match.call(), "cv.rls2"), kernels, lambda, nlambda, newdata, settings,
    intercept, standardize, threads, validation
  ))
}

#' @rdname cv.rls2
#' @export
cv.rls2.formula <- function(formula, data, ..., subset, na.action, weights, foldid, groups,
                            strata) {
  given <- formula_call(match.call(), "cv.rls2", parent.frame(), formula, data)
  from_formula(given, cv.rls2.default, ..., labels = c("foldid", "groups", "strata"))
}
