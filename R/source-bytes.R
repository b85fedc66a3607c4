# Bytes of text files, and the lines in them.

newline <- as.raw(10)

line_ends <- function(bytes) grepRaw(newline, bytes, fixed = TRUE, all = TRUE)

# A last line without a line end counts too.
count_lines <- function(bytes) {
  length(line_ends(bytes)) + (length(bytes) > 0 && bytes[length(bytes)] != newline)
}

without_blank_end <- function(bytes) {
  kept <- length(bytes)
  while (kept > 0 && bytes[kept] %in% as.raw(c(10, 13))) kept <- kept - 1
  bytes[seq_len(kept)]
}

# By the first bytes; "" for none.
compression <- function(path) {
  magic <- reading(path, readBin(path, "raw", 6))
  begins <- function(...) identical(head(magic, ...length()), as.raw(c(...)))
  if (begins(0x1f, 0x8b)) "gzip"
  else if (begins(0x42, 0x5a, 0x68)) "bzip2"
  else if (begins(0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00)) "xz"
  else ""
}

open_text <- function(file) {
  open <- if (nzchar(file$compression)) gzfile else base::file
  reading(file$path, open(file$path, "rb"))
}

# The first line of a file as a string and the lines behind it (behind the header, if it has one) as
# bytes, whole lines of about `size` bytes; start: how many bytes are before those.
text_head <- function(file, header, size = 2^18) {
  con <- open_text(file)
  on.exit(close(con))
  bytes <- reading(file$path, head_lines(con, size))
  mark <- if (identical(head(bytes, 3), as.raw(c(0xef, 0xbb, 0xbf)))) 3 else 0 # of byte order
  first <- min(line_ends(bytes), length(bytes))
  start <- if (header) first else mark
  line <- bytes[seq_len(first)]
  must(!any(line == as.raw(0)), "chunks", "A file cannot be read as text.",
       c(file$path, "its first line has zeros"),
       "Text must be in UTF-8 or an encoding of one byte, not in UTF-16.")
  line <- without_blank_end(line)
  must(length(line_ends(bytes)) > 0 || !any(line == as.raw(13)), "chunks",
       "The lines of a file end in CR alone, as on old Macs.", file$path,
       "Convert them: writeLines(readLines(file), \"converted.csv\").")
  list(first = rawToChar(line[seq_along(line) > mark]), header = header,
       start = start, body = bytes[seq_along(bytes) > start])
}

# Whole lines, two at least if there are.
head_lines <- function(con, size) {
  bytes <- raw()
  repeat {
    block <- min(max(2^18, length(bytes)), 2^26)
    more <- readBin(con, "raw", block)
    bytes <- c(bytes, more)
    if (length(more) < block) return(bytes)
    if (length(bytes) < size) next
    ends <- line_ends(bytes)
    if (length(ends) > 1) return(bytes[seq_len(max(ends))])
  }
}

# All lines behind the header of a compressed file. gzfile() does not say that one was cut off.
compressed_bytes <- function(file, header) {
  head <- text_head(file, header, Inf)
  if (!is_complete(file, head$start + length(head$body))) stop("the file is cut off")
  head$body
}

# size: what the file gave. gzip keeps it at the end of every member; bzip2 ends with a mark, at any
# bit; xz is checked by R.
is_complete <- function(file, size) {
  end <- file_end(file, 12)
  switch(file$compression,
    gzip = size %% 2^32 == kept_size(end[9:12]) ||
      any(size %% 2^32 == members_sizes(file) %% 2^32),
    bzip2 = grepl(in_bits(bzip2_end), in_bits(end), fixed = TRUE),
    xz = TRUE)
}

# Four bytes, the lowest first.
kept_size <- function(bytes) sum(as.numeric(bytes) * 256^(0:3))

# The sizes of all members of a gzip file (`cat a.gz b.gz`, or fwrite()), each of which has its own
# before the header of the next: 1f 8b 08, flags below 32, four bytes of time, a level of 0, 2 or 4
# and the number of a system (RFC 1952). In compressed bytes that comes by chance once in 10^11.
# Behind the last one a file may be padded by zeros, of which up to four belong to the size: so many
# sums are possible.
members_sizes <- function(file) {
  bytes <- file_end(file, file$size)
  at <- grepRaw(as.raw(c(0x1f, 0x8b, 0x08)), bytes, fixed = TRUE, all = TRUE)
  at <- at[at > 18 & at + 9 <= length(bytes)]
  header <- bytes[at + 3] < as.raw(32) & bytes[at + 8] %in% as.raw(c(0, 2, 4)) &
    bytes[at + 9] %in% as.raw(c(0:13, 255))
  sizes_at <- function(ends) vapply(ends, function(end) kept_size(bytes[end - 3:0]), 0)
  last <- length(bytes)
  while (bytes[last] == as.raw(0)) last <- last - 1
  sum(sizes_at(at[header] - 1)) + sizes_at(min(last + 4, length(bytes)):last)
}

bzip2_end <- as.raw(c(0x17, 0x72, 0x45, 0x38, 0x50, 0x90))

in_bits <- function(bytes) paste(as.integer(rev(rawToBits(rev(bytes)))), collapse = "")

file_end <- function(file, n) {
  con <- base::file(file$path, "rb")
  on.exit(close(con))
  seek(con, max(0, file$size - n))
  readBin(con, "raw", n)
}

range_bytes <- function(file, from, to) {
  con <- open_text(file)
  on.exit(close(con))
  seek(con, from)
  bytes <- readBin(con, "raw", to - from)
  if (length(bytes) < to - from) stop("the file is shorter than it was")
  bytes
}

lines_before <- function(file, offset) {
  con <- open_text(file)
  on.exit(close(con))
  lines <- 0
  while (offset > 0) {
    bytes <- readBin(con, "raw", min(offset, 2^20))
    if (length(bytes) == 0) break
    lines <- lines + length(line_ends(bytes))
    offset <- offset - length(bytes)
  }
  lines
}
