# Are the tests of numbers worth their name? Draws places in the numerics of src/ and R/ by SEED,
# changes one operator, constant or index there, builds, and runs the tests that reach the changed
# line, by the counts of tools/coverage-run.R where they are in WORK/reach, and by names where not:
# the short ones first, until one fails. WORK/mutants.csv has a line for each; those that stand
# there are not run again, as long as the seed and the sources are the same. files= is how many
# files of tests each mutant sees at most: all that reach it, if nothing else is said.
# Usage: Rscript tools/mutants.R WORK [mutants=200] [seed=1] [files=1000]
source("tools/run-file.R")
source("tools/copy-sources.R")
source("tools/mutants-places.R")
source("tools/mutants-reach.R")
source("tools/record.R")
source("tools/settings.R")

settings <- read_settings(mutants = 200, seed = 1, files = 1000)
folder <- commandArgs(trailingOnly = TRUE)[1]
dir.create(file.path(folder, "lib"), recursive = TRUE, showWarnings = FALSE)
work <- normalizePath(folder)
copy <- file.path(work, "sparserls")
lib <- file.path(work, "lib")
log <- file.path(work, "mutants.csv")

# Bridges only unpack and hand on; of R those files that compute.
computing <- paste0(
  "^(fold-|lambda|cv-.*measures|cv-calibration|cv-held|loss",
  "|effect-|vcov-|interval-|family-likelihood|basis|path|predict)"
)
numerics <- grep(
  "/(init|bridge)|print[.]R$", invert = TRUE, value = TRUE,
  c(list.files("src", "[.]c$", full.names = TRUE), list.files("R", computing, full.names = TRUE))
)

run_r <- function(..., env = character(), limit = 0) {
  system2(file.path(R.home("bin"), "R"), c(...), env = env, timeout = limit,
          stdout = file.path(work, "log"), stderr = file.path(work, "log"))
}
install <- function(...) {
  run_r("CMD", "INSTALL", "--no-docs", "--no-test-load", "--no-byte-compile", "--no-staged-install",
        ..., "-l", lib, copy)
}
shared <- file.path(lib, "sparserls", "libs", paste0("sparserls", .Platform$dynlib.ext))
kept <- file.path(work, "kept")

prepare <- function() {
  copy_sources(copy)
  stopifnot(install() == 0)
  dir.create(kept)
  file.copy(file.path(lib, "sparserls"), kept, recursive = TRUE)
}

# Compiles the changed file, and the one that the mutant before had changed; a library that is
# loaded somewhere is replaced, not written into.
build_c <- function(file) {
  object <- sub("c$", "o", basename(file))
  old <- setwd(file.path(copy, "src"))
  on.exit(setwd(old))
  unlink(object)
  built <- file.path(work, basename(shared))
  status <- run_r("CMD", "SHLIB", "-o", built, list.files(pattern = "[.]c$"))
  unlink(object)
  if (status == 0) {
    unlink(shared)
    file.copy(built, shared)
  }
  status == 0
}

build_r <- function() install("--no-libs") == 0 && {
  dir.create(dirname(shared), showWarnings = FALSE)
  file.copy(file.path(kept, "sparserls", "libs", basename(shared)), shared, overwrite = TRUE)
}

restore <- function(file) {
  file.copy(file, file.path(copy, file), overwrite = TRUE)
  Sys.setFileTime(file.path(copy, file), Sys.time() - 1e6)
  unlink(file.path(lib, "sparserls"), recursive = TRUE)
  file.copy(file.path(kept, "sparserls"), lib, recursive = TRUE)
}

# Which of the tests failed, NA for none. A process that ends otherwise crashed, or was ended.
killer <- function(files) {
  limits <- sprintf("%s=%d", files, ceiling(30 + 10 * seconds_of(files)))
  status <- run_r("--no-echo", "--no-restore", "-f", "tools/mutants-run.R", "--args", limits,
        env = paste0("R_LIBS=", lib, ":", Sys.getenv("R_LIBS")))
  if (status == 0) return(NA_character_)
  said <- readLines(file.path(work, "log"), warn = FALSE)
  said <- utils::tail(grep("^(killed by|running) ", said, value = TRUE), 1)
  said <- sub("^killed by ", "", said)
  sub("^running (.*)", "\\1: it crashed, or took ten times as long", said)
}

