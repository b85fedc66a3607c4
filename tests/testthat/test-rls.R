set.seed(1)
m <- 40
x <- matrix(rnorm(m * 4), m, dimnames = list(NULL, letters[1:4]))
y <- sin(x[, 1]) + 0.2 * rnorm(m)
w <- runif(m, 0.5, 2)
lambda <- c(10, 1, 0.01)

test_that("fits with the full kernel are those of a direct solve", {
  for (seed in 1:20) {
    case <- random_case(seed)
    k <- reference_kernel(case$kernel, case$x, case$x)
    everything <- seq_len(nrow(case$x))
    honest <- reference_ridge(reference_coordinates(k), case$y, case$w, everything, everything,
                              case$lambda, case$intercept)
    fit <- rls(case$x, case$y, case$kernel, case$lambda, weights = case$w,
               intercept = case$intercept, standardize = FALSE, solver = "dual")
    if (relative_error(fitted(fit), honest) > 1e-8) fail(sprintf("seed %d", seed))
    expect_equal(as.vector(predict(fit, case$x)), as.vector(fitted(fit)), tolerance = 1e-7)
  }
})

test_that("the three solvers of the linear kernel agree, with slopes on the user's scale", {
  moved <- sweep(sweep(x, 2, c(1, 100, 0.01, 5), "*"), 2, c(5, -50, 0, 1), "+")
  w[7] <- 0
  fits <- lapply(c("dual", "svd", "primal"), function(solver) {
    rls(moved, cbind(y, y^2), lambda = lambda, weights = w, solver = solver)
  })
  found <- lapply(fits, function(fit) {
    list(coef(fit), fitted(fit), predict(fit, moved[1:3, ], s = 0.5), fit$df, fit$gcv)
  })
  for (other in found[2:3]) expect_equal(other, found[[1]], tolerance = 1e-10)
  expect_identical(dimnames(coef(fits[[1]]))[[1]], c("(Intercept)", letters[1:4]))
  z <- cbind(1, moved)
  expect_equal(predict(fits[[2]], moved)[, 1, 2], drop(z %*% coef(fits[[2]])[, 1, 2]),
               tolerance = 1e-12)
  centre <- colSums(w * moved) / sum(w)
  scale <- sqrt(colSums(w * sweep(moved, 2, centre)^2) / sum(w))
  z <- cbind(1, sweep(sweep(moved, 2, centre), 2, scale, "/"))
  b <- solve(crossprod(z, w * z) + diag(c(0, 1, 1, 1, 1)), crossprod(z, w * y))
  expect_equal(unname(coef(fits[[2]])[-1, 1, 2]), unname(b[-1] / scale), tolerance = 1e-10)
})

test_that("auto takes the singular values where the gram matrix is ill-conditioned", {
  expect_identical(rls(x, y, lambda = 1)$solver, "primal")
  near <- cbind(x, x[, 1] + 1e-5 * rnorm(m))
  fit <- rls(near, y, lambda = lambda)
  expect_identical(fit$solver, "svd")
  expect_equal(coef(fit), coef(rls(near, y, lambda = lambda, solver = "dual")), tolerance = 1e-6,
               ignore_attr = TRUE)
  expect_identical(cv.rls(near, y, lambda = lambda, nfolds = 4)$fit$solver, "svd")
})

test_that("MASS::lm.ridge's slopes and GCV; glmnet's ridge solution, after converting lambda", {
  other <- MASS::lm.ridge(y ~ x, lambda = lambda)
  # lm.ridge scales by the standard deviation with divisor m, and counts df without the intercept.
  fit <- rls(x, y, lambda = lambda)
  expect_equal(unname(t(coef(other))), unname(coef(fit)), tolerance = 1e-10)
  expect_equal(unname(other$GCV) * m * (m - fit$df)^2 / (m - fit$df - 1)^2, fit$gcv,
               tolerance = 1e-10)
  skip_if_not_installed("glmnet")
  sd_y <- sqrt(mean((y - mean(y))^2))
  other <- glmnet::glmnet(x, y, alpha = 0, lambda = lambda * sd_y / m, standardize = FALSE,
                          thresh = 1e-20, maxit = 1e6)
  fit <- rls(x, y, lambda = lambda, standardize = FALSE)
  expect_equal(unname(as.matrix(coef(other))), unname(coef(fit)), tolerance = 1e-6)
})

