wavy <- function(seed, m = 60) {
  set.seed(seed)
  d <- data.frame(a = rnorm(m), b = runif(m), f = factor(sample(letters[1:4], m, TRUE)),
                  g = sample(rep(1:6, length.out = m)))
  d$y <- sin(runif(1, 1, 6) * d$a) + as.numeric(d$f) / 2 + rnorm(m) / 3
  d
}

# What the search should do with the error of every multiple, a function of log4.
walk <- function(loss, error = 0, maximize = FALSE) {
  tried <- first_multiples
  curve <- function(multiple) {
    list(kernel = list(multiple = multiple), cvm = loss(log(multiple, 4)), cvsd = error,
         index = c(min = 1L, column = 1L), path = list(lambda = 1))
  }
  repeat {
    more <- next_multiples(lapply(tried, curve), maximize)
    if (length(more) == 0) return(log(tried, 4))
    tried <- c(tried, more)
  }
}

test_that("the search walks to the smallest error, then halves the step", {
  expect_equal(walk(function(t) t^2), c(0, -1, 1, -0.5, 0.5))
  expect_equal(walk(function(t) (t + 2)^2), c(0, -1, 1, -2, -3, -2.5, -1.5))
  expect_equal(walk(function(t) -(t - 2)^2, maximize = TRUE), c(0, -1, 1, 2, 3, 1.5, 2.5))
  # As far as it may.
  expect_equal(walk(function(t) t), c(0, -1, 1, -2, -3, -4, -3.5))
  expect_equal(walk(function(t) -t), c(0, -1, 1, 2, 3, 4, 3.5))
  # Nothing is gained beyond a tenth of the standard error; all is the same; no standard error.
  expect_equal(walk(function(t) 1 + t^2 / 100, error = 0.2), c(0, -1, 1))
  expect_equal(walk(function(t) 1), c(0, -1, 1))
  expect_equal(walk(function(t) t^2, error = NA_real_), c(0, -1, 1, -0.5, 0.5))
})

test_that("every width is the call with that gamma, from the same random numbers", {
  calls <- list(
    function(kernel, d) cv.sparserls(y ~ a + b + f, d, 12, kernel, groups = g, jitter = 1e-4),
    function(kernel, d) cv.sparserls(y ~ a + f, d, basis_rpcholesky(9), kernel, nfolds = 4,
                                     reselect = TRUE, nlambda = 5),
    function(kernel, d) cv.rls(y ~ a + b + f, d, kernel, nfolds = 5, weights = b)
  )
  for (seed in seq_along(calls)) {
    d <- wavy(seed)
    call <- calls[[seed]]
    kernel <- list(kernel_gaussian, kernel_laplacian, function(...) kernel_matern(2.5, ...))[[
      seed %% 3 + 1]]
    cv <- seeded(seed, quiet(call(kernel(), d)))
    drawn <- runif(1)
    expect_gte(nrow(cv$kernels), 3)
    expect_false(is.unsorted(cv$kernels$gamma))
    for (curve in cv$curves) {
      alone <- seeded(seed, quiet(call(kernel(gamma = width_multiples(curve$kernel$multiple)), d)))
      expect_identical(alone$curves[[1]]$cvm, curve$cvm)
      expect_identical(alone$kernel$gamma, curve$kernel$gamma)
      # The random stream goes on as after a single width.
      expect_identical(runif(1), drawn)
      if (identical(curve$kernel, cv$kernel)) expect_identical(predict(alone, d), predict(cv, d))
    }
    best <- vapply(cv$curves, function(curve) min(curve$cvm), 0)
    expect_equal(min(cv$cvm), min(best))
  }
})

test_that("several kernels and sizes are searched together", {
  d <- wavy(1)
  cv <- quiet(cv.sparserls(y ~ a + b, d, basis_sizes(c(5, 10)), list(
    kernel_gaussian(), kernel_linear(), kernel_laplacian(0.5), kernel_matern()
  ), nfolds = 12))
  widths <- vapply(cv$curves, function(curve) c(curve$walk, 0L)[1], 0L)
  expect_identical(unique(widths), c(1L, 0L, 4L))
  expect_identical(sum(widths == 0), 4L)
  expect_true(all(table(widths[widths > 0]) %% 2 == 0))
  # What is said of them counts widths, not candidates.
  one <- quiet(cv.sparserls(y ~ a + b, d, basis_sizes(c(5, 10)), kernel = kernel_gaussian(),
                            nfolds = 12))
  widths <- length(unique(one$kernels$gamma))
  expect_output(print(one), sprintf("Searched %d kernels: Gaussian, .*; basis sizes 5, 10", widths))
})

