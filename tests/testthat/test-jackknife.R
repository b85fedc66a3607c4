# mu: new rows x scored rows, predictions by the refit without each row; votes: how much it counts.
ends_by_definition <- function(mu, residual, votes, level) {
  if (all(votes == 1)) {
    m <- length(residual)
    u <- ceiling(level * (m + 1) - 1e-9)
    if (u > m) return(cbind(rep(-Inf, nrow(mu)), Inf))
    return(t(apply(mu, 1, function(mu) c(sort(mu - residual)[m + 1 - u], sort(mu + residual)[u]))))
  }
  upper <- function(values) {
    order <- order(values)
    reached <- which(cumsum(votes[order]) >= level * (sum(votes) + 1) - 1e-9)
    if (length(reached)) values[order][reached[1]] else Inf
  }
  t(apply(mu, 1, function(mu) c(-upper(residual - mu), upper(mu + residual))))
}

# A row counts by its share of the group's weight, alone once.
votes_by_definition <- function(scored, w, groups) {
  if (is.null(groups)) return(as.numeric(scored & w > 0))
  w <- ifelse(scored, w, 0)
  votes <- w / vapply(seq_along(w), function(i) sum(w[groups == groups[i]]), 0)
  ifelse(w > 0, votes, 0)
}

# refit(train, keep, rows): predictions of rows, by number; new rows come last.
intervals_by_definition <- function(case, refit, level, groups = NULL) {
  m <- nrow(case$x)
  new <- m + seq_len(nrow(case$new))
  v <- NCOL(case$y)
  scored <- logical(m)
  mu <- array(NA, c(length(new), m, v))
  held <- matrix(NA, m, v)
  for (fold in case$folds) {
    rows <- scored(fold)
    if (case$mode %in% c("skip", "keep_loss")) rows <- setdiff(rows, case$basis)
    if (length(rows) == 0) next
    found <- refit(omitted(fold), c(rows, new))
    held[rows, ] <- found[seq_along(rows), ]
    for (row in rows) mu[, row, ] <- found[-seq_along(rows), ]
    scored[rows] <- TRUE
  }
  votes <- votes_by_definition(scored, case$w, groups)
  used <- which(votes > 0)
  ends <- lapply(seq_len(v), function(j) {
    residual <- abs(as.matrix(case$y)[used, j] - held[used, j])
    ends_by_definition(matrix(mu[, used, j], length(new)), residual, votes[used], level)
  })
  array(unlist(ends), c(length(new), 2, v))
}

predicted_ends <- function(value) {
  if (is.matrix(value)) return(array(value[, c("lwr", "upr")], c(nrow(value), 2, 1)))
  aperm(value[, , c("lwr", "upr"), drop = FALSE], c(1, 3, 2))
}

# predicted: a call, which warns where ends are infinite.
expect_ends <- function(predicted, ends, scale, tolerance, info) {
  warned <- FALSE
  withCallingHandlers(force(predicted), sparserls_warning_interval = function(w) {
    warned <<- TRUE
    invokeRestart("muffleWarning")
  })
  expect_identical(warned, any(is.infinite(ends)), info = info)
  predicted <- predicted_ends(predicted)
  expect_identical(is.finite(as.vector(predicted)), is.finite(as.vector(ends)), info = info)
  finite <- is.finite(ends)
  expect_identical(as.vector(predicted[!finite]), as.vector(ends[!finite]), info = info)
  if (any(finite)) {
    expect_lt(max(abs(predicted[finite] - ends[finite])) / scale, tolerance, label = info)
  }
}

# Folds that hold every row at most once: leave-one-out, random ones, or groups.
interval_case <- function(seed) {
  case <- random_case(seed)
  m <- nrow(case$x)
  case$groups <- NULL
  kind <- seed %% 4
  if (kind == 0) case$folds <- as.list(seq_len(m))
  if (kind == 1) {
    case$groups <- sample(letters[1:9], m, TRUE)
    case$folds <- unname(split(seq_len(m), case$groups))
  }
  if (kind == 2) {
    case$groups <- sample(12, m, TRUE)
    fold <- sample(rep_len(1:4, 12))[case$groups]
    case$folds <- unname(split(seq_len(m), fold))
  }
  # Rows that coincide, response and all, tie.
  if (seed %% 5 == 0) case$y <- round(case$y)
  case$new <- matrix(rnorm(6 * ncol(case$x)), 6)
  case$level <- sample(c(0.5, 0.8, 0.9, 0.97), 1)
  if (seed %% 8 == 3) case <- with_wider_folds(case)
  # Folds leave something to train and score rows once.
  rows <- unlist(lapply(case$folds, scored))
  case$given <- case$folds
  if (!is.null(case$groups)) case$given <- structure(case$folds, groups = factor(case$groups))
  fine <- length(case$folds) > 0 && !anyDuplicated(rows) &&
    all(vapply(lapply(case$folds, omitted), function(held) {
      sum(case$w[-held] > 0) > 1 && !all(case$basis %in% held)
    }, NA)) && any(case$w[setdiff(rows, case$basis)] > 0)
  if (fine) case
}

