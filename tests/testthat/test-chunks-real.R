# Real data in chunks: the numbers of the same rows in memory, whatever the chunks.

real_rows <- function(name, rows) {
  file <- file.path(Sys.getenv("SPARSERLS_DATA"), paste0(name, ".csv.xz"))
  skip_if_not(file.exists(file), "the folder of data")
  utils::head(utils::read.csv(file), rows)
}

test_that("ailerons and pole in chunks equal themselves in memory to 1e-10", {
  for (name in c("ailerons", "pole")) {
    data <- real_rows(name, 3000)
    names(data)[ncol(data)] <- "y"
    data$fold <- 1:3000 %% 10
    data$id <- 1:3000
    kernel <- kernel_gaussian(2^-8)
    lambda <- 2^seq(8, -6, length.out = 15)
    first <- NULL
    for (pieces in list(split(1:3000, rep(1:3, each = 1000)),
                        split(3000:1, rep(1:11, length.out = 3000)), list(1:3000))) {
      chunks <- chunks_function(length(pieces), function(i) data[pieces[[i]], ], key = "id")
      set.seed(1)
      cv <- suppressMessages(cv.sparserls(y ~ . - fold - id, chunks, basis = 100, kernel = kernel,
                                          lambda = lambda, foldid = fold, progress = FALSE))
      if (is.null(first)) {
        rows <- unlist(pieces)[cv$fit$basis]
        first <- suppressMessages(cv.sparserls(
          y ~ . - fold - id, data, basis = I(rows), kernel = cv$kernel, lambda = lambda,
          foldid = fold, progress = FALSE
        ))
      }
      expect_lt(max(abs(cv$cvm / first$cvm - 1)), 1e-10)
      expect_lt(max(abs(cv$cvsd / first$cvsd - 1)), 1e-9)
      size <- max(abs(predict(first, data)))
      expect_lt(max(abs(predict(cv, data) - predict(first, data))) / size, 1e-9)
    }
  }
})
