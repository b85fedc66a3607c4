# Random problems whose held-out error has a gradient, that error by refits in plain R, and
# differences of it.

core <- function(name) get(name, asNamespace("sparserls"))

# Some of the folds wider; the folds as the core sees them.
gradient_folds <- function(case, seed) {
  if (seed %% 3 == 0) case <- with_wider_folds(case)
  case$folds <- lapply(case$folds, function(fold) {
    list(score = scored(fold), omit = union(scored(fold), omitted(fold)))
  })
  case
}

gradient_plan <- function(case) core("fold_plan")(case$folds, case$basis, case$mode, case$w)

# More rows than a block, more folds than a batch.
large_case <- function() {
  set.seed(1)
  m <- 700
  case <- list(x = matrix(rnorm(3 * m), m), w = runif(m), basis = sample(m, 12), mode = "remove",
               jitter = 1e-7, intercept = TRUE, folds = core("whole_folds")(as.list(seq_len(m))))
  replace(case, "y", list(sin(case$x[, 1:2]) + rnorm(2 * m) / 5))
}

has_plan <- function(case) {
  length(case$folds) > 0 && !is.null(tryCatch(gradient_plan(case), error = function(e) NULL))
}

# What the core says of the points x as the kernel sees them; mapped: the points before a map.
answer_at <- function(case, x, lambda, solver, threads, mapped = NULL) {
  plan <- gradient_plan(case)
  n <- length(case$basis)
  plan$solver <- solver
  middle <- function(x) core("kernel_centre")(case$kernel, list(x = x[case$basis, , drop = FALSE]))
  if (!is.null(mapped)) mapped <- list(x = mapped, centre = middle(mapped))
  .Call(core("ffi_cv_gradient"), core("kernel_list")(case$kernel), x, middle(x), case$basis,
        case$jitter, as.matrix(case$y) + 0, case$w + 0, case$intercept, lambda, plan,
        numeric(3 * n * nrow(x)), threads, mapped)
}

# The kernel of all rows with the basis, from the number that it is a function of, with the jitter.
values_of <- function(case, u) {
  k <- switch(case$kernel$name,
    linear = u,
    laplacian = exp(-u),
    gaussian = exp(-u),
    matern = {
      r <- sqrt(2 * case$kernel$smoothness * u)
      exp(-r) * switch(format(case$kernel$smoothness), `0.5` = 1, `1.5` = 1 + r,
                       `2.5` = 1 + r + r^2 / 3)
    }
  )
  own <- cbind(case$basis, seq_along(case$basis))
  replace(k, own, k[own] + case$jitter)
}

# The loss by refits without every fold. k: of values_of().
refitted_loss <- function(case, k, lambda) {
  y <- as.matrix(case$y)
  losses <- vapply(case$folds, function(fold) {
    held <- reference_cv(k, y, case$w, case$basis, list(fold), lambda, case$mode, case$intercept)
    sum(case$w * (y - held[, , 1])^2, na.rm = TRUE)
  }, 0)
  sum(losses)
}

# The derivative of f at 0 by central differences with three steps, extrapolated to none
# (Richardson): of order 6, so that the step can be large against the rounding errors of the loss,
# which grow with the condition of K_BB.
slope_at_zero <- function(f, step = 0.04) {
  steps <- vapply(step / c(1, 2, 4), function(h) (f(h) - f(-h)) / (2 * h), 0)
  sum(steps * c(1, -20, 64)) / 45
}

largest_relative <- function(value, reference) max(abs(value - reference)) / max(abs(reference))
