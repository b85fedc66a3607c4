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
    located(chunk_label(task$payload$frame$source, i), task$work(task$payload, i))
  }
  overheard(
    block_value(task$level, task$index, task$count, value_of, task$combine),
    function(e) {
      if (inherits(e, "sparserls_error")) return(e)
      new_condition("error", "chunks", sprintf("Chunk %d could not be used.", chunk),
                    conditionMessage(e),
                    "Check that this chunk can be read and has the columns that the call names.")
    }
  )
}

# Evaluates `code`; warnings and messages are kept, each once, instead of given.
overheard <- function(code, error) {
  said <- list()
  keep <- function(restart) function(condition) {
    key <- paste(c(class(condition), conditionMessage(condition)), collapse = "\n")
    said[[key]] <<- portable(condition)
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

# Whatever other packages attach to a condition (calls, traces, environments) stays on the worker.
portable <- function(condition) {
  if (inherits(condition, "sparserls_warning")) condition
  else structure(class = class(condition), list(message = conditionMessage(condition), call = NULL))
}

# One thread of BLAS in every task: the last bits of a product depend on their number.
one_blas_thread <- function() {
  if (!requireNamespace("RhpcBLASctl", quietly = TRUE)) return(function() NULL)
  threads <- RhpcBLASctl::blas_get_num_procs()
  RhpcBLASctl::blas_set_num_threads(1)
  function() RhpcBLASctl::blas_set_num_threads(threads)
}

# ---- the tree ------------------------------------------------------------------------------------
# Sums over chunks are combined over a fixed binary tree, so that no bit of them depends on who
# computes what, or when. A block of level k is 2^k neighbouring chunks from a multiple of 2^k on:
# block (k, j) holds the chunks j 2^k + 1 ... (j + 1) 2^k, as far as there are so many, j = 0, 1,
# ... Its value is that of its left half, combined with that of its right half where that is not
# empty.

block_exists <- function(level, index, count) index * 2^level < count

# The last block that must be asked for is the root: the lowest level that has one block only.
root_level <- function(count) ceiling(log2(count))

# The value of a block, computed here with `value_of(chunk)`; at most `level` values wait meanwhile.
block_value <- function(level, index, count, value_of, combine) {
  if (level == 0) return(value_of(index + 1))
  left <- block_value(level - 1, 2 * index, count, value_of, combine)
  if (!block_exists(level - 1, 2 * index + 1, count)) return(left)
  right <- block_value(level - 1, 2 * index + 1, count, value_of, combine)
  combine(left, right)
}

# Blocks arrive in any order; a value waits until its neighbour has come, and the two are dropped
# for their sum. `add` answers the block that waits now, with the one that was given in it.
new_tree <- function(count, combine) {
  waiting <- list()
  # paste() would write 1e+05, or 0e+00, as options(scipen = ) says.
  key <- function(level, index) sprintf("%.0f %.0f", level, index)
  add <- function(level, index, value) {
    while (level < root_level(count)) {
      left <- index %% 2 == 0
      other <- key(level, if (left) index + 1 else index - 1)
      if (!left || block_exists(level, index + 1, count)) {
        if (is.null(waiting[[other]])) break
        value <- if (left) combine(value, waiting[[other]]) else combine(waiting[[other]], value)
        waiting[[other]] <<- NULL
      }
      level <- level + 1
      index <- index %/% 2
    }
    waiting[[key(level, index)]] <<- value
    list(level = level, index = index, value = value)
  }
  list(add = add, value = function() waiting[[key(root_level(count), 0)]])
}
