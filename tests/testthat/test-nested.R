test_that("the same as calls without every outer fold: sizes, weights, rls2, classes, outputs", {
  set.seed(8)
  m <- 60
  x <- matrix(rnorm(m * 3), m)
  y <- sin(2 * x[, 1]) + rnorm(m) / 3
  id <- rep(1:4, 15)
  outer <- unname(split(1:m, rep(1:3, each = 20)))
  # f(x, y, id, ...): a call that draws what it draws in the order of the nested one.
  expect_nested <- function(f, y, loss = function(y, p) (y - p)^2, type = "response",
                            w = rep(1, m)) {
    cv <- seeded(9, quiet(f(x, y, id, weights = w, outer = outer)))
    alone <- seeded(9, quiet(f(x, y, id, weights = w)))
    expect_identical(cv[setdiff(names(alone), "call")], alone[setdiff(names(alone), "call")])
    share <- vapply(outer, function(held) sum(w[held]), 0)
    each <- vapply(seq_along(outer), function(i) {
      held <- outer[[i]]
      y_of <- function(rows) if (is.matrix(y)) y[rows, ] else y[rows]
      inner <- quiet(f(x[-held, ], y_of(-held), id[-held], weights = w[-held]))
      chosen <- list(lambda = inner$lambda.min, k = inner$k.min, kernel = format(inner$kernel))
      for (name in intersect(names(cv$nested$chosen), names(chosen))) {
        expect_equal(cv$nested$chosen[[name]][i], chosen[[name]], info = name)
      }
      p <- suppressWarnings(predict(inner, x[held, ], type = type))
      losses <- loss(y_of(held), if (type == "class") p else drop(unname(p)))
      weighted.mean(rowSums(as.matrix(losses)), w[held])
    }, 0)
    expect_equal(cv$nested$chosen$cvm, each, tolerance = 1e-8)
    expect_equal(cv$nested$cvm, weighted.mean(each, share), tolerance = 1e-8)
    # The standard error of three folds, as of any.
    expect_equal(cv$nested$cvsd, sqrt(weighted.mean((each - cv$nested$cvm)^2, share) / 2),
                 tolerance = 1e-8)
  }
  # A call with the arguments that it is given, columns as they are.
  as_is <- function(f, ...) {
    given <- list(..., standardize = FALSE)
    function(x, y, id, ...) do.call(f, c(list(x, y, foldid = id), given, list(...)))
  }
  wrong <- function(y, p) as.integer(y != p)
  kernels <- list(kernel_gaussian(0.2), kernel_gaussian(2))
  expect_nested(as_is(cv.sparserls, basis = basis_sizes(c(5, 12)), kernel = kernels,
                      lambda = c(10, 1, 0.1)), y)
  # Basis vectors of an outer fold are in no basis without it.
  expect_nested(function(x, y, id, ...) {
    as_is(cv.sparserls, basis = I(which(x[, 3] > 0)), kernel = kernels, lambda = c(10, 1, 0.1))(
      x, y, id, ...)
  }, y, w = rep(c(1, 0, 2, 1, 3), 12))
  expect_nested(as_is(cv.rls, kernel = kernels, nlambda = 5), cbind(y, x[, 2]^2))
  expect_nested(as_is(cv.rls2, lambda = c(1, 0.1, 0.01), scaling = "fisher"), factor(y > 0), wrong,
                "class")
  expect_nested(as_is(cv.greedyrls, k = 2, lambda = c(10, 1), criterion = "folds"), cut(y, 3),
                wrong, "class")
  expect_nested(as_is(cv.greedyrls, k = 3, lambda = c(10, 1)), y, w = seq(0.5, 2, length.out = m))
  # With centres and scales of the columns, default gammas and grids of lambda: the rows of the
  # outer fold have no part in any of them.
  scaled <- function(f, ...) {
    given <- list(..., nlambda = 5)
    function(x, y, id, ...) do.call(f, c(list(x, y, foldid = id), given, list(...)))
  }
  x <- x %*% diag(c(1, 30, 0.2)) + rep(1:3, each = m)
  x[outer[[1]], ] <- 3 * x[outer[[1]], ]
  expect_nested(scaled(cv.sparserls, basis = basis_rpcholesky(8),
                       kernel = kernel_gaussian(width_multiples(c(0.3, 3)))), y)
  expect_nested(scaled(cv.sparserls, basis = basis_random(8), kernel = kernel_laplacian(),
                       reselect = TRUE), y)
  expect_nested(scaled(cv.rls, kernel = list(kernel_matern(), kernel_linear())), y)
  expect_nested(function(x, ...) scaled(cv.rls)(Matrix::Matrix(x, sparse = TRUE), ...), y)
  expect_nested(scaled(cv.rls2, kernels = list(kernel_gaussian(), kernel_linear()),
                       newdata = matrix(1:6, 2)), y)
  x <- (x - rep(colMeans(x), each = m)) / 10
  gram <- kernel_matrix(kernels[[1]], x)
  cv <- quiet(cv.rls(gram, y, kernel_precomputed(), c(1, 0.1), foldid = id, outer = outer))
  same <- quiet(cv.rls(x, y, kernels[[1]], c(1, 0.1), standardize = FALSE, foldid = id,
                       outer = outer))
  expect_equal(cv$nested, same$nested, tolerance = 1e-8)
})