# refit(y, w, held, rows): predictions of rows, new ones too, by the refit without those held out.
expect_case_ends <- function(case, cv, refit, info, s = "lambda.min") {
  y <- rbind(as.matrix(case$y), matrix(0, nrow(case$new), NCOL(case$y)))
  w <- c(case$w, rep(1, nrow(case$new)))
  ends <- intervals_by_definition(case, function(held, rows) {
    matrix(refit(y, w, held, rows), length(rows))
  }, case$level, case$groups)
  expect_ends(predict(cv, case$new, s = s, interval = "jackknife+", level = case$level), ends,
              max(abs(case$y)), 1e-8, info)
}

test_that("jackknife+ of sparserls() is the definition applied to honest refits", {
  seeds <- Filter(function(seed) !is.null(interval_case(seed)), 3001:3016)
  expect_gte(length(seeds), 10)
  for (seed in seeds) {
    case <- interval_case(seed)
    lambda <- case$lambda[2]
    cv <- quiet(cv.sparserls(
      case$x, case$y, I(case$basis), case$kernel, lambda, weights = case$w,
      intercept = case$intercept, standardize = FALSE, jitter = case$jitter, folds = case$given,
      holdout_basis = case$mode, keep = TRUE, solver = c("update", "retrain")[seed %% 2 + 1]
    ))
    k <- reference_shifted(case$kernel, rbind(case$x, case$new), case$basis, case$jitter)
    refit <- function(y, w, held, rows) {
      keep <- if (case$mode == "remove") which(!case$basis %in% held) else seq_along(case$basis)
      if (case$mode == "keep_loss") held <- setdiff(held, case$basis)
      reference_refit(k, y, w, case$basis, keep, setdiff(seq_len(nrow(case$x)), held), rows, lambda,
                      case$intercept)
    }
    expect_case_ends(case, cv, refit, sprintf("seed %d", seed))
  }
})

test_that("jackknife+ of rls() is too, on the full kernel and on features", {
  for (seed in Filter(function(seed) !is.null(interval_case(seed)), 3201:3208)) {
    case <- interval_case(seed)
    case$mode <- "keep"
    if (seed %% 2 == 0) case$kernel <- kernel_linear()
    cv <- quiet(cv.rls(case$x, case$y, case$kernel, case$lambda, weights = case$w,
                       intercept = case$intercept, standardize = FALSE,
                       folds = case$given, keep = TRUE))
    all <- rbind(case$x, case$new)
    z <- reference_coordinates(reference_kernel(case$kernel, all, all))
    for (s in c("lambda.min", "lambda.1se")) {
      refit <- function(y, w, held, rows) {
        reference_ridge(z, y, w, setdiff(seq_len(nrow(case$x)), held), rows, cv[[s]],
                        case$intercept)
      }
      expect_case_ends(case, cv, refit, sprintf("seed %d, %s", seed, s), s)
    }
  }
})

