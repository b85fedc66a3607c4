# By what the rows of a fit are known again, where they are given or made anew.

# A number for each coded row, in which all its columns have their part, whatever their units, and
# the units, too: a column in metres has other marks than in feet.
row_marks <- function(x) {
  moments <- column_moments(x, rep(1, nrow(x)))
  size <- pmax(abs(moments$centre), moments$sd, .Machine$double.xmin)
  share <- cos(seq_len(ncol(x)))
  as.vector(x %*% (share / size)) + sum(share * log(size))
}

# Whether coded rows have these marks, but for rounding: products of sparse rows add up differently.
have_marks <- function(x, marks) {
  nrow(x) == length(marks) && isTRUE(max(abs(row_marks(x) - marks)) <= 1e-9 * max(abs(marks)))
}
