# The loss of every step of a path is the mean squared error that cv.sparserls() finds with the
# kernel, lambda and basis vectors of that step.
expect_same_error <- function(fit, x, y, ...) {
  for (i in seq_along(fit$penalty)) {
    step <- fit$fits[[i]]
    cv <- cv.sparserls(x, y, step$basis, step$kernel, fit$lambda[i], ..., type.measure = "mse",
                       progress = FALSE)
    expect_equal(fit$loss[i], cv$cvm, tolerance = 1e-8)
  }
}

# The problem that a call of a public function makes.
problem_of <- function(call, solver = "fit_problem") {
  before <- get(solver, asNamespace("sparserls"))
  on.exit(assignInNamespace(solver, before, "sparserls"))
  assignInNamespace(solver, function(problem) problem, "sparserls")
  force(call)
}

# jackknife+ of level 0.9 by the fits without each fold of rows in order, with their predictions.
jackknife_plus <- function(fits, x, y, new, s, fold) {
  at <- function(i, points) predict(fits[[i]], points, s = s)
  residual <- vapply(seq_along(y), function(i) abs(y[i] - at(fold[i], x[i, , drop = FALSE])), 0)
  mu <- vapply(fold, at, numeric(nrow(new)), points = new)
  u <- ceiling(0.9 * (length(y) + 1) - 1e-9)
  unname(cbind(apply(mu, 1, function(mu) sort(mu - residual)[length(y) + 1 - u]),
               apply(mu, 1, function(mu) sort(mu + residual)[u])))
}
