set.seed(11)
m <- 60
x <- matrix(rnorm(4 * m), m, dimnames = list(NULL, c("a", "b", "c", "d")))
y <- sin(2 * x[, 1]) + 0.5 * x[, 2] + rnorm(m) / 5
basis <- seq(1, m, 4)
w <- replace(runif(m, 0.3, 2), c(3, 10, 21), 0)
inner <- rep_len(1:5, m)
thirds <- unname(split(1:m, rep(1:3, each = m / 3)))
path <- c(Inf, 1, 0)
start <- kernel_gaussian(c(a = 0.1, b = 0.1, c = 0.1, d = 0.1))
short <- function(...) quiet(cv.ardrls(..., maxit = 8, progress = FALSE))

by_hand <- function(x, y, folds, w, foldid, kernel, penalty, standardize, ...) {
  y <- as.matrix(y)
  found <- array(NA, c(nrow(y), ncol(y), length(unlist(penalty))))
  for (fold in folds) {
    rest <- setdiff(1:m, omitted(fold))
    fit <- ardrls(x[rest, ], y[rest, ], match(intersect(basis, rest), rest), kernel, penalty,
                  maxit = 8, foldid = foldid[rest], weights = w[rest], standardize = standardize,
                  progress = FALSE, ...)
    found[scored(fold), , ] <- predict(fit, x[scored(fold), , drop = FALSE])
  }
  found
}

test_that("the error is that of a double loop by hand", {
  check <- function(x, y, folds, w, ..., kernel = start, penalty = path, standardize = FALSE) {
    cv <- short(x, y, basis, kernel, penalty, outer = folds, weights = w, foldid = inner,
                keep = TRUE, standardize = standardize, ...)
    expected <- by_hand(x, y, folds, w, inner, kernel, penalty, standardize, ...)
    expect_lt(relative_error(cv$fit.preval, expected), 1e-5)
    errors <- apply(w * (as.vector(as.matrix(y)) - expected)^2, 3, sum, na.rm = TRUE)
    rows <- unlist(lapply(folds, scored))
    expect_equal(cv$cvm, errors / sum(w[rows]), tolerance = 1e-5)
    cv
  }
  cv <- check(x, y, thirds, rep(1, m))
  expect_identical(cv$foldid, rep(1:3, each = 20L))
  expect_identical(cv$nfolds, 3L)
  expect_equal(cv$cvup - cv$cvm, cv$cvsd)
  expect_identical(cv$index[["min", 1]], which.min(cv$cvm))
  expect_gte(cv$penalty.1se, cv$penalty.min)
  expect_identical(cv$penalty[cv$index[, 1]], c(cv$penalty.min, cv$penalty.1se))
  all <- ardrls(x, y, basis, start, path, foldid = inner, standardize = FALSE, maxit = 8)
  expect_identical(cv$fit$relevance, all$relevance)
  expect_identical(cv$fit$kernel$gamma, all$relevance[, cv$index["1se", 1]])
  # Means, standard deviations and the default gamma are those of the rows outside the fold.
  check(x %*% diag(c(1, 30, 0.2, 1)) + rep(1:4, each = m), y, thirds, w,
        kernel = kernel_gaussian(), standardize = TRUE)
  check(x, cbind(y, x[, 3]^2), thirds, w, holdout_basis = "keep")
  wider <- check(x, y, lapply(1:3, function(i) list(score = 10 * i + 1:5, omit = 10 * i + 1:15)),
                 rep(1, m), intercept = FALSE)
  expect_null(wider$foldid)
  expect_true(wider$omits.more)
  both <- check(x, y, thirds, w, penalty = list(widths = c(Inf, 0), map = c(0.1, 0)), map = TRUE)
  expect_identical(both$penalty, c(Inf, 0, 0.1, 0))
  expect_identical(both$kind, setNames(both$fit$kind[both$index], c("min", "1se")))
  expect_identical(both$fit$at, both$index[["1se", 1]])
})

# All folds that are drawn: the outer ones, those of the fit to all rows, those of every outer fold.
folds_drawn <- function(code) {
  drawn <- list()
  namespace <- asNamespace("sparserls")
  record <- function(folds, rows) {
    drawn[[length(drawn) + 1]] <<- list(folds = folds$folds, rows = rows)
  }
  quiet(trace("draw_folds", exit = bquote(.(record)(returnValue(), recipe$rows)),
              print = FALSE, where = namespace))
  on.exit(quiet(untrace("draw_folds", where = namespace)))
  force(code)
  drawn
}

