# Where R runs out of memory, the error says how much a method needs and what would need less.

# R's own messages, up to version 4.4 and since, as C formats.
memory_formats <- c(
  "cannot allocate vector of size %0.1f Gb", "cannot allocate vector of size %0.1f Mb",
  "cannot allocate vector of size %0.f Kb", "cannot allocate vector of length %lld",
  "cannot allocate memory block of size %0.1f Gb", "cannot allocate memory block of size %0.1f Mb",
  "cannot allocate memory block of size %0.f Tb", "memory exhausted (limit reached?)",
  "vector memory exhausted (limit reached?)", "could not allocate memory",
  "cannot allocate vector of size %0.1f %s", "cannot allocate vector of size %0.f %s",
  "cannot allocate memory block of size %0.f %s",
  "cons memory limit of %llu nodes reached, see mem.maxNSize()",
  "vector memory limit of %0.1f %s reached, see mem.maxVSize()"
)

# In English or the user's language: all the text between the values of a format.
is_memory_error <- function(e) {
  formats <- unique(c(memory_formats, gettext(memory_formats, domain = "R")))
  any(vapply(strsplit(formats, "%[0-9.]*l*[a-z]"), function(parts) {
    all(vapply(trimws(parts), grepl, NA, x = conditionMessage(e), fixed = TRUE))
  }, NA))
}

# The value of code that works on a problem. Other errors stay as they are, with their call and
# traceback.
within_memory <- function(problem, code) {
  leave <- function(e) {
    if (inherits(e, "sparserls_error") || !is_memory_error(e)) return()
    invokeRestart("memory_used_up", conditionMessage(e))
  }
  found <- withRestarts(list(value = withCallingHandlers(code, error = leave)),
                        memory_used_up = function(text) text)
  if (is.list(found)) return(found$value)
  block <- largest_block(problem)
  size <- format(structure(8 * block$rows * block$columns, class = "object_size"), units = "auto")
  abort("memory", "R ran out of memory.",
        c(found, sprintf("the method needs blocks of %.0f x %.0f numbers (%s), %s", block$rows,
                         block$columns, size, block$what)), block$remedy)
}

largest_block.default <- function(problem) {
  list(rows = nrow(problem$y), columns = ncol(problem$design$x), what = "rows by features",
       remedy = "Use fewer rows, or leave out features.")
}

full_kernel_block <- function(problem) {
  list(rows = nrow(problem$y), columns = nrow(problem$y), what = "the kernel of all rows",
       remedy = "Use sparserls() with a subset of the rows as basis.")
}
