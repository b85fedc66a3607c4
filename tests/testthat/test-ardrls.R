# ardrls(): what it says of its path is what cv.sparserls() and refits say.

set.seed(7)
m <- 48
x <- matrix(rnorm(4 * m), m, dimnames = list(NULL, c("a", "b", "c", "d")))
y <- sin(2 * x[, 1]) + 0.5 * x[, 2] + rnorm(m) / 5
foldid <- rep_len(1:6, m)
basis <- seq(1, m, 4)
w <- replace(runif(m, 0.3, 2), c(3, 10, 21), 0)
path <- c(Inf, 1, 0)
quick <- function(...) ardrls(..., maxit = 15, progress = FALSE)

test_that("a constant that is added to y changes no loss", {
  fit <- quick(x, y, basis, penalty = path, foldid = foldid)
  # y has 6 digits less.
  moved <- quick(x, y + 1e10, basis, penalty = path, foldid = foldid)
  expect_equal(moved$loss, fit$loss, tolerance = 1e-4)
})

test_that("the loss is the error of cv.sparserls() with the widths and lambda that were found", {
  expect_same_error(quick(x, y, basis, penalty = path, foldid = foldid), x, y, foldid = foldid)
  for (kernel in list(kernel_gaussian(), kernel_laplacian(), kernel_matern(0.5),
                      kernel_matern(2.5), kernel_linear(),
                      kernel_gaussian(features = c("d", "a")))) {
    fit <- quick(x, y, basis, kernel, path[2:3], foldid = foldid, weights = w)
    expect_same_error(fit, x, y, foldid = foldid, weights = w)
  }
  for (mode in c("keep", "keep_loss", "skip")) {
    fit <- quick(x, y, basis, penalty = 1, nfolds = "loo", holdout_basis = mode, weights = w)
    expect_identical(fit$holdout_basis, mode)
    expect_same_error(fit, x, y, nfolds = "loo", holdout_basis = mode, weights = w)
  }
  plain <- list(intercept = FALSE, standardize = FALSE, jitter = 1e-5, foldid = foldid)
  fit <- do.call(quick, c(list(x, y, basis, penalty = 1), plain))
  do.call(expect_same_error, c(list(fit, x, y), plain))
})

test_that("folds that overlap and omit more; groups; several outputs; classes", {
  folds <- lapply(1:8, function(i) list(score = i + 0:9, omit = i + 0:14))
  expect_same_error(quick(x, y, basis, penalty = 1, folds = folds), x, y, folds = folds)
  groups <- rep(1:16, each = 3)
  expect_same_error(quick(x, y, basis, penalty = 1, groups = groups), x, y, groups = groups)
  both <- cbind(first = y, second = x[, 3] * x[, 1])
  fit <- quick(x, both, basis, penalty = path, foldid = foldid)
  expect_same_error(fit, x, both, foldid = foldid)
  expect_identical(dim(predict(fit, x[1:3, ])), c(3L, 2L, 3L))
  two <- factor(ifelse(y > 0, "yes", "no"))
  expect_same_error(quick(x, two, basis, penalty = 1, foldid = foldid), x, two, foldid = foldid)
  three <- factor(c("u", "v", "w")[cut(y, 3)])
  expect_same_error(quick(x, three, basis, penalty = 1, foldid = foldid), x, three, foldid = foldid)
})

test_that("at Inf ratios of widths are kept, and no penalised objective rises", {
  fit <- quick(x, y, basis, foldid = foldid)
  last <- length(fit$penalty)
  expect_identical(fit$penalty[c(1, last)], c(Inf, 0))
  expect_equal(fit$relevance[, 1] / fit$relevance[1, 1], c(a = 1, b = 1, c = 1, d = 1))
  spread <- apply(log(fit$relevance), 2, function(g) sum((g - mean(g))^2)) / m
  penalised <- log(fit$loss) + ifelse(spread < 1e-20, 0, fit$penalty * spread)
  before <- log(fit$loss[-last]) + fit$penalty[-1] * spread[-last]
  expect_true(all(penalised[-1] <= before + 1e-10))
  # Less penalty, more spread, less error.
  expect_true(all(diff(spread) >= -1e-8))
  expect_lt(fit$loss[last], 0.8 * fit$loss[1])
  start <- c(b = 0.5, d = 0.02, a = 0.1, c = 0)
  named <- quick(x, y, basis, kernel_gaussian(start), path, foldid = foldid)
  expect_equal(named$relevance["b", 1] / named$relevance["a", 1], 5, ignore_attr = TRUE)
  expect_equal(named$relevance["d", 1] / named$relevance["a", 1], 0.2, ignore_attr = TRUE)
  expect_true(all(named$relevance["c", ] == 0))
  # What is penalised are widths over those of the start.
  drift <- log(named$relevance[-3, ] / start[c("a", "b", "d")])
  expect_lt(max(abs(apply(drift[, 1, drop = FALSE], 2, diff))), 1e-10)
})

