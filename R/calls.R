# Calls and formulas: what the methods of all generics do alike.

# A matched call by the name of its generic, so that update() finds it.
generic_call <- function(call, name) {
  call[[1L]] <- as.name(name)
  call
}

fit_call <- function(problem) problem$call

# The body of every formula method. labels: its arguments that hold one label for each row and, like
# weights, are looked for in the data first.
fit_formula <- function(call, env, method, ..., labels = character()) {
  check_formula_dots(...)
  fit <- method(formula_design(call, env, labels), NULL, ...)
  fit$call <- call
  fit
}
