# Interrupts at random times in every long computation (tools/long-calls.R). Each computation has a
# process of its own, to which a shell sends SIGINT. Of every interrupt this asks that
#   - R goes on within two seconds of the signal, not counting those in which other processes had
#     the processor (Linux counts them);
#   - no option, environment variable or kind of random numbers is another one, nor .Random.seed
#     where nothing is drawn; and there are no more files (but a checkpoint that was asked for),
#     connections and processes than before (there may be fewer: workers are given up, and started
#     again by the next call);
#   - after all interrupts of a call gc() counts at most 1 MB more than after the first of them
#     (conditions and compiled code; a single workspace of these calls is larger), and the process
#     has at most 32 MB more from the system: each call uses hundreds of MB, so that a workspace
#     lost at each interrupt would exceed that;
#   - the same call, made afterwards, has the same answer as before.
# A signal that comes when the call has ended does not count, and another one is sent.
# Usage: Rscript tools/interrupts.R [count=300] [seed=1] [record=no]
#        Rscript tools/interrupts.R only=PATTERN ...     some computations, which is not recorded
#        Rscript tools/interrupts.R call=NAME count=N seed=S file=FILE     (a process of the above)

suppressMessages(library(sparserls))
source("tools/long-calls.R")
source("tools/record.R")
source("tools/settings.R")
settings <- read_settings(count = 300, seed = 1, only = "", record = "yes", call = "", file = "")
most_seconds <- 2

# ---- one computation ---------------------------------------------------------------------------

# What an interrupt must leave as it is.
session_state <- function(draws) {
  list(options = options(), environment = Sys.getenv(), folder = getwd(), kind = RNGkind(),
       seed = if (!draws) get0(".Random.seed", globalenv()))
}

# Temporary files that nobody has asked for; files of workers are future's own.
stray_files <- function(signal) {
  names <- list.files(tempdir(), recursive = TRUE, all.files = TRUE)
  asked <- "^checkpoint-.*/(manifest|[^/]*-[0-9]+-[0-9]+)[.]rds$|^predictions-[^-]*$|^worker[.]rank"
  setdiff(grep(asked, names, value = TRUE, invert = TRUE), basename(signal))
}

# How many processes this one has started, and they in turn: they have its environment.
children <- function() {
  mark <- charToRaw(paste0("SPARSERLS_INTERRUPTED=", Sys.getpid()))
  of <- function(process) {
    bytes <- suppressWarnings(tryCatch(readBin(process, "raw", 1e5), error = function(e) raw()))
    length(grepRaw(mark, bytes, fixed = TRUE)) > 0
  }
  sum(vapply(Sys.glob("/proc/[0-9]*/environ"), of, NA))
}
# Those that have been told to end need a moment.
no_more_children <- function(than) {
  for (i in 1:50) {
    if (children() <= than) return(TRUE)
    Sys.sleep(0.1)
  }
  FALSE
}

resident <- function() {
  status <- readLines("/proc/self/status")
  as.numeric(gsub("[^0-9]", "", grep("^VmRSS", status, value = TRUE))) / 1024
}
counted <- function() sum(gc(full = TRUE)[, 2])

# Seconds that this process has waited for a processor.
waited <- function(line) as.numeric(strsplit(line, " ")[[1]][2]) / 1e9

# Seconds from the signal, sent after `delay`, to the first line of R after it, and how many of
# them it had no processor; NULL if the call had ended before. A checkpoint is begun anew; the
# last call of all goes on with what is there.
interrupt_once <- function(call, delay, signal) {
  unlink(c(signal, Sys.glob(file.path(tempdir(), "checkpoint-*"))), recursive = TRUE)
  counts <- sprintf("/proc/%d/schedstat", Sys.getpid())
  system(sprintf("(sleep %.3f; date +%%s.%%N > %s; cat %s >> %s; kill -s INT %d) &", delay, signal,
                 counts, signal, Sys.getpid()))
  ended <- FALSE
  tryCatch({
    quietly(call())
    ended <- TRUE
    Sys.sleep(delay + 60)
  }, interrupt = function(i) NULL)
  # In this order no wait is counted that is not within the time.
  waits <- waited(readLines(counts))
  now <- as.numeric(Sys.time())
  if (ended) return(NULL)
  sent <- readLines(signal)
  list(wall = now - as.numeric(sent[1]), waited = waits - waited(sent[2]))
}

quietly <- function(code) suppressWarnings(suppressMessages(code))

answer_of <- function(call) {
  set.seed(1)
  quietly(call())
}

