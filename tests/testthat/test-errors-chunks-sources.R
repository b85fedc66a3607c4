# What a source of chunks refuses, and where it says that it is.

# Files are written into a folder of this file, whose name is left out of the texts.
folder <- normalizePath(tempfile("chunks", fileext = ""), mustWork = FALSE)
dir.create(folder)
at <- function(name) file.path(folder, name)
lines_in <- function(name, ...) write_bytes(c(...), at(name))
all_chunks <- function(...) bound_rows(chunks_files(...))

expect_refused_here <- function(block) {
  block <- substitute(block)
  env <- parent.frame()
  classed("chunks", block, env)
  hide <- function(lines) gsub(folder, "FOLDER", lines, fixed = TRUE)
  expect_recorded(block, env, error = TRUE, hide)
}

# Numbered rows a, b, c; row i is replaced by a line.
damaged <- function(i, line, rows = 1000) {
  lines <- sprintf("%d,v%d,%s", seq_len(rows), seq_len(rows), seq_len(rows) %% 2 == 0)
  lines_in("damaged.csv", "a,b,c", replace(lines, i, line))
}

test_that("arguments of the wrong kind", {
  skip_if_not_installed("data.table")
  ok <- lines_in("ok.csv", "a,b", "1,x", "2,y")
  lines_in("other.parquet", "a,b", "1,x")
  dir.create(at("below"))
  expect_refused_here({
    chunks_files(3)
    chunks_files(character())
    chunks_files(NA_character_)
    chunks_files(at("nowhere.csv"))
    chunks_files(at("below"))
    chunks_files(ok, rows = 0)
    chunks_files(ok, rows = "many")
    chunks_files(ok, skip = 1)
    chunks_files(ok, 10, NULL, ",")
    chunks_files(ok, header = NA)
    chunks_files(ok, colClasses = c(z = "character"))
    chunks_files(ok, colClasses = "NULL")
    chunks_files(ok, colClasses = c(b = "numeric"))
    chunks_files(ok, col.names = "a")
    chunks_files(ok, key = "z")
    chunks_files(ok, key = 1)
    chunks_files(c(ok, at("other.parquet")))
    chunks_function(0, function(i) cars)
    chunks_function(2.5, function(i) cars)
    chunks_function(2, cars)
    chunks_function(2, function() cars)
    chunks_function(2, function(i) cars, key = "id")
  })
  expect_classed("chunks", {
    chunks_files(ok, sep = "::")
  })
  expect_classed("dots", {
    chunks_files(at("other.parquet"), sep = ",")
  })
})

test_that("files without rows, that vanish, or that change", {
  skip_if_not_installed("data.table")
  expect_refused_here({
    chunks_files(lines_in("empty.csv", character()), rows = 1)
    chunks_files(lines_in("header.csv", "a,b"))
    chunks_files(lines_in("blank.csv", "a,b", "", ""))
  })
  source <- chunks_files(c(lines_in("one.csv", "a", 1:9), lines_in("two.csv", "a", 1:9)))
  cat("10\n", file = at("one.csv"), append = TRUE)
  unlink(at("two.csv"))
  expect_refused_here({
    read_chunk(source, 1)
    read_chunk(source, 2)
    read_chunk(source, 2, "z")
  })
})

test_that("columns that differ", {
  skip_if_not_installed("data.table")
  first <- lines_in("first.csv", "a,b", "1,x")
  frames <- list(data.frame(a = 1, b = 2), data.frame(a = 1), data.frame(a = 1, b = 2, z = 3),
                 data.frame(a = 1, a = 2, check.names = FALSE))
  source <- chunks_function(4, function(i) frames[[i]])
  expect_refused_here({
    chunks_files(c(first, lines_in("other.csv", "b,d", "x,1")))
    chunks_files(lines_in("twice.csv", "a,b,a", "1,2,3"))
    chunks_function(1, function(i) frames[[4]])
    chunks_function(1, function(i) data.frame(a = 1)[0])
    read_chunk(source, 2)
    read_chunk(source, 3)
    read_chunk(source, 4)
  })
})

test_that("types that differ, with the first value and its line", {
  skip_if_not_installed("data.table")
  day <- lines_in("day.csv", "day,x", rep("2024-01-31,1", 30000), "31.1.2024,2", "1.2.2024,2")
  frames <- list(data.frame(a = 1, b = "u", c = TRUE),
                 data.frame(a = c(NA, "1"), b = "v", c = FALSE),
                 data.frame(a = 1, b = 2, c = TRUE), data.frame(a = 1, b = "w", c = 0:1),
                 data.frame(a = Sys.Date(), b = "w", c = TRUE))
  source <- chunks_function(5, function(i) frames[[i]])
  expect_refused_here({
    all_chunks(damaged(30000, "n/a,v,TRUE", rows = 40000))
    all_chunks(damaged(35001, "1,v,yes", rows = 40000), rows = 100)
    all_chunks(day)
    read_chunk(source, 2)
    read_chunk(source, 3)
    read_chunk(source, 4)
  })
  expect_classed("chunks", {
    read_chunk(source, 5)
  })
})

