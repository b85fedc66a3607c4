# Chunks of Parquet files, which nanoparquet reads whole: each file is a chunk.

parquet_source <- function(files, rows, key) {
  check_installed("nanoparquet", "Reading Parquet")
  sizes <- vapply(files$path, parquet_rows, 0)
  if (any(sizes == 0)) empty_file(files$path[sizes == 0][1])
  if (max(sizes) > 10 * rows) {
    inform(sprintf(paste("Parquet files are read whole, up to %.0f rows at a time: write more and",
                         "smaller files."), max(sizes)))
  }
  file_source(list(files = files, ranges = data.frame(file = seq_len(nrow(files)))), "Parquet",
              key, parquet_chunk, parquet_label)
}

parquet_rows <- function(path) {
  as.numeric(reading(path, nanoparquet::read_parquet_info(path))$num_rows)
}

# Missing columns are reported where all columns are compared.
parquet_chunk <- function(source, i, columns) {
  file <- source$files[i, ]
  check_file(file, file$path)
  check_installed("nanoparquet", "Reading Parquet")
  reading(file$path, {
    there <- !is.null(columns) && all(columns %in% nanoparquet::read_parquet_schema(file$path)$name)
    nanoparquet::read_parquet(file$path, col_select = if (there) columns)
  })
}

parquet_label <- function(source, i) source$files$path[i]
