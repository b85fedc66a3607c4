# The verbs of penalized likelihood (verbs.R): problems of sparserls() and rls() with a family
# (loss.R). Candidates, coordinates and what is left out are theirs (family-ridge-problem.R);
# solutions, held-out predictions and fits are here. With several classes every output is a binomial
# of its own. Fields in addition to theirs:
#   family   of read_family()
# y are means of rows (0 and 1 of classes), scores are linear predictors, with the offset.

#' Families: classes, counts and positive numbers by their likelihood
#'
#' @description
#' With a `family`, [sparserls()], [rls()] and their cross-validations fit probabilities, counts or
#' positive means by a likelihood instead of least squares. `vignette("families")` shows when that
#' is worthwhile.
#'
#' @details
#' | `family` | response |
#' |---|---|
#' | `"binomial"` | two classes; zeros and ones; shares with their trials as `weights` |
#' | | (in a formula also `cbind(successes, failures)`); several classes, one against all others |
#' | `"poisson"` | counts |
#' | `"negbin"` | counts with variance `mu + mu^2 / theta`, theta estimated |
#' | `negative.binomial(theta)` of MASS | the same with theta given |
#' | `Gamma(link = "log")` | positive numbers |
#'
#' Links are logit and log. Objects of stats, such as `poisson()`, also work, with "quasi" too. The
#' fit minimizes `sum_i w_i d_i + lambda a' K_BB a`, d_i the unit deviance of row i (of shape 1 for
#' Gamma) at the linear predictor `eta_i = offset_i + f(x_i)`. lambda is glmnet's times the sum of
#' weights. With an intercept, responses that are all 0 or (binomial) all 1 have no fit. For kernels
#' that are not linear, the basis of [rls()] is all rows of positive weight, with `jitter = 1e-7`.
#'
#' @section Predictions: [predict()][predict.glmrls] returns means or linear predictors, at the
#'   fitted values of `lambda` only. Rates are means of rows with the exposure set to 1
#'   (`transform(d, Holders = 1)`), or with `newoffset = 0`; an interval is then for one count at
#'   exposure 1. [derivatives()], [average_effect()] and [effect_curve()] describe means, at the
#'   offsets of the rows, or linear predictors without offsets.
#' @section Cross-validation: Measures are `"deviance"` (the default), `"class"` and `"auc"` (for
#'   two classes), `"mse"` (for classes the Brier score), `"mae"`, or a function that sees means as
#'   `yhat`, and zeros and ones as a factor. For several classes the deviance is minus twice the log
#'   probability of the observed class. The default grid ends where the error is two standard errors
#'   above its minimum. Kernels, widths and sizes of the basis are searched by least squares of the
#'   working response. Away from the chosen lambda `df` is interpolated, to within 1 %.
#'
#'   `certificate` bounds the error of held-out linear predictors, as a share of the fit's standard
#'   deviation. By default it is 1e-6 at `lambda.min`, `lambda.1se` and wherever the choice could
#'   change, and at most 0.05 elsewhere; `certificate = 1e-6` sets it everywhere. The field
#'   `certificate` has the bound for every lambda.
#' @section The negative binomial: `"negbin"` alternates between theta and the fit, with the
#'   likelihood adjusted for degrees of freedom (Cox and Reid, 1987; unadjusted, as in `glm.nb()`,
#'   for almost unpenalized linear fits); theta is 1e6 if counts vary no more than Poisson counts.
#'   `sparserls()` and `rls()` need a single `lambda`. A cross-validation estimates theta at
#'   `lambda.min`. *Theta is held fixed in all folds*, `outer` ones too: held-out rows have
#'   contributed to `family$theta`.
#' @section Dispersion: For counts and shares the field `dispersion` is Pearson's, the sum of
#'   `w (y - mu)^2 / V(mu)` over `m - df - 1`: about 1 if the family is right. Prints say if it is
#'   far from 1, unless counts are too small (`w y` below 1 on average) for it to be reliable.
#' @section Limits: Class weights, debiased effects, standard errors of predictions and
#'   the Gaussian-process view are not supported and raise an error of class
#'   `sparserls_error_family`. For rows in chunks see [chunk_models].
#' @return Fits have the class `glmrls`, a list with the fields of [sparserls()] or [rls()] and
#'   \item{dev.ratio}{the explained share of the deviance of offset and intercept alone}
#'   \item{a0, alpha}{intercepts and coefficients, terms x outputs x lambdas}
#'   \item{family}{the family object, see also [family()][stats::family]}
#'   \item{certificate, steps}{a bound of the error of fitted linear predictors, and the number of
#'     Newton steps}
#'   \item{dispersion}{see Dispersion}
#' @references Cox, D. R. and Reid, N. (1987) Parameter orthogonality and approximate conditional
#'   inference. *Journal of the Royal Statistical Society B* 49, 1-39.
#' @examples
#' set.seed(1)
#' d <- transform(prostate, high = lpsa > 2.5)
#' cv <- cv.sparserls(high ~ lcavol + age, data = d, family = "binomial", basis = 30)
#' cv
#' predict(cv, d[!d$train, ][1:3, ])
#' @name families
NULL

