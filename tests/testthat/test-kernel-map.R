# Kernels with a map L see L'x: they are those of the columns X L with gamma = 1. Kernels with a
# width for each feature are those of scaled columns.

set.seed(25)
x <- matrix(rnorm(200), 50, dimnames = list(NULL, c("a", "b", "c", "d")))
y <- sin(2 * x[, 1] - x[, 2]) + x[, 3] + rnorm(50) / 5
map <- matrix(rnorm(12) / 2, 4, dimnames = list(colnames(x), NULL))
widths <- c(c = 0, a = 2, d = 0.01, b = 0.3)
lambda <- c(1, 0.1, 0.01)
folds <- rep(1:5, 10)

# Columns of their own, so that nothing is standardized twice.
standard <- function(x) unname(reference_standard(x, rep(1, nrow(x)), kernel_linear(), TRUE)(x))
mapped_kernels <- function(map, ...) {
  c(list(kernel_linear(map = map, ...), kernel_gaussian(map = map, ...)),
    lapply(c(0.5, 1.5, 2.5), kernel_matern, map = map, ...))
}
# The same kernels of columns that are mapped already.
plain_kernels <- function(...) {
  c(list(kernel_linear(...), kernel_gaussian(1, ...)),
    lapply(c(0.5, 1.5, 2.5), kernel_matern, gamma = 1, ...))
}

test_that("kernels of (X Q, Q'L) are those of (X, L), and their values those of the formula", {
  for (seed in 1:3) {
    set.seed(seed)
    p <- sample(2:7, 1)
    x <- matrix(rnorm(30 * p), 30)
    z <- matrix(rnorm(8 * p), 8)
    q <- qr.Q(qr(matrix(rnorm(p^2), p)))
    map <- matrix(rnorm(p * sample(8, 1)) / 2, p)
    for (normalize in c(FALSE, TRUE)) {
      turned <- mapped_kernels(crossprod(q, map), normalize = normalize)
      kernels <- mapped_kernels(map, normalize = normalize)
      for (i in seq_along(kernels)) {
        values <- kernel_matrix(kernels[[i]], x, z)
        expect_equal(kernel_matrix(turned[[i]], x %*% q, z %*% q), values, tolerance = 1e-12)
        expect_equal(values, reference_kernel(kernels[[i]], x, z), tolerance = 1e-12)
      }
    }
  }
})

test_that("rows of a map go by their names, or by the order of the columns", {
  nameless <- unname(map)
  see <- function(x, ...) kernel_matrix(kernel_gaussian(...), x)
  whole <- see(x, map = nameless)
  expect_identical(see(x, map = map[c(3, 1, 4, 2), ]), whole)
  expect_equal(see(x[, 4:1], map = map), whole, tolerance = 1e-12)
  part <- see(x, map = nameless[c(4, 2), ], features = c("d", "b"))
  expect_equal(part, see(x[, c(4, 2)] %*% nameless[c(4, 2), ], 1), tolerance = 1e-13)
  # A kernel from a fit is one for other data with the same columns.
  fit <- sparserls(x, y, 1:20, kernel_matern(map = map[4:1, ]), lambda)
  expect_identical(fit$kernel$map, map)
  again <- sparserls(x, y, 1:20, fit$kernel, lambda)
  expect_identical(predict(again, x[1:3, ]), predict(fit, x[1:3, ]))
})

# Kernels that scale or map the standardized columns, the plain ones, and what those see.
pairs_of <- function(x, map) {
  z <- standard(x)
  scaled <- function(power) z * rep(widths[colnames(x)]^power, each = nrow(x))
  with_widths <- function(kernel, plain, power) {
    lapply(c(FALSE, TRUE), function(normalize) {
      list(own = kernel(widths, normalize = normalize), plain = plain(1, normalize = normalize),
           sees = scaled(power))
    })
  }
  matern <- function(...) kernel_matern(2.5, ...)
  c(with_widths(kernel_gaussian, kernel_gaussian, 0.5), with_widths(matern, matern, 0.5),
    with_widths(kernel_laplacian, kernel_laplacian, 1),
    Map(function(own, plain) list(own = own, plain = plain, sees = z %*% map),
        mapped_kernels(map), plain_kernels()))
}

test_that("fits, held-out errors and intervals are those of the columns seen; dense and sparse", {
  sparse <- Matrix::Matrix(x * (abs(x) > 0.3), sparse = TRUE)
  maps <- list(map, cbind(map, map[, 1:2] - 0.3))
  for (data in list(x, sparse)) for (map in if (is.matrix(data)) maps else maps[1]) {
    for (pair in pairs_of(as.matrix(data), map)) {
      run <- function(x, kernel, ...) {
        quiet(cv.sparserls(x, y, 1:20, kernel, lambda, foldid = folds, keep = TRUE,
                           progress = FALSE, ...))
      }
      # More basis vectors than the linear kernel's rank: a jitter that rounding is far below.
      one <- run(data, pair$own, jitter = 1e-4)
      two <- run(pair$sees, pair$plain, standardize = FALSE, jitter = 1e-4)
      new <- pair$sees[7:9, , drop = FALSE]
      close <- if (is.null(pair$own$map)) 1e-9 else 1e-7
      expect_equal(one$fit.preval, two$fit.preval, tolerance = close, ignore_attr = TRUE)
      expect_equal(predict(one, data[7:9, ]), predict(two, new), tolerance = close)
      for (interval in c("gp", "jackknife+")) {
        expect_equal(predict(one, data[7:9, ], interval = interval),
                     predict(two, new, interval = interval), tolerance = 1e-6)
      }
    }
  }
})

