set.seed(7)
m <- 48
x <- matrix(rnorm(4 * m), m, dimnames = list(NULL, c("a", "b", "c", "d")))
y <- sin(2 * x[, 1]) + 0.5 * x[, 2] + rnorm(m) / 5
foldid <- rep_len(1:6, m)
basis <- seq(1, m, 4)
w <- replace(runif(m, 0.3, 2), c(3, 10, 21), 0)
path <- c(Inf, 1, 0)
quick <- function(...) ardrls(..., maxit = 15, progress = FALSE)

# Widths, and maps after them; what is asked of these paths is true of any number of steps.
kinds <- list(widths = list(penalty = path),
              maps = list(map = TRUE, penalty = list(widths = 1, map = c(30, 1))))
path_of <- function(kind, ...) {
  do.call(ardrls, c(list(..., maxit = 4, progress = FALSE), kinds[[kind]]))
}

test_that("the loss is the error of cv.sparserls() with the widths, maps and lambda", {
  kernels <- list(kernel_gaussian(), kernel_laplacian(), kernel_matern(0.5), kernel_matern(2.5),
                  kernel_matern(), kernel_linear(), kernel_gaussian(features = c("d", "a")))
  two <- cbind(first = y, second = x[, 3] * x[, 1])
  wider <- lapply(1:8, function(i) list(score = i + 0:9, omit = i + 0:14))
  # Arguments that both functions have; each with another kernel.
  shared <- list(
    list(y, foldid = foldid, weights = w),
    list(y, foldid = foldid, intercept = FALSE, standardize = FALSE, jitter = 1e-5),
    list(y, folds = wider), list(y, groups = rep(1:16, each = 3)), list(two, foldid = foldid),
    list(y, nfolds = "loo", holdout_basis = "keep", weights = w),
    list(y, nfolds = "loo", holdout_basis = "keep_loss", weights = w),
    list(y, nfolds = "loo", holdout_basis = "skip", weights = w),
    list(factor(ifelse(y > 0, "yes", "no")), foldid = foldid),
    list(factor(c("u", "v", "w")[cut(y, 3)]), foldid = foldid)
  )
  for (kind in names(kinds)) for (i in seq_along(shared)) {
    given <- c(list(x), shared[[i]])
    kernel <- kernels[[(i - 1) %% length(kernels) + 1]]
    if (kind == "maps" && kernel$name == "laplacian") kernel <- kernel_gaussian(0.2)
    own <- if (kind == "maps") list(rank = list(NULL, 1, 2)[[i %% 3 + 1]])
    fit <- do.call(path_of, c(kind, given, list(basis = basis, kernel = kernel), own))
    do.call(expect_same_error, c(list(fit), given))
    if (i == 5) expect_identical(dim(predict(fit, x[1:3, ])), c(3L, 2L, 3L))
    if (i > 5) expect_identical(fit$holdout_basis, c(shared[[i]]$holdout_basis, "remove")[1])
  }
})

test_that("at Inf is the best common width; ratios are kept, and no penalised objective rises", {
  fit <- quick(x, y, basis, foldid = foldid)
  last <- length(fit$penalty)
  expect_identical(fit$penalty[c(1, last)], c(Inf, 0))
  expect_equal(fit$relevance[, 1] / fit$relevance[1, 1], c(a = 1, b = 1, c = 1, d = 1))
  spread <- apply(log(fit$relevance), 2, function(g) sum((g - mean(g))^2)) / m
  penalised <- log(fit$loss) + ifelse(spread < 1e-20, 0, fit$penalty * spread)
  before <- log(fit$loss[-last]) + fit$penalty[-1] * spread[-last]
  expect_true(all(penalised[-1] <= before + 1e-10))
  expect_true(all(diff(spread) >= -1e-8))
  expect_lt(fit$loss[last], 0.8 * fit$loss[1])
  start <- c(b = 0.5, d = 0.02, a = 0.1, c = 0)
  named <- quick(x, y, basis, kernel_gaussian(start), path, foldid = foldid)
  expect_true(all(named$relevance["c", ] == 0))
  # What is penalised are widths over those of the start.
  drift <- log(named$relevance[c("a", "b", "d"), 1] / start[c("a", "b", "d")])
  expect_lt(diff(range(drift)), 1e-10)
  fit <- ardrls(x, y, basis, kernel_gaussian(), Inf, foldid = foldid)
  gammas <- fit$relevance[[1]] * exp(seq(-0.5, 0.5, length.out = 11))
  lambdas <- fit$lambda * exp(seq(1, -1, length.out = 21))
  grid <- quiet(cv.sparserls(x, y, basis, kernel_gaussian(gammas), lambdas, foldid = foldid))
  expect_lt(fit$loss, min(grid$cvm) * (1 + 2e-4))
})

