# Seconds that functions take, measured in turn; the scripts beside this file set `repetitions`.

seconds <- function(f) {
  gc(FALSE)
  system.time(f())[["elapsed"]]
}

# Medians, by name.
compare <- function(...) {
  sides <- list(...)
  times <- replicate(repetitions, vapply(sides, seconds, 0))
  apply(matrix(times, length(sides), dimnames = list(names(sides), NULL)), 1, median)
}
