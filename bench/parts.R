# What several scripts share; it comes with store.R.
source(file.path(here, "fetch.R"))

quiet <- function(code) suppressWarnings(suppressMessages(code))

# The number in the i-th place of the command line, or the default.
argument <- function(i, default) {
  given <- commandArgs(TRUE)[i]
  if (is.na(given)) default else as.numeric(given)
}

# Arguments name=value of the command line, texts by name.
named_arguments <- function() {
  pairs <- strsplit(grep("=", commandArgs(TRUE), value = TRUE), "=")
  setNames(lapply(pairs, `[`, 2), vapply(pairs, `[`, "", 1))
}

# Megabytes of the process: VmRSS now, VmHWM at the peak (Linux).
megabytes <- function(field) {
  line <- grep(field, readLines("/proc/self/status"), value = TRUE)
  as.numeric(gsub("[^0-9]", "", line)) / 1024
}

# One width of the kernel, 1 / the median squared distance of rows: the data-driven gamma has
# (4 / p)^2, from 1/4 to 4, in place of 1 (?kernels).
one_width <- function(x) kernel_gaussian(width_multiples(min(max(ncol(x) / 4, 1 / 2), 2)^2))

# Standard errors of least squares by units (CR1): a the design, u its residuals.
sandwich <- function(a, u, unit) {
  scores <- rowsum(a * u, unit)
  count <- nrow(scores)
  bread <- solve(crossprod(a))
  factor <- count / (count - 1) * (nrow(a) - 1) / (nrow(a) - ncol(a))
  sqrt(diag(bread %*% crossprod(scores) %*% bread) * factor)
}

# Rows that train, of every class.
two_thirds <- function(class) {
  unlist(lapply(split(seq_along(class), class), function(i) sample(i, ceiling(2 / 3 * length(i)))))
}

# Mathematics of 7185 pupils in 160 schools (nlme).
pupils <- function() {
  of_school <- as.data.frame(nlme::MathAchSchool)[c("School", "Size", "Sector")]
  math <- merge(as.data.frame(nlme::MathAchieve), of_school)
  math$Size <- math$Size / 1000
  math
}
pupils_formula <- MathAch ~ SES + MEANSES + Minority + Sex + Size + Sector

# ---- seconds of functions, measured in turn; scripts that compare() set `repetitions` ------------

# The value of f(), the seconds by the clock, and those of the processor (user and system), which
# other work on the machine hardly changes.
timed <- function(f) {
  time <- system.time(value <- f())
  list(value = value, elapsed = time[["elapsed"]], cpu = sum(time[c("user.self", "sys.self")]))
}

seconds <- function(f) timed(f)$elapsed
cpu_seconds <- function(f) timed(f)$cpu

# Medians, by name.
compare <- function(..., clock = seconds) {
  sides <- list(...)
  times <- replicate(repetitions, vapply(sides, clock, 0))
  apply(matrix(times, length(sides), dimnames = list(names(sides), NULL)), 1, median)
}
