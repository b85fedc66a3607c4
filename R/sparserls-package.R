#' sparserls: exact and fast cross-validation of kernel regularized least squares
#'
#' Regularized least squares (ridge regression, kernel ridge regression) on a subset of regressors.
#' [cv.sparserls()] cross-validates a whole grid of regularization parameters at the price of a few
#' fits, for ten folds or single rows about two; its held-out predictions equal those of honest
#' refits, with the basis vectors of the held-out rows removed: up to rounding, about 1e-12, for
#' least squares, and to 1e-6 of the spread of the linear predictors with a `family`. (These refits
#' keep centres and scales of all rows; its help says how to avoid that.)
#'
#' Start with [cv.sparserls()], or with [cv.rls()] where all rows may carry a coefficient (ridge
#' regression, small samples); [sparserls()] and [rls()] fit without cross-validation.
#' [greedyrls()] and [cv.greedyrls()] select features; [rls2()] and [cv.rls2()] learn a sparse
#' combination of kernels or features. [kernels] lists the kernels,
#' [basis_random()] the ways to choose basis vectors and [cv_folds()] the ways to make folds.
#' [derivatives()] has effects of features with standard errors, [vcov()][vcov.sparserls_fit] those
#' of coefficients. [fit_methods] and [tidiers] are for users of `lm()` and of broom.
#'
#' @section Arguments:
#' Words, such as `type = "prob"`, are case-sensitive; one that is unknown is an error that lists
#' those that are known. What is to be a single value is refused where it has several.
#'
#' @section Threads:
#' `threads` (or `options(sparserls.threads = )`) are the package's own threads, used where kernel
#' values are computed and where [greedyrls()] tries features. Results are the same, bit for bit,
#' for any number of them. More threads than the machine runs, or than `OMP_THREAD_LIMIT` allows,
#' are not used; a message says so. The threads of the BLAS are yours to set; the package does not
#' touch them, but that tasks on chunks take one thread and then set what was there before.
#' [sparserls_info()] says whether R's BLAS or the package's own dense algebra is used, and why.
#'
#' @section Several processes:
#' Under a `future::plan()` with more than one worker, the kernels and sizes of a search, the folds
#' of honest refits ([cv.greedyrls()], [cv.rls2()], and [cv.ardrls()] with given `foldid` or `folds`
#' and `basis` rows) and the outer folds of `outer = ` run on the workers. Results are the same, bit
#' for bit, as without a plan, where BLAS has as many threads: all random numbers are drawn
#' beforehand, in the same order. What draws random numbers as it runs stays in one process: other
#' calls of [cv.ardrls()], and searches with a kernel that is a function of yours. With a measure
#' that is a function of yours the workers predict, and the function is called in your session, as
#' often and in the same order as without a plan, so that it may draw random numbers and use your
#' variables; outer folds are then gone through one after the other, each of them shared, and this
#' process holds the held-out predictions of all kernels and sizes that are tried at a time.
#' Every worker gets the data once. A progress bar moves only at the end. If a worker is lost its
#' part is done again, with a warning; if it is lost three times, or the plan takes no more tasks,
#' that is an error of class `sparserls_error_workers`.
#'
#' The gain: by processor time on the critical path (this process and the busier worker; medians of
#' three runs) two workers were 1.5 times faster in a search of eight kernels with 5000 rows and 500
#' basis vectors, and 1.4 times in [cv.ardrls()] with four outer folds, whose search on all rows
#' stays in one process.
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
#' @importFrom Matrix tcrossprod colSums rowSums Diagonal
#' @importFrom methods as is validObject
#' @importFrom stats coef deviance family formula sigma weights fitted predict residuals vcov nobs
#'   model.frame model.matrix model.response terms delete.response median runif
#'   setNames
#' @importFrom graphics abline axis legend lines mtext par plot points segments
#'   strwidth
#' @importFrom utils head tail txtProgressBar setTxtProgressBar
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
