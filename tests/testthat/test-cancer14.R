# The loader of the 14-cancers data, with small files of the same format. Nothing needs the network.

small_files <- function(genes = 5L, env = parent.frame()) {
  folder <- withr::local_tempdir(.local_envir = env)
  set.seed(1)
  for (name in c("train", "test")) {
    counts <- cancer14_counts[[name]]
    x <- matrix(round(rnorm(genes * sum(counts), 100, 50), 1), genes)
    write.table(x, file.path(folder, paste0("14cancer.x", name)), row.names = FALSE,
                col.names = FALSE)
    writeLines(paste(rep(seq_along(counts), counts), collapse = " "),
               file.path(folder, paste0("14cancer.y", name)))
  }
  folder
}

file_url <- function(folder) paste0("file://", normalizePath(folder), "/")

test_that("files become matrices of patients and factors of classes", {
  folder <- small_files()
  data <- read_cancer14(folder, 5L)
  expect_identical(dim(data$train$x), c(144L, 5L))
  expect_identical(dim(data$test$x), c(54L, 5L))
  raw <- as.matrix(read.table(file.path(folder, "14cancer.xtest")))
  expect_equal(data$test$x, t(unname(raw)))
  expect_identical(as.integer(table(data$train$y)), cancer14_counts$train)
  expect_identical(levels(data$test$y), cancer14_classes)
  file.rename(file.path(folder, "14cancer.ytest"), file.path(folder, "14cancer.ytest.txt"))
  expect_identical(read_cancer14(folder, 5L), data)
})

test_that("what has been fetched is kept, and read again", {
  folder <- small_files()
  cache <- file.path(withr::local_tempdir(), "new", "folder")
  keep_cancer14(cache, file_url(folder), 5L)
  expect_identical(list.files(cache), "14cancer.rds")
  expect_identical(read_kept(cancer14_kept(cache), 5L), read_cancer14(folder, 5L))
  expect_identical(read_cancer14(cache, 5L), read_cancer14(folder, 5L))
})

test_that("failures leave nothing behind and say what to do", {
  cache <- withr::local_tempdir()
  mask <- function(lines) {
    lines <- gsub("(file|http)://[^ ]*/(14cancer[.a-z]*)?", "<url>/\\2", lines)
    gsub("[^ ]*/(Rtmp|file)[^ ,]*|^x (?!<url>|patients|[0-9]).*", "x <place or reason>", lines,
         perl = TRUE)
  }
  refused <- function(topic, code, shown = TRUE) {
    error <- expect_error(code, class = paste0("sparserls_error_", topic))
    if (shown) expect_said(cat(conditionMessage(error)), transform = mask)
    expect_identical(list.files(cache), character())
  }
  # Nothing listens at this port.
  refused("download", keep_cancer14(cache, "http://127.0.0.1:9/", 5L))
  folder <- small_files()
  keep <- function() keep_cancer14(cache, file_url(folder), 5L)
  lines <- readLines(file.path(folder, "14cancer.xtrain"))
  writeLines(lines[1:4], file.path(folder, "14cancer.xtrain"))
  refused("data", keep())
  writeLines(c(lines[1:4], sub("^[^ ]*", "NaN", lines[5])), file.path(folder, "14cancer.xtrain"))
  refused("data", keep(), shown = FALSE)
  writeLines(c(lines[1:4], "<html>"), file.path(folder, "14cancer.xtrain"))
  refused("data", keep(), shown = FALSE)
  patients <- as.matrix(read.table(text = lines))
  write.table(t(patients), file.path(folder, "14cancer.xtrain"), row.names = FALSE,
              col.names = FALSE)
  refused("data", keep())
  writeLines(lines, file.path(folder, "14cancer.xtrain"))
  writeLines(as.character(rep(1:2, 27)), file.path(folder, "14cancer.ytest"))
  refused("data", keep())
  unlink(file.path(folder, "14cancer.ytest"))
  refused("download", keep(), shown = FALSE)
  refused("data", read_cancer14(folder, 5L), shown = FALSE)
  expect_classed("data", {
    cancer14(3)
    cancer14("/no/such/folder")
    cancer14(folder)
  })
  # A file where the folder should be.
  writeLines("", file.path(folder, "taken"))
  folder2 <- small_files()
  expect_error(keep_cancer14(file.path(folder, "taken"), file_url(folder2), 5L),
               class = "sparserls_error_download")
})

test_that("a damaged file in the cache is recognized", {
  cache <- withr::local_tempdir()
  writeLines("no data", file.path(cache, "14cancer.rds"))
  expect_classed("data", {
    cancer14(cache)
    read_kept(file.path(cache, "14cancer.rds"), 5L)
  })
  saveRDS(list(train = 1), file.path(cache, "14cancer.rds"))
  expect_classed("data", {
    cancer14(cache)
  })
  withr::local_envvar(R_USER_CACHE_DIR = withr::local_tempdir())
  kept <- tools::R_user_dir("sparserls", "cache")
  dir.create(kept, recursive = TRUE)
  set.seed(2)
  saveRDS(simulate_cancer14(), file.path(kept, "14cancer.rds"), compress = FALSE)
  expect_identical(dim(cancer14()$test$x), c(54L, 16063L))
})

test_that("simulated expressions have the shape of the data", {
  set.seed(3)
  data <- simulate_cancer14(200, 10)
  expect_identical(dim(data$train$x), c(144L, 200L))
  expect_identical(as.integer(table(data$test$y)), cancer14_counts$test)
  set.seed(3)
  expect_identical(simulate_cancer14(200, 10), data)
  expect_classed("argument", {
    simulate_cancer14(0)
    simulate_cancer14(10, 20)
  })
  expect_identical(dim(simulate_cancer14(1, 1)$test$x), c(54L, 1L))
  standard <- function(x) t(scale(t(x)))
  cv <- cv.rls2(standard(data$train$x), data$train$y, scaling = "fisher", standardize = FALSE,
                nfolds = 8, strata = data$train$y, nlambda = 20)
  wrong <- predict(cv, standard(data$test$x), type = "class") != data$test$y
  expect_lt(mean(wrong), 0.5)
})
