# Runs the tests against the installed package, file by file in two processes; the last line counts
# expectations, an error being one that failed. `numbers` leaves out the files test-refuse-*.R: what
# they look at are messages, which no BLAS changes. `platform` runs those of the regular expression
# in tools/platform-tests.txt, which go through every algorithm, for slow machines. Files that are
# named, without "test-" and ".R", run in this process, one after the other; a single word that is
# no such name is a regular expression of them.
# Usage: Rscript tools/run-tests.R [all | numbers | platform | NAME ... | REGEX]

source("tools/run-file.R")
# Code of tests runs once or twice: to compile it takes a fifth of their time. (That of packages is
# compiled.)
Sys.setenv(R_ENABLE_JIT = "0")
invisible(compiler::enableJIT(0))
cat("R ", format(getRversion()), ", BLAS ", extSoftVersion()[["BLAS"]], "\n", sep = "")

asked <- commandArgs(trailingOnly = TRUE)
whole <- length(asked) == 0 || identical(asked, "all")
named <- !whole && all(asked %in% test_files())

chosen <- function(files) {
  if (whole) return(files)
  if (named) return(asked)
  if (identical(asked, "numbers")) return(files[!startsWith(files, "refuse-")])
  if (identical(asked, "platform")) asked <- readLines("tools/platform-tests.txt")
  if (length(asked) > 1) stop("no file of tests is called ", toString(setdiff(asked, files)))
  grep(asked, files, value = TRUE)
}

files <- chosen(test_files())
if (length(files) == 0) stop("no file of tests is called ", asked)
if (named) {
  results <- lapply(files, run_file)
} else {
  workers <- parallel::makePSOCKcluster(2)
  parallel::clusterCall(workers, source, "tools/run-file.R")
  results <- parallel::clusterApplyLB(workers, files, function(file) run_file(file))
  parallel::stopCluster(workers)
}

counts <- rowSums(vapply(results, `[[`, numeric(3), "counts"))
for (i in seq_along(files)) {
  result <- results[[i]]
  if (result$warned > 0 || any(result$counts[c("failed", "skipped")] > 0)) {
    writeLines(c(paste("==", files[i]), result$said))
  }
}
# What tools/promises.R reads.
if (whole && dir.exists(".lib")) {
  writeLines(sprintf("# %s, R %s, %s", Sys.Date(), getRversion(), R.version$platform),
             ".lib/tests.csv")
  by_file <- data.frame(file = files, t(vapply(results, `[[`, numeric(3), "counts")))
  suppressWarnings(utils::write.table(by_file, ".lib/tests.csv", append = TRUE, sep = ",",
                                      row.names = FALSE))
}
cat(sprintf("%d passed, %d failed, %d skipped\n", counts["passed"], counts["failed"],
            counts["skipped"]))
if (counts["failed"] > 0 || counts["passed"] == 0) quit(status = 1)