test_that("malformed lines, at the beginning, in the middle and at the end of chunks and files", {
  skip_if_not_installed("data.table")
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
  expect_refused_here({
    chunks_files(old_mac)
    all_chunks(damaged(700, wrong[1]))
    all_chunks(damaged(700, wrong[2]))
    all_chunks(damaged(700, wrong[3]))
    all_chunks(damaged(700, wrong[4]))
    all_chunks(damaged(30000, wrong[4], rows = 40000))
    all_chunks(damaged(700, "1,\"v"))
    chunks_files(lines_in("names.csv", "a,b", "1,2,3", "2,3,4"))
    chunks_files(zeros)
    chunks_files(wide)
  })
})

test_that("compressed files that were cut off", {
  skip_if_not_installed("data.table")
  set.seed(19)
  lines <- c("a,b", sprintf("%d,%f", 1:150000, rnorm(150000)), "")
  bytes <- charToRaw(paste0(lines, collapse = "\n"))
  for (kind in c("gzip", "bzip2", "xz")) {
    packed <- at(paste0("cut.csv.", kind))
    con <- switch(kind, gzip = gzfile, bzip2 = bzfile, xz = xzfile)(packed, "wb")
    writeBin(bytes, con)
    close(con)
    whole <- readBin(packed, "raw", 1e7)
    for (share in c(0.7, 0.95)) {
      writeBin(whole[seq_len(share * length(whole))], packed)
      expect_error(all_chunks(packed), class = "sparserls_error_chunks")
    }
  }
  expect_refused_here({
    all_chunks(at("cut.csv.gzip"))
  })
})

test_that("functions that fail or return no rows", {
  made <- list(cars, cars[0, ], 1:3, NULL)
  source <- chunks_function(5, function(i) if (i == 5) stop("the disk is full") else made[[i]])
  expect_refused_here({
    read_chunk(source, 2)
    read_chunk(source, 3)
    read_chunk(source, 4)
    read_chunk(source, 5)
    chunks_function(2, function(i) cars[0, ])
    chunks_function(2, function(i) stop("no licence"))
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
  expect_classed("chunks", {
    chunks_files(at("none.parquet"))
  })
  expect_refused_here({
    chunks_files(at("empty.parquet"))
    read_chunk(source, 2)
    read_chunk(source, 3)
    read_chunk(source, 3, "dist")
  })
})

test_that("databases that are none, or that go away", {
  skip_if_not_installed("DBI")
  skip_if_not_installed("RSQLite")
  connect <- sqlite_with(data.frame(id = 1:9, x = c(NA, 1:8), word = "u"))
  all <- "SELECT * FROM rows"
  up <- TRUE
  source <- chunks_dbi(function() if (up) connect() else stop("no route to host"), all, "id", 2)
  queries <- chunks_dbi(connect, c(all, "SELECT id FROM rows", "SELECT * FROM gone",
                                   "SELECT id, word AS x, x AS word FROM rows"))
  up <- FALSE
  expect_refused_here({
    chunks_dbi("sqlite", all)
    chunks_dbi(connect, 1)
    chunks_dbi(connect, all, by = "id")
    chunks_dbi(connect, all, n = 2)
    chunks_dbi(connect, c(all, all), by = "id", n = 2)
    chunks_dbi(connect, all, by = 1, n = 2)
    chunks_dbi(connect, all, by = "id", n = 0)
    chunks_dbi(connect, all, by = "day", n = 2)
    chunks_dbi(connect, all, by = "x", n = 2)
    chunks_dbi(connect, all, by = "word", n = 2)
    chunks_dbi(connect, paste(all, "WHERE id > 9"))
    chunks_dbi(function() NULL, all)
    read_chunk(source, 1)
    read_chunk(queries, 2)
    read_chunk(queries, 3)
    read_chunk(queries, 4)
  })
})

test_that("packages that are missing", {
  expect_refused_here({
    check_installed("no.such.package", "Reading")
  })
})

test_that("bytes that are no text end in an error of ours, without warnings", {
  skip_if_not_installed("data.table")
  for (seed in 1:6) {
    set.seed(seed)
    file <- tempfile(fileext = ".csv")
    writeBin(as.raw(sample(1:255, 5000, TRUE)), file)
    expect_silent(expect_classed("chunks", {
      chunks_files(file)
    }))
  }
})

test_that("an error names its chunk once", {
  bad <- function(second) {
    chunks_source(list(), 2, function(source, i, columns) if (i == 2) second() else cars)
  }
  expect_refused_here({
    rls(dist ~ speed, bad(function() stop("no licence")), progress = FALSE)
    rls(dist ~ speed, bad(function() 1), progress = FALSE)
    rls(dist ~ speed, bad(function() transform(cars, dist = "far")), progress = FALSE)
    predict(rls(dist ~ speed, cars), bad(function() cars["dist"]))
    rls(dist ~ speed, chunks_function(2, function(i) if (i == 1) cars else stop("no licence")),
        progress = FALSE)
  })
})
