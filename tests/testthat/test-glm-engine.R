# Penalized likelihood in the core: fits along a path and refits without every fold, against refits
# in full in plain R.

glm_losses <- c("binomial", "poisson", "gamma", "negative_binomial")

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
  # With every loss: loss_of_seed() goes by fours.
  if (seed %/% 8 %% 3 == 0) case <- with_wider_folds(case)
  m <- nrow(case$x)
  case$loss <- list(name = name, theta = 1.5)
  case$offset <- if (seed %/% 4 %% 2) numeric(m) else rnorm(m, 0, 0.5)
  case$y <- random_responses(name, 1.5, case$offset + 0.7 * sin(case$x[, 1]) + case$x[, 2] / 3)
  case$w <- as.double(case$w)
  case$lambda <- 10^runif(1, -2.5, 1.5)
  fine <- vapply(case$folds, function(fold) has_fit(case, training_rows(case, omitted(fold))), NA)
  replace(case, "folds", list(case$folds[fine]))
}

glm_output_of <- function(case) {
  c(case$loss, list(y = case$y, offset = case$offset, weights = case$w))
}

glm_fit_of <- function(case, training, lambda = case$lambda, tolerance = 1e-10) {
  core_path(training, glm_output_of(case), lambda, tolerance)
}

core_path <- function(training, of, lambda, tolerance = 1e-10, plan = NULL, folds = 1e-6,
                      keep = FALSE, given = NULL) {
  each <- function(x) rep(x, length(lambda))
  how <- list(fit = tolerance, folds = each(folds), apart = each(1), keep = keep)
  .Call(ffi_glm_path, training, of, lambda, how, plan, given)
}

# The refits of a path of one lambda, whose fit is known: what the core answers of them.
core_refits <- function(training, of, lambda, tolerance, plan, fit, keep = FALSE) {
  found <- core_path(training, of, c(lambda, lambda), 1e-10, plan, tolerance, keep,
                     replace(fit, "refits", list(NULL)))
  refits <- found$refits
  c(list(status = found$status, spread = found$spread[2]),
    lapply(refits[!vapply(refits, is.null, NA)], function(x) x[, 2]),
    if (keep) list(refit_b = matrix(refits$b[, 2], nrow(found$b))))
}

# Held-out predictions of plan$rows with the answer of the core.
glm_held_out <- function(case, at, fit, tolerance = 1e-6) {
  found <- core_refits(at$training, glm_output_of(case), case$lambda, tolerance, at$plan, fit, TRUE)
  found$b <- found$refit_b
  answer <- at$plan$answer
  c(found, list(held = if (is.null(answer)) found$prediction else found$prediction[answer]))
}

# The parts of a case, its fit and its held-out predictions.
glm_answers <- function(case) {
  at <- suppressWarnings(parts_of_case(case), classes = "sparserls_warning_basis")
  fit <- glm_fit_of(case, at$training)
  c(at, list(fit = fit, found = glm_held_out(case, at, fit)))
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
    rows <- at$plan$rows[inside]
    keep <- keep[!duplicated(case$x[case$basis[keep], , drop = FALSE])]
    honest <- reference_glm_refit(k, case$y, case$offset, case$w, case$basis, keep,
                                  training_rows(case, held), rows, case$lambda, case$intercept,
                                  case$loss$name, case$loss$theta)
    c(difference = max(abs(found$held[inside] - honest)) / found$spread,
      bound = found$certificate[i] / found$spread, own = found$own[i], status = found$ends[i])
  }, numeric(4)))
}

glm_seeds <- function(seeds) {
  usable_seeds(seeds, function(seed) length(glm_case(seed, loss_of_seed(seed))$folds) > 0)
}

loss_of_seed <- function(seed) glm_losses[seed %% 4 + 1]

