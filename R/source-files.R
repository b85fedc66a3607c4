# Chunks of files: what text and Parquet have in common, and those of Parquet.

# path: absolute; listed: found in a folder that was named; size: in bytes, by which a file that has
# changed since is known.
check_paths <- function(paths) {
  must(is.character(paths) && length(paths) && !anyNA(paths), "chunks",
       "`paths` must be names of files.", shown(paths))
  each <- lapply(paths, files_of)
  files <- data.frame(path = normalizePath(unlist(each), mustWork = FALSE),
                      listed = rep(dir.exists(paths), lengths(each)))
  missing <- files$path[!file.exists(files$path)]
  must(!length(missing), "chunks", "There is no such file.", enumerate(missing),
       "The folder of relative names is getwd(). list.files() lists the files of a folder.")
  files$size <- file.size(files$path)
  empty <- files$path[files$size == 0]
  if (length(empty)) empty_file(enumerate(empty))
  files
}

# The files in a folder, without hidden ones and folders; otherwise the name itself.
files_of <- function(path) {
  if (!dir.exists(path)) return(path)
  all <- sort(list.files(path, full.names = TRUE), method = "radix")
  files <- all[!dir.exists(all)]
  must(length(files), "chunks", "A folder has no files.", path,
       "Files in folders below it are not looked for.")
  files
}

empty_file <- function(path) abort("chunks", "A file has no rows.", path, "Leave out empty files.")

# The file that a chunk is in is still there, and as it was.
check_file <- function(file, label) {
  must(file.exists(file$path), "chunks", "A file is missing.", label,
       "It was there when the source was made. All workers need it under the same name.")
  size <- file.size(file$path)
  must(identical(size, file$size), "chunks", "A file has changed since the source was made.",
       c(label, sprintf("%.0f bytes where %.0f are expected", size, file$size)),
       "Make the source again.")
}

# The source of chunks of these `files`, one of its fields, each a row of its field `ranges`.
file_source <- function(fields, kind, key, fetch, label, row_label = NULL, first = NULL) {
  files <- fields$files
  what <- if (nrow(files) == 1) sprintf("a %s file", kind)
          else sprintf("%d %s files", nrow(files), kind)
  chunks_source(fields, nrow(fields$ranges), fetch, label, row_label, file_marks, what, key, first,
                folders = unique(dirname(files$path[files$listed])))
}

file_marks <- function(source) {
  paths <- source$files$path
  setNames(sprintf("%.0f bytes at %.0f", file.size(paths), as.numeric(file.mtime(paths))), paths)
}

# The value of code that reads.
reading <- function(label, code) or_failed(code, "Reading failed.", label, warnings = TRUE)

# ---- Parquet -------------------------------------------------------------------------------------

# nanoparquet reads whole files: each is a chunk.

parquet_source <- function(files, rows, key) {
  check_installed("nanoparquet", "Reading Parquet")
  sizes <- vapply(files$path, function(path) {
    as.numeric(reading(path, nanoparquet::read_parquet_info(path))$num_rows)
  }, 0)
  if (any(sizes == 0)) empty_file(files$path[sizes == 0][1])
  if (max(sizes) > 10 * rows) {
    inform(sprintf(paste("Parquet files are read whole, up to %.0f rows at a time: write more and",
                         "smaller files."), max(sizes)))
  }
  file_source(list(files = files, ranges = data.frame(file = seq_len(nrow(files)))), "Parquet",
              key, parquet_chunk, parquet_label)
}

# Missing columns are reported where all columns are compared.
parquet_chunk <- function(source, i, columns) {
  file <- source$files[i, ]
  check_file(file, file$path)
  reading(file$path, {
    there <- !is.null(columns) && all(columns %in% nanoparquet::read_parquet_schema(file$path)$name)
    nanoparquet::read_parquet(file$path, col_select = if (there) columns)
  })
}

parquet_label <- function(source, i) source$files$path[i]
