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
  write_block(replace(manifest, "version", "0.0.1"), "older/manifest.rds")
  expect_refusals({
    open_checkpoint(1, problem) | checkpoint | "`checkpoint` must be the path of one folder .. x 1"
    open_checkpoint("file", problem) | checkpoint | "`checkpoint` .. can be written .. file"
    open_checkpoint("file/below", problem) | checkpoint | "`checkpoint` .. can be written"
    open_checkpoint("other", problem) | checkpoint | "The folder of `checkpoint` .. other was begun"
  })
  expect_refusals(open_checkpoint("older", problem) | checkpoint | "begun by 0.0.1")
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
  whole <- function(file) readBin(file, "raw", 1e6)
  truncate <- function(file) writeBin(head(whole(file), file.size(file) %/% 2), file)
  empty <- function(file) writeLines(character(), file)
  other <- function(file) saveRDS(list(1), file)
  for (file in c("manifest.rds", "sums-3-0.rds")) for (change in list(truncate, empty, other)) {
    damage(file, change)
    expect_error(run_in("bad"), paste0("A file of the checkpoint is damaged, or of .*bad/", file),
                 class = "sparserls_error_checkpoint")
  }
  damage("manifest.rds", identity)
  expect_identical(run_in("bad"), expected)
})

test_that("a folder that goes away ends the run", {
  local_folder()
  checkpoint <- open_checkpoint("here", problem)
  unlink("here", recursive = TRUE)
  expect_refusals({
    map_chunks(3, draws_of_chunk, list(), sum_of_draws, map_run(checkpoint)) |
      checkpoint | "The checkpoint could not be written .. here/sums-0-0.rds .. Check the space"
  })
})

test_that("a manifest whose fields are not what they were", {
  local_folder()
  settings <- list(seed = 1L)
  data <- c(`chunk 1` = "abc")
  open <- function() open_checkpoint("here", problem, settings, data)
  open()
  good <- readRDS("here/manifest.rds")
  values <- list(NULL, NA, NA_character_, character(), list(), 1:2, "a", list(seed = "a"))
  for (field in setdiff(names(good), "settings")) for (value in values) {
    if (identical(field, "data") && identical(value, character())) next
    bad <- good
    bad[field] <- list(value)
    write_block(bad, "here/manifest.rds")
    class <- tryCatch(open(), error = function(e) class(e)[1])
    expect_identical(class, "sparserls_error_checkpoint", info = paste(field, deparse1(value)))
  }
  write_block(good, "here/manifest.rds")
  expect_identical(open()$settings, settings)
})
