# The rows of all chunks, one after another, are the data: for any source and size of the chunks.

some_rows <- c(1, 7, 1e6)

test_that("Parquet: files are chunks", {
  skip_if_not_installed("nanoparquet")
  set.seed(16)
  d <- chunk_frame(500)
  parts <- split(d, rep(1:5, each = 100))
  files <- vapply(parts, function(part) {
    file <- tempfile(fileext = ".parquet")
    nanoparquet::write_parquet(part, file)
    file
  }, "")
  expect_rows(chunks_files(files), d)
  expect_message(expect_rows(chunks_files(files, rows = 7), d), "Parquet files are read whole")
  expect_identical(read_chunk(chunks_files(files), 3, c("word", "flag")),
                   data.frame(parts[[3]][c("word", "flag")], row.names = NULL))
})

test_that("a database: queries, and ranges of a column", {
  set.seed(17)
  d <- chunk_frame(300)
  d$flag <- as.integer(d$flag)
  d$`the id` <- sample(c(1:299, 5000))
  connect <- sqlite_with(d)
  sorted <- d[order(d$`the id`), ]
  rownames(sorted) <- NULL
  for (n in c(1, 2, 12)) {
    source <- chunks_dbi(connect, "SELECT * FROM rows;", by = "the id", n = n, key = "the id")
    expect_equal(length(source), n)
    expect_rows(source, sorted)
  }
  expect_identical(read_chunk(source, 12, c("word", "number"))$word, tail(sorted$word, 1))
  expect_identical(read_chunk(source, 11), sorted[0, ])
  queries <- sprintf("SELECT * FROM rows WHERE \"the id\" %% 3 = %d ORDER BY \"the id\"", 0:2)
  source <- chunks_dbi(connect, queries)
  expect_rows(source, data.frame(sorted[order(sorted$`the id` %% 3), ], row.names = NULL,
                                 check.names = FALSE))
  expect_identical(names(read_chunk(source, 2, "word")), "word")
})

test_that("a database: 64-bit integers are double, connections are closed", {
  connect <- sqlite_with(data.frame(id = 1:10))
  opened <- list()
  counted <- function() {
    opened[[length(opened) + 1]] <<- connect()
    opened[[length(opened)]]
  }
  source <- chunks_dbi(counted, "SELECT id, id * 4294967296 AS big FROM rows", by = "big", n = 2)
  expect_rows(source, data.frame(id = 1:10, big = 1:10 * 2^32))
  broken <- source
  broken$query <- "no"
  expect_error(read_chunk(broken, 1), class = "sparserls_error_chunks")
  expect_equal(length(opened), 5)
  expect_false(any(vapply(opened, DBI::dbIsValid, NA)))
})

test_that("a function: its data frames, of any class, and the stream of random numbers", {
  set.seed(18)
  d <- chunk_frame(60)
  parts <- split(d, rep(1:4, c(10, 20, 29, 1)))
  before <- .Random.seed
  source <- chunks_function(4, function(i) {
    set.seed(i)
    structure(parts[[i]][sample(4)], class = c("tbl_df", "tbl", "data.frame"))
  })
  found <- bound_rows(source)
  expect_identical(.Random.seed, before)
  expect_equal(found[names(d)], d)
  expect_identical(unique(lapply(1:4, function(i) names(read_chunk(source, i)))),
                   list(names(source$prototype)))
  skip_if_not_installed("data.table")
  source <- chunks_function(4, function(i) data.table::as.data.table(parts[[i]]))
  expect_rows(source, d)
})

test_that("random numbers of a function are the same in every pass, and others in every chunk", {
  chunks <- chunks_function(3, function(i) data.frame(x = rnorm(5)))
  read <- lapply(1:3, function(i) read_chunk(chunks, i)$x)
  expect_identical(read_chunk(chunks, 2)$x, read[[2]])
  expect_false(any(read[[1]] == read[[2]] | read[[2]] == read[[3]]))
})

skip_if_not_installed("data.table")

