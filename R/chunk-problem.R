# Problems whose rows are in chunks: the verbs of verbs.R. What chooses and decides is the family's
# own problem on a sample of the rows, the field `local`; what adds up over rows is done on the
# chunks (chunk-sums.R). Its fields are `local`'s own, `local` itself and
#   survey   of the first pass (chunk-survey.R)
#   run      how chunks are mapped: progress, checkpoint
#   mode     what becomes of held-out basis vectors
# A candidate is that of `local` with its `cell`: coordinates of rows, members of the basis, and the
# sums of all other rows by fold.

# ---- calls: asked, their arguments (chunk-run.R) ------------------------------------------------

# .method: "sparserls" or "cv.sparserls"; .given: of formula_call(); ...: the user's arguments.
sparserls_chunks <- function(.method, .given, ...) {
  asked <- read_chunk_arguments(.method, .given, 10000, ...)
  asked["lambda"] <- list(check_lambda(asked$lambda))
  answer_chunks(asked, sampled_sparserls)
}

# .method: "rls" or "cv.rls"; .given: of formula_call(); ...: the user's arguments.
rls_chunks <- function(.method, .given, ...) {
  asked <- read_chunk_arguments(.method, .given, 1000, ...)
  asked["lambda"] <- list(check_lambda_df(asked$lambda))
  other <- Find(Negate(has_slopes), asked$kernels)
  must(is.null(other), "kernel", "With rows in chunks rls() needs the plain linear kernel.",
       format(other), "Use sparserls() with a basis.")
  answer_chunks(asked, sampled_rls)
}

# What becomes of a call. sampled: makes the problem on the sample.
answer_chunks <- function(asked, sampled) {
  answer <- function(problem) {
    if (is_cv(asked)) cross_validate_chunks(problem, asked$keep)
    else replace(fit_problem(problem), "held_out", NULL)
  }
  public_call(answer, chunked_problem(chunk_run(asked, sees_levels(asked$kernels)), asked, sampled))
}

# Their problems on the sample.
sampled_sparserls <- function(survey, asked) {
  points <- basis_points(asked$basis, survey$frame$blueprint)
  # No basis vector is held out.
  if (!is.null(points)) asked$holdout_basis <- "keep"
  asked["basis"] <- list(chunk_basis(asked$basis, survey, !is.null(points)))
  standard <- chunk_standard(survey, asked$standardize,
                             is_centred(asked$intercept, asked$kernels))
  local <- with_random_seed(survey$frame$seed,
                            local_problem(sparserls_problem, survey, asked, standard))
  local["given"] <- list(points)
  local
}

sampled_rls <- function(survey, asked) {
  standard <- chunk_standard(survey, asked$standardize, asked$intercept, asked$intercept)
  asked$solver <- "primal"
  local_problem(rls_problem, survey, asked, standard)
}

# The basis for choose_basis(): none where points are given, no numbers of rows.
chunk_basis <- function(basis, survey, points) {
  if (points) return(1)
  selects <- inherits(basis, "sparserls_basis")
  must(!selects || basis$type != "groups", "basis", "basis_groups() needs the groups of all rows.",
       NULL, "Use basis_random() or another of ?basis_random.")
  must(!is.numeric(basis) || is_basis_count(basis), "basis",
       "With rows in chunks the basis cannot be numbers of rows.", shown(basis),
       "Give a number, a selector such as basis_random(300), or the points as a data frame.")
  wanted <- if (selects) basis$n else basis
  rows <- nrow(survey$sample)
  must(!is_count(wanted) || wanted <= rows, "basis",
       sprintf("The basis is chosen among a sample of %d rows.", rows),
       sprintf("%.0f basis vectors", wanted), "Give a larger `reservoir`.")
  basis
}

# With a family it has the verbs of chunk-likelihood.R. sampled: makes the problem on the sample.
chunked_problem <- function(run, asked, sampled) {
  survey <- run$survey
  # A survey of an earlier call may name other paths: the source is that of this call.
  if (is.null(survey)) survey <- survey_chunks(run)
  else survey$frame["source"] <- list(run$frame$source)
  asked$intercept <- asked$intercept && has_intercept(survey)
  local <- sampled(survey, asked)
  structure(c(local, list(survey = survey, run = run, local = local,
                                   mode = local$holdout_basis %||% "keep")),
            class = c(if (!is.null(asked$family)) "chunked_glm", "chunked_problem", "problem"))
}

