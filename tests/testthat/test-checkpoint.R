# A run that goes on from a checkpoint ends in the same bits, and computes nothing twice.

problem <- fingerprint(list(x = 1:3, f = function(x) x + 1))

# Counts how often chunks are computed; stops at chunk `until`.
counted <- function(payload, i) {
  if (identical(i, payload$until)) stop("killed")
  cat(i, "\n", file = payload$log, append = TRUE)
  payload$work(payload, i)
}
environment(counted) <- baseenv()

map_counted <- function(count, dir, log, until = NULL, pass = "sums") {
  payload <- list(log = log, until = until, work = draws_of_chunk)
  run <- map_run(open_checkpoint(dir, problem), pass)
  map_chunks(count, counted, payload, sum_of_draws, run)
}

computed <- function(log) if (file.exists(log)) as.numeric(readLines(log)) else numeric()

test_that("a run goes on where the one before was ended", {
  for (count in c(1, 2, 7, 70, 300)) {
    dir <- withr::local_tempdir()
    log <- withr::local_tempfile()
    for (until in unique(ceiling(count * c(0.3, 0.5, 0.99)))) {
      expect_error(map_counted(count, dir, log, until), class = "sparserls_error_chunks")
    }
    expect_identical(map_counted(count, dir, log), map_draws(count))
    # tasks of 300 chunks are of 8 chunks, each computed again after its end
    expect_lte(length(computed(log)), count + 3 * 7)
    expect_setequal(computed(log), seq_len(count))
    unlink(log)
    expect_identical(map_counted(count, dir, log), map_draws(count))
    expect_length(computed(log), 0)
    expect_setequal(list.files(dir), c("manifest.rds", sprintf("sums-1-%d.rds", count)))
  }
})
