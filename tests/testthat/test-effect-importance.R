# Importance of features against loops of honest refits in plain R with the same permutations, and,
# for features that are left out, against cross-validations by hand.

test_that("ranger's generic of the same name has the method", {
  skip_if_not_installed("ranger")
  cv <- cv.rls(dist ~ speed, cars, foldid = rep(1:5, 10), keep = TRUE)
  theirs <- getExportedValue("ranger", "importance") # ranger is not in DESCRIPTION
  expect_s3_class(theirs(cv), "sparserls_importance")
})

# Rises of a mean of losses over units with their paired standard errors. loss: rows x models.
paired_by_hand <- function(loss, w = rep(1, nrow(loss)), unit = seq_len(nrow(loss))) {
  used <- w > 0
  apart <- unit_errors((loss - loss[, 1])[used, -1, drop = FALSE], w[used], unit[used])
  list(rise = apart$mean, error = apart$error)
}

# As importance() documents it: one permutation of the rows of each cell for all features.
drawn <- function(cells, m) {
  from <- seq_len(m)
  for (cell in cells) from[cell] <- cell[sample.int(length(cell))]
  from
}

# scores(x): rows x outputs, every row predicted without its fold; x with the moved columns.
permuted_by_hand <- function(x, sets, cells, repeats, scores, loss, w, unit) {
  own <- loss(scores(x))
  sums <- 0
  for (r in seq_len(repeats)) {
    from <- drawn(cells, nrow(x))
    sums <- sums + vapply(sets, function(set) {
      moved <- x
      moved[, set] <- moved[from, set]
      loss(scores(moved))
    }, own)
  }
  paired_by_hand(cbind(own, sums / repeats), w, unit)
}

# Held-out predictions of new values of the rows, by the refits that reference_cv() has.
refit_scores <- function(x, y, w, basis, folds, kernel, lambda, intercept = TRUE, jitter = 1e-7) {
  y <- as.matrix(y)
  k <- reference_shifted(kernel, x, basis, jitter)
  function(new) {
    both <- rbind(k, reference_kernel(kernel, new, x[basis, , drop = FALSE]))
    m <- nrow(x)
    out <- matrix(NA_real_, m, ncol(y))
    for (fold in folds) {
      out[fold, ] <- reference_refit(both, rbind(y, y), c(w, w), basis, which(!basis %in% fold),
                                     setdiff(seq_len(m), fold), m + fold, lambda, intercept)
    }
    out
  }
}

plain_case <- function(seed, m = 40) {
  set.seed(seed)
  x <- matrix(rnorm(3 * m), m, dimnames = list(NULL, c("a", "b", "c")))
  list(x = x, y = x[, 1] + sin(2 * x[, 2]) + rnorm(m) / 2, basis = seq(1, m, 3),
       kernel = kernel_gaussian(0.3), lambda = 0.2, fold = rep_len(1:5, m))
}
cv_of <- function(case, y = case$y, ...) {
  quiet(cv.sparserls(case$x, y, I(case$basis), case$kernel, case$lambda, standardize = FALSE, ...,
                     keep = TRUE, progress = FALSE))
}
squares <- function(y) function(f) rowSums((as.matrix(y) - f)^2)

expect_paired <- function(found, expected, tolerance) {
  expect_equal(unname(found$importance), expected$rise, tolerance = tolerance)
  expect_equal(unname(found$std.error), expected$error, tolerance = tolerance)
}

frame_of <- function(m, b = rnorm(m)) {
  data.frame(a = rnorm(m), b = b, f = factor(sample(c("x", "y", "z"), m, TRUE)))
}

# Importance of a, b, and b with c. cells: of the folds, rows that exchange their values.
expect_permuted <- function(case, cv, cells, y = case$y, w = rep(1, length(case$fold)),
                            unit = seq_along(case$fold), ...) {
  folds <- unname(split(seq_along(case$fold), cv$foldid))
  scores <- refit_scores(case$x, y, w, case$basis, folds, case$kernel, case$lambda)
  set.seed(7)
  found <- importance(cv, case$x, features = list("a", "b", both = c("b", "c")), repeats = 3, ...)
  set.seed(7)
  expected <- permuted_by_hand(case$x, list(1, 2, 2:3), cells(cv$foldid), 3, scores, squares(y), w,
                               unit)
  expect_paired(found, expected, 1e-8)
  expect_identical(names(found$importance), c("a", "b", "both"))
  expect_equal(found$share, found$importance / found$null)
  expect_equal(found$error, cv$cvm, tolerance = 1e-8)
}

