# RLS of rows in chunks, by their features: its calls, its problem and the verbs of it.

rls_chunks <- function(call, env, kernel = kernel_linear(), lambda = NULL, nlambda = 50,
                       intercept = TRUE, standardize = TRUE, threads = NULL, reservoir = 1000,
                       survey = NULL, checkpoint = NULL, progress = interactive(), ...) {
  refuse_memory_only(call)
  check_dots(..., known = chunk_arguments(formals()))
  kernels <- list(linear_only(single_kernel(kernel, "cv.rls()")))
  asked <- list(kernels = kernels, lambda = lambda, nlambda = nlambda, intercept = intercept,
                standardize = standardize)
  answer_call(chunked_rls, call, env, asked, threads, reservoir, survey, checkpoint, progress)
}

cv.rls_chunks <- function(call, env, kernel = kernel_linear(), lambda = NULL, nlambda = 50,
                          intercept = TRUE, standardize = TRUE, nfolds = NULL,
                          type.measure = NULL, rule = c("1se", "paired"), keep = FALSE,
                          threads = NULL, reservoir = 1000, survey = NULL, checkpoint = NULL,
                          progress = interactive(), ...) {
  refuse_memory_only(call)
  check_dots(..., known = chunk_arguments(formals()))
  kernels <- lapply(kernel_grid(kernel), linear_only)
  asked <- list(kernels = kernels, lambda = lambda, nlambda = nlambda, intercept = intercept,
                standardize = standardize, nfolds = nfolds, mode = "keep", measure = type.measure,
                rule = rule, keep = check_keep(keep))
  answer_call(chunked_rls, call, env, asked, threads, reservoir, survey, checkpoint, progress)
}

linear_only <- function(kernel) {
  if (has_slopes(kernel)) return(kernel)
  abort("kernel", "With rows in chunks rls() needs the plain linear kernel.", format(kernel),
        "Use sparserls() with a basis.")
}

chunked_rls <- function(run, call, asked, threads) {
  survey <- run_survey(run)
  intercept <- check_flag(asked$intercept, "intercept") && has_intercept(survey)
  local <- local_problem(
    survey, call, chunk_standard(survey, asked$standardize, intercept, intercept), intercept,
    function(design) {
      rls_problem(design, call, asked$kernels, asked$lambda, asked$nlambda, intercept, FALSE,
                  "primal", threads, chunk_validation(design, survey, asked))
    }
  )
  chunked_problem("rls", survey, run, local, NULL, asked$mode)
}

# Coordinates are the features, centred by their standardization.
new_cell.chunked_rls_problem <- function(problem, candidate, folds) {
  part <- ridge_part(problem$local, candidate)
  part$standard <- problem$local$standard
  n <- ncol(part$points$x)
  list(part = part, coordinates = list(cholesky = NULL, centre = numeric(n)),
       members = no_members(n, length(problem$survey$y$mean)))
}

new_chunked_fit.chunked_rls_problem <- function(problem, model) {
  fit <- chunked_fit(problem, model, "rls", basis = NULL, basis_labels = NULL, points = NULL,
                     solver = "primal")
  with_gcv(fit)
}
