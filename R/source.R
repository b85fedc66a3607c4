# Sources of chunks: data frames of rows that are read one after another, or by many workers. A
# source is a small value that can be sent to a worker: where the chunks are, and the columns that
# all of them have. chunks_source() makes every one of them, those of this package and a user's, and
# its help says what a source must answer. Apart from what its kind needs its fields are
#   count      how many chunks there are
#   fetch, label, row_label, marks   functions; NULL for the defaults, all but the first
#   what       the chunks are chunks of, in words
#   empty      whether chunks may have no rows
#   folders    that are read as data
#   key        name of a column, or NULL
#   prototype  the columns, without rows; `kinds`, what may be in them
# The rest of the package asks these functions:
#   chunk_count(source)          how many chunks there are
#   read_chunk(source, i)        the i-th as a plain data frame, checked against the prototype
#   chunk_label(source, i)       the i-th in words, for messages
#   row_label(source, i, row)    one of its rows in words
#   source_marks(source, head)   by which the data are known again: strings with names in words;
#                                head: the first chunk

#' Data in chunks
#'
#' A source of chunks stands for a data frame that need not fit into memory. A formula method that
#' takes it as `data` (see [chunk_models]) reads the rows chunk by chunk. Workers must find the
#' files or the database under the same names.
#'
#' All chunks have the columns of the first one, in any order, with the same types: numbers, logical
#' values, text (character or factor), dates (for terms that convert them). Columns that are all
#' `NA` fit any type.
#'
#' @section Text files: **One record is one line**; the first line names the columns. A file is cut
#'   at line ends. A compressed file (gzip, bzip2, xz) is one chunk; its last line must have a line
#'   end.
#'
#'   Lines are read by [data.table::fread()], which keeps doubled quotes as they are. Types are
#'   those of the head of the first file; if it is misleading, give `colClasses` (numeric, logical,
#'   character, factor), for example `c(zip = "character")`. Give `na.strings` if gaps are not `NA`,
#'   or numbers are read as text. Other possible arguments are `sep` (default: by the first line),
#'   `dec`, `quote`, `strip.white`, `encoding` (UTF-8), `header` (`TRUE`), `col.names` and `nThread`
#'   (1).
#' @section Databases: Rows are ordered by `by`, which should be unique; without it, give each query
#'   an `ORDER BY`.
#' @param paths names of files, or folders that stand for their files in the order of the C locale:
#'   all text, or all Parquet (`.parquet`, `.pq`; each is one chunk, read by nanoparquet).
#' @param rows the approximate number of rows in a chunk of text. One chunk is in memory at a time.
#' @param key name of a column that identifies a row.
#' @param groups for text files: name of a column whose equal values are in consecutive rows. Files
#'   are cut between its groups, which leaving out single groups requires.
#' @param ... for text files, arguments of [data.table::fread()], see below.
#' @return An object of class `sparserls_chunks`; its `length()` is the number of chunks.
#' @section Errors: `sparserls_error_chunks` for chunks that cannot be read or have changed, columns
#'   or types that differ from the first chunk, malformed lines, and chunks without rows. The
#'   message names the chunk, in text files the line.
#' @seealso [chunks_source()] for other sources, [predict.sparserls_fit()] for `newdata` in chunks.
#' @examples
#' chunks_function(3, function(i) cars[seq(i, 50, by = 3), ])
#'
#' if (requireNamespace("data.table", quietly = TRUE)) {
#'   file <- tempfile(fileext = ".csv")
#'   write.csv(prostate, file, row.names = FALSE)
#'   print(chunks_files(file, rows = 20))
#' }
#'
#' if (requireNamespace("RSQLite", quietly = TRUE)) {
#'   base <- tempfile(fileext = ".sqlite")
#'   connect <- function() DBI::dbConnect(RSQLite::SQLite(), base)
#'   DBI::dbWriteTable(db <- connect(), "prostate", cbind(id = 1:97, prostate))
#'   DBI::dbDisconnect(db)
#'   print(chunks_dbi(connect, "SELECT * FROM prostate", by = "id", n = 4))
#' }
#' @name chunks
NULL

