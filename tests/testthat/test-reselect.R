# The honest procedure: the basis of all rows, then for every fold a basis chosen among the other
# rows and a refit on them.
honest_reselection <- function(case, select) {
  k <- reference_kernel(case$kernel, case$x, case$x)
  shifted <- k + diag(case$jitter, nrow(k))
  m <- nrow(k)
  select(k, shifted, seq_len(m))
  # Selectors that do not look at the kernel draw for all folds at once; the order is the same.
  average_folds(case$folds, c(m, NCOL(case$y), length(case$lambda)), function(omit, held) {
    train <- setdiff(seq_len(m), omit)
    basis <- select(k, shifted, train)
    reference_refit(shifted[, basis, drop = FALSE], case$y, case$w, basis, seq_along(basis), train,
                    held, case$lambda, case$intercept)
  })
}

reselected <- function(case, basis, solver) {
  suppressWarnings(
    cv.sparserls(case$x, case$y, basis, case$kernel, case$lambda, weights = case$w,
                 intercept = case$intercept, standardize = FALSE, jitter = case$jitter,
                 folds = case$folds, reselect = TRUE, keep = TRUE, solver = solver,
                 progress = FALSE),
    classes = "sparserls_warning_basis"
  )
}

# A case and the selectors with their plain versions, function(k, shifted kernel, rows).
reselection_case <- function(seed) {
  case <- random_case(seed)
  m <- nrow(case$x)
  set.seed(2000 + seed)
  if (seed %% 2) case <- with_wider_folds(case)
  fine <- vapply(case$folds, function(fold) {
    sum(case$w[-omitted(fold)] > 0) > 1 && m - length(omitted(fold)) > 8
  }, NA)
  case$folds <- case$folds[fine]
  case$jitter <- 1e-4
  groups <- rep_len(1:6, m)
  n <- sample(2:6, 1)
  candidates <- sample(c(3, 60), 1)
  list(case = case, selectors = list(
    list(basis_random(n), function(k, shifted, rows) sort(rows[sample.int(length(rows), n)])),
    list(basis_groups(groups), function(k, shifted, rows) {
      drawn <- lapply(split(rows, groups[rows]), function(some) some[sample.int(length(some), 1)])
      sort(unlist(drawn, use.names = FALSE))
    }),
    list(basis_rpcholesky(n), function(k, shifted, rows) naive_rpcholesky(k, n, rows)),
    list(basis_greedy(n, candidates, 0.5), function(k, shifted, rows) {
      naive_greedy(shifted, case$y, case$w, n, candidates, 0.5, case$intercept, rows)
    })
  ))
}

test_that("held-out predictions are those of the whole procedure on the same random stream", {
  seeds <- usable_seeds(1:16, function(seed) length(reselection_case(seed)$case$folds) > 0)
  for (seed in seeds) {
    problem <- reselection_case(seed)
    solver <- c("auto", "update", "retrain")[seed %% 3 + 1]
    selector <- problem$selectors[[seed %% 4 + 1]]
    honest <- seeded(seed, honest_reselection(problem$case, selector[[2]]))
    set.seed(seed)
    cv <- suppressWarnings(reselected(problem$case, selector[[1]], solver),
                           classes = "sparserls_warning_jitter")
    expect_lt(relative_error(cv$fit.preval, honest), 1e-8, label = seed)
  }
})

x <- matrix(sin((1:240)^2), 60)
y <- cos(1:60)
run <- function(...) {
  set.seed(3)
  cv.sparserls(x, y, ..., lambda = c(1, 0.1), keep = TRUE, progress = FALSE)
}

test_that("the fit is the one to all rows", {
  fit <- seeded(3, sparserls(x, y, basis_greedy(6), kernel_gaussian(0.5), c(1, 0.1)))
  cv <- run(basis_greedy(6), kernel_gaussian(0.5), reselect = TRUE, nfolds = 4)
  expect_identical(cv$fit$basis, fit$basis)
  expect_identical(fitted(cv$fit), fitted(fit))
  expect_output(print(summary(cv)), "the basis chosen again in every fold")
})

test_that("a selection that has seen y warns once where it is not repeated", {
  # What is said of edges of the grid is no matter here.
  warned <- function(...) suppressMessages(run(...))
  expect_notes({
    warned(basis_greedy(6), kernel_gaussian(c(0.1, 1)), nfolds = 4) |
      warning_selection | "basis_greedy() has seen the held-out .. `reselect = TRUE`"
    warned(basis_greedy(6), reselect = TRUE, nfolds = 4)
    warned(basis_rpcholesky(6), nfolds = 4)
  })
})
