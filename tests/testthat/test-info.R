namespace <- asNamespace("sparserls")

with_blas <- function(blas, code) {
  old <- options(sparserls.blas = blas)
  on.exit({
    options(old)
    namespace$use_blas()
  })
  force(code)
}

test_that("sparserls_info() says what a report needs", {
  info <- sparserls_info()
  expect_s3_class(info, "sparserls_info")
  expect_identical(info$r, R.version.string)
  expect_true(info$instructions %in% c("avx512", "avx2", "plain"))
  lines <- capture.output(expect_identical(print(info), info))
  expect_match(lines, ": ", all = TRUE)
  expect_length(lines, length(info))
})

test_that("the option says who does dense algebra, from the next model on", {
  blas <- with_blas("blas", sparserls_info())
  expect_identical(blas$algebra, "blas")
  own <- with_blas("own", sparserls_info())
  expect_identical(own$algebra, "own")
  expect_match(capture.output(print(own)), "^algebra: +own$", all = FALSE)
  auto <- with_blas("auto", sparserls_info())
  expect_identical(auto$algebra, if (namespace$is_reference_blas(auto$blas)) "own" else "blas")
  withr::with_envvar(c(SPARSERLS_BLAS = NA), {
    expect_identical(with_blas(NULL, sparserls_info()), auto)
  })
  withr::with_envvar(c(SPARSERLS_BLAS = "own"), {
    expect_identical(with_blas(NULL, sparserls_info()$algebra), "own")
    expect_identical(with_blas("blas", sparserls_info()$algebra), "blas")
  })
  namespace$use_blas()
})

test_that("what the option cannot be is an error, once something is fitted", {
  expect_refusals({
    with_blas("fast", sparserls(matrix(1:20 + 0), 1:20 + 0, 1:3, lambda = 1)) |
      argument | '`options(sparserls.blas = )` must be one of "auto", "blas", "own" .. "fast"'
  })
})

test_that("the reference BLAS is known by its name, and what took its place by links and size", {
  is_reference <- function(path) namespace$is_reference_blas(path, size = 5e5)
  slow <- c("/usr/lib/R/lib/libRblas.so", "/usr/lib/x86_64-linux-gnu/blas/libblas.so.3.11.0",
            "C:/Program Files/R/R-4.5.1/bin/x64/Rblas.dll",
            "/Library/Frameworks/R.framework/Versions/4.5-arm64/Resources/lib/libRblas.0.dylib")
  for (path in slow) expect_true(is_reference(path), info = path)
  fast <- c("/usr/lib/x86_64-linux-gnu/openblas-pthread/libblas.so.3",
            "/usr/lib64/libflexiblas.so.3", "/opt/intel/mkl/lib/libmkl_rt.so",
            "/Library/Frameworks/R.framework/Resources/lib/libRblas.vecLib.dylib",
            "/System/Library/Frameworks/Accelerate.framework/Versions/A/Accelerate", "",
            "libother.so")
  for (path in fast) expect_false(is_reference(path), info = path)
  expect_false(namespace$is_reference_blas("C:/R/bin/x64/Rblas.dll", size = 3e7))
  expect_true(namespace$is_reference_blas("C:/R/bin/x64/Rblas.dll", size = NA))
})