test_that("text: any size of the chunks, line ends, separators", {
  set.seed(11)
  for (eol in c("\n", "\r\n")) for (sep in c(",", ";", "\t", "|")) {
    d <- chunk_frame(sample(c(2, 3, 20), 1))
    final <- sep %in% c(",", "\t") == (eol == "\n")
    file <- write_bytes(text_lines(d, sep), eol = eol, final = final)
    for (rows in some_rows) expect_rows(chunks_files(file, rows = rows), d)
  }
})

test_that("text: several files, columns in another order, blank lines at the end", {
  set.seed(13)
  d <- chunk_frame(60)
  files <- c(write_bytes(text_lines(d[1:20, ])),
             write_bytes(text_lines(d[21:40, c(3, 1, 4, 2)], ";")),
             write_bytes(c(text_lines(d[41:60, ]), "", "")))
  expect_error(read_chunk(chunks_files(files), 2), class = "sparserls_error_chunks")
  files[2] <- write_bytes(text_lines(d[21:40, c(3, 1, 4, 2)]))
  for (rows in some_rows) {
    source <- chunks_files(files, rows = rows, key = "count")
    expect_rows(source, d)
    last <- length(source)
    expect_identical(read_chunk(source, last, c("word", "number")),
                     read_chunk(source, last)[c("word", "number")])
  }
})

test_that("text: types are those of the head, whatever a chunk looks like, or fread() meets late", {
  d <- data.frame(whole = c(1:50, rep(0.5, 50)), code = rep(c("a", "007"), each = 50),
                  late = rep(c(NA, 2), each = 50), day = as.Date("2024-02-29") + 0:99)
  for (rows in c(3, 1000)) {
    source <- chunks_files(write_bytes(text_lines(d)), rows = rows)
    expect_rows(source, d)
    expect_identical(lapply(source$prototype, class)[c("whole", "code", "day")],
                     list(whole = "numeric", code = "character", day = "Date"))
  }
  file <- write_bytes(c("zip,n", "007,1", "012,2"))
  for (classes in list(c(zip = "character"), list(character = "zip"), c("character", "numeric"))) {
    expect_identical(read_chunk(chunks_files(file, colClasses = classes), 1)$zip, c("007", "012"))
  }
  file <- write_bytes(c("a,b", rep("1,x", 2e5), "12345678901234567890,x", ",x", "0x10,y"))
  source <- chunks_files(file)
  expect_equal(tail(read_chunk(source, length(source))$a, 4), c(1, 12345678901234567890, NA, 16))
})

test_that("text: decimal comma, no header, names, a byte order mark, other missing values", {
  file <- write_bytes(c("1,5;?;u", "2;3;v"))
  source <- chunks_files(file, dec = ",", na.strings = "?", header = FALSE,
                         col.names = c("a", "b", "c"))
  expect_rows(source, data.frame(a = c(1.5, 2), b = c(NA, 3), c = c("u", "v")))
  expect_identical(names(read_chunk(chunks_files(file, header = FALSE), 1)), c("V1", "V2", "V3"))
  marked <- tempfile()
  writeBin(c(as.raw(c(0xef, 0xbb, 0xbf)), charToRaw("a,b\n1,2\n")), marked)
  expect_rows(chunks_files(marked), data.frame(a = 1, b = 2))
  expect_rows(chunks_files(marked, header = FALSE), data.frame(V1 = c("a", "1"), V2 = c("b", "2")))
  expect_rows(chunks_files(marked, colClasses = c(a = "NULL")), data.frame(b = 2))
})

test_that("text: blank lines at the end are no chunk, and lines may be longer than the head", {
  two <- write_bytes(c("a,b", "1,2", "3,4", rep("", 50)))
  one <- write_bytes(c("a", "1", "", "3", ""))
  for (rows in some_rows) {
    expect_rows(chunks_files(two, rows = rows, groups = "a"), data.frame(a = c(1, 3), b = c(2, 4)))
    expect_rows(chunks_files(one, rows = rows), data.frame(a = c(1, NA, 3, NA)))
  }
  d <- data.frame(n = 1:3, text = strrep(c("x", "y", "z"), 3e5))
  expect_rows(chunks_files(write_bytes(text_lines(d)), rows = 1), d)
})

