# Files are written into a folder of this file, whose name is left out of the texts.
folder <- normalizePath(tempfile("chunks", fileext = ""), mustWork = FALSE)
dir.create(folder)
at <- function(name) file.path(folder, name)
lines_in <- function(name, ...) write_bytes(c(...), at(name))
all_chunks <- function(...) bound_rows(chunks_files(...))

# Numbered rows a, b, c; row i is replaced by a line.
damaged <- function(i, line, rows = 1000) {
  lines <- sprintf("%d,v%d,%s", seq_len(rows), seq_len(rows), seq_len(rows) %% 2 == 0)
  lines_in("damaged.csv", "a,b,c", replace(lines, i, line))
}

made <- list(cars, cars[0, ], 1:3, NULL)
source <- chunks_function(5, function(i) if (i == 5) stop("the disk is full") else made[[i]])
bad <- function(second) {
  chunks_source(list(), 2, function(source, i, columns) if (i == 2) second() else cars)
}

test_that("functions that fail or return no rows, and errors that name their chunk once", {
  expect_refusals({
    read_chunk(source, 2) | chunks | "A chunk has no rows .. chunk 2 of `f` .. Every chunk needs a"
    read_chunk(source, 3) | chunks | "A chunk must be a data frame .. chunk 3 of `f`"
    read_chunk(source, 5) | chunks | "Reading failed .. chunk 5 of `f` .. the disk is full"
    rls(dist ~ speed, bad(function() stop("no licence")), progress = FALSE) |
      chunks | "Reading failed .. chunk 2 of a source"
    rls(dist ~ speed, bad(function() transform(cars, dist = "far")), progress = FALSE) |
      chunks | "The type of column `dist` .. row 1 of chunk 2 of a source .. All chunks must have"
    predict(rls(dist ~ speed, cars), bad(function() cars["dist"])) |
      chunks | "The columns differ from those of .. chunk 2 of a source .. All chunks must have"
  })
})

test_that("Parquet files that are none, or without rows", {
  skip_if_not_installed("nanoparquet")
  lines_in("none.parquet", "a,b", "1,x")
  nanoparquet::write_parquet(cars[0, ], at("empty.parquet"))
  nanoparquet::write_parquet(cars, at("cars.pq"))
  nanoparquet::write_parquet(data.frame(speed = "fast", dist = 1), at("types.pq"))
  nanoparquet::write_parquet(data.frame(speed = 1, way = 1), at("names.pq"))
  source <- chunks_files(at(c("cars.pq", "types.pq", "names.pq")))
  expect_refusals({
    chunks_files(at("none.parquet")) | chunks | "Reading failed"
    chunks_files(at("empty.parquet")) | chunks | "A file has no rows .. empty.parquet"
    read_chunk(source, 2) | chunks | "The type of column `speed` differs .. types.pq .. All chunks"
  })
})

