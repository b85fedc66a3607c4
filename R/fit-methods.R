# Methods of fits.

describe_fit <- function(fit) {
  terms <- if (inherits(fit, "rls")) sprintf("%s solver", fit$solver)
           else sprintf("%d basis vectors", length(fit$basis))
  sprintf("%d rows, %s, %s", fit$nobs, terms, format(fit$kernel))
}

#' @export
print.sparserls_fit <- function(x, digits = max(3, getOption("digits") - 3), ...) {
  check_model(x)
  cat("\nCall: ", deparse1(x$call), "\n\n", sep = "")
  jitter <- if (!is.null(x$jitter)) {
    sprintf("jitter %s added to the kernel of every row with itself", format(x$jitter))
  }
  cat(describe_fit(x), jitter, "", sep = "\n")
  print(data.frame(Df = signif(x$df, digits), `%Dev` = round(100 * x$dev.ratio, 2),
                   Lambda = signif(x$lambda, digits), check.names = FALSE))
  invisible(x)
}

#' @export
summary.sparserls_fit <- function(object, ...) {
  check_dots(..., known = "object")
  print(object)
}

#' @export
nobs.sparserls_fit <- function(object, ...) object$nobs

# s as numbers within the path, or the whole path.
path_values <- function(object, s) {
  if (is.null(s)) return(object$lambda)
  if (inherits(s, "sparserls_df")) s <- solve_df(s, object$spectrum$values)
  if (!is.numeric(s) || length(s) == 0 || anyNA(s)) {
    abort("lambda", "`s` must be numbers, values of lambda.", describe(s))
  }
  range <- range(object$lambda)
  slack <- 1e-8
  outside <- s < range[1] * (1 - slack) | s > range[2] * (1 + slack)
  if (any(outside)) {
    abort("lambda", "`s` is outside the path of `lambda`.", sprintf("%s", format(s[outside][1])),
          sprintf("The path goes from %s to %s; fit again with more values of `lambda`.",
                  format(range[1], digits = 4), format(range[2], digits = 4)))
  }
  as.double(s)
}

#' Predictions
#'
#' @param object a fit of [sparserls()] or [rls()], or a result of their `cv.` functions.
#' @param newdata new rows, as `x` or `data` of the fit. Columns are matched by name where both
#'   have names: extra ones are ignored, their order does not matter. Rows of a data frame with
#'   missing values are predicted as NA. With a precomputed kernel: the matrix of kernel values of
#'   new rows with all training rows. Without `newdata`: the fitted values.
#' @param s values of lambda within the path, or [lambda_df()]; between the values of the path
#'   they are solved for exactly. For fits `NULL` means the whole path; for `cv.` results also
#'   `"lambda.min"` and `"lambda.1se"`.
#' @param type `"response"` for predictions on the scale of y (scores for classes), `"class"` for
#'   the predicted class.
#' @param ... unused.
#' @return A matrix, rows x lambdas; for several outputs an array, rows x outputs x
#'   lambdas. Classes: a factor for one lambda, a data frame of factors for several.
#' @section Errors: `sparserls_error_newdata` for columns, types or levels that do not fit,
#'   `sparserls_error_lambda` for values outside the path.
#' @examples
#' set.seed(1)
#' fit <- sparserls(lpsa ~ . - train, data = prostate, basis = 20)
#' predict(fit, prostate[1:3, ], s = c(1, 0.1))
#' @export
predict.sparserls_fit <- function(object, newdata, s = NULL, type = c("response", "class"), ...) {
  check_dots(..., known = names(formals()))
  check_model(object)
  type <- check_predict_type(type, object$response)
  if (missing(newdata)) {
    scores <- fitted_array(object, s)
    rows <- NULL
  } else {
    scores <- predict_array(object, newdata, path_values(object, s))
    rows <- rownames(newdata)
  }
  if (type == "class") return(label_classes(object$response, scores))
  label_predictions(scores, object$response, rows)
}

check_predict_type <- function(type, response) {
  type <- check_choice(type, c("response", "class"), "type")
  if (type == "class" && !is_class(response)) {
    abort("argument", "`type = \"class\"` needs a fit to classes.", NULL, "y was numeric.")
  }
  type
}

# Scores of new rows, rows x outputs x lambdas.
predict_array <- function(object, newdata, lambda) {
  x <- forge(object$blueprint, newdata)
  solved <- coefficients_at(object$spectrum, lambda)
  alpha <- matrix(solved$alpha, nrow(solved$alpha))
  complete <- if (is.matrix(x)) rowSums(is.na(x)) == 0 else rep(TRUE, nrow(x))
  scores <- matrix(NA_real_, nrow(x), ncol(alpha))
  # Blocks of rows: the kernel of all new rows with the basis may not fit into memory.
  for (rows in row_blocks(sum(complete), nrow(alpha))) {
    i <- which(complete)[rows]
    k <- new_kernel_values(object, x[i, , drop = FALSE])
    scores[i, ] <- crossprod(k, alpha) + rep(solved$a0, each = length(i))
  }
  dim(scores) <- c(nrow(x), dim(solved$alpha)[-1])
  scores
}

