# What a worker does with a task, which reaches it as the name run_task() (workers.R): its value, or
# its error, and what it said on the way.

# The value of a task, what it said on the way, and the error that ended it if there was one.
run_task <- function(task) {
  # Parts of a cross-validation: as many threads as without a plan, and errors as they are.
  if (!is.null(task$what)) return(overheard(task$work(task$payload), identity))
  reset <- one_blas_thread()
  on.exit(reset())
  chunk <- NULL
  value_of <- function(i) {
    chunk <<- i
    task$work(task$payload, i)
  }
  overheard(
    block_value(task$level, task$index, task$count, value_of, task$combine),
    function(e) if (inherits(e, "sparserls_error")) e else chunk_error(e, chunk)
  )
}

chunk_error <- function(e, chunk) {
  tryCatch(abort(
    "chunks", sprintf("Chunk %d could not be used.", chunk), conditionMessage(e),
    "Check that this chunk can be read and has the columns that the call names."
  ), error = identity)
}

# Evaluates `code`; warnings and messages are kept, each once, instead of given.
overheard <- function(code, error) {
  said <- list()
  keep <- function(restart) function(condition) {
    said[[condition_key(condition)]] <<- portable(condition)
    invokeRestart(restart)
  }
  answer <- tryCatch(
    list(value = withCallingHandlers(
      code, warning = keep("muffleWarning"), message = keep("muffleMessage")
    )),
    error = function(e) list(error = error(e))
  )
  c(answer, list(said = said))
}

condition_key <- function(condition) {
  paste(c(class(condition), conditionMessage(condition)), collapse = "\n")
}

# Whatever other packages attach to a condition (calls, traces, environments) stays on the worker.
portable <- function(condition) {
  if (inherits(condition, "sparserls_warning")) return(condition)
  structure(class = class(condition), list(message = conditionMessage(condition), call = NULL))
}

# One thread of BLAS in every task: the last bits of a product depend on their number.
one_blas_thread <- function() {
  if (!requireNamespace("RhpcBLASctl", quietly = TRUE)) return(function() NULL)
  threads <- RhpcBLASctl::blas_get_num_procs()
  RhpcBLASctl::blas_set_num_threads(1)
  function() RhpcBLASctl::blas_set_num_threads(threads)
}
