test_that("every head has the defaults of the table", {
  families <- c("sparserls", "rls", "greedyrls", "rls2", "ardrls", "own")
  # Those of a family, which differ by what it is.
  own <- list(solver = c("rls", "cv.rls"), rule = "cv.ardrls")
  table <- lapply(shared_arguments(), `[[`, "default")
  seen <- character()
  for (method in c(families, paste0("cv.", families))) {
    head <- as.list(formals(getFromNamespace(paste0(method, ".default"), "sparserls")))
    shared <- Filter(function(name) !method %in% own[[name]], intersect(names(table), names(head)))
    expect_identical(head[shared], table[shared], info = method)
    seen <- union(seen, shared)
  }
  expect_setequal(seen, names(table))
})

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
    run(basis = basis_groups("Subject"), groups = Subject)
  )) {
    expect_identical(cv$fit$basis, wanted$fit$basis)
    expect_identical(cv$cvm, wanted$cvm)
  }
  local({
    n <- 5
    expect_length(sparserls(y ~ day, visits, basis = basis_random(n), lambda = 1)$basis, 5)
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
  expect_refusals({
    cv.sparserls(y ~ day, visits, 10, groups = "subject") |
      formula | '`groups` is a single string, but no column of .. "subject" .. Did you mean'
    cv.sparserls(as.matrix(visits["w"]), visits$y, 10, groups = "Subject") |
      folds | "`groups` must have one label for each of the 48 rows .. 1 labels"
  })
})

formula_calls <- function() {
  asked <- list(
    formula = quote(y ~ day + w), data = quote(taken("data", visits[sample(48), ])),
    subset = quote(day < 4.09), weights = quote(taken("weights", w)),
    groups = quote(taken("groups", Subject))
  )
  own <- list(sparserls = list(basis = 10), rls = list(), rls2 = list(),
              greedyrls = list(k = 1, criterion = "folds"),
              ardrls = list(basis = 10, penalty = Inf, progress = FALSE))
  cv <- setNames(own, paste0("cv.", names(own)))
  cv <- lapply(cv, function(own) replace(own, "progress", FALSE))
  cv$cv.greedyrls$criterion <- NULL
  no_groups <- asked[names(asked) != "groups"]
  Map(function(name, own) {
    given <- if (name %in% c("sparserls", "rls", "rls2")) no_groups else asked
    as.call(c(as.name(name), given, own))
  }, names(c(own, cv)), c(own, cv))
}

test_that("data and labels are evaluated once, and all that belongs to rows is of one value", {
  count <- numeric()
  taken <- function(what, value) {
    count[[what]] <<- sum(count[what], 1, na.rm = TRUE)
    value
  }
  for (call in formula_calls()) {
    count <- numeric()
    found <- seeded(2, quiet(eval(call)))
    expect_true(all(count == 1), info = deparse1(call))
    expect_identical(names(count)[1], "data")
    # The same rows, kept before they are given.
    set.seed(2)
    mixed <- visits[sample(48), ]
    call$data <- quote(mixed)
    wanted <- quiet(eval(call))
    same <- intersect(names(found), c("cvm", "foldid", "spectrum", "loss", "d", "holdout"))
    expect_gt(length(same), 0)
    expect_identical(unclass(found)[same], unclass(wanted)[same])
  }
})

test_that("data that cannot be made are refused in words of our own", {
  # As in another session.
  elsewhere <- local({
    former <- visits
    cv.rls(y ~ day, data = former, lambda = 1)
  })
  expect_refusals({
    rls(y ~ day, data = visit) | formula | "`data` could not be evaluated .. data = visit: object"
    update(elsewhere, lambda = 2) | formula | "`data` could not be evaluated .. data = former"
  })
})