test_that("what names a width is not searched", {
  d <- wavy(2)
  asked <- list(kernel_gaussian(width_multiples(1)), kernel_gaussian(0.3), kernel_linear(),
                kernel_gaussian(c(a = 1, b = 0.2)), kernel_polynomial(2))
  for (kernel in asked) {
    expect_identical(nrow(quiet(cv.sparserls(y ~ a + b, d, 10, kernel))$kernels), 1L)
  }
  # Nor that of a kernel from a fit, nor without cross-validation.
  kernel <- sparserls(y ~ a + b, d, 10, lambda = 1)$kernel
  expect_identical(nrow(quiet(cv.rls(y ~ a + b, d, kernel))$kernels), 1L)
  expect_identical(kernel$multiple, 1)
})

test_that("the data-driven gamma: (4 / p)^2, from 1/4 to 4, over the median distance", {
  found <- function(x, kernel = kernel_gaussian()) {
    sparserls(x, x[, 1], 5, kernel, lambda = 1)$kernel$gamma
  }
  for (p in c(1, 2, 3, 4, 5, 8, 12)) {
    set.seed(p)
    x <- matrix(rnorm(30 * p), 30)
    z <- x / rep(sqrt(colMeans(scale(x, scale = FALSE)^2)), each = 30)
    factor <- min(max((4 / p)^2, 1 / 4), 4)
    expect_equal(found(x), factor / median(dist(z)^2))
    expect_equal(found(x, kernel_matern()), factor / median(dist(z)^2))
    expect_equal(found(x, kernel_laplacian()), factor / median(dist(z, "manhattan")))
  }
  # Columns without variance are no features, in sparse x either.
  x <- cbind(x[, 1:2], 1, 0)
  expect_equal(found(Matrix::Matrix(x, sparse = TRUE)), found(x))
  expect_equal(found(x[, 1:2]), found(x))
  d <- wavy(3)
  z <- cbind(scale(d[1:2]), model.matrix(~ f - 1, d) / sqrt(1 - sum(prop.table(table(d$f))^2)))
  z[, 1:2] <- z[, 1:2] * sqrt(60 / 59)
  expect_equal(sparserls(y ~ a + b + f, d, 5, lambda = 1)$kernel$gamma,
               (4 / 3)^2 / median(dist(z)^2))
})

test_that("chunks are searched by the same widths, in a pass for each round", {
  d <- wavy(8, 90)
  chunks <- chunks_function(3, function(i) d[30 * i - 29:0, c("a", "b", "y")])
  call <- function(kernel = kernel_gaussian()) {
    seeded(1, quiet(cv.sparserls(y ~ a + b, chunks, 10, kernel = kernel, nfolds = 3)))
  }
  cv <- call()
  expect_gt(nrow(cv$kernels), 3)
  for (curve in cv$curves) {
    alone <- call(kernel = kernel_gaussian(width_multiples(curve$kernel$multiple)))
    expect_identical(alone$cvm, curve$cvm)
  }
})

test_that("what is said of widths and edges", {
  set.seed(9)
  x <- matrix(rnorm(80), 40, dimnames = list(NULL, c("a", "b")))
  plane <- x[, 1] - x[, 2] + rnorm(40) / 10
  id <- rep(1:5, 8)
  expect_notes({
    cv <- cv.sparserls(x, plane, kernel = kernel_gaussian(), foldid = id) |
      message | "best gamma, 0.00571, is the smallest .. a wider grid .. compare kernel_linear()"
    # The plain linear model of all features has nothing to gain, nor has one without error.
    cv.rls(x, plane, lambda = 10^(0:-6), foldid = id)
    cv.sparserls(x, x[, 1], 20, kernel_linear(), 10^(0:-12), foldid = id)
  })
  expect_output(print(cv), "Searched 7 kernels: Gaussian, gamma from 0.00571 to 5.85")
})

rough <- function(seed, m = 150) {
  set.seed(seed)
  x <- matrix(runif(2 * m, -2, 2), m, dimnames = list(NULL, c("a", "b")))
  y <- abs(x[, 1]) + round(x[, 2]) + rnorm(m) / 10
  data.frame(y, x, f = factor(rep(c("u", "v"), m / 2)))
}

