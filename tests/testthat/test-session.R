x <- bad_x()
y <- bad_y()
fit <- sparserls(x, y, 1:5, lambda = c(1, 0.1))
cv <- cv.sparserls(x, y, 1:5, lambda = c(1, 0.1), nfolds = "loo")

test_that("what a fit keeps for its chosen lambdas is what it would solve for anew", {
  bare <- cv
  bare$fit$spectrum$solved <- bare$fit$points$centre <- NULL
  expect_length(cv$fit$spectrum$solved, length(unique(cv$index)))
  for (s in list("lambda.min", "lambda.1se", cv$lambda.min, c(1, 0.1), 0.5)) {
    expect_identical(predict(bare, x, s = s), predict(cv, x, s = s))
    expect_identical(coef(bare, s = s), coef(cv, s = s))
  }
})

test_that("inputs are never modified", {
  inputs <- list(
    x = x, y = cbind(y, -y), weights = 1:20 + 0, basis = c(5, 3, 9, 1), lambda = c(0.1, 10, 1),
    folds = list(c(3, 1, 2), 7:9), gram = tcrossprod(x), sparse = as(x, "CsparseMatrix"),
    data = bad_frame(), groups = rep(1:5, 4)
  )
  before <- serialize(inputs, NULL)
  with(inputs, {
    for (solver in c("update", "retrain")) {
      fit <- cv.sparserls(x, y, basis, lambda = lambda, weights = weights, folds = folds,
                          solver = solver)
      for (z in list(x, sparse)) predict(fit, z)
    }
    fit <- cv.sparserls(sparse, y, basis, kernel_linear(), lambda, groups = groups)
    coef(fit)
    kernel_matrix(kernel_gaussian(), x, x)
    sparserls(gram, y, basis, kernel_precomputed(TRUE), lambda, standardize = FALSE)
    frozen <- serialize(fit, NULL)
    predict(cv.sparserls(y ~ ., data, basis = basis, foldid = groups), data)
    fitted(fit)
    expect_identical(serialize(fit, NULL), frozen)
  })
  expect_identical(serialize(inputs, NULL), before)
})

test_that("the seed decides, whatever the kind of generator", {
  kinds <- RNGkind()
  on.exit(suppressWarnings(do.call(RNGkind, as.list(kinds))))
  run <- function() {
    set.seed(1)
    cv <- cv.sparserls(x, y, 6, nfolds = 4)
    list(cv$fit$basis, cv$foldid, cv$cvm)
  }
  for (kind in list(list("Wichmann-Hill"), list("L'Ecuyer-CMRG", "Box-Muller"),
                    list("Mersenne-Twister", "Inversion", "Rounding"))) {
    suppressWarnings(do.call(RNGkind, kind))
    expect_identical(run(), run())
  }
})

# The value of a forked child, NULL where it hangs.
forked <- function(expr) {
  job <- parallel::mcparallel(expr)
  on.exit(tools::pskill(job$pid, tools::SIGKILL))
  parallel::mccollect(job, wait = FALSE, timeout = 10)[[1]]
}

test_that("a fork after a fit with threads may use threads", {
  skip_on_os("windows")
  i <- seq_len(20000)
  run <- function() sparserls(cbind(sin(i), cos(i)), sin(i / 9), 1:50, lambda = 1, threads = 2)$df
  expected <- run()
  expect_identical(forked(run()), expected)
})
