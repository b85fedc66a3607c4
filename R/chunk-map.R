# Work on chunks 1 ... count, wherever the user's future::plan() puts it, and the sum of what they
# give. `work(payload, i)` answers the value of chunk i, a list with `rows` among its elements;
# `combine(a, b)` that of two neighbouring runs of chunks, a before b. Both are functions of this
# package (or need nothing but base R), so that they reach a worker as a name; `payload` is all the
# data that does. `run` is a list: `label` ("pass 1 of 2"), `progress` (TRUE or FALSE), `checkpoint`
# (NULL or of open_checkpoint()) and `pass`, the name of this pass in the checkpoint.

map_chunks <- function(count, work, payload, combine, run) {
  random <- keep_random_stream()
  on.exit(random$restore())
  tree <- new_tree(count, combine)
  store <- checkpoint_blocks(run$checkpoint, run$pass, count)
  stored <- lapply(store$blocks, function(b) tree$add(b$level, b$index, b$value)[-3])
  workers <- worker_count()
  level <- min(task_level(count, workers), vapply(stored, `[[`, 0, "level"))
  tasks <- open_tasks(level, count, stored)
  progress <- chunk_progress(run, length(tasks), ceiling(count / 2^level))
  on.exit(progress$close(), add = TRUE)
  relay <- new_relay()
  finish <- function(index, answer) {
    relay(answer$said)
    if (!is.null(answer$error)) stop(answer$error)
    block <- tree$add(level, index, answer$value)
    store$write(block)
    progress$tick(answer$value$rows)
  }
  call <- list(work = work, payload = payload, combine = combine, count = count, level = level,
               version = package_version_here())
  task <- function(index) c(call, index = index)
  if (workers == 0) for (index in tasks) finish(index, run_task(task(index)))
  else run_on_workers(tasks, task, finish)
  tree$value()
}

# A task is a block of chunks, so large that a worker has at most so many of them: enough to keep
# all workers busy to the end, and not so many that sending them is what takes the time.
tasks_per_worker <- 64

task_level <- function(count, workers) {
  max(0, ceiling(log2(count / (tasks_per_worker * max(1, workers)))))
}

# The blocks of this level that are in none of those that are stored.
open_tasks <- function(level, count, stored) {
  within <- function(block) {
    size <- 2^(block$level - level)
    seq(block$index * size, length.out = size)
  }
  setdiff(seq(0, ceiling(count / 2^level) - 1), unlist(lapply(stored, within)))
}
