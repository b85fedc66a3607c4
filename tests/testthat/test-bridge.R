# The second line of defence: C compares what it is given with what it will read. Users' mistakes
# never come this far; edited objects may.

x <- bad_x()
y <- matrix(bad_y())
w <- rep(1, 20)
core <- function(name, ...) .Call(get(name), ...)
spec <- kernel_list(kernel_gaussian(1))
centre <- numeric(3)

expect_internal <- function(...) {
  for (call in as.list(substitute(list(...)))[-1]) {
    expect_error(eval(call, parent.frame()), "internal error", info = deparse1(call))
  }
}

test_that("indices outside their range are errors", {
  k <- kernel_matrix(kernel_gaussian(1), x)
  for (basis in list(c(1L, 2L, 21L), c(0L, 1L, 2L), c(1L, NA, 2L), -1:1, 1:2)) {
    expect_internal(core("ffi_train", k[1:3, ], k[1:3, 1:3] + diag(3), basis, y, w, TRUE, 1L))
  }
  train <- core("ffi_train", k[1:3, ], k[1:3, 1:3] + diag(3), 1:3, y, w, TRUE, 1L)
  leave <- function(rows, h, basis = integer(), e = integer(length(h)), solver = "retrain",
                    twins = integer(), twin_of = twins, s = integer(length(h)),
                    spanned = integer(), want = "scores", some = c(1L, length(h))) {
    core("ffi_hold_out", train,
         list(leave = rows, h = h, removed = basis, e = e, solver = solver, twins = twins,
              twin_of = twin_of, s = s, spanned = spanned), 1, want, some, NULL)
  }
  expect_identical(leave(4:7, c(2L, 2L))$status, 0L)
  expect_internal(leave(c(4L, 21L), 2L), leave(c(0L, 4L), 2L), leave(4:7, c(2L, 3L)),
                  leave(4:7, c(5L, -1L)), leave(1:2, 2L, 4L, 1L), leave(1:2, 2L, 1L, 2L),
                  leave(1:2, 2L, solver = "other"), leave(c(4L, NA), 2L),
                  leave(1:2, 2L, twins = 4L, twin_of = 1:2, s = 1L), leave(1:2, 2L, twins = 4L),
                  leave(1:2, 2L, 1L, 1L, spanned = 21L), leave(c(4L, 4L), 2L),
                  leave(1:2, 2L, want = "all"), leave(4:7, c(2L, 2L), some = 2:1),
                  leave(1:2, 2L, some = 1:2), leave(1:2, 2L, some = c(0L, 1L)),
                  leave(4L, 1L, twins = rep(5:8, 4), twin_of = rep(4L, 16), s = 16L))
  # Of the last basis vector alone.
  train$map[9] <- Inf
  expect_identical(leave(4:7, c(2L, 2L), want = "coefficients")$status,
                   session$constants$status[["not_finite"]])
  score <- function(row, unit) core("ffi_row_errors", "squared", row, y, y[1:4, ], w[1:4], unit)
  expect_length(score(1:4, NULL)$cvm, 1)
  expect_internal(score(c(1:3, 21L), NULL), score(1:4, 1:3), score(1:4, c(1L, 2L, 0L, 1L)),
                  score(integer(), NULL))
})

test_that("so are sums that do not fit the folds, and representers of the full kernel", {
  given <- turned(core("ffi_primal", x, y, w, TRUE, FALSE))
  given <- functional_training(given, matrix(1, 3, 2))
  plan <- fold_plan(whole_folds(list(1:4, 9:20)), integer(), "keep", w)
  represent <- function(field, value, plan. = plan, moments = numeric(12), train = given) {
    core("ffi_hold_out", replace(train, field, list(value)), plan., 1, "representers", 1:2, moments)
  }
  found <- represent("partial", FALSE)
  expect_identical(c(dim(found$values), dim(found$offsets)), c(16L, 2L, 2L, 2L))
  full <- core("ffi_dual", kernel_matrix(kernel_gaussian(1), x), matrix(0, 20, 0), y, w, TRUE)
  cut <- replace(given$spectrum, "zy", list(numeric(5)))
  expect_internal(represent("spectrum", cut), represent("y", given$y[-1, ]),
                  represent("y_mean", 0), represent("partial", FALSE, moments = numeric(11)),
                  represent("partial", FALSE, replace(plan, "leave", list(1:15))),
                  represent("partial", FALSE, moments = numeric(38), train = full))
})

