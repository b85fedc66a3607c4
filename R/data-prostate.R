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
