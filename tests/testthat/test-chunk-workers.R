# Ends its own process as often as `deaths` says for this chunk; files in `dir` count.
mortal <- function(payload, i) {
  deaths <- payload$deaths[as.character(i)]
  tries <- seq_len(if (is.na(deaths)) 0 else deaths)
  marks <- file.path(payload$dir, paste(i, tries, recycle0 = TRUE))
  left <- marks[!file.exists(marks)]
  if (length(left) > 0) {
    file.create(left[1])
    tools::pskill(Sys.getpid(), 9)
    Sys.sleep(10)
  }
  payload$each(payload, i)
}
environment(mortal) <- baseenv()

map_mortal <- function(count, deaths) {
  dir <- withr::local_tempdir()
  map_draws(count, deaths = deaths, dir = dir, each = draws_of_chunk, work = mortal)
}

local_cluster <- function(env = parent.frame()) {
  cluster <- parallel::makePSOCKcluster(2)
  withr::defer(try(parallel::stopCluster(cluster), silent = TRUE), envir = env)
  local_plan(future::cluster, workers = cluster, env = env)
}

expect_usable <- function() expect_identical(map_draws(9), sum_in_this_process(9))

sum_in_this_process <- function(count) {
  local_plan(future::sequential)
  map_draws(count)
}

test_that("multisession: the same bits, errors with their fields, lost workers", {
  skip_without_workers()
  expected <- sum_in_this_process(24)
  local_plan(future::multisession, workers = 2)
  set.seed(1)
  before <- .Random.seed
  expect_silent(expect_identical(map_draws(24), expected))
  expect_identical(.Random.seed, before)
  expect_warning(
    expect_identical(map_mortal(24, c(`5` = 1)), expected), class = "sparserls_warning_workers"
  )
  error <- expect_error(suppressWarnings(map_mortal(4, c(`3` = 3))),
                        class = "sparserls_error_workers")
  expect_match(conditionMessage(error), "The worker of chunk 3 was lost, 3 times")
  expect_usable()
})

test_that("a cluster of the user: the same, and an error where a worker is lost", {
  skip_without_workers()
  expected <- sum_in_this_process(24)
  local_cluster()
  expect_silent(expect_identical(map_draws(24), expected))
  error <- heard(map_draws(24, classed = 12, work = talking))
  expect_s3_class(error$error, "sparserls_error_x")
  expect_identical(error$error$given, 12)
  expect_setequal(error$said, c("same", "chunk 1\n", "chunk 0\n"))
  expect_usable()
  error <- expect_error(suppressWarnings(map_mortal(24, c(`5` = 1))),
                        class = "sparserls_error_workers")
  expect_match(conditionMessage(error), "take no more tasks.*plan.. again")
})

test_that("a worker without this version of the package is refused", {
  expect_identical(run_remote(list(version = "0.0.1"))$found,
                   paste("sparserls", package_version_here()))
  error <- expect_error(answer_of(future::future(list(found = "no sparserls"))),
                        class = "sparserls_error_workers")
  expect_match(conditionMessage(error), "There is no sparserls.*set R_LIBS")
})
