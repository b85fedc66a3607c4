#' Repeated cross-validation estimates
#'
#' Collects the error curves of one or more estimators over repetitions of an experiment (other
#' folds, other basis vectors, other data), with their mean and their variance. The distance of the
#' mean from the error on new rows says how far an estimator is off, the variance how much it
#' depends on chance.
#'
#' @param ... one named argument for each estimator: a matrix with one row per repetition and one
#'   column per lambda, such as the `cvm` of [cv.sparserls()] row by row, or a vector for a single
#'   repetition.
#' @param lambda the values of lambda, one for each column.
#' @return An object of class `cv_estimates`, a data frame with the columns `estimator` (a factor),
#'   `lambda`, `mean`, `variance` (divisor r - 1; NA for a single repetition) and `repetitions`.
#' @section Errors: `sparserls_error_argument` for estimators without a name or of the wrong shape,
#'   `sparserls_error_lambda`.
#' @references Pahikkala, T., Suominen, H. and Boberg, J. (2012) Efficient cross-validation for
#'   kernelized least-squares regression with sparse basis expansions. *Machine Learning*
#'   87, 381-407. Figures 1 to 8 are of this kind.
#' @examples
#' set.seed(1)
#' x <- matrix(runif(300, -5, 5))
#' y <- sin(x[, 1]) + rnorm(300)
#' lambda <- 2^(6:-6)
#' one <- function(...) {
#'   cv.sparserls(x, y, 15, kernel_gaussian(1), lambda, nfolds = 5, ...)$cvm
#' }
#' estimates <- cv_estimates(`one basis` = t(replicate(10, one())),
#'                           `a basis for each fold` = t(replicate(10, one(reselect = TRUE))),
#'                           lambda = lambda)
#' estimates
#' plot(estimates)
#' @export
cv_estimates <- function(..., lambda = NULL) {
  curves <- list(...)
  if (length(curves) == 0 || is.null(names(curves)) || any(names(curves) == "")) {
    abort("argument", "Every estimator must be a named argument.", NULL,
          "Write cv_estimates(`leave-one-out` = curves, lambda = lambda).")
  }
  check_lambda_grid(lambda)
  parts <- lapply(names(curves), function(name) {
    curve <- as_curves(curves[[name]], length(lambda), name)
    data.frame(estimator = factor(name, names(curves)), lambda = as.double(lambda),
               mean = colMeans(curve), variance = apply(curve, 2, stats::var),
               repetitions = nrow(curve))
  })
  structure(do.call(rbind, parts), class = c("cv_estimates", "data.frame"))
}

as_curves <- function(curve, columns, name) {
  if (is.numeric(curve) && is.null(dim(curve))) curve <- matrix(curve, 1)
  if (!is.matrix(curve) || !is.numeric(curve) || ncol(curve) != columns || nrow(curve) == 0 ||
        anyNA(curve)) {
    abort("argument", sprintf("`%s` must be a numeric matrix without gaps, with %d columns.", name,
                              columns),
          describe(curve), "One row is one repetition, one column one lambda.")
  }
  curve
}

drawn_panels <- function(estimates, what) {
  if (!is.character(what) || length(what) == 0 || !all(what %in% c("mean", "variance"))) {
    abort("argument", "`what` must be \"mean\", \"variance\" or both.", describe(what))
  }
  if (all(is.na(estimates$variance))) "mean" else what
}
