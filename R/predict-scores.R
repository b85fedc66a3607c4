# Scores of coded rows by a fit, at points of its path, and the shape in which users see them.

# at: s, or k; type: "response" or "class".
predict_at <- function(fit, at, newdata, type = "response") {
  if (missing(newdata)) scores <- training_rows(fit, kept_scores(fit, at))
  else {
    scores <- new_scores(fit, forge(fit$blueprint, newdata), path_points(fit, at))
    rownames(scores) <- rownames(newdata)
  }
  label <- if (type == "class") label_classes else label_predictions
  label(scores, fit$response, path_labels(fit, at))
}

# What fitted() and residuals() answer of a fit, or of the held-out scores of its rows.
fitted_at <- function(fit, at, scores = kept_scores(fit, at)) {
  check_format(fit)
  if (is_likelihood(fit$family)) scores[] <- score_means(fit$family, scores)
  label_predictions(training_rows(fit, scores), fit$response, path_labels(fit, at))
}

residuals_at <- function(fit, at, scores = kept_scores(fit, at)) {
  check_format(fit)
  residuals <- as.vector(fit$response$y) - scores
  label_predictions(training_rows(fit, residuals), fit$response, path_labels(fit, at))
}

# Scores of the training rows with their names; rows that na.exclude has removed come back as NA.
training_rows <- function(object, scores) {
  flat <- matrix(scores, nrow(scores), dimnames = list(object$rownames, NULL))
  flat <- stats::naresid(object$na.action, flat)
  array(flat, c(nrow(flat), dim(scores)[-1]), list(rownames(flat), NULL, NULL))
}

check_predict_type <- function(type, response) {
  type <- check_choice(type, c("response", "class", "prob"), "type")
  if (type != "response" && !is_class(response)) {
    abort("argument", sprintf("`type = \"%s\"` needs a fit to classes.", type), NULL,
          "y was numeric.")
  }
  type
}

coded_scores.sparserls_fit <- function(object, x, at) {
  expansion <- expansion_at(object, at)
  a0 <- as.vector(expansion$a0)
  complete <- rowSums(is.na(x)) == 0
  scores <- matrix(NA_real_, nrow(x), length(a0))
  outside <- if (!is.null(object$nearest)) logical(nrow(x))
  # Blocks of rows: the kernel of all new rows with the basis may not fit into memory.
  for (rows in row_blocks(sum(complete), expansion_terms(object))) {
    i <- which(complete)[rows]
    found <- expansion_scores(object, expansion, x[i, , drop = FALSE])
    outside[i] <- attr(found, "outside")
    scores[i, ] <- found + rep(a0, each = length(i))
  }
  structure(array(scores, c(nrow(x), ncol(object$response$y), length(at))), outside = outside)
}

expansion_at.sparserls_fit <- function(object, lambda) {
  if (is.null(object$spectrum)) check_expansion(object, "expansion")
  coefficients_at(object$spectrum, lambda)
}

expansion_terms.sparserls_fit <- function(object) {
  if (is.null(object$spectrum)) object$blueprint$p else ncol(object$spectrum$map)
}

expansion_scores.sparserls_fit <- function(object, expansion, x) {
  alpha <- expansion$alpha
  values <- term_values(object, x)
  # A large matrix is not copied.
  scores <- crossprod(values, if (is.matrix(alpha)) alpha else matrix(alpha, nrow(alpha)))
  attr(scores, "outside") <- if (!is.null(object$nearest)) far_from_basis(object$nearest, values)
  scores
}

# Kernel values of the basis vectors, or features, terms x rows.
term_values <- function(object, x) {
  if (is.null(object$basis)) {
    return(t(densify(point_features(new_points(object, x), object$kernel$features))$x))
  }
  values_with_new(object, object$kernel, object$basis, object$points, x)
}

new_points <- function(object, x) as_points(x, object$standard, "newdata")

# The kernel of basis vectors (rows `basis` of the data, as the kernel sees them) with
# new rows, basis vectors x rows.
values_with_new <- function(object, kernel, basis, points, x) {
  if (is_precomputed(kernel)) {
    if (kernel$normalize) {
      abort("newdata", "A normalized precomputed kernel cannot predict for new rows.", NULL,
            "Normalize the kernel matrix itself and use kernel_precomputed().")
    }
    return(t(as.matrix(x[, basis, drop = FALSE])))
  }
  new <- kernel_view(new_points(object, x), kernel)
  # A sparse fit may meet dense new rows and the other way round.
  if (is_dense(new) != is_dense(points)) {
    new <- densify(new)
    points <- densify(points)
  }
  values <- kernel_values(kernel, points, new, check_threads(NULL))
  check_kernel_values(values)
  values
}

# The shape in which users see scores, rows x outputs x values of the path, which `labels` names:
# without the dimensions of a single output and of a single value.
label_predictions <- function(scores, response, labels) {
  shape <- dim(scores)
  names <- list(rownames(scores), response$outputs, if (shape[3] > 1) labels)
  kept <- c(TRUE, shape[-1] > 1)
  if (sum(kept) == 1) return(setNames(as.vector(scores), names[[1]]))
  do.call(name_all, c(list(array(scores, shape[kept])), names[kept]))
}

# Without any names there are no dimnames, rather than a list of NULLs.
name_all <- function(x, ...) {
  names <- list(...)
  dimnames(x) <- if (!all(vapply(names, is.null, NA))) names
  x
}

label_classes <- function(scores, response, labels) {
  codes <- score_classes(response, scores)
  classes <- lapply(seq_len(ncol(codes)), function(l) {
    factor(response$levels[codes[, l]], response$levels)
  })
  if (length(classes) == 1) return(classes[[1]])
  as.data.frame(setNames(classes, labels), row.names = rownames(scores))
}

# The fitted values that are kept, rows x outputs x values of s.
kept_scores.sparserls_fit <- function(object, at) {
  if (!is.null(object$chunks)) {
    abort("object", "A fit to rows in chunks keeps none of them, nor their fitted values.", NULL,
          "Use predict() with the rows as `newdata`.")
  }
  if (is.null(object$fitted)) {
    abort("object", sprintf("Fits of %s() keep no fitted values.", class(object)[1]), NULL,
          "Use predict() with the training rows as `newdata`.")
  }
  at <- path_positions(object, at)
  if (!is.null(object$fitted_at)) at <- match(at, object$fitted_at)
  if (anyNA(at)) {
    abort("lambda", "The fit does not keep its fitted values at this `lambda`.",
          sprintf("%d rows, %d values of lambda", object$nobs, length(object$lambda)),
          paste("More than 10^6 numbers: only those of lambda.min and lambda.1se of a `cv.` result",
                "are kept. Use predict() with the training rows as `newdata`."))
  }
  object$fitted[, , at, drop = FALSE]
}

# Of a family that has no expansion and no answer of its own.
check_expansion <- function(fit, what) {
  if (!is.null(coordinates(fit))) return(invisible())
  abort("object", sprintf("Fits of %s() have no %s.", class(fit)[1], what))
}
