# Rows in chunks: a run that ends anywhere and goes on from its checkpoint, which may have been
# damaged meanwhile, has the bits of the run without trouble or ends in an error of a class of ours;
# and the fit is that of the same rows in memory.

draw_chunk_call <- function() {
  one_of(
    list(sparserls, basis = 16, kernel = kernel_gaussian(0.5), lambda = c(1, 0.1)),
    list(cv.sparserls, basis = 16, kernel = kernel_gaussian(c(0.1, 1)), lambda = c(1, 0.1),
         nfolds = 3),
    list(cv.sparserls, basis = basis_sizes(c(12, 16)), kernel = kernel_gaussian(0.5), lambda = 1,
         groups = "g", nfolds = 3),
    list(cv.sparserls, basis = basis_rpcholesky(12), kernel = kernel_matern(1.5, 0.3), lambda = 1,
         nfolds = "loo", type.measure = "mae"),
    list(rls, lambda = c(1, 0.1)), list(cv.rls, lambda = c(1, 0.1), nfolds = 4)
  )
}

# What becomes of a file of a folder that is copied, or on a disk that is full. (A file whose bytes
# have changed in their places is not looked for: R/chunk-checkpoint.R has no sums of bytes.)
spoil <- function(file) {
  bytes <- readBin(file, "raw", file.size(file))
  at <- sample.int(length(bytes), 1)
  one_of(writeBin(utils::head(bytes, at - 1), file), writeBin(c(bytes, as.raw(1:9)), file),
         unlink(file))
}

chunk_case <- function(case) {
  d <- data.frame(a = rnorm(60), b = rnorm(60), g = sprintf("group%d", rep_len(1:6, 60)))
  d$y <- sin(d$a) + rnorm(60) / 3
  asked <- draw_chunk_call()
  seed <- sample.int(1e6, 1)
  folder <- tempfile("checkpoint-")
  on.exit(unlink(folder, recursive = TRUE))
  reads <- 0
  source <- chunks_function(4, function(i) {
    reads <<- reads - 1
    if (reads == 0) stop("mine")
    d[seq(i, 60, by = 4), ]
  })
  run <- function(which, stop_at = 0, ...) {
    reads <<- stop_at
    set.seed(seed)
    found <- judged(do.call(asked[[1]], c(list(y ~ a + b, source, progress = FALSE), asked[-1],
                                          list(...))), NULL, draws = TRUE)
    report(case, paste("chunks", which), found$finding)
    found
  }
  # What is the same whoever computes it.
  numbers_of <- function(value) {
    fit <- if (inherits(value, "sparserls_cv")) value$fit else value
    list(value[c("cvm", "cvsd", "lambda.min", "curves")], fit$lambda, fit$basis, stats::coef(fit))
  }
  plain <- run("without trouble")
  if (!is.null(plain$error)) {
    report(case, "chunks", list(kind = "refused", says = conditionMessage(plain$error)))
    return("error")
  }
  run("stopped", sample(2:12, 1), checkpoint = folder)
  damaged <- runif(1) < 0.5 && length(list.files(folder))
  if (damaged) spoil(sample(list.files(folder, full.names = TRUE), 1))
  resumed <- run("resumed", checkpoint = folder)
  fine <- if (is.null(resumed$error)) identical(numbers_of(resumed$value), numbers_of(plain$value))
          else damaged
  fit <- if (inherits(plain$value, "sparserls_cv")) plain$value$fit else plain$value
  rows <- d[unlist(lapply(1:4, function(i) seq(i, 60, by = 4))), ]
  same <- if (is.null(fit$basis)) rls(y ~ a + b, rows, lambda = fit$lambda)
          else sparserls(y ~ a + b, rows, I(fit$basis), fit$kernel, fit$lambda)
  error <- max(abs(stats::predict(fit, d) - stats::predict(same, d))) / stats::sd(d$y)
  if (!fine || error > 1e-6) report(case, "chunks", list(kind = "wrong number", says = ""))
  "value held against its definition"
}
