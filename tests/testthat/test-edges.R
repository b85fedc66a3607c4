set.seed(1)
x <- matrix(rnorm(160), 40)
wave <- sin(4 * x[, 1]) + 0.1 * rnorm(40)
plane <- drop(x %*% 1:4)
id <- rep(1:5, 8)
said <- function(code) {
  found <- heard(code)
  expect_null(found$error)
  paste(found$said, collapse = "")
}
run <- function(y, gamma, ...) {
  cv.sparserls(x, y, 1:20, lambda = 10^(0:-4), foldid = id, ..., kernel = kernel_gaussian(gamma))
}

test_that("a best gamma at the end of a grid of three or more is said, of like candidates", {
  expect_match(said(cv <- run(plane, 10^(0:2))), "best gamma, 1, is the smallest")
  expect_match(capture.output(print(cv)), "best gamma, 1, is the smallest", all = FALSE)
  expect_match(said(run(wave, c(0.01, 0.1, 1))), "best gamma, 1, is the largest.*a wider grid")
  expect_no_match(said(run(plane, c(1, 10))), "gamma")
  expect_no_match(said(run(plane, 10^(-6:1))), "gamma")
  # Where the null model is as good as any, gamma is no matter.
  expect_no_match(said(run(wave, 10^(-10:-8))), "gamma")
  kernels <- list(kernel_gaussian(c(1, 10)), kernel_laplacian(c(0.1, 1e2)),
                  kernel_gaussian(c(3, 0.01), features = 1))
  expect_no_match(said(cv.sparserls(x, plane, 1:20, kernels, 10^(0:-4), foldid = id)), "gamma")
})

test_that("cv.greedyrls says where lambda.min or k.min are at the end", {
  expect_match(said(cv <- cv.greedyrls(x, plane, 3, 10^(2:1), foldid = id)),
               "lambda.min is the smallest.*further down.*k.min is the largest k, 3")
  expect_match(capture.output(print(cv)), "k.min is the largest k, 3", all = FALSE)
  # All features are in, one lambda was asked for.
  expect_identical(said(cv.greedyrls(x, plane, 4, 1, foldid = id)), "")
  expect_match(said(cv.greedyrls(x, rnorm(40), 2, c(1e-3, 1e-2), foldid = id)), "further up")
})

test_that("an error that falls down to the rank of the basis asks for a larger one", {
  z <- 1:40 / 10
  cv <- function(mode) {
    cv.sparserls(cbind(z), exp(-(z - 1)^2) - exp(-(z - 3)^2), I(c(10, 30)), kernel_gaussian(1),
                 standardize = FALSE, holdout_basis = mode, foldid = id)
  }
  expect_match(said(cv("keep")), "limit of 2 basis vectors, and the error still falls. A larger")
})

test_that("groups that predict are named, with what their error is worth", {
  expect_match(said(cv.rls(mpg ~ wt + cyl, mtcars, groups = cyl)),
               "predictor too, as a number.*error may be too small for new groups. Write - cyl")
  sites <- transform(mtcars, cyl = factor(cyl))
  expect_match(said(cv.rls(mpg ~ wt + cyl, sites, groups = cyl)),
               "a new group has a level that.*Write - cyl")
  names(sites)[2] <- "all cyl"
  expect_match(said(cv.rls(mpg ~ wt + `all cyl`, sites, groups = "all cyl")),
               "Write - `all cyl`")
})

test_that("cv.rls2 says that lambda.min is the last of its grid, where the alternation stopped", {
  expect_match(said(cv <- cv.rls2(x, plane, lambda = 10^(0:-3), foldid = id)),
               "lambda.min is the smallest lambda of the grid.*further down")
  expect_match(capture.output(print(cv)), "is the smallest lambda of the grid", all = FALSE)
  early <- function(tol) {
    cv.rls2(x, plane, lambda = 10^(0:-3), foldid = id, algorithm = "alternate", tol = tol)
  }
  expect_match(said(cv <- early(0.1)), "smallest.*stopped short of the optimum.*newton")
  expect_match(capture.output(print(cv)), "stopped short", all = FALSE)
  expect_gt(tail(cv$fit$gap, 1), 0.01)
  expect_no_match(said(early(1e-12)), "stopped short")
  expect_match(said(cv.rls2(x, rnorm(40), lambda = c(0.2, 0.1), foldid = id)), "to `Inf`")
})

test_that("cv.rls2 says what centres of all rows add to the error, and how much", {
  near <- plane + 0.1 * wave
  rivals <- list(features = NULL, kernels = list(kernel_linear(), kernel_gaussian(1)))
  for (kernels in rivals) {
    text <- said(cv <- cv.rls2(x, near, kernels, foldid = id))
    expect_match(text, "centre x over all rows.*adds about\n.*center = TRUE")
    expect_no_match(said(exact <- cv.rls2(x, near, kernels, foldid = id, center = TRUE)), "centre")
    added <- as.numeric(sub(".*about\n([0-9.e-]+) to the error.*", "\\1", text))
    expect_equal(added, min(cv$cvm) - min(exact$cvm), tolerance = 0.5)
  }
  expect_no_match(said(cv.rls2(x, plane + 3 * wave, foldid = id)), "centre")
  expect_no_match(said(cv.rls2(x, near, list(kernel_gaussian(1)), foldid = id)), "centre")
})

test_that("the AUC is not advised where there are three classes", {
  said_of <- function(levels) {
    set.seed(3)
    said(cv.rls(x, factor(sample(levels, 40, TRUE, c(8, rep(1, length(levels) - 1)))), foldid = id))
  }
  expect_match(said_of(c("a", "b")), "\"mse\" or \"auc\" sees more")
  expect_match(said_of(c("a", "b", "c")), "\"mse\" sees more")
})
