# Penalized likelihood in the core: fits along a path and refits without every fold, against refits
# in full in plain R.

glm_losses <- c("binomial", "poisson", "gamma", "negative_binomial")

# Half of the unit deviance's first and second derivatives, from their definitions.
reference_loss <- function(name, theta) {
  switch(name,
    gaussian = list(score = function(y, eta) eta - y, weight = function(y, eta) 0 * eta + 1),
    binomial = list(score = function(y, eta) plogis(eta) - y,
                    weight = function(y, eta) plogis(eta) * plogis(-eta)),
    poisson = list(score = function(y, eta) exp(eta) - y, weight = function(y, eta) exp(eta)),
    gamma = list(score = function(y, eta) 1 - y * exp(-eta),
                 weight = function(y, eta) y * exp(-eta)),
    negative_binomial = list(
      score = function(y, eta) theta * (exp(eta) - y) / (exp(eta) + theta),
      weight = function(y, eta) theta * (y + theta) * exp(eta) / (exp(eta) + theta)^2
    )
  )
}

# Their deviance functions in R, up to a factor of weights.
reference_deviance <- function(name, theta) {
  switch(name,
    gaussian = stats::gaussian()$dev.resids,
    binomial = stats::binomial()$dev.resids,
    poisson = stats::poisson()$dev.resids,
    gamma = stats::Gamma("log")$dev.resids,
    negative_binomial = function(y, mu, wt) {
      2 * wt * (ifelse(y > 0, y * log(y / mu), 0) - (y + theta) * log((y + theta) / (mu + theta)))
    }
  )
}

# Linear predictors without the offset of `rows` by the coefficients of the penalized fit in
# coordinates z (a row each) to the rows `train`: Newton steps by QR, halved where they do not
# lower what is minimized.
reference_glm <- function(z, y, offset, w, train, rows, lambda, intercept, name, theta) {
  loss <- reference_loss(name, theta)
  mean_of <- switch(name, gaussian = identity, binomial = plogis, exp)
  deviance_of <- reference_deviance(name, theta)
  design <- if (intercept) cbind(1, z) else z
  penalty <- c(if (intercept) 0, rep(lambda, ncol(z)))
  x <- design[train, , drop = FALSE]
  y <- y[train]
  w <- w[train]
  offset <- offset[train]
  objective <- function(b) {
    sum(deviance_of(y, mean_of(offset + drop(x %*% b)), w)) + sum(penalty * b^2)
  }
  b <- numeric(ncol(design))
  if (intercept) b[1] <- switch(name, gaussian = 0, binomial = 0, log(sum(w * y) / sum(w)))
  for (step in 1:200) {
    eta <- offset + drop(x %*% b)
    weight <- sqrt(w * loss$weight(y, eta))
    gradient <- drop(crossprod(x, w * loss$score(y, eta))) + penalty * b
    root <- qr.R(qr(rbind(weight * x, diag(sqrt(penalty), length(penalty))), tol = 0))
    move <- backsolve(root, backsolve(root, gradient, transpose = TRUE))
    share <- 1
    while (!isTRUE(objective(b - share * move) <= objective(b) * (1 + 1e-12)) && share > 1e-12) {
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
