# RLS of rows in chunks, by their features: its calls, its problem and the verbs of it.

# method: "rls" or "cv.rls"; given: of formula_call(); ...: the user's arguments.
rls_chunks <- function(method, given, ...) {
  asked <- read_chunk_arguments(method, given, 1000, ...)
  asked["lambda"] <- list(check_lambda_df(asked$lambda))
  asked$kernels <- lapply(asked$kernels, linear_only)
  answer_chunks(asked, chunked_rls)
}

linear_only <- function(kernel) {
  if (has_slopes(kernel)) return(kernel)
  abort("kernel", "With rows in chunks rls() needs the plain linear kernel.", format(kernel),
        "Use sparserls() with a basis.")
}

chunked_rls <- function(run, asked) {
  survey <- run_survey(run)
  intercept <- asked$intercept && has_intercept(survey)
  standard <- chunk_standard(survey, asked$standardize, intercept, intercept)
  asked$solver <- "primal"
  local <- local_problem(rls_problem, survey, asked, standard)
  chunked_problem("rls", survey, run, local, NULL, "keep")
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
