#' Differences between effects
#'
#' Differences, and any other linear combinations, of the terms of [derivatives()] or
#' [average_effect()]: between subgroups, between two levels of a factor, between two policies. The
#' covariance of the terms is joint, and so are these exact.
#'
#' A combination of terms with too few carriers, or of which the data cannot tell one, has no
#' p-value and no interval, as the terms themselves.
#' @param x a result of [derivatives()] with standard errors, or of [average_effect()].
#' @param contrasts names or numbers of terms, of which all pairs are compared, the later less the
#'   earlier; by default all. Or a matrix of coefficients, a row for each combination, whose name is
#'   that of the row, and a column for each term.
#' @param level of the intervals, with quantiles of t as those of the terms have them.
#' @return A data frame with a row for each combination (and output): `term, (output,) estimate,
#'   std.error, statistic, p.value, conf.low, conf.high`; of debiased effects `plugin` and
#'   `correction`, the same combinations of these.
#' @seealso `marginaleffects::hypotheses()` for other functions of the terms, and joint tests:
#'   [marginaleffects_methods].
#' @examples
#' set.seed(1)
#' cv <- cv.sparserls(lpsa ~ . - train, data = prostate, basis = 30, keep = TRUE)
#' older <- average_effect(cv, function(d) transform(d, age = age + 5), by = "svi")
#' effect_contrasts(older)
#' effect_contrasts(older, rbind("mean of both" = c(0.5, 0.5)))
#' @export
effect_contrasts <- function(x, contrasts = NULL, level = 0.95) {
  check_effects(x)
  coefficients <- contrast_coefficients(x, contrasts)
  p <- ncol(coefficients)
  combined <- function(values) as.vector(coefficients %*% matrix(values, p))
  variance <- apply(array(x$vcov, c(p, p, length(x$titles))), 3, function(covariance) {
    rowSums((coefficients %*% covariance) * coefficients)
  })
  used <- coefficients != 0
  carriers <- if (!is.null(x$carriers)) apply(used, 1, function(part) min(x$carriers[part], Inf))
  found <- list(
    average = name_terms(combined(x$average), list(rownames(used)), colnames(x$average)),
    std.error = sqrt(pmax(variance, 0)), df = x$df, count = x$count, carriers = carriers,
    difference = setNames(logical(nrow(used)), rownames(used)),
    representer = list(unknown = drop(used %*% untold(x)) > 0)
  )
  out <- tidy_derivatives(found, level)
  if (is.null(x$plugin)) out
  else cbind(out, plugin = combined(x$plugin), correction = combined(x$correction))
}

# Combinations x terms.
contrast_coefficients <- function(x, contrasts) {
  terms <- names(x$difference)
  if (is.matrix(contrasts)) {
    must(is.numeric(contrasts) && ncol(contrasts) == length(terms) && nrow(contrasts) > 0 &&
           all(is.finite(contrasts)), "argument",
         "A matrix of `contrasts` must have a column of numbers for each term.", shown(contrasts),
         sprintf("%d terms: %s", length(terms), enumerate(terms)))
    if (is.null(rownames(contrasts))) {
      rownames(contrasts) <- paste("contrast", seq_len(nrow(contrasts)))
    }
    return(contrasts)
  }
  at <- if (is.null(contrasts)) seq_along(terms) else term_numbers(x, contrasts, "contrasts")
  must(length(at) > 1 && !anyDuplicated(at), "argument", "Differences need two terms.",
       shown(contrasts),
       if (length(terms) == 1) "Use average_effect() with `by`, or several functions.")
  pairs <- utils::combn(at, 2)
  unit <- diag(length(terms))
  out <- unit[pairs[2, ], , drop = FALSE] - unit[pairs[1, ], , drop = FALSE]
  dimnames(out) <- list(paste(terms[pairs[2, ]], terms[pairs[1, ]], sep = " - "), terms)
  out
}

