# Chunks of files, text or Parquet.

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