test_that("lengths that do not fit each other are errors", {
  block <- function(a, b, centre, threads = 1L) {
    core("ffi_kernel_block", spec, a, b, centre, threads)
  }
  expect_identical(dim(block(x, x, centre)), c(20L, 20L))
  expect_internal(block(x, x[, -1], centre), block(x, x, centre[-1]), block(x, x, centre, 1e5L),
                  block(x, x, centre, 0L), block(x > 0, x, centre))
  of <- function(spec) core("ffi_kernel_block", spec, x, x, centre, 1L)
  expect_internal(of(replace(spec, "name", "none")), of(replace(spec, "name", 1L)),
                  of(replace(spec, "gamma", NA_real_)), of(replace(spec, "gamma", -1)),
                  of(replace(spec, "gamma", list(1:2 + 0))), of(spec["name"]))
  expect_internal(core("ffi_standardize", x, centre[-1], centre + 1),
                  core("ffi_standard_moments", x, w[-1]),
                  core("ffi_primal", x[-1, ], y, w, TRUE, FALSE),
                  core("ffi_dual", diag(19), matrix(0, 19, 1), y, w, TRUE),
                  core("ffi_weighted_error", x, w[-1]))
  spectrum <- sparserls(x, y, 1:5, lambda = 1)$spectrum
  for (field in c("values", "map", "zy", "z_mean")) {
    cut <- replace(spectrum, field, list(spectrum[[field]][-1]))
    expect_internal(core("ffi_coefficients", cut, spectrum$y_mean, 1))
  }
  coefficients <- function(lambda) core("ffi_coefficients", spectrum, spectrum$y_mean, lambda)
  expect_length(coefficients(c(2, 1))$df, 2)
  expect_internal(coefficients(1L), coefficients("a"), coefficients(list(1)))
  path <- function(bank, y, weights, scale) {
    core("ffi_rls2_path", bank, y, weights, TRUE, FALSE, scale, 1, 1e-8, FALSE, TRUE)
  }
  expect_identical(path(x, y, w, matrix(1, 3, 1))$status, 0L)
  expect_internal(path(x, y[-1, , drop = FALSE], w, matrix(1, 3, 1)),
                  path(x[-1, ], y, w, matrix(1, 3, 1)), path(x, y, w, matrix(1, 2, 1)),
                  path(x, y, 0 * w, matrix(1, 3, 1)), path(list(1), y, w, matrix(1)))
})

test_that("selections are checked likewise", {
  problem <- list(x = x, y = y, weights = w, centre = centre, scale = centre + 1, intercept = TRUE)
  pick <- function(problem, candidates = rep(TRUE, 3), k = 2L, folds = NULL) {
    core("ffi_greedy_select", problem, 1, candidates, k, 0L, TRUE, folds, 1L)
  }
  expect_length(pick(problem)$selected, 2)
  for (field in c("y", "weights", "centre", "scale")) {
    expect_internal(pick(replace(problem, field, list(problem[[field]][-1]))))
  }
  expect_internal(pick(problem, c(TRUE, FALSE, FALSE)), pick(problem, TRUE), pick(problem, k = 0L),
                  pick(problem, folds = list(h = c(2L, 2L), rows = 1:3)),
                  pick(problem, folds = list(h = 2L, rows = c(1L, 21L))))
  problem$x <- matrix(0, 20, 0)
  problem$centre <- problem$scale <- numeric()
  values <- kernel_matrix(kernel_gaussian(1), x)
  choose <- function(open, counts, draws, columns = function(rows) values[, rows, drop = FALSE]) {
    core("ffi_greedy_basis", columns, problem, 1, 1e-7, open, counts, draws, 1L)
  }
  chosen <- choose(1:20, c(2L, 1L), 1:3)$rows
  expect_length(chosen, 2)
  source <- list(kernel = spec, rows = x, centre = centre)
  expect_identical(choose(1:20, c(2L, 1L), 1:3, values)$rows, chosen)
  expect_length(choose(1:20, c(2L, 1L), 1:3, source)$rows, 2)
  expect_internal(choose(1:20, 2L, 1:2, values[-1, ]), choose(1:20, 2L, 1:2, function(rows) 1),
                  choose(1:20, 2L, 1:2, replace(source, "rows", list(x[-1, ]))),
                  choose(1:20, 2L, 1:2, replace(source, "centre", list(centre[-1]))),
                  core("ffi_rpcholesky", values, diag(values), 21L, 1L))
  expect_internal(choose(c(1:19, 21L), 2L, 1:2), choose(1:20, 2L, 1:3),
                  choose(1:20, c(1L, 1L), c(1L, 20L)), choose(1:2, 3L, 1:3))
})

test_that("and what a gradient needs", {
  given <- list(spec, x, centre, 1:5, 1e-7, y, w, TRUE, 1,
                fold_plan(whole_folds(list(1:4, 9:20)), 1:5, "remove", w),
                numeric(300), 1L, NULL)
  gradient <- function(i, value) do.call(core, c("ffi_cv_gradient", replace(given, i, list(value))))
  plan <- function(field, value) gradient(10, replace(given[[10]], field, list(value)))
  expect_identical(gradient(9, 2)$status, 0L)
  expect_internal(gradient(2, x[-1, ]), gradient(3, centre[-1]), gradient(4, c(1:4, 21L)),
                  gradient(4, integer()), gradient(6, y[-1, , drop = FALSE]), gradient(7, w[-1]),
                  gradient(9, numeric()), gradient(11, numeric(299)), gradient(12, 0L))
  mapped <- list(x = cbind(x, 1), centre = numeric(4))
  expect_identical(dim(gradient(13, mapped)$moments), c(4L, 4L))
  expect_internal(gradient(13, mapped["x"]), gradient(13, replace(mapped, "x", list(x))),
                  gradient(13, replace(mapped, "x", list(mapped$x[-1, ]))))
  with_map <- replace(given, 13, list(mapped))
  expect_internal(do.call(core, c("ffi_cv_gradient", replace(with_map, 1, list(
    replace(spec, "name", "laplacian"))))))
  expect_internal(plan("scored", TRUE), plan("solver", "other"), plan("solver", NULL),
                  plan("leave", given[[10]]$leave + 20L), plan("h", c(4L, 13L)), plan("e", 0:1))
})

test_that("a status of the numeric core has a name, and every failure a condition", {
  codes <- session$constants$status
  expect_setequal(names(codes), c("ok", "not_finite", "not_positive", "no_convergence",
                                  "ill_posed"))
  expect_silent(stop_status(codes[["ok"]]))
  for (name in setdiff(names(codes), "ok")) {
    expect_error(stop_status(codes[[name]]), class = "sparserls_error")
  }
})
