# Cross-fitting: every row's prediction, and later its representer, are of a fit that has not seen
# it. Debiased averages take the refits that a cross-validation has kept. cross_fits() answers a
# list of class `cross_fits`,
#   folds   the rows of every fold; together all rows of positive weight, and maybe others
#   groups  m: the group of each row as a number, or NULL
#   parts   a function of a fold's number: list(fit, expansion), what predicts its rows; and where
#           it has terms of its own the `spectrum` of them, where there is one
#   held    m x outputs: the held-out predictions that the cross-validation has kept
#   basis   where all refits have the terms of the fit: what leaves with the rows of a fold, a list
#           of `rows` (of the basis vectors) and `redundant` (train.R), or of no rows
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
  point <- match(signif(lambda, 10), signif(refits$at, 10))
  if (is.na(point)) {
    return(no_cross_fits("lambda", "refits were kept at what the cross-validation has chosen only",
                         "Use \"lambda.min\" or \"lambda.1se\"."))
  }
  expansion <- if (is.null(refits$models)) refit_expansion(refits, point)
  part <- function(k) {
    if (is.null(expansion)) return(model_part(refits$models[[k]], fit, point))
    list(fit = fit, expansion = pick_expansion(expansion, k))
  }
  new_cross_fits(refits, matrix(refits$scores[, , point], fit$nobs), part,
                 if (!is.null(expansion)) leaving_basis(refits, fit))
}

new_cross_fits <- function(refits, held, parts, basis = NULL) {
  folds <- lapply(seq_len(refit_count(refits)), function(k) which(refits$fold == k))
  structure(list(folds = folds, groups = refits$groups, parts = parts, held = held,
                 basis = basis), class = "cross_fits")
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
  divided <- !is.null(refits) && !isTRUE(cv$omits.more) && !anyNA(refits$fold[fit$weights > 0])
  if (!divided) undivided()
}

undivided <- function() {
  no_cross_fits("folds", "the folds do not divide the rows",
                "Use folds that hold every row once, and score all that they hold.")
}

# With holdout_basis = "remove" basis vectors leave with their rows; of the full kernel every row
# is one, which representer_training() finds out about.
leaving_basis <- function(refits, fit) {
  if (is.null(refits$basis)) list(rows = integer(), redundant = no_redundant) else refits$basis
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
  if (anyNA(refits$fold[fit$weights > 0])) return(undivided())
  new_cross_fits(refits, object$held, function(k) {
    fit <- object$fits[[k]]
    list(fit = fit, expansion = expansion_at(fit, fit$lambda), spectrum = fit$spectrum)
  })
}

# The held-out predictions of rows by the refits, m x outputs; NA where a row has none.
cross_scores <- function(cross, x) {
  scores <- matrix(NA_real_, nrow(x), ncol(cross$held))
  for (k in seq_along(cross$folds)) {
    rows <- cross$folds[[k]]
    part <- cross$parts(k)
    scores[rows, ] <- expansion_scores(part$fit, part$expansion, x[rows, , drop = FALSE]) +
      rep(part$expansion$a0, each = length(rows))
  }
  scores
}

# Whether rows are those of the fit: its refits predict of them what the cross-validation has kept.
# Digits are those of a shortcut beside a prediction.
are_own_rows <- function(cross, rows) {
  if (nrow(rows$x) != nrow(cross$held) || length(rows$complete) != nrow(rows$x)) return(FALSE)
  used <- unlist(cross$folds)
  error <- abs(cross_scores(cross, rows$x) - cross$held)[used, ]
  isTRUE(max(error) <= 1e-6 * max(abs(cross$held[used, ])))
}
