# Chunks of delimited text: ranges of bytes that begin and end at line ends (`ranges`: file, from
# and to, counted from 0, `to` not included; Inf in a compressed file, which is one range). Each is
# read by fread() behind the line that names the columns of its file (`headers`). fread() repairs
# and skips what it does not understand: here a chunk must have as many rows as lines, and whatever
# fread() warns of is an error.

# Arguments of fread() that leave one row to each line and one column to each name.
text_arguments <- c("sep", "dec", "quote", "na.strings", "strip.white", "encoding", "colClasses",
                    "header", "col.names", "nThread")

check_text_arguments <- function(...) {
  given <- list(...)
  bad <- setdiff(names(given) %||% rep("", length(given)), text_arguments)
  must(!length(bad), "chunks",
       if (bad[1] == "") "Too many unnamed arguments."
       else sprintf("`%s` cannot be given to chunks_files().", bad[1]), NULL,
       sprintf("These arguments of fread() may be given: %s.", enumerate(text_arguments, 20)))
  modifyList(list(header = TRUE, dec = ".", quote = "\"", na.strings = "NA",
                  strip.white = TRUE, encoding = "UTF-8", nThread = 1L), given)
}

# `fread`: the arguments that all chunks are read with. `classes`: by columns, of those whose class
# fread() is told.
text_source <- function(files, rows, key, groups, ...) {
  given <- check_text_arguments(...)
  check_flag(given$header, "header")
  check_installed("data.table", "Reading text")
  files$packed <- vapply(files$path, is_packed, NA)
  heads <- lapply(seq_len(nrow(files)), function(f) text_head(files[f, ], given$header))
  given$sep <- given$sep %||% guess_separator(heads[[1]]$first)
  source <- list(files = files, header = given$header, fread = c(
    given[setdiff(names(given), c("header", "col.names", "colClasses"))],
    list(integer64 = "double", data.table = FALSE, showProgress = FALSE)))
  heads <- Map(named_head, heads, files$path, list(source), list(given$col.names))
  columns <- heads[[1]]$columns
  for (f in seq_along(heads)) same_columns(heads[[f]]$columns, columns, files$path[f])
  if (!is.null(groups)) check_key(groups, columns, "`groups`")
  source$headers <- joined(heads, "header")
  first <- typed_head(source, heads[[1]]$body, given$colClasses)
  source$classes <- unlist(lapply(first, text_class))
  ranges <- Map(file_ranges, seq_along(heads), heads, list(source), rows, list(groups))
  source$ranges <- do.call(rbind, ranges)
  file_source(source, "text", key, text_chunk, text_label, text_row_label, first)
}

guess_separator <- function(line) {
  line <- gsub("\"[^\"]*\"", "", line, useBytes = TRUE)
  Find(function(sep) grepl(sep, line, fixed = TRUE, useBytes = TRUE),
       c("\t", ";", ",", "|", " ")) %||% ","
}

# The head of a file (of text_head()) with the names of its columns, and the line that says them.
named_head <- function(head, path, source, names) {
  read <- c(list(text = paste0(head$first, "\n"), header = source$header),
            replace(source$fread, "na.strings", NULL))
  columns <- names(reading(path, do.call(data.table::fread, read)))
  if (!is.null(names)) {
    must(is.character(names) && length(names) == length(columns) && !anyNA(names) &&
           all(nzchar(names)), "chunks",
         sprintf("`col.names` must be %d names.", length(columns)), c(path, shown(names)))
    columns <- names
  }
  quote <- source$fread$quote
  header <- if (source$header && is.null(names)) head$first
            else paste0(quote, columns, quote, collapse = source$fread$sep)
  c(head, list(columns = columns, header = header))
}

# The rows in the head of the first file: they say the types.
typed_head <- function(source, body, classes) {
  found <- parse_lines(source, 1L, without_blank_end(body), NULL, classes)
  label <- source$files$path[1]
  refuse_lines(found, label, function(line) sprintf("line %d of %s", source$header + line, label))
  rows <- plain_frame(found$data)
  whole <- vapply(rows, is.integer, NA)
  rows[whole] <- lapply(rows[whole], as.double)
  rows
}

# Numbers, dates and times are recognized, not requested: fread() warns where it does not take a
# value for a number, and would turn one that is not a date into NA or truncate it.
text_class <- function(x) {
  if (is.factor(x)) "factor" else switch(column_kind(x), logical = "logical", text = "character")
}

# The ranges of file f, of about so many rows each. groups: a column whose runs of equal values are
# not cut, or NULL.
file_ranges <- function(f, head, source, rows, groups) {
  file <- source$files[f, ]
  bounds <- c(head$start, Inf)
  if (!file$packed) {
    con <- base::file(file$path, "rb")
    on.exit(close(con))
    end <- if (length(head$columns) > 1) text_end(con, file$size) else file$size
    size <- end - head$start
    n <- max(1, round(size / (rows * length(head$body) / count_lines(head$body))))
    cuts <- head$start + floor(seq_len(n - 1) * (size / n))
    cuts <- vapply(cuts, next_line, 0, con = con)
    bounds <- unique(c(head$start, cuts[cuts < end], end))
  }
  if (!is.null(groups)) {
    cuts <- bounds[-c(1, length(bounds))]
    ends <- vapply(cuts, run_end, 0, con = con, source = source, f = f, groups = groups)
    last <- bounds[length(bounds)]
    bounds <- unique(c(bounds[1], pmin(cummax(ends), last), last))
  }
  data.frame(file = f, from = bounds[-length(bounds)], to = bounds[-1])
}