# The family's problem on the sample, whose x are standardized already. make: its constructor.
local_problem <- function(make, survey, asked, standard) {
  frame <- survey$frame
  rows <- code_rows(frame, survey$sample)
  response <- chunk_response(frame, asked$family)
  if (!is.null(asked$family)) rows <- family_rows(rows, list(frame = frame, family = asked$family))
  points <- as_points(rows$x, standard)
  response$y <- rows$y
  must(any(rows$weights > 0), "weights", "All `weights` of the sampled rows are zero.", NULL,
       "Leave rows of weight zero out by `subset`.")
  design <- structure(
    list(x = `colnames<-`(points$x, colnames(rows$x)), response = response,
         blueprint = frame$blueprint, weights = rows$weights, labels = list(),
         rows = seq_len(nrow(rows$x)), supplied = nrow(rows$x),
         intercept = has_intercept(survey), terms = frame$terms,
         offset = chunk_offset(frame, rows$offset), family = asked$family),
    class = "sparserls_design"
  )
  asked$standardize <- FALSE
  local <- make(asked, design, if (is_cv(asked)) chunk_validation(asked, design, survey))
  if (!is.null(asked$family)) local <- with_family(replace(local, "solver", "auto"))
  local["standard"] <- list(standard)
  local$labels <- format(row_numbers(survey, survey$position), scientific = FALSE, trim = TRUE)
  local
}

# Centre and scale of the columns. centred: of is_centred(); always: whether columns that are not
# standardized are centred all the same (linear models with an intercept).
chunk_standard <- function(survey, standardize, centred, always = FALSE) {
  columns <- survey$columns
  if (!standardize && !always) return(NULL)
  scale <- if (standardize) feature_scales(columns$sd, survey$frame$blueprint$feature)
           else rep(1, nrow(columns))
  list(centre = if (centred) columns$mean else numeric(nrow(columns)), scale = scale)
}

has_intercept <- function(survey) attr(survey$frame$terms, "intercept") == 1

chunk_validation <- function(asked, design, survey) {
  family <- asked$family
  folds <- chunk_folds(survey, asked$nfolds)
  validation <- new_validation(asked, design, folds)
  measure <- validation$measure
  is_mean <- function(measure) any(c("loss", "rows") %in% names(measure))
  known <- if (is.null(family)) measures else family_measures(family)
  must(is_mean(measure), "measure",
       "With rows in chunks the measure must be a mean over rows.", measure$label,
       sprintf("Use one of %s.", quoted(names(Filter(is_mean, known)))))
  must(is.null(family) || folds$deal != "each", "family",
       "With a family rows in chunks cannot be left out one by one, or group by group.", NULL,
       "Give `nfolds`: groups stay whole in its folds.")
  must(!is_paired(asked$rule) || folds$deal != "each", "argument",
       "With rows in chunks `rule = \"paired\"` needs `nfolds` or `foldid`.",
       "groups or rows left out one by one",
       "Their differences are not kept: give `nfolds`, whose errors are compared by fold.")
  replace(validation, c("keep", "progress"), FALSE)
}

# ---- verbs --------------------------------------------------------------------------------------

candidates.chunked_problem <- function(problem, folds = NULL) {
  folds <- folds %||% new_chunk_folds("each", 0)
  tried <- with_random_seed(problem$survey$frame$seed, candidates(problem$local))
  with_cells(problem, tried, folds)
}

# A pass for every round of the search.
refine.chunked_problem <- function(problem, tried, curves, folds) {
  with_cells(problem, next_widths(problem$local, tried, curves), folds, later = TRUE)
}

# All candidates are summed in one pass. later: whether it is not the first.
with_cells <- function(problem, tried, folds, later = FALSE) {
  if (!length(tried)) return(tried)
  cells <- lapply(tried, function(candidate) new_cell(problem, candidate, folds))
  payload <- chunk_payload(problem, folds, cells, y_centre = problem_centre(problem))
  tables <- over_chunks(problem, sums_work, payload, "sums", if (later) cells, add_tables)
  cells <- Map(c, cells, Map(list, table = tables))
  Map(replace, tried, "cell", Map(list, cells))
}

# ---- cells (chunk-sums.R) --------------------------------------------------------------------

# The cell of a candidate of the problem on the sample.
new_cell <- function(problem, candidate, folds) {
  part <- ridge_part(problem$local, candidate)
  if (is.null(part$basis)) {
    # Features are centred by their standardization.
    part$standard <- problem$local$standard
    centre <- numeric(ncol(part$points$x))
    cell <- list(part = part, coordinates = list(cholesky = NULL, centre = centre))
  } else cell <- kernel_cell(problem, part, part$rows %||% part$points)
  cell$members <- sampled_members(problem, cell, folds)
  cell
}

# Basis vectors among the sampled rows. With features, and where points are given, there are none.
sampled_members <- function(problem, cell, folds) {
  part <- cell$part
  centre <- cell$coordinates$centre
  sampled <- if (is.null(part$rows)) c(part$basis, part$redundant$rows)
  z <- matrix(0, length(centre), length(sampled))
  if (length(sampled)) {
    values <- kernel_values(part$kernel, cell$basis, point_rows(part$points, sampled),
                            problem$threads)
    values[, seq_along(part$basis)] <- part$k_bb
    z <- forwardsolve(cell$cholesky, values) - centre
  }
  survey <- problem$survey
  position <- survey$position[sampled, ]
  labels <- labels_of(survey$frame, survey$sample, sampled, position$row)
  list(
    z = z,
    y = rows_at(problem$local$y, sampled) -
      rep(problem_centre(problem), each = length(sampled)),
    weights = problem$local$weights[sampled], offset = offset_of(problem$local$offset, sampled),
    chunk = position$chunk, row = position$row,
    fold = fold_of(survey$frame, folds, c(position["chunk"], labels))
  )
}

