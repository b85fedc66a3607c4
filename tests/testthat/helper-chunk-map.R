# Work on chunks for tests of the map: functions of base R alone, as they travel to workers.

map_run <- function(checkpoint = NULL, pass = "sums") {
  list(label = "pass 1 of 1", progress = FALSE, checkpoint = checkpoint, pass = pass)
}

# Numbers of very different size, so that every other order of sums has other bits.
draws_of_chunk <- function(payload, i) {
  set.seed(i)
  list(sums = list(stats::rnorm(4) * 10^stats::runif(4, -8, 8)), chunks = i, rows = i)
}

sum_of_draws <- function(a, b) {
  list(sums = Map(`+`, a$sums, b$sums), chunks = c(a$chunks, b$chunks), rows = a$rows + b$rows)
}

environment(draws_of_chunk) <- environment(sum_of_draws) <- baseenv()

map_draws <- function(count, ..., work = draws_of_chunk) {
  map_chunks(count, work, list(...), sum_of_draws, map_run())
}

skip_without_workers <- function() {
  skip_on_cran()
  skip_if_not_installed("future")
}
