# New rows outside of the training rows: the rule written from the help, and what predict() and
# others do with them.

# How many rows a call warns of, 0 without a warning; several warnings are several numbers.
warned <- function(code) {
  rows <- integer()
  withCallingHandlers(code, sparserls_warning_outside = function(w) {
    rows <<- c(rows, w$rows)
    invokeRestart("muffleWarning")
  })
  if (length(rows)) rows else 0L
}

outside_of <- function(fit, new) {
  found <- NULL
  expect_identical(warned(found <- is.na(predict(fit, new, outside = "na"))), 0L)
  found <- matrix(found, nrow(new))
  expect_true(all(found == found[, 1]))
  found[, 1]
}

# The rule of the help for kernels of differences: by the kernel's distance or by the ranges of the
# columns that it reads. used: rows of weight; of rls() all are basis vectors. given: points.
far_rows <- function(fit, x, new, used = rep(TRUE, nrow(x)), given = NULL) {
  kernel <- fit$kernel
  basis <- if (is.null(fit$basis)) which(used) else fit$basis
  read <- if (!is.null(kernel$features)) kernel$features
          else if (length(kernel$gamma) > 1) which(kernel$gamma > 0)
          else seq_len(ncol(x))
  beyond_rows(x[used, , drop = FALSE], new, read) |
    far_from_basis(fit, x, new, basis, used, given)
}

far_from_basis <- function(fit, x, new, basis, used, given) {
  kernel <- fit$kernel
  points <- rows_as_trained(if (is.null(given)) x[basis, , drop = FALSE] else given, fit)
  old <- kernel_matrix(kernel, rows_as_trained(x, fit), points)
  old[old == 1] <- -Inf
  largest <- apply(old, 1, max)
  own <- if (is.null(given)) seq_len(nrow(x)) %in% basis else rep(FALSE, nrow(x))
  passed <- floor(sum(used) / 1000)
  nearest <- min(sort(largest[used])[passed + 1], largest[used & !own])
  -log(apply(kernel_matrix(kernel, rows_as_trained(new, fit), points), 1, max)) > -1.01 * log(nearest)
}

beyond_rows <- function(x, new, columns = seq_len(ncol(x))) {
  outside <- lapply(columns, function(j) {
    low <- min(x[, j])
    high <- max(x[, j])
    if (low == high) return(rep(FALSE, nrow(new)))
    new[, j] > high + (high - low) | new[, j] < low - (high - low)
  })
  Reduce(`|`, outside)
}

case <- function(seed, m = 40, p = 3) {
  set.seed(seed)
  x <- matrix(rnorm(m * p), m, p, dimnames = list(NULL, letters[seq_len(p)]))
  new <- matrix(2.5 * rnorm(60 * p), 60, p, dimnames = list(NULL, letters[seq_len(p)]))
  list(x = x, y = x[, 1] + sin(x[, 2]) + rnorm(m, sd = 0.2), new = new)
}

# Both kinds of rows are there.
expect_outside <- function(fit, new, expected) {
  expect_true(any(expected) && !all(expected))
  expect_identical(outside_of(fit, new), unname(expected))
  expect_identical(warned(predict(fit, new)), sum(expected))
}

difference_kernels <- list(
  kernel_gaussian(), kernel_gaussian(0.5), kernel_laplacian(0.3), kernel_matern(0.5),
  kernel_matern(2.5, 0.4), kernel_gaussian(0.4, features = 2:3),
  kernel_gaussian(c(a = 1, b = 0.2, c = 0))
)

test_that("kernels of differences go by their own distance to the basis", {
  for (seed in seq_along(difference_kernels)) {
    d <- case(seed)
    kernel <- difference_kernels[[seed]]
    for (fit in list(
      sparserls(d$x, d$y, basis = 5 * seed, kernel = kernel),
      sparserls(d$x, d$y, basis = c(1, 4, 9), kernel = kernel, standardize = FALSE),
      rls(d$x, d$y, kernel = kernel), rls(d$x, d$y, kernel = kernel, intercept = FALSE)
    )) expect_outside(fit, d$new, far_rows(fit, d$x, d$new))
  }
})

