problem <- fingerprint(list(x = 1:3, f = function(x) x + 1))

# Counts how often chunks are computed; stops at chunk `until`.
counted <- function(payload, i) {
  if (identical(i, payload$until)) stop("killed")
  cat(i, "\n", file = payload$log, append = TRUE)
  payload$work(payload, i)
}
environment(counted) <- baseenv()

map_counted <- function(count, dir, log, until = NULL, pass = "sums") {
  payload <- list(log = log, until = until, work = draws_of_chunk)
  run <- map_run(open_checkpoint(dir, problem), pass)
  map_chunks(count, counted, payload, sum_of_draws, run)
}

computed <- function(log) if (file.exists(log)) as.numeric(readLines(log)) else numeric()

test_that("a run goes on where the one before was ended", {
  for (count in c(1, 2, 7, 70, 300)) {
    dir <- withr::local_tempdir()
    log <- withr::local_tempfile()
    for (until in unique(ceiling(count * c(0.3, 0.5, 0.99)))) {
      expect_error(map_counted(count, dir, log, until), class = "sparserls_error_chunks")
    }
    expect_identical(map_counted(count, dir, log), map_draws(count))
    # tasks of 300 chunks are of 8 chunks, each computed again after its end
    expect_lte(length(computed(log)), count + 3 * 7)
    expect_setequal(computed(log), seq_len(count))
    unlink(log)
    expect_identical(map_counted(count, dir, log), map_draws(count))
    expect_length(computed(log), 0)
    expect_setequal(list.files(dir), c("manifest.rds", sprintf("sums-%.0f-0.rds", ceiling(log2(count)))))
  }
})

test_that("files are few, and of two generations the larger block counts", {
  dir <- withr::local_tempdir()
  log <- withr::local_tempfile()
  expect_error(map_counted(63, dir, log, 63), class = "sparserls_error_chunks")
  expect_setequal(list.files(dir), c("manifest.rds", "sums-5-0.rds", "sums-4-2.rds",
                                     "sums-3-6.rds", "sums-2-14.rds", "sums-1-30.rds"))
  # as after a kill between the writing of a block and the removal of its halves
  halves <- file.path(dir, c("sums-4-0.rds", "sums-4-1.rds"))
  file.copy(rep(file.path(dir, "sums-1-30.rds"), 2), halves)
  file.create(file.path(dir, "unfinished-1234"))
  expect_identical(map_counted(63, dir, log), map_draws(63))
  expect_setequal(list.files(dir), c("manifest.rds", "sums-6-0.rds"))
})