test_that("databases that are none, or that go away", {
  connect <- sqlite_with(data.frame(id = 1:9, x = c(NA, 1:8), word = "u"))
  all <- "SELECT * FROM rows"
  up <- TRUE
  source <- chunks_dbi(function() if (up) connect() else stop("no route to host"), all, "id", 2)
  queries <- chunks_dbi(connect, c(all, "SELECT id FROM rows", "SELECT * FROM gone",
                                   "SELECT id, word AS x, x AS word FROM rows"))
  up <- FALSE
  expect_refusals({
    chunks_dbi("sqlite", all) | chunks | '`connect` must be a function that returns a .. "sqlite"'
    chunks_dbi(connect, 1) | chunks | "`query` must be strings of SQL .. x 1"
    chunks_dbi(connect, character()) | chunks | "`query` must be strings of SQL"
    chunks_dbi(connect, all, by = "id") | chunks | "`by` and a whole number `n` must .. NULL"
    chunks_dbi(connect, c(all, all), by = "id", n = 2) | chunks | "given together .. 2 queries"
    chunks_dbi(connect, all, by = 1, n = 2) | chunks | "`by` must be the name of a column .. x 1"
    chunks_dbi(connect, all, by = "day", n = 2) | chunks | '`by` is not a column of the .. x "day"'
    chunks_dbi(connect, all, by = "x", n = 2) | chunks | "`by` has missing values: x .. 1 rows"
    chunks_dbi(connect, all, by = "word", n = 2) | chunks | "`by` must be a column of finite"
    chunks_dbi(connect, paste(all, "WHERE id > 9")) | chunks | "The first query gives no rows"
    chunks_dbi(function() NULL, all) | chunks | "`connect` must return a DBI .. the first rows"
    read_chunk(source, 1) | chunks | "`connect` failed .. range 1 of `id`"
    read_chunk(queries, 2) | chunks | "columns"
    read_chunk(queries, 3) | chunks | "A query failed .. query 3: SELECT * FROM gone"
    read_chunk(queries, 4) | chunks | "The type of column `x` differs .. row 1 of query 4: SELECT"
  })
})

skip_if_not_installed("data.table")

ok <- lines_in("ok.csv", "a,b", "1,x", "2,y")
lines_in("other.parquet", "a,b", "1,x")
dir.create(at("below"))
first <- lines_in("first.csv", "a,b", "1,x")
frames <- list(data.frame(a = 1, b = 2), data.frame(a = 1, b = 2, z = 3))
source <- chunks_function(2, function(i) frames[[i]])

test_that("arguments of the wrong kind, and columns that differ", {
  expect_refusals({
    chunks_files(3) | chunks | "`paths` must be names of files .. x 3"
    chunks_files(at("nowhere.csv")) | chunks | "There is no such file .. nowhere.csv"
    chunks_files(at("below")) | chunks | "A folder has no files .. below .. Files in folders"
    chunks_files(ok, rows = 0) | chunks | "`rows` must be a number of at least 1 .. x 0"
    chunks_files(ok, skip = 1) | chunks | "`skip` cannot be given to .. These arguments of fread()"
    chunks_files(ok, 10, NULL, ",") | chunks | "Too many unnamed .. These arguments of fread()"
    chunks_files(ok, header = NA) | argument | "`header` must be TRUE or FALSE .. x NA"
    chunks_files(ok, colClasses = c(z = "character")) | chunks | "cannot be read .. ok.csv .. 'z'"
    chunks_files(ok, colClasses = c(b = "numeric")) | chunks | "ok.csv .. column 2 <<b>>"
    chunks_files(ok, col.names = "a") | chunks | '`col.names` must be 2 names .. x "a"'
    chunks_files(ok, key = "z") | chunks | '`key` is not a column of the chunks .. x "z"'
    chunks_files(ok, key = 1) | chunks | "`key` must be the name of a column .. x 1"
    chunks_files(c(ok, at("other.parquet"))) | chunks | "`paths` must be all .. other.parquet"
    chunks_function(0, function(i) cars) | chunks | "`count` must be a whole number of at .. x 0"
    chunks_function(2, function() cars) | chunks | "Reading failed .. unused argument"
    chunks_files(at("other.parquet"), sep = ",") | dots | "Unknown argument `sep`"
    chunks_files(c(first, lines_in("other.csv", "b,d", "x,1"))) |
      chunks | "The columns differ from those of the first .. other.csv .. All chunks must have"
    chunks_files(lines_in("twice.csv", "a,b,a", "1,2,3")) |
      chunks | "Columns must have different names .. twice.csv: a"
    chunks_files(first, col.names = c("a", NA)) | chunks | "`col.names` must be 2 names"
    read_chunk(source, 2) | chunks | "The columns differ from those of the first .. chunk 2 of `f`"
  })
})

