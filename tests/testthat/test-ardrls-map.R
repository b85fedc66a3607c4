# ardrls(map = TRUE): the search for maps. What it says of its steps is what cv.sparserls() says.

set.seed(25)
m <- 48
x <- matrix(rnorm(4 * m), m, dimnames = list(NULL, c("a", "b", "c", "d")))
y <- sin(1.5 * (x[, 1] + x[, 2])) + 0.3 * x[, 3] + rnorm(m) / 5
foldid <- rep_len(1:6, m)
basis <- seq(1, m, 3)
path <- list(widths = c(Inf, 1), map = c(30, 1))
quick <- function(..., penalty = path, maxit = 8) {
  ardrls(..., penalty = penalty, map = TRUE, maxit = maxit, progress = FALSE)
}

test_that("factors have rows of the map; columns that do not vary; columns without names", {
  data <- data.frame(x[, 1:2], g = factor(rep(c("r", "s", "t"), 16)))
  fit <- quick(data, y, basis, foldid = foldid)
  expect_same_error(fit, data, y, foldid = foldid)
  map <- fit$kernel$map
  expect_identical(rownames(map), c("a", "b", "gr", "gs", "gt"))
  expect_identical(rownames(fit$relevance), c("a", "b", "g"))
  expect_equal(fit$relevance[["g", 4]], sum(map[3:5, ]^2))
  # Names that are not told apart: rows of the map go by their order.
  named <- quick(x, y, basis, foldid = foldid)
  expect_equal(predict(quick(unname(x), y, basis, foldid = foldid), unname(x)), predict(named, x))
  more <- quick(cbind(x, e = 1), y, basis, foldid = foldid)
  expect_equal(more$loss, named$loss, tolerance = 1e-6)
  expect_identical(more$relevance["e", ], 0 * more$relevance["e", ])
  expect_identical(rownames(more$kernel$map), c("a", "b", "c", "d", "e"))
})

# Steps with the points where the search stands.
steps_of <- function(x, ...) {
  problem <- problem_of(ardrls(x, y, basis, map = TRUE, foldid = foldid, progress = FALSE, ...))
  list(problem = problem, steps = train.ardrls_problem(problem, list())$steps)
}

test_that("no penalised objective rises, and where maps start is the diagonal of the widths", {
  penalty <- list(widths = c(Inf, 1, 0), map = c(100, 10, 0))
  found <- steps_of(x, penalty = penalty, maxit = 30)
  loss <- log(vapply(found$steps, `[[`, 0, "loss"))
  # Of the last penalty of at least 1.
  scale <- exp(found$steps[[2]]$at$log_gamma / 2)
  unit <- sqrt(sqrt(mean(scale^2)) * scale)
  added <- vapply(found$steps[4:6], function(step) sum(((step$at$map - diag(scale)) / unit)^2), 0)
  for (i in 1:3) {
    before <- if (i == 1) loss[2] else loss[2 + i] + penalty$map[i] * added[i - 1] / m
    expect_lte(loss[3 + i] + penalty$map[i] * added[i] / m, before + 1e-10)
  }
  expect_true(all(diff(added) > 0) && all(diff(loss[c(2, 4:6)]) < 0))
  expect_lt(loss[6], loss[2] - 0.3)
  # The map of the kernel is that of the search, turned.
  for (step in found$steps[4:6]) {
    map <- step$fit$kernel$map
    expect_equal(tcrossprod(map), tcrossprod(step$at$map), ignore_attr = TRUE)
    inner <- crossprod(map)
    expect_lt(max(abs(inner[upper.tri(inner)])), 1e-12 * inner[1])
    expect_false(is.unsorted(rev(diag(inner))))
    expect_true(all(apply(map, 2, function(v) v[which.max(abs(v))]) > 0))
  }
})

test_that("the gradient of what is minimized is that of its differences", {
  wide <- cbind(x, x[, 1:2]^2)
  colnames(wide) <- letters[1:6]
  for (rank in list(NULL, 2)) {
    found <- steps_of(wide, penalty = path, rank = rank, maxit = 3)
    problem <- found$problem
    folds <- draw_folds(problem$inner)
    widths <- start_widths(problem)
    # Two columns keep their widths, or are left out.
    maps <- start_maps(problem, widths, found$steps[1:2], most = 4)
    expect_identical(dim(maps$start), c(4L, if (is.null(rank)) 4L else 2L))
    objective <- error_objective(problem, maps, basis, folds)
    if (is.null(rank)) {
      expect_equal(objective(maps$start, maps$at$log_lambda)$value, log(found$steps[[2]]$loss),
                   tolerance = 1e-10)
    }
    scheme <- free_map(maps$at, maps, 5, problem)
    set.seed(1)
    at <- scheme$start + c(rnorm(length(maps$start)) / 10, 0)
    for (direction in list(rnorm(length(at)), c(numeric(length(at) - 1), 1))) {
      value <- function(h) scheme$look(at + h * direction, objective)$value
      # One direction may be level: what differences are right to is a share of the whole gradient.
      gradient <- scheme$look(at, objective)$gradient
      size <- sqrt(sum(gradient^2) * sum(direction^2))
      expect_lt(abs(sum(gradient * direction) - slope_at_zero(value, 1e-3)), 1e-7 * size)
    }
    expect_equal(scheme$par(scheme$point(at)), at)
    # The kernel sees what the search has seen.
    point <- scheme$point(at)
    kernel <- with_map(maps, point)
    seen <- kernel_view(problem$points, kernel)$x
    expect_equal(tcrossprod(seen), tcrossprod(cbind(maps$x %*% point$map, maps$rest)))
  }
})

test_that("a map is chosen only where it gains more than the corrected standard error", {
  problem <- problem_of(cv.ardrls(x, y, basis, penalty = path, map = TRUE, outer = 4),
                        "cross_validate")
  folds <- draw_folds(problem$validation$folds)
  order <- unlist(lapply(folds$folds, `[[`, "score"))
  fold <- rep(1:4, each = 12)
  chosen <- function(gain) {
    # Squared errors of steps: the map's are smaller by a gain that has a standard error of its own.
    noise <- rep(c(-1, 1), length.out = m)
    loss <- cbind(6, 5, 5, 5 - gain + noise)
    scores <- array(problem$design$response$y[order] + sqrt(loss), c(m, 1, 4))
    found <- list(held = held_rows(folds, order, fold, scores),
                  path = new_path(penalty = unlist(path, use.names = FALSE),
                                  kind = rep(c("widths", "map"), each = 2)),
                  model = list(steps = lapply(rep(c("widths", "map"), each = 2),
                                              function(kind) list(kind = kind))))
    chosen_step(problem, found, folds)
  }
  # Four folds share rows: sqrt(1 + 4 / 3) of the standard error of independent rows.
  error <- sqrt(sum(rep(1, m)) / m / (m - 1))
  for (share in c(0.9, 1.1, 1.45)) expect_identical(chosen(share * error)[["min"]], 2L)
  expect_identical(chosen(1.6 * error)[c("min", "1se")], c(min = 4L, `1se` = 4L))
})