test_that("jackknife+ of greedyrls(), rls2() and a basis chosen anew goes by their own refits", {
  for (seed in 1:4) {
    set.seed(seed)
    m <- 36
    x <- matrix(rnorm(m * 4), m)
    y <- cbind(x[, 1] - x[, 2], if (seed %% 4 == 0) x[, 3]) + rnorm(m) / 2
    w <- if (seed %% 3 == 0) rep(1, m) else sample(0:2, m, TRUE, c(0.1, 0.5, 0.4))
    id <- rep(1:6, each = 6)
    groups <- if (seed %% 2) id
    folds <- structure(unname(split(1:m, id)), groups = if (!is.null(groups)) factor(groups))
    case <- list(x = x, y = y, w = w, folds = split(1:m, id), mode = "keep",
                 new = matrix(rnorm(12), 3))
    all <- rbind(x, case$new)
    # fit(rest, w): the fit to some rows; ...: how it predicts as cv does.
    compare <- function(cv, fit, ...) {
      refit <- function(held, rows) {
        predicted <- predict(fit(setdiff(1:m, held), replace(w, held, 0)), all[rows, ], ...)
        matrix(predicted, length(rows))
      }
      ends <- intervals_by_definition(case, refit, 0.7, groups)
      expect_ends(predict(cv, case$new, interval = "jackknife+", level = 0.7), ends, 1, 1e-8,
                  sprintf("seed %d", seed))
    }
    run <- function(f, ...) quiet(f(x, y, ..., weights = w, folds = folds, keep = TRUE))
    greedy <- run(cv.greedyrls, k = 3, lambda = c(10, 1))
    compare(greedy, function(rest, w) {
      greedyrls(x[rest, ], y[rest, ], greedy$k.min, greedy$lambda.min, weights = w[rest])
    })
    lambda <- c(10, 1, 0.1)
    features <- run(cv.rls2, lambda = lambda, standardize = FALSE)
    compare(features, function(rest, w) {
      rls2(x, y, lambda = lambda, weights = w, standardize = FALSE)
    }, s = features$lambda.min)
    bank <- list(kernel_gaussian(0.2), kernel_linear(), kernel_laplacian(1))
    kernels <- run(cv.rls2, kernels = bank, lambda = lambda, standardize = FALSE)
    compare(kernels, function(rest, w) rls2(x, y, bank, lambda, weights = w, standardize = FALSE),
            s = kernels$lambda.min)
    # One of every group of one row: all that are left.
    anew <- run(cv.sparserls, basis = basis_groups(1:m), lambda = 0.3, reselect = TRUE,
                kernel = kernel_gaussian(0.2), standardize = FALSE)
    compare(anew, function(rest, w) {
      sparserls(x[rest, ], y[rest, ], I(seq_along(rest)), kernel_gaussian(0.2), 0.3,
                weights = w[rest], standardize = FALSE)
    })
  }
})

test_that("ends are order statistics, infinite where rows are too few, with ties and votes", {
  for (seed in 1:40) {
    set.seed(seed)
    m <- sample(1:30, 1)
    refits <- sample(m, 1)
    scores <- matrix(sample(0:3, 5 * refits, TRUE) / 2, 5)
    fold <- sample(refits, m, TRUE)
    residual <- sample(0:4, m, TRUE) / 2
    votes <- if (seed %% 2) rep(1, m) else runif(m)
    level <- sample(c(0.1, 0.5, 0.9, 0.99), 1)
    # Two outputs side by side, of which the second is asked for.
    offset <- matrix(sample(0:1, 2 * refits, TRUE), 2) / 1
    both <- matrix(rbind(as.vector(scores) + NA, as.vector(scores)), 2)
    both <- matrix(aperm(array(both, c(2, 5, refits)), c(2, 1, 3)), 5)
    found <- .Call(ffi_jackknife_ends, both, offset, 2L, fold, residual, votes,
                   level * (sum(votes) + 1) - 1e-9)
    mu <- scores[, fold, drop = FALSE] + rep(offset[2, fold], each = 5)
    expect_equal(found, ends_by_definition(mu, residual, votes, level), tolerance = 1e-12)
  }
})

test_that("new rows in blocks, missing values, formulas and units of any size change nothing", {
  set.seed(4)
  x <- matrix(rnorm(120), 40)
  y <- x[, 1] + rnorm(40) / 3
  new <- matrix(rnorm(3e5), ncol = 3)
  cv <- quiet(cv.sparserls(x, y, 15, nlambda = 5, nfolds = "loo", keep = TRUE))
  whole <- predict(cv, new, interval = "jackknife+")
  some <- c(1, 777, 26215, 1e5)
  expect_equal(whole[some, ], predict(cv, new[some, ], interval = "jackknife+"), tolerance = 1e-12)
  expect_identical(whole[, "fit"], predict(cv, new))
  formula <- quiet(cv.rls(y ~ ., data.frame(x, y), nfolds = "loo", keep = TRUE))
  gaps <- rbind(data.frame(x, y)[1:2, ], NA)
  found <- predict(formula, gaps, interval = "jackknife+")
  expect_identical(rownames(found), rownames(gaps))
  expect_identical(rowSums(is.na(found)), c(`1` = 0, `2` = 0, `3` = 3))
  sparse <- as(new[1:9, ] * (abs(new[1:9, ]) > 1), "CsparseMatrix")
  for (interval in c("jackknife+", "gp")) {
    expect_identical(dim(predict(cv, new[0, ], interval = interval)), c(0L, 3L))
    expect_equal(predict(cv, sparse, interval = interval),
                 predict(cv, as.matrix(sparse), interval = interval), tolerance = 1e-10)
  }
  large <- quiet(cv.rls(x * 2^80, y * 2^90, nfolds = "loo", keep = TRUE))
  plain <- quiet(cv.rls(x, y, nfolds = "loo", keep = TRUE))
  expect_equal(predict(large, new[1:5, ] * 2^80, interval = "jackknife+") * 2^-90,
               predict(plain, new[1:5, ], interval = "jackknife+"), tolerance = 1e-10)
})