test_that("penalty = Inf finds the best common width, as a fine grid does", {
  fit <- ardrls(x, y, basis, kernel_gaussian(), Inf, foldid = foldid)
  gammas <- fit$relevance[[1]] * exp(seq(-0.5, 0.5, length.out = 11))
  lambdas <- fit$lambda * exp(seq(1, -1, length.out = 21))
  grid <- suppressMessages(cv.sparserls(x, y, basis, kernel_gaussian(gammas), lambdas,
                                        foldid = foldid))
  expect_lt(fit$loss, min(grid$cvm) * (1 + 2e-4))
})

test_that("a seed, its own basis and folds give the same; another one does not", {
  drawn <- function(seed) {
    set.seed(seed)
    fit <- quick(x, y, 15, penalty = c(Inf, 1))
    list(fit$relevance, fit$lambda, fit$loss, runif(1))
  }
  expect_identical(drawn(1), drawn(1))
  expect_false(identical(drawn(1)[1:3], drawn(2)[1:3]))
  set.seed(3)
  one <- quick(x, y, basis, penalty = 1, foldid = foldid, threads = 1)
  two <- quick(x, y, basis, penalty = 1, foldid = foldid, threads = 2)
  expect_identical(one$relevance, two$relevance)
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
    mean <- colSums(w * x) / sum(w)
    spread <- sqrt(colSums(w * (x - rep(mean, each = m))^2) / sum(w))
    power <- if (kernel$name == "laplacian") 1 else 0.5
    scale <- fit$relevance[, 1]^power / spread
    rows <- (rbind(x, new) - rep(mean, each = m + 5)) * rep(scale, each = m + 5)
    plain <- replace(kernel, "gamma", if (kernel$name != "linear") list(1))
    used <- fit$fits[[1]]$basis
    k <- reference_shifted(plain, rows, used, 1e-7)
    expected <- reference_refit(k, c(y, numeric(5)), c(w, rep(1, 5)), used, seq_along(used),
                                seq_len(m), m + 1:5, fit$lambda, TRUE)
    expect_lt(relative_error(predict(fit, new), expected), 1e-7)
  }
})

test_that("the kernel of a fit goes into every family as it is", {
  fit <- quick(x, y, basis, penalty = c(1, 0), foldid = foldid)
  used <- fit$fits[[2]]$basis
  cv <- cv.sparserls(x, y, used, fit$kernel, fit$lambda[2], foldid = foldid)
  expect_equal(cv$cvm, fit$loss[2], tolerance = 1e-8)
  expect_identical(cv$fit$kernel$gamma, fit$kernel$gamma)
  expect_true(all(is.finite(predict(rls(x, y, fit$kernel), x))))
  expect_true(all(is.finite(predict(rls2(x, y, list(fit$kernel, kernel_linear())), x))))
  expect_true(all(is.finite(suppressMessages(cv.rls(x, y, fit$kernel, foldid = foldid))$cvm)))
  linear <- quick(x, y, basis, kernel_linear(), 0, foldid = foldid)
  expect_named(linear$kernel$gamma, colnames(x))
  expect_true(all(is.finite(predict(rls(x, y, linear$kernel), x))))
})