test_that("a process that was killed is gone on from, under another plan too", {
  skip_on_cran()
  skip_on_os("windows")
  dir <- withr::local_tempdir()
  log <- withr::local_tempfile()
  killing <- function(payload, i) {
    if (i == 120) tools::pskill(Sys.getpid(), 9)
    payload$counted(payload, i)
  }
  environment(killing) <- baseenv()
  payload <- list(log = log, work = draws_of_chunk, counted = counted)
  file <- withr::local_tempfile(fileext = ".rds")
  saveRDS(list(dir, problem, killing, payload, sum_of_draws, map_run()), file)
  child <- sprintf("a <- readRDS('%s'); here <- asNamespace('sparserls'); run <- a[[6]]
    run$checkpoint <- here$open_checkpoint(a[[1]], a[[2]])
    here$map_chunks(200, a[[3]], a[[4]], a[[5]], run)", file)
  said_by_another_r(child)
  expect_equal(computed(log), 1:119)
  expected <- map_draws(200)
  if (requireNamespace("future", quietly = TRUE)) local_plan(future::multisession, workers = 2)
  expect_identical(map_counted(200, dir, log), expected)
  expect_setequal(computed(log)[-(1:119)], 117:200)
})

test_that("settings of the run before win; stray files are left alone", {
  dir <- withr::local_tempdir()
  writeLines("mine", file.path(dir, "notes-1-2.rds.txt"))
  expect_equal(open_checkpoint(dir, problem, list(seed = 1))$settings, list(seed = 1))
  expect_equal(open_checkpoint(dir, problem, list(seed = 2))$settings, list(seed = 1))
  expect_true(file.exists(file.path(dir, "notes-1-2.rds.txt")))
})

test_that("fingerprints are of what a value is, not of how it is stored", {
  expect_identical(fingerprint(1:3), fingerprint(c(1L, 2L, 3L)))
  expect_match(fingerprint(NULL), "^[0-9a-f]{32}$")
  f <- function(x) x + 1
  once <- fingerprint(list(f))
  for (i in 1:5) f(i)
  expect_identical(fingerprint(list(f)), once)
  expect_identical(fingerprint(list(compiler::cmpfun(f))), once)
  others <- list(1:3, c(1, 2, 3), 3:1, c(a = 1L, b = 2L, c = 3L), list(1:3), f, function(x) x + 2,
                 y ~ x, data.frame(x = 1:3), NULL, 1 + 1e-15, 1)
  expect_length(unique(vapply(others, fingerprint, "")), length(others))
})

# Calls whose candidates each have a pass of their own, one that adds all up in one pass, and one of
# a search in rounds.
passes <- list(
  each_row = list(cv.sparserls, nfolds = "loo", basis = 9, kernel = kernel_gaussian(c(0.05, 5))),
  each_group = list(cv.sparserls, groups = "g", basis = basis_sizes(c(7, 12)),
                    kernel = kernel_gaussian(c(0.05, 5))),
  absolute = list(cv.sparserls, nfolds = 3, type.measure = "mae", basis = basis_sizes(c(7, 12)),
                  kernel = list(kernel_gaussian(1), kernel_custom(function(x, z) {
                    exp(-abs(outer(x[, 1], z[, 1], "-")))
                  }))),
  class = list(cv.sparserls, of = cl ~ x1 + x2, nfolds = 3, type.measure = "class", basis = 9,
               kernel = kernel_gaussian(c(0.05, 5))),
  features = list(cv.rls, nfolds = "loo", kernel = list(kernel_linear(), kernel_linear(
    features = "x1"))),
  squared = list(cv.sparserls, nfolds = 3, basis = 9, kernel = kernel_gaussian(c(0.05, 5))),
  rounds = list(cv.sparserls, nfolds = 3, basis = 9, kernel = kernel_gaussian())
)

test_that("with a checkpoint every kernel and size has its own errors, resumed too", {
  set.seed(4)
  d <- data.frame(x1 = rnorm(60), x2 = runif(60), g = rep(1:12, each = 5))
  d$y <- sin(2 * d$x1) + rnorm(60) / 4
  d$cl <- factor(ifelse(d$y > 0, "up", "down"))
  for (name in names(passes)) {
    asked <- passes[[name]]
    formula <- if (is.null(asked$of)) y ~ x1 + x2 else asked$of
    read <- killed <- 0
    chunks <- chunks_function(3, function(i) {
      read <<- read + 1
      if (read == killed) {
        killed <<- 0
        stop("killed")
      }
      d[20 * (i - 1) + 1:20, ]
    })
    run <- function(checkpoint = NULL) {
      seeded(1, quiet(do.call(asked[[1]], c(
        list(formula, chunks, checkpoint = checkpoint, progress = FALSE),
        asked[setdiff(names(asked)[-1], "of")]))))
    }
    read <- 0
    expected <- run()
    total <- read
    same <- c("cvm", "cvsd", "lambda", "lambda.min", "kernel", "kernels", "curves")
    dir <- withr::local_tempdir()
    # killed in one of its passes, gone on from there, and begun when all is done
    read <- 0
    killed <- ceiling(c(0.5, 0.9)[match(name, names(passes)) %% 2 + 1] * total)
    expect_error(run(dir), class = "sparserls_error_chunks", info = name)
    for (again in 1:2) expect_identical(run(dir)[same], expected[same], info = name)
  }
})

some_rows <- function(m) {
  set.seed(2)
  d <- data.frame(id = seq_len(m), x = round(stats::rnorm(m), 5))
  d$y <- d$x + round(stats::rnorm(m), 5)
  d
}

goes_on <- function(chunks, dir, ..., kernel = kernel_gaussian(0.5)) {
  seeded(1, heard(cv.sparserls(y ~ x, chunks, basis = 5, kernel = kernel, nfolds = 3, lambda = 1,
                               checkpoint = dir, progress = FALSE, ...)))
}

expect_changed <- function(found, what) {
  expect_s3_class(found$error, "sparserls_error_checkpoint")
  expect_match(conditionMessage(found$error), "data have changed", fixed = TRUE)
  expect_match(conditionMessage(found$error), what, fixed = TRUE)
}

test_that("a file of another time or size is noticed, other contents alone are not", {
  skip_if_not_installed("data.table")
  file <- withr::local_tempfile(fileext = ".csv")
  dir <- withr::local_tempdir()
  utils::write.csv(some_rows(60), file, row.names = FALSE)
  time <- file.mtime(file)
  chunks <- function() chunks_files(file, rows = 30)
  expect_null(goes_on(chunks(), dir)$error)
  expect_length(goes_on(chunks(), dir)$said, 0)
  Sys.setFileTime(file, time + 60)
  expect_changed(goes_on(chunks(), dir), basename(file))
  lines <- readLines(file)
  write_bytes(c(lines[1], chartr("12", "21", lines[-1])), file)
  Sys.setFileTime(file, time)
  expect_null(goes_on(chunks(), dir)$error)
  write_bytes(lines[-2], file)
  Sys.setFileTime(file, time)
  expect_s3_class(goes_on(chunks(), dir)$error, "sparserls_error_checkpoint")
})

test_that("of a function its text and the first chunk are known, not the variables it uses", {
  dir <- withr::local_tempdir()
  d <- some_rows(60)
  make <- function(d, shift = 0) {
    chunks_function(3, function(i) {
      rows <- d[20 * (i - 1) + 1:20, ]
      if (i > 1) rows$y <- rows$y + shift
      rows
    })
  }
  expect_null(goes_on(make(d), dir)$error)
  resumed <- goes_on(make(d, shift = 1), dir)
  expect_null(resumed$error)
  expect_match(resumed$said, "the first chunk of the data was compared", fixed = TRUE, all = FALSE)
  expect_changed(goes_on(make(transform(d, y = -y)), dir), "chunk 1 of `f`")
  other <- chunks_function(3, function(i) d[20 * (i - 1) + 1:20, ])
  expect_match(conditionMessage(goes_on(other, dir)$error), "another problem")
})

test_that("kernels of one text and other variables have passes of their own", {
  d <- some_rows(60)
  chunks <- chunks_function(3, function(i) d[20 * (i - 1) + 1:20, ])
  kernel <- function(width) {
    kernel_custom(function(x, z) exp(-width * abs(outer(x[, 1], z[, 1], "-"))))
  }
  errors <- function(kernels, dir = NULL) {
    seeded(1, quiet(cv.sparserls(y ~ x, chunks, basis = 5, kernel = kernels, nfolds = "loo",
                                 lambda = c(1, 0.1), checkpoint = dir, progress = FALSE))$curves)
  }
  both <- list(kernel(1), kernel(5))
  found <- errors(both, withr::local_tempdir())
  expect_identical(lapply(found, `[[`, "cvm"), lapply(errors(both), `[[`, "cvm"))
  expect_false(identical(found[[1]]$cvm, found[[2]]$cvm))
})

test_that("a file that a full disk has cut off has no fingerprint", {
  cut_off <- fingerprint
  environment(cut_off) <- list2env(list(writeBin = function(bytes, file) file.create(file)),
                                   parent = environment(fingerprint))
  expect_error(cut_off(1), "could not be written", class = "sparserls_error_checkpoint")
})
