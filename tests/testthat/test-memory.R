# How much memory calls take, in another R with so much for vectors (all of the package's too, which
# has no other).

within_megabytes <- function(megabytes, code) {
  skip_on_cran()
  skip_on_os("windows")
  code <- c("suppressPackageStartupMessages(library(sparserls))", code)
  limit <- sprintf("R_MAX_VSIZE=%dM", megabytes)
  paste(said_by_another_r(code, c(limit, "LANGUAGE=en")), collapse = "\n")
}

test_that("running out of memory is an error that says what would need less", {
  calls <- c("sparserls(x, y, basis_random(2000), lambda = 1)",
             "cv.sparserls(x, y, basis_random(2000), lambda = 1, nfolds = 3)",
             "rls(x, y, kernel_gaussian(1), lambda = 1)",
             "rls2(x, y, list(kernel_gaussian(1)), lambda = 1)", "sparserls(x, y, 100, lambda = 1)")
  out <- within_megabytes(200, c(
    "i <- 1:10000", "x <- cbind(sin(i), cos(i))", "y <- sin(i / 9)",
    "limited <- function(code) tryCatch({ code; 'fine' }, error = function(e) {",
    "  paste(class(e)[1], gsub('\n', ' ', conditionMessage(e))) })",
    sprintf("cat(limited(%s), '\n')", calls)
  ))
  many <- "^sparserls_error_memory.*rows x basis vectors: use fewer of these"
  full <- "^sparserls_error_memory.*use sparserls\\(\\)"
  lines <- strsplit(out, "\n")[[1]]
  expect_length(lines, 5)
  for (i in 1:5) expect_match(lines[i], c(many, many, full, full, "^fine")[i])
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

# That a large matrix is never formed is shown by a limit: R passes the calls, and fails to make it.
test_that("kernel matrices of all rows are never formed, sparse features never made dense", {
  # 3600 rows: their kernel matrix takes 104 MB, one with 50 basis vectors 1.4 MB. 500 rows of 30000
  # features: 120 MB as a matrix.
  out <- within_megabytes(100, c(deparse(quote({
    set.seed(1)
    x <- matrix(rnorm(7200), 3600)
    y <- sin(x[, 1])
    kernel <- kernel_gaussian(1)
    sparserls(x, y, 50, kernel)
    sparserls(x, y, basis_greedy(4, 10), kernel, 1)
    groups <- rep(1:360, 10)
    cv.sparserls(x, y, 50, kernel, nlambda = 5, nfolds = 10)
    cv.sparserls(x, y, 50, kernel, nlambda = 5, nfolds = "loo")
    cv.sparserls(x, y, basis_groups(rep(1:50, 72)), kernel, nlambda = 5, groups = groups)
    cv.sparserls(x, y, basis_rpcholesky(20), kernel, nlambda = 5, nfolds = 3, reselect = TRUE)
    sparse <- Matrix::sparseMatrix(sample(500, 15000, TRUE), sample(30000, 15000, TRUE), x = 1,
                                   dims = c(500, 30000))
    y <- Matrix::rowSums(sparse[, 1:15000])
    cv.sparserls(sparse, y, 20, kernel_linear(), nlambda = 5)
    cv.sparserls(sparse, y, 20, kernel_gaussian(1e-3), standardize = FALSE, nlambda = 5)
    rls(sparse, y, nlambda = 5, standardize = FALSE)
    cat("passed")
    for (make in expression(kernel_matrix(kernel, x), as.matrix(sparse) + 0)) try(eval(make))
  }))))
  expect_match(out, "passed(.*(memory exhausted|memory limit of|cannot allocate)){2}")
})
