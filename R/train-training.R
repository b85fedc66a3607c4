# The training list: rows in coordinates and what a fit to them has found, of which paths,
# hold-outs, covariances and effects are made. C makes it (new_training() in src/bridge_train.c) of
# a kernel with basis vectors, of features, of the full kernel and of sums over chunks; here it is
# made of what a fit has kept of it. Fields:
#   z         n x rows: column i has the coordinates of row i
#   y         rows x outputs, less y_mean, their weighted means
#   weights, sum_weights, intercept
#   partial   whether the rows are some of those that the sums (and sum_weights) are of
#   dual      whether it is of the full kernel (src/dual.c)
#   spectrum  values, map, zy and z_mean in the coordinates of the eigenvectors
# and until it is turned to these map, gram, zy, z_mean and vectors.

# In the coordinates of the eigenvectors, which the update form of the hold-out needs. With a plan
# (fold-plan.R) only where one of its folds takes that form, and without a copy of z: it is the list
# itself that is turned.
turned <- function(training, plan = NULL, lambda = NULL) {
  .Call(ffi_turned, training, plan, lambda)
}

# For a fit: z in the coordinates of its eigenvectors.
fit_training <- function(fit, z, y, weights) {
  spectrum <- fit$spectrum
  list(z = z, y = y, weights = weights, sum_weights = sum(weights), intercept = fit$intercept,
       partial = FALSE, dual = is_full(fit), y_mean = spectrum$y_mean,
       spectrum = spectrum[c("values", "map", "zy", "z_mean")], vectors = NULL)
}

# For representers of functionals in place of y (src/representer.c): zy are the sums of the
# functionals over the rows, a column each.
functional_training <- function(training, zy) {
  training$spectrum$zy <- zy
  training$y <- matrix(0, ncol(training$z), ncol(zy))
  training$y_mean <- numeric(ncol(zy))
  training
}

# Refits without the folds of a plan (fold-plan.R), from the first to the last of `folds`. want:
#   scores        held-out predictions of plan$rows, rows x outputs x lambdas
#   coefficients  of the expansion, `values`, terms x (outputs lambdas folds), and `offsets`, the
#                 intercepts, outputs x (lambdas folds)
#   refits        the same in the coordinates of the training list
#   representers  of functional_training(): `values` at plan$leave, rows x (functionals lambdas),
#                 and `offsets`, their moments, (functionals lambdas) x folds; moments: the sums of
#                 the functionals over the rows of each of the folds
# tick: see evaluate() in verbs.R; unit: what a fold is, in errors.
hold_out <- function(training, plan, lambda, want = "scores", folds = seq_along(plan$h),
                     moments = NULL, tick = NULL, unit = "fold") {
  count <- length(folds)
  some_folds <- if (is.null(tick)) list(folds)
                else split(folds, ceiling(seq_along(folds) * min(progress_steps, count) / count))
  parts <- lapply(some_folds, function(some) {
    found <- .Call(ffi_hold_out, training, plan, lambda, want, range(some), moments)
    stop_status(found$status, sprintf("%s %d", unit, unique(plan$fold)[found$fold]))
    if (!is.null(tick)) tick()
    found
  })
  if (want != "scores") return(parts[[1]])
  scores <- if (length(parts) == 1) parts[[1]]$values
            else joined(parts, "values", rbind)
  if (!is.null(plan$answer)) scores <- rows_at(scores, plan$answer)
  array(scores, c(length(plan$rows), ncol(training$y), length(lambda)))
}