test_that("permutations are those of honest refits: rows, weights, groups, outputs, strata", {
  case <- plain_case(1)
  rows <- 1:40
  groups <- rep(1:20, 2)
  part <- rep(c("u", "v"), each = 20)
  two <- cbind(case$y, case$x[, 3]^2 + rnorm(40))
  w <- replace(sample(0:3, 40, TRUE), 1:20, 1)
  by_fold <- function(fold) split(rows, fold)
  cv <- cv_of(case, foldid = case$fold)
  expect_permuted(case, cv, by_fold)
  expect_permuted(case, cv, function(fold) split(rows, list(part, fold)), within = part)
  expect_permuted(case, cv_of(case, two, foldid = case$fold), by_fold, two)
  expect_permuted(case, cv_of(case, groups = groups, nfolds = 4), by_fold, unit = groups)
  expect_permuted(case, cv_of(case, foldid = case$fold, weights = w),
                  function(fold) split(rows[w > 0], fold[w > 0]), w = w)
})

test_that("folds of one row, or of one group, have values from all rows", {
  case <- plain_case(2, 24)
  groups <- rep(1:6, each = 4)
  one_cell <- function(fold) list(1:24)
  expect_permuted(case, cv_of(case, nfolds = "loo"), one_cell)
  expect_permuted(case, cv_of(case, groups = groups), one_cell, unit = groups)
  # In strata: a single row of a fold has the values of its stratum alone.
  d <- data.frame(case$x, y = case$y, part = rep(c("u", "v"), c(19, 5)))
  cells <- exchanged_rows(cv_of(case, nfolds = 12), d$part)
  expect_setequal(unlist(lapply(cells, `[[`, "rows")), 1:24)
  expect_true(all(vapply(cells, function(cell) {
    length(unique(d$part[c(cell$rows, cell$donors)])) == 1 && all(cell$rows %in% cell$donors) &&
      length(cell$donors) > 1
  }, NA)))
})

test_that("variables of formulas move before they are coded", {
  set.seed(4)
  m <- 60
  d <- frame_of(m, runif(m, 1, 3))
  d$y <- d$a * (d$f == "x") + log(d$b) + d$b + rnorm(m) / 2
  d$half <- rep(c("u", "v"), each = 30)
  d$a[5] <- NA
  fold <- rep_len(1:6, m)
  cv <- cv.rls(y ~ a * f + log(b) + b, d, foldid = fold, lambda = 2, standardize = FALSE,
               keep = TRUE)
  own <- d[-5, ]
  fold <- fold[-5]
  scores <- function(new) cbind(ave(1:59, fold, FUN = function(i) {
    predict(rls(y ~ a * f + log(b) + b, own[-i, ], lambda = 2, standardize = FALSE), new[i, ])
  }))
  by_hand <- function(sets, cells = split(1:59, fold)) {
    set.seed(5)
    permuted_by_hand(own, sets, cells, 2, scores, squares(own$y), rep(1, 59), 1:59)
  }
  of <- function(...) seeded(5, importance(cv, repeats = 2, ...))
  found <- of()
  expect_named(found$importance, c("a", "f", "b"))
  expect_paired(found, by_hand(list("a", "f", "b")), 1e-7)
  expect_identical(of(data = d), found)
  expect_identical(of(features = c("b", "a"))$importance, found$importance[c("b", "a")])
  same(of(features = list(c("a", "f")))$importance, by_hand(list(c("a", "f")))$rise)
  expect_equal(unname(of(features = "a", within = "half")$importance),
               by_hand(list("a"), split(1:59, list(own$half, fold)))$rise, tolerance = 1e-7)
})

test_that("products of kernels have the predictions of moved rows", {
  set.seed(19)
  m <- 60
  d <- frame_of(m, runif(m, 1, 3))
  d$y <- d$a * (d$f == "x") + log(d$b) + rnorm(m) / 2
  form <- cbind(y, a^2) ~ a * f + log(b) + b
  check <- function(form, kernel, factored) {
    cv <- quiet(cv.sparserls(form, d, 20, kernel, nfolds = 7, keep = TRUE))
    rows <- own_rows(cv, list(fit = cv$fit, own = TRUE, scale = "link"))
    from <- sample(m)
    for (set in feature_sets(cv$fit, rows, NULL)) {
      found <- factored_predictor(cv, rows$x, set, 100)
      expect_identical(is.function(found), factored[[set$variables[1]]])
      if (is.function(found)) {
        moved <- held_out_predictor(cv)(moved_values(cv$fit, rows, set, from))
        expect_equal(found(from), unname(moved), tolerance = 1e-8)
      }
    }
    expect_null(factored_predictor(cv, rows$x, set, 1))
  }
  check(form, kernel_gaussian(0.2), c(a = FALSE, f = FALSE, `log(b)` = TRUE, b = TRUE))
  all <- c(a = TRUE, f = TRUE, b = TRUE)
  check(y ~ a + f + b, kernel_laplacian(0.2), all)
  check(y ~ a + f + b, kernel_gaussian(c(a = 1, f = 0.5, b = 0.1)), all)
  check(y ~ a + f + b, kernel_matern(gamma = 0.2), !all)
})

