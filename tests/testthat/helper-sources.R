# The sources of the package, where they are at hand: files beside tests/.
sources <- function(...) testthat::test_path("..", "..", ...)

# Blocks of R of an article: their header lines and code.
chunks_of <- function(file) {
  lines <- readLines(file)
  lapply(grep("^```\\{r", lines), function(start) {
    code <- lines[-seq_len(start)]
    list(header = lines[start], code = code[seq_len(match("```", code) - 1)])
  })
}

# A stored table, less the calls that ended in an error.
stored_table <- function(...) {
  d <- utils::read.csv(sources(...), comment.char = "#")
  if (is.null(d$error)) d else d[!is.na(d$error), ]
}
