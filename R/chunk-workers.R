# Tasks under the user's future::plan(): one future() for each, not future.apply(), so that a task
# has its own value and its own error. A lost worker then costs one task, a free worker gets the next
# at once, and values are summed as they come instead of piling up.

# How many tasks may be under way; 0: they run in this process, one after another.
plan_workers <- function() {
  if (!requireNamespace("future", quietly = TRUE)) return(0)
  if (inherits(future::plan(), "sequential")) return(0)
  min(future::nbrOfWorkers(), most_tasks)
}

# Where a plan has no limit of its own.
most_tasks <- 1000

# Runs task(index) for all `tasks`; finish(index, answer) gets each answer as it comes.
run_on_plan <- function(tasks, task, finish, workers) {
  running <- list()
  waited <- 0
  while (length(tasks) > 0 || length(running) > 0) {
    while (length(tasks) > 0 && length(running) < workers) {
      running <- c(running, list(list(index = tasks[1], future = start_task(task(tasks[1])))))
      tasks <- tasks[-1]
    }
    ready <- vapply(running, function(r) future::resolved(r$future), NA)
    for (r in running[ready]) finish(r$index, answered(r$future))
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

# No random numbers are drawn on workers (seed = NULL: a user's function that sets its own seed is
# his affair), and nothing but `task` goes there.
start_task <- function(task) {
  future::future(
    remote(task), globals = list(remote = run_remote, task = task), seed = NULL,
    conditions = character(), lazy = FALSE
  )
}

# On a worker: a function of base R, since this package need not be there.
run_remote <- function(task) {
  if (!requireNamespace("sparserls", quietly = TRUE)) return(list(found = "no sparserls"))
  found <- getNamespaceVersion("sparserls")[[1]]
  if (found != task$version) return(list(found = paste("sparserls", found)))
  get("run_task", envir = asNamespace("sparserls"))(task)
}
environment(run_remote) <- baseenv()

answered <- function(future) {
  answer <- future::value(future)
  if (!is.null(answer$found)) {
    abort(
      "workers", paste("The workers of future::plan() do not have the sparserls of this session,",
                       getNamespaceVersion("sparserls")[[1]]),
      paste(answer$found, "there."),
      "Install it there, or set R_LIBS for the workers to the library that has it."
    )
  }
  answer
}