# A test that fails without a change, too, says nothing.
sound <- new.env()
sound_killer <- function(files) {
  repeat {
    by <- if (length(files) > 0) killer(files) else NA_character_
    file <- sub(":.*", "", by)
    if (is.na(by) || isTRUE(sound[[file]])) return(by)
    unlink(file.path(work, "mutant"), recursive = TRUE)
    file.rename(file.path(lib, "sparserls"), file.path(work, "mutant"))
    file.copy(file.path(kept, "sparserls"), lib, recursive = TRUE)
    sound[[file]] <- is.na(killer(file))
    unlink(file.path(lib, "sparserls"), recursive = TRUE)
    file.rename(file.path(work, "mutant"), file.path(lib, "sparserls"))
    if (sound[[file]]) return(by)
    files <- setdiff(files, file)
  }
}

# One row of the log.
try_mutant <- function(place) {
  started <- proc.time()[["elapsed"]]
  lines <- readLines(place$file)
  on.exit(restore(place$file))
  writeLines(mutated(lines, place), file.path(copy, place$file))
  built <- if (endsWith(place$file, ".c")) build_c(place$file) else build_r()
  tests <- if (built) utils::head(reaching(place$file, place$line), settings$files)
  by <- if (built) sound_killer(tests) else NA
  cbind(place, code = trimws(lines[place$line]), built = built, by = by,
        tried = length(tests), seconds = round(proc.time()[["elapsed"]] - started))
}

if (!dir.exists(kept)) invisible(prepare())
places <- do.call(rbind, lapply(numerics, places_of))
set.seed(settings$seed)
places <- places[sample(nrow(places)), ]
read_log <- function() utils::read.csv(log, colClasses = c(from = "character", to = "character"))
done <- if (file.exists(log)) read_log()
drawn <- utils::head(places, NROW(done))
if (!all(done$file == drawn$file, done$line == drawn$line, done$to == drawn$to)) {
  stop(work, " has the mutants of another seed: remove it, or name that")
}
# A mutant that was under way when the last run was stopped is undone, and tried again.
restore(places$file[NROW(done) + 1])
stop_if_other(copy)
built <- sum(done$built)
for (i in seq_len(nrow(places))) {
  if (built >= settings$mutants) break
  if (i <= NROW(done)) next
  row <- try_mutant(places[i, ])
  built <- built + row$built
  utils::write.table(row, log, append = i > 1, col.names = i == 1, row.names = FALSE, sep = ",",
                     qmethod = "double")
  fate <- if (!row$built) "not built" else if (is.na(row$by)) "SURVIVED" else row$by
  cat(sprintf("%d. %s:%d  %s -> %s  %s (%d s)\n", i, row$file, row$line, row$from, row$to, fate,
              row$seconds))
}

# Those that cannot be killed, as they change no result, are explained in a file that is kept.
why <- "checks/mutants-survivors.md"
done <- read_log()
done <- done[done$built, ]
alive <- done[is.na(done$by), ]
named <- sprintf("`%s` `%s` `%s -> %s`", alive$file, alive$code, alive$from, alive$to)
explained <- readLines(why)
open <- !vapply(named, function(name) any(grepl(name, explained, fixed = TRUE)), NA)
if (any(open)) writeLines(c("not explained:", named[open]))
killed <- nrow(done) - nrow(alive)
cat(sprintf("%d mutants, %d killed, %d survived\n", nrow(done), killed, nrow(alive)))
record("mutants", count = sprintf("%d mutants", nrow(done)), findings = sum(open),
       command = sprintf("make mutants MUTANTS=%d SEED=%d", nrow(done), settings$seed),
       note = sprintf("%d killed; of the others %d are explained in %s", killed, sum(!open), why))
if (any(open)) quit(status = 1)
