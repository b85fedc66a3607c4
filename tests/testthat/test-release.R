skip_if_not(file.exists(sources("CITATION.cff")), "no sources")

names_of_tests <- function() sub("^test-(.*)[.]R$", "\\1", list.files(test_path(), "^test-.*[.]R$"))

test_that("the version is the same wherever it is said", {
  version <- read.dcf(sources("DESCRIPTION"), "Version")[1]
  said <- function(file, pattern) {
    line <- grep(pattern, readLines(sources(file)), value = TRUE)[1]
    sub(paste0(".*", pattern, ".*"), "\\1", line)
  }
  expect_identical(said("NEWS.md", "^# sparserls ([0-9.]+)"), version)
  expect_identical(said("CITATION.cff", "^version: ([0-9.]+)"), version)
  expect_identical(said("codemeta.json", "^  \"version\": \"([0-9.]+)\""), version)
})

test_that("the table of promises has all of them, each with a check that can be found", {
  promises <- read.dcf(sources("tools", "promises.dcf"))
  shown <- utils::read.csv(sources("vignettes", "articles", "promises.csv"))
  expect_setequal(shown$promise, gsub("\\s+", " ", promises[, "promise"]))
  files <- names_of_tests()
  patterns <- promises[!is.na(promises[, "tests"]), "tests"]
  for (part in unlist(strsplit(gsub("^\\^\\(|\\)\\$$", "", patterns), "|", fixed = TRUE))) {
    expect_true(any(grepl(paste0("^", part, "$"), files)), label = paste("a file of tests:", part))
  }
  checks <- unique(unlist(strsplit(stats::na.omit(promises[, "checks"]), " ")))
  recorded <- sub("[.]dcf$", "", list.files(sources("checks"), "[.]dcf$"))
  expect_identical(setdiff(recorded, checks), character())
  expect_identical(setdiff(checks, shown$check), character())
})

test_that("the files of tests that CRAN runs exist", {
  code <- parse(sources("tests", "testthat.R"))
  assigned <- Filter(function(line) identical(line[[2]], quote(short)), as.list(code))
  short <- eval(assigned[[1]][[3]])
  expect_gt(length(short), 30)
  expect_identical(setdiff(short, names_of_tests()), character())
})
