# Tasks under the user's future::plan(): one future() for each, not future.apply(), so that a task
# has its own value and its own error. A lost worker then costs one task, a free worker gets the
# next at once, and values are summed as they come instead of piling up.

# How many tasks may be under way; 0: they run in this process, one after another.
worker_count <- function() {
  here <- !requireNamespace("future", quietly = TRUE) || inherits(future::plan(), "sequential")
  if (here) 0 else min(future::nbrOfWorkers(), most_tasks)
}

# Where a plan has no limit of its own.
most_tasks <- 1000

# How often a task is tried.
most_tries <- 3

# Runs task(index) for all `tasks`; finish(index, answer) gets each answer as it comes. A lost task
# is first in line again. A plan that refuses a task gets no more until those under way are
# finished; then it is revived.
run_on_workers <- function(tasks, task, finish) {
  workers <- worker_count()
  running <- list()
  # After an error or an interrupt tasks may be under way.
  on.exit(if (length(tasks) + length(running) > 0) restart_workers())
  lost <- numeric()
  trouble <- NULL
  revivals <- waited <- 0
  start <- function(index) {
    future <- start_task(task(index))
    if (inherits(future, "error")) return(trouble <<- future)
    running <<- c(running, list(list(index = index, future = future)))
    tasks <<- tasks[-1]
  }
  take <- function(index, answer) {
    if (!inherits(answer, "FutureError")) {
      revivals <<- 0
      return(finish(index, answer))
    }
    lost <<- c(lost, index)
    must(sum(lost == index) < most_tries, "workers",
         sprintf("The worker of %s was lost, %d times.", task_name(task(index)), most_tries),
         first_line(answer),
         "Find out what ends it: often its memory, or the time or memory that a queue allows.")
    warn("workers", sprintf("The worker of %s was lost.", task_name(task(index))),
         first_line(answer), "Another worker takes over its task.")
    tasks <<- c(index, tasks)
    if (inherits(answer, "UnexpectedFutureResultError")) trouble <<- answer
  }
  revive <- function() {
    revivals <<- revivals + 1
    must(revivals < most_tries && restart_workers(), "workers",
         "The workers of future::plan() take no more tasks.", first_line(trouble),
         "Call future::plan() again, with workers that answer, and then this function.")
    workers <<- worker_count()
    trouble <<- NULL
  }
  while (length(tasks) + length(running) > 0) {
    if (!is.null(trouble) && !length(running)) revive()
    while (is.null(trouble) && length(tasks) && length(running) < workers) start(tasks[1])
    ready <- vapply(running, function(r) !isFALSE(or_lost(future::resolved(r$future))), NA)
    for (r in running[ready]) take(r$index, answer_of(r$future))
    running <- running[!ready]
    waited <- if (any(ready) || !length(running)) 0 else pause(waited)
  }
}

# Polling a queue costs time: the longer a task takes, the less often it is polled.
pause <- function(waited) {
  seconds <- min(1, 0.005 + waited / 20)
  Sys.sleep(seconds)
  waited + seconds
}

# The future, or the error of a plan that cannot start it. No random numbers are drawn on workers
# (seed = NULL; a user's function may set its own seed), and only `task` is sent there.
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
# some plans add are of no use.
or_lost <- function(code) suppressWarnings(tryCatch(code, FutureError = identity))

# The answer, or the error of a lost worker.
answer_of <- function(future) {
  answer <- or_lost(future::value(future))
  must(is.null(answer$found), "workers",
       sprintf("The workers of future::plan() do not have this session's sparserls %s.",
               package_version_here()), sprintf("There is %s.", answer$found),
       "Install it there, or set R_LIBS for the workers to the library that has it.")
  answer
}

# What a task works on, in words.
task_name <- function(task) {
  if (!is.null(task$what)) return(task$what)
  first <- task$index * 2^task$level + 1
  last <- min((task$index + 1) * 2^task$level, task$count)
  if (first == last) paste("chunk", first) else paste("chunks", first, "to", last)
}

first_line <- function(error) strsplit(conditionMessage(error), "\n")[[1]][1]

# Starts the workers again that the plan has started itself, and says whether it may take tasks now:
# a cluster that the user has started may not. Other plans start a process for each task, which a
# queue may take later; from version 1.49 on future looks after workers that it has started (to
# start them again then disturbs it).
restart_workers <- function() {
  stack <- future::plan("list")
  if (!inherits(stack[[1]], "cluster")) Sys.sleep(1)
  else if (inherits(formals(stack[[1]])$workers, "cluster")) return(FALSE)
  else if (packageVersion("future") < "1.49.0") {
    future::plan(future::sequential)
    future::plan(stack)
  }
  TRUE
}

# The values of answers, or their errors. Warnings and messages of tasks are passed on, each of them
# once.
new_relay <- function() {
  given <- character()
  function(answer) {
    new <- answer$said[setdiff(names(answer$said), given)]
    given <<- c(given, names(new))
    for (condition in new) {
      if (inherits(condition, "warning")) warning(condition) else message(condition)
    }
    if (!is.null(answer$error)) stop(answer$error)
    answer$value
  }
}

# ---- parts of a cross-validation ----------------------------------------------------------------
# Candidates of a search, folds of honest refits, outer folds. All random numbers are drawn here, in
# the order that they have without a plan, and none by the parts: results are the same bit for bit.

# work(payload, item) for all items, a list; work is a function of this package, which reaches a
# worker as a name. A worker gets one task for all of its items, and so the payload once.
in_parallel <- function(items, work, payload, what) {
  workers <- min(worker_count(), length(items))
  part <- split(seq_along(items), rep_len(seq_len(workers), length(items)))
  values <- vector("list", length(items))
  relay <- new_relay()
  # A worker has no use for the user's environment, which may hold anything.
  payload$problem$design <- without_environments(payload$problem$design)
  if (is_users(payload$problem$validation$measure)) payload$problem$validation$measure <- NULL
  finish <- function(index, answer) values[part[[index + 1]]] <<- relay(answer)
  task <- function(index) {
    shared <- list(work = work, payload = payload, items = items[part[[index + 1]]])
    list(work = work_on_items, payload = shared, what = what, version = package_version_here())
  }
  run_on_workers(seq_len(workers) - 1, task, finish)
  values
}

work_on_items <- function(payload) {
  lapply(payload$items, function(item) payload$work(payload$payload, item))
}

without_environments <- function(design) {
  bare <- function(terms) {
    if (!is.null(terms)) attr(terms, ".Environment") <- emptyenv()
    terms
  }
  design$terms <- bare(design$terms)
  design$blueprint$terms <- bare(design$blueprint$terms)
  design
}

# Whether workers are to share these items. A user's kernels, measures and methods stay in the main
# session, as they may draw random numbers or use its variables. So does a search for widths that
# draws its folds and basis as it goes. Nobody asks before the package future is loaded. measured:
# whether working on an item calls the measure.
goes_parallel <- function(problem, count, measured) {
  count > 1 && worker_count() > 1 && is.null(problem$method) &&
    !any(vapply(problem$kernels, is_custom, NA)) &&
    !(measured && is_users(problem$validation$measure)) && !draws_in_training(problem)
}
