# How every source of chunks is made. Its functions travel with it.

#' Chunks from a source of your own
#'
#' A source for which there is no function yet: a folder of files of another kind, a web service, an
#' archive. You say how many chunks there are and how one of them is read; what comes back works
#' wherever [chunks] do. [chunks_files()], [chunks_dbi()] and [chunks_function()] are made in the
#' same way.
#'
#' The functions are called with the source itself first, a list with the elements of `fields`, and
#' then with the number `i` of a chunk:
#'
#' * `fetch(source, i, columns)` returns the chunk as a data frame. `columns` are the names of those
#'   that are needed, `NULL` for all; others may be left out, which saves time, or returned. The
#'   same chunk must come back whenever it is read. Random numbers that are drawn are those after
#'   `set.seed(i)`.
#' * `label(source, i)` is what messages call a chunk, a string; by default `"chunk 3 of a source"`.
#' * `row_label(source, i, row)` is what they call one of its rows, by default `"row 7 of "` and the
#'   label of the chunk.
#' * `marks(source)` tells a checkpoint whether the data are still the same: strings that change
#'   with the data, with names that say what has changed (file names, for example). By default the
#'   first chunk is compared, and a run that resumes says that.
#'
#' Chunks are worked on by any worker of a [future::plan()]. The functions are sent there, with
#' `fields` and with the variables of the function that they were made in, but not with those of
#' your workspace or with packages that are attached: write `package::f()`, and put what is needed
#' into `fields`.
#'
#' What all sources share need not be written: columns are put in order and compared with those of
#' the first chunk, types too, and an error of `fetch` names the chunk.
#' @param fields a named list: what the functions need to find the chunks, for example paths.
#' @param count how many chunks there are.
#' @param fetch,label,row_label,marks functions, see below; all but `fetch` may be `NULL`.
#' @param what what the chunks are chunks of, as [print()] shows it.
#' @param key name of a column that identifies a row.
#' @param first a data frame with the columns and types of all chunks and a row at least, where it
#'   need not be the first chunk, which is read if this is `NULL`.
#' @param empty whether chunks may have no rows.
#' @param folders folders whose files are read as data: `predict(file = )` does not write there.
#' @return An object of class `sparserls_chunks`.
#' @seealso [chunks], [chunk_models] for what is done with them.
#' @section Errors: `sparserls_error_chunks` for arguments that are not as described, and the errors
#'   of [chunks] for what `fetch` returns.
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
#' chunks <- rds_chunks(paths)
#' chunks
#' cv.rls(lpsa ~ . - train, chunks, nfolds = 5, progress = FALSE)
#' unlink(paths)
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
#' @param f a function of the chunk's number, from 1 to `n`, that returns a data frame; always the
#'   same one for the same number. It is called for the first chunk when the source is made. The
#'   stream of random numbers is afterwards as it was before.
#' @export
chunks_function <- function(n, f, key = NULL) {
  must(is_count(n), "chunks", "`n` must be a whole number of at least 1.", shown(n))
  must(is.function(f) && takes_arguments(f, 1), "chunks",
       "`f` must be a function of the chunk's number.", shown(f))
  chunks_source(list(f = f), n, function_chunk, function_label, what = "a function", key = key)
}

function_chunk <- function(source, i, columns) source$f(i)

function_label <- function(source, i) sprintf("chunk %d of `f`", i)
