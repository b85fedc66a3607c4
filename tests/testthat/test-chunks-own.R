# A source of chunks as a user writes one, by public functions alone.
rds_chunks <- function(paths, key = NULL, ...) {
  sparserls::chunks_source(
    list(paths = paths), length(paths),
    fetch = function(source, i, columns) {
      data <- readRDS(source$paths[i])
      if (is.null(columns)) data else data[intersect(names(data), columns)]
    },
    label = function(source, i) paste("the file", basename(source$paths[i])),
    row_label = function(source, i, row) sprintf("record %d of part %d", row, i),
    marks = function(source) tools::md5sum(source$paths), what = "RDS files", key = key, ...
  )
}
# What a worker gets of it is what chunks_source() says, not the functions of this package.
environment(rds_chunks) <- new.env(parent = globalenv())

rows <- local({
  set.seed(31)
  d <- data.frame(id = 1:240, x = rnorm(240), z = runif(240), g = sample(c("a", "b"), 240, TRUE),
                  site = rep(1:12, each = 20))
  d$y <- sin(2 * d$x) + (d$g == "b") + rnorm(240, sd = 0.3)
  split(d, rep(1:6, each = 40))
})

# In a folder that is removed with `env`.
written <- function(parts = rows, env = parent.frame()) {
  dir <- normalizePath(withr::local_tempdir(.local_envir = env))
  paths <- file.path(dir, sprintf("part-%d.rds", seq_along(parts)))
  Map(saveRDS, parts, paths)
  paths
}

same_results <- function(a, b) {
  fields <- c("lambda", "cvm", "cvsd", "index", "lambda.min")
  expect_identical(a[fields], b[fields])
  expect_identical(coef(a), coef(b))
}

test_that("a source of one's own has the results of the same rows elsewhere, under a plan too", {
  own <- rds_chunks(written(), key = "id")
  same <- chunks_function(6, function(i) rows[[i]], key = "id")
  expect_output(print(own), "<6 chunks of RDS files, 6 columns, key `id`>", fixed = TRUE)
  expect_identical(length(own), 6L)
  expect_identical(summary(own), own)
  width <- kernel_gaussian(0.3)
  fitted <- function(chunks) {
    seeded(1, list(rls(y ~ x + g, chunks, progress = FALSE),
                   cv.sparserls(y ~ x + z + g, chunks, 10, width, groups = site, progress = FALSE),
                   cv.sparserls(y ~ x + z + g, chunks, 10, width, groups = "site", nfolds = 4,
                                type.measure = "mae", progress = FALSE)))
  }
  a <- fitted(own)
  b <- fitted(same)
  expect_identical(coef(a[[1]]), coef(b[[1]]))
  for (i in 2:3) same_results(a[[i]], b[[i]])
  expect_identical(predict(a[[2]], own), unname(predict(a[[2]], do.call(rbind, unname(rows)))))
  skip_without_workers()
  local_plan(future::multisession, workers = 2)
  far <- fitted(own)
  for (i in 2:3) same_results(far[[i]], b[[i]])
})

test_that("errors name its chunks and rows", {
  use <- function(i, part) {
    rls(y ~ x + g, rds_chunks(written(replace(rows, i, list(part)))), progress = FALSE)
  }
  paths <- written()
  own <- rds_chunks(paths)
  fit <- rls(y ~ x + g, own, progress = FALSE)
  unlink(paths[6])
  expect_refusals({
    use(3, transform(rows[[3]], x = "one")) | chunks | "record 1 of part 3"
    use(4, rows[[4]][-2]) | chunks | "the file part-4.rds"
    use(5, rows[[5]][0, ]) | chunks | "A chunk has no rows .. the file part-5.rds"
    suppressWarnings(predict(fit, own)) | chunks | "Reading failed .. the file part-6.rds"
  })
})

test_that("labels have defaults, chunks may be empty where that is said", {
  parts <- replace(rows, 3, list(rows[[3]][0, ]))
  fetch <- function(source, i, columns) source$parts[[i]]
  own <- chunks_source(list(parts = parts), 6, fetch, empty = TRUE)
  expect_identical(format(own), "6 chunks of a source, 6 columns")
  expect_identical(chunk_label(own, 3), "chunk 3 of a source")
  expect_identical(row_label(own, 3, 7), "row 7 of chunk 3 of a source")
  expect_identical(rls(y ~ x, own, progress = FALSE)$nobs, 200L)
  # Types by a table of one's own, where the first chunk lacks a value.
  lacking <- replace(rows, 1, list(transform(rows[[1]], g = NA)))
  typed <- chunks_source(list(parts = lacking), 6, fetch, first = rows[[2]][1, ])
  expect_identical(unname(rls(y ~ g, typed, progress = FALSE)$chunks$rows["trained"]), 200)
})

test_that("arguments of the wrong kind", {
  fetch <- function(source, i, columns) cars
  expect_error(chunks_source(list(), 2, fetch, empty = NA), class = "sparserls_error_argument")
  expect_refusals({
    chunks_source(1:3, 2, fetch) | chunks | "`fields` must be a list .. numeric vector of size 3"
    chunks_source(list(a = 1, 2), 2, fetch) | chunks | "`fields` must be a list with names"
    chunks_source(list(), 2, function(source, i, columns) cars[0, ]) | chunks | "A chunk has no"
    chunks_source(list(key = 1), 2, fetch) | chunks | "`fields` must be a list .. list of size 1"
    chunks_source(list(), 2, fetch, marks = 1) | chunks | "`marks` must be a function(source). .. 1"
    chunks_source(list(), 2, fetch, what = NULL) | chunks | "`what` must be a string. .. NULL"
    chunks_source(list(), 2, fetch, first = 1) | chunks | "`first` must be a data frame. .. 1"
    rls(dist ~ speed, chunks_source(list(), 2, fetch, marks = function(source) 1),
        checkpoint = tempfile(), progress = FALSE) | chunks | "`marks` must return strings .. 1"
  })
})

test_that("columns of unequal lengths, and marks that fail, are refused", {
  torn <- function(rows) structure(list(x = rnorm(rows), y = rnorm(9)), names = c("x", "y"),
                                   row.names = 1:9, class = "data.frame")
  for (rows in c(0, 1, 3, 10)) {
    own <- chunks_source(list(rows = rows), 2, function(source, i, columns) {
      if (i == 1) torn(9) else torn(source$rows)
    })
    expect_refusals(rls(y ~ x, own, progress = FALSE) | chunks | "as many values as it has rows")
  }
  own <- chunks_source(list(), 2, function(source, i, columns) torn(9),
                       marks = function(source) stop("no marks"))
  expect_error(cv.rls(y ~ x, own, nfolds = 3, checkpoint = tempfile(), progress = FALSE),
               "no marks", class = "sparserls_error_chunks")
})