check_key <- function(key, columns, name = "`key`") {
  if (is.null(key)) return(NULL)
  must(is_string(key), "chunks", sprintf("%s must be the name of a column.", name), shown(key))
  check_known(key, columns, name)
  key
}

check_known <- function(names, columns, what) {
  unknown <- setdiff(names, columns)
  must(!length(unknown), "chunks", sprintf("%s is not a column of the chunks.", what),
       dQuote(unknown[1], FALSE), sprintf("The columns are %s.", enumerate(columns, 20)))
}

chunk_count <- function(source) source$count

chunk_label <- function(source, i) {
  if (is.null(source$label)) sprintf("chunk %d of %s", i, source$what) else source$label(source, i)
}

row_label <- function(source, i, row) {
  if (is.null(source$row_label)) sprintf("row %d of %s", row, chunk_label(source, i))
  else source$row_label(source, i, row)
}

# For the first chunk alone where no more can be known without reading all.
source_marks <- function(source, head) {
  if (is.null(source$marks)) return(setNames(fingerprint(head), chunk_label(source, 1)))
  marks <- or_failed(source$marks(source), "`marks` of the chunks failed.")
  must(is.character(marks) && !is.null(names(marks)) && !anyNA(marks), "chunks",
       "`marks` must return strings with names.", shown(marks))
  marks
}

# Random numbers are those after set.seed(i): the same in every pass, others in every chunk.
fetch_chunk <- function(source, i, columns = NULL) {
  data <- or_failed(with_random_seed(i, source$fetch(source, i, columns)), "Reading failed.",
                    chunk_label(source, i))
  must(is.data.frame(data), "chunks", "A chunk must be a data frame.",
       c(chunk_label(source, i), shown(data)))
  must(all(vapply(data, NROW, 0L) == .row_names_info(data, 2L)), "chunks",
       "The columns of a chunk must have as many values as it has rows.", chunk_label(source, i))
  plain_frame(data)
}

# columns: those wanted; the others are not looked at where the source can leave them out. A chunk
# without rows is a mistake, but not where chunks are ranges of values.
read_chunk <- function(source, i, columns = NULL) {
  all <- names(source$prototype)
  check_known(columns, all, "A column that is needed")
  data <- fetch_chunk(source, i, columns)
  columns <- columns %||% all
  same_columns(names(data), if (setequal(names(data), columns)) columns else all,
               chunk_label(source, i))
  must(source$empty || nrow(data), "chunks", "A chunk has no rows.", chunk_label(source, i),
       "Every chunk needs a row.")
  if (!nrow(data)) return(source$prototype[columns])
  data <- data[columns]
  data[] <- Map(conform, data, columns, list(source), i)
  data
}

# The columns and nothing else: no data.table, no tibble, no row names. 64-bit integers are double.
plain_frame <- function(data) {
  structure(lapply(data, plain_column), row.names = .set_row_names(.row_names_info(data, 2L)),
            class = "data.frame")
}

plain_column <- function(x) {
  if (inherits(x, "IDate")) return(structure(as.double(x), class = "Date"))
  if (!inherits(x, "integer64")) return(x)
  check_installed("bit64", "A column of 64-bit integers")
  as.double(x)
}

check_unique <- function(names, chunk) {
  twice <- unique(names[duplicated(names)])
  must(!length(twice), "chunks", "Columns must have different names.",
       sprintf("twice in %s: %s", chunk, enumerate(twice)))
}

# found: names of a chunk's columns, in any order.
same_columns <- function(found, expected, label) {
  check_unique(found, label)
  missing <- setdiff(expected, found)
  new <- setdiff(found, expected)
  must(!length(missing) && !length(new), "chunks",
       "The columns differ from those of the first chunk.",
       c(label, if (length(missing)) sprintf("missing: %s", enumerate(missing)),
         if (length(new)) sprintf("new: %s", enumerate(new))),
       "All chunks must have the same columns, in any order.")
}