test_that("given points, rows of weight zero and duplicates have their part in the rule", {
  d <- case(11)
  points <- matrix(rnorm(15), 5, dimnames = list(NULL, letters[1:3]))
  fit <- sparserls(d$x, d$y, basis = points, kernel = kernel_gaussian(0.4))
  expect_outside(fit, d$new, far_rows(fit, d$x, d$new, given = points))

  used <- seq_len(40) > 8
  d$x[1:8, ] <- 5 * d$x[1:8, ]
  fit <- sparserls(d$x, d$y, basis = 9:20, weights = as.double(used))
  expect_outside(fit, d$new, far_rows(fit, d$x, d$new, used = used))
  full <- rls(d$x, d$y, kernel = kernel_gaussian(0.4), weights = as.double(used))
  expect_outside(full, d$new, far_rows(full, d$x, d$new, used))

  twice <- rbind(d$x, d$x)
  fit <- rls(twice, c(d$y, d$y), kernel = kernel_gaussian(0.4))
  single <- rls(d$x, d$y, kernel = kernel_gaussian(0.4), weights = rep(2, 40))
  expect_equal(unclass(fit)$nearest, unclass(single)$nearest)
})

test_that("one in a thousand rows does not hide others, unless it is no basis vector", {
  d <- case(12, m = 1010)
  d$x[1, ] <- 50
  full <- rls(d$x, d$y, kernel = kernel_gaussian(0.5), lambda = 1, standardize = FALSE)
  many <- d$new[rep(1:60, 20), ] * rep(seq(0.5, 1.5, length.out = 20), each = 60)
  expect_outside(full, many, far_rows(full, d$x, many))

  d <- case(12, m = 2100)
  d$x[1, ] <- 50
  d$x[2, ] <- -50
  kernel <- kernel_gaussian(0.05)
  fit <- sparserls(d$x, d$y, basis = 1:60, kernel = kernel, standardize = FALSE, lambda = 1)
  new <- rbind(d$new, c(9, 9, 9))
  expected <- far_rows(fit, d$x, new)
  expect_outside(fit, new, expected)
  expect_identical(warned(predict(fit, d$x)), 0L)

  fit <- sparserls(d$x, d$y, basis = c(1, 3:60), kernel = kernel, standardize = FALSE, lambda = 1)
  expect_outside(fit, rbind(d$new, 500), far_rows(fit, d$x, rbind(d$new, 500)))
  expect_lt(unclass(fit)$nearest, 1e-6)
  one <- warned(predict(fit, rbind(d$new, 500)))
  withr::local_options(sparserls.threads = 2)
  expect_identical(warned(predict(fit, rbind(d$new, 500)[rep(1:61, 500), ])), 500L * one)
  expect_identical(warned(predict(fit, d$x)), 0L)
})

test_that("searched widths and maps, and likelihoods, have the rule", {
  d <- case(13)
  fit <- ardrls(d$x, d$y, basis = 15, penalty = 1, map = TRUE)
  for (at in list(list(kind = "widths", penalty = 1), list(kind = "map", penalty = 10))) {
    part <- sparserls:::fit_at(fit, sparserls:::path_points(fit, at), fit)$fit
    expected <- far_rows(part, d$x, d$new)
    expect_true(any(expected))
    expect_identical(warned(predict(fit, d$new, s = at)), sum(expected))
    expect_identical(is.na(c(predict(fit, d$new, s = at, outside = "na"))), unname(expected))
  }
  counts <- rpois(40, exp(d$x[, 1] / 2))
  for (fitted in list(
    rls(d$x, counts, family = "poisson"), sparserls(d$x, d$y > 0, basis = 12, family = "binomial")
  )) {
    linear <- fitted$kernel$name == "linear"
    expected <- if (linear) beyond_rows(d$x, d$new) else far_rows(fitted, d$x, d$new)
    expect_outside(fitted, d$new, expected)
  }
})

test_that("other kernels go by the ranges of features", {
  d <- case(14)
  for (constant in c(FALSE, TRUE)) {
    if (constant) d$x[, 3] <- 7
    expected <- beyond_rows(d$x, d$new)
    for (fit in list(
      rls(d$x, d$y), rls(d$x, d$y, standardize = FALSE), rls(d$x, d$y, solver = "dual"),
      sparserls(d$x, d$y, basis = 10, kernel = kernel_polynomial(2)),
      sparserls(d$x, d$y, basis = 3, kernel = kernel_linear(normalize = TRUE)),
      rls2(d$x, d$y), rls2(d$x, d$y, kernels = list(kernel_gaussian(1), kernel_linear())),
      ardrls(d$x, d$y, basis = 3, kernel = kernel_linear(), penalty = c(Inf, 1), maxit = 3)
    )) expect_outside(fit, d$new, expected)
  }
  d <- case(14)
  some <- sparserls(d$x, d$y, basis = 6, kernel = kernel_polynomial(2, features = 2:3))
  expect_outside(some, d$new, beyond_rows(d$x, d$new, 2:3))
  greedy <- greedyrls(d$x, d$y, k = 2)
  expect_outside(greedy, d$new, beyond_rows(d$x, d$new, greedy$selected))
})

