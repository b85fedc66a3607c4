# A run over chunks: what a call names in them (its frame, chunk-frame.R), the seed of all random
# choices, the survey of a run before, progress and checkpoint.

# The columns that a call names by symbols, or by strings; columns: those that there are.
column_arguments <- function(call, env, names, columns) {
  given <- not_null(as.list(call)[intersect(names, names(call))])
  Map(function(column, name) {
    value <- if (is.symbol(column) && as.character(column) %in% columns) as.character(column)
             else or_null(eval(column, env))
    must(is_string(value) && value %in% columns, "formula",
         sprintf("With rows in chunks `%s` must name a column of the chunks.", name),
         deparse1(column), sprintf("The columns are %s.", enumerate(columns, 20)))
    value
  }, given, names(given))
}

asked_frame <- function(call, env, indicators, offsets) {
  source <- eval(call$data, env)
  must(is_chunks(source), "chunks", "`data` must be chunks.", shown(source),
       "Make them by chunks_files(), chunks_dbi(), chunks_function() or chunks_source().")
  head <- read_chunk(source, 1)
  form <- formula_terms(eval(call$formula, env), head, offsets)
  labels <- column_arguments(call, env, c(arguments_in_chunks("column"), if (offsets) "offset"),
                             names(head))
  used <- unique(c(all.vars(form), all.vars(call$subset), unlist(labels), source$key))
  lacking <- setdiff(used, names(head))
  must(!length(lacking), "formula", "A call on chunks must name columns of the chunks.",
       enumerate(sprintf("`%s`", lacking)),
       sprintf("The columns are %s.", enumerate(names(head), 20)))
  na.action <- eval(call$na.action, env) %||% getOption("na.action")
  frame <- c(list(source = source, terms = form, columns = used, subset = call$subset,
                  na.action = na_function(na.action), indicators = indicators), labels)
  list(frame = frame, head = head[used])
}

# By name, so that it reaches every worker.
na_function <- function(na.action) {
  known <- c("na.omit", "na.exclude", "na.fail")
  action <- Find(function(f) {
    identical(na.action, f) || identical(na.action, get(f, "package:stats"))
  }, known)
  must(!is.null(action), "argument",
       "With rows in chunks `na.action` must be na.omit, na.exclude or na.fail.", shown(na.action))
  as.name(action)
}

# What of a call does not change its sums, or is looked at apart.
not_identity <- c("read", "env", "call", "given", "threads", "progress", "checkpoint", "survey")

# How chunks are mapped: frame, head, progress, checkpoint; and survey, a pass that was made before.
# asked: of read_chunk_arguments(); indicators: whether factors have one for each level; offsets:
# whether there may be some.
chunk_run <- function(asked, indicators, offsets = !is.null(asked$family)) {
  survey <- asked$survey
  reservoir <- check_count(asked$reservoir, "reservoir")
  found <- asked_frame(asked$read, asked$env, indicators, offsets)
  seed <- sample.int(.Machine$integer.max, 1)
  frame <- found$frame
  if (!is.null(survey)) {
    check_same_frame(survey, frame)
    seed <- survey$frame$seed
  }
  run <- list(progress = asked$progress, head = found$head, reservoir = reservoir, survey = survey)
  if (!is.null(asked$checkpoint)) {
    identity <- list(frame[setdiff(names(frame), "terms")], deparse1(frame$terms),
                     asked[setdiff(names(asked), not_identity)], !is.null(survey))
    run$checkpoint <- open_checkpoint(asked$checkpoint, fingerprint(identity), list(seed = seed),
                                      source_marks(frame$source, found$head))
    if (run$checkpoint$resumed && is.null(frame$source$marks)) {
      inform(paste("Resuming from the checkpoint. Only the first chunk of the data was compared;",
                   "if others have changed, delete the folder and run again."))
    }
    seed <- run$checkpoint$settings$seed
  }
  frame$seed <- seed
  run$frame <- frame
  run
}

check_same_frame <- function(survey, frame) {
  must(inherits(survey, "chunks_survey"), "argument", "`survey` must come from chunks_survey().",
       shown(survey))
  known <- function(frame) {
    c(frame[c("columns", "weights", "foldid", "groups", "indicators")],
      deparse1(frame$terms), deparse1(frame$subset), chunk_count(frame$source))
  }
  must(identical(known(survey$frame), known(frame)), "argument", "`survey` is from another call.",
       NULL, paste("It needs the same chunks, formula, weights, groups, foldid and subset, and",
                   "`contrasts = TRUE` for linear and polynomial kernels."))
}

