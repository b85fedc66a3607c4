set.seed(1)
m <- 60
x <- matrix(rnorm(m * 3), m)
y <- sin(x[, 1]) + 0.3 * rnorm(m)
w <- runif(m, 0.5, 2)
lambda <- c(10, 1, 0.1)

plain_errors <- function(folds, turn, groups = NULL, power = 2) {
  z <- reference_standard(x, w, kernel_linear(), TRUE)(x)
  parts <- lapply(split(folds, turn), function(folds) {
    row <- unlist(folds)
    fold <- rep(seq_along(folds), lengths(folds))
    held <- do.call(rbind, lapply(folds, function(rows) {
      matrix(reference_ridge(z, y, w, setdiff(1:m, rows), rows, lambda, TRUE), length(rows))
    }))
    loss <- abs(y[row] - held)^power
    unit <- if (is.null(groups)) fold else groups[row]
    unit_errors(loss, w[row], unit)
  })
  table <- function(name) do.call(rbind, lapply(parts, `[[`, name))
  list(cvm = colMeans(table("mean")), cvsd = sqrt(colMeans(table("error")^2)))
}

run <- function(folds, ...) quiet(cv.rls(x, y, lambda = lambda, weights = w, folds = folds, ...))

test_that("it is that within a repeat, over folds or groups, averaged over repeats", {
  groups <- rep(1:15, 4)
  folds <- cv_folds(m, 6, repeats = 5)
  cases <- list(list(folds, rep(1:5, each = 6)), list(list(1:20, 11:30, 31:60, 1:10), rep(1, 4)),
                list(cv_folds(m, 5, groups = groups, repeats = 4), rep(1:4, each = 5), groups))
  for (case in cases) for (type in c("mse", "mae")) {
    plain <- do.call(plain_errors, c(case, power = if (type == "mse") 2 else 1))
    cv <- run(case[[1]], type.measure = type)
    expect_equal(cv$cvm, plain$cvm, tolerance = 1e-10)
    expect_equal(cv$cvsd, plain$cvsd, tolerance = 1e-8)
  }
  # As many repeats as you like do not make it vanish.
  one <- run(folds[1:6])$cvsd
  expect_lt(max(abs(log(run(cv_folds(m, 6, repeats = 40))$cvsd / one))), log(1.6))
})

test_that("repeats are seen in any list, and in single rows", {
  folds <- cv_folds(m, 4, repeats = 3)
  expect_identical(run(unclass(folds))$cvsd, run(folds)$cvsd)
  loo <- run(as.list(1:m))
  twice <- run(as.list(c(1:m, m:1)))
  expect_equal(twice[c("cvm", "cvsd")], loo[c("cvm", "cvsd")], tolerance = 1e-10)
  # A repeat has several folds: these are three folds, with a standard error over them.
  same <- run(lapply(c(10, 20, 30), function(k) list(score = 1:10, omit = 1:k)))
  expect_true(all(same$cvsd > 0))
})

test_that("a fold that scores one row has no standard error: NA, not NaN", {
  for (type in c("mse", "rmse", "mae")) {
    cv <- run(list(list(score = 3, omit = 1:5)), type.measure = type)
    expect_true(all(is.na(cv$cvsd)))
    expect_false(any(is.nan(cv$cvsd)))
    expect_identical(cv$lambda.1se, cv$lambda.min)
    expect_no_match(capture.output(print(cv)), "NaN")
    expect_silent(plot(cv))
  }
})
