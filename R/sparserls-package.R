#' sparserls: exact and fast cross-validation of kernel regularized least squares
#'
#' Regularized least squares (ridge regression, kernel ridge regression) with exact
#' cross-validation: held-out predictions equal those of honest refits, for a whole grid of
#' regularization parameters, at the cost of a few fits.
#'
#' Start with [cv.sparserls()], which uses a subset of the rows as basis vectors, or with [cv.rls()]
#' where all rows may carry a coefficient (ridge regression, small samples). [cv.greedyrls()]
#' selects features, [cv.rls2()] learns a sparse combination of kernels or features, [cv.ardrls()] a
#' kernel width for each feature. [sparserls()], [rls()] and so on fit without cross-validation.
#' See also [kernels], [cv_folds()], [families] for counts and classes, [derivatives()] for effects
#' of features, [fit_methods] and [tidiers].
#'
#' Held-out predictions equal those of refits up to rounding (about 1e-12) for least squares, and to
#' 1e-6 of the spread of the linear predictors with a `family`. The refits keep centres and scales
#' of all rows; [cv.sparserls()] says how to avoid that.
#'
#' @section Arguments:
#' Words, such as `type = "prob"`, are case-sensitive; errors list the known ones.
#'
#' @section Threads: `threads` (or `options(sparserls.threads = )`, 1 by default) compute kernel
#'   values and try features in [greedyrls()]. Results are the same for any number, bit for bit.
#'   Numbers above what the machine or `OMP_THREAD_LIMIT` allows are reduced, with a message. You
#'   set the threads of the BLAS; only tasks on chunks temporarily set them to one. See
#'   [sparserls_info()].
#'
#' @section Several processes: Under a `future::plan()` with several workers, these share the
#'   kernels and sizes of a search, the folds of honest refits ([cv.greedyrls()], [cv.rls2()], and
#'   [cv.ardrls()] with given `foldid` or `folds` and `basis` rows) and outer folds. Results are the
#'   same, bit for bit, if BLAS has the same number of threads: random numbers are drawn beforehand,
#'   in the same order. Other calls of [cv.ardrls()], searches with your own kernel function, and
#'   searches and outer folds with your own measure stay in your session.
#'
#' Every worker gets the data once; a progress bar moves only at the end. The task of a lost worker
#' is repeated, with a warning; if it is lost three times, or the plan takes no more tasks, there is
#' an error of class `sparserls_error_workers`.
#'
#' @references
#' Dinuzzo, F. (2010) Kernel machines with two layers and multiple kernel learning.
#' arXiv:1001.2709.
#'
#' Pahikkala, T., Suominen, H., Boberg, J. and Salakoski, T. (2009) Efficient hold-out
#' for subset of regressors. *ICANNGA 2009*, LNCS 5495, 350-359.
#'
#' Pahikkala, T., Suominen, H. and Boberg, J. (2012) Efficient cross-validation for
#' kernelized least-squares regression with sparse basis expansions. *Machine
#' Learning* 87, 381-407.
#' @name sparserls-package
#' @docType package
#' @keywords internal
#' @useDynLib sparserls, .registration = TRUE
#' @importFrom Matrix tcrossprod colSums rowSums Diagonal drop0
#' @importFrom methods as is validObject
#' @importFrom stats coef deviance family formula sigma weights fitted predict residuals vcov nobs
#'   model.frame model.matrix model.response terms delete.response median runif
#'   setNames plogis sd quantile qt ave naresid uniroot na.pass model.offset aggregate as.formula
#'   reformulate complete.cases .MFclass .getXlevels .checkMFClasses
#' @importFrom graphics abline axis legend mtext par plot points segments strwidth grconvertX
#'   grconvertY text polygon rect rug boxplot image contour
#' @importFrom grDevices n2mfrow adjustcolor
#' @importFrom tools md5sum
#' @importFrom utils head tail txtProgressBar setTxtProgressBar adist count.fields modifyList
#'   packageVersion
NULL

#' Prostate cancer data
#'
#' Clinical measurements of 97 men who were about to have their prostate removed, and the level of
#' prostate specific antigen to be predicted from them. It is the running example of *The Elements
#' of Statistical Learning*, whose split into 67 training and 30 test rows is the column `train`.
#'
#' Row 32 has the corrected log weight 3.8044 (44.9 g), as in the second edition of the book; its
#' first edition had 6.1 (449 g). "Log" is the natural logarithm throughout. The rows are in order
#' of `lpsa`.
#'
#' @format A data frame with 97 rows and 10 columns:
#' \describe{
#'   \item{lcavol}{log of the cancer volume (cubic centimetres)}
#'   \item{lweight}{log of the prostate weight (grams)}
#'   \item{age}{age (years)}
#'   \item{lbph}{log of the amount of benign prostatic hyperplasia (square centimetres)}
#'   \item{svi}{seminal vesicle invasion (1 = yes, 0 = no)}
#'   \item{lcp}{log of the capsular penetration (centimetres)}
#'   \item{gleason}{Gleason score}
#'   \item{pgg45}{Gleason scores of 4 or 5 (per cent)}
#'   \item{lpsa}{log of the prostate specific antigen (nanograms per millilitre), the response}
#'   \item{train}{`TRUE` for the 67 training rows, `FALSE` for the 30 test rows}
#' }
#' @source Stamey, T. A., Kabalin, J. N., McNeal, J. E., Johnstone, I. M., Freiha, F., Redwine,
#'   E. A. and Yang, N. (1989). Prostate specific antigen in the diagnosis and treatment of
#'   adenocarcinoma of the prostate: II. Radical prostatectomy treated patients. *Journal of
#'   Urology*, 141, 1076-1083. The rows were taken from the CRAN package genridge.
#' @references Hastie, T., Tibshirani, R. and Friedman, J. (2009). *The Elements of Statistical
#'   Learning*, second edition. Springer.
#' @examples
#' data(prostate)
#' colMeans(prostate[prostate$train, 1:9])
"prostate"

# ---- loading ---------------------------------------------------------------------------------

# Calls `register` when the package `pkg` is loaded, now if it is.
when_loaded <- function(pkg, register) {
  setHook(packageEvent(pkg, "onLoad"), register)
  if (isNamespaceLoaded(pkg)) register()
}

.onLoad <- function(libname, pkgname) {
  session$pid <- Sys.getpid()
  session$constants <- .Call(ffi_constants)
  # An invalid option must not keep the package from loading: the first problem reports it.
  tryCatch(use_blas(), sparserls_error = function(e) NULL)
  session$kernels <- c(.Call(ffi_kernel_table), r_kernels)
  when_loaded("marginaleffects", register_marginaleffects)
  when_loaded("parsnip", register_parsnip)
  when_loaded("FastKRR", register_krr)
  when_loaded("mlr3", register_mlr3)
}