test_that("sparse x, data frames with factors, names of columns", {
  sparse <- Matrix::Matrix(x * (abs(x) > 0.4), sparse = TRUE)
  one <- quick(sparse, y, basis, penalty = 1, foldid = foldid)
  two <- quick(as.matrix(sparse), y, basis, penalty = 1, foldid = foldid)
  expect_identical(one$relevance, two$relevance)
  expect_equal(predict(one, sparse[1:4, ]), predict(two, as.matrix(sparse)[1:4, ]))
  nameless <- quick(unname(x), y, basis, penalty = 1, foldid = foldid)
  expect_identical(rownames(nameless$relevance), paste0("V", 1:4))
  data <- data.frame(x, g = factor(rep(c("r", "s", "t"), 16)), y = y)
  fit <- ardrls(y ~ a + log(abs(b)) + g, data, basis = basis, penalty = c(Inf, 1), foldid = foldid,
                maxit = 15)
  expect_identical(rownames(fit$relevance), c("a", "log(abs(b))", "g"))
  by_frame <- quick(data.frame(a = data$a, b = log(abs(data$b)), g = data$g), y, basis,
                    penalty = c(Inf, 1), foldid = foldid)
  expect_equal(unname(fit$relevance), unname(by_frame$relevance))
  expect_equal(predict(fit, data[1:3, ]), head(predict(fit, data), 3))
  expect_same_error(ardrls(y ~ ., data, basis = basis, penalty = 1, foldid = foldid),
                    data[1:5], y, foldid = foldid)
  some <- quick(x, y, basis, kernel_matern(features = c("b", "a")), 0, foldid = foldid)
  expect_identical(some$relevance[c("c", "d"), 1], c(c = 0, d = 0))
  expect_true(all(some$relevance[c("a", "b"), 1] > 0))
})

test_that("formulas: weights, foldid, groups by name, subset, na.exclude", {
  data <- data.frame(x, y = y, w = w, id = foldid, house = rep(1:16, each = 3))
  one <- ardrls(y ~ a + b + c + d, data, basis = basis, penalty = 1, weights = w, foldid = id)
  two <- ardrls(x, y, basis, penalty = 1, weights = w, foldid = foldid)
  expect_equal(one$relevance, two$relevance)
  expect_equal(weights(one), w, ignore_attr = TRUE)
  expect_identical(nobs(one), 48L)
  grouped <- ardrls(y ~ a + b, data, basis = basis, penalty = 1, groups = house)
  expect_equal(grouped$loss, ardrls(x[, 1:2], y, basis, penalty = 1, groups = data$house)$loss)
  holed <- replace(data, "a", list(replace(data$a, c(2, 5), NA)))
  fit <- ardrls(y ~ a + b + c + d, holed, basis = 12, penalty = c(Inf, 1), na.action = na.exclude,
               nfolds = 4)
  expect_identical(nobs(fit), 46L)
  expect_identical(dim(fitted(fit)), c(48L, 2L))
  expect_identical(which(is.na(fitted(fit)[, 1])), c(`2` = 2L, `5` = 5L))
  expect_identical(which(is.na(residuals(fit)[, 2])), c(`2` = 2L, `5` = 5L))
  expect_identical(dim(model.frame(fit)), c(46L, 5L))
  expect_identical(formula(fit), y ~ a + b + c + d, ignore_attr = TRUE)
  less <- update(fit, . ~ . - d)
  expect_identical(rownames(less$relevance), c("a", "b", "c"))
  expect_identical(update(fit, penalty = 1)$penalty, 1)
})

test_that("methods at penalties", {
  fit <- quick(x, y, basis, penalty = path, foldid = foldid, weights = w)
  all <- predict(fit, x)
  expect_identical(dim(all), c(48L, 3L))
  expect_identical(predict(fit, x, s = c(0, Inf)), all[, c(3, 1)], ignore_attr = TRUE)
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
  expect_length(sigma(fit), 3)
  expect_equal(sigma(fit, s = 0), sigma(fit$fits[[3]]))
  expect_equal(coef(fit, s = Inf), coef(fit$fits[[1]]))
  expect_equal(coef(fit), coef(fit$fits[[3]]))
  skip_if_not_installed("generics")
  tidied <- generics::tidy(fit)
  expect_identical(tidied$estimate, as.vector(fit$relevance))
  expect_identical(generics::tidy(fit, s = 1)$term, colnames(x))
  glanced <- generics::glance(fit)
  expect_identical(glanced$npath, 3L)
  expect_identical(glanced$nobs, 48L)
  expect_equal(generics::augment(fit, s = 1)$.fitted, fitted[, 2], ignore_attr = TRUE)
  expect_equal(generics::augment(fit, newdata = x[1:3, ])$.fitted, all[1:3, 3], ignore_attr = TRUE)
})

