# The same model in other packages: what the article coming-from says.
# (glmnet's ridge solution is in test-rls.R.)

m <- 40
set.seed(1)
x <- matrix(rnorm(m * 3), m, dimnames = list(NULL, c("a", "b", "c")))
x[, "c"] <- x[, "c"] > 0
y <- sin(x[, 1]) + x[, 2] * x[, 3] + rnorm(m) / 4
new <- matrix(rnorm(30), 10, dimnames = list(NULL, colnames(x)))
new[, "c"] <- new[, "c"] > 0
standardized <- scale(x) * sqrt(m / (m - 1))
# Kernel values with twelve basis vectors, for mgcv.
basis <- 1:12
K <- kernel_matrix(kernel_gaussian(0.2), standardized, standardized[basis, ])
K[cbind(basis, basis)] <- K[cbind(basis, basis)] + 1e-7

test_that("kernlab's Gaussian processes, after converting the width", {
  skip_if_not_installed("kernlab")
  theirs <- kernlab::gausspr(x, y, kernel = "rbfdot", kpar = list(sigma = 0.3), var = 0.2)
  ours <- rls(x, y - mean(y), kernel = kernel_gaussian(0.3 * (m - 1) / m), lambda = 0.2,
              intercept = FALSE)
  expect_equal(c(mean(y) + predict(ours, new)), c(kernlab::predict(theirs, new)), tolerance = 1e-10)
  # Both take distances from inner products, and a root amplifies their rounding at the diagonal.
  expect_equal(kernel_matrix(kernel_matern(0.5, gamma = 0.25), standardized),
               unclass(kernlab::kernelMatrix(kernlab::laplacedot(0.5), standardized))[, ],
               ignore_attr = TRUE, tolerance = 1e-6)
})

test_that("KRLS, exact and with landmarks: predictions, leave-one-out, effects", {
  skip_if_not_installed("KRLS", "1.7")
  width <- function(sigma) kernel_gaussian((m - 1) / (m * sigma))
  theirs <- suppressWarnings(KRLS::krls(x, y, approx = "none", sigma = 3, print.level = 0))
  lambda <- theirs$lambda * c(2, 1)
  ours <- cv.rls(x, y - mean(y), kernel = width(3), lambda = lambda, intercept = FALSE,
                 nfolds = "loo")
  expect_equal(c(mean(y) + predict(ours, new, s = theirs$lambda)), c(predict(theirs, new)$fit),
               tolerance = 1e-10)
  expect_equal(ours$cvm[2] * m, c(theirs$Looe) * sd(y), tolerance = 1e-10)
  expect_equal(derivatives(ours, x, s = theirs$lambda)$average, theirs$avgderivatives[1, ],
               tolerance = 1e-10)

  some <- seq(1, m, by = 3)
  theirs <- suppressWarnings(KRLS::krls(x, y, approx = "nystrom", landmarks = x[some, ],
                                        sigma = 3, print.level = 0))
  ours <- cv.sparserls(x, y - mean(y), basis = some, kernel = width(3), jitter = 1e-12,
                       lambda = theirs$lambda * c(2, 1), intercept = FALSE, nfolds = "loo",
                       holdout_basis = "keep")
  expect_equal(c(mean(y) + predict(ours, new, s = theirs$lambda)), c(predict(theirs, new)$fit),
               tolerance = 1e-7)
  expect_equal(ours$cvm[2] * m, c(theirs$Looe) * sd(y), tolerance = 1e-7)
})

test_that("mgcv with our columns and our penalty: fit, degrees of freedom, leave-one-out, noise", {
  skip_if_not_installed("mgcv")
  cv <- cv.sparserls(x, y, basis = basis, kernel = kernel_gaussian(0.2), lambda = c(1, 0.1),
                     nfolds = "loo", holdout_basis = "keep", jitter = 1e-7)
  for (i in 1:2) {
    theirs <- mgcv::gam(y ~ K, paraPen = list(K = list(K[basis, ], sp = cv$lambda[i])))
    expect_equal(c(fitted(cv$fit)[, i]), c(fitted(theirs)), tolerance = 1e-9, ignore_attr = TRUE)
    expect_equal(cv$fit$df[i] + 1, sum(theirs$edf), tolerance = 1e-9)
    expect_equal(cv$cvm[i], mean((residuals(theirs) / (1 - theirs$hat))^2), tolerance = 1e-9)
  }
  reml <- mgcv::gam(y ~ K, paraPen = list(K = list(K[basis, ])), method = "REML")
  ours <- sparserls(x, y, basis = basis, kernel = kernel_gaussian(0.2), lambda = reml$sp[[1]])
  ends <- predict(ours, new, interval = "gp", noise = "reml", level = 0.9)
  se <- predict(ours, new, se.fit = TRUE, noise = "reml")$se.fit
  noise <- ((ends[, "upr"] - ends[, "lwr"]) / 2 / qt(0.95, m - 1))^2 - c(se)^2
  expect_equal(unname(noise), rep(reml$sig2, 10), tolerance = 1e-6)
})

test_that("glmnet's logistic and Poisson ridge, with weights and an offset", {
  skip_if_not_installed("glmnet")
  set.seed(2)
  w <- runif(m, 0.5, 2)
  o <- rnorm(m) / 2
  z <- rbinom(m, 1, plogis(y))
  k <- rpois(m, exp(y + o))
  lambda <- c(1, 0.1, 0.01)
  expect_ridge <- function(y, family, weight, ...) {
    ours <- rls(x, y, family = family, lambda = weight * lambda, ...)
    theirs <- glmnet::glmnet(x, y, family, alpha = 0, lambda = lambda, thresh = 1e-20, ...)
    expect_equal(as.matrix(coef(ours)), as.matrix(coef(theirs)), ignore_attr = TRUE,
                 tolerance = 1e-7)
  }
  expect_ridge(z, "binomial", m)
  expect_ridge(k, "poisson", sum(w), weights = w, offset = o)
})

test_that("mgcv's Poisson with our columns, our penalty and an offset", {
  skip_if_not_installed("mgcv")
  set.seed(3)
  time <- runif(m, 0.5, 4)
  k <- rpois(m, time * exp(y))
  ours <- sparserls(x, k, basis = basis, kernel = kernel_gaussian(0.2), lambda = 0.3,
                    family = "poisson", offset = log(time))
  theirs <- mgcv::gam(k ~ K + offset(log(time)), poisson,
                      paraPen = list(K = list(K[basis, ], sp = 0.3)))
  expect_equal(c(fitted(ours)), c(fitted(theirs)), tolerance = 1e-8, ignore_attr = TRUE)
  expect_equal(ours$df + 1, sum(theirs$edf), tolerance = 1e-6)
})
