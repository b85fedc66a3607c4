# The fuzzer: random calls of all that is exported with good, odd and useless arguments, then
# methods of what they answer; all methods of results of every kind; rows in chunks in trouble; and
# cross-validations under a plan. Answers to good data are held against refits in plain R, and what
# draws nothing by its help must leave the random stream alone. All of it follows from the seed. A
# run of a thousand cases is recorded; what it has not called, or never held, is a finding.
#
#   Rscript tests/fuzz/run.R cases=1000 seed=1          (or: make fuzz CASES=1000 SEED=1)
#   Rscript tests/fuzz/run.R cases=17:17 seed=1         a case again
#
# The last line is "N passed, N failed, 0 skipped"; any finding ends in status 1.
here <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)))
root <- file.path(here, "..", "..")
source(file.path(root, "tools", "settings.R"))
source(file.path(root, "tools", "record.R"))
settings <- read_settings(cases = "1000", seed = "1")
range <- as.numeric(strsplit(settings$cases, ":")[[1]])
if (length(range) == 1) range <- c(1, range)

most_seconds <- 120 # without a word of a child
each <- 250         # cases of a child

# The journal of one child, with a line for a crash or a hang.
run_child <- function(from, to) {
  journal <- tempfile("fuzz-")
  arguments <- c(shQuote(file.path(here, "child.R")), settings$seed,
                 format(c(from, to), scientific = FALSE, trim = TRUE), shQuote(journal))
  shown <- if (diff(range) == 0) "" else FALSE # what a single case does
  child <- parallel::mcparallel(system2(
    file.path(R.home("bin"), "Rscript"), arguments, stdout = shown, stderr = FALSE,
    timeout = most_seconds + 2 * (to - from + 1)
  ))
  status <- parallel::mccollect(child)[[1]]
  said <- if (file.exists(journal)) readLines(journal, warn = FALSE)
  if ("done" %in% said) return(said)
  cases <- grep("^[0-9]", said, value = TRUE)
  last <- if (length(cases)) sub("\t.*", "", utils::tail(cases, 1)) else from
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

middle <- if (diff(range) < 2 * each) range[2] else floor(mean(range))
halves <- list(c(range[1], middle), c(middle + 1, range[2]))
said <- unlist(parallel::mclapply(halves, function(r) run_cases(r[1], r[2]), mc.cores = 2))
parts <- strsplit(said, "\t")
first <- vapply(parts, `[`, "", 1)
kind <- vapply(parts, function(p) if (length(p) > 1) p[2] else p[1], "")
answers <- c("error", "value", "value held against its definition")
found <- said[!kind %in% c("begun", "done", answers) & !first %in% c("reached", "held")]
cases <- sum(kind == "begun")
long <- cases >= 1000

# What is offered and was never called, or never held; of a short run that is no finding.
source(file.path(here, "..", "testthat", "helper-results.R"))
source(file.path(here, "against.R"))
all <- offered()
here_too <- is_here(all$from)
never <- setdiff(all$label[here_too], kind[first == "reached"])
if (long) {
  never_held <- setdiff(refitted_here, kind[first == "held"])
  found <- c(found, sprintf("-\tnever called\t%s", never),
             sprintf("-\tnever held against refits\t%s", never_held))
  kept_out <- unique(all$from[!here_too])
  if (length(kept_out)) cat("not installed:", kept_out, "(their methods are not called)\n")
}
writeLines(found)
calls <- sum(as.numeric(vapply(parts[kind %in% answers], `[`, "", 3)))
held <- sum(kind == answers[3])
cat(sprintf("%d cases, %d calls: %d fits, %d of them held against %s, %d classed errors\n", cases,
            calls, sum(startsWith(kind, "value")), held, "their definition", sum(kind == "error")))
cat(sprintf("%d of %d exported functions and methods called\n", sum(here_too) - length(never),
            nrow(all)))
failed <- length(unique(sub("\t.*", "", found)))
if (long) {
  setwd(root)
  command <- "Rscript tests/fuzz/run.R cases=%s seed=%s"
  record("fuzz", command = sprintf(command, settings$cases, settings$seed),
         count = sprintf("%d cases, %d calls", cases, calls), findings = failed,
         note = sprintf("%d answers were held against their definition", held))
}
cat(sprintf("%d passed, %d failed, 0 skipped\n", cases - failed, failed))
if (failed > 0 || cases < diff(range) + 1) quit(status = 1)
