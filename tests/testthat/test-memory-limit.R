# That a large matrix is never formed is shown by a limit: a child R with so much memory for vectors
# (all of the package's too, which has no other) passes the call, and fails to make the matrix.
passes_within <- function(megabytes, block) {
  script <- tempfile(fileext = ".R")
  on.exit(unlink(script))
  writeLines(c(deparse(bquote(.libPaths(.(.libPaths())))), "library(sparserls)", deparse(block),
               "cat('passed')"), script)
  out <- suppressWarnings(system2(
    file.path(R.home("bin"), "Rscript"), c("--vanilla", shQuote(script)), stdout = TRUE,
    stderr = TRUE, env = c(sprintf("R_MAX_VSIZE=%dM", megabytes), "LANGUAGE=en")
  ))
  if (any(grepl("passed", out))) return(TRUE)
  expect_match(paste(out, collapse = " "), "memory exhausted|memory limit of|cannot allocate")
  FALSE
}

test_that("the kernel matrix of all rows is never formed", {
  skip_on_cran()
  skip_on_os("windows")
  # 6000 rows: their kernel matrix takes 288 MB, one with 50 basis vectors 2.4 MB.
  within <- function(block) {
    passes_within(100, bquote({
      set.seed(1)
      x <- matrix(rnorm(12000), 6000)
      y <- sin(x[, 1])
      kernel <- kernel_gaussian(1)
      .(block)
    }))
  }
  expect_true(within(quote({
    sparserls(x, y, 50, kernel)
    sparserls(x, y, basis_rpcholesky(20), kernel, 1)
    sparserls(x, y, basis_greedy(4, 10), kernel, 1)
  })))
  expect_true(within(quote({
    groups <- rep(1:600, 10)
    cv.sparserls(x, y, 50, kernel, nlambda = 20, nfolds = 10)
    cv.sparserls(x, y, 50, kernel, nlambda = 20, nfolds = "loo")
    cv.sparserls(x, y, basis_groups(rep(1:50, 120)), kernel, nlambda = 20, groups = groups)
    cv.sparserls(x, y, basis_rpcholesky(20), kernel, nlambda = 5, nfolds = 3, reselect = TRUE)
  })))
  expect_false(within(quote(kernel_matrix(kernel, x))))
})

test_that("sparse features are never made dense", {
  skip_on_cran()
  skip_on_os("windows")
  # 1000 rows of 40000 features: 320 MB as a matrix.
  within <- function(block) {
    passes_within(150, bquote({
      set.seed(1)
      x <- Matrix::sparseMatrix(sample(1000, 20000, TRUE), sample(40000, 20000, TRUE), x = 1,
                                dims = c(1000, 40000))
      y <- Matrix::rowSums(x[, 1:20000])
      .(block)
    }))
  }
  expect_true(within(quote({
    cv.sparserls(x, y, 20, kernel_linear(), nlambda = 5)
    cv.sparserls(x, y, 20, kernel_gaussian(1e-3), standardize = FALSE, nlambda = 5)
    rls(x, y, nlambda = 5, standardize = FALSE)
  })))
  expect_false(within(quote(as.matrix(x) + 0)))
})
