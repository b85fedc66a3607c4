# Lines of text as a data frame, or an error that names the line. fread() repairs and skips what it
# does not understand. Here a chunk must have as many rows as lines, and no warning except about
# types, which conform() compares; otherwise it is refused.

# The rows of chunk i, whose lines are `bytes`; only `columns` where given.
parse_chunk <- function(source, i, bytes, columns = NULL) {
  names <- names(source$prototype)
  wanted <- if (is.null(columns)) seq_along(names) else match(columns, names)
  place <- source$orders[[source$ranges$file[i]]]
  if (is.null(place)) place <- seq_along(names)
  classes <- source$classes[order(place)]
  parsed <- parse_lines(bytes, source, classes, place[wanted])
  told <- class_kinds[source$classes[wanted]]
  if (!parsed$whole || (length(parsed$said) && !any(other_types(parsed$data, told)))) {
    malformed(source, i, bytes, length(names), parsed$said)
  }
  data <- setNames(parsed$data, names[wanted])
  data[] <- lapply(data, single_quotes, bytes, source$fread$quote)
  unread <- !is.na(told) & told == "number" & vapply(data, is.character, NA)
  data[unread] <- lapply(data[unread], as_numbers, dec = source$fread$dec)
  check_text_types(data, source, i)
  data
}

# Here rather than in conform(), as text says how its columns are to be read.
check_text_types <- function(data, source, i) {
  other <- which(other_types(data, source$kinds[names(data)]))
  if (length(other) == 0) return(invisible())
  name <- names(data)[other[1]]
  x <- data[[name]]
  points <- if (is.character(x)) sub(source$fread$dec, ".", x, fixed = TRUE) else x
  row <- first_other(points, source$kinds[[name]])
  stop_type(name, source$kinds[[name]], x, row, text_row_label(source, i, row),
            sprintf("If `%s` is text, say colClasses = c(%s = \"character\").", name, name))
}

# In a quoted field two quotes stand for one; fread() leaves both. x: a column, with a value for
# every line of `bytes`.
single_quotes <- function(x, bytes, quote) {
  twice <- strrep(quote, 2)
  if (quote == "" || !has_levels(x)) return(x)
  if (is.factor(x)) {
    if (!any(grepl(twice, levels(x), fixed = TRUE, useBytes = TRUE))) return(x)
    values <- single_quotes(as.character(x), bytes, quote)
    return(factor(values, unique(values[!is.na(values)])))
  }
  at <- grep(twice, x, fixed = TRUE, useBytes = TRUE)
  if (length(at) == 0) return(x)
  lines <- strsplit(rawToChar(bytes), "\n", fixed = TRUE, useBytes = TRUE)[[1]][at]
  quoted <- mapply(grepl, paste0(quote, x[at], quote), lines, fixed = TRUE, useBytes = TRUE)
  at <- at[quoted]
  encodings <- Encoding(x[at])
  x[at] <- gsub(twice, quote, x[at], fixed = TRUE, useBytes = TRUE)
  Encoding(x[at]) <- encodings
  x
}

# fread() leaves numbers that are too large for it as text. x itself where not all are numbers.
as_numbers <- function(x, dec) {
  numbers <- suppressWarnings(as.numeric(sub(dec, ".", x, fixed = TRUE)))
  if (any(is.na(numbers) & !is.na(x) & nzchar(x))) x else numbers
}

# classes: of all columns of the file; places: those wanted, in this order. Made-up names come
# first, so that a blank line is no beginning. whole: every line is a row of these columns.
parse_lines <- function(bytes, source, classes, places) {
  made_up <- paste0("V", seq_along(classes))
  said <- NULL
  file <- tempfile("chunk", fileext = ".txt")
  on.exit(unlink(file))
  reading(file, write_lines(file, paste(made_up, collapse = source$fread$sep), bytes))
  data <- tryCatch(withCallingHandlers({
    if (length(grepRaw(as.raw(0), bytes, fixed = TRUE))) stop("zero bytes")
    do.call(data.table::fread, c(list(file = file, header = TRUE, colClasses = classes,
                                      select = places), source$fread))
  }, warning = function(w) {
    said <<- c(said, conditionMessage(w))
    invokeRestart("muffleWarning")
  }), error = function(e) {
    said <<- c(said, conditionMessage(e))
    NULL
  })
  whole <- identical(names(data), made_up[places]) && nrow(data) == count_lines(bytes) &&
    !any(vapply(data, is_unfinished, NA))
  list(data = data, whole = whole, said = said)
}

