# Arguments of formula calls that are looked for in the data: groups of selectors, names of columns.

set.seed(31)
visits <- data.frame(Subject = factor(rep(1:12, each = 4)), day = rep(1:4, 12),
                     half = rep(c("a", "b"), 24), w = runif(48))
visits$y <- sin(visits$day) + rnorm(12)[visits$Subject] + rnorm(48) / 5
visits$day <- visits$day + visits$w / 9
visits$day[7] <- NA

test_that("selectors find their arguments in the data", {
  outside <- visits$Subject
  run <- function(...) {
    set.seed(1)
    eval(substitute(cv.sparserls(y ~ day, visits, lambda = c(1, 0.1), ..., progress = FALSE)),
         parent.frame())
  }
  wanted <- run(basis = basis_groups(outside), groups = Subject)
  expect_length(wanted$fit$basis, 12)
  for (cv in list(
    run(basis = basis_groups(Subject), groups = Subject),
    run(basis_groups(Subject), groups = Subject),
    run(basis = sparserls::basis_groups(Subject, per = 1), groups = Subject),
    run(basis = basis_groups("Subject"), groups = Subject)
  )) {
    expect_identical(cv$fit$basis, wanted$fit$basis)
    expect_identical(cv$cvm, wanted$cvm)
  }
  set.seed(1)
  fit <- sparserls(y ~ day, data = visits, basis = basis_groups(Subject), lambda = 1)
  expect_identical(fit$basis, wanted$fit$basis)
  local({
    n <- 5
    expect_length(sparserls(y ~ day, visits, basis = basis_random(n), lambda = 1)$basis, 5)
    expect_length(sparserls(y ~ day, visits, n, lambda = 1)$basis, 5)
  })
})

test_that("a single string names a column", {
  run <- function(...) {
    set.seed(1)
    eval(substitute(cv.sparserls(y ~ day + w, visits, 10, lambda = c(1, 0.1), ...,
                                 progress = FALSE)), parent.frame())
  }
  expect_identical(run(groups = "Subject")$cvm, run(groups = Subject)$cvm)
  expect_identical(run(foldid = "half")$cvm, run(foldid = half)$cvm)
  expect_identical(run(strata = "half", nfolds = 4)$cvm, run(strata = half, nfolds = 4)$cvm)
  expect_identical(run(weights = "w")$cvm, run(weights = w)$cvm)
  by <- "Subject"
  expect_identical(cv.rls(y ~ day, visits, groups = by)$cvm,
                   cv.rls(y ~ day, visits, groups = Subject)$cvm)
  expect_refused("formula", {
    cv.sparserls(y ~ day, visits, 10, groups = "subject")
  })
  expect_refused("folds", {
    cv.sparserls(as.matrix(visits["w"]), visits$y, 10, groups = "Subject")
  })
})

test_that("that standardize is ignored is said to those who asked for it", {
  gram <- diag(48) + 1
  call <- list(gram, visits$y, kernel_precomputed(), lambda = 1, basis = 1:4)
  each <- list(
    function(...) sparserls(gram, visits$y, 1:4, kernel_precomputed(), lambda = 1, ...),
    function(...) cv.sparserls(gram, visits$y, 1:4, kernel_precomputed(), lambda = 1,
                               progress = FALSE, ...),
    function(...) rls(gram, visits$y, kernel_precomputed(), lambda = 1, ...),
    function(...) cv.rls(gram, visits$y, kernel_precomputed(), lambda = 1, progress = FALSE, ...),
    function(...) rls2(gram, visits$y, kernel_precomputed(), lambda = 1, ...),
    function(...) cv.rls2(gram, visits$y, kernel_precomputed(), lambda = 1, progress = FALSE, ...)
  )
  for (run in each) {
    expect_silent(run())
    expect_silent(run(standardize = FALSE))
    expect_message(run(standardize = TRUE), "is ignored", class = "sparserls_message")
  }
})
