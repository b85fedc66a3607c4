# The verbs of penalized likelihood (verbs.R): problems of sparserls() and rls() with a family
# (loss.R). Candidates, coordinates and what is left out are theirs (family-ridge-problem.R);
# solutions, held-out predictions and fits are here. With several classes every output is a binomial
# of its own. Fields in addition to theirs:
#   family   of read_family()
# y are means of rows (0 and 1 of classes), scores are linear predictors, with the offset.

# A problem of least squares as one of its family.
with_family <- function(problem) {
  design <- problem$design
  largest <- largest_value(design$offset$values)
  must(largest <= 500, "offset", "The offset is too large for a linear predictor.",
       format(largest, digits = 3), "It is added to the logarithm, or logit, of the mean.")
  if (problem$solver != "auto") stop_solver(problem$solver)
  problem$family <- design$family
  if (inherits(problem, "rls_problem")) problem$solver <- "primal"
  if (problem$intercept) check_intercept(design$family, design$response, problem$weights)
  structure(problem, class = c("glm_problem", class(problem)))
}

# Kernels of rls() other than the plain linear one have all rows that train as a basis.
glm_rls_problem <- function(asked, design, validation = NULL) {
  if (asked$solver != "auto" || "solver" %in% asked$given) stop_solver(asked$solver)
  must(!inherits(asked$lambda, "sparserls_df"),
       "lambda", "lambda_df() is for least squares.", NULL,
       "Give values of `lambda`, or leave it NULL; the field `df` says what they stand for.")
  slopes <- vapply(asked$kernels, has_slopes, NA)
  if (all(slopes)) return(with_family(rls_problem(asked, design, validation)))
  must(!any(slopes),
       "kernel", "With a family the plain linear kernel cannot be searched with others.", NULL,
       "Search them apart, or use kernel_polynomial(1).")
  rows <- design$rows[design$weights > 0]
  check_size(length(rows), "rows in the full kernel", "x",
             "Use sparserls() with a subset of them as basis.")
  asked$basis <- I(rows)
  with_family(sparserls_problem(asked, design, validation))
}

stop_solver <- function(solver) {
  abort("argument", "With a family `solver` is not a choice.", shown(solver), "Leave it out.")
}

# A model: `part` and `training` as of squares, whose y are not read, the path, `null`, of
# null_spectrum(), and `solved`, what the core has found for every output: b (coordinates x
# lambdas), b0, deviance, df, certificate, steps.
train.glm_problem <- function(problem, candidate, path = NULL) {
  part <- ridge_part(problem, candidate)
  training <- ridge_training(problem, part)
  if (problem$intercept) {
    check_intercept(problem$family, problem$design$response, problem$weights)
  }
  open <- is.null(path) && is.null(problem$lambda)
  null <- if (open) null_spectrum(problem, part, training)
  if (open && !is.null(problem$jitter)) check_varies(null$largest, part, problem$jitter)
  lambda <- if (!is.null(path)) path$lambda
            else if (!open) problem$lambda
            else default_lambda(null$values, problem$nlambda, null$shift)
  check_resolvable(lambda, training$spectrum$values)
  solved <- lapply(seq_len(ncol(problem$y)), function(j) {
    glm_path(problem, training, lambda, j, open)
  })
  reached <- min(vapply(solved, `[[`, 0L, "reached"))
  candidate$kernel <- part$kernel
  list(candidate = candidate, path = new_path(lambda = lambda[seq_len(reached)]), part = part,
       training = training, solved = solved, null = null)
}

# Bounds of errors, as shares of the spread of the linear predictor, that the fit and the held-out
# refits are to reach.
fit_tolerance <- 1e-9
fold_tolerance <- 1e-6

# What the core reads of output j, besides coordinates.
glm_output <- function(problem, j) {
  list(name = problem$family$name, theta = problem$family$theta, y = problem$y[, j],
       offset = if (is.null(problem$offset)) numeric(nrow(problem$y)) else problem$offset,
       weights = problem$weights)
}