test_that("chunks and rows have names for messages", {
  file <- write_bytes(c("a,b", sprintf("%d,v%d", 1:100, 1:100)))
  source <- chunks_files(file, rows = 30)
  seen <- 1
  for (i in seq_len(chunk_count(source))) {
    rows <- nrow(read_chunk(source, i))
    expect_match(chunk_label(source, i), "^bytes [0-9]+-[0-9]+ of ")
    expect_match(row_label(source, i, rows), sprintf("^line %d of ", seen + rows))
    seen <- seen + rows
  }
  expect_match(chunk_label(chunks_function(2, function(i) cars), 2), "chunk 2 of `f`")
})

test_that("text: compressed files of several members, and those that were cut off", {
  set.seed(20)
  d <- data.frame(a = seq_len(20000), b = round(rnorm(20000), 6))
  lines <- text_lines(d)
  parts <- split(lines, sort(rep_len(1:7, length(lines))))
  file <- withr::local_tempfile()
  pack <- function(open, lines) {
    con <- open(file, "wb")
    writeBin(charToRaw(paste0(lines, "\n", collapse = "")), con)
    close(con)
    readBin(file, "raw", 1e7)
  }
  for (open in list(bzfile, xzfile, gzfile)) {
    members <- lapply(parts, pack, open = open)
    writeBin(unlist(members, use.names = FALSE), file)
    expect_rows(chunks_files(file), d)
  }
  writeBin(c(unlist(members, use.names = FALSE), raw(4)), file)
  expect_rows(chunks_files(file), d)
  for (open in list(bzfile, xzfile, gzfile)) {
    whole <- pack(open, lines)
    for (size in round(length(whole) * c(0.01, 0.9, 0.999))) {
      writeBin(whole[seq_len(size)], file)
      expect_error(bound_rows(chunks_files(file)), class = "sparserls_error_chunks", info = size)
    }
  }
})

test_that("a folder stands for its files, in order", {
  folder <- withr::local_tempdir()
  d <- data.frame(a = 1:30, b = 30:1 / 4)
  for (i in 1:3) {
    write_bytes(text_lines(d[10 * (i - 1) + 1:10, ]), file.path(folder, paste0(i, ".csv")))
  }
  dir.create(file.path(folder, "below"))
  writeLines("hidden", file.path(folder, ".hidden"))
  expect_rows(chunks_files(folder), d)
  twice <- chunks_files(c(folder, file.path(folder, "1.csv")))
  expect_equal(bound_rows(twice)$a, c(1:30, 1:10))
})

test_that("text: files are cut between groups", {
  set.seed(21)
  for (shape in list(c(1, 40), c(5, 1), c(20, 7))) {
    m <- shape[1]
    size <- shape[2]
    label <- c("plain", "with, comma", "caf\u00e9", NA, "-12")
    d <- data.frame(x = round(rnorm(m * size), 6),
                    site = rep(ifelse(seq_len(m) <= 5, label[pmin(seq_len(m), 5)], seq_len(m)),
                               each = size))
    for (eol in c("\n", "\r\n")) for (rows in c(1, 100)) {
      file <- write_bytes(text_lines(d), eol = eol, final = rows > 1)
      source <- chunks_files(file, rows = rows, groups = "site", colClasses = c(site = "character"))
      found <- lapply(seq_len(length(source)), function(i) read_chunk(source, i))
      expect_equal(do.call(rbind, found), d, tolerance = 1e-15)
      expect_false(anyDuplicated(unlist(lapply(found, function(rows) unique(rows$site)))) > 0)
      if (rows == 1 && m > 1) expect_gt(length(source), m / 2)
    }
  }
})
