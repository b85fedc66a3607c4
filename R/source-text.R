# Chunks of delimited text: ranges of bytes that begin and end at line ends (`ranges`: file, from
# and to, counted from 0, `to` not included; NA in a compressed file, which is one range).

# Arguments of fread() that leave one row to each line and one column to each name.
text_arguments <- c("sep", "dec", "quote", "na.strings", "strip.white", "encoding", "colClasses",
                    "header", "col.names", "nThread")

check_text_arguments <- function(...) {
  given <- list(...)
  bad <- if (length(given) && is.null(names(given))) "" else setdiff(names(given), text_arguments)
  must(!length(bad), "chunks",
       if (bad[1] == "") "Too many unnamed arguments."
       else sprintf("`%s` cannot be given to chunks_files().", bad[1]), NULL,
       sprintf("Of fread()'s arguments these may be given: %s.", enumerate(text_arguments, 20)))
  header <- given$header
  must(is.null(header) || isTRUE(header) || isFALSE(header), "chunks",
       "`header` must be TRUE or FALSE.", shown(header))
  given
}

# `fread`: the arguments that all chunks are read with. `classes`: the colClasses, NA where unknown.
# `orders`: for each file the place of every column, NULL where they are in order.
text_source <- function(files, rows, key, groups, ...) {
  given <- check_text_arguments(...)
  check_installed("data.table", "Reading text")
  files$compression <- vapply(files$path, compression, "", USE.NAMES = FALSE)
  head <- text_head(files[1, ], header = !isFALSE(given$header))
  source <- list(files = files, header = head$header, col.names = given$col.names,
                 fread = fread_arguments(given, head))
  columns <- text_columns(head, source, files$path[1])
  check_unique(columns, files$path[1])
  source$classes <- asked_classes(given$colClasses, columns)
  first <- typed_head(head, source, columns)
  # As the head was read without being told.
  seen <- names(class_kinds)[match(vapply(first, column_kind, ""), class_kinds)]
  source$classes <- ifelse(is.na(source$classes), seen, source$classes)
  if (!is.null(groups)) check_key(groups, columns, "`groups`")
  layout <- lapply(seq_len(nrow(files)), function(f) file_layout(f, source, columns, rows, groups))
  source$ranges <- do.call(rbind, lapply(layout, `[[`, "ranges"))
  source$orders <- lapply(layout, `[[`, "order")
  file_source(source, "text", text_functions, key, first)
}

fread_arguments <- function(given, head) {
  plain <- list(sep = NULL, dec = ".", quote = "\"", na.strings = "NA", strip.white = TRUE,
                encoding = "UTF-8", nThread = 1L)
  arguments <- utils::modifyList(plain, given[setdiff(names(given), c("colClasses", "header",
                                                                      "col.names"))])
  if (is.null(arguments$sep)) arguments$sep <- guess_separator(head$first)
  c(arguments, list(integer64 = "double", data.table = FALSE, showProgress = FALSE))
}

guess_separator <- function(line) {
  line <- gsub("\"[^\"]*\"", "", line, useBytes = TRUE)
  found <- Find(function(sep) grepl(sep, line, fixed = TRUE, useBytes = TRUE),
                c("\t", ";", ",", "|", " "))
  if (is.null(found)) "," else found
}

# Names of a file's columns, in its own order.
text_columns <- function(head, source, path) {
  if (!nzchar(head$first)) empty_file(path)
  arguments <- replace(source$fread, "na.strings", NULL)
  row <- reading(path, do.call(data.table::fread, c(
    list(text = paste0(head$first, "\n"), header = FALSE, colClasses = "character"), arguments)))
  row <- lapply(row, single_quotes, charToRaw(head$first), arguments$quote)
  names <- if (head$header) unlist(row, use.names = FALSE) else rep("", length(row))
  given <- source$col.names
  if (is.null(given)) return(ifelse(names == "", paste0("V", seq_along(names)), names))
  p <- length(names)
  must(is.character(given) && length(given) == p && !anyNA(given), "chunks",
       sprintf("`col.names` must be %d names.", p),
       c(shown(given), sprintf("%s has %d columns", path, p)))
  given
}

# colClasses in any of fread()'s forms, as one for each column.
asked_classes <- function(asked, columns) {
  if (is.null(asked)) return(rep(NA_character_, length(columns)))
  if (is.list(asked)) asked <- setNames(rep(names(asked), lengths(asked)), unlist(asked))
  if (is.null(names(asked))) asked <- setNames(rep_len(asked, length(columns)), columns)
  unknown <- setdiff(names(asked), columns)
  if (length(unknown)) no_column(unknown[1], columns, "A name in `colClasses`")
  asked[asked %in% c("integer", "numeric", "integer64")] <- "double"
  bad <- setdiff(asked, names(class_kinds))
  must(!length(bad), "chunks", "`colClasses` has a class that chunks cannot have.", shown(bad[1]),
       sprintf("Classes are %s.", enumerate(c("numeric", names(class_kinds)), 10)))
  unname(asked[columns])
}

