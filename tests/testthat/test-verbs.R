# What verbs.R promises: the shortcuts answer what honest refits by the same verbs answer, and
# nested() leaves out what chose. (A method with the few verbs that have no default does all that the
# others do: test-methods-of-others.R.)

validation_of <- function(design, folds = NULL, measure = "mse") {
  new_validation(asked_of("cv.rls", folds = folds, type.measure = measure), design)
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
    asked <- asked_of_case(case, holdout_basis = "keep")
    problem <- sparserls_problem(asked, design, validation)
    held <- both_ways(problem)
    same <- c("row", "fold", "cluster")
    expect_identical(held$shortcut[same], held$refits[same])
    worst <- max(worst, relative_error(held$shortcut$scores, held$refits$scores))
    full <- rls_problem(asked, design, validation)
    held <- both_ways(full)
    worst <- max(worst, relative_error(held$shortcut$scores, held$refits$scores))
  }
  expect_lt(worst, 1e-7)
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
  lambda <- c(10, 1, 0.1)
  asked <- asked_of("cv.rls", kernels = kernels, lambda = lambda, standardize = FALSE,
                    foldid = inner, type.measure = "mse", progress = FALSE)
  problem <- rls_problem(asked, design, new_validation(asked, design))
  held <- nested(problem, outer)$held
  for (fold in 1:4) {
    rows <- which(id == fold)
    cv <- suppressMessages(cv.rls(x[-rows, ], y[-rows], kernels, lambda, standardize = FALSE,
                                  foldid = inner[-rows], progress = FALSE))
    expect_equal(held$scores[held$fold == fold], unname(predict(cv, x[rows, ])),
                 tolerance = 1e-9)
  }
  expect_identical(held$row, unlist(split(1:60, id), use.names = FALSE))
  error <- errors(held, problem)
  expect_equal(error$cvm, mean((y[held$row] - held$scores)^2))
})
