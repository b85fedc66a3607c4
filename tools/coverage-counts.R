# What tools/coverage-run.R has counted in WORK for one file of tests.

# gcov's counts of all files of C: file, line, count, and those of its branches. NULL: it crashed.
c_counts <- function(work, test) {
  folder <- normalizePath(file.path(work, "files", test))
  notes <- list.files(file.path(work, "sparserls", "src"), "[.]gcno$", full.names = TRUE)
  linked <- file.path(folder, basename(notes))
  new <- !file.exists(linked)
  if (any(new)) file.symlink(normalizePath(notes)[new], linked[new])
  data <- list.files(folder, "[.]gcda$", full.names = TRUE)
  if (length(data) == 0) return(NULL)
  json <- system2("gcov", c("-b", "-c", "--json-format", "--stdout", data), stdout = TRUE)
  found <- lapply(json, function(text) jsonlite::fromJSON(text, simplifyDataFrame = FALSE)$files)
  do.call(rbind, lapply(Filter(function(x) endsWith(x$file, ".c"), unlist(found, FALSE)), one_file))
}

one_file <- function(x) {
  branches <- lapply(x$lines, function(x) vapply(x$branches, `[[`, 0, "count"))
  data.frame(file = rep(basename(x$file), length(x$lines)),
             line = vapply(x$lines, `[[`, 0L, "line_number"),
             count = vapply(x$lines, function(x) as.numeric(x$count), 0), branch = I(branches))
}

# covr's counts of all files of R: file, first and last line, count.
r_counts <- function(work, test) {
  files <- list.files(file.path(work, "files", test), "^covr_trace", full.names = TRUE)
  do.call(rbind, lapply(files, function(file) {
    # Tests end workers, which may be writing then.
    found <- tryCatch(as.list(readRDS(file)), error = function(e) list())
    if (length(found) == 0) return(NULL)
    key <- strsplit(names(found), ":", fixed = TRUE)
    part <- function(i) vapply(key, `[`, "", i)
    data.frame(file = part(1), line = as.integer(part(2)), last = as.integer(part(4)),
               count = vapply(found, function(x) as.numeric(x$value), 0))
  }))
}