# Where the last line that is not blank ends. (With one column a blank line is a missing value.)
text_end <- function(con, size) {
  from <- max(0, size - 2^16)
  seek(con, from)
  from + length(without_blank_end(readBin(con, "raw", size - from)))
}

# The first line that begins at byte `at` or behind.
next_line <- function(at, con) {
  seek(con, at - 1)
  readLines(con, 1, warn = FALSE)
  seek(con)
}

# Where the first line begins whose group is not that of the line at byte `at`; or the end.
run_end <- function(at, con, source, f, groups) {
  group <- NULL
  repeat {
    seek(con, at)
    bytes <- whole_lines(con)
    found <- parse_lines(source, f, bytes, groups, "character")$data[[1]]
    if (!length(found)) return(at)
    if (is.null(group)) group <- found[1]
    other <- which(!found %in% group)[1]
    if (!is.na(other)) return(at + c(0, line_ends(bytes))[other])
    at <- at + length(bytes)
  }
}

# ---- bytes ---------------------------------------------------------------------------------------

newline <- as.raw(10)

byte_order_mark <- as.raw(c(0xEF, 0xBB, 0xBF))

line_ends <- function(bytes) grepRaw(newline, bytes, fixed = TRUE, all = TRUE)

# A last line without a line end counts too.
count_lines <- function(bytes) {
  length(line_ends(bytes)) + (length(bytes) > 0 && bytes[length(bytes)] != newline)
}

is_packed <- function(path) {
  con <- reading(path, base::file(path, "r"))
  on.exit(close(con))
  summary(con)$class != "file"
}

# The first line of a file as a string and the lines behind it (behind the header, if it has one) as
# bytes, some of them or `all`; start: how many bytes are before those.
text_head <- function(file, header, all = FALSE) {
  con <- reading(file$path, gzfile(file$path, "rb"))
  on.exit(close(con))
  bytes <- reading(file$path, whole_lines(con, all))
  end <- min(line_ends(bytes), length(bytes))
  first <- bytes[seq_len(end)]
  must(!any(first == as.raw(0)), "chunks", "A file cannot be read as text.",
       c(file$path, "its first line has zeros"),
       "Text must be in UTF-8 or an encoding of one byte, not in UTF-16.")
  # A byte order mark, which fread() skips before a header.
  start <- if (header) end else if (identical(first[1:3], byte_order_mark)) 3 else 0
  body <- bytes[seq_along(bytes) > start]
  if (length(without_blank_end(body)) == 0) empty_file(file$path)
  list(first = rawToChar(without_blank_end(first)), start = start, body = body)
}

# From where the connection is, two lines at least if there are.
whole_lines <- function(con, all = FALSE) {
  bytes <- raw()
  repeat {
    block <- max(2^18, length(bytes))
    more <- readBin(con, "raw", block)
    bytes <- c(bytes, more)
    if (length(more) < block) return(bytes)
    ends <- if (!all) line_ends(bytes)
    if (length(ends) > 1) return(bytes[seq_len(max(ends))])
  }
}

# gzfile() does not say that a file was cut off: it ends within a line.
packed_bytes <- function(file, header) {
  bytes <- text_head(file, header, all = TRUE)$body
  must(bytes[length(bytes)] == newline, "chunks", "A compressed file ends within a line.",
       file$path, "It was cut off; if not, add a line end.")
  bytes
}

range_bytes <- function(path, from, to) {
  con <- base::file(path, "rb")
  on.exit(close(con))
  seek(con, from)
  readBin(con, "raw", to - from)
}

without_blank_end <- function(bytes) {
  kept <- length(bytes)
  while (kept > 0 && bytes[kept] %in% as.raw(c(10, 13))) kept <- kept - 1
  bytes[seq_len(kept)]
}

# ---- rows ----------------------------------------------------------------------------------------

text_chunk <- function(source, i, columns) {
  range <- source$ranges[i, ]
  file <- source$files[range$file, ]
  label <- text_label(source, i)
  check_file(file, label)
  bytes <- reading(label, if (file$packed) packed_bytes(file, source$header)
                          else range_bytes(file$path, range$from, range$to))
  if (file$packed && length(source$kinds) > 1) bytes <- without_blank_end(bytes)
  columns <- columns %||% names(source$kinds) # not those of class "NULL"
  found <- parse_lines(source, range$file, bytes, columns, source$classes)
  numbers <- names(found$data)[source$kinds[names(found$data)] %in% "number"]
  found$data[numbers] <- lapply(found$data[numbers], as_numbers)
  # What is not of its type conform() says better.
  kinds <- vapply(found$data, column_kind, "")
  other <- any(kinds != source$kinds[names(kinds)], na.rm = TRUE)
  if (!other || !is.null(found$line)) {
    refuse_lines(found, label, function(line) text_row_label(source, i, line))
  }
  found$data
}

