# The door of sizes: of numbers between 2^-100 and 2^100 squares, fourth powers and their sums over
# rows are doubles with all their digits.

# x: by columns, a matrix, dense or sparse, or one vector; name: of the argument.
check_scale <- function(x, name) {
  size <- column_sizes(x)
  wrong <- which(size > 2^100 | (size > 0 & size < 2^-100))
  if (length(wrong) == 0) return(invisible())
  j <- wrong[1]
  column <- if (NCOL(x) == 1) sprintf("`%s`", name)
            else sprintf("Column %s of `%s`",
                         if (is.null(colnames(x))) j else sprintf("`%s`", colnames(x)[j]), name)
  abort("range", sprintf("%s is too %s.", column, if (size[j] > 1) "large" else "small"),
        sprintf("the largest absolute value is %s; it must be between 2^-100 and 2^100",
                format(size[j], digits = 3)),
        sprintf("Divide it by 1e%d.", floor(log10(size[j]))))
}

# The largest absolute value of each column.
column_sizes <- function(x) {
  if (is.null(dim(x))) return(largest_value(x))
  values <- if (is.matrix(x)) function(j) x[, j]
            else function(j) x@x[seq_len(x@p[j + 1] - x@p[j]) + x@p[j]]
  vapply(seq_len(ncol(x)), function(j) largest_value(values(j)), 0)
}
