# The tree from its definition: halves at the largest power of two below the number of chunks.
sum_from_definition <- function(first, last) {
  if (first == last) return(draws_of_chunk(NULL, first))
  half <- 2^(ceiling(log2(last - first + 1)) - 1)
  sum_of_draws(sum_from_definition(first, first + half - 1),
               sum_from_definition(first + half, last))
}

test_that("sums are those of the tree, to the bit, whatever the size and the order of tasks", {
  for (count in c(1:17, 63:65, 127:129, 300)) {
    expect_identical(map_draws(count), sum_from_definition(1, count), info = count)
  }
  for (count in c(1:9, 16:18, 63:65)) {
    for (level in 0:min(3, root_level(count))) {
      tasks <- seq(0, ceiling(count / 2^level) - 1)
      tree <- new_tree(count, sum_of_draws)
      for (index in tasks[sample.int(length(tasks))]) {
        value <- block_value(level, index, count, function(i) draws_of_chunk(NULL, i), sum_of_draws)
        tree$add(level, index, value)
      }
      expect_identical(tree$value(), sum_from_definition(1, count), info = paste(count, level))
    }
  }
})

test_that("few values are held at a time, in the order and out of it", {
  held <- most <- 0
  value <- function(i) {
    held <<- held + 1
    most <<- max(most, held)
    list()
  }
  drop_one <- function(a, b) {
    held <<- held - 1
    list()
  }
  block_value(10, 0, 1000, value, drop_one)
  expect_lte(most, 11)
  expect_equal(held, 1)
  # four workers, whose tasks end up to four places out of turn
  held <- most <- 0
  tree <- new_tree(1000, drop_one)
  for (index in as.vector(matrix(0:999, 4)[c(3, 1, 4, 2), ])) {
    one <- value()
    tree$add(0, index, one)
  }
  expect_lte(most, 11 + 4)
  expect_equal(held, 1)
})

test_that("tasks are no larger than keeps the workers busy", {
  expect_equal(task_level(64, 0), 0)
  expect_equal(task_level(65, 1), 1)
  expect_equal(task_level(1e6, 4), 12)
  expect_equal(task_level(3, 100), 0)
})

draws_of_own <- function(payload, i) {
  x <- stats::runif(3)
  RNGkind("Wichmann-Hill")
  list(sums = list(x), rows = 1)
}
environment(draws_of_own) <- baseenv()

test_that("the user's random numbers are as before", {
  set.seed(1)
  before <- .Random.seed
  map_draws(20, work = draws_of_own)
  map_draws(20)
  expect_identical(.Random.seed, before)
  rm(".Random.seed", envir = globalenv())
  kind <- RNGkind()
  map_draws(20, work = draws_of_own)
  expect_false(exists(".Random.seed", globalenv()))
  expect_identical(RNGkind(), kind)
  set.seed(2)
})

test_that("what chunks say is said once; errors keep their class or get one", {
  expect_identical(heard(map_draws(5, work = talking)),
                   list(said = c("same", "chunk 1\n", "chunk 0\n"), error = NULL))
  expect_warning(suppressMessages(map_draws(1, work = talking)), class = "mine")
  error <- heard(map_draws(5, classed = 3, work = talking))$error
  expect_s3_class(error, "sparserls_error_x")
  expect_identical(error$given, 3)
  expect_identical(conditionMessage(error), "of the source")
  expect_refusals(stop(heard(map_draws(5, stop = 4, work = talking))$error) |
                    chunks | "Chunk 4 could not be used. .. no such file")
})

test_that("progress is a line on stderr, rewritten and ended", {
  run <- replace(map_run(), "progress", TRUE)
  lines <- capture.output(type = "message", {
    map_chunks(3, draws_of_chunk, list(), sum_of_draws, run)
  })
  shown <- strsplit(lines, "\r")[[1]][-1]
  expect_match(shown, "^pass 1 of 1: +(33|66|100) %, [0-9.]+ secs left *$")
  expect_length(shown, 3)
})

test_that("BLAS has one thread in a task and as many as before afterwards", {
  skip_if_not_installed("RhpcBLASctl")
  before <- RhpcBLASctl::blas_get_num_procs()
  withr::defer(RhpcBLASctl::blas_set_num_threads(before))
  RhpcBLASctl::blas_set_num_threads(2)
  two <- RhpcBLASctl::blas_get_num_procs()
  threads <- function(payload, i) list(threads = RhpcBLASctl::blas_get_num_procs(), rows = 1)
  environment(threads) <- baseenv()
  expect_equal(map_draws(1, work = threads)$threads, 1)
  expect_equal(RhpcBLASctl::blas_get_num_procs(), two)
  expect_error(suppressWarnings(map_draws(1, stop = 1, work = talking)))
  expect_equal(RhpcBLASctl::blas_get_num_procs(), two)
})
