# Rows in chunks against the same rows in memory, which other tests hold against honest refits.

cut_rows <- function(m, pieces) {
  ends <- sort(c(sample.int(m - 1, pieces - 1), m))
  split(seq_len(m), findInterval(seq_len(m) - 1, ends))
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
      data = as_chunks(data, pieces), basis = basis_random(sample(5:20, 1))
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
      data = as_chunks(data, pieces), basis = basis_random(sample(5:25, 1))
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

some_chunk_data <- function(m = 400) {
  set.seed(7)
  data <- random_chunk_data(m, 3)
  data$y <- sin(data$X1) + data$X2 + rnorm(m) / 3
  data
}

test_that("with a key folds and basis do not depend on the chunks or their order", {
  data <- some_chunk_data()
  first <- NULL
  for (pieces in list(split(1:400, rep(1:4, each = 100)), list(1:400),
                      split(1:400, rep(c(3, 1, 2), 1:3 * 67)[1:400]))) {
    set.seed(1)
    cv <- quietly(cv.sparserls(y ~ X1 + X2 + a, as_chunks(data, pieces, "id"), basis = 20,
                               groups = g, nfolds = 4, progress = FALSE))
    if (is.null(first)) first <- cv
    expect_equal(cv$cvm, first$cvm, tolerance = 1e-10)
    expect_equal(predict(cv, data), predict(first, data), tolerance = 1e-9)
  }
})

test_that("folds of groups keep groups whole, whatever chunks they lie in", {
  data <- some_chunk_data()
  data <- data[sample(400), ]
  chunks <- as_chunks(data, split(1:400, rep(1:8, 50)))
  folder <- tempfile()
  cv <- quietly(cv.sparserls(y ~ X1 + X2, chunks, basis = 20, groups = "g", nfolds = 4,
                             keep = folder, progress = FALSE))
  held <- lapply(cv$predictions, readRDS)
  fold <- unlist(lapply(held, `[[`, "fold"))
  group <- unlist(lapply(held, `[[`, "group"))
  expect_length(fold, 400)
  expect_true(all(tapply(fold, group, function(f) length(unique(f))) == 1))
  expect_lte(diff(range(tapply(group, fold, function(g) length(unique(g))))), 1)
  expect_null(cv$refits)
  expect_output(print(cv), sprintf("4 folds of %d groups", length(unique(data$g))), fixed = TRUE)
  expect_identical(cv$ngroups, length(unique(data$g)))
})

test_that("no fold of few groups is empty, or holds them all", {
  data <- data.frame(x = sin(1:40), y = cos(1:40), g = rep(c("b", "a", "d", "c"), each = 10))
  chunks <- chunks_function(2, function(i) data[(i - 1) * 20 + 1:20, ])
  # Drawn one by one, all would be in one of two folds for one seed in eight.
  drawn <- vapply(1:30, function(seed) {
    set.seed(seed)
    folder <- tempfile()
    cv <- quietly(cv.rls(y ~ x, chunks, groups = "g", nfolds = 2, lambda = 1, keep = folder,
                         progress = FALSE))
    held <- lapply(cv$predictions, readRDS)
    fold <- unlist(lapply(held, `[[`, "fold"))[c(1, 11, 21, 31)]
    expect_identical(tabulate(fold, 2), c(2L, 2L))
    paste(fold, collapse = "")
  }, "")
  # Folds have no order: two groups of two are one of three pairs, either way round.
  expect_setequal(drawn, c("1122", "1212", "1221", "2211", "2121", "2112"))
})

test_that("prints say how many rows had missing values, and how many groups are left out", {
  data <- some_chunk_data()
  data$g <- rep(1:8, each = 50)
  data$X1[c(3, 77)] <- NA
  chunks <- as_chunks(data, split(1:400, rep(1:4, each = 100)))
  run <- function(...) quietly(cv.rls(y ~ X1 + X2, chunks, ..., progress = FALSE))
  expect_output(print(run(groups = "g")), "398 rows \\(2 more .*8 folds of one group each")
  expect_output(print(run()), "398 rows (2 more with missing values)", fixed = TRUE)
  some <- quietly(cv.rls(y ~ X1 + X2, chunks, subset = X2 > -9, progress = FALSE))
  expect_output(print(some), "398 rows, primal", fixed = TRUE)
})

test_that("held-out predictions are written, and give intervals", {
  data <- some_chunk_data()
  pieces <- split(1:400, rep(1:5, each = 80))
  folder <- tempfile()
  for (response in c("y", "cbind(y, two)")) {
    form <- as.formula(paste(response, "~ X1 + X2 + a"))
    cv <- quietly(cv.sparserls(form, as_chunks(data, pieces), basis = 20, foldid = f, keep = folder,
                               weights = w, progress = FALSE))
    memory <- quietly(cv.sparserls(form, data, basis = I(cv$fit$basis), foldid = f, keep = TRUE,
                                   kernel = cv$kernel, lambda = cv$lambda, weights = w,
                                   progress = FALSE))
    held <- lapply(cv$predictions, readRDS)
    v <- if (response == "y") 1 else 2
    at <- memory$index[, 1]
    written <- do.call(rbind, lapply(seq_along(held), function(i) {
      matrix(held[[i]]$prediction, ncol = 2 * v)[order(held[[i]]$row), ]
    }))
    expected <- array(memory$fit.preval, c(400, v, length(cv$lambda)))[, , at]
    expect_equal(written, matrix(expected, 400), tolerance = 1e-8)
    new <- data[1:20, ]
    ours <- predict(cv, new, interval = "jackknife+")
    theirs <- predict(memory, new, interval = "jackknife+")
    expect_equal(as.vector(ours), as.vector(theirs), tolerance = 2e-3)
    expect_equal(predict(cv, new, interval = "gp"), predict(memory, new, interval = "gp"),
                 tolerance = 1e-7)
  }
  both <- quietly(cv.sparserls(y ~ X1, as_chunks(data, pieces), basis = 20, nfolds = "loo",
                               keep = folder, progress = FALSE))
  memory <- quietly(cv.sparserls(y ~ X1, data, basis = I(both$fit$basis), nfolds = "loo",
                                 keep = TRUE, kernel = both$kernel, lambda = both$lambda))
  held <- lapply(both$predictions, readRDS)
  written <- unlist(lapply(held, function(h) h$prediction[order(h$row), 1, 1]))
  expect_equal(written, unname(memory$fit.preval[, memory$index["min", 1]]), tolerance = 1e-8)
})

test_that("jackknife ends of chunks are those of rows, rounded outwards", {
  data <- some_chunk_data()
  cv <- quietly(cv.sparserls(y ~ X1 + X2 + a, as_chunks(data, split(1:400, rep(1:4, 100))),
                             basis = 20, foldid = f, keep = tempfile(), progress = FALSE))
  order <- unlist(split(1:400, rep(1:4, 100)))
  memory <- quietly(cv.sparserls(y ~ X1 + X2 + a, data[order, ], basis = I(cv$fit$basis),
                                 foldid = f, keep = TRUE, kernel = cv$kernel, lambda = cv$lambda,
                                 progress = FALSE))
  ours <- predict(cv, data, interval = "jackknife+", level = 0.8)
  theirs <- predict(memory, data, interval = "jackknife+", level = 0.8)
  slack <- 1e-9
  expect_true(all(ours[, "upr"] >= theirs[, "upr"] - slack))
  expect_true(all(ours[, "lwr"] <= theirs[, "lwr"] + slack))
  wide <- theirs[, "upr"] - theirs[, "lwr"]
  expect_lt(max(ours[, "upr"] - ours[, "lwr"] - wide), 0.0021 * max(wide))
})

test_that("a survey knows the rows, and saves the first pass", {
  data <- some_chunk_data()
  chunks <- as_chunks(data, split(1:400, rep(1:4, each = 100)))
  set.seed(1)
  survey <- chunks_survey(y ~ X1 + X2 + a, chunks, weights = w, reservoir = 50, progress = FALSE)
  design <- model.matrix(~ X1 + X2 + a - 1, data)
  used <- data$w / sum(data$w)
  means <- colSums(used * design)
  expect_equal(survey$columns$mean, unname(means), tolerance = 1e-12)
  expect_equal(survey$columns$sd, unname(sqrt(colSums(used * sweep(design, 2, means)^2))),
               tolerance = 1e-12)
  expect_identical(dim(survey$sample), c(50L, 5L))
  expect_identical(survey$levels, list(a = c("u", "v", "w")))
  counted <- chunks_function(4, function(i) data[(i - 1) * 100 + 1:100, ])
  set.seed(2)
  one <- quietly(cv.sparserls(y ~ X1 + X2 + a, counted, basis = 15, weights = w, survey = survey,
                              nfolds = 3, progress = FALSE))
  two <- quietly(cv.sparserls(y ~ X1 + X2 + a, counted, basis = 15, weights = w, survey = survey,
                              nfolds = 3, progress = FALSE))
  expect_identical(one$cvm, two$cvm)
  expect_output(print(survey), "400 rows in 4 chunks")
})

test_that("points that are no rows make a basis", {
  data <- some_chunk_data()
  chunks <- as_chunks(data, split(1:400, rep(1:4, each = 100)))
  points <- data.frame(X1 = rnorm(12), X2 = rnorm(12))
  cv <- quietly(cv.sparserls(y ~ X1 + X2, chunks, basis = points, kernel = kernel_gaussian(0.3),
                             foldid = f, lambda = c(1, 0.1), progress = FALSE))
  centre <- colMeans(data[c("X1", "X2")])
  spread <- sqrt(colMeans(data[c("X1", "X2")]^2) - centre^2)
  standard <- function(x) sweep(sweep(as.matrix(x), 2, centre), 2, spread, "/")
  apart <- function(a, b) rowSums(a^2) + rep(rowSums(b^2), each = nrow(a)) - 2 * tcrossprod(a, b)
  k <- function(a, b) exp(-0.3 * apart(a, b))
  z <- standard(points)
  kbb <- k(z, z) + diag(1e-7, 12)
  design <- k(standard(data[c("X1", "X2")]), z) %*% solve(chol(kbb))
  error <- vapply(c(1, 0.1), function(lambda) {
    held <- numeric(400)
    for (f in unique(data$f)) {
      out <- data$f == f
      a <- rbind(cbind(1, design[!out, ]), cbind(0, sqrt(lambda) * diag(12)))
      held[out] <- cbind(1, design[out, ]) %*% qr.coef(qr(a), c(data$y[!out], numeric(12)))
    }
    mean((data$y - held)^2)
  }, 0)
  expect_equal(unname(cv$cvm), error, tolerance = 1e-8)
  expect_error(cv.sparserls(y ~ X1 + X2, chunks, basis = points["X1"], progress = FALSE),
               class = "sparserls_error_basis")
})

test_that("objects of chunks have the methods of others", {
  data <- some_chunk_data()
  chunks <- as_chunks(data, split(1:400, rep(1:4, each = 100)))
  cv <- quietly(cv.rls(y ~ X1 + X2 + a, chunks, foldid = f, progress = FALSE))
  memory <- quietly(cv.rls(y ~ X1 + X2 + a, data, foldid = f, solver = "primal", lambda = cv$lambda,
                           progress = FALSE))
  expect_equal(sigma(cv), sigma(memory), tolerance = 1e-8)
  expect_equal(deviance(cv), deviance(memory), tolerance = 1e-8)
  expect_equal(vcov(cv, type = "gp"), vcov(memory, type = "gp"), tolerance = 1e-8)
  expect_equal(nobs(cv), 400)
  expect_error(fitted(cv), class = "sparserls_error_object")
  expect_output(print(cv), "5 folds")
  expect_output(print(summary(cv)), "Measure")
  expect_identical(update(cv, nlambda = 3, progress = FALSE)$nfolds, cv$nfolds)
})

test_that("a run that was killed goes on from its checkpoint", {
  data <- some_chunk_data()
  folder <- tempfile()
  mark <- tempfile()
  chunks <- chunks_function(6, function(i) {
    if (i == 5 && file.exists(mark)) stop("killed")
    data[seq(i, 400, by = 6), ]
  })
  call <- function(...) {
    set.seed(3)
    quietly(cv.sparserls(y ~ X1 + X2 + a, chunks, basis = 20, nfolds = 3, progress = FALSE, ...))
  }
  whole <- call()
  file.create(mark)
  expect_error(call(checkpoint = folder), class = "sparserls_error_chunks")
  unlink(mark)
  resumed <- call(checkpoint = folder)
  expect_identical(resumed$cvm, whole$cvm)
  expect_identical(resumed$fit$spectrum, whole$fit$spectrum)
  expect_error(quietly(cv.sparserls(y ~ X1, chunks, basis = 20, checkpoint = folder)),
               class = "sparserls_error_checkpoint")
})
