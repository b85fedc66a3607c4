# What several scripts share; it comes with store.R.
source(file.path(here, "fetch.R"))

quiet <- function(code) suppressWarnings(suppressMessages(code))

# The number in the i-th place of the command line, or the default.
argument <- function(i, default) {
  given <- commandArgs(TRUE)[i]
  if (is.na(given)) default else as.numeric(given)
}

# One width of the kernel, 1 / the median squared distance of rows: the data-driven gamma has
# (4 / p)^2, from 1/4 to 4, in place of 1 (?kernels).
one_width <- function(x) kernel_gaussian(width_multiples(min(max(ncol(x) / 4, 1 / 2), 2)^2))

# ---- data, with the response in the last column -------------------------------------------------

with_unknowns <- function(name) shared(name, na.strings = c("NA", "?"), stringsAsFactors = TRUE)
complete_rows <- function(data) {
  names(data)[ncol(data)] <- "y"
  data[complete.cases(data), ]
}
# Classes as -1 and +1.
as_number <- function(y) if (is.factor(y)) 2 * as.integer(y) - 3 else as.double(y)

# ---- splits --------------------------------------------------------------------------------------

# What one_split(name, split) answers, by name, of all splits that are in the folder of the runs: each
# is a file there, so that a run goes on where it was stopped.
split_runs <- function(names, splits, runs, one_split) {
  dir.create(runs, showWarnings = FALSE, recursive = TRUE)
  for (split in seq_len(splits)) for (name in names) {
    file <- file.path(runs, sprintf("%s-%02d.rds", name, split))
    if (!file.exists(file)) saveRDS(one_split(name, split), file)
  }
  sapply(names, simplify = FALSE, function(name) {
    lapply(list.files(runs, paste0("^", name, "-"), full.names = TRUE), readRDS)
  })
}
mean_se <- function(v, digits = 3) {
  sprintf("%.*f (%.*f)", digits, mean(v), digits, sd(v) / sqrt(length(v)))
}

# ---- seconds of functions, measured in turn; scripts that compare() set `repetitions` ------------

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
