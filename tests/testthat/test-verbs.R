# What verbs.R promises: the shortcuts answer what honest refits by the same verbs answer, a method
# with the few verbs that have no default is cross-validated, and nested() leaves out what chose.

validation_of <- function(design, folds = NULL, measure = "mse") {
  new_validation(design, NULL, NULL, NULL, NULL, folds, measure, FALSE, FALSE)
}

# Held-out predictions by the shortcut and by evaluate.default(), for one candidate.
both_ways <- function(problem) {
  folds <- draw_folds(problem$validation$folds)
  candidate <- candidates(problem, folds)[[1]]
  list(shortcut = evaluate(problem, candidate, folds, NULL)$held,
       refits = evaluate.default(problem, candidate, folds, NULL)$held)
}

test_that("shortcuts answer what evaluate.default() answers", {
  worst <- 0
  for (seed in 1001:1040) {
    case <- random_case(seed)
    design <- as_design(case$x, case$y, case$w)
    validation <- validation_of(design, case$folds)
    problem <- sparserls_problem(design, quote(f()), list(case$kernel), I(case$basis), case$lambda,
                                 1L, case$intercept, FALSE, case$jitter, 1L, validation,
                                 solver = "auto", holdout_basis = "keep", reselect = FALSE)
    held <- both_ways(problem)
    expect_identical(held$shortcut[c("row", "fold", "unit")], held$refits[c("row", "fold", "unit")])
    worst <- max(worst, relative_error(held$shortcut$scores, held$refits$scores))
    full <- rls_problem(design, quote(f()), list(case$kernel), case$lambda, 1L, case$intercept,
                        FALSE, "auto", 1L, validation)
    held <- both_ways(full)
    worst <- max(worst, relative_error(held$shortcut$scores, held$refits$scores))
  }
  expect_lt(worst, 1e-7)
})

# A fifth method, as small as can be: the mean of y shrunk towards zero, m / (m + lambda) of it.
toy <- list(
  candidates.toy_problem = function(problem, folds = NULL) list(list()),
  train.toy_problem = function(problem, candidate, path = NULL) {
    if (is.null(path)) path <- new_path(lambda = problem$lambda)
    w <- problem$weights
    list(path = path, candidate = candidate,
         mean = sum(w * problem$y) / (sum(w) + path$lambda))
  },
  without.toy_problem = function(problem, rows) without_weight(problem, rows),
  predict_rows.toy_problem = function(problem, model, rows) {
    array(rep(model$mean, each = length(rows)), c(length(rows), 1, length(model$mean)))
  },
  finish.toy_problem = function(problem, begun, choice = NULL) {
    structure(list(lambda = begun$path$lambda, df = begun$path$lambda * 0, mean = begun$model$mean,
                   nobs = nrow(problem$y)), class = c("toy", "sparserls_fit"))
  }
)

test_that("a method that has the verbs without a default has an honest cross-validation", {
  for (name in names(toy)) {
    registerS3method(sub("[.].*", "", name), "toy_problem", toy[[name]], asNamespace("sparserls"))
  }
  set.seed(1)
  y <- rnorm(30, 1)
  w <- runif(30)
  design <- as_design(matrix(0, 30, 1), y, w)
  lambda <- c(100, 1, 0.01)
  folds <- unname(split(1:30, rep(1:5, 6)))
  problem <- new_problem("toy", design, quote(f()), list(kernel_linear()), TRUE, FALSE,
                         validation = validation_of(design, folds), lambda = lambda)
  drawn <- draw_folds(problem$validation$folds)
  found <- evaluate(problem, candidates(problem)[[1]], drawn, NULL)
  error <- errors(found$held, problem)
  honest <- vapply(lambda, function(l) {
    residual <- unlist(lapply(folds, function(rows) {
      setNames(y[rows] - sum(w[-rows] * y[-rows]) / (sum(w[-rows]) + l), rows)
    }))
    weighted.mean(residual[order(as.integer(names(residual)))]^2, w)
  }, 0)
  expect_equal(error$cvm, honest, tolerance = 1e-12)
  expect_identical(choose(found$path, error, FALSE)[["min"]], which.min(honest))
})

test_that("nested() repeats the whole cross-validation without every outer fold", {
  set.seed(2)
  x <- matrix(rnorm(60 * 3), 60)
  y <- sin(x[, 1]) + rnorm(60) / 4
  id <- rep(1:4, 15)
  kernels <- list(kernel_gaussian(0.1), kernel_gaussian(1))
  design <- as_design(x, y, NULL)
  outer <- draw_folds(validation_of(design, unname(split(1:60, id)))$folds)
  inner <- rep(1:3, 20)
  validation <- new_validation(design, NULL, inner, NULL, NULL, NULL, "mse", FALSE, FALSE)
  lambda <- c(10, 1, 0.1)
  problem <- rls_problem(design, quote(f()), kernels, lambda, 1L, TRUE, FALSE, "auto", 1L,
                         validation)
  held <- nested(problem, outer)$held
  for (fold in 1:4) {
    rows <- which(id == fold)
    cv <- suppressMessages(cv.rls(x[-rows, ], y[-rows], kernels, lambda, standardize = FALSE,
                                  foldid = inner[-rows], progress = FALSE))
    expect_equal(held$scores[held$fold == fold], unname(predict(cv, x[rows, ])[, 1]),
                 tolerance = 1e-9)
  }
  expect_identical(held$row, unlist(split(1:60, id), use.names = FALSE))
  error <- errors(held, problem)
  expect_equal(error$cvm, mean((y[held$row] - held$scores)^2))
})
