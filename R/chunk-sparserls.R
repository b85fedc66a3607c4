# RLS on a subset of regressors, of rows in chunks.

new_cell.chunked_sparserls_problem <- function(problem, candidate, folds) {
  if (is.null(problem$extra)) basis_cell(problem, candidate, folds)
  else point_cell(problem, candidate)
}

chunk_path.chunked_sparserls_problem <- function(problem, cell, training) {
  local <- problem$local
  training$weights <- max(local$weights)
  path_lambda(training, cell$part, local$jitter, local$lambda, local$nlambda, local$unit)
}

new_chunked_fit.chunked_sparserls_problem <- function(problem, model) {
  cell <- model$candidate$cell
  chunked_fit(problem, model, "sparserls", basis = basis_numbers(problem, cell),
              basis_labels = labels_of_basis(problem$local, model$part), points = cell$basis,
              jitter = problem$local$jitter, selector = model$part$selector)
}

own_fields.chunked_sparserls_problem <- function(problem) {
  list(holdout_basis = if (is.null(problem$extra)) problem$mode, reselect = FALSE)
}