# Numbers are double in all chunks, and so are those that fread() takes for text: those of 20
# digits, below 1e-308, or in hexadecimal.
as_numbers <- function(x) {
  numbers <- suppressWarnings(as.double(x))
  are <- is.numeric(x) || (is.character(x) && !anyNA(numbers[!x %in% c(NA, "")]))
  if (are) numbers else x
}

# Lines of file f as a data frame, `data`; what fread() `said`; and the first `line` that is
# malformed, where something was said. columns: those wanted, NULL for all.
parse_lines <- function(source, f, bytes, columns, classes) {
  said <- NULL
  file <- tempfile("chunk", fileext = ".txt")
  on.exit(unlink(file))
  reading(file, write_lines(file, source$headers[f], bytes))
  read <- list(file = file, header = TRUE, colClasses = classes, select = columns)
  data <- tryCatch(withCallingHandlers(
    do.call(data.table::fread, c(read, source$fread)),
    warning = function(w) {
      said <<- c(said, conditionMessage(w))
      invokeRestart("muffleWarning")
    }
  ), error = function(e) {
    said <<- c(said, conditionMessage(e))
    NULL
  })
  if (length(grepRaw(as.raw(0), bytes, fixed = TRUE))) said <- c("there are zero bytes", said)
  if (!identical(nrow(data), count_lines(bytes))) said <- c(said, "there are more lines than rows")
  list(data = data, said = said, line = if (length(said)) malformed_line(file, source$fread))
}

# For fread(): of a string the bytes would be copied twice, which takes longer than reading.
write_lines <- function(path, first, bytes) {
  con <- base::file(path, "wb")
  on.exit(close(con))
  writeBin(c(charToRaw(first), newline), con)
  writeBin(bytes, con)
  if (length(bytes) && bytes[length(bytes)] != newline) writeBin(newline, con)
}

# The first line with other than the fields of the header: its number, the header not counted, and
# in words what is wrong; NULL if there is none.
malformed_line <- function(file, fread) {
  fields <- tryCatch(
    count.fields(file, fread$sep, fread$quote, blank.lines.skip = FALSE, comment.char = ""),
    error = function(e) NULL, warning = function(w) NULL
  )
  wrong <- which(is.na(fields) | fields != fields[1])[1]
  if (!is.na(wrong)) list(
    number = wrong - 1, text = readLines(file, wrong, warn = FALSE)[wrong],
    wrong = if (is.na(fields[wrong])) "a quote is not closed"
            else sprintf("it has %d fields where %d are expected", fields[wrong], fields[1])
  )
}

# found: of parse_lines(); label: of its chunk, row_label: a function of the number of a line.
refuse_lines <- function(found, label, row_label) {
  if (is.null(found$said)) return()
  remedy <- paste("One record is one line, with as many fields as the header has names;",
                  "`sep`, `quote` and `colClasses` say how they are read.")
  line <- found$line
  must(!is.null(line), "chunks", "Text cannot be read.", c(label, found$said[1]), remedy)
  text <- iconv(line$text, "UTF-8", "UTF-8", sub = "byte")
  abort("chunks", "A line is malformed.",
        c(row_label(line$number), sprintf("the line is: %s", cut_short(text, 60)), line$wrong),
        remedy)
}

text_label <- function(source, i) {
  range <- source$ranges[i, ]
  path <- source$files$path[range$file]
  if (sum(source$ranges$file == range$file) == 1) path
  else sprintf("bytes %.0f-%.0f of %s", range$from + 1, range$to, path)
}

# Lines are counted when they are asked for only.
text_row_label <- function(source, i, row) {
  range <- source$ranges[i, ]
  path <- source$files$path[range$file]
  con <- gzfile(path, "rb")
  on.exit(close(con))
  blocks <- diff(unique(c(seq(0, range$from, 2^20), range$from)))
  before <- vapply(blocks, function(n) length(line_ends(readBin(con, "raw", n))), 0L)
  sprintf("line %.0f of %s", sum(before) + row, path)
}

# ---- chunks of files, text or Parquet ------------------------------------------------------------

#' @rdname chunks
#' @export
chunks_files <- function(paths, rows = 50000, key = NULL, ..., groups = NULL) {
  files <- check_paths(paths)
  must(is_number(rows) && rows >= 1, "chunks", "`rows` must be a number of at least 1.",
       shown(rows))
  parquet <- grepl("[.](parquet|pq)$", files$path, ignore.case = TRUE)
  if (!any(parquet)) return(text_source(files, rows, key, groups, ...))
  must(all(parquet), "chunks", "`paths` must be all Parquet or all text.",
       c(files$path[parquet][1], files$path[!parquet][1]), "Give files of one kind.")
  check_dots(...)
  must(is.null(groups), "chunks", "`groups` is for text files.", files$path[1],
       "Write one Parquet file for some groups, with all of their rows.")
  parquet_source(files, rows, key)
}
