# Work on chunks for tests of the map: functions of base R alone, as they travel to workers.

map_run <- function(checkpoint = NULL, pass = "sums") {
  list(label = "pass 1 of 1", progress = FALSE, checkpoint = checkpoint, pass = pass)
}

# Numbers of very different size, so that every other order of sums has other bits.
draws_of_chunk <- function(payload, i) {
  set.seed(i)
  list(sums = list(stats::rnorm(4) * 10^stats::runif(4, -8, 8)), chunks = i, rows = i)
}

sum_of_draws <- function(a, b) {
  list(sums = Map(`+`, a$sums, b$sums), chunks = c(a$chunks, b$chunks), rows = a$rows + b$rows)
}

environment(draws_of_chunk) <- environment(sum_of_draws) <- baseenv()

map_draws <- function(count, ..., work = draws_of_chunk) {
  map_chunks(count, work, list(...), sum_of_draws, map_run())
}

skip_without_workers <- function() {
  skip_on_cran()
  skip_if_not_installed("future")
}

# Warns and talks with every chunk, and fails at the one that the payload says.
talking <- function(payload, i) {
  warning(structure(class = c("mine", "warning", "condition"), list(message = "same", call = NULL)))
  message("chunk ", i %% 2)
  if (identical(i, payload$stop)) stop("no such file")
  if (identical(i, payload$classed)) {
    class <- c("sparserls_error_x", "sparserls_error")
    stop(errorCondition("of the source", given = i, class = class))
  }
  list(sums = list(1), rows = 1)
}
environment(talking) <- baseenv()

# The classes and messages of what is said, in order, and the error at the end.
heard <- function(code) {
  said <- character()
  keep <- function(restart) function(condition) {
    said <<- c(said, conditionMessage(condition))
    invokeRestart(restart)
  }
  error <- tryCatch({
    withCallingHandlers(code, warning = keep("muffleWarning"), message = keep("muffleMessage"))
    NULL
  }, error = identity)
  list(said = said, error = error)
}

local_plan <- function(..., env = parent.frame()) {
  old <- future::plan(...)
  withr::defer(future::plan(old), envir = env)
}