# A problem of least squares as one of its family.
with_family <- function(problem) {
  design <- problem$design
  largest <- largest_value(design$offset$values)
  must(largest <= 500, "offset", "The offset is too large for a linear predictor.",
       three_digits(largest), "It is added to the logarithm, or logit, of the mean.")
  must(problem$solver == "auto", "argument", "With a family `solver` is not a choice.",
       shown(problem$solver), "Leave it out.")
  must(!inherits(problem$lambda, "sparserls_df"), "lambda", "lambda_df() is for least squares.",
       NULL, "Leave `lambda` out; the field `df` says what its values stand for.")
  problem$family <- design$family
  if (design$family$estimated) problem$settle <- settle_theta
  if (inherits(problem, "rls_problem")) problem$solver <- "primal"
  if (problem$intercept) check_intercept(design$family, design$response, problem$weights)
  y <- design$response$y
  must(!problem$intercept || !is.null(design$offset) || ncol(y) > 1 || any(y != y[1]), "y",
       "`y` is constant.", NULL, "There is nothing to fit.")
  structure(problem, class = c("glm_problem", class(problem)))
}

# Kernels of rls() other than the plain linear one have all rows that train as a basis.
glm_rls_problem <- function(asked, design, validation) {
  slopes <- vapply(asked$kernels, has_slopes, NA)
  if (all(slopes)) return(with_family(rls_problem(asked, design, validation)))
  must(!any(slopes),
       "kernel", "With a family the plain linear kernel cannot be searched with others.", NULL,
       "Search them separately, or use kernel_polynomial(1).")
  rows <- design$rows[design$weights > 0]
  check_size(length(rows), "rows in the full kernel", "x",
             "Use sparserls() with a subset of them as basis.")
  asked$basis <- I(rows)
  with_family(sparserls_problem(asked, design, validation))
}

# A model: `part` and `training` as of squares, whose y are not read, the path, `null`, of
# null_spectrum(), and `solved`, what core_path() has found for every output.
train.glm_problem <- function(problem, candidate, path = NULL) {
  solve_path(problem, begin_model(problem, candidate, path))
}

solve_path <- function(problem, model) {
  model$solved <- lapply(seq_len(ncol(problem$y)), function(j) {
    core_path(problem, model, j, model$path$lambda,
              list(fit = fit_tolerance, folds = 0, apart = 1))
  })
  reached_path(model)
}

# Without `solved`; open: whether a path may end before, where lambda is too small for a fit.
begin_model <- function(problem, candidate, path = NULL) {
  part <- ridge_part(problem, candidate)
  training <- ridge_training(problem, part)
  if (problem$intercept) {
    check_intercept(problem$family, problem$design$response, problem$weights)
  }
  lambda <- path$lambda %||% problem$lambda
  open <- is.null(lambda)
  null <- if (open) null_spectrum(problem, part, training)
  if (open) lambda <- fitting_lambda(problem, part, null$values, null$largest, null$shift)
  check_resolvable(lambda, training$spectrum$values)
  candidate$kernel <- part$kernel
  list(candidate = candidate, path = new_path(lambda = lambda), open = open, part = part,
       training = training, null = null)
}

