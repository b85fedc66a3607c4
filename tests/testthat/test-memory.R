# What R is told to have too little memory for, in a process of its own.

limited <- function(code, limit = "200M") {
  skip_on_cran()
  script <- tempfile(fileext = ".R")
  on.exit(unlink(script))
  writeLines(c("suppressPackageStartupMessages(library(sparserls))",
               "i <- 1:10000", "x <- cbind(sin(i), cos(i))", "y <- sin(i / 9)",
               sprintf("text <- tryCatch({ %s; 'fine' }, error = function(e) {", code),
               "  paste(class(e)[1], conditionMessage(e)) })", "cat(text)"), script)
  paste(system2(file.path(R.home("bin"), "Rscript"), c("--vanilla", script), stdout = TRUE,
                env = c(paste0("R_LIBS=", paste(.libPaths(), collapse = ":")),
                        paste0("R_MAX_VSIZE=", limit))), collapse = "\n")
}

test_that("running out of memory is an error that says what would need less", {
  expect_match(limited("sparserls(x, y, 100, lambda = 1)"), "^fine")
  many <- "^sparserls_error_memory.*rows x basis vectors: use fewer of these"
  expect_match(limited("sparserls(x, y, basis_random(2000), lambda = 1)"), many)
  expect_match(limited("cv.sparserls(x, y, basis_random(2000), lambda = 1, nfolds = 3)"), many)
  full <- "^sparserls_error_memory.*use sparserls\\(\\)"
  expect_match(limited("rls(x, y, kernel_gaussian(1), lambda = 1)"), full)
  expect_match(limited("rls2(x, y, list(kernel_gaussian(1)), lambda = 1)"), full)
})

test_that("other errors keep their call and the calls that led to them", {
  failing <- function(x, z) stop("broken kernel")
  place <- NULL
  raised <- tryCatch(withCallingHandlers(
    sparserls(cbind(1:20), sin(1:20), 5, kernel_custom(failing)),
    error = function(e) place <<- sys.calls()
  ), error = identity)
  expect_identical(conditionCall(raised)[[1]], quote(kernel$f))
  named <- vapply(place, function(call) identical(call[[1]], quote(kernel$f)), NA)
  expect_true(any(named))
})

test_that("what R says of memory is known in all versions", {
  heard <- function(text) {
    class(tryCatch(within_memory(stop(text, call. = FALSE)), error = identity))[1]
  }
  for (text in c("vector memory limit of 100.0 Mb reached, see mem.maxVSize()",
                 "cons memory limit of 5000000 nodes reached, see mem.maxNSize()",
                 "vector memory exhausted (limit reached?)", "could not allocate memory",
                 "cannot allocate vector of size 17 Kb")) {
    expect_identical(heard(text), "sparserls_error_memory", info = text)
  }
  for (text in c("there is no memory of size 17", "the limit of 100.0 Mb is reached")) {
    expect_identical(heard(text), "simpleError", info = text)
  }
})