test_that("kernels of users, and matrices of values, have no check", {
  d <- case(15)
  own <- sparserls(d$x, d$y, basis = 3, kernel = kernel_custom(function(x, z) tcrossprod(x, z)))
  expect_identical(warned(predict(own, 100 * d$new)), 0L)
  k <- kernel_matrix(kernel_gaussian(0.5), d$x)
  given <- rls(k, d$y, kernel = kernel_precomputed())
  for (outside in c("warn", "clip", "na")) {
    expect_identical(warned(expect_false(anyNA(predict(given, 1e-9 * k, outside = outside)))), 0L)
  }
})

test_that("sparse rows are judged and moved as dense ones, some of them or none", {
  d <- case(16)
  d$x[, 2] <- abs(d$x[, 2]) + 4
  d$x[abs(d$x[, 1]) < 0.5, 1] <- 0
  d$new[abs(d$new) < 1.5] <- 0
  d$new[1:20, 2] <- 5
  sparse <- Matrix::Matrix(d$x, sparse = TRUE)
  new <- Matrix::Matrix(d$new, sparse = TRUE)
  for (kernel in list(kernel_linear(), kernel_gaussian(0.3))) {
    fit <- rls(sparse, d$y, kernel = kernel, lambda = 1)
    dense <- rls(d$x, d$y, kernel = kernel, lambda = 1)
    expect_equal(unclass(fit)$ranges, unclass(dense)$ranges)
    expected <- outside_of(dense, d$new)
    expect_outside(fit, new, expected)
    expect_identical(warned(predict(fit, d$new)), sum(expected))
    for (rows in list(1:60, integer())) for (outside in c("clip", "na")) {
      expect_equal(predict(fit, new[rows, , drop = FALSE], outside = outside),
                   predict(dense, d$new[rows, , drop = FALSE], outside = outside), info = outside)
    }
  }
})

test_that("clip predicts the rows with features at the ends of their ranges", {
  d <- case(17)
  low <- apply(d$x, 2, min)
  high <- apply(d$x, 2, max)
  moved <- t(pmin(pmax(t(d$new), low), high))
  for (fit in list(
    rls(d$x, d$y, kernel = kernel_matern()), greedyrls(d$x, d$y, k = 2), rls2(d$x, d$y),
    sparserls(d$x, d$y, basis = 3, kernel = kernel_custom(function(x, z) tcrossprod(x, z))),
    ardrls(d$x, d$y, basis = 10, penalty = c(Inf, 1))
  )) {
    still <- warned(expected <- predict(fit, moved))
    expect_identical(warned(expect_identical(predict(fit, d$new, outside = "clip"), expected)),
                     still)
  }
})

test_that("clip leaves factors, and unknown levels in their place, alone", {
  set.seed(18)
  d <- data.frame(x = rnorm(60), f = factor(sample(letters[1:3], 60, TRUE), letters[1:4]),
                  o = factor(sample(1:4, 60, TRUE), 1:5, ordered = TRUE))
  d$y <- d$x + as.integer(d$f) + rnorm(60, sd = 0.1)
  weights <- as.double(d$o != "4")
  new <- data.frame(x = c(9, 9, 0, -9), f = factor(c("a", "b", "z", "c")),
                    o = factor(c(4, 1, 2, 3), 1:5, ordered = TRUE))
  moved <- transform(new, x = pmin(pmax(x, min(d$x[weights > 0])), max(d$x[weights > 0])))
  for (kernel in list(kernel_gaussian(), kernel_linear())) {
    fit <- rls(y ~ ., d, kernel = kernel, weights = weights, lambda = 1)
    expect_identical(
      suppressWarnings(predict(fit, new, unknown = "as rare", outside = "clip")),
      suppressWarnings(predict(fit, moved, unknown = "as rare"))
    )
  }
  expect_identical(warned(suppressWarnings(predict(fit, new, unknown = "as rare"),
                                           "sparserls_warning_unknown")), 3L)
})