# A model whose path ends where a fit of some output does.
reached_path <- function(model) {
  reached <- min(lengths(lapply(model$solved, `[[`, "b0")))
  model$path <- new_path(lambda = model$path$lambda[seq_len(reached)])
  model$solved <- lapply(model$solved, some_lambdas, seq_len(reached))
  model
}

# Bounds of errors, as shares of the spread of the linear predictor.
fit_tolerance <- 1e-9   # of the fit, where the choice is made
fold_tolerance <- 1e-6  # of held-out refits there
loose_fit <- 1e-5       # of the fit along the rest of the path
path_tolerance <- 1e-3  # of refits there
rough_tolerance <- 0.05 # of refits where the error is clearly above its least, or in many folds
many_folds <- 100

# What the core reads of output j, apart from coordinates.
glm_output <- function(problem, j) {
  list(name = problem$family$name, theta = problem$family$theta, y = problem$y[, j],
       offset = offset_of(problem$offset, seq_len(nrow(problem$y))), weights = problem$weights)
}

# The fits of output j and, with a plan, their refits, a column for each lambda that has a fit: b
# (coordinates x lambdas), b0, deviance, df, distance, certificate (a share), spread, steps, and
# `refits` by fold, with the linear predictors of rows that leave, less offsets, as `prediction`.
# how: tolerances `fit` and `folds`; `apart`, how far values of lambda may be apart that share a
# curvature; `keep`, whether b of refits stays. given: such an answer for the first values.
core_path <- function(problem, model, j, lambda, how, plan = NULL, given = NULL) {
  of_lambda <- c("folds", "apart")
  how[of_lambda] <- lapply(how[of_lambda], rep_len, length(lambda))
  found <- .Call(ffi_glm_path, model$training, glm_output(problem, j), lambda, how, plan, given)
  at <- function(l) sprintf("lambda %s", three_digits(lambda[l]))
  if (!model$open || found$reached == 0) {
    stop_newton(found$status, if (found$reached < length(lambda)) at(found$reached + 1))
  }
  found <- some_lambdas(found, seq_len(found$reached))
  failed <- which(found$refits$ends != 0)
  if (length(failed)) {
    place <- arrayInd(failed[1], dim(found$refits$ends))
    stop_newton(found$refits$ends[failed[1]],
                c(sprintf("fold %d", unique(plan$fold)[place[1]]), at(place[2])))
  }
  found
}

# From answers of core_path() some columns.
some_lambdas <- function(found, at) {
  of <- function(x) if (is.matrix(x)) columns_at(x, at) else x
  found$refits <- lapply(found$refits, of)
  lapply(found, of)
}

# The last columns of `other` in the place of those `at`.
put_lambdas <- function(found, at, other) {
  put <- function(x, y) {
    if (is.matrix(x)) x[, at] <- y[, ncol(y) + 1 - rev(seq_along(at))]
    x
  }
  found$refits <- Map(put, found$refits, other$refits)
  Map(put, found, other[names(found)])
}

# By the weights that rows have in the null model: the eigenvalues of the problem, the largest for
# weights up to one, and, of a kernel, what the shift makes of them (shift_shares()).
null_spectrum <- function(problem, part, training) {
  weights <- joined(glm_null(problem, training), "weights", cbind)
  used <- problem$weights > 0
  ratio <- rows_at(weights, used) / problem$weights[used]
  factor <- max(ratio)
  # Otherwise the weights are those of the problem except for a factor.
  if (any(apply(ratio, 2, function(r) diff(range(r)) > 1e-8 * max(r)))) {
    factor <- 1
    problem$weights <- weights[, which.max(colSums(weights))]
    training <- ridge_training(problem, part)
  }
  values <- training$spectrum$values
  list(values = factor * values, largest = factor * max(values) / max(weights),
       shift = if (!is.null(problem$jitter)) factor * jitter_shares(problem, part, training))
}

# For every output the model without f.
glm_null <- function(problem, training) {
  lapply(seq_len(ncol(problem$y)), function(j) {
    found <- .Call(ffi_glm_null, training, glm_output(problem, j))
    stop_newton(found$status)
    found
  })
}

