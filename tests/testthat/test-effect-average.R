# average_effect(): what it asks of kernels.

test_that("kernels without a derivative have differences", {
  set.seed(1)
  m <- 60
  x <- cbind(a = rnorm(m), b = rnorm(m))
  y <- x[, 1] * x[, 2] + x[, 1] + rnorm(m)
  k <- exp(-0.5 * as.matrix(dist(x))^2)
  others <- rank(x[, 1])
  move <- function(d) d[order(x[, 1])[pmin(others + 5, m)], , drop = FALSE]
  custom <- kernel_custom(function(x, z) {
    exp(-0.5 * (outer(rowSums(x^2), rowSums(z^2), "+") - 2 * tcrossprod(x, z)))
  })
  effects <- function(cross, newdata, kernel, ...) {
    set.seed(2)
    cv <- suppressMessages(cross(newdata, y, kernel = kernel, lambda = c(1, 0.1), keep = TRUE,
                                 foldid = rep(1:5, 12), standardize = FALSE, ...))
    average_effect(cv, move, newdata = newdata)
  }
  expect_same <- function(...) {
    wanted <- effects(..., newdata = x, kernel = kernel_gaussian(0.5))
    for (found in list(effects(..., newdata = x, kernel = custom),
                       effects(..., newdata = k, kernel = kernel_precomputed()))) {
      for (field in c("average", "std.error", "plugin")) {
        expect_equal(found[[field]], wanted[[field]], tolerance = 1e-6)
      }
    }
  }
  expect_same(cv.rls)
  expect_same(cv.sparserls, basis = I(seq(1, 60, 4)))
  expect_same(cv.sparserls, basis = basis_random(15), reselect = TRUE)
})

test_that("of data with more rows those of the fit are taken, by their names", {
  men <- transform(prostate, keep = rep_len(c(TRUE, FALSE, TRUE), 97))
  men$age[3] <- NA
  for (labels in list(NULL, paste0("man", 1:97))) {
    rownames(men) <- labels
    cv <- suppressMessages(cv.rls(lpsa ~ lcavol + age, men, kernel_gaussian(0.1), subset = keep,
                                  keep = TRUE, nfolds = 5))
    more <- function(rows) transform(rows, lcavol = lcavol + 1)
    wanted <- average_effect(cv, more, newdata = men[men$keep & !is.na(men$age), ])
    expect_identical(average_effect(cv, more), wanted)
    expect_identical(average_effect(cv, more, newdata = men), wanted)
  }
})
