# Chunks of Parquet files. nanoparquet reads a file whole: a range is a file. arrow reads row
# groups: a range is a run of them (`ranges`: file, from and to, counted from 1; NA: a whole file).

parquet_source <- function(files, rows, key) {
  reader <- parquet_reader(files)
  sizes <- lapply(files$path, parquet_size, reader = reader)
  most <- max(vapply(sizes, `[[`, 0, "rows"))
  if (reader == "nanoparquet" && most > 10 * rows) {
    inform(sprintf(paste("Parquet files are read whole, up to %.0f rows at a time: write more and",
                         "smaller files, or install the package arrow."), most))
  }
  ranges <- Map(group_runs, seq_along(sizes), sizes, reader, rows, files$path)
  file_source(list(files = files, ranges = do.call(rbind, ranges), reader = reader), "Parquet",
              parquet_functions, key)
}

# arrow where it is of use. (It is not a suggestion, so that no call may name it.)
parquet_reader <- function(files) {
  there <- vapply(c("arrow", "nanoparquet"), requireNamespace, NA, quietly = TRUE)
  arrow <- there[["arrow"]]
  if (!arrow) check_installed("nanoparquet", "Reading Parquet")
  else if (!there[["nanoparquet"]]) return("arrow")
  several <- function(path) parquet_size(path, "nanoparquet")$groups > 1
  if (arrow && any(vapply(files$path, several, NA))) "arrow" else "nanoparquet"
}

# Not a suggestion, therefore not arrow::ParquetFileReader.
arrow_file <- function(path) getExportedValue("arrow", "ParquetFileReader")$create(path)

parquet_size <- function(path, reader) {
  reading(path, {
    found <- if (reader == "arrow") arrow_file(path) else nanoparquet::read_parquet_info(path)
    list(rows = as.numeric(found$num_rows), groups = as.numeric(found$num_row_groups))
  })
}

# Row groups of a file are of one size, but for the last.
group_runs <- function(f, size, reader, rows, path) {
  if (size$rows == 0) empty_file(path)
  if (reader == "nanoparquet") return(data.frame(file = f, from = NA_real_, to = NA_real_))
  run <- max(1, floor(rows * size$groups / size$rows))
  from <- seq(1, size$groups, by = run)
  data.frame(file = f, from = from, to = pmin(from + run - 1, size$groups))
}

parquet_chunk <- function(source, i, columns) {
  range <- source$ranges[i, ]
  file <- source$files[range$file, ]
  label <- parquet_label(source, i)
  check_file(file, label)
  check_installed(source$reader, "Reading Parquet")
  reading(label, {
    if (source$reader == "nanoparquet") read_whole(file$path, columns)
    else read_groups(file$path, range$from:range$to, columns)
  })
}

# Missing columns are reported where all columns are compared.
read_whole <- function(path, columns) {
  there <- !is.null(columns) && all(columns %in% nanoparquet::read_parquet_schema(path)$name)
  nanoparquet::read_parquet(path, col_select = if (there) columns)
}

read_groups <- function(path, groups, columns) {
  file <- arrow_file(path)
  places <- match(columns, file$GetSchema()$names)
  wanted <- if (!is.null(columns) && !anyNA(places)) list(places - 1L)
  as.data.frame(do.call(file$ReadRowGroups, c(list(groups - 1L), wanted)))
}

parquet_label <- function(source, i) {
  range <- source$ranges[i, ]
  path <- source$files$path[range$file]
  if (is.na(range$from)) return(path)
  sprintf("row groups %.0f-%.0f of %s", range$from, range$to, path)
}

parquet_functions <- list(
  fetch = function(source, i, columns) parquet_chunk(source, i, columns),
  label = function(source, i) parquet_label(source, i)
)
