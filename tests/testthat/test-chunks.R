# Rows in chunks against the same rows in memory, which other tests hold against honest refits.

cut_rows <- function(m, pieces) {
  ends <- sort(c(sample.int(m - 1, pieces - 1), m))
  split(seq_len(m), findInterval(seq_len(m) - 1, ends))
}

as_chunks <- function(data, pieces, key = NULL) {
  chunks_function(length(pieces), function(i) data[pieces[[i]], , drop = FALSE], key = key)
}

random_chunk_data <- function(m, p) {
  x <- matrix(rnorm(m * p), m)
  if (runif(1) < 0.4) x[sample.int(m, m / 4), ] <- x[sample.int(m, m / 4), ]
  data <- data.frame(x, a = factor(sample(c("u", "v", "w"), m, TRUE)), w = sample(0:3, m, TRUE) / 2)
  data$y <- sin(data$X1) + (data$a == "v") + rnorm(m) / 3 + sample(c(0, 100), 1)
  data$two <- cos(data$X1) + rnorm(m)
  data$class <- data$y > median(data$y)
  data$kind <- factor(c("k1", "k2", "k3")[1 + (data$X1 > 0) + (data$X2 > 1)])
  data$g <- sort(sample.int(m %/% 10, m, TRUE))
  data$f <- sample(1 + data$g %% 5)
  data$id <- sprintf("row %d", sample.int(m))
  data
}

quietly <- function(code) suppressWarnings(suppressMessages(code))

# The value of a fit to chunks, with all rows that were named as its basis, redundant ones too.
with_named_basis <- function(code) {
  dropped <- character()
  value <- withCallingHandlers(suppressMessages(code), sparserls_warning_basis = function(w) {
    dropped <<- strsplit(sub("^rows ", "", w$given), ", ")[[1]]
    invokeRestart("muffleWarning")
  })
  list(value = value, basis = c(value$fit$basis, as.integer(setdiff(dropped, "..."))),
       known = !any(grepl("...", dropped, fixed = TRUE)))
}

expect_same_cv <- function(chunked, memory, data, tolerance = 1e-9) {
  scale <- max(memory$cvm)
  expect_lt(max(abs(chunked$cvm - memory$cvm)) / scale, tolerance)
  expect_lt(max(abs(chunked$cvsd - memory$cvsd)) / scale, tolerance)
  expect_identical(chunked$index, memory$index)
  s <- chunked$lambda.min
  size <- max(abs(predict(memory, data, s = s)))
  expect_lt(max(abs(predict(chunked, data, s = s) - predict(memory, data, s = s))) / size, 1e-8)
  expect_equal(chunked$fit$df, memory$fit$df, tolerance = 1e-8)
  expect_equal(chunked$fit$dev.ratio, memory$fit$dev.ratio, tolerance = 1e-8)
}

test_that("groups and rows that are left out one by one equal those in memory", {
  for (seed in 1:30) {
    set.seed(100 + seed)
    m <- sample(60:200, 1)
    data <- random_chunk_data(m, 2)
    # Cut between groups.
    starts <- which(!duplicated(data$g))[-1]
    ends <- sort(c(sample(starts - 1, 2), m))
    pieces <- split(seq_len(m), findInterval(seq_len(m) - 1, ends))
    by <- if (runif(1) < 0.6) list(groups = quote(g)) else list(nfolds = "loo")
    response <- sample(c("y", "class", "cbind(y, two)"), 1)
    measure <- if (response == "class") sample(c("class", "mse"), 1) else sample(c("mse", "mae"), 1)
    mode <- sample(c("remove", "keep", "keep_loss", "skip"), 1)
    arguments <- c(by, list(
      as.formula(paste(response, "~ X1 + X2 + a", sample(c("", "- 1"), 1))),
      kernel = kernel_gaussian(sample(c(0.05, 1), 1)), lambda = 10^seq(2, -1, length.out = 5),
      holdout_basis = mode, type.measure = measure, progress = FALSE
    ), if (runif(1) < 0.5) list(weights = quote(w)))
    found <- with_named_basis(do.call(cv.sparserls, c(arguments, list(
      data = as_chunks(data, pieces), basis = sample(5:20, 1)
    ))))
    if (!found$known) next
    memory <- quietly(do.call(cv.sparserls, c(arguments, list(data = data,
                                                              basis = I(found$basis)))))
    expect_same_cv(found$value, memory, data)
    expect_identical(found$value$nfolds, memory$nfolds)
  }
})

test_that("linear models on chunks equal those in memory", {
  for (seed in 1:20) {
    set.seed(200 + seed)
    m <- sample(60:300, 1)
    data <- random_chunk_data(m, 4)
    pieces <- cut_rows(m, 4)
    arguments <- list(y ~ . - f - g - id - two - class - kind - w - y, foldid = quote(f),
                      standardize = runif(1) < 0.5, lambda = if (runif(1) < 0.5) c(10, 1, 0.1),
                      progress = FALSE)
    arguments <- Filter(Negate(is.null), arguments)
    chunked <- quietly(do.call(cv.rls, c(arguments, list(data = as_chunks(data, pieces)))))
    memory <- quietly(do.call(cv.rls, c(arguments, list(data = data, solver = "primal"))))
    expect_same_cv(chunked, memory, data)
    expect_equal(coef(chunked), coef(memory), tolerance = 1e-8)
    expect_equal(chunked$fit$gcv, memory$fit$gcv, tolerance = 1e-8)
    fit <- quietly(rls(y ~ X1 + X2, as_chunks(data, pieces), lambda = 1, progress = FALSE))
    expect_equal(coef(fit), coef(rls(y ~ X1 + X2, data, lambda = 1, solver = "primal")),
                 tolerance = 1e-8)
  }
})

test_that("folds of chunks equal folds of rows in memory", {
  for (seed in 1:60) {
    set.seed(seed)
    m <- sample(60:300, 1)
    data <- random_chunk_data(m, sample(2:4, 1))
    pieces <- cut_rows(m, sample(2:7, 1))
    response <- sample(c("y", "cbind(y, two)", "class", "kind"), 1)
    form <- as.formula(paste(response, "~ X1 + X2 + a", sample(c("", "- 1"), 1)))
    kernel <- list(kernel_gaussian(), kernel_laplacian(0.2), kernel_linear(), kernel_polynomial(2),
                   kernel_matern(1.5), kernel_gaussian(c(0.05, 0.5)))[[sample(6, 1)]]
    mode <- sample(c("remove", "keep", "keep_loss", "skip"), 1)
    measure <- if (response %in% c("class", "kind")) sample(c("class", "mse", "mae"), 1)
               else sample(c("mse", "rmse", "mae"), 1)
    lambda <- 10^seq(2, -1, length.out = 6)
    standardize <- runif(1) < 0.7
    arguments <- list(form, kernel = kernel, lambda = lambda, foldid = quote(f),
                      weights = if (runif(1) < 0.5) quote(w), holdout_basis = mode,
                      type.measure = measure, standardize = standardize, progress = FALSE)
    arguments <- Filter(Negate(is.null), arguments)
    found <- with_named_basis(do.call(cv.sparserls, c(arguments, list(
      data = as_chunks(data, pieces), basis = sample(5:25, 1)
    ))))
    if (!found$known) next
    chunked <- found$value
    if (length(kernel$gamma) < 2) arguments$kernel <- chunked$kernel
    memory <- quietly(do.call(cv.sparserls, c(arguments, list(
      data = data, basis = I(found$basis)
    ))))
    expect_same_cv(chunked, memory, data)
  }
})
