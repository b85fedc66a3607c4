# Tasks under the user's future::plan(): one future() for each, not future.apply(), so that a task
# has its own value and its own error. A lost worker then costs one task, a free worker gets the
# next at once, and values are summed as they come instead of piling up.

# How many tasks may be under way; 0: they run in this process, one after another.
plan_workers <- function() {
  if (!requireNamespace("future", quietly = TRUE)) return(0)
  if (inherits(future::plan(), "sequential")) return(0)
  min(future::nbrOfWorkers(), most_tasks)
}

# Where a plan has no limit of its own.
most_tasks <- 1000

# A task is tried so often.
most_tries <- 3

# Runs task(index) for all `tasks`; finish(index, answer) gets each answer as it comes. A lost task
# is first in line again. A plan that refuses a task gets no more until those under way are
# finished; then it is revived.
run_on_plan <- function(tasks, task, finish) {
  plan <- keep_plan()
  running <- list()
  on.exit(plan$restore(running))
  workers <- plan_workers()
  losses <- count_losses(task)
  refusals <- waited <- 0
  while (length(tasks) > 0 || length(running) > 0) {
    while (length(tasks) > 0 && length(running) < workers) {
      future <- start_task(task(tasks[1]))
      if (inherits(future, "error")) {
        workers <- 0
        break
      }
      running <- c(running, list(list(index = tasks[1], future = future)))
      tasks <- tasks[-1]
    }
    if (length(running) == 0) {
      refusals <- refusals + 1
      if (refusals == most_tries || !plan$revive()) no_workers(future)
      workers <- plan_workers()
      next
    }
    ready <- vapply(running, function(r) is_ready(r$future), NA)
    for (r in running[ready]) {
      answer <- answer_of(r$future)
      if (inherits(answer, "FutureError")) {
        losses(r$index, answer)
        tasks <- c(r$index, tasks)
      } else {
        refusals <- 0
        finish(r$index, answer)
      }
    }
    running <- running[!ready]
    waited <- if (any(ready)) 0 else pause(waited)
  }
}

# Asking a queue costs: the longer a task takes, the more rarely it is asked for.
pause <- function(waited) {
  seconds <- min(1, 0.005 + waited / 20)
  Sys.sleep(seconds)
  waited + seconds
}

# The future, or the error of a plan that cannot start it. No random numbers are drawn on workers
# (seed = NULL: a user's function that sets its own seed is his affair), and nothing but `task`
# goes there.
start_task <- function(task) {
  tryCatch(future::future(
    quote(remote(task)), substitute = FALSE, globals = list(remote = run_remote, task = task),
    seed = NULL, conditions = character()
  ), error = identity)
}

# On a worker: a function of base R, since this package need not be there.
run_remote <- function(task) {
  if (!requireNamespace("sparserls", quietly = TRUE)) return(list(found = "no sparserls"))
  found <- getNamespaceVersion("sparserls")[[1]]
  if (found != task$version) return(list(found = paste("sparserls", found)))
  get("run_task", envir = asNamespace("sparserls"))(task)
}
environment(run_remote) <- baseenv()

# A lost worker is an error to resolved(), and again to value(), which says which; the warnings that
# some plans add are of no use. A message that has begun to arrive is read to its end, whatever the
# user interrupts.
asked <- function(code) {
  suspendInterrupts(suppressWarnings(tryCatch(code, FutureError = identity)))
}

is_ready <- function(future) !isFALSE(asked(future::resolved(future)))

# The answer, or the error of a lost worker.
answer_of <- function(future) {
  answer <- asked(future::value(future))
  if (!is.null(answer$found)) other_package(answer$found)
  answer
}

other_package <- function(found) {
  abort(
    "workers", sprintf("The workers of future::plan() do not have this session's sparserls %s.",
                       package_version_here()),
    sprintf("There is %s.", found),
    "Install it there, or set R_LIBS for the workers to the library that has it."
  )
}

# Says what is lost, and stops where it is lost too often.
count_losses <- function(task) {
  lost <- numeric()
  function(index, error) {
    lost <<- c(lost, index)
    lost_task <- task(index)
    chunks <- if (is.null(lost_task$what)) {
      do.call(chunk_range, lost_task[c("level", "index", "count")])
    } else lost_task$what
    if (sum(lost == index) < most_tries) {
      return(warn("workers", sprintf("The worker of %s was lost.", chunks), first_line(error),
                  "Its task is given to another."))
    }
    abort(
      "workers", sprintf("The worker of %s was lost, %d times.", chunks, most_tries),
      first_line(error),
      "See to what ends it: often its memory, or the time or memory that a queue allows."
    )
  }
}

chunk_range <- function(level, index, count) {
  range <- unique(block_chunks(level, index, count))
  if (length(range) == 1) paste("chunk", range) else paste("chunks", range[1], "to", range[2])
}

first_line <- function(error) strsplit(conditionMessage(error), "\n")[[1]][1]

no_workers <- function(error) {
  abort("workers", "The workers of future::plan() take no more tasks.", first_line(error),
        "Call future::plan() again, and then this function.")
}

# `revive` makes a plan usable whose workers are lost, and says whether it could: workers that the
# plan has started are started again; of a cluster that the user has started, those that answer are
# used, to the end of this run. (Versions of future of 2025 start lost workers themselves.)
keep_plan <- function() {
  kept <- NULL
  revive <- function() {
    stack <- future::plan("list")
    nodes <- formals(stack[[1]])$workers
    if (inherits(nodes, "cluster")) {
      nodes <- nodes[answering(nodes)]
      if (length(nodes) == 0) return(FALSE)
      kept <<- if (is.null(kept)) stack else kept
      stack[[1]] <- future::tweak(stack[[1]], workers = nodes)
    }
    if (inherits(stack[[1]], "cluster")) future::plan(stack) else Sys.sleep(1)
    TRUE
  }
  restore <- function(running) {
    if (is.null(kept)) return(invisible())
    for (r in running) try(future::value(r$future), silent = TRUE)
    future::plan(kept)
  }
  list(revive = revive, restore = restore)
}

# All are idle when this is asked.
answering <- function(nodes) {
  here <- function() "here"
  environment(here) <- baseenv()
  answers <- function(i) {
    identical(tryCatch(parallel::clusterCall(nodes[i], here)[[1]], error = identity), "here")
  }
  vapply(seq_along(nodes), answers, NA)
}
