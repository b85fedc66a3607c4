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
problem_of <- function(call) {
  before <- get("fit_problem", asNamespace("sparserls"))
  on.exit(assignInNamespace("fit_problem", before, "sparserls"))
  assignInNamespace("fit_problem", function(problem) problem, "sparserls")
  force(call)
}
