# Scores of coded rows by a fit, at points of its path, and the shape in which users see them; and
# what becomes of new rows outside of the training rows, where predictions mean nothing.

# at: s, or k; type: "response" or "class".
predict_at <- function(fit, at, newdata, type = "response", axis = path_axis(fit)) {
  if (missing(newdata)) scores <- training_rows(fit, kept_scores(fit, at))
  else {
    scores <- new_scores(fit, forge(fit$blueprint, newdata), axis$read(at), rownames(newdata))
    rownames(scores) <- rownames(newdata)
  }
  label <- if (type == "class") label_classes else label_predictions
  label(scores, fit$response, path_labels(fit, at))
}

# What fitted() and residuals() answer of a fit, or of the held-out scores of its rows.
fitted_at <- function(fit, at, scores = kept_scores(fit, at)) {
  label_rows(fit, if (has_family(fit)) score_means(fit$family, scores) else scores, at)
}

residuals_at <- function(fit, at, scores = kept_scores(fit, at)) {
  label_rows(fit, as.vector(fit$response$y) - scores, at)
}

# Values of the training rows as users see them.
label_rows <- function(fit, values, at) {
  label_predictions(training_rows(fit, values), fit$response, path_labels(fit, at))
}

# Scores of the training rows with their names; rows that na.exclude has removed come back as NA.
training_rows <- function(object, scores) {
  flat <- matrix(scores, nrow(scores), dimnames = list(object$rownames, NULL))
  flat <- naresid(object$na.action, flat)
  array(flat, c(nrow(flat), dim(scores)[-1]), list(rownames(flat), NULL, NULL))
}

check_predict_type <- function(type, fit) {
  type <- check_choice(type, c("response", "class", "prob"), "type")
  if (type == "response" || is_class(fit$response)) return(type)
  two <- length(unique(as.vector(fit$response$y))) == 2
  abort("argument", sprintf("`type = \"%s\"` needs a fit to classes.", type), "y was numeric",
        if (has_family(fit)) "type = \"response\" has the mean (of binomial: the share)."
        else if (two) sprintf("Cross-validate factor(%s).",
                         if (is.null(fit$terms)) "y" else deparse1(fit$terms[[2]])))
}

coded_scores.sparserls_fit <- function(object, x, at) {
  expansion <- expansion_at(object, at)
  a0 <- as.vector(expansion$a0)
  complete <- rowSums(is.na(x)) == 0
  scores <- matrix(NA_real_, nrow(x), length(a0))
  outside <- if (!is.null(object$nearest)) logical(nrow(x))
  # Blocks of rows: the kernel of all new rows with the basis may not fit into memory.
  blocks <- if (sum(complete) == 1) list(1L) # in a tenth of the time
            else row_blocks(sum(complete), expansion_terms(object))
  for (rows in blocks) {
    i <- which(complete)[rows]
    found <- expansion_scores(object, expansion, x[i, , drop = FALSE])
    outside[i] <- attr(found, "outside")
    scores[i, ] <- found + rep(a0, each = nrow(found))
  }
  structure(array(scores, c(nrow(x), length(a0) / length(at), length(at))), outside = outside)
}

expansion_at.sparserls_fit <- function(object, lambda) {
  if (is.null(object$spectrum)) check_expansion(object, "expansion")
  coefficients_at(object$spectrum, lambda)
}

expansion_terms.sparserls_fit <- function(object) {
  if (is.null(coordinates(object))) object$blueprint$p else ncol(coordinates(object)$map)
}

