# What a public function reads of a call (read_arguments()), for tests of what it is made into.

asked_of <- function(method, ...) {
  read <- function(...) NULL
  own <- list(...)
  formals(read) <- c(own, alist(... = ))
  body(read) <- quote(read_arguments(method, .call = quote(f())))
  environment(read) <- environment()
  do.call(read, own)
}

# Of a case of random_case(), as sparserls() or another method has it.
asked_of_case <- function(case, method = "cv.sparserls", ...) {
  asked_of(method, kernels = list(case$kernel), basis = I(case$basis), lambda = case$lambda,
           nlambda = 1, intercept = case$intercept, standardize = FALSE, jitter = case$jitter,
           folds = case$folds, type.measure = "mse", progress = FALSE, ...)
}

# What the core holds out of a case: the problem, its training list, the plan of its folds and the
# basis.
parts_of_case <- function(case, y = rowSums(case$x), ...) {
  design <- as_design(case$x, y, case$w)
  asked <- asked_of_case(case, holdout_basis = case$mode)
  validation <- new_validation(asked, design)
  problem <- sparserls_problem(asked, design, validation)
  candidate <- candidates(problem)[[1]]
  part <- ridge_part(problem, candidate)
  plan <- fold_plan(draw_folds(validation$folds)$folds, part$basis, case$mode, problem$weights,
                    part$redundant, ...)
  list(problem = problem, training = train(problem, candidate)$training, plan = plan,
       basis = part$basis)
}
