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

any_of <- function(...) sample(list(...), 1)[[1]]
modes <- c("remove", "keep", "keep_loss", "skip")

# Folds, and rows or whole groups (which lie in one chunk) one by one.
test_that("cross-validations of chunks equal those in memory, beyond 512 rows of a chunk too", {
  kernels <- list(kernel_gaussian(), kernel_laplacian(0.2), kernel_linear(), kernel_polynomial(2),
                  kernel_matern(1.5), kernel_gaussian(c(0.05, 0.5)))
  for (seed in c(1:8, 101:106)) {
    set.seed(seed)
    m <- sample(60:300, 1)
    data <- random_chunk_data(m, sample(2:4, 1))
    pieces <- cut_rows(m, sample(2:7, 1))
    held <- list(foldid = quote(f))
    if (seed > 100) {
      starts <- sample(which(!duplicated(data$g))[-1], 2)
      pieces <- split(seq_len(m), findInterval(seq_len(m), sort(starts)))
      held <- any_of(list(groups = quote(g)), list(nfolds = "loo"))
      kernels <- list(kernel_gaussian(0.05), kernel_gaussian(1))
    }
    response <- any_of("y", "cbind(y, two)", "class", if (seed > 100) "y" else "kind")
    measures <- c(if (response %in% c("class", "kind")) "class" else if (seed < 100) "rmse",
                  "mse", "mae")
    both_ways(data, pieces, c(held, list(
      as.formula(paste(response, "~ X1 + X2 + a", any_of("", "- 1"))),
      kernel = sample(kernels, 1)[[1]], lambda = 10^seq(2, -1, length.out = 6),
      weights = any_of(quote(w), NULL), holdout_basis = sample(modes, 1),
      standardize = runif(1) < 0.7, progress = FALSE, type.measure = sample(measures, 1)
    )))
  }
  set.seed(5)
  data <- random_chunk_data(700, 2)
  both_ways(data, list(1:600, 601:700), list(
    y ~ X1 + X2, kernel = kernel_gaussian(1), lambda = c(1, 0.1), nfolds = "loo", progress = FALSE
  ))
})

test_that("linear models on chunks equal those in memory", {
  for (seed in 1:4) {
    set.seed(200 + seed)
    m <- sample(60:300, 1)
    data <- random_chunk_data(m, 4)
    pieces <- cut_rows(m, 4)
    run <- function(data, ..., lambda = NULL) {
      quiet(cv.rls(y ~ X1 + X2 + X3 + X4 + a, data, foldid = f, lambda = lambda,
                   standardize = seed %% 2 == 0, progress = FALSE, ...))
    }
    lambda <- if (seed %% 3) c(10, 1, 0.1)
    chunked <- run(as_chunks(data, pieces), lambda = lambda)
    memory <- run(data, lambda = lambda, solver = "primal")
    expect_same_cv(chunked, memory, data)
    expect_equal(coef(chunked), coef(memory), tolerance = 1e-8)
    expect_equal(chunked$fit$gcv, memory$fit$gcv, tolerance = 1e-8)
    fit <- quiet(rls(y ~ X1 + X2, as_chunks(data, pieces), lambda = 1, progress = FALSE))
    expect_equal(coef(fit), coef(rls(y ~ X1 + X2, data, lambda = 1, solver = "primal")),
                 tolerance = 1e-8)
  }
})

set.seed(7)
data <- random_chunk_data(400, 3)
data$y <- sin(data$X1) + data$X2 + rnorm(400) / 3
quarters <- split(1:400, rep(1:4, each = 100))
chunks <- as_chunks(data, quarters)
# Searches for a width are in test-width-search.R.
width <- kernel_gaussian(0.3)

test_that("with a key folds and basis do not depend on the chunks or their order", {
  first <- NULL
  for (pieces in list(quarters, list(1:400),
                      split(1:400, rep(c(3, 1, 2), 1:3 * 67)[1:400]))) {
    set.seed(1)
    cv <- quiet(cv.sparserls(y ~ X1 + X2 + a, as_chunks(data, pieces, "id"), basis = 20,
                             kernel = width, groups = g, nfolds = 4, progress = FALSE))
    if (is.null(first)) first <- cv
    expect_equal(cv$cvm, first$cvm, tolerance = 1e-10)
    expect_equal(predict(cv, data), predict(first, data), tolerance = 1e-9)
  }
})

