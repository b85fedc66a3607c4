# The user's random numbers, and streams beside them.

# The value of code that draws random numbers of its own stream.
with_random_seed <- function(seed, code) {
  stream <- keep_random_stream()
  on.exit(stream$restore())
  set.seed(seed, "Mersenne-Twister", "Inversion", "Rejection")
  code
}

# Leaves the user's random numbers as they were, whatever is drawn until restore() is called.
keep_random_stream <- function() {
  kind <- RNGkind()
  seed <- globalenv()$.Random.seed
  list(restore = function() {
    suppressWarnings(do.call(RNGkind, as.list(kind)))
    if (is.null(seed)) rm(".Random.seed", envir = globalenv())
    else assign(".Random.seed", seed, envir = globalenv())
  })
}
