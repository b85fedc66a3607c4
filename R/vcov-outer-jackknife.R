# Standard errors for fits that searched their widths: from the fits without the outer folds, each
# of which has searched anew. The delete-a-group jackknife with K folds, (K - 1) / K sum_k (t_k -
# t.)(t_k - t.)', t_k the estimate without fold k, t. their mean, has K - 1 degrees of freedom. It
# includes the variation of the search, and errs on the side of too large.

# What a fit with widths, at one penalty, knows of errors: `fits`, those without the outer folds,
# or NULL, and `why` there are none; with these the `refits` (cv-refits.R) that they are of, and
# `held`, their held-out predictions, rows x outputs.
outer_fits <- function(fits = NULL, why = NULL, carriers = NULL, refits = NULL, held = NULL) {
  structure(list(fits = fits, why = why, carriers = carriers, refits = refits, held = held),
            class = "outer_fits")
}

# point: a position on the path.
kept_outer_fits <- function(cv, point) {
  refits <- cv$refits
  if (is.null(refits)) return(outer_fits(why = if (is.null(cv$fit.preval)) {
    "Cross-validate with keep = TRUE."
  } else "Use outer folds that hold every row once."))
  if (length(refits$models) < 3) return(outer_fits(why = "Use outer = 5, or more folds."))
  kept <- match(point, refits$at)
  if (is.na(kept)) return(outer_fits(why = "Use \"penalty.1se\" or \"penalty.min\"."))
  outer_fits(lapply(refits$models, function(model) model$fits[[kept]]),
             carriers = cv$covariance$carriers, refits = refits,
             held = matrix(refits$scores[, , kept], nrow(refits$scores)))
}

no_outer_fits <- function() outer_fits(why = "Use cv.ardrls() with keep = TRUE.")

outer_types <- c("jackknife", "gp")

covariance_choices.outer_fits <- function(object) outer_types

# value: a function of a fit, parameters x outputs. Answers as coefficient_covariance() does.
outer_covariance <- function(outer, value) {
  values <- lapply(outer$fits, function(fit) as.matrix(value(fit)))
  values <- array(unlist(values), c(dim(values[[1]]), length(values)))
  jackknife_covariance(values - as.vector(rowMeans(values, dims = 2)), "folds")
}

stop_no_outer <- function(outer) {
  abort("keep", "Standard errors by leaving outer folds out need the fits without them.", NULL,
        paste(outer$why, "type = \"gp\" takes the widths as known."))
}
