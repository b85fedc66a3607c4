#' Differences between effects
#'
#' Differences and other linear combinations of effects, with exact standard errors from their joint
#' covariance: between subgroups, levels of a factor, or policies.
#'
#' @param x a result of [derivatives()] with standard errors, [average_effect()] or
#'   [partial_effects()].
#' @param contrasts names or numbers of terms, by default all; all pairs are compared, the later
#'   minus the earlier. Or a matrix of coefficients: a named row for each combination, a column for
#'   each term.
#' @param level of the intervals.
#' @return A data frame with a row for each combination (and output): `term, (output,) estimate,
#'   std.error, statistic, p.value, conf.low, conf.high`; for debiased effects also the same
#'   combinations of `plugin` and `correction`. P-value and interval are missing if one of the terms
#'   has none. Other effects are those of a penalized fit, drawn towards zero.
#' @seealso [marginaleffects_methods] for joint tests and other functions of the terms.
#' @examples
#' set.seed(1)
#' cv <- cv.sparserls(lpsa ~ . - train, data = prostate, basis = 30, keep = TRUE)
#' older <- average_effect(cv, function(d) transform(d, age = age + 5), by = "svi")
#' effect_contrasts(older)
#' effect_contrasts(older, rbind("mean of both" = c(0.5, 0.5)))
#' @importFrom utils combn
#' @export
effect_contrasts <- function(x, contrasts = NULL, level = 0.95) {
  check_effects(x)
  coefficients <- contrast_coefficients(x, contrasts)
  p <- ncol(coefficients)
  used <- coefficients != 0
  # NA if a term with a coefficient that is not zero is NA.
  combined <- function(values) {
    gaps <- is.na(matrix(values, p))
    replace(coefficients %*% replace(matrix(values, p), gaps, 0), used %*% gaps > 0, NA)
  }
  variance <- apply(array(x$vcov, c(p, p, length(x$titles))), 3, function(covariance) {
    sums <- rowSums((coefficients %*% replace(covariance, is.na(covariance), 0)) * coefficients)
    replace(sums, used %*% is.na(diag(covariance)) > 0, NA)
  })
  average <- combined(x$average)
  colnames(average) <- colnames(x$average)
  out <- tidy_derivatives(list(
    average = average, std.error = sqrt(pmax(variance, 0)), df = x$df, count = x$count,
    carriers = if (!is.null(x$carriers)) apply(used, 1, function(i) min(x$carriers[i], Inf)),
    difference = setNames(logical(nrow(used)), rownames(used)),
    representer = list(unknown = drop(used %*% untold(x)) > 0)
  ), level)
  if (is.null(x$plugin)) return(out)
  cbind(out, plugin = as.vector(combined(x$plugin)),
        correction = as.vector(combined(x$correction)))
}

# Combinations x terms.
contrast_coefficients <- function(x, contrasts) {
  terms <- names(x$difference)
  if (is.matrix(contrasts)) {
    must(is.numeric(contrasts) && ncol(contrasts) == length(terms) && nrow(contrasts) > 0 &&
           all(is.finite(contrasts)), "argument",
         "A matrix of `contrasts` must have a column of numbers for each term.", shown(contrasts),
         sprintf("%d terms: %s", length(terms), enumerate(terms)))
    names <- rownames(contrasts) %||% paste("contrast", seq_len(nrow(contrasts)))
    return(`rownames<-`(contrasts, names))
  }
  at <- if (is.null(contrasts)) seq_along(terms) else term_numbers(x, contrasts, "contrasts")
  must(length(at) > 1 && !anyDuplicated(at), "argument", "Differences need two terms.",
       shown(contrasts),
       if (length(terms) == 1) "Use average_effect() with `by`, or several functions.")
  pairs <- combn(at, 2)
  unit <- diag(length(terms))
  out <- rows_at(unit, pairs[2, ]) - rows_at(unit, pairs[1, ])
  `rownames<-`(out, paste(terms[pairs[2, ]], terms[pairs[1, ]], sep = " - "))
}