# What the coefficients multiply for new rows, terms x rows: the kernel of the basis vectors with
# them, or their features.
new_kernel_values <- function(object, x) {
  kernel <- object$kernel
  if (kernel$name == "precomputed") {
    if (kernel$normalize) {
      abort("newdata", "A normalized precomputed kernel cannot predict for new rows.", NULL,
            "Normalize the kernel matrix itself and use kernel_precomputed().")
    }
    return(t(as.matrix(x[, object$basis, drop = FALSE])))
  }
  points <- point_features(as_points(x, object$standard, "newdata"), kernel$features)
  if (is.null(object$basis)) return(t(densify(points)$x))
  basis <- object$points
  # A sparse fit may meet dense new rows and the other way round.
  if (is_dense(points) != is_dense(basis)) {
    points <- densify(points)
    basis <- densify(basis)
  }
  values <- kernel_values(kernel, basis, points, check_threads(NULL))
  check_kernel_values(values)
  values
}

label_predictions <- function(scores, response, rows) {
  shape <- dim(scores)
  if (shape[2] == 1) return(matrix(scores, shape[1], shape[3], dimnames = list(rows, NULL)))
  dimnames(scores) <- list(rows, response$outputs, NULL)
  scores
}

label_classes <- function(response, scores) {
  codes <- score_classes(response, scores)
  classes <- lapply(seq_len(ncol(codes)), function(l) {
    factor(response$levels[codes[, l]], response$levels)
  })
  if (length(classes) == 1) return(classes[[1]])
  as.data.frame(setNames(classes, paste0("s", seq_along(classes))))
}

fitted_array <- function(object, s) {
  at <- if (is.null(s)) seq_along(object$lambda)
        else match(signif(path_values(object, s), 10), signif(object$lambda, 10))
  if (anyNA(at)) {
    abort("lambda", "Fitted values are kept for the values of `lambda` in the path only.",
          format(s[is.na(at)][1]), "Use predict() with the training rows as `newdata`.")
  }
  object$fitted[, , at, drop = FALSE]
}

#' Coefficients, fitted values and residuals
#'
#' @param object a fit of [sparserls()] or [rls()], or a result of their `cv.` functions.
#' @param s values of lambda as in [predict.sparserls_fit()]; fitted values and residuals exist
#'   for values of the path only.
#' @param ... unused.
#' @return `coef()`: with a linear kernel the intercept and the slopes on the user's scale of x;
#'   with other kernels the intercept and the coefficients of the basis vectors, named by row. A
#'   matrix, coefficients x lambdas, or an array, coefficients x outputs x lambdas. `fitted()` and
#'   `residuals()`: as [predict.sparserls_fit()]. `residuals()` of classes are those of the -1/+1
#'   codes.
#' @examples
#' set.seed(1)
#' fit <- sparserls(lpsa ~ . - train, data = prostate, basis = 20, kernel = kernel_linear())
#' coef(fit, s = 1)
#' @export
coef.sparserls_fit <- function(object, s = NULL, ...) {
  check_dots(..., known = names(formals()))
  check_model(object)
  solved <- coefficients_at(object$spectrum, path_values(object, s))
  shape <- dim(solved$alpha)
  linear <- object$kernel$name == "linear" && !object$kernel$normalize
  values <- if (linear) slopes(object, solved) else {
    rbind(as.vector(solved$a0), matrix(solved$alpha, shape[1]))
  }
  names <- c("(Intercept)", if (linear) slope_names(object) else object$basis_labels)
  if (shape[2] == 1) return(matrix(values, ncol = shape[3], dimnames = list(names, NULL)))
  array(values, c(nrow(values), shape[-1]), list(names, object$response$outputs, NULL))
}

slope_names <- function(object) {
  if (is.null(object$columns)) paste0("V", seq_len(object$blueprint$p)) else object$columns
}

# f(x) = a0 + sum_j a_j x_j'(x - centre) / scale: slopes of x and the intercept.
slopes <- function(object, solved) {
  beta <- matrix(solved$alpha, nrow(solved$alpha))
  if (!is.null(object$basis)) beta <- crossprod(densify(object$points)$x, beta)
  features <- object$kernel$features
  full <- matrix(0, object$blueprint$p, ncol(beta))
  full[if (is.null(features)) seq_len(nrow(full)) else features, ] <- beta
  standard <- object$standard
  if (is.null(standard)) return(rbind(as.vector(solved$a0), full))
  full <- full / standard$scale
  rbind(as.vector(solved$a0) - colSums(full * standard$centre), full)
}

#' @rdname coef.sparserls_fit
#' @export
fitted.sparserls_fit <- function(object, s = NULL, ...) {
  check_dots(..., known = names(formals()))
  check_model(object)
  label_predictions(fitted_array(object, s), object$response, NULL)
}

#' @rdname coef.sparserls_fit
#' @export
residuals.sparserls_fit <- function(object, s = NULL, ...) {
  check_dots(..., known = names(formals()))
  check_model(object)
  fitted <- fitted_array(object, s)
  label_predictions(as.vector(object$response$y) - fitted, object$response, NULL)
}
