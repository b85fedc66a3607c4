# What a public function reads of a call (read_arguments()), for tests of what it is made into.

asked_of <- function(method, ...) {
  read <- function(...) NULL
  own <- list(...)
  formals(read) <- c(own, alist(... = ))
  body(read) <- quote(read_arguments(method, quote(f()), environment()))
  environment(read) <- environment()
  do.call(read, own)
}

# Of a case of random_case(), as sparserls() or another method has it.
asked_of_case <- function(case, method = "cv.sparserls", ...) {
  asked_of(method, kernels = list(case$kernel), basis = I(case$basis), lambda = case$lambda,
           nlambda = 1, intercept = case$intercept, standardize = FALSE, jitter = case$jitter,
           folds = case$folds, type.measure = "mse", progress = FALSE, ...)
}