test_that("deviances of families with offsets are those of honest refits", {
  set.seed(6)
  m <- 60
  x <- cbind(a = rnorm(m), b = rnorm(m))
  offset <- runif(m)
  y <- rpois(m, exp(0.7 * x[, 1] + offset))
  fold <- rep_len(1:5, m)
  cv <- cv.rls(x, y, foldid = fold, lambda = c(4, 2), standardize = FALSE, family = "poisson",
               offset = offset, keep = TRUE, certificate = 1e-8)
  scores <- function(new) offset + ave(1:m, fold, FUN = function(held) {
    reference_glm(rbind(x, new), c(y, y), c(offset, offset), rep(1, 2 * m), setdiff(1:m, held),
                  m + held, cv$lambda.min, TRUE, "poisson", 1)
  })
  deviance <- function(eta) 2 * (ifelse(y > 0, y * log(y), 0) - y * eta - y + exp(eta))
  found <- seeded(8, importance(cv, x, repeats = 2))
  set.seed(8)
  expected <- permuted_by_hand(x, 1:2, split(1:m, fold), 2, scores, deviance, rep(1, m), 1:m)
  expect_paired(found, expected, 1e-6)
  null <- ave(1:m, fold, FUN = function(i) {
    coef(glm(y[-i] ~ 1 + offset(offset[-i]), family = poisson))
  })
  expect_equal(found$null, mean(deviance(null + offset)), tolerance = 1e-8)
})

all_kinds <- function(d, fold) {
  form <- y ~ a + b + f + constant
  three <- update(form, cut(y, 3) ~ .)
  quiet(list(
    rls = cv.rls(form, d, foldid = fold, keep = TRUE),
    full = cv.rls(form, d, kernel = kernel_laplacian(0.2), foldid = fold, keep = TRUE),
    sparse = cv.sparserls(form, d, basis = 20, foldid = fold, keep = TRUE),
    reselect = cv.sparserls(form, d, basis = basis_random(9), reselect = TRUE, foldid = fold,
                            keep = TRUE),
    classes = cv.sparserls(three, d, basis = 20, foldid = fold, keep = TRUE),
    family = cv.rls(three, d, family = "binomial", foldid = fold, keep = TRUE),
    rmse = cv.rls(form, d, type.measure = "rmse", foldid = fold, keep = TRUE),
    greedy = cv.greedyrls(form, d, k = 2, foldid = fold, keep = TRUE),
    rls2 = cv.rls2(form, d, foldid = fold, keep = TRUE),
    own = cv.own(form, d, foldid = fold, keep = TRUE, method = own_method(
      "ridge", list(lambda = c(10, 1)),
      train = function(x, y, weights, path) rls(x, y[, 1], lambda = path), coef = coef
    )),
    ardrls = cv.ardrls(form, d, penalty = c(Inf, 1), maxit = 2, keep = TRUE,
                       outer = unname(split(seq_along(fold), fold)))
  ))
}

test_that("all kinds of cross-validations have importances", {
  set.seed(9)
  m <- 60
  d <- transform(frame_of(m), constant = rep(c(1e-9, 0), c(2, m - 2)))
  d$y <- 2 * d$a + rnorm(m) / 2
  fold <- rep_len(1:3, m)
  for (name in names(kinds <- all_kinds(d, fold))) {
    cv <- kinds[[name]]
    at <- if (is.matrix(cv$cvm)) cv$index["min", , drop = FALSE]
          else cv$index[if (name == "ardrls") "1se" else "min", 1]
    found <- importance(cv, repeats = 2)
    expect_equal(found$error, cv$cvm[at], tolerance = 1e-5, label = name)
    expect_gt(found$importance[["a"]], 5 * found$std.error[["b"]], label = name)
    expect_identical(names(which.max(found$importance)), "a", info = name)
    left <- quiet(importance(cv, type = "refit", features = c("a", "b")))
    expect_equal(left$error, cv$cvm[at], tolerance = 1e-5, label = name)
    expect_gt(left$importance[["a"]], 2 * left$std.error[["a"]], label = name)
    expect_lt(abs(left$importance[["b"]]), left$importance[["a"]] / 3, label = name)
  }
})

