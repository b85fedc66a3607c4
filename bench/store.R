# Stored results: small CSV files, which the articles show: in inst/extdata, or those that only
# articles of the site show, in vignettes/articles/stored. Their first lines begin with # and say
# what made them, see provenance(). Scripts whose output is stored as text print
# these lines first, by say_provenance(). All run in the folder of the sources, and have attached
# sparserls before they source this file.
here <- "bench"
source("bench/parts.R")

of_site <- "vignettes/articles/stored"
store <- function(table, name, what, digits = 5, folder = "inst/extdata") {
  force(table)
  file <- file.path(here, "..", folder, name)
  dir.create(dirname(file), showWarnings = FALSE)
  writeLines(paste("#", c(what, provenance())), file)
  suppressWarnings(write.table(format(table, digits = digits, trim = TRUE), file, append = TRUE,
                               sep = ",", row.names = FALSE, quote = FALSE))
}

# What a script found of a promise, for the table of promises (tools/record.R).
record_check <- function(name, ...) {
  root <- file.path(here, "..")
  source(file.path(root, "tools", "record.R"), local = TRUE)
  old <- setwd(root)
  on.exit(setwd(old))
  record(name, command = this_command(), ...)
}

say_provenance <- function() cat(paste("#", provenance()), sep = "\n")

this_command <- function() {
  script <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE))
  paste(c("Rscript", file.path("bench", basename(script)), commandArgs(TRUE)), collapse = " ")
}

# When, from which commit, by which command; with what; on which machine.
provenance <- function() {
  info <- sparserls_info()
  blas <- sprintf("BLAS %s, %s thread(s)", basename(dirname(info$blas)),
                  Sys.getenv("OPENBLAS_NUM_THREADS", format(info$blas_threads)))
  c(
    sprintf("%s, commit %s: %s", Sys.Date(), started_from, this_command()),
    sprintf("sparserls %s, R %s, %s; %s", info$version, getRversion(),
            if (info$algebra == "own") sprintf("own products (%s)", info$instructions) else blas,
            machine())
  )
}

# The sources beside the script, from which the package should have been installed.
source_commit <- function() {
  git <- function(...) suppressWarnings(system2("git", c("-C", here, ...), TRUE, FALSE))
  commit <- git("rev-parse", "--short=7", "HEAD")
  if (length(commit) != 1) return("unknown")
  changed <- git("status", "--porcelain", "--untracked-files=no", "--", "../R", "../src", ".")
  paste0(commit, if (length(changed)) " and changes")
}

started_from <- source_commit()

# Processor and load: what else the machine did lengthens seconds by the clock.
machine <- function() {
  if (!file.exists("/proc/cpuinfo")) return(Sys.info()[["machine"]])
  model <- sub(".*: ", "", grep("^model name", readLines("/proc/cpuinfo"), value = TRUE))
  load <- strsplit(readLines("/proc/loadavg"), " ")[[1]][1]
  sprintf("%s, %d processors, load %s at the end", trimws(model[1]), length(model), load)
}
