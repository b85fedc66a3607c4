# Runs the tests with the package installed for counting, each file in a fork of a process that has
# loaded it, so that it is known which file reaches what: into WORK/files/FILE go gcov's counts of C
# and covr's of R. Files that have been counted are not run again, as long as the sources of the
# package are the same.
# Usage: Rscript tools/coverage-run.R WORK [regular expression of the files]
source("tools/run-file.R")
source("tools/copy-sources.R")
args <- commandArgs(trailingOnly = TRUE)
dir.create(file.path(args[1], "lib"), recursive = TRUE, showWarnings = FALSE)
work <- normalizePath(args[1])
source_dir <- file.path(work, "sparserls")
lib <- file.path(work, "lib")

# -O1: with -O0 our own products of matrices take most of the time.
install <- function() {
  copy_sources(source_dir)
  makevars <- file.path(work, "Makevars")
  writeLines(c("CFLAGS = -g -O1 --coverage", "LDFLAGS = --coverage"), makevars)
  status <- system2(
    file.path(R.home("bin"), "R"), c("CMD", "INSTALL", "--no-docs", "--no-staged-install",
      "--no-test-load", "--with-keep.source", "--with-keep.parse.data", "-l", lib, source_dir),
    env = paste0("R_MAKEVARS_USER=", makevars)
  )
  stopifnot(status == 0)
  covr:::add_hooks("sparserls", lib)
  loads <- file.path(lib, "sparserls", "R", "sparserls")
  lines <- readLines(loads)
  tables <- sprintf("%s, function(...) sys.source(%s, list2env(list(ns = ns))))",
                    "setHook(packageEvent(pkg, \"onLoad\")",
                    deparse(normalizePath("tools/coverage-tables.R")))
  writeLines(append(lines, tables, grep("trace_environment", lines)), loads)
}

# What the fork of one file does. Counts are written when it ends, and by processes that tests
# start.
count_in_fork <- function(file, folder) {
  session <- get("session", asNamespace("sparserls"))
  session$pid <- Sys.getpid()
  Sys.setenv(GCOV_PREFIX = folder, COVERAGE_DIR = folder)
  # mlr3's autotest trains in dozens of processes, which take half a minute each to load the
  # package that counts, and are ended as they write: the other tests of the file are counted.
  if (file == "mlr3") Sys.setenv(NOT_CRAN = "false")
  result <- try(run_file(file))
  said <- if (is.list(result)) c(result$said, paste(names(result$counts), result$counts)) else result
  writeLines(said, file.path(folder, "said"))
  quit(save = "no", runLast = FALSE)
}

# A fork may hang in OpenBLAS as it ends, when all has been written.
wait_for <- function(child, said) {
  collected <- function() parallel::mccollect(child, wait = FALSE, timeout = 10)
  while (is.null(suppressWarnings(collected()))) {
    waits <- difftime(Sys.time(), file.mtime(said), units = "secs")
    if (isTRUE(waits > 10)) tools::pskill(child$pid, tools::SIGKILL)
  }
}

count_file <- function(file) {
  folder <- file.path(work, "files", file)
  dir.create(folder, recursive = TRUE)
  started <- proc.time()[["elapsed"]]
  child <- parallel:::mcfork()
  if (inherits(child, "masterProcess")) count_in_fork(file, folder)
  wait_for(child, file.path(folder, "said"))
  tempdir(check = TRUE)
  seconds <- proc.time()[["elapsed"]] - started
  writeLines(format(seconds), file.path(folder, "seconds"))
  cat(sprintf("%-28s %6.1f s\n", file, seconds))
}

if (!dir.exists(source_dir)) install()
stop_if_other(source_dir)
# This process counts, too, as it loads the package: what it has counted is left apart.
depth <- length(strsplit(file.path(source_dir, "src"), "/")[[1]]) - 1
started <- file.path(work, "started")
dir.create(started, showWarnings = FALSE)
Sys.setenv(GCOV_PREFIX = started, GCOV_PREFIX_STRIP = depth, COVERAGE_DIR = started,
           R_LIBS = paste0(lib, ":", Sys.getenv("R_LIBS")))
.libPaths(c(lib, .libPaths()))
library(testthat)
library(sparserls)
files <- test_files()
if (length(args) > 1) files <- grep(args[2], files, value = TRUE)
files <- files[!file.exists(file.path(work, "files", files, "seconds"))]
unlink(file.path(work, "files", files), recursive = TRUE)
for (file in files) count_file(file)