# The rows in the head of the first file: they say the types.
typed_head <- function(head, source, columns) {
  bytes <- if (length(columns) > 1) without_blank_end(head$body) else head$body
  if (length(bytes) == 0) empty_file(source$files$path[1])
  source$ranges <- data.frame(file = 1L, from = head$start, to = head$start + length(bytes))
  source$prototype <- setNames(lapply(columns, function(name) logical()), columns)
  source$kinds <- setNames(class_kinds[source$classes], columns)
  rows <- plain_frame(parse_chunk(source, 1L, bytes))
  double <- vapply(rows, is.integer, NA)
  rows[double] <- lapply(rows[double], as.double)
  rows
}

# The ranges of file f and the places of its columns. groups: a column whose runs of equal values
# are not cut, or NULL.
file_layout <- function(f, source, columns, rows, groups) {
  file <- source$files[f, ]
  head <- text_head(file, source$header)
  found <- text_columns(head, source, file$path)
  same_columns(found, columns, file$path)
  if (length(head$body) == 0) empty_file(file$path)
  bounds <- if (nzchar(file$compression)) c(NA, NA)
            else cut_file(file, head, rows, blank = length(columns) == 1)
  if (!is.null(groups) && length(bounds) > 2) {
    bounds <- group_bounds(file, bounds, source, length(columns), match(groups, found))
  }
  list(ranges = data.frame(file = f, from = bounds[-length(bounds)], to = bounds[-1]),
       order = if (!identical(found, columns)) match(columns, found))
}

# Bounds of ranges of about so many rows. Blank lines at the end are left out, but where a line is
# one value (`blank`) they are missing values.
cut_file <- function(file, head, rows, blank) {
  con <- open_text(file)
  on.exit(close(con))
  end <- if (blank) file$size else text_end(con, file$size)
  if (end <= head$start) empty_file(file$path)
  per_row <- length(head$body) / count_lines(head$body)
  n <- max(1, round((end - head$start) / (rows * per_row)))
  cuts <- head$start + floor(seq_len(n - 1) * ((end - head$start) / n))
  cuts <- vapply(cuts, next_line, 0, con = con, end = end)
  unique(c(head$start, cuts, end))
}

# Each bound within the file moves to the end of the run of equal values it falls in, in the column
# at `place` of `p`.
group_bounds <- function(file, bounds, source, p, place) {
  con <- open_text(file)
  on.exit(close(con))
  end <- bounds[length(bounds)]
  moved <- Reduce(function(last, at) {
    if (at < last) last else run_end(con, at, end, source, p, place)
  }, bounds[-length(bounds)][-1], bounds[1], accumulate = TRUE)
  unique(c(moved, end))
}

# Where the first line begins whose group is not that of the line at byte `at`; or `end`.
run_end <- function(con, at, end, source, p, place) {
  group <- NULL
  while (at < end) {
    seek(con, at)
    bytes <- head_lines(con, 2^16)
    bytes <- bytes[seq_len(min(length(bytes), end - at))]
    found <- parse_lines(bytes, source, rep("character", p), place)$data[[1]]
    starts <- c(0, line_ends(bytes))
    if (length(found) != count_lines(bytes)) return(at) # what is wrong is said when it is read
    if (is.null(group)) group <- found[1]
    other <- which(!found %in% group)
    if (length(other)) return(at + starts[other[1]])
    at <- at + length(bytes)
  }
  end
}

# The first line that begins at byte `at` or behind.
next_line <- function(at, con, end) {
  at <- at - 1
  while (at < end) {
    seek(con, at)
    bytes <- readBin(con, "raw", 4096)
    found <- grepRaw(newline, bytes, fixed = TRUE)
    if (length(found)) return(min(at + found, end))
    at <- at + length(bytes)
  }
  end
}

# Where the last line that is not blank ends.
text_end <- function(con, size) {
  while (size > 0) {
    from <- max(0, size - 4096)
    seek(con, from)
    kept <- length(without_blank_end(readBin(con, "raw", size - from)))
    if (kept > 0) return(from + kept)
    size <- from
  }
  0
}

text_chunk <- function(source, i, columns) {
  file <- source$files[source$ranges$file[i], ]
  label <- text_label(source, i)
  check_file(file, label)
  bytes <- reading(label, {
    if (nzchar(file$compression)) compressed_bytes(file, source$header)
    else range_bytes(file, source$ranges$from[i], source$ranges$to[i])
  })
  if (nzchar(file$compression) && length(source$classes) > 1) bytes <- without_blank_end(bytes)
  parse_chunk(source, i, bytes, columns)
}

text_functions <- list(
  fetch = function(source, i, columns) text_chunk(source, i, columns),
  label = function(source, i) text_label(source, i),
  row_label = function(source, i, row) text_row_label(source, i, row)
)

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
  check_dots(..., known = names(formals(chunks_files)))
  must(is.null(groups), "chunks", "`groups` is for text files.", files$path[1],
       "Write one Parquet file for some groups, with all of their rows.")
  parquet_source(files, rows, key)
}
