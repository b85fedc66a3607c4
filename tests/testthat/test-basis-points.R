set.seed(7)
m <- 60
x <- matrix(rnorm(3 * m), m, dimnames = list(NULL, c("a", "b", "c")))
y <- cbind(u = sin(2 * x[, 1]) + x[, 2]^2, v = x[, 3] + cos(x[, 1])) + rnorm(2 * m) / 5
weights <- replace(runif(m, 0.5, 2), c(3, 40), 0)
centres <- matrix(rnorm(24), 8, dimnames = list(NULL, c("c", "a", "b")))
lambda <- c(10, 1, 0.01)

point_coordinates <- function(kernel, rows, points, standard, jitter = 1e-7) {
  points <- standard(points[, colnames(rows)])
  k_bb <- reference_kernel(kernel, points, points) + diag(jitter, nrow(points))
  t(backsolve(chol(k_bb), t(reference_kernel(kernel, standard(rows), points)), transpose = TRUE))
}

test_that("held-out predictions and predictions are those of honest refits", {
  kernels <- list(kernel_gaussian(0.3), kernel_matern(2.5, 0.4), kernel_laplacian(0.2),
                  kernel_polynomial(2), kernel_gaussian(0.5, features = c("a", "c")))
  new <- matrix(rnorm(15), 5, dimnames = list(NULL, c("a", "b", "c")))
  folds <- list(1:10, list(score = 11:20, omit = 8:25), c(21, 40:60))
  for (kernel in kernels) for (intercept in c(TRUE, FALSE)) for (solver in c("update", "retrain")) {
    used <- if (intercept) reference_standard(x, weights, kernel, TRUE) else identity
    cv <- cv.sparserls(x, y, centres, kernel, lambda, weights = weights, folds = folds,
                       intercept = intercept, standardize = intercept, solver = solver, keep = TRUE)
    z <- point_coordinates(kernel, x, centres, used)
    held <- reference_ridge_cv(z, y, weights, folds, lambda, intercept)
    expect_lt(relative_error(cv$fit.preval, held), 1e-8)
    all <- rbind(z, point_coordinates(kernel, new, centres, used))
    predicted <- reference_ridge(all, rbind(y, matrix(0, 5, 2)), c(weights, rep(0, 5)),
                                 seq_len(m), m + 1:5, lambda, intercept)
    expect_lt(relative_error(predict(cv, new, s = lambda), predicted), 1e-8)
  }
})

test_that("there may be more points than rows, repeated points and rows among them", {
  many <- rbind(matrix(rnorm(240), 80, dimnames = list(NULL, c("a", "b", "c"))), x[1:5, ])
  folds <- split(1:m, rep(1:6, 10))
  kernel <- kernel_laplacian(0.5)
  cv <- cv.sparserls(x, y[, 1], many, kernel, lambda, folds = folds, keep = TRUE)
  z <- point_coordinates(kernel, x, many, reference_standard(x, rep(1, m), kernel, TRUE))
  held <- reference_ridge_cv(z, y[, 1], rep(1, m), folds, lambda, TRUE)
  expect_lt(relative_error(cv$fit.preval, held), 1e-7)
  expect_warning(twice <- sparserls(x, y[, 1], rbind(centres, centres[2, ]), kernel, lambda),
                 class = "sparserls_warning_basis")
  expect_equal(predict(twice, x), predict(sparserls(x, y[, 1], centres, kernel, lambda), x))
})

test_that("a formula's points go through its design, and methods know them", {
  data <- data.frame(y = y[, 1], x, f = factor(rep(c("u", "v", "w"), 20)))
  points <- data[c(5, 1, 9, 33, 12, 50), c("f", "c", "b", "a")]
  points$a <- points$a + 0.3
  coded <- function(data) {
    cbind(A = log(data$a + 10), b = data$b,
          outer(as.character(data$f), c(fu = "u", fv = "v", fw = "w"), "==") + 0)
  }
  run <- function(...) {
    cv.sparserls(..., kernel = kernel_gaussian(c(0.1, 0.3)), lambda = lambda, nfolds = "loo",
                 keep = TRUE)
  }
  form <- y ~ log(a + 10) + b + f
  raw <- run(form, data, basis = points, standardize = FALSE)
  expect_equal(raw$cvm, run(coded(data), data$y, coded(points), standardize = FALSE)$cvm)
  cv <- run(form, data, basis = points)
  expect_identical(cv$fit$basis_labels, rownames(points))
  expect_identical(predict(unserialize(serialize(cv, NULL)), data, interval = "jackknife+"),
                   predict(cv, data, interval = "jackknife+"))
  expect_output(print(cv$fit), "6 given points as basis")
})

test_that("points of chunks are never held out either, row by row or group by group", {
  data <- data.frame(y = y[, 1], x, g = rep(1:20, each = 3))
  chunks <- chunks_function(3, function(i) data[(i - 1) * 21 + 1:min(21, 81 - i * 21), ])
  both <- function(...) {
    lapply(list(chunks, data), function(data) {
      do.call(cv.sparserls, list(y ~ a + b + c, data = data, basis = as.data.frame(centres),
                                 kernel = kernel_gaussian(0.3), lambda = lambda, progress = FALSE,
                                 ...))
    })
  }
  for (found in quiet(list(both(nfolds = "loo"), both(groups = "g")))) {
    expect_equal(found[[1]]$cvm, found[[2]]$cvm, tolerance = 1e-9)
    expect_identical(found[[1]]$fit$basis_labels, found[[2]]$fit$basis_labels)
  }
})

test_that("points that do not fit are refused", {
  y <- y[, 1]
  data <- data.frame(y, x, f = factor(rep(c("u", "v", "w"), 20)))
  points <- data[1:4, -1]
  by_formula <- function(basis) sparserls(y ~ ., data, basis = basis)
  expect_refusals({
    sparserls(x, y, centres[, -1]) | basis | "lacks columns .. `c` .. matched by name"
    by_formula(replace(points, "a", "one")) | basis | "does not fit the model .. character"
    ardrls(x, y, centres) | basis | "must be rows .. sparserls() takes points"
  })
})