test_that("columns that do not vary have no relevance, and change nothing", {
  more <- cbind(x, e = 1, f = 0)
  fit <- quick(more, y, basis, penalty = path, foldid = foldid)
  expect_identical(fit$relevance[c("e", "f"), ], 0 * fit$relevance[c("e", "f"), ])
  expect_equal(fit$loss, quick(x, y, basis, penalty = path, foldid = foldid)$loss, tolerance = 1e-6)
  # Those that vary only in rows of weight zero neither.
  odd <- cbind(x, e = as.numeric(w == 0))
  fit <- quick(odd, y, basis, penalty = 1, foldid = foldid, weights = w)
  expect_identical(fit$relevance[["e", 1]], 0)
  expect_true(all(is.finite(predict(fit, odd))))
})

test_that("predictions are those of sparserls() with the kernel, and of refits by hand", {
  new <- x[1:5, ] + 0.1
  for (kernel in list(kernel_linear(), kernel_gaussian(), kernel_laplacian(), kernel_matern(2.5))) {
    fit <- quick(x, y, basis, kernel, 0.5, foldid = foldid, weights = w)
    again <- sparserls(x, y, fit$fits[[1]]$basis, fit$kernel, fit$lambda, weights = w)
    expect_equal(predict(fit, new), predict(again, new), tolerance = 1e-10)
    expect_equal(coef(fit), coef(again), tolerance = 1e-10)
    # By hand: standardized by weights, scaled by widths, QR.
    power <- if (kernel$name == "laplacian") 1 else 0.5
    rows <- reference_standard(x, w, kernel, TRUE)(rbind(x, new)) *
      rep(fit$relevance[, 1]^power, each = m + 5)
    plain <- replace(kernel, "gamma", if (kernel$name != "linear") list(1))
    used <- fit$fits[[1]]$basis
    k <- reference_shifted(plain, rows, used, 1e-7)
    expected <- reference_refit(k, c(y, numeric(5)), c(w, rep(1, 5)), used, seq_along(used),
                                seq_len(m), m + 1:5, fit$lambda, TRUE)
    expect_lt(relative_error(predict(fit, new), expected), 1e-7)
  }
})

test_that("sparse x, data frames with factors, names of columns", {
  sparse <- Matrix::Matrix(x * (abs(x) > 0.4), sparse = TRUE)
  one <- quick(sparse, y, basis, penalty = 1, foldid = foldid)
  two <- quick(as.matrix(sparse), y, basis, penalty = 1, foldid = foldid)
  expect_identical(one$relevance, two$relevance)
  expect_equal(predict(one, sparse[1:4, ]), predict(two, as.matrix(sparse)[1:4, ]))
  data <- data.frame(x, g = factor(rep(c("r", "s", "t"), 16)), y = y)
  fit <- ardrls(y ~ a + log(abs(b)) + g, data, basis = basis, penalty = 1, foldid = foldid)
  expect_identical(rownames(fit$relevance), c("a", "log(abs(b))", "g"))
  expect_same_error(ardrls(y ~ ., data, basis = basis, penalty = 1, foldid = foldid), data[1:5],
                    y, foldid = foldid)
  some <- quick(x, y, basis, kernel_matern(features = c("b", "a")), 0, foldid = foldid)
  expect_identical(some$relevance[c("c", "d"), 1], c(c = 0, d = 0))
  expect_true(all(some$relevance[c("a", "b"), 1] > 0))
})

