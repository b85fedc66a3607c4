# Penalized likelihood in the core: fits along a path and refits without every fold, against refits
# in full in plain R.

glm_losses <- c("binomial", "poisson", "gamma", "negative_binomial")

# Half of the unit deviance's first and second derivatives, from their definitions, written so that
# they keep their digits at both ends.
reference_loss <- function(name, theta) {
  switch(name,
    gaussian = list(score = function(y, eta) eta - y, weight = function(y, eta) 0 * eta + 1),
    binomial = list(score = function(y, eta) (1 - y) * plogis(eta) - y * plogis(-eta),
                    weight = function(y, eta) plogis(eta) * plogis(-eta)),
    poisson = list(score = function(y, eta) exp(eta) - y, weight = function(y, eta) exp(eta)),
    gamma = list(score = function(y, eta) 1 - y * exp(-eta),
                 weight = function(y, eta) y * exp(-eta)),
    negative_binomial = list(
      score = function(y, eta) {
        theta * plogis(eta - log(theta)) - y * plogis(log(theta) - eta)
      },
      weight = function(y, eta) (y + theta) * plogis(eta - log(theta)) * plogis(log(theta) - eta)
    )
  )
}

# Linear predictors without the offset of `rows` by the penalized fit in coordinates z (a row each)
# to the rows `train`: Newton steps by QR, halved until the slope along a step does not end
# higher than half of what it began with.
reference_glm <- function(z, y, offset, w, train, rows, lambda, intercept, name, theta) {
  loss <- reference_loss(name, theta)
  design <- if (intercept) cbind(1, z) else z
  penalty <- c(if (intercept) 0, rep(lambda, ncol(z)))
  train <- train[w[train] > 0]
  x <- design[train, , drop = FALSE]
  eta_of <- function(b) offset[train] + drop(x %*% b)
  gradient_of <- function(b) {
    drop(crossprod(x, w[train] * loss$score(y[train], eta_of(b)))) + penalty * b
  }
  b <- numeric(ncol(design))
  if (intercept && name %in% c("poisson", "gamma", "negative_binomial")) {
    b[1] <- log(sum(w[train] * y[train]) / sum(w[train] * exp(offset[train])))
  }
  for (step in 1:300) {
    weight <- sqrt(w[train] * loss$weight(y[train], eta_of(b)))
    root <- qr.R(qr(rbind(weight * x, diag(sqrt(penalty), length(penalty))), tol = 0))
    gradient <- gradient_of(b)
    move <- backsolve(root, backsolve(root, gradient, transpose = TRUE))
    share <- 1
    while (!isTRUE(sum(move * gradient_of(b - share * move)) >= -sum(move * gradient) / 2) &&
           share > 1e-12) {
      share <- share / 2
    }
    b <- b - share * move
    if (max(abs(move)) <= 1e-13 * max(abs(b))) break
  }
  drop(design[rows, , drop = FALSE] %*% b)
}

# The same of a subset of regressors, as reference_refit().
reference_glm_refit <- function(k, case, keep, train, rows) {
  keep <- keep[!duplicated(case$x[case$basis[keep], , drop = FALSE])]
  keep <- keep[reference_independent(k[case$basis[keep], keep, drop = FALSE])]
  factor <- chol(k[case$basis[keep], keep, drop = FALSE])
  z <- t(backsolve(factor, t(k[, keep, drop = FALSE]), transpose = TRUE))
  reference_glm(z, case$y, case$offset, case$w, train, rows, case$lambda, case$intercept,
                case$loss$name, case$loss$theta)
}

random_responses <- function(name, theta, eta) {
  m <- length(eta)
  as.double(switch(name,
    gaussian = eta + rnorm(m),
    binomial = rbinom(m, 4, plogis(eta)) / 4,
    poisson = rpois(m, exp(eta)),
    gamma = rgamma(m, 2, 2 / exp(eta)),
    negative_binomial = rnbinom(m, size = theta, mu = exp(eta))
  ))
}