# Writes a line "kind<TAB>what" for every finding, and "answered<TAB>seconds" for every interrupt.
run_call <- function(name, count, seed, file) {
  note <- function(...) cat(..., "\n", file = file, sep = "\t", append = TRUE)
  Sys.setenv(SPARSERLS_INTERRUPTED = Sys.getpid())
  call <- quietly(long_calls[[name]]())
  draws <- name %in% drawing
  signal <- tempfile("signal-")
  seconds <- system.time(expected <- answer_of(call))[["elapsed"]]
  note("lasts", seconds)
  set.seed(1)
  before <- session_state(draws)
  files <- stray_files(signal)
  open <- showConnections()
  workers <- children()
  used <- held <- NULL
  with_stream <- function(at) {
    set.seed(seed * 1e4 + at)
    runif(1, 0.02, 0.95)
  }
  done <- tries <- 0
  while (done < count && tries < 3 * count) {
    tries <- tries + 1
    delay <- with_stream(tries) * seconds
    set.seed(1)
    answered <- interrupt_once(call, delay, signal)
    if (is.null(answered)) {
      seconds <- 0.8 * seconds
      next
    }
    done <- done + 1
    own <- answered$wall - answered$waited
    note("answered", own)
    note("wall", answered$wall)
    if (own > most_seconds) note("late", own)
    after <- session_state(draws)
    for (part in names(before)) if (!identical(before[[part]], after[[part]])) {
      note("left behind", part, changes(before[[part]], after[[part]]))
    }
    more <- setdiff(stray_files(signal), files)
    if (length(more) > 0) note("files", more)
    if (nrow(showConnections()) > nrow(open)) note("connections", showConnections()[, 1])
    if (!no_more_children(workers)) note("processes", workers, children())
    if (done == 1) {
      used <- counted()
      held <- resident()
    }
  }
  if (done < count) note("too few interrupts", done)
  if (counted() > used + 1) note("memory", counted() - used)
  if (resident() > held + 32) note("resident memory", resident() - held)
  note("memory grew by", counted() - used)
  note("resident grew by", resident() - held)
  if (!isTRUE(all.equal(expected, answer_of(call), tolerance = 0))) note("another answer")
  note("done")
}

changes <- function(before, after) {
  gone <- setdiff(format(before), format(after))
  come <- setdiff(format(after), format(before))
  substr(paste(c(gone, "->", come), collapse = " "), 1, 300)
}

# ---- all of them -------------------------------------------------------------------------------

run_all <- function() {
  names <- grep(settings$only, names(long_calls), value = TRUE)
  if (length(names) == 0) stop("no computation is called ", settings$only)
  counts <- diff(round(seq(0, settings$count, length.out = length(names) + 1)))
  found <- 0
  answered <- wall <- numeric()
  for (i in seq_along(names)) {
    file <- tempfile("interrupts-")
    status <- system2(file.path(R.home("bin"), "Rscript"), c(
      "tools/interrupts.R", shQuote(paste0("call=", names[i])), paste0("count=", counts[i]),
      paste0("seed=", settings$seed * 100 + i), paste0("file=", file)
    ), timeout = 1200)
    said <- strsplit(if (file.exists(file)) readLines(file) else character(), "\t")
    kind <- vapply(said, `[`, "", 1)
    value <- function(of) as.numeric(vapply(said[kind == of], `[`, "", 2))
    fine <- c("lasts", "answered", "wall", "memory grew by", "resident grew by", "done")
    bad <- said[!kind %in% fine]
    if (!"done" %in% kind) bad <- c(bad, list(c("ended with status", status)))
    answered <- c(answered, value("answered"))
    wall <- c(wall, value("wall"))
    form <- "%-34s %5.1f s, %2d interrupts, answered in %.2f s at most; memory %+.1f, %+.0f MB\n"
    cat(sprintf(form, names[i], value("lasts")[1], length(value("answered")),
                max(0, value("answered")), value("memory grew by")[1],
                value("resident grew by")[1]))
    for (line in bad) cat("  finding:", line, "\n")
    found <- found + length(bad)
  }
  cat(sprintf("%d interrupts of %d computations, answered in %.2f s at most; %d findings\n",
              length(answered), length(names), max(answered), found))
  if (settings$record != "no" && settings$only == "") {
    record("interrupts", command = "make interrupts",
           count = sprintf("%d interrupts of %d computations", length(answered), length(names)),
           findings = found,
           note = sprintf(paste("Answered within %.2f seconds, half of them within %.2f; with the",
                                "time that other processes took, within %.2f."),
                          max(answered), stats::median(answered), max(wall)))
  }
  if (found > 0) quit(status = 1)
}

if (settings$call == "") {
  run_all()
} else {
  run_call(settings$call, settings$count, settings$seed, settings$file)
}