# What a column may be mixed with: its type in a word, NA where all is NA.
column_kind <- function(x) {
  if (has_levels(x)) "text"
  else if (length(dim(x))) sprintf("%s of %d columns", class(x)[1], NCOL(x))
  else if (is.logical(x)) if (all(is.na(x))) NA_character_ else "logical"
  else if (inherits(x, "Date")) "date"
  else if (inherits(x, "POSIXct")) "time"
  else if (is.numeric(x) && !is.object(x)) "number"
  else class(x)[1]
}

kind_words <- c(number = "a number", logical = "TRUE or FALSE", text = "text", date = "a date",
                time = "a time")

# A column of the type that it has in the first chunk, or an error.
conform <- function(x, name, source, i) {
  expected <- source$kinds[[name]]
  found <- column_kind(x)
  if (is.na(expected) || identical(found, expected)) return(x)
  if (is.na(found)) return(rep(source$prototype[[name]][NA_integer_], length(x)))
  plain <- is.atomic(x) && is.null(dim(x))
  row <- if (plain) first_other(x, expected) else 1L
  shown <- if (plain) dQuote(cut_short(format(x[row]), 40), FALSE) else found
  if (expected %in% names(kind_words)) expected <- kind_words[[expected]]
  abort("chunks", sprintf("The type of column `%s` differs from that in the first chunk.", name),
        c(row_label(source, i, row), sprintf("%s where %s is expected", shown, expected)),
        "All chunks must have columns of the same types. Those of text are in `colClasses`.")
}

cut_short <- function(text, most) {
  if (nchar(text) > most) paste0(substr(text, 1, most - 3), "...") else text
}

# The first value of x that is not of the kind: of text, what cannot be read as such.
first_other <- function(x, kind) {
  other <- !is.na(x)
  if (is.character(x)) {
    other <- other & x != "" & switch(kind,
      number = x %in% not_numbers(x), logical = is.na(as.logical(x)),
      date = , time = is.na(as.Date(x, optional = TRUE)), TRUE)
  }
  if (any(other)) which.max(other) else which.max(!is.na(x))
}

#' @export
length.sparserls_chunks <- function(x) chunk_count(x)

#' @export
format.sparserls_chunks <- function(x, ...) {
  paste0(counted(chunk_count(x), "chunk"), " of ", x$what, ", ",
         counted(length(x$prototype), "column"), if (!is.null(x$key)) sprintf(", key `%s`", x$key))
}

# The print says all that is known without reading.
#' @export
summary.sparserls_chunks <- function(object, ...) object

# For functions that need all rows at once.
#' @export
as.data.frame.sparserls_chunks <- function(x, ...) {
  abort("chunks", "Chunks are not a data frame.", format(x),
        paste("sparserls(), cv.sparserls(), rls() and cv.rls() take them. Elsewhere give rows in",
              "memory, the `sample` of chunks_survey() for instance."))
}

#' @export
print.sparserls_chunks <- function(x, ...) print_brief(x, format(x))

# ---- how every source is made --------------------------------------------------------------------

# Its functions travel with it.

