# Runs the tests against the installed package, file by file in two processes; the last line counts
# expectations, an error being one that failed. `numbers` leaves out the files test-errors-*.R: what
# they look at are messages, which no BLAS changes.
# Usage: Rscript tools/run-tests.R [all | numbers]

source("tools/run-file.R")
cat("R ", format(getRversion()), ", BLAS ", extSoftVersion()[["BLAS"]], "\n", sep = "")

files <- test_files()
if ("numbers" %in% commandArgs(trailingOnly = TRUE)) files <- files[!startsWith(files, "errors-")]
workers <- parallel::makePSOCKcluster(2)
results <- parallel::clusterApplyLB(workers, files, run_file)
parallel::stopCluster(workers)

counts <- rowSums(vapply(results, `[[`, numeric(3), "counts"))
for (i in seq_along(files)) {
  result <- results[[i]]
  if (result$warned > 0 || any(result$counts[c("failed", "skipped")] > 0)) {
    writeLines(c(paste("==", files[i]), result$said))
  }
}
cat(sprintf("%d passed, %d failed, %d skipped\n", counts["passed"], counts["failed"],
            counts["skipped"]))
if (counts["failed"] > 0 || counts["passed"] == 0) quit(status = 1)
