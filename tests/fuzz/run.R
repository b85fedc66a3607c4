# The fuzzer: random calls of all fitting functions with good, odd and useless arguments, then
# methods of
# what they answer, also of damaged copies. A case is one fit, three methods and one damaged
# copy. All of it follows
# from the seed; children run some cases each, and a crash or hang is that of the case under way.
#
#   Rscript tests/fuzz/run.R cases=1000 seed=1          (or: make fuzz CASES=1000 SEED=1)
#   Rscript tests/fuzz/run.R cases=17:17 seed=1         a case again
#
# The last line is "N passed, N failed, 0 skipped"; any finding ends in status 1.
here <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)))
given <- strsplit(grep("=", commandArgs(TRUE), value = TRUE), "=")
settings <- list(cases = "1000", seed = "1")
for (pair in given) settings[[pair[1]]] <- pair[2]
range <- as.numeric(strsplit(settings$cases, ":")[[1]])
if (length(range) == 1) range <- c(1, range)

most_seconds <- 120 # without a word of a child
each <- 250         # cases of a child

lines_of <- function(journal) if (file.exists(journal)) readLines(journal,
                                                                  warn = FALSE) else character()

# The journal of one child, with a line for a crash or a hang.
run_child <- function(from, to) {
  journal <- tempfile("fuzz-")
  child <- parallel::mcparallel(system2(
    file.path(R.home("bin"), "Rscript"),
    c(shQuote(file.path(here, "child.R")), settings$seed, format(c(from, to),
                                                                 scientific = FALSE), journal),
    stdout = FALSE, stderr = FALSE, timeout = most_seconds + 2 * (to - from + 1)
  ))
  status <- parallel::mccollect(child)[[1]]
  said <- lines_of(journal)
  if ("done" %in% said) return(said)
  last <- strsplit(utils::tail(said, 1), "\t")[[1]][1]
  c(said, sprintf("%s\t%s\t\tstatus %d", last, if (status == 124) "hang" else "crash", status))
}

run_cases <- function(from, to) {
  said <- character()
  while (from <= to) {
    more <- run_child(from, min(to, from + each - 1))
    said <- c(said, more)
    last <- suppressWarnings(max(as.numeric(sub("\t.*", "", more)), na.rm = TRUE))
    from <- if (is.finite(last)) last + 1 else to + 1
  }
  said
}

halves <- function(range) {
  if (diff(range) < 2 * each) return(list(range))
  middle <- floor(mean(range))
  list(c(range[1], middle), c(middle + 1, range[2]))
}

said <- unlist(parallel::mclapply(halves(range), function(r) run_cases(r[1], r[2]), mc.cores = 2))
parts <- strsplit(said, "\t")
kind <- vapply(parts, function(p) if (length(p) > 1) p[2] else p[1], "")
quiet <- c("begun", "done", "error", "value", "value held against its definition")
found <- said[!kind %in% quiet]
writeLines(found)
cat(sprintf("%d cases: %d fits, %d of them held against their definition, %d classed errors\n",
            sum(kind == "begun"), sum(startsWith(kind, "value")),
            sum(kind == "value held against its definition"), sum(kind == "error")))
failed <- length(unique(sub("\t.*", "", found)))
cat(sprintf("%d passed, %d failed, 0 skipped\n", sum(kind == "begun") - failed, failed))
if (failed > 0 || sum(kind == "begun") < diff(range) + 1) quit(status = 1)
