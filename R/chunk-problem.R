# Problems whose rows are in chunks: the verbs of verbs.R. What chooses and decides is the family's
# own problem on a sample of the rows, the field `local`; what adds up over rows is done on the
# chunks (chunk-sums.R). Its fields are `local`'s own, `local` itself and
#   survey   of the first pass (chunk-survey.R)
#   run      how chunks are mapped: progress, checkpoint
#   extra    basis vectors that are no rows, coded, or NULL
#   mode     what becomes of held-out basis vectors
# A candidate is that of `local` with its `cell`: coordinates of rows, members of the basis, and the
# sums of all other rows by fold.
#
# A family has a file (chunk-rls.R): its calls, its problem by chunked_problem(), and, of the class
# "chunked_<family>_problem", beside own_fields()
#   new_cell(problem, candidate, folds)   the cell of a candidate of `local` (chunk-cell.R)
#   chunk_path(problem, cell, training)   its lambdas
#   new_chunked_fit(problem, model)       the fit, by chunked_fit() (chunk-fit.R)

new_cell <- function(problem, candidate, folds) UseMethod("new_cell")
chunk_path <- function(problem, cell, training) UseMethod("chunk_path")
new_chunked_fit <- function(problem, model) UseMethod("new_chunked_fit")

chunked_problem <- function(family, survey, run, local, points, mode) {
  structure(c(unclass(local), list(survey = survey, run = run, local = local, extra = points,
                                   mode = mode)),
            class = c(sprintf("chunked_%s_problem", family), "chunked_problem", "problem"))
}

# The family's problem on the sample, whose x are standardized already. make: its constructor.
local_problem <- function(make, survey, asked, standard) {
  frame <- survey$frame
  rows <- code_rows(frame, survey$sample)
  points <- as_points(rows$x, standard)
  response <- frame$response
  response$y <- rows$y
  must(any(rows$weights > 0), "weights", "All `weights` of the sampled rows are zero.", NULL,
       "Leave rows of weight zero out by `subset`.")
  design <- structure(
    list(x = `colnames<-`(points$x, colnames(rows$x)), response = response,
         blueprint = frame$blueprint, weights = rows$weights, labels = list(),
         rows = seq_len(nrow(rows$x)), supplied = nrow(rows$x),
         intercept = attr(frame$terms, "intercept") == 1, terms = frame$terms),
    class = "sparserls_design"
  )
  asked$standardize <- FALSE
  local <- make(asked, design, if (is_cv(asked)) chunk_validation(asked, design, survey))
  local["standard"] <- list(standard)
  local$labels <- format(row_numbers(survey, survey$position$chunk, survey$position$row),
                         scientific = FALSE, trim = TRUE)
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

# ---- of a call: asked, its arguments (chunk-run.R) ---------------------------------------------

run_survey <- function(run) {
  if (is.null(run$survey)) survey_chunks(run$frame, run$reservoir, run)
  else replace(run$survey, "frame", list(replace(run$survey$frame, "source",
                                                 list(run$frame$source))))
}

has_intercept <- function(survey) attr(survey$frame$terms, "intercept") == 1

# Like new_validation().
chunk_validation <- function(asked, design, survey) {
  measure <- read_measure(asked$type.measure, design$response)
  by_row <- Filter(function(measure) !is.null(measure$loss), measures)
  must(!is.null(measure$loss), "measure",
       "With rows in chunks the measure must be a mean over rows.", measure$label,
       sprintf("Use one of %s.", enumerate(dQuote(names(by_row), FALSE))))
  folds <- chunk_folds(survey, asked$nfolds)
  must(!is_paired(asked$rule) || folds$deal != "each", "argument",
       "With rows in chunks `rule = \"paired\"` needs `nfolds` or `foldid`.",
       "groups or rows left out one by one",
       "Their differences are not kept: give `nfolds`, whose errors are compared by fold.")
  list(folds = folds, measure = measure, rule = asked$rule, keep = FALSE, progress = FALSE,
       by_output = FALSE)
}

# ---- verbs --------------------------------------------------------------------------------------

candidates.chunked_problem <- function(problem, folds = NULL) {
  if (is.null(folds)) folds <- new_chunk_folds("each", 0)
  tried <- with_random_seed(problem$survey$frame$seed, candidates(problem$local))
  with_cells(problem, tried, folds)
}

# A pass for every round of the search.
refine.chunked_problem <- function(problem, tried, curves, folds) {
  with_cells(problem, next_widths(problem$local, tried, curves), folds, later = TRUE)
}

# All candidates are summed in one pass.
with_cells <- function(problem, tried, folds, later = FALSE) {
  if (length(tried) == 0) return(tried)
  cells <- lapply(tried, function(candidate) new_cell(problem, candidate, folds))
  tables <- sum_chunks(problem, cells, folds, pass(problem$run, "sums", if (later) cells))
  Map(function(candidate, cell, table) {
    candidate$cell <- c(cell, list(table = table))
    candidate
  }, tried, cells, tables)
}

train.chunked_problem <- function(problem, candidate, path = NULL) {
  cell <- candidate$cell
  members <- cell$members
  found <- .Call(ffi_train_sums, members$z, members$y, members$weights, cell$table, cell$cholesky,
                 cell$coordinates$centre, problem_centre(problem), problem$intercept)
  training <- found$training
  stop_status(training$status, format(cell$part$kernel))
  candidate$kernel <- cell$part$kernel
  list(candidate = candidate, path = new_path(lambda = chunk_path(problem, cell, training)),
       part = cell$part, training = training, squares = found$squares)
}

evaluate.chunked_problem <- function(problem, candidate, folds, tick) {
  found <- begin(problem, candidate)
  leave_out <- if (folds$deal == "each") leave_each_out else leave_folds_out
  c(found, leave_out(problem, found$model, folds))
}

finish.chunked_problem <- function(problem, begun, choice = NULL) {
  fit <- new_chunked_fit(problem, begun$model)
  fit$held_out <- begun$refits
  fit$held_out$at <- path_choice(choice)
  fit
}