test_that("files without rows, that vanish, or that change", {
  expect_refusals({
    chunks_files(lines_in("empty.csv", character()), rows = 1) |
      chunks | "A file has no rows .. empty.csv .. Leave out empty files"
    chunks_files(lines_in("header.csv", "a,b")) | chunks | "A file has no rows .. header.csv"
  })
  source <- chunks_files(c(lines_in("one.csv", "a", 1:9), lines_in("two.csv", "a", 1:9)))
  cat("10\n", file = at("one.csv"), append = TRUE)
  unlink(at("two.csv"))
  expect_refusals({
    read_chunk(source, 1) | chunks | "A file has changed since the source .. one.csv .. Make the"
    read_chunk(source, 2) | chunks | "A file is missing .. two.csv .. It was there when the source"
    read_chunk(source, 2, "z") | chunks | 'A column that is needed is no .. x "z" .. The columns'
  })
})

test_that("types that differ, with the first value and its line", {
  day <- lines_in("day.csv", "day,x", rep("2024-01-31,1", 30000), "31.1.2024,2", "1.2.2024,2")
  frames <- list(data.frame(a = 1, b = "u", c = TRUE),
                 data.frame(a = c(NA, "1"), b = "v", c = FALSE),
                 data.frame(a = 1, b = 2, c = TRUE), data.frame(a = 1, b = "w", c = 0:1),
                 data.frame(a = Sys.Date(), b = "w", c = TRUE))
  source <- chunks_function(5, function(i) frames[[i]])
  expect_refusals({
    all_chunks(damaged(30000, "n/a,v,TRUE", rows = 40000)) | chunks | "The type of column `a`"
    all_chunks(damaged(35001, "1,v,yes", rows = 40000), rows = 100) |
      chunks | "The type of column `c` differs from that in .. damaged.csv .. colClasses"
    all_chunks(day) | chunks | "The type of column `day` differs from .. day.csv .. All chunks must"
    read_chunk(source, 2) | chunks | "The type of column `a` differs .. row 2 of chunk 2 of `f`"
    read_chunk(source, 4) | chunks | "The type of column `c` differs .. row 1 of chunk 4 of `f`"
  })
})

test_that("malformed lines, at the beginning, in the middle and at the end of chunks and files", {
  wrong <- c("1,v", "1,v,TRUE,4", "", "1,\"v,TRUE", "1,\"v\"w\",TRUE")
  for (line in wrong) for (i in c(1, 2, 499, 1000)) {
    e <- tryCatch(all_chunks(damaged(i, line), rows = 400), error = identity)
    if (line == "" && i == 1000) next
    expect_s3_class(e, "sparserls_error_chunks")
    expect_match(conditionMessage(e), sprintf("line %d of ", i + 1), fixed = TRUE)
  }
  zeros <- at("zeros.csv")
  writeBin(c(charToRaw("a,b\n1,x\n2,"), as.raw(0), charToRaw("\n")), zeros)
  wide <- at("wide.csv")
  writeBin(as.raw(c(0xff, 0xfe, 0x61, 0, 0x0a, 0)), wide)
  old_mac <- write_bytes(c("a,b", "1,x", "2,y"), at("mac.csv"), eol = "\r")
  expect_refusals({
    chunks_files(old_mac) | chunks | "A file has no rows .. mac.csv"
    all_chunks(damaged(700, wrong[1])) | chunks | "A line is malformed .. damaged.csv"
    chunks_files(zeros) | chunks | "zeros.csv"
    all_chunks(damaged(700, wrong[4])) | chunks | "damaged.csv"
    chunks_files(wide) | chunks | "A file cannot be read as text .. wide.csv .. Text must be in"
  })
})

test_that("bytes that are no text end in an error of ours, without warnings", {
  for (seed in 1:6) {
    set.seed(seed)
    file <- tempfile(fileext = ".csv")
    writeBin(as.raw(sample(1:255, 5000, TRUE)), file)
    expect_refusals(chunks_files(file) | chunks | "")
  }
})
