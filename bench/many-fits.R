# Tables of many fits (compare.R, first-call.R): each a child process with a limit of seconds, and a
# line of a stored table, which can be stopped at any time and called again. Scripts that source
# this file have `here`, their own folder, and before they store anything
#   asked            what arguments() has given
#   stored, title    the file, and its first line, a comment
#   sets, methods    lists whose names are the columns `set` and `method`, in the order of the rows
#   limit            seconds of the processor for one fit
#   versions         of the package behind each method
#   done             what read_stored() has given; a row that is stored is added to it

arguments <- function() {
  asked <- named_arguments()
  stopifnot(names(asked) %in% c("splits", "sets", "methods", "commit", "again"))
  asked
}
some <- function(given, all) if (is.null(given)) all else
  match.arg(strsplit(given, ",")[[1]], all, several.ok = TRUE)

# Of the methods that were asked for those whose packages are there.
present_methods <- function() {
  chosen <- some(asked$methods, names(methods))
  absent <- chosen[is.na(versions[chosen])]
  if (length(absent)) message("Not installed: ", paste(absent, collapse = ", "))
  setdiff(chosen, absent)
}

# ---- child processes ----------------------------------------------------------------------------

seconds_of <- function(pid) {
  fields <- strsplit(sub(".*[)] ", "", readLines(sprintf("/proc/%d/stat", pid))), " ")[[1]]
  sum(as.numeric(fields[12:13])) / 100
}

# The answer of a child process, or a note that it has used up its seconds.
limited <- function(job) {
  repeat {
    answer <- parallel::mccollect(job, wait = FALSE, timeout = 1)
    if (length(answer)) return(answer[[1]])
    if (seconds_of(job$pid) > limit) {
      tools::pskill(job$pid, tools::SIGKILL)
      parallel::mccollect(job)
      return(list(note = sprintf("over %d s", limit)))
    }
  }
}

# ---- versions -----------------------------------------------------------------------------------

commit <- function() {
  if (!is.null(asked$commit)) return(asked$commit)
  system2("git", c("-C", here, "rev-parse", "--short", "HEAD"), stdout = TRUE)
}
# What is behind a method: "glmnet 4.1.6", "sparserls 0.1.0 c631501".
version_of <- function(package) {
  if (!requireNamespace(package, quietly = TRUE)) return(NA_character_)
  parts <- c(package, as.character(utils::packageVersion(package)))
  paste(c(parts, if (package == "sparserls") commit()), collapse = " ")
}

# ---- the stored table ---------------------------------------------------------------------------

# A line of the head for every run, which goes before its first row.
run_line <- function() {
  field <- function(file, name) sub(".*: *", "", grep(name, readLines(file), value = TRUE)[1])
  script <- basename(sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)))
  sprintf("# %s, %s %s: %s, R %s, commit %s; %s; %s, %d cores, %s, load %s, BLAS %s",
          format(Sys.time(), "%Y-%m-%d %H:%M"), script, paste(commandArgs(TRUE), collapse = " "),
          sub(" [^ ]*$", "", version_of("sparserls")), getRversion(), commit(), utils::osVersion,
          field("/proc/cpuinfo", "model name"), parallel::detectCores(),
          field("/proc/meminfo", "MemTotal"), readLines("/proc/loadavg"),
          basename(extSoftVersion()[["BLAS"]]))
}
# What is stored, NULL if nothing is; of rows that were done anew the last.
read_stored <- function() {
  if (!file.exists(stored)) return(NULL)
  d <- read.csv(stored, comment.char = "#", colClasses = c(note = "character"))
  d <- d[!duplicated(d[c("set", "method", "split")], fromLast = TRUE), ]
  d[order(match(d$set, names(sets)), match(d$method, names(methods)), d$split), ]
}
# Whether a fit is still to be done: with again=yes too where another version did it. After a note
# that is `final` no more is tried of its set and method.
to_do <- function(name, method, split, final = nzchar) {
  d <- done[done$set == name & done$method == method, ]
  if (!is.null(asked$again)) d <- d[d$version %in% versions[[method]], ]
  !any(d$split == split | final(d$note))
}
run_is_said <- FALSE
# A line at the end: several runs can work at the same time, and one that is stopped loses no more
# than the fit it was at. A run that comes to its end puts the lines into order, head first.
store <- function(row) {
  line <- capture.output(write.table(row, sep = ",", row.names = FALSE, col.names = FALSE))
  if (!file.exists(stored)) line <- c(title, paste0('"', names(row), '"', collapse = ","), line)
  cat(paste0(c(if (!run_is_said) run_line(), line), "\n"), file = stored, sep = "", append = TRUE)
  run_is_said <<- TRUE
  done <<- rbind(done, row)
}
in_order <- function() {
  head <- union(title, grep("^#", readLines(stored), value = TRUE))
  d <- read_stored()
  ordered <- paste0(stored, ".new")
  writeLines(head, ordered)
  suppressWarnings(write.table(d, ordered, sep = ",", row.names = FALSE, append = TRUE))
  invisible(file.rename(ordered, stored))
}
