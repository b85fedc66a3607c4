x <- bad_x()
y <- bad_y()
fit <- function(threads) sparserls(x, y, 1:5, lambda = 1, threads = threads)

test_that("more threads than the machine has are not used, and that is said", {
  expect_message(one <- fit(1000), "`threads` = 1000", class = "sparserls_message")
  two <- fit(1)
  expect_identical(one, replace(two, "call", list(one$call)))
  old <- options(sparserls.threads = 1000)
  on.exit(options(old))
  expect_silent(fit(NULL))
  expect_silent(predict(two, x))
})

test_that("OMP_THREAD_LIMIT counts", {
  skip_on_cran()
  skip_on_os("windows")
  limit <- function(...) {
    as.integer(said_by_another_r("cat(.Call(sparserls:::ffi_threads))", c(...)))
  }
  all <- limit()
  skip_if(all < 2, "a single core")
  expect_identical(limit("OMP_THREAD_LIMIT=1"), 1L)
})