# ---- calls ---------------------------------------------------------------------------------------
# Calls of the formula methods whose `data` are chunks: their arguments.

#' Models of rows in chunks
#'
#' @description
#' Fits and cross-validates models of rows that need not fit into memory. Give [chunks]
#' as `data` to the formula methods of [sparserls()], [cv.sparserls()] or, with the linear kernel,
#' [rls()] and [cv.rls()]. Results are those of the same rows in memory with the same basis, kernel
#' and lambda; the default `gamma` comes from a sample of the rows.
#'
#' @details
#' Arguments are those of the methods, except `strata`, `folds`, `reselect`, `solver`, `by.output`
#' and `outer`, with these differences:
#'
#' * `weights`, `groups`, `foldid` and, with a `family`, `offset` name columns; `subset` is a
#'   condition on columns. Rows with gaps are left out (without `subset` the print counts them); a
#'   missing group or fold is an error.
#' * `formula`: every term must be computed row by row from columns of the chunks: `poly()` is an
#'   error. (`x - mean(x)` takes the mean of each chunk; this is not detected.)
#' * `basis`: a number or a selector of [basis_random()] (not `basis_groups()`), both of which
#'   choose from the sample, or a matrix of points.
#' * `reservoir`: how many rows are sampled, 10000 (for `rls()` 1000).
#' * `survey`: a result of [chunks_survey()], which replaces the first pass.
#' * `keep`: a folder for held-out predictions at `lambda.min` and `lambda.1se`, a file for each
#'   chunk (field `predictions`): a list with `row`, `fold`, `y`, `weights`, `prediction` (rows x
#'   outputs x 2; with a `family` linear predictors), `key` and `group`. With folds of rows,
#'   `predict(interval = "jackknife+")` then has intervals, from binned residuals: slightly wider.
#' * `checkpoint`: a folder for finished work. After an interruption the same call continues from
#'   there, with the same result bit for bit. It compares sizes and times of the data's files, or
#'   the first chunk, and trusts its own files.
#'
#' @section Passes: All chunks are read twice, and once more for each of these: levels of factors or
#'   classes; each kernel, if rows or groups are left out one by one; a measure other than the
#'   squared error; `keep`. A `family` takes about two passes for each lambda.
#' @section Folds: With `nfolds` a hash of its `key` (or, without a key, of its place) and of the
#'   seed (`set.seed()`) gives every row its fold. Groups stay whole, even across chunks. `nfolds =
#'   "loo"`, or `groups` without `nfolds`, leaves out each row or group in turn; a group must then
#'   lie within one chunk.
#' @section Families: Classes have two levels; numbers are shares, with their trials as `weights`.
#'   Measures are `"deviance"`, `"class"`, `"mse"` and `"mae"`. `"negbin"` without `theta`, rows or
#'   groups left out one by one, prediction intervals and standard errors are errors of class
#'   `sparserls_error_family`.
#' @section Many processors: If the package future is installed, the workers of its [future::plan()]
#'   share the chunks. They need this version of the package, and access to the chunks. Results are
#'   the same, bit for bit, under any plan with the same processors and a BLAS with one thread:
#'   install RhpcBLASctl, or set `OPENBLAS_NUM_THREADS=1`.
#' @section Memory: A worker holds a chunk and, for every kernel, N matrices of n x n for N folds
#'   and n basis vectors (with a `family` 2N).
#' @return What the methods return for rows in memory, without fields that have a value for every
#'   row: `fitted()`, `residuals()`, `influence()`, [compare()], [partial_effects()], [importance()]
#'   and debiased effects are errors (cross-validate the sample of [chunks_survey()]);
#'   [derivatives()] and [effect_curve()] need `newdata`, and their standard errors are those of the
#'   Gaussian-process view. Probabilities are not calibrated. Squared errors much smaller than the
#'   variance of `y` lose digits.
#' @section Errors: `sparserls_error_chunks` for chunks that cannot be read or have changed and for
#'   arguments that need rows in memory; `sparserls_error_workers`,
#'   `sparserls_error_checkpoint`, `sparserls_error_keep`.
#' @name chunk_models
#' @seealso [chunks], [chunks_survey()], `vignette("large-data")`
#' @examples
#' chunks <- chunks_function(4, function(i) prostate[seq(i, 97, by = 4), ])
#' set.seed(1)
#' cv <- cv.sparserls(lpsa ~ . - train, data = chunks, basis = 30, nfolds = 5)
#' cv
#' predict(cv, prostate[1:3, ])
NULL