test_that("na gives NA of all kinds, and rows with gaps stay NA without being counted", {
  cv <- cv.sparserls(lpsa ~ . - train, data = prostate, basis = 30, keep = TRUE, nlambda = 10)
  new <- transform(prostate[1:5, ], lcavol = replace(lcavol, 2, 60), age = replace(age, 3, NA))
  expect_identical(warned(p <- predict(cv, new)), 1L)
  expect_identical(which(is.na(unname(p))), 3L)
  expect_identical(which(is.na(unname(predict(cv, new, outside = "na")))), 2:3)
  for (interval in c("jackknife+", "gp")) {
    expect_identical(warned(warning <- predict(cv, new, interval = interval)), 1L)
    ends <- predict(cv, new, interval = interval, outside = "na")
    expect_true(all(is.na(ends[2:3, ])))
    expect_equal(ends[-2, ], warning[-2, ], tolerance = 1e-10)
  }

  x <- as.matrix(prostate[, c("lweight", "age", "lbph", "svi")])
  both <- cv.sparserls(x, cbind(u = prostate$lpsa, v = prostate$lcavol), basis = 20, nlambda = 8,
                       by.output = TRUE)
  far <- replace(x[1:3, ], 2, 50)
  expect_identical(warned(predict(both, far, s = "lambda.min.output")), 1L)
  p <- predict(both, far, s = "lambda.min.output", outside = "na")
  expect_identical(unname(is.na(p)), matrix(rep(c(FALSE, TRUE, FALSE), 2), 3))

  flowers <- rls(Species ~ ., iris, lambda = 1)
  new <- transform(iris[c(1, 51, 101), ], Sepal.Length = c(5, 50, 6))
  expect_identical(is.na(predict(flowers, new, type = "class", outside = "na")), 1:3 == 2)
})

test_that("training rows are never outside", {
  d <- case(21, m = 31)
  far <- 1e6 + d$x
  for (fit in list(
    sparserls(d$x, d$y), rls(d$x, d$y, kernel = kernel_laplacian(0.3)), rls2(d$x, d$y),
    sparserls(d$x, d$y, kernel = kernel_gaussian(1e3), basis = 5),
    sparserls(d$x, d$y > 0, basis = 7, family = "binomial")
  )) expect_identical(c(warned(predict(fit, d$x)), warned(predict(fit, d$x[3:4, ]))), c(0L, 0L))
  for (kernel in difference_kernels[1:3]) {
    fit <- rls(far, d$y, kernel = kernel, standardize = FALSE)
    expect_identical(warned(predict(fit, far)), 0L)
  }
})

test_that("rows in chunks, fitted or predicted, go by ranges and are counted together", {
  rows <- split(prostate, rep(1:4, length.out = nrow(prostate)))
  chunks <- chunks_function(4, function(i) rows[[i]])
  fit <- sparserls(lpsa ~ . - train, chunks, basis = 20, progress = FALSE)
  memory <- sparserls(lpsa ~ . - train, prostate, kernel = kernel_polynomial(2), basis = 20)
  expect_equal(unclass(fit)$ranges, unclass(memory)$ranges)
  expect_identical(warned(predict(fit, prostate)), 0L)
  linear <- rls(lpsa ~ . - train, chunks, progress = FALSE)
  far <- lapply(rows, function(part) transform(part, age = replace(age, 2:3, 300)))
  new <- chunks_function(4, function(i) far[[i]])
  for (fit in list(fit, linear, memory)) {
    expect_identical(warned(predict(fit, far[[1]])), 2L)
    expect_identical(warned(predict(fit, new)), 8L)
  }
})

test_that("augment(), derivatives() and effect_curve() warn once", {
  set.seed(31)
  cv <- cv.sparserls(lpsa ~ . - train, data = prostate, basis = 30, keep = TRUE, nlambda = 10)
  new <- transform(prostate[1:5, ], lcavol = replace(lcavol, 2:3, 60))
  expect_identical(warned(generics::augment(cv, newdata = new, interval = "jackknife+")), 2L)
  expect_identical(warned(derivatives(cv, new, type = "gp")), 2L)
  expect_identical(warned(effect_curve(cv, "lcavol")), 0L)
  expect_notes({
    effect_curve(cv, "age", at = c(20, 60, 400)) |
      warning_outside | "The curve goes outside .. `age` .. 79 of 97 rows at  20 .. rows at 400"
  })
})

test_that("the warning counts rows and says what to do", {
  d <- case(32)
  fit <- rls(d$x, d$y, lambda = 1)
  far <- d$x[1:2, ] + 100
  expect_notes({
    predict(fit, far) | warning_outside |
      '2 rows of `newdata` lie outside .. rows 1, 2 .. (outside = "na")'
    predict(fit, far[1, , drop = FALSE]) | warning_outside | "1 row of `newdata` lies outside"
    predict(fit, `rownames<-`(far, c("7", "b"))) | warning_outside | "rows 7, b"
  })
  expect_refusals({
    predict(fit, far, outside = c("warn", "none")) |
      argument | '`outside` must be one of "warn", "clip", "na" .. character vector of size 2'
  })
})
