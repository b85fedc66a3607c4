# What the help promises (tools/promises.dcf), beside the last figure of what checks it: the counts
# of the last run of the tests, .lib/tests.csv, and of all else checks/*.dcf. Writes
# vignettes/articles/promises.csv, which promises.Rmd beside it shows. A check that has never run,
# or has looked at nothing, is a row that says so, without a number of findings.
# Usage: make promises (after make test)

promises <- read.dcf("tools/promises.dcf")
recorded <- lapply(Sys.glob("checks/*.dcf"), function(file) read.dcf(file)[1, ])
names(recorded) <- sub("[.]dcf$", "", basename(Sys.glob("checks/*.dcf")))
if (!file.exists(".lib/tests.csv")) stop("no tests have been counted: make test")
ran_at <- readLines(".lib/tests.csv", 1)
ran <- utils::read.csv(".lib/tests.csv", comment.char = "#")

field <- function(record, name) {
  if (name %in% names(record)) gsub("\\s+", " ", record[[name]]) else ""
}

from_tests <- function(pattern) {
  if (is.na(pattern)) return(NULL)
  ran <- ran[grepl(pattern, ran$file), ]
  nothing <- sum(ran$passed, ran$failed) == 0
  data.frame(
    check = paste(nrow(ran), if (nrow(ran) == 1) "file of tests" else "files of tests"),
    command = "make test",
    count = paste0(sum(ran$passed), " expectations",
                   if (any(ran$skipped > 0)) sprintf(", %d tests skipped", sum(ran$skipped))),
    findings = if (nothing) NA else sum(ran$failed), date = sub("# ([0-9-]+), .*", "\\1", ran_at),
    with = sub("# [0-9-]+, ", "", ran_at), note = if (nothing) "has looked at nothing" else ""
  )
}

from_checks <- function(names) {
  if (is.na(names)) return(NULL)
  do.call(rbind, lapply(strsplit(names, " ")[[1]], function(name) {
    found <- recorded[[name]]
    count <- field(found, "count")
    # Zero of something: expectations, runs, calls.
    nothing <- grepl("(^| )0 ", count)
    data.frame(check = name, command = field(found, "command"), count = count,
               findings = if (nothing) NA else as.integer(field(found, "findings")),
               date = field(found, "date"), with = field(found, "with"),
               note = if (is.null(found)) "has not been run"
                      else if (nothing) "has looked at nothing" else field(found, "note"))
  }))
}

promise_rows <- function(promise) {
  value <- function(name) if (name %in% colnames(promises)) promise[[name]] else NA
  checks <- rbind(from_tests(value("tests")), from_checks(value("checks")))
  data.frame(promise = gsub("\\s+", " ", value("promise")), where = value("where"), checks)
}

table <- do.call(rbind, apply(promises, 1, promise_rows))
utils::write.csv(table, "vignettes/articles/promises.csv", row.names = FALSE, na = "")
open <- sum(is.na(table$findings) | table$findings > 0)
cat(sprintf("%d promises, %d checks, %d of them not green\n", nrow(promises), nrow(table), open))
