# Which rows: blocks that fit into memory, and a few at even distances; tables as tibbles.

# Rows in blocks of about a million values.
row_blocks <- function(m, p) {
  size <- max(1, floor(2^20 / p))
  if (m == 1) return(list(1L)) # in a tenth of the time
  split(seq_len(m), (seq_len(m) - 1) %/% size)
}

# At most n of the numbers 1 to m, the ends and those evenly between.
even_rows <- function(m, n) unique(round(seq(1, m, length.out = min(m, n))))

# What tidiers return: a tibble where the package tibble is installed, as those of other packages
# are, else a data frame. Columns keep their names, whatever these are.
as_table <- function(frame) {
  if (!requireNamespace("tibble", quietly = TRUE)) return(frame)
  tibble::as_tibble(frame, .name_repair = "minimal")
}