# test-loss-table.R holds deviances and their derivatives against those of stats.
test_that("losses keep their digits at both ends of the linear predictor", {
  responses <- list(gaussian = c(-3, 0, 2), binomial = c(0, 0.25, 1), poisson = c(0, 1, 1e9),
                    gamma = c(1e-9, 1, 1e9), negative_binomial = c(0, 3, 1e9))
  for (name in names(responses)) {
    grid <- expand.grid(y = responses[[name]], eta = c(-30, -2, -1e-3, 0, 0.7, 5, 30))
    values <- function(eta) .Call(ffi_loss_values, list(name = name, theta = 1.5), grid$y, eta)
    at <- values(grid$eta)
    expect_equal(at$score, reference_loss(name, 1.5)$score(grid$y, grid$eta), tolerance = 1e-12)
    expect_equal(at$weight, reference_loss(name, 1.5)$weight(grid$y, grid$eta), tolerance = 1e-12)
    extreme <- values(rep_len(c(-745, 745, -1e4, 1e4), nrow(grid)))
    expect_true(all(extreme$deviance >= 0))
    expect_false(anyNA(unlist(extreme)))
  }
  # At a perfect fit nothing is left, whatever the size of counts.
  for (name in c("poisson", "gamma", "negative_binomial")) {
    y <- c(1e-6, 1, 1e9)
    perfect <- .Call(ffi_loss_values, list(name = name, theta = 1.5), y, log(y))
    expect_lt(max(perfect$deviance / pmax(1, y)), 1e-13)
  }
})

test_that("fits along a path are those of plain R", {
  for (seed in 1:15) {
    name <- c(glm_losses, "gaussian")[seed %% 5 + 1]
    case <- glm_case(seed, name)
    if (!has_fit(case, seq_along(case$w))) next
    training <- suppressWarnings(parts_of_case(case)$training)
    lambda <- 10^c(2, 1, 0, -1, -2.5)
    fit <- glm_fit_of(case, training, lambda)
    expect_identical(fit$status, 0L)
    expect_identical(fit$reached, 5L)
    null <- .Call(ffi_glm_null, training, glm_output_of(case))
    expect_true(all(diff(c(null$deviance, fit$deviance)) < 1e-9 * null$deviance))
    z <- t(training$z)
    rows <- seq_along(case$y)
    for (l in seq_along(lambda)) {
      honest <- reference_glm(z, case$y, case$offset, case$w, rows, rows, lambda[l], case$intercept,
                              name, 1.5)
      value <- drop(z %*% fit$b[, l]) + fit$b0[l]
      expect_lt(max(abs(value - honest)) / sd(honest), fit$certificate[l] + 1e-10)
      at <- .Call(ffi_loss_values, case$loss, case$y, case$offset + honest)
      expect_equal(fit$deviance[l], sum(case$w * at$deviance), tolerance = 1e-8)
      design <- sqrt(case$w * at$weight) * cbind(if (case$intercept) 1, z)
      penalty <- diag(c(if (case$intercept) 0, rep(lambda[l], ncol(z))))
      hat <- design %*% solve(crossprod(design) + penalty, t(design))
      expect_equal(fit$df[l], sum(diag(hat)) - case$intercept, tolerance = 1e-6)
    }
  }
})

test_that("held-out predictions of all folds are those of refits, as far as their bound says", {
  own <- flagged <- total <- 0
  for (seed in glm_seeds(1:36)) {
    case <- glm_case(seed, loss_of_seed(seed))
    at <- glm_answers(case)
    found <- at$found
    expect_identical(found$status, 0L)
    error <- glm_fold_errors(case, at, found)
    if (any(error[, "status"] != 0)) fail(sprintf("seed %d: a fold without an answer", seed))
    # Nearly redundant vectors: see test-redundant.R.
    allowed <- if (identical(case$redundancy, "near")) 1e-7 else 1e-10
    wrong <- !(error[, "difference"] <= error[, "bound"] + allowed)
    if (any(wrong)) {
      fail(sprintf("seed %d: %.1e, bound %.1e", seed, error[wrong, "difference"][1],
                   error[wrong, "bound"][1]))
    }
    own <- own + sum(error[, "own"])
    flagged <- flagged + sum(error[, "bound"] > 1e-6)
    total <- total + nrow(error)
  }
  expect_identical(flagged, 0)
  # Both ways to the end were taken.
  expect_gt(own, 5)
  expect_gt(total, 170)
})

