# Seconds that functions take, measured in turn; the scripts beside this file set `repetitions`.

# The value of f(), the seconds by the clock, and those of the processor (user and system), which
# other work on the machine hardly changes.
timed <- function(f) {
  time <- system.time(value <- f())
  list(value = value, elapsed = time[["elapsed"]], cpu = sum(time[c("user.self", "sys.self")]))
}

# A function whose value is its own seconds, copies left out.
self_timed <- function(f) structure(f, class = "self_timed")

seconds <- function(f) if (inherits(f, "self_timed")) f() else timed(f)$elapsed

cpu_seconds <- function(f) timed(f)$cpu

# Medians, by name.
compare <- function(..., clock = seconds) {
  sides <- list(...)
  times <- replicate(repetitions, vapply(sides, clock, 0))
  apply(matrix(times, length(sides), dimnames = list(names(sides), NULL)), 1, median)
}
