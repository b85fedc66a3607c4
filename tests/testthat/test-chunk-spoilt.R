# Entries "n/a" among the numbers of the first chunk: its look says so, as in memory.

set.seed(41)
field <- data.frame(x = round(rnorm(900), 3), z = round(rnorm(900), 3), y = round(rnorm(900), 3))

# Chunks of about 300 rows, some columns written with entries of text.
chunks_with <- function(..., sep = ",") {
  d <- replace(field, names(list(...)), list(...))
  chunks_files(write_bytes(text_lines(d, sep)), rows = 300)
}
with_gaps <- function(x, at = c(40, 51), entry = "n/a") replace(as.character(x), at, entry)
survey <- function(form, chunks) invisible(chunks_survey(form, chunks, progress = FALSE))

test_that("a predictor that a few entries have turned into text is named", {
  skip_if_not_installed("data.table")
  gaps <- with_gaps(field$x)
  expect_notes({
    survey(y ~ x + z, chunks_with(x = gaps)) | message |
      "`x` is numeric except for \"n/a\": read it with na.strings"
    survey(y ~ x + z, chunks_with(x = chartr(".", ",", gaps), sep = ";")) | message |
      "`x` is numeric except for \"n/a\""
    survey(y ~ x, chunks_function(3, function(i) data.frame(x = c(1:29, "none"), y = i + 1:30))) |
      message | "`x` is numeric except for \"none\""
  })
  expect_silent(survey(y ~ z, chunks_with(x = gaps)))
  expect_silent(survey(y ~ x + z, chunks_with()))
})

test_that("of the response it is an error, as in memory", {
  skip_if_not_installed("data.table")
  expect_refusals({
    survey(y ~ x + z, chunks_with(y = with_gaps(field$y))) | y | "`y` must be numeric (a vector"
    sparserls(y ~ x + z, transform(field, y = with_gaps(y)), basis = 5) | y |
      "`y` must be numeric (a vector or a matrix), a factor or logical."
  })
})
