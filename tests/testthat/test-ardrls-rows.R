# The search that begins on some of the rows, where these are many: here from 80 on. What it answers
# is of all rows.

many_from <- function(rows, per_vector, f) {
  before <- mget(c("least_search_rows", "rows_per_vector"), asNamespace("sparserls"))
  on.exit(Map(assignInNamespace, names(before), before, "sparserls"))
  assignInNamespace("least_search_rows", rows, "sparserls")
  assignInNamespace("rows_per_vector", per_vector, "sparserls")
  f()
}

set.seed(8)
m <- 120
x <- matrix(rnorm(3 * m), m, dimnames = list(NULL, c("a", "b", "c")))
y <- sin(2 * (x[, 1] - x[, 2])) + x[, 3] / 2 + rnorm(m) / 5
w <- replace(runif(m, 0.3, 2), c(3, 10, 21), 0)
basis <- seq(3, m, 9)
foldid <- rep_len(1:4, m)
groups <- rep(seq_len(m / 4), each = 4)
path <- list(widths = c(Inf, 1, 0), map = c(10, 1))
search <- function(..., f = ardrls, seed = 2) {
  seeded(seed, many_from(40, 1, function() {
    quiet(f(x, ..., map = TRUE, maxit = 6, progress = FALSE))
  }))
}

test_that("loss, lambda and fits are of all rows", {
  # Given folds are those of cv.sparserls(), drawn ones are not.
  cases <- list(list(foldid = foldid), list(foldid = foldid, weights = w),
                list(folds = c(lapply(1:4, function(i) which(foldid == i)), list(1:2))),
                list(foldid = foldid, holdout_basis = "keep"))
  for (case in cases) {
    fit <- do.call(search, c(list(y, basis, penalty = path, final_basis = FALSE), case))
    do.call(expect_same_error, c(list(fit, x, y), case))
    expect_true(all(vapply(fit$fits, `[[`, 0L, "nobs") == m))
    expect_equal(fit$penalty, unlist(path, use.names = FALSE))
  }
})

test_that("a seed gives the same, with any basis, and maps", {
  for (basis in list(12, basis_rpcholesky(12))) {
    one <- search(y, basis, penalty = path)
    again <- search(y, basis, penalty = path)
    for (name in c("relevance", "lambda", "loss")) expect_identical(again[[name]], one[[name]])
    expect_false(identical(search(y, basis, penalty = path, seed = 3)$loss, one$loss))
  }
})

# The arguments of the calls of path_on(), the last of them in all rows.
searches <- function(...) {
  seen <- list()
  real <- path_on
  on.exit(assignInNamespace("path_on", real, "sparserls"))
  assignInNamespace("path_on", function(problem, folds, chosen, widths, from = NULL, ...) {
    seen <<- c(seen, list(list(problem = problem, folds = folds, chosen = chosen, from = from)))
    real(problem, folds, chosen, widths, from, ...)
  }, "sparserls")
  search(..., penalty = path, final_basis = FALSE)
  seen
}

test_that("some rows have the basis among them, whole groups in folds, and the weight of all", {
  seen <- searches(y, basis, groups = groups, nfolds = 5, weights = w)
  expect_length(seen, 2)
  some <- seen[[1]]
  trains <- which(some$problem$weights > 0)
  expect_length(trains, 40)
  expect_true(all(setdiff(basis, c(3, 10, 21)) %in% trains))
  expect_identical(some$problem$weights[trains], seen[[2]]$problem$weights[trains])
  held <- some$folds$folds
  expect_setequal(unlist(held), trains)
  fold_of <- rep(seq_along(held), lengths(held))[match(trains, unlist(held))]
  expect_true(all(tapply(fold_of, groups[trains], function(i) length(unique(i))) == 1))
  weight <- function(problem) penalty_weight(problem, 7)
  expect_equal(weight(some$problem), 7 / sum(w > 0))
  expect_equal(weight(some$problem), weight(seen[[2]]$problem))
  expect_length(seen[[2]]$from, 5)
  # More folds than there are such rows, and a fold that holds none of them.
  expect_length(searches(y, basis, nfolds = m), 2)
  expect_length(searches(y, basis, folds = list(1)), 1)
})
