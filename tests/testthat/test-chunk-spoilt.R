# Two entries "n/a" among the numbers of a file: the first pass says so, and where.

folder <- normalizePath(tempfile("chunks", fileext = ""), mustWork = FALSE)
dir.create(folder)
set.seed(41)
field <- data.frame(x = round(rnorm(900), 3), z = round(rnorm(900), 3), y = round(rnorm(900), 3))

# Chunks of about 100 rows, some columns written with entries of text.
chunks_with <- function(..., sep = ",", eol = "\n") {
  d <- replace(field, names(list(...)), list(...))
  file <- write_bytes(text_lines(d, sep), file.path(folder, "field.csv"), eol)
  chunks_files(file, rows = 100)
}
with_gaps <- function(x, at = c(640, 351), entry = "n/a") replace(as.character(x), at, entry)
survey <- function(form, chunks) invisible(chunks_survey(form, chunks, progress = FALSE))

test_that("a predictor that a few entries have turned into text is named, with the line", {
  skip_if_not_installed("data.table")
  gaps <- with_gaps(field$x)
  expect_notes({
    survey(y ~ x + z, chunks_with(x = gaps)) | message |
      "`x` is numeric except for \"n/a\" (first in line 352 of "
    survey(y ~ x + z, chunks_with(x = gaps, z = with_gaps(field$z, 1:3, c("?", "unknown", ".")))) |
      message |
      "`x` is numeric except for \"n/a\" (first in line 352 of "
    survey(y ~ x + z, chunks_with(x = chartr(".", ",", gaps), sep = ";", eol = "\r\n")) | message |
      "`x` is numeric except for \"n/a\" (first in line 352 of "
    survey(y ~ x, chunks_function(3, function(i) data.frame(x = c(1:9, "none"), y = i + 1:10))) |
      message |
      "`x` is numeric except for \"none\" (first in row 10 of chunk 1 of `f`): read it with"
    cv <- cv.sparserls(y ~ x + z, chunks_with(x = gaps), subset = abs(z) < 0.5, basis = 20,
                       nfolds = 3, progress = FALSE) | message |
      "`x` is numeric except for \"n/a\" (first in line 352 of " | message |
      "lambda.1se is the largest lambda of the grid (df 0.05): the null model is within one"
  })
  expect_silent(survey(y ~ z, chunks_with(x = gaps)))
  expect_silent(survey(y ~ x + z, chunks_with(x = paste0("k", field$x))))
  expect_silent(survey(y ~ x + z, chunks_with(x = with_gaps(field$x, 1:300))))
  expect_silent(survey(y ~ factor(x) + z, chunks_with(x = gaps)))
  expect_silent(survey(y ~ x + z, chunks_with()))
})

test_that("of the response it is an error", {
  skip_if_not_installed("data.table")
  expect_refusals({
    survey(y ~ x + z, chunks_with(y = with_gaps(field$y))) | y | "The response is numeric except"
    survey(y ~ x + z, chunks_with(y = paste0("k", field$y))) | y | "`y` must be numeric (a vector"
    sparserls(y ~ x + z, transform(field, y = with_gaps(y)), basis = 5) | y |
      "`y` must be numeric (a vector or a matrix), a factor or logical."
  })
})
