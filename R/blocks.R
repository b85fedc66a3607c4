# What all storeys need and R does not have: rows in blocks, and a few at even distances; answers of
# the core; marks of values; random numbers of a stream of their own; tables as tibbles.

# Rows in blocks of about a million values.
row_blocks <- function(m, p) split_by(seq_len(m), floor(2^20 / p))

# x in parts of `size`, or one at a time.
split_by <- function(x, size) split(x, (seq_along(x) - 1) %/% max(1, size))

# At most n of the numbers 1 to m, the ends and those evenly between.
even_rows <- function(m, n) unique(round(seq(1, m, length.out = min(m, n))))

# Some rows, or columns, of a matrix or a table, which it stays.
rows_at <- function(x, rows) x[rows, , drop = FALSE]
columns_at <- function(x, columns) x[, columns, drop = FALSE]

# A field of every element of a list, joined.
joined <- function(x, field, join = c) do.call(join, unname(lapply(x, `[[`, field)))

# A value for each column of x, in every row of x.
each_row <- function(values, x) rep(values, each = nrow(x))

package_version_here <- function() getNamespaceVersion("sparserls")[[1]]

# What the numeric core answers, which must not have failed.
computed <- function(found, where = NULL) {
  stop_status(found$status, where)
  found
}

# ---- fingerprints --------------------------------------------------------------------------------
# The MD5 sum of a value, the same in every session and on every kind of machine: of its
# serialization in the form that has no short forms of vectors (version 2) and with the writing R's
# version blanked. Functions and other language count by their text (formulas with what terms() has
# added), environments not at all.

fingerprint <- function(value) {
  old <- options(scipen = 0) # how language writes its numbers
  on.exit(options(old))
  bytes <- serialize(plain(value), NULL, version = 2)
  bytes[7:10] <- as.raw(0)
  file <- tempfile("md5-")
  on.exit(unlink(file), add = TRUE)
  # On a full disk the file is cut off without an error, and its sum would be that of other bytes.
  or_null(suppressWarnings(writeBin(bytes, file)))
  must(isTRUE(file.size(file) == length(bytes)), "checkpoint",
       "A temporary file could not be written.", file, "Check the space on the disk of tempdir().")
  unname(md5sum(file))
}

plain <- function(value) {
  if (is.environment(value)) return("environment")
  if (is.function(value) || is.language(value)) {
    text <- deparse(value, control = "digits17")
    return(if (inherits(value, "formula")) list(text, lapply(attributes(value), plain))
           else c(text, oldClass(value)))
  }
  if (is.list(value)) list(lapply(unclass(value), plain), lapply(attributes(value), plain))
  else value
}

# ---- tables --------------------------------------------------------------------------------------

# What tidiers return: a tibble where the package tibble is installed, as those of other packages
# are, else a data frame. Columns keep their names, whatever these are.
as_table <- function(frame) {
  if (requireNamespace("tibble", quietly = TRUE)) {
    tibble::as_tibble(frame, .name_repair = "minimal")
  } else frame
}

# ---- random numbers ------------------------------------------------------------------------------

# The value of code that draws random numbers of its own stream.
with_random_seed <- function(seed, code) {
  stream <- keep_random_stream()
  on.exit(stream$restore())
  set.seed(seed, "Mersenne-Twister", "Inversion", "Rejection")
  code
}

# Leaves the user's random numbers as they were, whatever is drawn until restore() is called.
keep_random_stream <- function() {
  kind <- RNGkind()
  seed <- globalenv()$.Random.seed
  list(restore = function() {
    suppressWarnings(do.call(RNGkind, as.list(kind)))
    if (is.null(seed)) rm(".Random.seed", envir = globalenv())
    else assign(".Random.seed", seed, envir = globalenv())
  })
}
