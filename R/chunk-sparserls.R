# RLS on a subset of regressors, of rows in chunks: its calls, its problem and the verbs of it.

# method: "sparserls" or "cv.sparserls"; given: of formula_call(); ...: the user's arguments.
sparserls_chunks <- function(method, given, ...) {
  asked <- read_chunk_arguments(method, given, 10000, ...)
  asked["lambda"] <- list(check_lambda(asked$lambda))
  answer_chunks(asked, chunked_sparserls)
}

chunked_sparserls <- function(run, asked) {
  survey <- run_survey(run)
  points <- basis_points(asked$basis, survey$frame$blueprint)
  # No basis vector is held out.
  if (!is.null(points)) asked$holdout_basis <- "keep"
  asked["basis"] <- list(chunk_basis(asked$basis, survey, !is.null(points)))
  intercept <- asked$intercept && has_intercept(survey)
  standard <- chunk_standard(survey, asked$standardize, is_centred(intercept, asked$kernels))
  local <- with_random_seed(survey$frame$seed,
                            local_problem(sparserls_problem, survey, asked, standard))
  chunked_problem("sparserls", survey, run, local, points, asked$holdout_basis)
}

# The basis for choose_basis(): none where points are given, no numbers of rows.
chunk_basis <- function(basis, survey, points) {
  if (points) return(1)
  if (is.null(basis)) return(NULL)
  if (inherits(basis, "sparserls_basis") && basis$type == "groups") {
    abort("basis", "basis_groups() needs the groups of all rows.", NULL,
          "Use basis_random() or another of ?basis_random.")
  }
  if (is.numeric(basis) && !is_basis_count(basis)) {
    abort("basis", "With rows in chunks the basis cannot be numbers of rows.", shown(basis),
          "Give a number, a selector such as basis_random(300), or the points as a data frame.")
  }
  if (!is.numeric(basis) && !inherits(basis, "sparserls_basis")) return(basis)
  wanted <- if (is.numeric(basis)) basis else basis$n
  if (is_count(wanted) && wanted > nrow(survey$sample)) {
    abort("basis", sprintf("The basis is chosen among a sample of %d rows.", nrow(survey$sample)),
          sprintf("%.0f basis vectors", wanted), "Give a larger `reservoir`.")
  }
  basis
}

new_cell.chunked_sparserls_problem <- function(problem, candidate, folds) {
  if (is.null(problem$extra)) return(basis_cell(problem, candidate, folds))
  local <- problem$local
  part <- points_problem(local, kernel_points(local, candidate$kernel), problem$extra,
                         local$standard)
  cell <- kernel_cell(problem, part, part$rows)
  cell$members <- no_members(length(part$basis), length(problem$survey$y$mean))
  cell
}

# Basis vectors among the sampled rows.
basis_cell <- function(problem, candidate, folds) {
  part <- ridge_part(problem$local, candidate)
  cell <- kernel_cell(problem, part, part$points)
  sampled <- c(part$basis, part$redundant$rows)
  values <- kernel_values(part$kernel, cell$basis, point_rows(part$points, sampled),
                          problem$threads)
  values[, seq_along(part$basis)] <- part$k_bb
  position <- problem$survey$position
  rows <- list(chunk = position$chunk[sampled], rows = position$row[sampled])
  data <- problem$survey$sample[sampled, , drop = FALSE]
  labels <- labels_of(problem$survey$frame, data, seq_along(sampled), rows$rows)
  cell$members <- list(
    z = forwardsolve(cell$cholesky, values) - cell$coordinates$centre,
    y = problem$local$y[sampled, , drop = FALSE] -
      rep(problem_centre(problem), each = length(sampled)),
    weights = problem$local$weights[sampled], chunk = rows$chunk, row = rows$rows,
    group = labels$group, fold = fold_of(problem$survey$frame, folds, c(rows, labels))
  )
  cell
}

new_chunked_fit.chunked_sparserls_problem <- function(problem, model) {
  cell <- model$candidate$cell
  chunked_fit(problem, model, "sparserls", basis = basis_numbers(problem, cell),
              basis_labels = labels_of_basis(problem$local, model$part), points = cell$basis,
              jitter = problem$local$jitter, shift_df = model_shift_df(problem$local, model),
              selector = model$part$selector)
}

# Numbers of the basis vectors among the rows as supplied; of points that are no rows, their own.
basis_numbers <- function(problem, cell) {
  count <- length(cell$part$basis)
  if (!is.null(problem$extra)) return(cell$part$basis)
  kept <- seq_len(count)
  as_count(row_numbers(problem$survey, cell$members$chunk[kept], cell$members$row[kept]))
}

own_fields.chunked_sparserls_problem <- function(problem, found, fit, index) {
  c(list(holdout_basis = if (is.null(problem$extra)) problem$mode, reselect = FALSE),
    if (is.null(problem$extra) && identical(problem$mode, "remove")) {
      members <- found$model$candidate$cell$members
      kept <- seq_along(found$model$part$basis)
      positions <- seq_along(members$row)
      stand_ins(split(positions, members$fold), kept, setdiff(positions, kept),
                as_count(row_numbers(problem$survey, members$chunk, members$row)))
    })
}