test_that("outer folds keep together what inner folds do, and reproduce", {
  set.seed(10)
  x <- matrix(rnorm(80 * 2), 80)
  y <- x[, 1] + rnorm(80)
  groups <- sample(letters[1:10], 80, TRUE)
  run <- function(...) quiet(cv.rls(x, y, lambda = c(10, 1), ...))
  whole <- function(cv, labels) all(tapply(cv$nested$foldid, labels, function(f) all(f == f[1])))
  cv <- run(groups = groups, nfolds = 3, outer = 4)
  expect_true(whole(cv, groups))
  expect_true(whole(run(foldid = groups, outer = 5), groups))
  expect_identical(run(groups = groups, outer = "loo")$nested$nfolds, 10L)
  strata <- rep(1:2, c(70, 10))
  balanced <- run(strata = strata, nfolds = 4, outer = 5)
  expect_identical(as.vector(table(balanced$nested$foldid[strata == 2])), rep(2L, 5))
  one <- seeded(11, run(outer = 3))
  expect_identical(one, seeded(11, run(outer = 3)))
  # Folds as elsewhere: with a buffer, overlapping, in rows as supplied.
  time <- cv_folds(80, 4, positions = 1:80, buffer = 3)
  expect_null(run(folds = time, outer = time)$nested$foldid)
  twice <- run(outer = cv_folds(80, 4, repeats = 2))
  expect_identical(twice$nested$chosen$rows, rep(20L, 8))
  data <- data.frame(x, y, site = groups)
  cv <- quiet(cv.rls(y ~ X1 + X2, data, subset = 11:80, groups = "site", nfolds = 3,
                     outer = list(1:30, 31:55, 56:80), lambda = c(10, 1)))
  expect_identical(cv$nested$chosen$rows, c(20L, 25L, 25L))
})

test_that("print, glance and tidy show it", {
  set.seed(13)
  x <- bad_x()
  kernels <- list(kernel_linear(), kernel_gaussian(1))
  cv <- quiet(cv.sparserls(x, bad_y(), seq(1, 20, 2), kernels, c(1, 0.1), foldid = rep(1:4, 5),
                           outer = list(1:7, 8:14, 15:20)))
  expect_said(print(cv))
  expect_output(print(replace(cv, "nested", list(NULL))), "so few rows a search .* outer = 5 adds")
  greedy <- quiet(cv.greedyrls(x, bad_y(), 2, 1, foldid = rep(1:4, 5),
                               outer = list(1:7, 8:14, 15:20)))
  expect_said(print(greedy))
  expect_identical(generics::glance(cv)$nested.estimate, cv$nested$cvm)
  expect_identical(generics::glance(greedy)$nested.std.error, greedy$nested$cvsd)
  expect_named(generics::tidy(cv, "nested"), c("fold", "rows", "estimate", "kernel", "lambda"))
  expect_named(generics::tidy(greedy, "nested"), c("fold", "rows", "estimate", "k", "lambda"))
})

test_that("outer folds that are none are refused, early", {
  x <- bad_x()
  y <- bad_y()
  none <- quiet(cv.rls(x, y, lambda = 1))
  expect_refusals({
    cv.rls(x, y, outer = 1) | folds | "`outer` must be a number of folds from 2 to 20 .. x 1"
    cv.sparserls(x, y, 1:5, outer = "split") | folds | '`outer` must be a number of .. "split"'
    cv.greedyrls(x, y, 2, groups = rep(1:4, 5), outer = 5) |
      folds | "`outer` must be a number of folds from 2 to 4 .. x 5 .. Outer folds are made of"
    cv.rls(x, y, outer = list(0:3)) | folds | "Every fold must hold row numbers from 1 .. fold 1: 0"
    cv.rls(x, y, lambda = 1, foldid = rep(1:2, 10), outer = 2) |
      folds | "A fold holds all training rows (of positive .. fold 1 .. Use more folds or smaller"
    cv.sparserls(x, y, 1:3, lambda = 1, nfolds = 4, outer = list(1:7)) |
      folds | "A fold holds all basis vectors: none is .. outer fold 1 .. Use more basis vectors"
    cv.rls(x, y, lambda = 1, outer = list(1:20)) | folds | "An outer fold leaves .. 20 rows omitted"
    generics::tidy(none, "nested") | argument | "There is no nested error .. Cross-validate with"
  })
})
