# Chunks that a function makes.

#' @rdname chunks
#' @param n number of chunks.
#' @param f a function of the chunk's number, from 1 to `n`, that returns a data frame; always the
#'   same one for the same number. It is called for the first chunk when the source is made. The
#'   stream of random numbers is afterwards as it was before.
#' @export
chunks_function <- function(n, f, key = NULL) {
  if (!is_count(n)) abort("chunks", "`n` must be a whole number of at least 1.", describe(n))
  if (!is.function(f) || !takes_arguments(f, 1)) {
    abort("chunks", "`f` must be a function of the chunk's number.", describe(f))
  }
  bare <- structure(list(f = f, n = as.integer(n)), class = "function_chunks")
  first <- plain_frame(fetch_chunk(bare, 1L, NULL))
  if (nrow(first) == 0) abort("chunks", "A chunk has no rows.", chunk_label(bare, 1L))
  finish_source(bare, first, key)
}

chunk_count.function_chunks <- function(source) source$n

chunk_label.function_chunks <- function(source, i) sprintf("chunk %d of `f`", i)

source_label.function_chunks <- function(source) "a function"

# Random numbers of f are those after set.seed(i): the same in every pass, others in every chunk.
fetch_chunk.function_chunks <- function(source, i, columns) {
  data <- tryCatch(with_random_seed(i, source$f(i)), error = function(e) {
    abort("chunks", "`f` failed.", c(chunk_label(source, i), conditionMessage(e)))
  })
  if (!is.data.frame(data)) {
    abort("chunks", "`f` must return a data frame.", c(chunk_label(source, i), describe(data)))
  }
  data
}