expansion_scores.sparserls_fit <- function(object, expansion, x) {
  alpha <- expansion$alpha
  values <- term_values(object, x)
  # A large matrix is not copied.
  scores <- crossprod(values, if (is.matrix(alpha)) alpha else matrix(alpha, nrow(alpha)))
  # Farther from the basis than training rows are, in the kernel's own measure -log k. 1 %: the ends
  # of a numerical derivative at a training row are inside.
  attr(scores, "outside") <- if (!is.null(object$nearest)) {
    -log(.Call(ffi_largest, values, Inf)) > 1.01 * -log(object$nearest) + 1e-14
  }
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
# new rows, basis vectors x rows. points: NULL where precomputed.
values_with_new <- function(object, kernel, basis, points, x) {
  if (is.null(points)) {
    must(!kernel$normalize,
         "newdata", "A normalized precomputed kernel cannot predict for new rows.", NULL,
         "Normalize the kernel matrix itself and use kernel_precomputed().")
    return(t(as.matrix(x[, basis, drop = FALSE])))
  }
  check_kernel_values(kernel_values(kernel, points, kernel_view(new_points(object, x), kernel),
                                    check_threads(NULL)))
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
  dimnames(x) <- if (any(lengths(names))) names
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
  must(is.null(object$chunks),
       "object", "A fit to rows in chunks keeps none of them, nor their fitted values.", NULL,
       "Use predict() with the rows as `newdata`.")
  must(!is.null(object$fitted),
       "object", sprintf("Fits of %s() keep no fitted values.", class(object)[1]), NULL,
       "Use predict() with the training rows as `newdata`.")
  at <- path_positions(object, at)
  if (!is.null(object$fitted_at)) at <- match(at, object$fitted_at)
  must(!anyNA(at), "lambda", "The fit does not keep its fitted values at this `lambda`.",
       sprintf("%d rows, %d values of lambda", object$nobs, length(object$lambda)),
       paste("More than 10^6 numbers: only those of lambda.min and lambda.1se of a `cv.` result",
             "are kept. Use predict() with the training rows as `newdata`."))
  object$fitted[, , at, drop = FALSE]
}

# For a family that has no expansion and no answer of its own.
check_expansion <- function(fit, what) {
  must(!is.null(coordinates(fit)), "object",
       sprintf("Fits of %s() have no %s.", class(fit)[1], what))
}

# ---- rows outside ---------------------------------------------------------------------------
# ?predict.sparserls_fit says the rule.

# Scores of coded new rows, as coded_scores() has them. A warning counts those outside; of
# placed_rows() with "na" they are missing.
new_scores <- function(fit, x, at, names = rownames(x)) {
  force(x) # in a generic of Matrix its errors would lose their class
  scores <- coded_scores(fit, x, at)
  outside <- outside_rows(fit, x, scores)
  attr(scores, "outside") <- NULL
  if (!any(outside)) return(scores)
  if (isTRUE(attr(x, "leave_out"))) scores[outside, , ] <- NA
  else warn_outside(sum(outside), at = names[outside] %||% which(outside))
  scores
}

# For coded rows of which nothing else is asked. (Where the kernel tells, one point of the path
# does.)
rows_outside <- function(fit, x, at) {
  if (!is.null(fit$nearest)) at <- at[1]
  outside_rows(fit, x, coded_scores(fit, x, at))
}

# Rows with a feature beyond its range by more than the range, features that did not vary aside;
# and those far from the basis, which coded_scores() has found on its way where kernels see
# distances. (Values of a narrow kernel vanish far from the data, for training rows too: then the
# ranges alone tell.)
outside_rows <- function(fit, x, scores) {
  far <- attr(scores, "outside")
  if (is.null(far)) far <- logical(nrow(x))
  width <- fit$ranges[2, ] - fit$ranges[1, ]
  looked <- which(is.finite(width) & width > 0)
  if (length(looked) == 0) return(far)
  x <- x[, looked, drop = FALSE]
  moved <- clipped(x, (fit$ranges + rbind(-width, width))[, looked, drop = FALSE])
  # FALSE of rows with missing values.
  beyond <- (rowSums(moved != x) > 0) %in% TRUE
  if (any(beyond) && any(vapply(fit_kernels(fit), is_foreign, NA))) far else beyond | far
}

clipped <- function(x, ranges) {
  column <- if (is.matrix(x)) col(x) else rep(seq_len(ncol(x)), diff(x@p))
  into <- function(values) pmin(pmax(values, ranges[1, column]), ranges[2, column])
  if (is.matrix(x)) {
    x[] <- into(x)
    return(x)
  }
  x@x <- into(x@x)
  # Columns in which what is not stored is outside.
  zero <- which(ranges[1, ] > 0 | ranges[2, ] < 0)
  if (length(zero)) x[, zero] <- clipped(as.matrix(x[, zero, drop = FALSE]),
                                           ranges[, zero, drop = FALSE])
  Matrix::drop0(x)
}

# at: their names or numbers, where they are known.
warn_outside <- function(rows, of = "of `newdata`", remedy = outside_remedy, at = NULL) {
  if (rows == 0) return(invisible())
  warn("outside", sprintf("%s %s %s outside of the training rows.", counted(rows, "row"), of,
                          if (rows == 1) "lies" else "lie"),
       if (length(at)) paste(if (rows == 1) "row" else "rows", enumerate(at, 5)), remedy,
       rows = rows)
}

outside_remedy <- "Predictions extrapolate there. predict(outside = \"na\") leaves such rows out."

# One warning for all that `code` predicts in parts.
counted_outside <- function(code) {
  rows <- 0L
  value <- withCallingHandlers(code, sparserls_warning_outside = function(w) {
    rows <<- rows + w$rows
    invokeRestart("muffleWarning")
  })
  warn_outside(rows)
  value
}
