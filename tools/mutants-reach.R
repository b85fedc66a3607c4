# Which tests of numbers may reach a line: reaching(file, line), those whose names share a word with
# the source's first, then the short ones. WORK/reach has the counts of tools/coverage-run.R; a test
# that it has not counted may reach everything.
source("tools/coverage-counts.R")
reach <- function(...) file.path(work, "reach", ...)

seconds_of <- function(tests) {
  vapply(reach("files", tests, "seconds"), function(file) {
    if (file.exists(file)) as.numeric(readLines(file)) else 60
  }, 0)
}

reaching <- function(file, line) {
  tests <- grep("^refuse-", test_files(), invert = TRUE, value = TRUE)
  counted <- file.exists(reach("files", tests, "seconds"))
  reached <- vapply(tests[counted], reaches, NA, file, line)
  tests <- c(tests[counted][reached], tests[!counted])
  tests[order(-shared_words(tests, file), seconds_of(tests))]
}

shared_words <- function(tests, file) {
  words <- function(name) strsplit(sub("[.][cR]$", "", basename(name)), "[-_]")
  vapply(words(tests), function(x) sum(x %in% words(file)[[1]]), 0)
}

# A statement of several lines is counted at its first.
reaches <- function(test, file, line) {
  lines <- counts_of(test, basename(file), if (endsWith(file, ".c")) c_counts else r_counts)
  before <- lines$line[lines$line <= line]
  length(before) > 0 && any(lines$count[lines$line == max(before)] > 0)
}

# Counts of C and of R are kept, as one file of tests is asked for every mutant.
counts <- new.env()
counts_of <- function(test, file, read) {
  key <- paste(test, sub(".*[.]", "", file))
  if (is.null(counts[[key]])) counts[[key]] <- read(reach(), test)
  counts[[key]][counts[[key]]$file == file, ]
}