test_that("coefficients of refits give their predictions, as near to the best as is said", {
  for (seed in glm_seeds(1:16)) {
    case <- glm_case(seed, loss_of_seed(seed))
    at <- glm_answers(case)
    found <- at$found
    fold <- rep(seq_along(at$plan$h), at$plan$h)
    value <- colSums(at$training$z[, at$plan$leave, drop = FALSE] * found$b[, fold, drop = FALSE])
    expect_equal(found$prediction, value + found$b0[fold], tolerance = 1e-12)
    best <- glm_held_out(case, at, at$fit, tolerance = 1e-13)
    off <- sqrt(colSums((found$b - best$b)^2))
    expect_true(all(off <= found$distance + best$distance))
    if (case$mode == "remove" && !length(at$plan$spanned)) {
      removed <- rep(seq_along(at$plan$e), at$plan$e)
      gone <- colSums(at$training$map[, at$plan$removed, drop = FALSE] *
                        found$b[, removed, drop = FALSE])
      size <- sqrt(colSums(at$training$map[, at$plan$removed, drop = FALSE]^2))
      expect_true(all(abs(gone) <= 1e-12 * size * sqrt(colSums(found$b^2))[removed]))
    }
  }
})

test_that("more folds than a block has, and features in place of basis vectors", {
  set.seed(5)
  m <- 300
  x <- matrix(rnorm(m * 8), m)
  y <- as.double(rpois(m, exp(x[, 1] / 2)))
  w <- rep(1, m)
  of <- list(name = "poisson", theta = 1, y = y, offset = numeric(m), weights = w)
  training <- .Call(ffi_primal, x, matrix(y), w, TRUE, FALSE)
  # The last fold alone, of the second block, has a curvature of its own.
  folds <- c(as.list(1:280), list(281:300))
  fit <- core_path(training, of, 0.5)
  folds_of <- function(inside) {
    plan <- fold_plan(whole_folds(folds[inside]), integer(), "keep", w)
    core_refits(training, of, 0.5, 1e-6, plan, fit)
  }
  found <- folds_of(rep(TRUE, length(folds)))
  expect_null(found[["b"]])
  # A fold's answer does not depend on the others but for rounding.
  some <- seq_along(folds) %in% c(sample(280, 20), 281)
  held <- rep(some, lengths(folds))
  expect_lt(max(abs(folds_of(some)$prediction - found$prediction[held])), 1e-12)
  for (i in which(some)) {
    rows <- folds[[i]]
    honest <- reference_glm(x, y, numeric(m), w, seq_len(m)[-rows], rows, 0.5, TRUE, "poisson", 1)
    expect_lt(max(abs(found$prediction[rows] - honest)), found$certificate[i] + 1e-10)
  }
})

hostile_case <- function(name, lambda = 0.1) {
  set.seed(1)
  m <- 60
  x <- matrix(rnorm(m * 2), m)
  list(x = x, y = random_responses(name, 1.5, x[, 1]), w = rep(1, m), offset = numeric(m),
       basis = sample(m, 15), folds = unname(split(1:m, rep(1:6, 10))),
       kernel = kernel_gaussian(0.5), lambda = lambda, intercept = TRUE, mode = "remove",
       jitter = 1e-7, loss = list(name = name, theta = 1.5))
}