test_that("what is left out is left out of cross-validations by hand", {
  set.seed(10)
  m <- 60
  d <- frame_of(m)
  d$y <- d$a + sin(2 * d$b) + (d$f == "x") + rnorm(m) / 2
  fold <- rep_len(1:6, m)
  w <- sample(1:3, m, TRUE)
  g <- rep(1:12, 5)
  forms <- list(y ~ b + f, y ~ a + f, y ~ a + b)
  check <- function(call, ...) {
    cv <- call(y ~ a + b + f, d, ..., keep = TRUE)
    found <- quiet(importance(cv, type = "refit"))
    losses <- function(cv) as.matrix(residuals(cv, type = "held-out"))[, 1]^2
    each <- vapply(forms, function(form) losses(quiet(call(form, d, ..., keep = TRUE))), losses(cv))
    unit <- if (is.null(cv$ngroups)) 1:m else g
    expect_paired(found, paired_by_hand(cbind(losses(cv), each), as.vector(cv$fit$weights), unit),
                  1e-8)
  }
  check(cv.rls, foldid = fold, weights = w)
  check(cv.rls, foldid = fold, intercept = FALSE, standardize = FALSE)
  check(cv.rls, foldid = fold, kernel = kernel_matern(gamma = 0.2))
  check(cv.sparserls, basis = I(1:20), kernel = kernel_gaussian(0.3), foldid = fold)
  check(cv.sparserls, basis = I(1:20), kernel = kernel_gaussian(0.3), folds = cv_folds(m, 4, g),
        holdout_basis = "keep", solver = "retrain", lambda = c(1, 0.1))
  check(cv.greedyrls, k = 1, foldid = fold)
})

test_that("widths and maps lose the rows of a feature, and rows that were left out stay so", {
  set.seed(11)
  x <- cbind(a = rnorm(50), b = rnorm(50), c = rnorm(50))
  y <- sin(2 * x[, 1]) + x[, 2] + rnorm(50) / 3
  fold <- rep_len(1:5, 50)
  of <- function(x, kernel) cv.sparserls(x, y, I(seq(2, 50, 3)), kernel, foldid = fold, keep = TRUE)
  cv <- of(x, kernel_gaussian(c(a = 1, b = 0.1, c = 0.2)))
  without <- of(x[, -1], kernel_gaussian(c(b = 0.1, c = 0.2)))
  expect_equal(importance(cv, x, "refit", "a")$importance[["a"]], min(without$cvm) - min(cv$cvm),
               tolerance = 1e-8)
  d <- rbind(data.frame(y = 1, x)[1:4, ], data.frame(y, x))
  d$a[1:4] <- NA
  cv <- cv.sparserls(y ~ ., d, I(seq(6, 53, 3)), kernel_gaussian(0.2), subset = -54, nfolds = 5,
                     keep = TRUE)
  without <- cv.sparserls(y ~ b + c, d[5:53, ], I(seq(2, 49, 3)), kernel_gaussian(0.2),
                          foldid = cv$foldid)
  expect_equal(importance(cv, type = "refit", features = "a")$importance[["a"]],
               min(without$cvm) - min(cv$cvm), tolerance = 1e-8)
})

test_that("roots of errors have their importances, and shares do not depend on the scale of y", {
  case <- plain_case(12, 60)
  x <- cbind(case$x, same = 1:60 / 100)
  of <- function(x, y, type = "mse", repeats = 3, ...) {
    set.seed(13)
    importance(cv.rls(x, y, foldid = rep_len(1:6, 60), type.measure = type, keep = TRUE), x,
               repeats = repeats, ...)
  }
  found <- of(x, case$y)
  expect_equal(of(x, 10 * case$y)$share, found$share, tolerance = 1e-6)
  root <- of(x, case$y, "rmse")
  expect_equal(root$error, sqrt(found$error), tolerance = 1e-8)
  expect_equal(of(x, 10 * case$y, "rmse")$importance, 10 * root$importance, tolerance = 1e-6)
  expect_equal(of(x, case$y, "rmse", features = "a")$importance[["a"]], root$importance[["a"]])
  single <- of(x, case$y, repeats = 1)
  expect_equal(of(x, case$y, "rmse", repeats = 1)$importance,
               sqrt(single$error + single$importance) - sqrt(single$error), tolerance = 1e-8)
})