test_that("more features than rows, sparse and dense", {
  set.seed(2)
  for (p in c(300, 5)) {
    x <- Matrix::rsparsematrix(if (p == 5) 60 else 25, p, 0.3)
    y <- rnorm(nrow(x))
    fit <- rls(x, y, lambda = lambda)
    expect_identical(fit$solver, if (p == 5) "primal" else "dual")
    for (solver in c("primal", "dual", if (p == 5) "svd")) for (own in list(x, as.matrix(x))) {
      expect_equal(coef(rls(own, y, lambda = lambda, solver = solver)), coef(fit), tolerance = 1e-8)
    }
  }
})

test_that("lambda by degrees of freedom", {
  for (kernel in list(kernel_linear(), kernel_gaussian(0.3))) {
    fit <- rls(x, y, kernel, lambda = lambda_df(c(0.5, 3, 2)))
    expect_equal(fit$df, c(0.5, 2, 3), tolerance = 1e-8)
    expect_equal(predict(fit, x, s = lambda_df(2)), predict(fit, x, s = fit$lambda[2]),
                 tolerance = 1e-6)
    cv <- cv.rls(x, y, kernel, lambda = lambda_df(c(1, 2)), nfolds = "loo")
    expect_equal(cv$fit$df, c(1, 2), tolerance = 1e-8)
  }
})

test_that("a precomputed kernel gives what the kernel itself gives", {
  kernel <- kernel_polynomial(2)
  k <- kernel_matrix(kernel, x)
  w[5] <- 0
  new <- matrix(rnorm(12), 3)
  a <- rls(x, y, kernel, 0.5, weights = w, standardize = FALSE)
  expect_notes({
    b <- rls(k, y, kernel_precomputed(), 0.5, weights = w)
    rls(k, y, kernel_precomputed(), 0.5, standardize = TRUE) | message | "standardize"
  })
  expect_equal(predict(b, kernel_matrix(kernel, new, x)), predict(a, new), tolerance = 1e-10)
  expect_equal(fitted(b), fitted(a), tolerance = 1e-10)
})

test_that("printing", {
  expect_said({
    rls(x, y, lambda = lambda)
    cv.rls(x, y, lambda = lambda, nfolds = "pairs", type.measure = "cindex")
  })
})

test_that("bad input is refused", {
  # More features than LAPACK's int can count the workspace of; sparse until a solver is taken.
  diagonal <- function(m, p) Matrix::sparseMatrix(seq_len(p), seq_len(p), x = 1, dims = c(m, p))
  k <- kernel_matrix(kernel_gaussian(0.3), x)
  given <- function(k) rls(k, y, kernel_precomputed(), standardize = FALSE)
  pairs <- function(y, measure, ...) {
    cv.rls(x, y, lambda = 1, nfolds = "pairs", type.measure = measure, ...)
  }
  expect_refusals({
    rls(x, y, kernel_gaussian(), solver = "svd") | kernel | "plain linear kernel .. dual"
    rls(t(x), rnorm(4), solver = "svd") | argument | "at least as many rows .. 4 rows, 40 features"
    rls(diagonal(20800, 20750), sin(1:20800), solver = "svd", standardize = FALSE) |
      x | "than 20700 .. 32000"
    cv.rls(diagonal(33100, 33000), sin(1:33100), standardize = FALSE) |
      x | "primal .. 33000 .. dual"
    rls(x, y, lambda = lambda_df(5)) | lambda | "must be below 4, the rank"
    lambda_df(-1) | lambda | "`df` must be positive"
    rls(x, y, jitter = 1) | dots | "Unknown argument `jitter` .. standardize, solver, threads"
    rls(x, y, list(kernel_linear(), kernel_gaussian())) | kernel | "a single kernel .. cv.rls()"
    given(k[, 1:5]) | kernel | "must be the square matrix .. 40 x 5"
    given(k + upper.tri(k)) | kernel | "not symmetric"
    given(k - 0.5 * diag(m)) | kernel | ""
    pairs(y, "mse") | measure | "needs type.measure = .. cindex"
    pairs(y > 0, "auc", keep = TRUE) | folds | "takes no `keep`"
    pairs(cbind(y, y^2), "cindex") | measure | "a single output or two classes .. 2 outputs"
    pairs(y, "cindex", groups = rep(1:8, 5)) | folds | ""
    cv.rls(x, y, nfolds = "pair") | folds | "loo .. from 2 to 40 .. pair"
  })
  # A kernel that is indefinite by rounding only is fine.
  expect_true(all(is.finite(fitted(given(tcrossprod(x) - 1e-12 * diag(m))))))
})
