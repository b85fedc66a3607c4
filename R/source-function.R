# Chunks that a function makes.

#' @rdname chunks
#' @param n number of chunks.
#' @param f a function of the chunk's number, from 1 to `n`, that returns a data frame; always the
#'   same one for the same number. It is called for the first chunk when the source is made. The
#'   stream of random numbers is afterwards as it was before.
#' @export
chunks_function <- function(n, f, key = NULL) {
  must(is_count(n), "chunks", "`n` must be a whole number of at least 1.", shown(n))
  must(is.function(f) && takes_arguments(f, 1), "chunks",
       "`f` must be a function of the chunk's number.", shown(f))
  chunks_source(list(f = f), n, function_functions$fetch, function_functions$label,
                what = "a function", key = key)
}

function_chunk <- function(source, i) {
  data <- or_failed(source$f(i), "`f` failed.", chunk_label(source, i))
  must(is.data.frame(data), "chunks", "`f` must return a data frame.",
       c(chunk_label(source, i), shown(data)))
  data
}

function_functions <- list(
  fetch = function(source, i, columns) function_chunk(source, i),
  label = function(source, i) sprintf("chunk %d of `f`", i)
)
