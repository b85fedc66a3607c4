# Installs the packages that are missing of those that DESCRIPTION requires and those named as
# arguments; `--suggests` stands for all that DESCRIPTION suggests but the frameworks of others,
# which need dozens of packages of their own: their tests run where they are installed. As root on
# Debian or Ubuntu these are the distribution's (r-cran-*); what it lacks, and everything elsewhere,
# comes from CRAN, into the first library of R_LIBS.
# Usage: Rscript tools/install-deps.R [--suggests] [package ...]

described <- function(fields) {
  values <- read.dcf("DESCRIPTION", fields = fields)
  names <- sub("[[:space:]]*\\(.*", "", trimws(unlist(strsplit(values[!is.na(values)], ","))))
  setdiff(names, c("R", ""))
}
missing_of <- function(packages) Filter(function(p) system.file(package = p) == "", packages)
say <- function(...) cat(paste0(...), "\n", sep = "")
quietly <- function(command, ...) system2(command, ..., stdout = FALSE, stderr = FALSE) == 0

# R itself must be the distribution's: its packages are built for that one.
have_apt <- function() {
  R.home() == "/usr/lib/R" && nzchar(Sys.which("apt-get")) &&
    Sys.info()[["effective_user"]] == "root"
}

from_apt <- function(packages) {
  Sys.setenv(DEBIAN_FRONTEND = "noninteractive")
  quietly("apt-get", c("update", "-qq"))
  names <- Filter(function(name) quietly("apt-cache", c("show", name)),
                  paste0("r-cran-", tolower(packages)))
  if (length(names) == 0) return(invisible())
  say("Installing ", paste(names, collapse = ", "), " (apt-get) ...")
  log <- tempfile()
  if (system2("apt-get", c("install", "-y", "-qq", "--no-install-recommends", names),
              stdout = log, stderr = log) != 0) {
    writeLines(tail(readLines(log), 20))
  }
}

# Headers that packages from CRAN are compiled with, and who has them.
headers <- data.frame(
  package = c("fs", "vdiffr", "Rmpfr"), header = c("uv.h", "png.h", "mpfr.h"),
  library = c("libuv", "libpng", "mpfr"), debian = c("libuv1-dev", "libpng-dev", "libmpfr-dev"),
  fedora = c("libuv-devel", "libpng-devel", "mpfr-devel"), brew = c("libuv", "libpng", "mpfr")
)

has_header <- function(header) {
  file <- tempfile(fileext = ".c")
  writeLines(sprintf("#include <%s>", header), file)
  config <- function(name) system2(file.path(R.home("bin"), "R"), c("CMD", "config", name), TRUE)
  system(paste(config("CC"), config("CPPFLAGS"), "-E", file), ignore.stdout = TRUE,
         ignore.stderr = TRUE) == 0
}

# What is lacking is said here, before minutes of compiling.
check_headers <- function(packages) {
  if (getOption("pkgType") != "source") return(invisible())
  needed <- tools::package_dependencies(packages, recursive = TRUE)
  needed <- missing_of(union(packages, unlist(needed)))
  lacking <- headers[headers$package %in% needed, ]
  lacking <- lacking[!vapply(lacking$header, has_header, NA), ]
  if (nrow(lacking) == 0) return(invisible())
  say("To compile ", paste(lacking$package, collapse = ", "), " the headers of ",
      paste(lacking$library, collapse = ", "), " are needed. Please install first:")
  for (system in c("debian", "fedora", "brew")) {
    say("  ", c(debian = "Debian, Ubuntu", fedora = "Fedora", brew = "Homebrew")[[system]], ": ",
        paste(lacking[[system]], collapse = " "))
  }
  quit(status = 1)
}

from_cran <- function(packages) {
  if (identical(getOption("repos")[["CRAN"]], "@CRAN@")) {
    options(repos = c(CRAN = "https://cloud.r-project.org"))
  }
  check_headers(packages)
  say("Installing ", paste(packages, collapse = ", "), " from CRAN into ", .libPaths()[1], " ...")
  install.packages(packages, lib = .libPaths()[1], Ncpus = 2L, quiet = TRUE)
}

wanted <- commandArgs(trailingOnly = TRUE)
frameworks <- c("caret", "dials", "hardhat", "insight", "marginaleffects", "mlr3", "paradox",
                "parsnip", "SuperLearner")
if ("--suggests" %in% wanted) {
  wanted <- c(setdiff(wanted, "--suggests"), setdiff(described("Suggests"), frameworks))
}
wanted <- unique(c(described(c("Depends", "Imports", "LinkingTo")), wanted))

if (length(missing_of(wanted)) > 0 && have_apt()) from_apt(missing_of(wanted))
if (length(missing_of(wanted)) > 0) from_cran(missing_of(wanted))
if (length(missing_of(wanted)) > 0) {
  say("Could not install: ", paste(missing_of(wanted), collapse = ", "))
  quit(status = 1)
}
