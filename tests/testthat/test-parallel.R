skip_without_workers()
train <- prostate[prostate$train, -10]

# Two workers for all that asks both ways: new ones for each would take most of the time.
workers <- parallel::makePSOCKcluster(2)
parallel::clusterCall(workers, .libPaths, .libPaths())

# Both ways from the same seed, and where the stream of random numbers ends.
both_ways <- function(code) {
  code <- substitute(code)
  run <- function(env) {
    set.seed(11)
    value <- suppressMessages(eval(code, env))
    list(value = value, stream = runif(1))
  }
  env <- parent.frame()
  alone <- run(env)
  local_plan(future::cluster, workers = workers)
  together <- run(env)
  expect_identical(together$value, alone$value)
  expect_identical(together$stream, alone$stream)
}

test_that("kernels and sizes of a search", {
  both_ways(cv.sparserls(lpsa ~ ., train, basis_sizes(c(5, 10, 20)),
                         kernel_gaussian(c(0.01, 0.1, 1)), nfolds = 5, keep = TRUE))
  both_ways(cv.rls(lpsa > 2.5 ~ ., train,
                   list(kernel_linear(), kernel_gaussian(width_multiples(2^(-2:2)))), nfolds = 4))
  # All the same: the first is the best, and none of the second worker's.
  both_ways(cv.rls(lpsa ~ ., train, list(kernel_gaussian(0.1), kernel_gaussian(0.1),
                                         kernel_gaussian(0.1)), nfolds = 4))
})

test_that("widths that are walked to, a basis for every fold, outer folds, partial effects", {
  both_ways(cv.sparserls(lpsa ~ ., train, nfolds = 4, outer = 3))
  cv <- suppressMessages(cv.sparserls(lpsa ~ lcavol + age + svi, train, 15, kernel_gaussian(0.3),
                                      foldid = rep_len(1:5, 67), keep = TRUE))
  both_ways(partial_effects(cv, progress = FALSE)[c("average", "vcov", "linear", "residuals")])
  both_ways(cv.sparserls(lpsa ~ ., train, 15, kernel_gaussian(0.05), nfolds = 4, reselect = TRUE))
})

test_that("honest refits of greedy selections, kernel combinations and widths", {
  both_ways(cv.greedyrls(lpsa ~ ., train, k = 4, lambda = c(10, 1), nfolds = 5, keep = TRUE))
  both_ways(cv.rls2(lpsa ~ ., train, nlambda = 5, nfolds = 4, keep = TRUE, outer = 2))
  both_ways(cv.ardrls(lpsa ~ ., train, 1:15, penalty = list(widths = Inf, map = 0), map = TRUE,
                      maxit = 2, foldid = rep_len(1:4, 67), outer = 2))
  # This draws while it runs, and stays in one process.
  both_ways(cv.ardrls(lpsa ~ ., train, basis_random(15), penalty = c(Inf, 1), maxit = 2,
                      foldid = rep_len(1:4, 67), outer = 2))
})

test_that("repeats, groups, and functions of the user's", {
  folds <- cv_folds(67, 4, repeats = 2)
  both_ways(cv.greedyrls(lpsa ~ ., train, k = 3, folds = folds))
  site <- rep_len(1:6, 67)
  both_ways(cv.rls(lpsa ~ ., train, kernel_gaussian(c(0.05, 0.2)), groups = site))
  power <- 2
  custom <- kernel_custom(function(X, Z) (1 + tcrossprod(X, Z))^power)
  both_ways(cv.sparserls(lpsa ~ ., train, 15, list(custom, kernel_linear()), nfolds = 4))
})

# A measure of the user's is called here, workers predict at most. How often something was shared.
shared_with_a_measure <- function(code) {
  code <- substitute(code)
  calls <- new.env()
  power <- 1.5
  noisy <- function(y, yhat, weights) {
    calls$made <- c(calls$made, length(y))
    mean(weights * abs(y - yhat)^power) * runif(1, 0.9, 1.1)
  }
  run <- function() {
    calls$made <- integer()
    set.seed(12)
    value <- suppressMessages(eval(code, list(noisy = noisy), parent.frame(2)))
    list(value = value, made = calls$made, stream = runif(1))
  }
  alone <- run()
  calls$used <- 0
  suppressMessages(trace("run_on_workers", bquote(local(calls$used <- calls$used + 1,
                                                     list(calls = .(calls)))),
                         print = FALSE, where = asNamespace("sparserls")))
  on.exit(suppressMessages(untrace("run_on_workers", where = asNamespace("sparserls"))))
  local_plan(future::cluster, workers = workers)
  together <- run()
  expect_gt(length(alone$made), 0)
  expect_identical(together, alone)
  calls$used
}

test_that("with a measure of the user's a search stays here, honest refits are shared", {
  expect_identical(shared_with_a_measure(
    cv.sparserls(lpsa ~ ., train, basis_sizes(c(5, 10)), kernel_gaussian(c(0.01, 1)),
                 nfolds = 4, keep = TRUE, outer = 2, type.measure = noisy)
  ), 0)
  expect_gt(shared_with_a_measure(
    cv.greedyrls(lpsa ~ ., train, 3, 1, nfolds = 4, type.measure = noisy)
  ), 0)
})

parallel::stopCluster(workers)

test_that("warnings and errors of workers are the user's, formulas keep their environment", {
  local_plan(future::multisession, workers = 2)
  twins <- rbind(train, train[1:3, ])
  expect_warning(cv <- suppressMessages(
    cv.sparserls(lpsa ~ ., twins, 1:70, kernel_gaussian(c(0.1, 0.5)), nfolds = 5)
  ), class = "sparserls_warning_basis")
  expect_identical(environment(formula(cv)), environment())
  expect_error(cv.sparserls(lpsa ~ ., twins, 1:70, kernel_gaussian(c(0.1, 0.5)), lambda = 1e-30,
                            jitter = 0, nfolds = 5), class = "sparserls_error_lambda")
})