stop_newton <- function(status, where = NULL) {
  name <- status_name(status)
  if (name %in% c("no_convergence", "ill_posed")) stop_unfitted(name, where)
  stop_status(status, where)
}

stop_unfitted <- function(topic, where) {
  abort(topic, "Newton steps found no fit to working precision.", where,
        paste("Use larger values of `lambda`; look for offsets and weights that differ by many",
              "orders of magnitude."))
}

predict_rows.glm_problem <- function(problem, model, rows) {
  z <- columns_at(model$training$z, rows)
  with_offset(bind_outputs(lapply(model$solved, function(solved) {
    crossprod(z, solved$b) + rep(solved$b0, each = length(rows))
  })), problem, rows)
}

# Matrices of the outputs, rows x lambdas, as rows x outputs x lambdas.
bind_outputs <- function(each) {
  aperm(array(unlist(each), c(dim(each[[1]]), length(each))), c(1, 3, 2))
}

# ---- theta of the negative binomial ------------------------------------------------------------

# Estimated in turns with the fit at one lambda: the one that was asked for or, of a
# cross-validation, its lambda.min, whose held-out errors need not be exact for that. Folds have the
# theta of all rows.
settle_theta <- function(problem, candidate, drawn) {
  if (is.null(drawn)) {
    must(length(problem$lambda) == 1, "lambda",
         "family = \"negbin\" needs a single `lambda`, where theta is estimated.",
         shown(problem$lambda),
         "Use cv.sparserls() or cv.rls(), or MASS::negative.binomial(theta).")
    return(with_theta(problem, fitted_theta(problem, candidate, problem$lambda)))
  }
  rough <- problem
  rough$validation$certificate <- rough_tolerance
  rough$reselect <- FALSE
  for (round in 1:5) {
    found <- evaluate(rough, candidate, drawn$folds,
                      folds_tick(drawn$bar, drawn$folds$folds, 1, 0.3))
    chosen <- error_curve(rough, found, candidate)$index[["min"]]
    before <- rough$family$theta
    rough <- with_theta(rough, fitted_theta(rough, candidate, found$path$lambda[chosen]))
    if (abs(rough$family$theta / before - 1) < 0.01) break
  }
  with_theta(problem, rough$family$theta)
}

# Linear fits that are all but unpenalized have theta of glm.nb(), which adjusts for nothing.
fitted_theta <- function(problem, candidate, lambda) {
  model <- begin_model(problem, candidate, new_path(lambda = lambda))
  for (turn in 1:50) {
    model <- solve_path(problem, model)
    eta <- predict_rows(problem, model, seq_len(nrow(problem$y)))[, 1, 1]
    df <- model$solved[[1]]$df
    plain <- has_slopes(model$part$kernel) && df >= 0.99 * nrow(model$training$z)
    before <- problem$family$theta
    problem$family$theta <- estimate_theta(problem$y[, 1], family_mean(problem$family, eta),
                                           problem$weights,
                                           if (plain) 0 else df + problem$intercept)
    if (abs(problem$family$theta / before - 1) < 1e-5) break
  }
  problem$family$theta
}

# update() of a fit keeps what was estimated.
chosen_arguments.cv.glmrls <- function(cv) {
  family <- cv$fit$family
  c(NextMethod(), if (family$estimated) {
    list(family = bquote(MASS::negative.binomial(.(family$theta))))
  })
}

with_theta <- function(problem, theta) {
  family <- new_loss(problem$family$name, theta, estimated = TRUE)
  problem$family <- problem$design$family <- family
  measure <- problem$validation$measure
  if (!is.null(measure) && !is_users(measure)) {
    problem$validation$measure <- read_measure(measure$type, problem$design$response, family)
  }
  problem
}

# ---- refits that are kept ----------------------------------------------------------------------

# b (coordinates x k) and b0 (k) as coefficients of kernel values, or features, and an intercept.
glm_terms <- function(training, b, b0) {
  list(alpha = crossprod(training$map, b), a0 = b0 - drop(crossprod(b, training$z_mean)))
}

