# How every source of chunks is made. Its functions travel with it.

#' Chunks from a source of your own
#'
#' Makes [chunks] of files of another kind, a web service, an archive: you say how many chunks there
#' are and how one is read.
#'
#' The functions are sent to the workers of a [future::plan()] with `fields` and the variables of
#' the function that they were made in, but without your workspace and attached packages: write
#' `package::f()`.
#' @param fields a named list, the first argument of all functions.
#' @param count how many chunks there are.
#' @param fetch `function(source, i, columns)` that returns chunk `i` as a data frame, the same
#'   whenever it is read, at least with `columns` (`NULL`: all). Random numbers are those after
#'   `set.seed(i)`.
#' @param label,row_label `function(source, i)` and `function(source, i, row)`: what messages call a
#'   chunk and one of its rows.
#' @param marks `function(source)` that returns strings with names, which change with the data, for
#'   a checkpoint; with `NULL` it compares the first chunk.
#' @param what what the chunks are chunks of, as [print()] shows it.
#' @param key name of a column that identifies a row.
#' @param first a data frame with the columns and types of all chunks; `NULL` for the first chunk.
#' @param empty whether chunks may have no rows.
#' @param folders folders whose files are read as data: `predict(file = )` does not write there.
#' @return An object of class `sparserls_chunks`.
#' @section Errors: `sparserls_error_chunks`, as in [chunks].
#' @examples
#' # A data frame for each chunk, in files of R.
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
  must(length(first) > 0, "chunks", "The first chunk has no columns.")
  must(nrow(first) > 0 || empty, "chunks", "A chunk has no rows.", chunk_label(source, 1L))
  check_unique(names(first), "the first chunk")
  structure(c(source, list(key = check_key(key, names(first)), prototype = first[0, , drop = FALSE],
                           kinds = vapply(first, column_kind, ""))), class = "sparserls_chunks")
}

# What the functions of a source are called with.
source_functions <- list(fetch = c("source", "i", "columns"), label = c("source", "i"),
                         row_label = c("source", "i", "row"), marks = "source")

# own: the other arguments, by their names.
check_source_arguments <- function(fields, own) {
  must(is.list(fields) && length(fields) == sum(nzchar(names(fields))), "chunks",
       "`fields` must be a list with names.", shown(fields))
  taken <- intersect(names(fields), c(names(own), "key", "prototype", "kinds"))
  must(!length(taken), "chunks", "`fields` has a name that every source has for itself.",
       sprintf("\"%s\"", taken[1]), "Give it another one.")
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
#' @param f a function of the chunk's number, from 1 to `n`, that returns a data frame: the same one
#'   whenever it is called. Random numbers that it draws are those after `set.seed(i)`.
#' @export
chunks_function <- function(n, f, key = NULL) {
  must(is_count(n), "chunks", "`n` must be a whole number of at least 1.", shown(n))
  must(is.function(f) && takes_arguments(f, 1), "chunks",
       "`f` must be a function of the chunk's number.", shown(f))
  chunks_source(list(f = f), n, function_chunk, function_label, what = "a function", key = key)
}

function_chunk <- function(source, i, columns) source$f(i)

function_label <- function(source, i) sprintf("chunk %d of `f`", i)
