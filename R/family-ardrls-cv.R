#' Honest cross-validation of widths for each feature
#'
#' Leaves out each outer fold in turn, repeats the whole path of [ardrls()] without it,
#' standardization included, and predicts the fold at every `penalty`. The error at a penalty is
#' thus that of the whole procedure. (The inner error, which the search minimizes, is too small.)
#'
#' @section Outer and inner folds: `nfolds`, `foldid`, `groups`, `strata` and `folds` are those of
#'   the inner folds, as in [ardrls()]. Outer folds keep groups whole, and balance `strata`, too.
#'   Inner folds are drawn among the rows that an outer fold leaves; those that are given lose its
#'   rows. A basis that is drawn, or selected, is drawn anew.
#' @section Cost: That of [ardrls()] times one more than the number of outer folds, with a split
#'   less than twice: where there is a single outer fold, the search in all rows, which is not what
#'   is assessed, starts at every penalty from the widths that were found without the fold, and
#'   takes a basis that was selected there.
#' @section Errors: As in [ardrls()], and `sparserls_error_measure`.
#'
#' @inheritParams ardrls
#' @param outer the outer folds: a number of folds; `"split"`, a random fifth of the rows (or
#'   groups, one of fewer than five) once; or folds as in the argument `folds`. `NULL`: five folds
#'   (fewer where there are fewer groups), a split where there are more than 5000 rows.
#' @param type.measure,keep as in [cv.sparserls()].
#' @param rule what `penalty.1se` is: `"paired"`, the largest penalty whose mean difference from the
#'   smallest error, on the same rows (or groups), is within one standard error of this difference;
#'   or `"1se"`, the usual rule, within one standard error of the smallest error. The latter goes
#'   too far where a few outliers or a single hard fold make all errors uncertain; formulas are in
#'   [cv.sparserls()].
#' @param progress whether to show a text bar.
#' @return An object of class `cv.ardrls`, a list with
#'   \item{penalty}{decreasing}
#'   \item{cvm, cvsd, cvup, cvlo}{honest error at each, standard error, and error plus and minus it}
#'   \item{name, rule}{of the measure; the `rule` of `penalty.1se`}
#'   \item{penalty.min}{of the smallest error}
#'   \item{penalty.1se}{the largest penalty that is as good by `rule`}
#'   \item{index}{their positions}
#'   \item{foldid}{outer fold of every row; NULL where outer folds overlap or leave rows out}
#'   \item{outer}{`"split"` or `"folds"`}
#'   \item{fit}{the path of [ardrls()] with all rows; its `kernel` has the widths of `penalty.1se`}
#'   \item{fit.preval}{with `keep`: held-out predictions, rows x penalties, or rows x outputs x
#'     penalties; NA where a row is not scored}
#'   \item{refits}{with `keep`: the fits without every outer fold, as in [cv.sparserls()]}
#'   \item{calibration}{of classes, at `penalty.min` and `penalty.1se`, as in [cv.sparserls()]}
#'   \item{nfolds, omits.more, ngroups, call}{number of outer folds, whether they omit rows that
#'     they do not score, the number of groups where there are some, and the call}
#' @references As for [ardrls()].
#' @examples
#' set.seed(1)
#' cv <- cv.ardrls(lpsa ~ . - train, data = prostate, subset = train, basis = 30, npenalty = 4)
#' cv
#' plot(cv)
#' predict(cv, prostate[!prostate$train, ])
#' @export
cv.ardrls <- function(x, ...) {
  UseMethod("cv.ardrls")
}

#' @rdname cv.ardrls
#' @export
cv.ardrls.default <- function(x, y, basis = NULL, kernel = kernel_matern(), penalty = NULL,
                              npenalty = 8, maxit = 100, outer = NULL, nfolds = NULL,
                              foldid = NULL, groups = NULL, strata = NULL, folds = NULL,
                              holdout_basis = c("remove", "keep", "keep_loss", "skip"),
                              type.measure = NULL, rule = c("paired", "1se"), keep = FALSE,
                              weights = NULL, intercept = TRUE, standardize = TRUE, jitter = 1e-7,
                              threads = NULL, progress = interactive(), ...) {
  check_dots(..., known = names(formals()))
  kernel <- check_ard_kernel(kernel, "cv.ardrls()")
  call <- generic_call(match.call(), "cv.ardrls")
  rule <- check_choice(rule, c("paired", "1se"), "rule")
  validation <- function(design, inner) {
    new_validation(design, type.measure = type.measure, keep = keep, progress = progress,
                   rule = rule, recipe = ard_outer_recipe(outer, design, inner))
  }
  warned_once(basis_warned(cross_validate(ardrls_problem(
    call, x, y, basis, kernel, penalty, npenalty, maxit, nfolds, foldid, groups, strata, folds,
    holdout_basis, weights, intercept, standardize, jitter, threads, FALSE, validation
  ))))
}

#' @rdname cv.ardrls
#' @export
cv.ardrls.formula <- function(formula, data, basis = NULL, ..., subset, na.action, weights, foldid,
                              groups, strata) {
  given <- formula_call(match.call(), "cv.ardrls", parent.frame(), formula, data)
  from_formula(given, cv.ardrls.default, formula_basis(basis, given), ...,
               labels = c("foldid", "groups", "strata"))
}

# More rows than this are split once.
split_above <- 5000

# The outer folds, which keep the groups of the inner ones, but not inner folds that are given.
ard_outer_recipe <- function(outer, design, inner) {
  units <- unit_count(inner$groups, design)
  if (!is.list(outer) && units < 3) {
    abort("folds", sprintf("cv.ardrls() needs at least three %s.",
                           if (is.null(inner$groups)) "rows" else "groups"),
          sprintf("%d", units), "Inner folds divide what an outer fold leaves.")
  }
  if (is.null(outer)) outer <- if (nrow(design$x) > split_above) "split" else min(5, units)
  if (identical(outer, "split")) return(split_recipe(design, inner, min(5, units)))
  nested_recipe(outer, design, inner[c("groups", "strata")], "split")
}

# A fifth of the rows, in whole groups: one of `nfolds`.
split_recipe <- function(design, inner, nfolds) {
  held <- cv_folds(nrow(design$x), nfolds, inner$groups, inner$strata)[[1]]
  recipe <- fold_recipe(design, NULL, NULL, inner$groups, NULL, NULL)
  replace(recipe, "folds", list(whole_folds(list(held))))
}

own_fields.ardrls_problem <- function(problem) {
  folds <- problem$validation$folds$folds
  list(outer = if (length(folds) == 1) "split" else "folds")
}
