# A run over chunks: what a call names in them (its frame, chunk-frame.R), the seed of all random
# choices, the survey of a run before, progress and checkpoint.

# The columns that a call names by symbols, or by strings; columns: those that there are.
column_arguments <- function(call, env, names, columns) {
  named <- lapply(names, function(name) {
    column <- call[[name]]
    if (is.null(column)) return(NULL)
    if (is.symbol(column) && as.character(column) %in% columns) return(as.character(column))
    value <- if (is_dots_symbol(column)) dots_value(column, name, columns, env)
             else tryCatch(eval(column, env), error = function(e) NULL)
    if (is_string(value) && value %in% columns) return(value)
    abort("formula", sprintf("With rows in chunks `%s` must name a column of the chunks.", name),
          deparse1(if (is_dots_symbol(column)) dots_argument(column, env) else column),
          sprintf("The columns are %s.", enumerate(columns, 20)))
  })
  Filter(Negate(is.null), setNames(named, names))
}

asked_frame <- function(call, env, indicators) {
  source <- eval(call$data, env)
  if (!is_chunks(source)) {
    abort("chunks", "`data` must be chunks.", shown(source),
          "Make them by chunks_files(), chunks_dbi(), chunks_function() or chunks_source().")
  }
  head <- read_chunk(source, 1)
  na.action <- if (is.null(call$na.action)) getOption("na.action") else eval(call$na.action, env)
  frame <- new_frame(source, eval(call$formula, env), head,
                     column_arguments(call, env, c("weights", "foldid", "groups"), names(head)),
                     call$subset,
                     na_function(na.action), indicators, seed = NULL)
  list(frame = frame, head = head[frame$columns])
}

# By name, so that it reaches every worker.
na_function <- function(na.action) {
  known <- c("na.omit", "na.exclude", "na.fail")
  action <- if (is.character(na.action)) na.action
            else known[vapply(known, function(f) identical(get(f, "package:stats"), na.action), NA)]
  if (length(action) == 1 && action %in% known) return(as.name(action))
  abort("argument", "With rows in chunks `na.action` must be na.omit, na.exclude or na.fail.",
        shown(na.action))
}

# What of a call does not change its sums, or is looked at apart.
not_identity <- c("read", "env", "call", "given", "threads", "progress", "checkpoint", "survey")

# How chunks are mapped: frame, head, progress, checkpoint; and survey, a pass that was made before.
# asked: of read_chunk_arguments(); indicators: whether factors have one for each level.
chunk_run <- function(asked, indicators) {
  survey <- asked$survey
  reservoir <- check_count(asked$reservoir, "reservoir")
  found <- asked_frame(asked$read, asked$env, indicators)
  seed <- sample.int(.Machine$integer.max, 1)
  frame <- found$frame
  if (!is.null(survey)) {
    check_same_frame(survey, frame)
    seed <- survey$frame$seed
  }
  run <- list(progress = asked$progress, head = found$head, reservoir = reservoir, survey = survey)
  if (!is.null(asked$checkpoint)) {
    identity <- list(frame[setdiff(names(frame), "terms")], deparse1(frame$terms),
                     portable_settings(asked[setdiff(names(asked), not_identity)]), !is.null(survey))
    run$checkpoint <- open_checkpoint(asked$checkpoint, fingerprint(identity), list(seed = seed),
                                      source_marks(frame$source, found$head))
    say_resumed(run$checkpoint, frame$source)
    seed <- run$checkpoint$settings$seed
  }
  frame$seed <- seed
  run$frame <- frame
  run
}

say_resumed <- function(checkpoint, source) {
  if (checkpoint$resumed && is.null(source$marks)) {
    inform(paste("Resuming from the checkpoint. Of the data only the first chunk was compared;",
                 "if others have changed, delete the folder and run again."))
  }
}

check_same_frame <- function(survey, frame) {
  if (!inherits(survey, "chunks_survey")) {
    abort("argument", "`survey` must be of chunks_survey().", shown(survey))
  }
  same <- c("columns", "weights", "foldid", "groups", "indicators")
  fine <- identical(unclass(survey$frame)[same], unclass(frame)[same]) &&
    identical(deparse1(survey$frame$terms), deparse1(frame$terms)) &&
    identical(deparse1(survey$frame$subset), deparse1(frame$subset)) &&
    chunk_count(survey$frame$source) == chunk_count(frame$source)
  if (!fine) {
    abort("argument", "`survey` is of another call.", NULL,
          paste("It needs the same chunks, formula, weights, groups, foldid and subset, and",
                "`contrasts = TRUE` for linear and polynomial kernels."))
  }
}
