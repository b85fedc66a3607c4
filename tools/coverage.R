# How much of the lines and branches of src/, and of the lines of R/, the tests reach, by what
# tools/coverage-run.R has counted in WORK: a table, and in WORK/uncovered.txt what they do not
# reach. R has no counts of branches: covr's are of expressions, so an `if` on one line is seen by
# halves.
# Usage: Rscript tools/coverage.R WORK
source("tools/run-file.R")
source("tools/coverage-counts.R")
source("tools/record.R")
work <- commandArgs(trailingOnly = TRUE)[1]
tests <- basename(dirname(Sys.glob(file.path(work, "files", "*", "seconds"))))

# All that gcov lists is in the same order in every run.
c_found <- Filter(Negate(is.null), lapply(tests, c_counts, work = work))
total <- c_found[[1]]
for (more in c_found[-1]) {
  stopifnot(identical(more[c("file", "line")], total[c("file", "line")]))
  total$count <- total$count + more$count
  total$branch <- Map(`+`, total$branch, more$branch)
}
total$file <- file.path("src", total$file)
# A line of a function that was copied is reached where one of the copies is.
c_lines <- stats::aggregate(count ~ file + line, total, sum)
c_lines$reached <- c_lines$count > 0
sizes <- lengths(total$branch)
branches <- data.frame(file = rep(total$file, sizes), line = rep(total$line, sizes),
                       reached = unlist(total$branch) > 0)

r_found <- do.call(rbind, lapply(tests, r_counts, work = work))
r_total <- stats::aggregate(count ~ file + line + last, r_found, sum)
r_lines <- do.call(rbind, Map(function(file, line, last, count) {
  data.frame(file = file.path("R", file), line = line:last, count = count)
}, r_total$file, r_total$line, r_total$last, r_total$count))
# A line with several expressions is reached where all of them are.
r_lines <- stats::aggregate(count ~ file + line, r_lines, min)
r_lines$reached <- r_lines$count > 0

found <- list("lines of C" = c_lines, "branches of C" = branches, "lines of R" = r_lines)
asked <- c(99, 92, 99)
reached <- vapply(found, function(x) sum(x$reached), 0)
whole <- vapply(found, nrow, 0L)
cat(length(tests), "files of tests\n")
cat(sprintf("%-14s %6d of %6d  %5.1f %%, asked %d %%\n", names(found), reached, whole,
            100 * reached / whole, asked), sep = "")

missed <- function(what, found) {
  found <- found[!found$reached, ]
  found <- unique(found[order(found$file, found$line), c("file", "line")])
  source <- vapply(seq_len(nrow(found)), function(i) {
    trimws(readLines(found$file[i])[found$line[i]])
  }, "")
  sprintf("%s %s:%d  %s", what, found$file, found$line, source)
}
writeLines(c(missed("line", c_lines), missed("branch", branches), missed("line", r_lines)),
           file.path(work, "uncovered.txt"))

# A file that did not come to its end says nothing about what it has not reached.
came_to_end <- function(test) {
  said <- file.path(work, "files", test, "said")
  file.exists(said) && any(grepl("^passed [0-9]+$", readLines(said)))
}
ended <- vapply(tests, came_to_end, NA)
if (any(!ended)) cat("did not come to their end:", tests[!ended], "\n")

# Nor does a run of some files say anything about the package.
if (length(setdiff(test_files(), tests)) == 0) {
  findings <- sum(100 * reached / whole < asked) + sum(!ended)
  shares <- sprintf("%.1f %% of %s", 100 * reached / whole, names(found))
  record("coverage", command = "make coverage", findings = findings,
         count = sprintf("%d lines, %d branches", sum(whole[-2]), whole[2]),
         note = paste0(toString(shares), "; of branches in R there is no count"))
  if (findings > 0) quit(status = 1)
}
