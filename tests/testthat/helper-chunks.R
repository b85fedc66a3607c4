# Random data frames, and what they look like when they come back from a source of chunks.

chunk_frame <- function(rows, missing = 0.1) {
  text <- c("plain", "with, comma", "semi;colon", "a b", "caf\u00e9 \u017c\u0142\u0107", "x'y")
  d <- data.frame(number = round(rnorm(rows), 6), count = sample(1e6, rows),
                  flag = runif(rows) < 0.5, word = sample(text, rows, TRUE))
  for (name in names(d)) d[[name]][runif(rows) < missing] <- NA
  d[1:2, ] <- list(c(0.5, -1), 1:2, c(TRUE, FALSE), text[1:2])
  d
}

bound_rows <- function(source) {
  do.call(rbind, lapply(seq_len(chunk_count(source)), function(i) read_chunk(source, i)))
}

# The rows of all chunks are d's; integers may have become double.
expect_rows <- function(source, d) {
  found <- bound_rows(source)
  expect_identical(class(found), "data.frame")
  expect_equal(found, d, tolerance = 1e-15)
}

# Lines as they stand in a file of text, in any locale: write.table() escapes what is not in it.
text_lines <- function(d, sep = ",") {
  quoted <- function(x) ifelse(is.na(x), NA, paste0("\"", gsub("\"", "\"\"", x), "\""))
  fields <- lapply(d, function(x) if (is.character(x)) quoted(x) else as.character(x))
  c(paste(quoted(names(d)), collapse = sep), do.call(paste, c(unname(fields), sep = sep)))
}

write_bytes <- function(lines, file = tempfile(fileext = ".csv"), eol = "\n", final = TRUE) {
  text <- paste0(paste(enc2utf8(lines), collapse = eol), if (final) eol)
  writeBin(charToRaw(text), file)
  file
}

# A table of an SQLite database, and the function that connects to it.
sqlite_with <- function(d) {
  for (package in c("DBI", "RSQLite")) skip_if_not_installed(package)
  base <- tempfile(fileext = ".sqlite")
  connect <- function() DBI::dbConnect(RSQLite::SQLite(), base)
  connection <- connect()
  DBI::dbWriteTable(connection, "rows", d)
  DBI::dbDisconnect(connection)
  connect
}

# Rows in memory as chunks, one for each vector of row numbers in `pieces`.
as_chunks <- function(data, pieces, key = NULL, change = identity) {
  chunks_function(length(pieces), function(i) change(data[pieces[[i]], , drop = FALSE]), key = key)
}

# The value of a fit to chunks, with all rows that were named as its basis, redundant ones too.
with_named_basis <- function(code) {
  dropped <- character()
  value <- withCallingHandlers(suppressMessages(code), sparserls_warning_basis = function(w) {
    dropped <<- strsplit(sub("^rows? ", "", w$given), ", ")[[1]]
    invokeRestart("muffleWarning")
  })
  list(value = value, basis = c(value$fit$basis, as.integer(setdiff(dropped, "..."))),
       known = !any(grepl("...", dropped, fixed = TRUE)))
}

expect_same_cv <- function(chunked, memory, data, tolerance = 1e-9) {
  scale <- max(memory$cvm)
  expect_lt(max(abs(chunked$cvm - memory$cvm)) / scale, tolerance)
  expect_lt(max(abs(chunked$cvsd - memory$cvsd)) / scale, tolerance)
  expect_identical(chunked$index, memory$index)
  s <- chunked$lambda.min
  ours <- quiet(predict(chunked, data, s = s))
  theirs <- quiet(predict(memory, data, s = s))
  expect_lt(max(abs(ours - theirs)) / max(abs(theirs)), 1e-8)
  expect_equal(chunked$fit$df, memory$fit$df, tolerance = 1e-8)
  expect_equal(chunked$fit$dev.ratio, memory$fit$dev.ratio, tolerance = 1e-8)
}

# cv.sparserls() of chunks and of the same rows in memory, NULL where the basis is not known.
both_ways <- function(data, pieces, arguments, chunks = as_chunks(data, pieces),
                      size = sample(5:20, 1)) {
  arguments <- Filter(Negate(is.null), arguments)
  found <- with_named_basis(do.call(cv.sparserls, c(arguments, list(
    data = chunks, basis = basis_random(size)
  ))))
  if (!found$known) return(NULL)
  if (length(arguments$kernel$gamma) < 2) arguments$kernel <- found$value$kernel
  memory <- quiet(do.call(cv.sparserls, c(arguments, list(data = data, basis = I(found$basis)))))
  expect_same_cv(found$value, memory, data)
  expect_identical(found$value$nfolds, memory$nfolds)
}