test_that("with one outer fold the search in all rows starts from the widths without the fold", {
  asked <- list(kernel = start, penalty = path, foldid = inner, standardize = FALSE,
                progress = FALSE)
  cv <- do.call(cv.ardrls, c(list(x, y, basis, outer = thirds[1], keep = TRUE), asked))
  rest <- setdiff(1:m, thirds[[1]])
  without <- do.call(ardrls, c(list(x[rest, ], y[rest], match(intersect(basis, rest), rest)),
                               replace(asked, "foldid", list(inner[rest]))))
  expect_equal(cv$fit.preval[thirds[[1]], ], predict(without, x[thirds[[1]], ]), tolerance = 1e-4,
               ignore_attr = TRUE)
  all <- do.call(ardrls, c(list(x, y, basis), asked))
  expect_equal(cv$fit$loss[1], all$loss[1], tolerance = 1e-3)
  expect_true(all(diff(cv$fit$loss) <= 1e-8))
  expect_lt(sum(cv$fit$gradients), sum(all$gradients))
  # A column that varies in the fold only has no width to start from.
  x[rest, 4] <- 0
  cv <- do.call(cv.ardrls, c(list(x, y, basis, outer = thirds[1]), asked))
  expect_true(all(cv$fit$relevance[4, ] > 0))
})

test_that("groups stay whole in outer and inner folds", {
  house <- rep(1:20, each = 3)[sample(m)]
  for (outer in list(NULL, 4, "split")) {
    drawn <- folds_drawn(short(x, y, 12, penalty = 1, groups = house, outer = outer))
    expect_gte(length(drawn), 3)
    for (training in drawn) {
      for (fold in training$folds) {
        expect_length(intersect(house[fold$omit], house[setdiff(training$rows, fold$omit)]), 0)
      }
    }
    # Rows of an outer fold are in no inner one. With a split all rows come last.
    held <- lapply(drawn[[1]]$folds, `[[`, "omit")
    first <- if (identical(outer, "split")) 1 else 2
    for (i in seq_along(held)) {
      inner <- unlist(lapply(drawn[[i + first]]$folds, `[[`, "omit"))
      expect_setequal(inner, setdiff(1:m, held[[i]]))
    }
  }
})

test_that("strata are balanced, and leave-one-out inside", {
  class <- rep(c("p", "q"), c(15, 45))
  drawn <- folds_drawn(short(x, y, 12, penalty = Inf, strata = class, outer = 5, nfolds = 3))
  of_p <- function(folds) vapply(folds, function(fold) sum(class[fold$score] == "p"), 0L)
  expect_identical(unique(of_p(drawn[[1]]$folds)), 3L)
  expect_identical(unique(of_p(drawn[[3]]$folds)), 4L)
  drawn <- folds_drawn(short(x, y, 12, penalty = Inf, nfolds = "loo", outer = 3))
  expect_identical(lengths(lapply(drawn[1:3], `[[`, "folds")), c(3L, 60L, 40L))
})

test_that("a split holds out a fifth once, and says so", {
  cv <- short(x, y, basis, penalty = path, outer = "split", keep = TRUE)
  expect_identical(cv$outer, "split")
  expect_identical(colSums(!is.na(cv$fit.preval)), rep(12, 3), ignore_attr = TRUE)
  expect_output(print(cv), "a fifth of the rows held out once")
  one <- seeded(5, short(x, y, basis, penalty = path, outer = "split"))
  expect_equal(seeded(5, short(x, y, basis, penalty = path, outer = "split")), one)
  expect_identical(short(x, y, basis, penalty = Inf)$nfolds, 5L)
  loo <- short(x[1:12, ], y[1:12], 5, penalty = Inf, outer = 12)
  expect_output(print(loo), "outer leave-one-out")
})

test_that("prints", {
  fit <- ardrls(x, y, basis, penalty = path, foldid = inner, maxit = 30)
  cv <- cv.ardrls(x, y, basis, penalty = path, foldid = inner, maxit = 30, outer = thirds)
  # What depends on the last bits has few digits.
  expect_said({
    print(fit, digits = 1)
    print(cv, digits = 1)
  })
  expect_output(print(summary(fit)), "Path of 3 value")
  expect_output(print(summary(cv)), "3 outer folds")
})