# The arguments of a formula method whose `data` are chunks, like read_arguments(): those that the
# table has for chunks, and reservoir, survey, checkpoint and progress. Further fields:
#   read, env   of formula_call()
# .given: of formula_call(), too; .reservoir: the default.
read_chunk_arguments <- function(.method, .given, .reservoir, ...) {
  refused <- intersect(names(.given$read), arguments_in_chunks("no"))
  must(!length(refused), "chunks", sprintf("`%s` is not possible with rows in chunks.", refused[1]),
       NULL, "Use `nfolds`, `foldid` or `groups`.")
  head <- formals(get(paste0(.method, ".default"), topenv()))
  labels <- intersect(arguments_in_chunks("column"), names(head))
  table <- shared_arguments()
  dropped <- setdiff(names(table), arguments_in_chunks("alike"))
  head <- head[setdiff(names(head), c("x", "y", dropped, "progress", "..."))]
  table$keep$check <- check_keep
  own <- alist(survey = NULL, checkpoint = NULL, progress = interactive(), ... = )
  reader <- as.function(c(alist(read = , env = ), head, list(reservoir = .reservoir), own, quote({
    read_arguments(.method, ..., .call = call, .table = table, .known = known)
  })))
  call <- named_call(.given$call, reader, frame_arguments)
  known <- c("formula", "data", "subset", "na.action", labels, names(head), "reservoir", names(own))
  asked <- reader(.given$read, .given$env, ...)
  if (!is.null(.given$read$offset) && is.null(asked$family)) stop_chunk_offset()
  replace(asked, "kernels", list(asked_kernels(asked)))
}

# FALSE, or a folder for held-out predictions.
check_keep <- function(keep, ...) {
  must(identical(keep, FALSE) || is_string(keep), "argument",
       "With rows in chunks `keep` must be FALSE or the name of a folder.", shown(keep),
       "The held-out predictions are written there, chunk by chunk.")
  keep
}

cross_validate_chunks <- function(problem, keep) {
  cv <- cross_validate(problem)
  if (!identical(keep, FALSE)) cv[c("predictions", "refits")] <- write_held_out(problem, cv, keep)
  cv$fit$held_out <- NULL
  cv$nfolds <- problem$validation$folds$count
  cv$ngroups <- if (!is.null(problem$survey$frame$groups)) length(all_groups(problem$survey))
  cv
}

#' A first look at chunks
#'
#' Reads all chunks once (twice if there are factors). Use its `sample` for what needs rows in
#' memory ([ardrls()], plots), or the argument `survey` to save a pass in further fits.
#'
#' @param formula,data,subset,na.action,weights,groups,foldid,checkpoint,progress as in
#'   [chunk_models], and as in the calls that use the survey.
#' @param reservoir how many rows to draw at random.
#' @param contrasts whether factors are coded by contrasts (linear and polynomial kernels) or by
#'   indicators of their levels.
#' @return An object of class `chunks_survey`, a list with `nobs` (rows used), `supplied` (rows
#'   read), `weight` (their sum), `columns` (weighted `mean` and `sd` of every column of x),
#'   `response`, `levels`, and `sample`, a data frame of `reservoir` rows.
#' @examples
#' chunks <- chunks_function(4, function(i) prostate[seq(i, 97, by = 4), ])
#' set.seed(1)
#' survey <- chunks_survey(lpsa ~ . - train, chunks, reservoir = 50)
#' survey
#' widths <- ardrls(lpsa ~ . - train, data = survey$sample, npenalty = 3, progress = FALSE)
#' @export
chunks_survey <- function(formula, data, subset, na.action, weights, groups, foldid,
                          reservoir = 10000, contrasts = FALSE, checkpoint = NULL,
                          progress = interactive()) {
  asked <- list(read = match.call(), env = parent.frame(), reservoir = reservoir,
                checkpoint = checkpoint, progress = check_flag(progress, "progress"))
  survey_chunks(chunk_run(asked, !check_flag(contrasts, "contrasts"), offsets = TRUE))
}
