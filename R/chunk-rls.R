# RLS of rows in chunks, by their features.

# Coordinates are the features, centred by their standardization.
new_cell.chunked_rls_problem <- function(problem, candidate, folds) {
  part <- rls_part(problem$local, candidate$kernel, "primal")
  part$standard <- problem$local$standard
  n <- ncol(part$points$x)
  list(part = part, coordinates = list(cholesky = NULL, centre = numeric(n)),
       members = no_members(n, length(problem$survey$y$mean)))
}

chunk_path.chunked_rls_problem <- function(problem, cell, training) {
  if (max(training$spectrum$values) <= 0) stop_constant(cell$part)
  local <- problem$local
  rls_path(training, local$lambda, local$nlambda, local$unit)
}

new_chunked_fit.chunked_rls_problem <- function(problem, model) {
  fit <- chunked_fit(problem, model, "rls", basis = NULL, basis_labels = NULL, points = NULL,
                     solver = "primal")
  left <- problem$survey$trained - fit$df - problem$intercept
  fit$gcv <- problem$survey$trained * (1 - fit$dev.ratio) * fit$nulldev / left^2
  fit
}
