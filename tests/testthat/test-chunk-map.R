# The sum over chunks is that of one fixed tree, whoever computes its parts, and when.

# The tree from its definition: halves at the largest power of two below the number of chunks.
sum_from_definition <- function(first, last) {
  if (first == last) return(draws_of_chunk(NULL, first))
  half <- 2^(ceiling(log2(last - first + 1)) - 1)
  sum_of_draws(sum_from_definition(first, first + half - 1),
               sum_from_definition(first + half, last))
}

test_that("one process sums as the tree says", {
  for (count in c(1:70, 127:130, 300)) {
    expect_identical(map_draws(count), sum_from_definition(1, count), info = count)
  }
})

test_that("sums are the same to the bit whatever the size and the order of tasks", {
  for (count in c(1:20, 63:70)) {
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