#' Balance of the weights of debiased effects
#'
#' Debiased effects weigh the rows of the fit (see [derivatives()]): the weights must move what the
#' term is about and leave everything else where it is. How far they do, feature by feature, before
#' and after weighting, as tables and "love plots" of matching and weighting have it.
#'
#' Without weights the other features move with the term: `before` is, for a derivative, the
#' correlation with the term's feature and, for a first difference, the difference of means between
#' the rows that have the level (a one) and the others, in standard deviations of the feature. After
#' weighting it is `sum_i w_i alpha_i x_il` less its target, in the same units: `w` the shares of
#' the rows, `alpha` the weights of the term, fitted without the row's fold, `x_l` the feature,
#' centred. The target is 0 for other features and, for the term's own, 1 in its units.
#'
#' Of [average_effect()] the features are the columns as they are coded, the target is by how much
#' `f` moves them on average, and `before` is what is missing without weights, all of it.
#'
#' Values between -0.1 and 0.1 count as balanced by a common rule of thumb. As weights have not seen
#' the rows that they weigh, `after` has a sampling error too, of a level about
#' `sqrt(sum_i (w_i alpha_i)^2)`: of few rows it may be larger than 0.1. The weights balance
#' functions of the features too, within the reach of the kernel, and what they leave is corrected
#' by the fit itself: the error of an effect is a product of both. Where values stay large, or the
#' effective sample size is small, rows with and without the level (with large and small values)
#' have little in common, and the effect rests on the fitted function.
#' @param x a result of [derivatives()] with `type = "debiased"`, or of [average_effect()].
#' @return A data frame with a row for each term and feature: `term, feature, before, after`; NA for
#'   features that are constant. [plot(x, "weights")][derivatives()] draws it.
#' @references
#' Greifer, N. (2024) *cobalt: Covariate Balance Tables and Plots*. R package.
#'
#' Hirshberg, D. A. and Wager, S. (2021) Augmented minimax linear estimation. *Annals of Statistics*
#' 49, 3206-3227.
#' @examples
#' set.seed(1)
#' cv <- cv.sparserls(lpsa ~ . - train, data = prostate, basis = 30, keep = TRUE)
#' effects <- derivatives(cv)
#' subset(balance(effects), term == "svi")
#' plot(effects, "weights", terms = "svi")
#' @export
balance <- function(x) {
  check_effects(x)
  must(!is.null(x$representer), "argument", "These effects have no weights.",
       sprintf("type \"%s\"", x$type),
       "Debiased ones have: cross-validate with keep = TRUE, and use derivatives().")
  features <- colnames(x$x)
  if (is.null(features)) features <- paste0("x", seq_len(ncol(x$x)))
  moved <- term_balance(x)
  data.frame(term = rep(names(x$difference), each = length(features)),
             feature = rep(features, length(x$difference)),
             before = as.vector(moved$before), after = as.vector(moved$after))
}

# before and after: features x terms, in standard deviations of the feature and, of a derivative,
# for one standard deviation of the term's own.
term_balance <- function(x) {
  share <- x$representer$share
  moments <- column_moments(x$x, share)
  sd <- replace(moments$sd, moments$sd == 0, NA)
  z <- (x$x - rep(moments$centre, each = nrow(x$x))) / rep(sd, each = nrow(x$x))
  moved <- function(weights) crossprod(z, share * weights)
  after <- moved(x$representer$weights)
  target <- x$representer$target
  if (!is.null(target)) return(list(before = -target / sd, after = after - target / sd))
  unit <- ifelse(x$difference, 1, sd)
  before <- moved(z * rep(unit / sd, each = nrow(z)))
  diag(before) <- 0 * sd
  list(before = before,
       after = after * rep(unit, each = length(sd)) - diag(unit / sd, length(sd)))
}

check_effects <- function(x) {
  must(inherits(x, "derivatives"), "argument",
       "`x` must be a result of derivatives() or average_effect().", shown(x))
}
