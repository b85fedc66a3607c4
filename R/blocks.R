# Which rows: blocks that fit into memory, and a few at even distances.

# Rows in blocks of about a million values.
row_blocks <- function(m, p) {
  size <- max(1, floor(2^20 / p))
  if (m == 1) return(list(1L)) # in a tenth of the time
  split(seq_len(m), (seq_len(m) - 1) %/% size)
}

# At most n of the numbers 1 to m, the ends and those evenly between.
even_rows <- function(m, n) unique(round(seq(1, m, length.out = min(m, n))))