# Of output j. open: whether a path may end before, where lambda is too small for a fit.
glm_path <- function(problem, training, lambda, j, open) {
  found <- .Call(ffi_glm_path, training, glm_output(problem, j), lambda, fit_tolerance)
  if (!open || found$reached == 0) {
    stop_newton(found$status, if (found$reached < length(lambda)) {
      sprintf("lambda %s", format(lambda[found$reached + 1], digits = 3))
    })
  }
  found
}

# By the weights that rows have in the null model: the eigenvalues of the problem, the largest for
# weights up to one, and, of a kernel, what the shift makes of them (shift_shares()).
null_spectrum <- function(problem, part, training) {
  weights <- do.call(cbind, lapply(glm_null(problem, training), `[[`, "weights"))
  used <- problem$weights > 0
  ratio <- weights[used, , drop = FALSE] / problem$weights[used]
  factor <- max(ratio)
  # Otherwise the weights are those of the problem but for a factor.
  if (any(apply(ratio, 2, function(r) diff(range(r)) > 1e-8 * max(r)))) {
    factor <- 1
    problem$weights <- weights[, which.max(colSums(weights))]
    training <- ridge_training(problem, part)
  }
  values <- training$spectrum$values
  list(values = factor * values, largest = factor * max(values) / max(weights),
       shift = if (!is.null(problem$jitter)) factor * jitter_shares(problem, part, training))
}

# Of every output the model without f.
glm_null <- function(problem, training) {
  lapply(seq_len(ncol(problem$y)), function(j) {
    found <- .Call(ffi_glm_null, training, glm_output(problem, j))
    stop_newton(found$status)
    found
  })
}

stop_newton <- function(status, where = NULL) {
  if (!status_name(status) %in% c("no_convergence", "ill_posed")) return(stop_status(status, where))
  abort(status_name(status), "Newton steps found no fit to working precision.", where,
        paste("Use larger values of `lambda`; look for offsets and weights that differ by many",
              "orders of magnitude."))
}

# ---- held-out predictions --------------------------------------------------------------------

evaluate.glm_problem <- function(problem, candidate, folds, tick) {
  if (isTRUE(problem$reselect)) return(NextMethod())
  model <- train(problem, candidate)
  plan <- ridge_plan(problem, model$part, folds$folds)
  check_fold_intercepts(problem, plan)
  found <- path_folds(problem, model, folds, plan, tick)
  model$path <- new_path(lambda = model$path$lambda[seq_along(found)])
  list(candidate = model$candidate, path = model$path, model = model, plan = plan,
       certified = certified_folds(found), held = held_of(problem, folds, plan, found))
}

# Of every lambda and output what glm_folds() answers. A path that is open ends where the held-out
# error is a quarter above that at its largest lambda, which is nearly that without f: nobody would
# choose what follows, and its refits take most of the steps.
path_folds <- function(problem, model, folds, plan, tick) {
  lambda <- model$path$lambda
  steps <- steps_of_folds(length(lambda), min(progress_steps, length(folds$folds)))
  measure <- problem$validation$measure
  open <- is.null(problem$lambda) && !is.null(measure$rows)
  error_at <- function(each) errors(held_of(problem, folds, plan, list(each)), problem)$cvm
  found <- list()
  ended <- FALSE
  for (l in seq_along(lambda)) {
    if (!ended) {
      found[[l]] <- lapply(seq_len(ncol(problem$y)), function(j) {
        glm_folds(problem, model, plan, l, j)
      })
      ended <- open && isTRUE(error_at(found[[l]]) > 1.25 * error_at(found[[1]]))
    }
    if (!is.null(tick) && !isTRUE(steps[l] == steps[l + 1])) tick()
  }
  found
}

# found: of some lambdas.
held_of <- function(problem, folds, plan, found) {
  scores <- array(unlist(lapply(found, lapply, `[[`, "held")),
                  c(length(plan$rows), ncol(problem$y), length(found)))
  held_by_plan(folds, plan, with_offset(scores, problem, plan$rows))
}

