#' A model for caret
#'
#' A `method` for caret's `train()`: kernel regularized least squares on a subset of regressors for
#' numbers and classes, with the two parameters `lambda` and `gamma` (Gaussian kernel, columns
#' standardized).
#'
#' caret fits anew for each value of `lambda` in each resample; [cv.sparserls()] chooses among the
#' same values many times faster, with the folds that are given to it. Probabilities of classes are
#' calibrated on the held-out scores of an inner cross-validation of ten folds; without
#' `classProbs = TRUE` in `caret::trainControl()` there is none.
#'
#' Further arguments of `train()` are those of [sparserls()]: `basis`, `jitter`, `weights`,
#' `family`, and `kernel`, whose gamma is the one tuned. With `family = "binomial"` probabilities
#' are those of the likelihood, without a cross-validation; `family = "poisson"` and the others are
#' for numbers. (caret evaluates no `offset()`.) The default grid is around the default gamma of the
#' Gaussian kernel: give others a `tuneGrid`. With `train(x, y)` columns of `x` may be
#' factors, each then one feature (see the section Factors of [sparserls()]); `train(formula)` makes
#' contrasts of them before this package sees them. Rows with missing values are left out by
#' `na.action = na.omit` of `train(formula)`.
#'
#' Whole groups are held out by `caret::groupKFold()`. caret has no prediction intervals: for
#' those see `groups` and `keep` of [cv.sparserls()], with the gamma that was found.
#' @return A list, see `caret::getModelInfo()`.
#' @examples
#' \donttest{
#' if (requireNamespace("caret", quietly = TRUE)) {
#'   set.seed(1)
#'   chicks <- as.data.frame(ChickWeight)
#'   folds <- caret::groupKFold(chicks$Chick, 5)
#'   found <- caret::train(log(weight) ~ Time + Diet, data = chicks, method = caret_sparserls(),
#'                         tuneLength = 3, basis = basis_rpcholesky(15),
#'                         trControl = caret::trainControl("cv", index = folds))
#'   print(plot(found))
#'   cv <- cv.sparserls(log(weight) ~ Time + Diet, chicks, basis_rpcholesky(15),
#'                      kernel_gaussian(found$bestTune$gamma), groups = "Chick", keep = TRUE)
#'   predict(cv, data.frame(Time = 21, Diet = factor(1:4)), interval = "jackknife+")
#' }
#' }
#' @export
caret_sparserls <- function() {
  parameters <- data.frame(parameter = c("lambda", "gamma"), class = "numeric",
                           label = c("Regularization Parameter", "Inverse Squared Width"))
  list(
    label = "Regularized Least Squares on a Subset of Regressors", library = "sparserls",
    type = c("Regression", "Classification"), parameters = parameters, grid = caret_grid,
    loop = NULL, fit = caret_fit, predict = caret_predict, prob = caret_probabilities,
    predictors = function(x, ...) x$xNames, levels = function(x) x$obsLevels,
    tags = c("Kernel Method", "L2 Regularization"), sort = function(x) x[order(-x$lambda), ]
  )
}

# Around the default gamma of kernel_gaussian(), and lambda by decades.
caret_grid <- function(x, y, len = NULL, search = "grid") {
  design <- as_design(x, y, NULL, list(kernel_gaussian()))
  x <- design$x
  standard <- standardizer(x, rep(1, nrow(x)), TRUE, TRUE, design$blueprint$feature)
  points <- as_points(x, standard)
  gamma <- resolve_kernel(kernel_gaussian(), points, colnames(x), design$blueprint$feature)$gamma
  if (search == "random") {
    return(data.frame(lambda = 10^runif(len, -3, 4), gamma = gamma * 2^runif(len, -5, 3)))
  }
  multiples <- 2^seq(-4, 2, length.out = len)
  expand.grid(lambda = 10^seq(3, -2, length.out = 2 * len), gamma = gamma * multiples)
}

caret_fit <- function(x, y, wts, param, lev, last, classProbs, kernel = kernel_gaussian(),
                      family = NULL, ...) {
  settings <- list(x, y, kernel = with_gamma(kernel, param$gamma), lambda = param$lambda,
                   weights = wts, family = family, ...)
  adapter_fit("sparserls", settings, list(), classProbs && is.null(family))
}

caret_predict <- function(modelFit, newdata, submodels = NULL) {
  fit <- final_fit(modelFit)
  type <- if (is_class(fit$response)) "class" else "response"
  found <- predict(fit, newdata, type = type)
  if (type == "class") as.character(found) else as.vector(found)
}

caret_probabilities <- function(modelFit, newdata, submodels = NULL) {
  as.data.frame(predict(modelFit, newdata, type = "prob"))
}
