# Cross-fitting: every row's prediction, and later its representer, are of a fit that has not seen
# it. Debiased averages take the refits that a cross-validation has kept. cross_fits() answers a
# list of class `cross_fits`,
#   folds   the rows of every fold; together all rows of positive weight, and maybe others
#   groups  m: the group of each row as a number, or NULL
#   parts   a function of a fold's number: list(fit, expansion), what predicts its rows; and where
#           it has terms of its own the `spectrum` of them, where there is one
#   held    m x outputs: the held-out predictions that the cross-validation has kept, less offsets
#   marks   m: by which the rows are known again
#   basis   where all refits have the terms of the fit: what leaves with the rows of a fold, a list
#           of `rows` (of the basis vectors) and `redundant` (train.R), or of no rows; and of every
#           term the row that it is, `terms`, where they are rows
# or, of class `no_cross_fits`, why there are none: list(name, why, remedy), as for abort().

cross_fits <- function(object, fit, lambda) UseMethod("cross_fits")

cross_fits.default <- function(object, fit, lambda) {
  no_cross_fits("keep", "they take refits without every fold, which a fit alone does not have",
                if (is.null(fit$chunks)) "Cross-validate with keep = TRUE."
                else "Cross-validate rows in memory.")
}

no_cross_fits <- function(name, why, remedy) {
  structure(list(name = name, why = why, remedy = remedy), class = "no_cross_fits")
}

cross_fits.sparserls_cv <- function(object, fit, lambda) {
  refits <- object$refits
  reason <- why_no_refits(object, fit)
  if (!is.null(reason)) return(reason)
  point <- match_points(lambda, refits$at)
  if (is.na(point)) {
    return(no_cross_fits("lambda", "refits were kept at what the cross-validation has chosen only",
                         "Use \"lambda.min\" or \"lambda.1se\"."))
  }
  expansion <- if (is.null(refits$models)) refit_expansion(refits, point)
  part <- function(k) {
    if (is.null(expansion)) return(model_part(refits$models[[k]], fit, point))
    list(fit = fit, expansion = pick_expansion(expansion, k))
  }
  held <- less_offset(matrix(refits$scores[, , point], fit$nobs), fit$offset)
  new_cross_fits(refits, held, part, if (!is.null(expansion)) leaving_basis(refits))
}

new_cross_fits <- function(refits, held, parts, basis = NULL) {
  folds <- lapply(seq_len(refit_count(refits)), function(k) which(refits$fold == k))
  structure(list(folds = folds, groups = refits$groups, parts = parts, held = held,
                 marks = refits$marks, basis = basis), class = "cross_fits")
}

why_no_refits <- function(cv, fit) {
  refits <- cv$refits
  if (!is.null(fit$chunks)) {
    return(no_cross_fits("keep", "they take rows in memory", "Cross-validate rows in memory."))
  }
  if (is.null(cv$fit.preval)) {
    return(no_cross_fits("keep", "the cross-validation has not kept its refits",
                         "Cross-validate with keep = TRUE."))
  }
  if (is.null(refits)) undivided("rows are held out more than once")
  else if (isTRUE(cv$omits.more)) undivided("folds leave out more rows than they score")
  else if (anyNA(refits$fold[fit$weights > 0])) undivided("some rows are not held out and scored")
}

undivided <- function(why) {
  no_cross_fits("folds", why, "Use folds that hold every row once, and score all that they hold.")
}

# With holdout_basis = "remove" basis vectors leave with their rows; of the full kernel every row
# is one, which full_terms() finds out about.
leaving_basis <- function(refits) {
  leaves <- refits$basis
  if (!is.null(leaves)) return(c(leaves, list(terms = leaves$rows)))
  list(rows = integer(), redundant = no_redundant, terms = refits$terms)
}

# Of a refit with a basis of its own (cv-refits.R), as a fit.
model_part <- function(model, fit, point) {
  fit[c("kernel", "points", "basis")] <- model[c("kernel", "points", "basis")]
  list(fit = fit, expansion = list(alpha = matrix(model$alpha[, , point], length(model$basis)),
                                   a0 = model$a0[, point, drop = FALSE]))
}

# Of cv.ardrls() the fits without its outer folds, each with kernel, basis and lambda of its own.
cross_fits.outer_fits <- function(object, fit, lambda) {
  if (is.null(object$fits)) return(no_cross_fits("keep", "they take outer fits", object$why))
  refits <- object$refits
  if (anyNA(refits$fold[fit$weights > 0])) return(undivided("some rows are in no outer fold"))
  new_cross_fits(refits, object$held, function(k) {
    fit <- object$fits[[k]]
    list(fit = fit, expansion = expansion_at(fit, fit$lambda), spectrum = fit$spectrum)
  })
}

# Those at rows that must be the fit's.
cross_fits_at <- function(cross, rows) {
  if (!are_own_rows(cross$marks, rows)) {
    return(no_cross_fits("newdata", "`newdata` are not the rows of the fit",
                         "Give the rows of the fit, all of them and in their order."))
  }
  if (any(rows$share[-unlist(cross$folds)] > 0)) {
    return(no_cross_fits("weights", "some rows of the average are in no fold",
                         "Give these rows `weights` of zero."))
  }
  cross
}

# Whether rows are those of the fit.
are_own_rows <- function(marks, rows) {
  length(rows$complete) == nrow(rows$x) && have_marks(rows$x, marks)
}

# Rows that are known as those of the fit have its weights. part: of single_fit().
weighted_as_fit <- function(rows, part) {
  if (are_own_rows(part$known$refits$marks, rows)) {
    rows$share <- row_shares(part$fit$weights, nrow(rows$x), rows$complete)
  }
  rows
}
