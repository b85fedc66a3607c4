# Intervals by the refits of a cross-validation (interval.R) for responses that have means of a
# likelihood: counts and positive numbers. Residuals are added to means where their noise has about
# the same size everywhere (loss.R): square roots of counts, logarithms with Gamma.
# What the jackknife+ says of coverage holds on every scale that rises with y.

check_means_interval <- function(object, fit, no_rows, at, type, wanted) {
  if (wanted$se) stop_likelihood("standard errors of predictions")
  if (!isTRUE(intervals[[wanted$interval]]$means)) {
    kinds <- names(Filter(function(kind) isTRUE(kind$means), intervals))
    stop_likelihood("view as a Gaussian process",
                    sprintf("Use %s.", paste0("interval = \"", kinds, "\"", collapse = " or ")))
  }
  if (loss_trait(fit$family, "classes")) {
    stop_likelihood("intervals for classes and shares",
                    "type = \"response\" has their probabilities.")
  }
  must(type == "response", "argument", "`interval` is for `type = \"response\"`.", shown(type))
  if (no_rows) stop_no_newdata("`interval`")
  check_single_point(fit, at)
  must(inherits(object, "sparserls_cv"),
       "argument", "`interval = \"jackknife+\"` needs a cross-validation.", "a fit alone",
       "Cross-validate with keep = TRUE.")
  cv_refits(object)
}

# rows: of coded_with_offset(); scores: their linear predictors by the fit.
means_with_ends <- function(cv, fit, rows, scores, at, level) {
  refits <- cv_refits(cv)
  point <- refit_point(cv, at)
  votes <- row_votes(refits, fit$weights)
  used <- which(votes > 0)
  warn_infinite(votes[used], level, if (is.null(refits$groups)) "row" else "group")
  stable <- function(means) stable_scale(fit$family, means)
  means <- family_mean(fit$family, refits$scores[used, 1, point])
  size <- abs(stable(fit$response$y[used, 1]) - stable(means))
  predictor <- fold_predictor(cv, point)
  none <- matrix(0, 1, refit_count(refits))
  ends <- matrix(NA_real_, nrow(rows$x), 2)
  complete <- which(is.finite(scores[, 1, 1]))
  for (block in row_blocks(length(complete), max(expansion_terms(fit), length(none)))) {
    i <- complete[block]
    eta <- predictor$scores(rows$x[i, , drop = FALSE]) + rows$offset[i] +
      rep(as.vector(predictor$offset), each = length(i))
    ends[i, ] <- .Call(ffi_jackknife_ends, stable(family_mean(fit$family, eta)), none, 1L,
                       refits$fold[used], size, votes[used], wanted_votes(votes[used], level))
  }
  range <- stable(loss_trait(fit$family, "range"))
  ends <- from_stable_scale(fit$family, pmin(pmax(ends, range[1]), range[2]))
  name_all(cbind(family_mean(fit$family, scores[, 1, 1]), ends), rownames(scores),
           c("fit", "lwr", "upr"))
}