#' Chunks from a source of your own
#'
#' Makes [chunks] from other kinds of files, a web service or an archive: you give the number of
#' chunks and a function that reads one.
#'
#' The functions are sent to the workers of a [future::plan()] with `fields` and the variables of
#' the function that created them, but without your workspace and attached packages: write
#' `package::f()`.
#' @param fields a named list, the first argument of all functions.
#' @param count how many chunks there are.
#' @param fetch `function(source, i, columns)` that returns chunk `i` as a data frame, the same
#'   whenever it is read, at least with `columns` (`NULL`: all). It is called after `set.seed(i)`.
#' @param label,row_label `function(source, i)` and `function(source, i, row)`: what messages call a
#'   chunk and one of its rows.
#' @param marks `function(source)` that returns named strings that change with the data, for
#'   checkpoints; with `NULL` they compare the first chunk.
#' @param what the kind of chunks, as shown by [print()].
#' @param key name of a column that identifies a row.
#' @param first a data frame with the columns and types of all chunks; `NULL` for the first chunk.
#' @param empty whether chunks may have no rows.
#' @param folders folders whose files are read as data: `predict(file = )` does not write there.
#' @return An object of class `sparserls_chunks`.
#' @section Errors: `sparserls_error_chunks`, as in [chunks].
#' @examples
#' # one RDS file, with a data frame, for each chunk
#' rds_chunks <- function(paths, key = NULL) {
#'   chunks_source(
#'     list(paths = normalizePath(paths)), length(paths),
#'     fetch = function(source, i, columns) readRDS(source$paths[i]),
#'     label = function(source, i) source$paths[i],
#'     marks = function(source) tools::md5sum(source$paths),
#'     what = "RDS files", key = key
#'   )
#' }
#' paths <- file.path(tempdir(), sprintf("part-%d.rds", 1:3))
#' for (i in 1:3) saveRDS(prostate[seq(i, 97, by = 3), ], paths[i])
#' cv.rls(lpsa ~ . - train, rds_chunks(paths), nfolds = 5, progress = FALSE)
#' @export
chunks_source <- function(fields, count, fetch, label = NULL, row_label = NULL, marks = NULL,
                          what = "a source", key = NULL, first = NULL, empty = FALSE,
                          folders = character()) {
  own <- list(count = count, fetch = fetch, label = label, row_label = row_label, marks = marks,
              what = what, empty = empty, folders = folders)
  check_source_arguments(fields, own)
  own$count <- as.integer(count)
  own$folders <- normalizePath(folders, mustWork = FALSE)
  source <- c(fields, own)
  must(is.null(first) || is.data.frame(first), "chunks", "`first` must be a data frame.",
       shown(first))
  first <- if (is.null(first)) fetch_chunk(source, 1L) else plain_frame(first)
  must(nrow(first) || empty, "chunks", "A chunk has no rows.", chunk_label(source, 1L))
  check_unique(names(first), "the first chunk")
  structure(c(source, list(key = check_key(key, names(first)), prototype = rows_at(first, 0),
                           kinds = vapply(first, column_kind, ""))), class = "sparserls_chunks")
}

# What the functions of a source are called with.
source_functions <- list(fetch = c("source", "i", "columns"), label = c("source", "i"),
                         row_label = c("source", "i", "row"), marks = "source")

# own: the other arguments, by their names.
check_source_arguments <- function(fields, own) {
  taken <- intersect(names(fields), c(names(own), "key", "prototype", "kinds"))
  must(is.list(fields) && length(fields) == sum(nzchar(names(fields))) && !length(taken), "chunks",
       "`fields` must be a list with names, other than those that every source has.", shown(fields))
  must(is_count(own$count), "chunks", "`count` must be a whole number of at least 1.",
       shown(own$count))
  for (name in names(source_functions)) {
    f <- own[[name]]
    wanted <- source_functions[[name]]
    must((is.null(f) && name != "fetch") || (is.function(f) && takes_arguments(f, length(wanted))),
         "chunks", sprintf("`%s` must be a function(%s).", name, toString(wanted)), shown(f))
  }
  must(is_string(own$what), "chunks", "`what` must be a string.", shown(own$what))
  check_flag(own$empty, "empty")
}

# ---- chunks that a function makes ----------------------------------------------------------------

#' @rdname chunks
#' @param n number of chunks.
#' @param f a function of the chunk's number, from 1 to `n`, that returns a data frame, the same
#'   whenever it is called. It is called after `set.seed(i)`.
#' @export
chunks_function <- function(n, f, key = NULL) {
  chunks_source(list(f = f), n, function_chunk, function_label, what = "a function", key = key)
}

function_chunk <- function(source, i, columns) source$f(i)

function_label <- function(source, i) sprintf("chunk %d of `f`", i)