test_that("without a kernel two shapes are searched, the best is chosen, the worse not followed", {
  d <- rough(1)
  fold <- rep(1:10, 15)
  cv <- quiet(cv.sparserls(y ~ ., d, basis = 1:120, foldid = fold))
  shape <- vapply(cv$curves, function(curve) curve$kernel$name, "")
  expect_setequal(shape, c("gaussian", "laplacian"))
  expect_identical(cv$kernel$name, "laplacian")
  expect_identical(min(cv$cvm), min(cv$kernels$cvm))
  expect_output(print(cv), "Gaussian, Laplacian, gamma from")
  set.seed(2)
  x <- matrix(rnorm(400), 200)
  smooth <- quiet(cv.sparserls(x, x[, 1]^2 + x[, 2], basis = 1:60, foldid = rep(1:10, 20)))
  shape <- vapply(smooth$curves, function(curve) curve$kernel$name, "")
  expect_identical(sum(shape == "laplacian"), 1L)
  expect_identical(smooth$kernel$name, "gaussian")
})

test_that("all widths of a shape have one basis, drawn as a single kernel would draw it", {
  d <- rough(3)
  cv <- seeded(1, quiet(cv.sparserls(y ~ a + b, d, basis = 25, foldid = rep(1:10, 15))))
  walk <- vapply(cv$curves, `[[`, 1L, "walk")
  # The first width of the Gaussian is its data-driven one.
  set.seed(1)
  first <- sparserls(y ~ a + b, d, basis = 25, kernel = kernel_gaussian(), lambda = 1)$basis
  best <- cv$curves[walk == 1][[1]]$kernel
  alone <- cv.sparserls(y ~ a + b, d, basis = first, kernel = best, foldid = rep(1:10, 15))
  expect_equal(alone$cvm, cv$curves[walk == 1][[1]]$cvm, tolerance = 1e-10)
  again <- seeded(1, quiet(cv.sparserls(y ~ a + b, d, basis = 25, foldid = rep(1:10, 15))))
  expect_identical(again$cvm, cv$cvm)
})

test_that("families, chunks, sizes and outer folds search shapes; sparse rows the Gaussian alone", {
  d <- rough(4)
  names_of <- function(cv) unique(vapply(cv$curves, function(curve) curve$kernel$name, ""))
  both <- c("gaussian", "laplacian")
  chunks <- chunks_function(3, function(i) d[50 * i - 49:0, ])
  expect_setequal(names_of(quiet(cv.sparserls(y ~ a + b, chunks, 15, nfolds = 5))), both)
  expect_setequal(names_of(quiet(cv.sparserls(f ~ a + b, d, basis = 15, nfolds = 5,
                                              family = "binomial"))), both)
  sized <- quiet(cv.sparserls(y ~ a, d, basis_sizes(c(8, 16)), nfolds = 5, outer = 3))
  expect_setequal(names_of(sized), both)
  expect_true(all(table(vapply(sized$curves, `[[`, 1L, "walk")) %% 2 == 0))
  expect_setequal(names_of(quiet(cv.sparserls(y ~ a, d, basis = basis_random(8), nfolds = 5,
                                              reselect = TRUE))), both)
  sparse <- Matrix::Matrix(as.matrix(d[c("a", "b")]), sparse = TRUE)
  expect_identical(names_of(quiet(cv.sparserls(sparse, d$y, 15, nfolds = 5))), "gaussian")
})

test_that("prints say where a response asks for logarithms, derivatives where a kernel is rough", {
  set.seed(5)
  x <- rnorm(200)
  hint <- "log\\(y\\), or family = Gamma"
  said <- function(y, ...) {
    cv <- quiet(cv.sparserls(cbind(x), y, 20, kernel_gaussian(1), nfolds = 5, ...))
    any(grepl(hint, capture.output(print(cv))))
  }
  skewed <- exp(1.5 * rnorm(200))
  expect_true(said(skewed))
  expect_false(said(skewed - 1))
  expect_false(said(5 + rnorm(200)))
  expect_false(said(skewed, family = Gamma("log")))
  cv <- quiet(cv.sparserls(cbind(x), x, 20, kernel_laplacian(1), nfolds = 5, keep = TRUE))
  expect_notes(derivatives(cv, cbind(x)) | message | "Laplacian kernel are noisy")
})