# Whether the rows have a fit: not all of them at the end of what a response may be.
has_fit <- function(case, train) {
  used <- train[case$w[train] > 0]
  if (!case$intercept || case$loss$name %in% c("gamma", "gaussian")) return(length(used) > 0)
  any(case$y[used] > 0) && (case$loss$name != "binomial" || any(case$y[used] < 1))
}

training_rows <- function(case, held) {
  if (case$mode == "keep_loss") held <- setdiff(held, case$basis)
  setdiff(seq_along(case$w), held)
}

# A case of random_case() or redundant_case() with a response of the loss `name`.
glm_case <- function(seed, name) {
  case <- if (seed %% 3) random_case(seed) else redundant_case(seed)
  if (seed %% 4 == 0) case <- with_wider_folds(case)
  m <- nrow(case$x)
  case$loss <- list(name = name, theta = 1.5)
  case$offset <- if (seed %% 2) rnorm(m, 0, 0.5) else numeric(m)
  case$y <- random_responses(name, 1.5, case$offset + 0.7 * sin(case$x[, 1]) + case$x[, 2] / 3)
  case$w <- as.double(case$w)
  case$lambda <- 10^runif(1, -2.5, 1.5)
  fine <- vapply(case$folds, function(fold) has_fit(case, training_rows(case, omitted(fold))), NA)
  replace(case, "folds", list(case$folds[fine]))
}

# Its training list and plan.
glm_training <- function(case) {
  design <- as_design(case$x, rowSums(case$x), case$w)
  validation <- new_validation(design, NULL, NULL, NULL, NULL, case$folds, "mse", FALSE, FALSE)
  problem <- sparserls_problem(design, quote(f()), list(case$kernel), I(case$basis), case$lambda,
                               1L, case$intercept, FALSE, case$jitter, 1L, validation,
                               solver = "update", holdout_basis = case$mode, reselect = FALSE)
  candidate <- candidates(problem)[[1]]
  part <- basis_part(problem, candidate)
  plan <- fold_plan(draw_folds(validation$folds)$folds, part$basis, case$mode, problem$weights,
                    part$redundant)
  plan$forms <- rep(form_code("update"), length(plan$h))
  list(training = train_part(problem, candidate, part, rotate = FALSE)$training, plan = plan)
}

glm_fit_of <- function(case, training, lambda = case$lambda, tolerance = 1e-10) {
  .Call(ffi_glm_path, training, case$loss, case$y, case$offset, case$w, lambda, tolerance)
}

# Held-out predictions of plan$rows with the answer of the core.
glm_held_out <- function(case, at, fit, tolerance = 1e-6, plan = at$plan) {
  found <- .Call(ffi_glm_folds, at$training, case$loss, case$y, case$offset, case$w, case$lambda,
                 tolerance, some_folds(plan, rep(TRUE, length(plan$h))), fit$b[, 1], fit$b0[1],
                 TRUE)
  prediction <- found$prediction
  if (!is.null(plan$answer)) prediction <- prediction[plan$answer]
  c(found, list(held = prediction))
}

# For every fold: the largest difference from the refit and the bound of it, as shares of the
# spread, and whether it took steps of its own.
glm_fold_errors <- function(case, at, found) {
  k <- reference_shifted(case$kernel, case$x, case$basis, case$jitter)
  folds <- unique(at$plan$fold)
  members <- seq_along(case$basis)
  t(vapply(seq_along(folds), function(i) {
    held <- omitted(case$folds[[folds[i]]])
    keep <- if (case$mode == "remove") members[!case$basis %in% held] else members
    inside <- at$plan$fold == folds[i]
    honest <- reference_glm_refit(k, case, keep, training_rows(case, held), at$plan$rows[inside])
    c(difference = max(abs(found$held[inside] - honest)) / found$spread,
      bound = found$certificate[i] / found$spread, own = found$own[i], status = found$ends[i],
      steps = found$steps[i])
  }, numeric(5)))
}