# Refits confirm all predictions; the bound is good enough or says that it is rounding.
expect_confirmed <- function(case, flagged = FALSE) {
  at <- glm_answers(case)
  expect_identical(at$fit$status, 0L)
  error <- glm_fold_errors(case, at, at$found)
  expect_true(all(error[, "status"] == 0))
  expect_true(all(error[, "difference"] <= error[, "bound"] + 1e-10))
  if (!flagged) expect_lte(max(error[, "bound"]), 1e-6)
}

test_that("tiny lambda, huge counts and separation are confirmed by refits", {
  for (name in glm_losses) {
    for (lambda in c(1e-4, 1e-8, 1e-12)) {
      expect_confirmed(hostile_case(name, lambda), flagged = lambda < 1e-8)
    }
    if (name == "binomial") next
    case <- hostile_case(name)
    flagged <- name == "poisson"
    expect_confirmed(replace(case, "y", list(1e9 * (case$y + (name == "gamma")))), flagged)
    expect_confirmed(replace(case, "y", list(replace(case$y, 3, 1e9))), flagged)
  }
  for (lambda in c(1, 1e-3, 1e-6, 1e-9)) {
    case <- hostile_case("binomial", lambda)
    case$y <- as.double(case$x[, 1] > 0)
    expect_confirmed(case)
    set.seed(2)
    case$w <- sample(c(0, 1, 1000), 60, TRUE)
    expect_confirmed(case)
  }
  set.seed(3)
  expect_confirmed(replace(hostile_case("poisson"), "y", list(10^runif(60, -10, 10))),
                   flagged = TRUE)
  expect_confirmed(replace(hostile_case("gamma"), "y", list(10^runif(60, -150, 150))))
  for (theta in c(1e-6, 1e10)) {
    case <- hostile_case("negative_binomial")
    case$loss$theta <- theta
    expect_confirmed(case)
  }
})

test_that("weights over many orders of magnitude, counts of 1e8, huge lambda", {
  # Rounding of J hides what the last steps of a fold do.
  case <- hostile_case("binomial", 0.05)
  set.seed(50)
  case$w <- 10^runif(60, -7, 7)
  expect_confirmed(case, flagged = TRUE)
  # Without the basis vectors that leave neither the fit nor the first step is of the counts' size.
  case <- glm_case(3057, "poisson")
  case[c("intercept", "lambda", "y")] <- list(FALSE, 8, 1e8 * case$y)
  expect_confirmed(case, flagged = TRUE)
  case <- hostile_case("poisson", 1e16)
  case$y <- case$y / mean(case$y[-(1:10)])
  case$folds <- list(1:10)
  found <- glm_answers(case)$found
  expect_lt(max(abs(found$prediction)), 1e-14)
  expect_gt(found$certificate, .Machine$double.eps)
})

test_that("rows that have no fit are said to have none", {
  for (name in c("binomial", "poisson", "negative_binomial")) {
    case <- hostile_case(name)
    case$y <- numeric(60)
    ill_posed <- session$constants$status[["ill_posed"]]
    expect_identical(glm_fit_of(case, parts_of_case(case)$training)$status, ill_posed)
    # Without an intercept they have one.
    expect_confirmed(replace(case, "intercept", FALSE))
    # The only row that differs leaves: its fold has no fit, others do.
    case$y[1] <- 1
    at <- glm_answers(case)
    expect_identical(at$found$ends, ifelse(seq_len(6) == 1, ill_posed, 0L))
    expect_true(all(is.finite(at$found$prediction[sort(at$plan$fold) != 1])))
    problem <- list(family = case$loss, y = cbind(case$y), weights = case$w)
    how <- list(fit = 1e-10, folds = 1e-6, apart = 1, keep = FALSE)
    expect_error(sparserls:::core_path(problem, list(training = at$training, open = FALSE), 1,
                                       case$lambda, how, at$plan), "fold 1",
                 class = "sparserls_error_ill_posed")
  }
  case <- hostile_case("poisson")
  case$y <- rep(1e300, 60)
  expect_gt(glm_fit_of(case, parts_of_case(case)$training)$status, 0L)
})