test_that("there are as many permutations as the Monte Carlo error asks for", {
  case <- plain_case(14, 60)
  strong <- importance(cv.rls(case$x, 5 * case$x[, 1], lambda = 0.1, keep = TRUE), case$x)
  expect_identical(strong$repeats, 5L)
  expect_equal(strong$monte.carlo, max(apply(strong$each, 2, sd)) / sqrt(5))
  expect_equal(colMeans(strong$each), strong$importance)
  noise <- importance(cv.rls(case$x, rnorm(60), lambda = 50, keep = TRUE), case$x)
  expect_true(noise$monte.carlo <= 0.1 * max(noise$importance) || noise$repeats == 50)
  expect_gt(noise$repeats, 5)
})

test_that("what cannot be permuted or left out says why", {
  case <- plain_case(16)
  d <- data.frame(case$x, y = case$y, gaps = c(NA, rep(1:3, 13)))
  x <- case$x
  cv <- cv_of(case, foldid = case$fold)
  formula <- cv.rls(y ~ a + b, d, keep = TRUE)
  forgotten <- cv.rls(y ~ a + b, d)
  twice <- cv.rls(y ~ a + b, d, folds = list(1:20, 15:40), keep = TRUE)
  precomputed <- cv.rls(tcrossprod(x) + 1, case$y, kernel = kernel_precomputed(), keep = TRUE)
  points <- cv.sparserls(x, case$y, x[1:9, ], case$kernel, keep = TRUE)
  wider <- cv.rls(y ~ a, d, lambda = 1, keep = TRUE, folds = list(
    list(score = 1:20, omit = 1:22), list(score = 21:40, omit = 19:40)
  ))
  expect_identical(importance(wider, repeats = 1)$nfolds, 2L)
  expect_refusals({
    importance(wider, type = "refit") | folds | "are not kept .. permute"
    importance(forgotten) | keep | "has not kept its refits .. keep = TRUE"
    importance(formula$fit) | keep | "a fit alone does not have .. keep = TRUE"
    importance(twice) | folds | "held out more than once"
    importance(cv) | newdata | "`data` is missing"
    importance(cv, x[-1, ]) | newdata | "`data` are not the rows of the fit .. in their order"
    importance(formula, features = "size") | argument | "`features` must be .. size .. \"a\", \"b\""
    importance(formula, features = character()) | argument | "`features` must be names"
    importance(formula, within = "size") | argument | "`within` must name columns of the data"
    importance(formula, within = d$gaps) | argument | "`within` has missing values"
    importance(formula, repeats = 0) | argument | "`repeats` must be a whole number"
    importance(formula, type = "refit", repeats = 3) | argument | "are for permutations"
    importance(formula, type = "refit", features = list(c("a", "b"))) | argument | "none is left"
    importance(formula, type = "drop") | argument | "`type` must be one of"
    importance(formula, seed = 1) | dots | "Call set.seed() first"
    importance(precomputed, tcrossprod(x) + 1) | kernel | "A precomputed kernel does not know"
    importance(points, x, "refit") | kernel | "A custom kernel or a basis of points"
  })
})

test_that("prints, tables and figures are sorted, and say units", {
  case <- plain_case(17)
  d <- data.frame(case$x, y = case$y)
  cv <- cv.rls(y ~ a + b + c, d, foldid = case$fold, groups = NULL, lambda = 1, keep = TRUE)
  set.seed(18)
  found <- importance(cv, repeats = 2)
  left <- importance(cv, type = "refit")
  expect_said({
    found
    left
  })
  table <- generics::tidy(found)
  expect_identical(table$term, names(sort(-found$importance)))
  expect_equal(table$conf.high, table$estimate + qt(0.975, 39) * table$std.error)
  set.seed(18)
  expect_identical(generics::var_imp(cv, repeats = 2), table)
  figure <- importance_figure(found, 0.9)
  expect_identical(figure$rows$name, table$term)
  expect_equal(figure$rows$low, table$estimate - qt(0.95, 39) * table$std.error)
  auc <- cv.rls(y > 0 ~ a + b, d, type.measure = "auc", keep = TRUE)
  ranked <- importance(auc, repeats = 1)
  expect_identical(ranked$measure, "Mean squared error")
  expect_identical(ranked$null, NA_real_)
  said <- capture.output(print(ranked))
  expect_false(any(grepl("null", said)))
  expect_true("Held-out loss: Mean squared error (AUC is not a mean over rows)" %in% said)
})
