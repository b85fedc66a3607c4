#' A model for caret
#'
#' What `train(method = )` of caret wants: kernel regularized least squares on a subset of
#' regressors for numbers and classes, with the two parameters `lambda` and `gamma` (Gaussian
#' kernel, columns standardized).
#'
#' Probabilities of classes are calibrated on the held-out scores of an inner cross-validation of
#' ten folds; without `classProbs = TRUE` in `caret::trainControl()` there is none. caret fits anew
#' for each value of `lambda` in each resample; [cv.sparserls()] chooses among the same values many
#' times faster, with the folds that are given to it.
#'
#' Further arguments of `train()` are those of [sparserls()]: `basis`, `jitter`, `weights`.
#' @return A list, see `caret::getModelInfo()`.
#' @examples
#' \donttest{
#' if (requireNamespace("caret", quietly = TRUE)) {
#'   set.seed(1)
#'   caret::train(lpsa ~ . - train, data = prostate, method = caret_sparserls(), tuneLength = 3,
#'                trControl = caret::trainControl("cv", 5), basis = 30)
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
  points <- as_points(as.matrix(x), standardizer(as.matrix(x), rep(1, nrow(x)), TRUE, 0))
  gamma <- resolve_kernel(kernel_gaussian(), points, colnames(x))$gamma
  if (search == "random") {
    return(data.frame(lambda = 10^runif(len, -3, 4), gamma = gamma * 2^runif(len, -5, 3)))
  }
  multiples <- 2^seq(-4, 2, length.out = len)
  expand.grid(lambda = 10^seq(3, -2, length.out = 2 * len), gamma = gamma * multiples)
}

caret_fit <- function(x, y, wts, param, lev, last, classProbs, ...) {
  settings <- list(as.matrix(x), y, kernel = kernel_gaussian(param$gamma), lambda = param$lambda,
                   weights = wts, ...)
  fit <- if (classProbs) {
    # lambda.min is the one there is.
    quiet_edges(do.call(cv.sparserls, c(settings, list(progress = FALSE))), TRUE)
  } else do.call(sparserls, settings)
  with_calls(fit, quote(sparserls()))
}

caret_predict <- function(modelFit, newdata, submodels = NULL) {
  fit <- final_fit(modelFit)
  type <- if (is_class(fit$response)) "class" else "response"
  found <- predict(fit, as.matrix(newdata), type = type)
  if (type == "class") as.character(found) else as.vector(found)
}

caret_probabilities <- function(modelFit, newdata, submodels = NULL) {
  as.data.frame(predict(modelFit, as.matrix(newdata), type = "prob"))
}
