# Methods of fits.

describe_fit <- function(fit) UseMethod("describe_fit")

describe_fit.sparserls_fit <- function(fit) {
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
  if (inherits(s, "sparserls_df")) {
    if (is.null(object$spectrum)) {
      abort("lambda", "lambda_df() serves sparserls() and rls() only.", NULL,
            "The field `df` of the fit has the degrees of freedom of its path.")
    }
    s <- solve_df(s, object$spectrum$values)
  }
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
#' @param object a fit of [sparserls()], [rls()] or [rls2()], or a result of their `cv.` functions.
#' @param newdata new rows, as `x` or `data` of the fit. Columns are matched by name where both
#'   have names: extra ones are ignored, their order does not matter. Rows of a data frame with
#'   missing values are predicted as NA. With a precomputed kernel: the matrix of kernel values of
#'   new rows with all training rows. Without `newdata`: the fitted values.
#' @param s values of lambda within the path, or (not of [rls2()]) [lambda_df()]; between the values
#'   of the path they are solved for exactly. For fits `NULL` means the whole path; for `cv.`
#'   results also `"lambda.min"` and `"lambda.1se"`.
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
  expansion <- expansion_at(object, lambda)
  a0 <- as.vector(expansion$a0)
  complete <- if (is.matrix(x)) rowSums(is.na(x)) == 0 else rep(TRUE, nrow(x))
  scores <- matrix(NA_real_, nrow(x), length(a0))
  # Blocks of rows: the kernel of all new rows with the basis may not fit into memory.
  for (rows in row_blocks(sum(complete), expansion_terms(object))) {
    i <- which(complete)[rows]
    scores[i, ] <- expansion_scores(object, expansion, x[i, , drop = FALSE]) +
      rep(a0, each = length(i))
  }
  array(scores, c(nrow(x), ncol(object$response$y), length(lambda)))
}

# What fits of different kinds know about themselves: the coefficients at values of lambda, with a0
# (outputs x lambdas); how many kernel values or features a row needs; and the scores of new rows
# without a0, rows x (outputs lambdas).
expansion_at <- function(object, lambda) UseMethod("expansion_at")
expansion_terms <- function(object) UseMethod("expansion_terms")
expansion_scores <- function(object, expansion, x) UseMethod("expansion_scores")

expansion_at.sparserls_fit <- function(object, lambda) coefficients_at(object$spectrum, lambda)

expansion_terms.sparserls_fit <- function(object) ncol(object$spectrum$map)

expansion_scores.sparserls_fit <- function(object, expansion, x) {
  values <- if (is.null(object$basis)) {
    t(densify(point_features(new_points(object, x), object$kernel$features))$x)
  } else {
    values_with_new(object, object$kernel, object$basis, object$points, x)
  }
  crossprod(values, matrix(expansion$alpha, nrow(expansion$alpha)))
}

new_points <- function(object, x) as_points(x, object$standard, "newdata")

# The kernel of basis vectors (rows `basis` of the data, as points of the kernel's features) with
# new rows, basis vectors x rows.
values_with_new <- function(object, kernel, basis, points, x) {
  if (is_precomputed(kernel)) {
    if (kernel$normalize) {
      abort("newdata", "A normalized precomputed kernel cannot predict for new rows.", NULL,
            "Normalize the kernel matrix itself and use kernel_precomputed().")
    }
    return(t(as.matrix(x[, basis, drop = FALSE])))
  }
  new <- point_features(new_points(object, x), kernel$features)
  # A sparse fit may meet dense new rows and the other way round.
  if (is_dense(new) != is_dense(points)) {
    new <- densify(new)
    points <- densify(points)
  }
  values <- kernel_values(kernel, points, new, check_threads(NULL))
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
#' @param object a fit of [sparserls()] or [rls()] (its coefficients, of [rls2()] see
#'   [coef.rls2()]), or a result of a `cv.` function.
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
  linear <- has_slopes(object$kernel)
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
