# Columns and matrices of numbers as users have them: what they may be, and as the numeric core
# reads them.

is_numeric_column <- function(column) {
  is.null(dim(column)) && (!is.object(column) || inherits(column, c("AsIs", "ts"))) &&
    (is_real(column) || is.logical(column))
}

# Errors about x, z and data have the class `x`, those about newdata and y one of their own.
matrix_topic <- function(name) if (name %in% c("newdata", "y")) name else "x"

read_matrix <- function(x, name, missing_ok = FALSE, rows_ok = FALSE) {
  x <- plain_columns(if (is.data.frame(x)) as.matrix(x) else x, name)
  must(nrow(x) || rows_ok, matrix_topic(name), sprintf("`%s` has no rows.", name))
  must(ncol(x) > 0, matrix_topic(name), sprintf("`%s` has no columns.", name))
  check_finite(x, name, missing_ok)
}

# Matrices of doubles without their class, and sparse ones of one class.
plain_columns <- function(x, name) {
  if (is.matrix(x) && is.double(x) && !is.object(x)) return(x)
  if (inherits(x, "Matrix")) return(read_sparse(x, name))
  must(is.matrix(x) && (is_real(x) || is.logical(x)), matrix_topic(name),
       sprintf("`%s` must be a numeric matrix, a Matrix or a data frame.", name), shown(x),
       if (is.numeric(x) && is.null(dim(x))) {
         "A single row is x[1, , drop = FALSE], a single column as.matrix(x)."
       } else real_remedy(x))
  x <- plain_matrix(x)
  storage.mode(x) <- "double"
  x
}

# Without its class: duplicated(), `[` and others would do what the class means by them.
plain_matrix <- function(x) {
  if (!is.object(x)) return(x)
  x <- unclass(x)
  matrix(as.vector(x), nrow(x), ncol(x), dimnames = dimnames(x))
}

check_finite <- function(x, name, missing_ok = FALSE, topic = matrix_topic(name)) {
  values <- if (is.matrix(x)) x else x@x
  if (is.finite(sum(values))) return(x)
  bad <- if (missing_ok) is.infinite(values) else !is.finite(values)
  first <- which(bad)[1]
  at <- if (is.matrix(x)) arrayInd(first, dim(x))
        else c(x@i[first] + 1, findInterval(first - 1, x@p))
  column <- if (is.null(colnames(x))) at[2] else sprintf("`%s`", colnames(x)[at[2]])
  must(is.na(first), topic, sprintf("`%s` has values that are missing or not finite.", name),
       sprintf("%d of them, the first in row %d%s: %s", sum(bad), at[1],
               if (ncol(x) > 1) paste(", column", column) else "", values[first]),
       drop_gaps)
  x
}

drop_gaps <- "Drop or impute those rows; the formula interface drops missing ones by na.action."

# Any class of Matrix: dense ones become base matrices, all others CsparseMatrix
# of doubles without a special structure.
read_sparse <- function(x, name) {
  valid <- tryCatch(validObject(x), error = conditionMessage)
  must(!is.character(valid), matrix_topic(name), sprintf("`%s` is not a valid Matrix.", name),
       valid)
  if (is(x, "denseMatrix")) return(as.matrix(as(x, "dMatrix")))
  # Rows are compared by what is stored.
  drop0(as(as(as(x, "CsparseMatrix"), "dMatrix"), "generalMatrix"))
}

# Variables that are known by their levels.
has_levels <- function(x) is.factor(x) || is.character(x)

is_leveled <- function(x) has_levels(x) || is.logical(x)

check_columns <- function(columns, name, matrices_ok = FALSE) {
  fine <- vapply(columns, function(column) {
    is_numeric_column(column) || has_levels(column) ||
      (matrices_ok && is.matrix(column) && is_real(column))
  }, NA)
  if (!all(fine)) stop_column(columns[!fine][1], name)
}

stop_column <- function(column, name) {
  abort(matrix_topic(name),
        sprintf("Column `%s` of `%s` is neither numeric, logical, factor nor character.",
                names(column), name),
        shown(column[[1]]),
        if (inherits(column[[1]], "integer64")) real_remedy(column[[1]])
        else "Convert it first, for instance a date with as.numeric().")
}

# Functions of a formula, as log(), take 64-bit integers for other numbers where the package bit64
# is not loaded.
check_bits <- function(data, used, name) {
  if (isNamespaceLoaded("bit64")) return()
  for (column in intersect(used, names(data))) {
    if (inherits(.subset2(data, column), "integer64")) stop_column(data[column], name)
  }
}

# Names of a data frame's rows; NULL where they are just numbered, 1 to the number supplied.
frame_rownames <- function(frame, supplied = nrow(frame)) {
  names <- attr(frame, "row.names")
  if (!identical(names, seq_len(supplied))) names
}