test_that("folds of groups keep groups whole, whatever chunks they lie in", {
  data <- data[sample(400), ]
  chunks <- as_chunks(data, split(1:400, rep(1:8, 50)))
  folder <- tempfile()
  cv <- quiet(cv.sparserls(y ~ X1 + X2, chunks, basis = 20, groups = "g", nfolds = 4,
                           kernel = width, keep = folder, progress = FALSE))
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
  drawn <- vapply(1:20, function(seed) {
    set.seed(seed)
    folder <- tempfile()
    cv <- quiet(cv.rls(y ~ x, chunks, groups = "g", nfolds = 2, lambda = 1, keep = folder,
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
  data$g <- rep(1:8, each = 50)
  data$X1[c(3, 77)] <- NA
  run <- function(...) quiet(cv.rls(y ~ X1 + X2, as_chunks(data, quarters), ..., progress = FALSE))
  expect_output(print(run(groups = "g")), "398 rows \\(2 more .*8 folds of one group each")
})

as_in_memory <- function(cv, form, data, ...) {
  quiet(cv.sparserls(form, data, basis = I(cv$fit$basis), kernel = cv$kernel, lambda = cv$lambda,
                     keep = TRUE, progress = FALSE, ...))
}

test_that("held-out predictions are written, and give intervals", {
  folder <- tempfile()
  for (form in list(y ~ X1 + X2 + a, cbind(y, two) ~ X1 + X2 + a)) {
    cv <- quiet(cv.sparserls(form, chunks, basis = 20, foldid = f, keep = folder, weights = w,
                             kernel = width, progress = FALSE))
    memory <- as_in_memory(cv, form, data, foldid = "f", weights = "w")
    v <- if (length(form[[2]]) > 1) 2 else 1
    written <- lapply(cv$predictions, function(file) {
      held <- readRDS(file)
      matrix(held$prediction, ncol = 2 * v)[order(held$row), ]
    })
    expected <- array(memory$fit.preval, c(400, v, length(cv$lambda)))[, , memory$index[, 1]]
    expect_equal(do.call(rbind, written), matrix(expected, 400), tolerance = 1e-8)
    new <- data[1:20, ]
    expect_equal(as.vector(predict(cv, new, interval = "jackknife+")),
                 as.vector(predict(memory, new, interval = "jackknife+")), tolerance = 2e-3)
    expect_equal(predict(cv, new, interval = "gp"), predict(memory, new, interval = "gp"),
                 tolerance = 1e-7)
  }
  cv <- quiet(cv.sparserls(y ~ X1, chunks, basis = 20, nfolds = "loo", keep = folder,
                           progress = FALSE))
  memory <- as_in_memory(cv, y ~ X1, data, nfolds = "loo")
  written <- unlist(lapply(lapply(cv$predictions, readRDS), function(held) {
    held$prediction[order(held$row), 1, 1]
  }))
  expect_equal(written, unname(memory$fit.preval[, memory$index["min", 1]]), tolerance = 1e-8)
})

test_that("jackknife ends of chunks are those of rows, rounded outwards", {
  pieces <- split(1:400, rep(1:4, 100))
  cv <- quiet(cv.sparserls(y ~ X1 + X2 + a, as_chunks(data, pieces), basis = 20, foldid = f,
                           kernel = width, keep = tempfile(), progress = FALSE))
  memory <- as_in_memory(cv, y ~ X1 + X2 + a, data[unlist(pieces), ], foldid = "f")
  ours <- predict(cv, data, interval = "jackknife+", level = 0.8)
  theirs <- predict(memory, data, interval = "jackknife+", level = 0.8)
  expect_true(all(ours[, "upr"] >= theirs[, "upr"] - 1e-9))
  expect_true(all(ours[, "lwr"] <= theirs[, "lwr"] + 1e-9))
  wide <- theirs[, "upr"] - theirs[, "lwr"]
  expect_lt(max(ours[, "upr"] - ours[, "lwr"] - wide), 0.0021 * max(wide))
})

test_that("a survey knows the rows, and saves the first pass", {
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
  read <- 0
  counted <- chunks_function(4, function(i) {
    read <<- read + 1
    data[quarters[[i]], ]
  })
  run <- function(...) {
    read <<- 0
    quiet(cv.sparserls(y ~ X1 + X2 + a, counted, basis = 15, weights = w, nfolds = 3,
                       kernel = width, progress = FALSE, ...))
    read
  }
  expect_lt(run(survey = survey), run())
  expect_output(print(survey), "400 rows in 4 chunks")
})

test_that("objects of chunks have the methods of others", {
  cv <- quiet(cv.rls(y ~ X1 + X2 + a, chunks, foldid = f, progress = FALSE))
  memory <- quiet(cv.rls(y ~ X1 + X2 + a, data, foldid = f, solver = "primal", lambda = cv$lambda))
  gp <- function(object) vcov(object, type = "gp")
  for (ask in c(sigma, deviance, gp)) expect_equal(ask(cv), ask(memory), tolerance = 1e-8)
  expect_equal(nobs(cv), 400)
  expect_error(fitted(cv), class = "sparserls_error_object")
  expect_output(print(cv), "5 folds")
  expect_output(print(summary(cv)), "Mean squared error:")
  expect_identical(update(cv, nlambda = 3, progress = FALSE)$nfolds, cv$nfolds)
})

test_that("what is reported of folds is that of rows in memory; effects say what chunks lack", {
  for (measure in c("mse", "mae")) {
    cv <- quiet(cv.rls(y ~ X1 + X2 + a, chunks, foldid = f, progress = FALSE,
                       type.measure = measure))
    memory <- quiet(cv.rls(y ~ X1 + X2 + a, data, foldid = f, lambda = cv$lambda,
                           type.measure = measure))
    same <- c("rmse", "r.squared", if (measure == "mse") "error")
    expect_equal(cv$performance[same], memory$performance[same], tolerance = 1e-8)
  }
  # Where not all rows are scored a share of the null model's error would be of other rows.
  for (mode in c("keep_loss", "skip")) {
    some <- quiet(cv.sparserls(y ~ X1 + X2, chunks, 20, kernel_gaussian(0.5), c(1, 0.1), foldid = f,
                               holdout_basis = mode, progress = FALSE))
    expect_null(some$performance)
  }
  expect_refusals({
    derivatives(cv) | newdata | "rows in chunks are not kept .. chunks_survey(formula, chunks)$samp"
    partial_effects(cv) | chunks | "partial_effects() takes rows in memory"
    importance(cv) | chunks | "importance() takes rows in memory"
  })
})

test_that("held-out predictions of a chunk without a usable row are none", {
  data$y[quarters[[2]]] <- NA
  run <- function(form) {
    quiet(cv.rls(form, as_chunks(data, quarters), foldid = f, keep = tempfile(), progress = FALSE))
  }
  cv <- run(y ~ X1 + X2)
  expect_length(readRDS(cv$predictions[2])$row, 0)
  memory <- quiet(cv.rls(y ~ X1 + X2, data, foldid = "f", lambda = cv$lambda, keep = TRUE))
  expect_equal(predict(cv, data[1:20, ], interval = "jackknife+"),
               predict(memory, data[1:20, ], interval = "jackknife+"), tolerance = 5e-3)
})

test_that("the number that is drawn for a label does not depend on other labels", {
  for (labels in list(c(3, 1, 2.5), c("c", "a", "\u00e9"))) {
    expect_identical(hashed(labels, 7), vapply(labels, hashed, 0, 7, USE.NAMES = FALSE))
  }
  expect_identical(hashed(c(2, 1), 7), rev(hashed(c(1, 2), 7)))
})