test_that("rls(), rls2() and repeated rows", {
  # The first of widths, a linear kernel and a Matern kernel with a map.
  for (pair in pairs_of(x, map)[c(1, 7, 9)]) {
    p <- ncol(pair$sees)
    both <- cbind(pair$sees, standard(x))
    fits <- list(
      list(rls(x, y, pair$own, lambda),
           rls(pair$sees, y, pair$plain, lambda, standardize = FALSE), pair$sees),
      list(rls2(x, y, list(pair$own, kernel_gaussian(0.5)), lambda),
           rls2(both, y, list(replace(pair$plain, "features", list(seq_len(p))),
                              kernel_gaussian(0.5, features = p + 1:4)), lambda,
                standardize = FALSE), both)
    )
    for (fit in fits) {
      one <- fit[[1]]
      two <- fit[[2]]
      new <- fit[[3]][1:5, ]
      expect_equal(fitted(one), fitted(two), tolerance = 1e-7)
      expect_equal(predict(one, x[1:5, ]), predict(two, new), tolerance = 1e-7)
    }
  }
  twice <- rbind(x, x[1, ] + c(0, 0, 5, 0))
  seen <- rbind(map[-3, ], c = 0)
  for (kernel in list(kernel_gaussian(map = seen), kernel_gaussian(widths))) {
    expect_warning(sparserls(twice, c(y, 0), c(1, 51), kernel, 1, standardize = FALSE),
                   class = "sparserls_warning_basis")
  }
})

test_that("factors have a row of the map for each of their columns", {
  data <- data.frame(x, y = y, f = factor(rep(c("u", "v", "w", "u", "v"), 10)), g = folds > 3)
  coded <- reference_coding(as.list(data[c("a", "b", "c", "d", "f", "g")]))
  columns <- sparserls(y ~ ., data, basis = 5, lambda = 1)$columns
  wide <- matrix(rnorm(length(columns) * 3) / 2, length(columns), dimnames = list(columns, NULL))
  # The diagonal of L L', summed over a factor's columns, 0 of what the kernel does not see.
  square <- rowSums(wide^2)
  levels <- c("fu", "fv", "fw")
  check <- function(rows, features, relevance) {
    kernel <- kernel_matern(map = wide[rows, ], features = features)
    fit <- sparserls(y ~ ., data, basis = 1:20, kernel = kernel, lambda = lambda)
    seen <- coded[, match(rows, columns)] %*% wide[rows, ]
    other <- sparserls(seen, y, 1:20, kernel_matern(gamma = 1), lambda, standardize = FALSE)
    expect_equal(fitted(fit), fitted(other), tolerance = 1e-8, ignore_attr = TRUE)
    expect_equal(sparserls:::relevance_of(fit), relevance)
    fit
  }
  check(c("b", levels), c("b", "f"),
        c(a = 0, square["b"], c = 0, d = 0, f = sum(square[levels]), g = 0))
  fit <- check(sample(columns), NULL, c(square[1:4], f = sum(square[levels]), g = sum(square[8:9])))
  found <- derivatives(fit, data, s = 0.1)
  moved <- function(level) predict(fit, replace(data, "f", factor(level, levels(data$f))), 0.1)
  same(found$derivatives[, "fw"], as.vector(moved("w") - moved("u")), 1e-8)
})

test_that("rows in chunks, and checkpoints that tell maps apart", {
  data <- data.frame(x, y = y, id = folds)
  source <- chunks_function(5, function(i) data[10 * (i - 1) + 1:10, ])
  folder <- withr::local_tempdir()
  run <- function(map, ...) {
    seeded(3, quiet(cv.sparserls(y ~ a + b + c + d, ..., kernel = kernel_matern(map = map),
                                 lambda = lambda, progress = FALSE)))
  }
  cv <- run(map, data = source, basis = 15, foldid = "id", checkpoint = folder)
  memory <- run(map, data = data, basis = I(cv$fit$basis), foldid = folds)
  expect_equal(cv$cvm, memory$cvm, tolerance = 1e-9)
  expect_error(run(replace(map, 5, 0), data = source, basis = 15, foldid = "id",
                   checkpoint = folder), class = "sparserls_error_checkpoint")
})

test_that("maps that do not fit are refused", {
  frame <- data.frame(a = x[, 1], f = factor(rep(1:2, 25)), y = y)
  named <- function(...) matrix(1, 2, 1, dimnames = list(c(...), NULL))
  fit <- function(map, data = x, ...) sparserls(data, y, 5, kernel_gaussian(map = map, ...))
  by_formula <- function(...) {
    sparserls(y ~ ., frame, basis = 5, kernel = kernel_gaussian(map = cbind(c(...))))
  }
  expect_refusals({
    kernel_gaussian(map = 1) | kernel | "must be a matrix of finite"
    kernel_matern(map = matrix(0, 2, 2)) | kernel | "not all of them zero"
    kernel_linear(map = named("a", "a")) | kernel | "must name every column once"
    kernel_gaussian(abs(map)) | kernel | "`gamma` is a number .. is `map`"
    kernel_gaussian(c(a = 1), map = map) | kernel | "`gamma` and `map` cannot be given together"
    fit(unname(map)[1:3, ]) | kernel | "3 rows for the columns a, b, c, d"
    fit(rbind(map, e = 1)) | kernel | "no column called e"
    fit(map, cbind(x, a = 1:50)) | kernel | "several columns have the same name"
    by_formula(a = 1, f = 1) | kernel | "no row for f1, f2 .. no column called f"
    fit(1e160 * map) | range | "`x map` .. overflow .. 3.28e+160"
  })
})
