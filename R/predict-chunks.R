# Predictions of rows in chunks, one chunk after the other: no more rows than those of one chunk are
# in memory.

# at, asked: of predict() (asked_of()); predict_part: a function of object, rows in memory and
# these.
predict_chunks <- function(object, newdata, at, asked, predict_part) {
  must(is.null(asked$newoffset), "offset", "`newoffset` is for rows in memory.", NULL,
       "Fit with offset() in the formula: it is evaluated in every chunk.")
  columns <- needed_columns(final_fit(object), newdata)
  file <- asked$file
  asked["file"] <- list(NULL)
  predicted <- function(i) {
    located(chunk_label(newdata, i), {
      data <- read_chunk(newdata, i, columns)
      list(values = predict_part(object, data, at, asked), key = data[newdata$key])
    })
  }
  count <- chunk_count(newdata)
  if (!is.null(file)) {
    check_new_file(file, newdata)
    counted_outside(write_predictions(predicted, count, file, newdata$key))
    return(invisible(file))
  }
  counted_outside(bind_predictions(lapply(seq_len(count), function(i) predicted(i)$values)))
}

# Columns that the fit reads, and the key. Where its columns have no names, all.
needed_columns <- function(fit, source) {
  blueprint <- fit$blueprint
  needed <- if (blueprint$type == "terms") c(blueprint$needed, fit$offset$needed)
            else blueprint$columns
  check_present(needed, names(source$prototype))
  if (length(needed)) union(needed, source$key)
}

# Vectors and arrays by rows; factors; data frames of factors; lists of vectors or arrays.
bind_predictions <- function(parts) {
  first <- parts[[1]]
  if (is.factor(first)) return(factor(unlist(parts), levels(first)))
  if (is.data.frame(first)) return(do.call(rbind, lapply(parts, `rownames<-`, NULL)))
  if (is.list(first)) return(do.call(Map, c(function(...) bind_predictions(list(...)), parts)))
  if (is.null(dim(first))) return(unlist(lapply(parts, unname)))
  flat <- do.call(rbind, lapply(parts, flat_rows))
  array(flat, c(nrow(flat), dim(first)[-1]), c(list(NULL), column_names(first)))
}

# rows x all other dimensions.
flat_rows <- function(x) matrix(x, nrow(x), prod(dim(x)[-1]))

# For every dimension but the rows; outputs may have no names.
column_names <- function(x) {
  if (is.null(dimnames(x))) vector("list", length(dim(x)) - 1) else unname(dimnames(x)[-1])
}

# ---- files -------------------------------------------------------------------------------------

# A CSV file with a row for each row of the chunks, under another name until it is whole.
write_predictions <- function(predicted, count, file, key) {
  part <- tempfile(paste0(basename(file), "-"), dirname(file))
  on.exit(unlink(part))
  written <- function(done) {
    must(isTRUE(tryCatch(done, error = identity, warning = identity)), "argument",
         "Predictions could not be written.", file, "Check the space on the disk and the folder.")
  }
  for (i in seq_len(count)) {
    found <- predicted(i)
    table <- prediction_table(found$values)
    if (!is.null(key)) table <- cbind(found$key, table)
    written(is.null(utils::write.table(
      table, part, append = i > 1, sep = ",", qmethod = "double", row.names = FALSE,
      col.names = i == 1, fileEncoding = "UTF-8")))
  }
  written(file.rename(part, file))
}

# In a folder that is read as data, the predictions would be read as data next time.
check_new_file <- function(file, source) {
  must(is_string(file) && nzchar(file),
       "argument", "`file` must be the name of a file.", shown(file))
  must(!file.exists(file), "argument", "The `file` exists already.", file,
       "Delete it, or give another name.")
  folder <- dirname(file)
  must(!normalizePath(folder, mustWork = FALSE) %in% source$folders,
       "argument", "The folder of `file` is the source of the chunks.", folder,
       "Predictions would be read as data there: write them to another folder.")
}

# A data frame with a column for each class, or output and value of the path; of a single output at
# a single value `fit`.
prediction_table <- function(values) {
  if (is.factor(values)) return(data.frame(class = values))
  if (is.data.frame(values)) return(`rownames<-`(values, NULL))
  if (is.list(values)) {
    parts <- lapply(values, prediction_table)
    names(parts[[2]]) <- paste("se", names(parts[[2]]), sep = ".")
    return(do.call(cbind, unname(parts)))
  }
  if (is.null(dim(values))) return(data.frame(fit = unname(values)))
  labels <- Map(function(names, size) names %||% sprintf("y%d", seq_len(size)),
                column_names(values), dim(values)[-1])
  setNames(as.data.frame(flat_rows(values)),
           do.call(paste, c(expand.grid(labels, stringsAsFactors = FALSE), sep = ".")))
}
