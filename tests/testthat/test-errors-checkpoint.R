# Folders that cannot be a checkpoint of this problem are refused, and left as they are.

problem <- "0123456789abcdef"

# Relative names, so that the messages are the same everywhere.
local_folder <- function(env = parent.frame()) {
  withr::local_dir(withr::local_tempdir(.local_envir = env), .local_envir = env)
}

run_in <- function(dir, count = 6) {
  map_chunks(count, draws_of_chunk, list(), sum_of_draws, map_run(open_checkpoint(dir, problem)))
}

test_that("folders that are none, or another problem's", {
  local_folder()
  writeLines("mine", "file")
  open_checkpoint("other", "another")
  open_checkpoint("older", problem)
  manifest <- readRDS("older/manifest.rds")
  saveRDS(replace(manifest, "version", "0.0.1"), "older/manifest.rds")
  expect_refused("checkpoint", {
    open_checkpoint(1, problem)
    open_checkpoint(c("a", "b"), problem)
    open_checkpoint("", problem)
    open_checkpoint("file", problem)
    open_checkpoint("file/below", problem)
    open_checkpoint("other", problem)
  })
  expect_error(open_checkpoint("older", problem), "begun by 0.0.1",
               class = "sparserls_error_checkpoint")
  expect_identical(list.files(), c("file", "older", "other"))
})

test_that("damaged manifests and blocks", {
  local_folder()
  run_in("good")
  expected <- run_in("good")
  damage <- function(file, change) {
    unlink("bad", recursive = TRUE)
    dir.create("bad")
    file.copy(list.files("good", full.names = TRUE), "bad")
    change(file.path("bad", file))
  }
  truncate <- function(file) {
    bytes <- readBin(file, "raw", 1e6)
    writeBin(bytes[seq_len(length(bytes) %/% 2)], file)
  }
  flip <- function(file) {
    bytes <- readBin(file, "raw", 1e6)
    at <- grepRaw(utils::tail(serialize(expected$sums[[1]][3], NULL), 8), bytes)
    bytes[at + 5] <- !bytes[at + 5]
    writeBin(bytes, file)
  }
  empty <- function(file) writeLines(character(), file)
  other <- function(file) saveRDS(list(1), file)
  edited <- function(file) saveRDS(replace(readRDS(file), "fingerprint", "another"), file)
  for (change in list(truncate, empty, other)) {
    damage("manifest.rds", change)
    expect_refused("checkpoint", {
      run_in("bad")
    })
  }
  for (change in list(truncate, flip, empty, other, edited)) {
    damage("sums-1-6.rds", change)
    expect_refused("checkpoint", {
      run_in("bad")
    })
  }
  damage("sums-1-6.rds", function(file) file.rename(file, "bad/sums-1-4.rds"))
  expect_error(run_in("bad"), class = "sparserls_error_checkpoint")
  damage("manifest.rds", identity)
  expect_error(run_in("bad", count = 8), class = "sparserls_error_checkpoint")
  expect_identical(run_in("bad"), expected)
})

test_that("a folder that goes away ends the run", {
  local_folder()
  checkpoint <- open_checkpoint("here", problem)
  unlink("here", recursive = TRUE)
  expect_refused("checkpoint", {
    map_chunks(3, draws_of_chunk, list(), sum_of_draws, map_run(checkpoint))
  })
})