# For fread(): of a string the bytes would be copied twice, which takes longer than reading.
write_lines <- function(path, first, bytes) {
  con <- file(path, "wb")
  on.exit(close(con))
  writeBin(c(charToRaw(first), newline), con)
  writeBin(bytes, con)
  if (length(bytes) && bytes[length(bytes)] != newline) writeBin(newline, con)
}

# A quote that the last line opens and does not close has the end of the line in it.
is_unfinished <- function(x) {
  last <- x[length(x)]
  (is.character(x) || is.factor(x)) && !is.na(last) &&
    grepl("\n", last, fixed = TRUE, useBytes = TRUE)
}

# kinds: those that were told, NA for none.
other_types <- function(data, kinds) {
  found <- vapply(data, column_kind, "")
  !is.na(kinds) & !is.na(found) & found != kinds
}

# said: fread()'s own words.
malformed <- function(source, i, bytes, p, said) {
  line <- first_malformed(source, bytes, p)
  must(!is.null(line), "chunks", "Text cannot be read.", c(text_label(source, i), said[1]),
       malformed_remedy)
  abort("chunks", "A line is malformed.",
        c(text_row_label(source, i, line$number), shown_line(line$bytes),
          what_is_wrong(line$bytes, source$fread, p)), malformed_remedy)
}

malformed_remedy <- paste("One record is one line, with as many fields as the header has names;",
                          "`sep` and `quote` say how they are separated and quoted.")

# By bisection: the first lines up to its predecessor can be read, up to it they cannot.
first_malformed <- function(source, bytes, p) {
  ends <- unique(c(line_ends(bytes), length(bytes)))
  readable <- function(lines) {
    parsed <- parse_lines(bytes[seq_len(ends[lines])], source, rep("character", p), seq_len(p))
    parsed$whole && is.null(parsed$said)
  }
  good <- 0
  bad <- length(ends)
  if (readable(bad)) return(NULL)
  while (bad - good > 1) {
    middle <- (good + bad) %/% 2
    if (readable(middle)) good <- middle else bad <- middle
  }
  from <- if (bad == 1) 1 else ends[bad - 1] + 1
  list(number = bad, bytes = without_blank_end(bytes[from:ends[bad]]))
}

# Bytes that are no characters are shown as such.
shown_line <- function(bytes) {
  text <- rawToChar(bytes[bytes != as.raw(0)])
  text <- iconv(text, if (validUTF8(text)) "UTF-8" else "ASCII", "UTF-8", sub = "byte")
  sprintf("the line is: %s", if (nzchar(text)) cut_short(text, 60) else "(blank)")
}

what_is_wrong <- function(bytes, fread, p) {
  if (any(bytes == as.raw(0))) return("it has bytes that are zero")
  quotes <- if (nzchar(fread$quote)) sum(bytes == charToRaw(fread$quote)) else 0
  if (quotes %% 2 == 1) return("a quote is not closed")
  fields <- length(scan(text = rawToChar(bytes), what = "", sep = fread$sep, quote = fread$quote,
                        quiet = TRUE, comment.char = ""))
  if (fields != p) sprintf("it has %d fields where %d are expected", fields, p)
}

text_label <- function(source, i) {
  range <- source$ranges[i, ]
  path <- source$files$path[range$file]
  if (sum(source$ranges$file == range$file) == 1) return(path)
  sprintf("bytes %.0f-%.0f of %s", range$from + 1, range$to, path)
}

# Lines are counted when they are asked for only.
text_row_label <- function(source, i, row) {
  range <- source$ranges[i, ]
  file <- source$files[range$file, ]
  before <- if (is.na(range$from)) as.numeric(source$header) else lines_before(file, range$from)
  sprintf("line %.0f of %s", before + row, file$path)
}

# Dates and times are recognized, not requested: fread() would turn a value that is not a date into
# NA or truncate it.
class_kinds <- c(double = "number", logical = "logical", character = "text", factor = "text")