# ---- models ------------------------------------------------------------------------------------

train.chunked_problem <- function(problem, candidate, path = NULL) {
  cell <- candidate$cell
  members <- cell$members
  found <- .Call(ffi_train_sums, members$z, members$y, members$weights, cell$table, cell$cholesky,
                 cell$coordinates$centre, problem_centre(problem), problem$intercept)
  training <- found$training
  stop_status(training$status, format(cell$part$kernel))
  if (is.null(cell$part$basis) && max(training$spectrum$values) <= 0) stop_constant(cell$part)
  candidate$kernel <- cell$part$kernel
  local <- problem$local
  lambda <- ridge_path(local, cell$part, training, local$lambda)
  list(candidate = candidate, path = new_path(lambda = lambda), part = cell$part,
       training = training, squares = found$squares)
}

evaluate.chunked_problem <- function(problem, candidate, folds, tick) {
  found <- begin(problem, candidate)
  leave_out <- if (folds$deal == "each") leave_each_out else leave_sums_out
  c(found, leave_out(problem, found$model, folds))
}

# ---- fits ---------------------------------------------------------------------------------------
# They are the objects of fit.R, without what holds a value for each row (`weights`, `fitted`,
# rownames, y of the response). Their field `chunks` has in its place
#   rows      trained (of positive weight), supplied, chunks: how many
#   weight    the sum of weights; largest of them
#   squares   sums of w y^2 about the mean (without an intercept about zero), one for each output
#   missing   how many rows had missing values; NULL where `subset` left rows out too

finish.chunked_problem <- function(problem, begun, choice = NULL) {
  model <- begun$model
  training <- model$training
  lambda <- model$path$lambda
  spectrum <- c(training$spectrum, list(y_mean = training$y_mean))
  total <- sum(model$squares)
  rss <- total - vapply(lambda, function(lambda) sum(explained_squares(spectrum, lambda)), 0)
  linear <- is.null(model$part$basis)
  fit <- chunked_fit(
    problem, begun, choice, if (linear) "rls" else "sparserls",
    df = coefficients_at(spectrum, lambda)$df,
    dev.ratio = explained(pmax(rss, 0), total), nulldev = total, spectrum = spectrum,
    solver = if (linear) "primal", shift_df = if (!linear) model_shift_df(problem$local, model)
  )
  if (linear) with_gcv(fit) else fit
}

# ...: the fields of its own; NULL: it has none by this name. Numbers of basis vectors are those
# among the rows as supplied; of points that are no rows, their own.
chunked_fit <- function(problem, begun, choice, class, ...) {
  model <- begun$model
  part <- model$part
  cell <- model$candidate$cell
  kept <- seq_along(part$basis)
  expansion <- !is.null(part$basis)
  structure(c(
    list(call = problem$call, lambda = model$path$lambda), not_null(list(...)),
    list(kernel = part$kernel, intercept = problem$intercept, standard = problem$local$standard,
         basis = if (expansion && is.null(problem$given)) member_numbers(problem, cell)[kept]
                 else part$basis,
         basis_labels = if (expansion) labels_of_basis(problem$local, part), points = cell$basis),
    if (expansion) list(jitter = problem$local$jitter, selector = part$selector),
    sampled_fields(problem, model),
    list(held_out = c(begun$refits, list(at = path_choice(choice))))
  ), class = c(class, "sparserls_fit"))
}

member_numbers <- function(problem, cell) as_count(row_numbers(problem$survey, cell$members))

# What data_fields() says of rows in memory.
sampled_fields <- function(problem, model) {
  survey <- problem$survey
  blueprint <- survey$frame$blueprint
  c(list(
    format = object_format, nobs = as_count(survey$nobs),
    response = chunk_response(survey$frame, problem$family),
    blueprint = blueprint, columns = blueprint$columns, terms = survey$frame$terms,
    ranges = if (!is.null(survey$ranges)) bounded(survey$ranges, blueprint),
    dummies = dummy_columns(problem$design$x), fitted = NULL, fitted_at = integer(),
    chunks = list(
      rows = c(trained = survey$trained, supplied = survey$supplied, chunks = length(survey$each)),
      weight = survey$weight, largest = max(problem$weights), squares = model$squares,
      missing = if (is.null(survey$frame$subset)) survey$supplied - survey$nobs
    )
  ), if (!is.null(problem$offset)) list(offset = chunk_offset(survey$frame)))
}

own_fields.chunked_problem <- function(problem, found, fit, index) {
  cell <- found$model$candidate$cell
  kept <- seq_along(cell$part$basis)
  if (!length(kept)) return(NULL)
  positions <- seq_along(cell$members$row)
  basis_fields(if (is.null(problem$given)) problem$mode, FALSE,
               split(positions, cell$members$fold), kept, setdiff(positions, kept),
               member_numbers(problem, cell))
}