test_that("classes, two and three", {
  two <- factor(ifelse(y > 0, "yes", "no"))
  fit <- quick(x, two, basis, penalty = path, foldid = foldid)
  classes <- predict(fit, x, s = 0, type = "class")
  expect_identical(levels(classes), c("no", "yes"))
  expect_identical(as.vector(classes == "yes"), as.vector(predict(fit, x, s = 0) > 0))
  expect_s3_class(predict(fit, x, type = "class"), "data.frame")
  three <- factor(c("u", "v", "w")[cut(y, 3)])
  fit <- quick(x, three, basis, penalty = path, foldid = foldid)
  classes <- predict(fit, x, s = 1, type = "class")
  scores <- predict(fit, x, s = 1)
  expect_identical(as.integer(classes), unname(max.col(scores, "first")))
  expect_gt(mean(classes == three), 0.7)
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
  # An objective that fails outside a ball is minimized within it.
  core <- function(name) get(name, asNamespace("sparserls"))
  failed <- 0
  ball <- function(log_gamma, log_lambda) {
    if (sum(log_gamma^2) + log_lambda^2 > 1) {
      failed <<- failed + 1
      return(list(status = 1L))
    }
    list(value = sum((log_gamma - 0.6)^2) + (log_lambda - 0.2)^2, by_point = 2 * (log_gamma - 0.6),
         by_lambda = 2 * (log_lambda - 0.2))
  }
  at <- list(log_gamma = c(-0.5, -0.5), log_lambda = 0, bounds = c(-20, 20))
  problem <- list(weights = rep(1, 50), maxit = 100)
  widths <- list(start = c(-0.5, -0.5), scheme = core("width_scheme"))
  found <- core("minimize_error")(ball, at, 0, widths, problem)
  expect_equal(found$log_gamma, c(0.6, 0.6), tolerance = 1e-3)
  far <- function(log_gamma, log_lambda) {
    found <- ball(log_gamma, log_lambda)
    if (is.null(found$value)) return(found)
    list(value = -10 * sum(log_gamma), by_point = c(-10, -10), by_lambda = 0)
  }
  found <- core("minimize_error")(far, at, 0, widths, problem)
  expect_gt(failed, 0)
  expect_gt(sum(found$log_gamma), -1)
})

test_that("maxit and the number of gradients", {
  fit <- ardrls(x, y, basis, penalty = path, foldid = foldid, maxit = 1)
  expect_true(all(fit$gradients <= 25))
  longer <- ardrls(x, y, basis, penalty = path, foldid = foldid)
  expect_lte(longer$loss[3], fit$loss[3])
})

test_that("progress says the error at each penalty", {
  expect_message(ardrls(x, y, basis, penalty = 1, foldid = foldid, maxit = 2, progress = TRUE),
                 "penalty 1: held-out error 0[.][0-9]+, [0-9]+ gradients")
  expect_silent(quick(x, y, basis, penalty = 1, foldid = foldid))
})

test_that("units of y, of weights and of x", {
  one <- quick(x, y, basis, penalty = path, foldid = foldid, weights = w)
  for (size in c(2^90, 2^-90)) {
    tall <- quick(x, size * y, basis, penalty = path, foldid = foldid, weights = w)
    expect_equal(tall$relevance, one$relevance, tolerance = 1e-6)
    expect_equal(tall$loss / size^2, one$loss, tolerance = 1e-6)
    expect_equal(predict(tall, x) / size, predict(one, x), tolerance = 1e-6)
    heavy <- quick(x, y, basis, penalty = path, foldid = foldid, weights = size * w)
    expect_equal(heavy$relevance, one$relevance, tolerance = 1e-6)
    expect_equal(heavy$lambda / size, one$lambda, tolerance = 1e-6)
    expect_equal(heavy$loss, one$loss, tolerance = 1e-6)
    wide <- quick(size * x, y, basis, penalty = path, foldid = foldid, weights = w)
    expect_equal(wide$relevance, one$relevance, tolerance = 1e-6)
  }
  linear <- function(x) {
    quick(x, y, c(2, 9, 30), kernel_linear(), 1, foldid = foldid, standardize = FALSE, jitter = 0)
  }
  expect_equal(linear(2^90 * x)$loss, linear(x)$loss, tolerance = 1e-6)
})
