# Seconds that functions take, measured in turn; the scripts beside this file set `repetitions`.

seconds <- function(f) {
  gc(FALSE)
  system.time(f())[["elapsed"]]
}

# Of the processor, user and system: other work on the machine hardly matters.
cpu_seconds <- function(f) {
  gc(FALSE)
  sum(system.time(f())[c("user.self", "sys.self")])
}

# Medians, by name.
compare <- function(..., clock = seconds) {
  sides <- list(...)
  times <- replicate(repetitions, vapply(sides, clock, 0))
  apply(matrix(times, length(sides), dimnames = list(names(sides), NULL)), 1, median)
}
