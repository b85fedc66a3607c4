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

test_that("running out of memory is an error that says how much is needed", {
  expect_match(limited("sparserls(x, y, 100, lambda = 1)"), "^fine")
  many <- "^sparserls_error_memory.*10000 x 2000 numbers \\(152.6 Mb\\).*Use fewer basis vectors"
  expect_match(limited("sparserls(x, y, 2000, lambda = 1)"), many)
  expect_match(limited("cv.sparserls(x, y, 2000, lambda = 1, nfolds = 3)"), many)
  full <- "^sparserls_error_memory.*10000 x 10000 numbers \\(762.9 Mb\\).*sparserls\\(\\)"
  expect_match(limited("rls(x, y, kernel_gaussian(1), lambda = 1)"), full)
  expect_match(limited("rls2(x, y, list(kernel_gaussian(1)), lambda = 1)"), full)
})