test_that("methods at penalties", {
  fit <- quick(x, y, basis, penalty = path, foldid = foldid, weights = w)
  all <- predict(fit, x)
  # Where a row meets itself fitted values have the jitter.
  fitted <- all
  for (i in 1:3) {
    used <- fit$fits[[i]]$basis
    fitted[used, i] <- all[used, i] + 1e-7 * coef(fit, s = path[i])[-1, ]
  }
  expect_equal(fitted(fit), fitted, ignore_attr = TRUE, tolerance = 1e-9)
  expect_identical(predict(fit), fitted(fit))
  expect_equal(residuals(fit, s = 1), y - fitted[, 2], ignore_attr = TRUE, tolerance = 1e-9)
  expect_equal(deviance(fit), colSums(w * (y - fitted)^2), ignore_attr = TRUE, tolerance = 1e-9)
})

test_that("a factorization that fails shortens the step, and never ends the run", {
  # Rows that coincide, no jitter, tiny lambda: widths that go to zero make K_BB singular.
  few <- round(x[, 1:2])
  fit <- suppressWarnings(quick(few, y, seq(1, m, 2), kernel_gaussian(), path, foldid = foldid,
                                jitter = 0), classes = "sparserls_warning_basis")
  expect_true(all(is.finite(fit$loss)) && all(is.finite(predict(fit, few))))
  smooth <- seq(-1, 1, length.out = 40)
  fit <- suppressWarnings(quick(cbind(smooth, cos(9 * smooth)), smooth^2, 1:20, kernel_gaussian(),
                                path, foldid = rep_len(1:5, 40), jitter = 0),
                          classes = "sparserls_warning_basis")
  expect_true(all(is.finite(fit$loss)) && all(diff(fit$loss) <= 1e-8))
})

test_that("units of y, of weights and of x, a constant added to y, the order of rows", {
  for (kind in names(kinds)) {
    run <- function(x., y., basis. = basis, rows = 1:m, w. = w) {
      path_of(kind, x = x., y = y., basis = basis., foldid = foldid[rows], weights = w.[rows])
    }
    one <- run(x, y)
    for (size in c(2^90, 2^-90)) {
      scaled <- run(x * size, y / size, w. = w * size)
      expect_equal(scaled$relevance, one$relevance, tolerance = 1e-6)
      expect_equal(scaled$lambda / size, one$lambda, tolerance = 1e-6)
      expect_equal(scaled$loss * size^2, one$loss, tolerance = 1e-6)
      expect_equal(predict(scaled, x * size) * size, predict(one, x), tolerance = 1e-6)
    }
    # y has 4 digits less.
    expect_equal(run(x, y + 1e8)$loss, one$loss, tolerance = 1e-4)
    order <- sample(m)
    moved <- run(x[order, ], y[order], sort(match(basis, order)), order)
    expect_equal(moved$loss, one$loss, tolerance = 1e-6)
    expect_equal(moved$relevance, one$relevance, tolerance = 1e-4)
  }
})

test_that("one width starts from the best of a walk, and seeds agree; not where gamma is given", {
  volume <- function(seed, ...) {
    set.seed(seed)
    fit <- suppressWarnings(ardrls(Volume ~ ., trees[1:25, ], penalty = Inf, ...))
    suppressWarnings(predict(fit, trees[31, ]))
  }
  predicted <- vapply(1:4, volume, 0)
  expect_lt(max(predicted) / min(predicted), 1.2)
  # The search stays near the default where that is asked for.
  default <- sparserls(Volume ~ ., trees[1:25, ], kernel = kernel_matern(), lambda = 1)$kernel$gamma
  stays <- vapply(6:7, volume, 0, kernel = kernel_matern(gamma = default))
  expect_lt(max(stays), 0.7 * min(predicted))
})