# Of output j at the l-th lambda: what the core answers, with the linear predictors of plan$rows,
# less offsets, as `held`.
glm_folds <- function(problem, model, plan, l, j, coefficients = FALSE) {
  solved <- model$solved[[j]]
  found <- .Call(ffi_glm_folds, model$training, glm_output(problem, j), model$path$lambda[l],
                 fold_tolerance, plan, solved$b[, l], solved$b0[l], coefficients)
  failed <- which(found$ends != 0)
  if (length(failed)) {
    stop_newton(found$ends[failed[1]], c(
      sprintf("fold %d", unique(plan$fold)[failed[1]]),
      sprintf("lambda %s", format(model$path$lambda[l], digits = 3))
    ))
  }
  stop_newton(found$status)
  found$held <- if (is.null(plan$answer)) found$prediction else found$prediction[plan$answer]
  found
}

# A fold whose other rows are all of one kind has no intercept.
check_fold_intercepts <- function(problem, plan) {
  ends <- lone_ends(problem$family)
  if (!problem$intercept || length(ends) == 0) return(invisible())
  used <- problem$weights > 0
  numbers <- unique(plan$fold)
  # Rows that train every fold and are not at this end.
  counts <- function(end, j) {
    elsewhere <- used & problem$y[, j] != end
    sum(elsewhere) - tabulate(match(plan$fold[elsewhere[plan$rows]], numbers), length(numbers))
  }
  for (j in seq_len(ncol(problem$y))) {
    lacking <- Reduce(`|`, lapply(ends, function(end) counts(end, j) == 0))
    must(!any(lacking),
         "folds", "Without a fold the rows that train are all of one kind: they have no fit.",
         sprintf("fold %s", enumerate(numbers[lacking])),
         "Use `strata`, fewer folds, or intercept = FALSE.")
  }
}

# For every lambda: the bound of all held-out linear predictors; the steps of the fold that took
# most, how many folds took steps with a factor of their own, and the bound as a share of the spread
# of the fit's linear predictors, of the output where it is largest.
certified_folds <- function(found) {
  over <- function(name, f) vapply(found, function(each) f(unlist(lapply(each, `[[`, name))), 0)
  share <- function(one) {
    largest <- max(one$certificate)
    if (largest > 0) largest / one$spread else 0
  }
  list(certificate = over("certificate", max),
       steps = data.frame(steps = over("steps", max), refactored = over("own", sum),
                          share = vapply(found, function(each) max(vapply(each, share, 0)), 0)))
}

predict_rows.glm_problem <- function(problem, model, rows) {
  z <- model$training$z[, rows, drop = FALSE]
  each <- lapply(model$solved, function(solved) {
    path <- seq_along(model$path$lambda)
    crossprod(z, solved$b[, path, drop = FALSE]) + rep(solved$b0[path], each = length(rows))
  })
  scores <- aperm(array(unlist(each), c(dim(each[[1]]), length(each))), c(1, 3, 2))
  with_offset(scores, problem, rows)
}

# ---- refits that are kept ----------------------------------------------------------------------

refits.glm_problem <- function(problem, found, folds, at) {
  if (isTRUE(problem$reselect)) return(NextMethod())
  model <- found[["model"]]
  v <- ncol(problem$y)
  each <- lapply(at, function(l) {
    lapply(seq_len(v), function(j) {
      refit <- glm_folds(problem, model, found$plan, l, j, coefficients = TRUE)
      glm_terms(model$training, refit$b, refit$b0)
    })
  })
  numbers <- unique(found$plan$fold)
  # outputs x at x folds
  shape <- c(nrow(each[[1]][[1]]$alpha), length(numbers), v, length(at))
  alpha <- array(unlist(lapply(each, lapply, `[[`, "alpha")), shape)
  a0 <- array(unlist(lapply(each, lapply, `[[`, "a0")), shape[-1])
  points <- length(at) * length(numbers)
  list(folds = numbers,
       expansion = list(alpha = array(aperm(alpha, c(1, 3, 4, 2)), c(shape[1], v, points)),
                        a0 = matrix(aperm(a0, c(2, 3, 1)), v, points)))
}

# b (coordinates x k) and b0 (k) as coefficients of kernel values, or features, and an intercept.
glm_terms <- function(training, b, b0) {
  list(alpha = crossprod(training$map, b), a0 = b0 - drop(crossprod(b, training$z_mean)))
}

predictor.glm_problem <- function(problem, model) predictor.default(problem, model)

own_fields.glm_problem <- function(problem, found, fit, index) {
  c(NextMethod(), found$certified)
}
