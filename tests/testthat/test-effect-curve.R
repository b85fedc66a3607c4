# Mean predictions with a feature at each value, values x outputs, by predict() on changed rows.
changed_means <- function(fit, data, feature, values, share, s) {
  t(vapply(values, function(value) {
    if (is.matrix(data)) data[, feature] <- value
    else if (is.factor(data[[feature]])) data[[feature]][] <- value
    else data[[feature]] <- rep(value, nrow(data))
    colSums(share * matrix(quiet(predict(fit, data, s = s)), nrow(data)))
  }, numeric(ncol(fit$response$y))))
}
as_column <- function(x, v) if (v == 1) t(x) else x

test_that("curves are means of predict() on rows that were changed, and so are single rows", {
  for (seed in 4001:4006) {
    case <- random_case(seed)
    fit <- case_fit(case)
    new <- matrix(rnorm(7 * ncol(case$x)), 7)
    weights <- runif(7)
    share <- weights / sum(weights)
    at <- sort(rnorm(4))
    s <- case$lambda[3]
    curve <- function(...) {
      effect_curve(fit, "V2", new, at, s = s, type = "gp", weights = weights, ...)
    }
    colnames(new) <- NULL
    expected <- as_column(changed_means(fit, new, 2, at, share, s), NCOL(case$y))
    expected <- matrix(expected, length(at))
    scale <- max(abs(expected))
    level <- curve(centre = FALSE)
    expect_lt(max(abs(level$estimate - as.vector(expected))) / scale, 1e-10)
    against <- curve(centre = at[2])
    expect_lt(max(abs(as.vector(against$estimate) -
                      as.vector(expected - rep(expected[2, ], each = 4)))) / scale, 1e-10)
    expect_true(all(against$std.error[seq(2, 4 * NCOL(case$y), 4)] == 0))
    single <- vapply(at, function(value) {
      as.vector(quiet(predict(fit, replace(new, cbind(1:7, 2), value), s = s)))
    }, numeric(7 * NCOL(case$y)))
    expect_equal(as.vector(aperm(level$ice, c(1, 3, 2))), as.vector(single))
    # Centred, it is minus its mean over the rows, each at its own value.
    own <- matrix(as_column(changed_means(fit, new, 2, new[, 2], share, s), NCOL(case$y)), 7)
    less <- as.vector(expected - rep(colSums(share * own), each = 4))
    expect_lt(max(abs(as.vector(curve()$estimate) - less)) / scale, 1e-10)
  }
})

test_that("standard errors are those of honest refits without each row or group", {
  cases <- Filter(function(case) case$fine, lapply(4101:4110, unit_case))
  expect_gt(length(cases), 4)
  for (case in cases) {
    cv <- unit_cv(case)
    case$basis <- cv$fit$basis
    k <- reference_shifted(case$kernel, case$x, case$basis, case$jitter)
    points <- case$x[case$basis, , drop = FALSE]
    new <- matrix(rnorm(5 * ncol(case$x)), 5)
    at <- sort(rnorm(3))
    means <- t(vapply(at, function(value) {
      colMeans(reference_kernel(case$kernel, replace(new, cbind(1:5, 1), value), points))
    }, numeric(nrow(points))))
    for (centre in list(FALSE, at[1])) {
      found <- suppressWarnings(effect_curve(cv, "V1", new, at, centre))
      expect_identical(found$units, if (is.null(case$groups)) "rows" else "groups")
      functionals <- t(cbind(1, means))
      if (isFALSE(centre)) level <- max(abs(found$estimate))
      else functionals <- functionals - functionals[, 1]
      honest <- reference_jackknife(case, functionals, k, cv$lambda.min)
      # Kernel matrices of small jitter are nearly singular. A kernel that leaves V1 out has a flat
      # curve, whose centred changes are rounding in each refit.
      rounding <- length(case$units) * (20 * .Machine$double.eps * level)^2
      expect_lte(max(abs(as.vector(found$vcov) - as.vector(honest))),
                 1e-6 * max(abs(honest)) + rounding)
    }
  }
})

test_that("a well conditioned problem agrees to 1e-8, centred over the rows", {
  set.seed(11)
  x <- cbind(age = rnorm(60), b = rnorm(60))
  y <- sin(2 * x[, 1]) + x[, 2] + rnorm(60) / 4
  id <- rep(1:6, each = 10)
  w <- runif(60, 0.5, 2)
  for (kernel in list(kernel_linear(), kernel_gaussian(0.5))) {
    cv <- quiet(cv.rls(x, y, kernel, c(1, 0.3), groups = id, weights = w, keep = TRUE,
                       standardize = FALSE))
    found <- effect_curve(cv, "age", x, c(-1, 0, 1.5))
    grid <- seq(min(x[, 1]), max(x[, 1]), length.out = 30)
    centred <- function(held) {
      fit <- rls(x[!held, ], y[!held], kernel, cv$lambda.min, weights = w[!held],
                 standardize = FALSE)
      line <- as.vector(changed_means(fit, x, "age", c(-1, 0, 1.5, grid), w / sum(w), NULL))
      line[1:3] - weighted.mean(approx(grid, line[-(1:3)], x[, 1])$y, w)
    }
    whole <- centred(logical(60))
    expect_equal(unname(found$estimate), whole, tolerance = 1e-10)
    changes <- vapply(1:6, function(g) centred(id == g) - whole, numeric(3))
    expect_equal(unname(found$vcov), tcrossprod(changes) * 5 / 6, tolerance = 1e-8)
    expect_identical(c(found$df, found$count), c(5, 6))
  }
})

visits <- transform(prostate, id = rep_len(1:20, 97), big = lcavol > 1,
                    size = cut(lweight, c(0, 3.4, 3.8, 9), c("small", "mid", "large")))
visits$lcp[c(3, 9)] <- NA

test_that("variables are set in the data, before the formula's functions, levels as levels", {
  fit <- rls(lpsa ~ log(age) + poly(lweight, 2) + size * lcavol + big + lcp, visits, lambda = 0.5,
             subset = train, weights = id)
  rows <- visits[visits$train & !is.na(visits$lcp), ]
  share <- rows$id / sum(rows$id)
  for (feature in c("age", "lweight", "size", "big", "lcp")) {
    values <- switch(feature, size = levels(visits$size), big = c(FALSE, TRUE), NULL)
    own <- effect_curve(fit, feature, centre = FALSE)
    given <- effect_curve(fit, feature, rows, centre = FALSE, weights = rows$id)
    expect_equal(own[c("estimate", "vcov", "share", "ice", "values")],
                 given[c("estimate", "vcov", "share", "ice", "values")])
    if (is.null(values)) values <- own$values
    expect_identical(own$values, if (is.numeric(values)) values else as.character(values))
    same(own$estimate, as.vector(changed_means(fit, rows, feature, values, share, NULL)), 1e-8)
  }
  size <- effect_curve(fit, "size")
  expect_equal(size$share, as.vector(xtabs(share ~ size, cbind(rows, share = share))))
  expect_equal(sum(size$share * size$estimate), 0)
  expect_equal(unname(effect_curve(fit, "size", centre = "mid")$estimate[["mid"]]), 0)
  expect_identical(effect_curve(fit, "age", visits)$nobs, 95L)
})

test_that("variables may be where the formula was written, and numbers be levels by the formula", {
  age <- prostate$age
  y <- prostate$lpsa
  degree <- 2
  near <- effect_curve(rls(y ~ log(age) + poly(lbph, degree), prostate, lambda = 1, subset = 1:60),
                       "age")
  in_data <- effect_curve(rls(lpsa ~ log(age) + poly(lbph, 2), prostate, lambda = 1, subset = 1:60),
                          "age")
  expect_equal(near[c("estimate", "vcov", "values")], in_data[c("estimate", "vcov", "values")])
  grades <- rls(lpsa ~ factor(gleason) + age, prostate, kernel_gaussian(0.2), lambda = 1)
  found <- effect_curve(grades, "gleason", centre = 6, type = "gp")
  expect_identical(found$values, c(6, 7, 8, 9))
  effects <- derivatives(grades, type = "gp")
  expect_equal(unname(found$estimate[-1]), unname(effects$average[1:3]))
  expect_equal(unname(found$std.error[-1]), unname(effects$std.error[1:3]))
})

test_that("of searched widths the errors are by the outer folds", {
  set.seed(1)
  cv <- quiet(cv.ardrls(
    lpsa ~ lcavol + age, prostate, basis = 20, npenalty = 2, maxit = 3, keep = TRUE,
    outer = split(1:97, rep_len(1:4, 97))
  ))
  found <- effect_curve(cv, "age", s = "penalty.min", at = c(55, 65, 75), centre = FALSE)
  point <- cv$index[["min", 1]]
  each <- vapply(cv$refits$models, function(model) {
    fit <- model$fits[[match(cv$index[["min", 1]], cv$refits$at)]]
    as.vector(changed_means(fit, prostate, "age", c(55, 65, 75), rep(1 / 97, 97), fit$lambda))
  }, numeric(3))
  expect_equal(unname(found$std.error), sqrt(rowSums((each - rowMeans(each))^2) * 3 / 4))
  expect_identical(c(found$units, found$df), c("folds", "3"))
  expect_message(without <- effect_curve(cv$fit, "age"), "widths were searched")
  expect_true(all(is.na(without$std.error)))
})

test_that("what too few units carry has no interval", {
  data <- transform(prostate, rare = factor(replace(rep_len(c("a", "b"), 97), c(5, 9), "c")))
  cv <- quiet(cv.rls(lpsa ~ age + rare, data, lambda = 1, keep = TRUE, nfolds = 5))
  expect_warning(found <- effect_curve(cv, "rare"), class = "sparserls_warning_carriers")
  expect_identical(found$few, c(FALSE, FALSE, TRUE))
  expect_identical(is.na(generics::tidy(found)$conf.low), found$few)
  table <- generics::tidy(found, conf.level = 0.9)
  expect_equal(table$conf.high, ifelse(found$few, NA, table$estimate + table$std.error *
                                       qt(0.95, found$df)))
  ends <- confint(found, level = 0.9)
  expect_identical(dimnames(ends), list(c("a", "b", "c"), c("5 %", "95 %")))
  expect_equal(unname(ends), unname(cbind(table$conf.low, table$conf.high)))
  expect_identical(confint(found, "b", level = 0.9), ends[2, , drop = FALSE])
})

test_that("curves are printed, and refused in words", {
  x <- as.matrix(prostate[1:8])
  fit <- sparserls(x, prostate$lpsa, I(1:30), lambda = c(1, 0.1))
  cv <- quiet(cv.rls(lpsa ~ log(age) + size, visits, lambda = 1, groups = id, keep = TRUE))
  expect_said(print(effect_curve(cv, "age"), digits = 2))
  of <- function(...) effect_curve(fit, ..., s = 1)
  drawn <- of("age", x, type = "gp")
  expect_output(print(drawn), "minus its mean.*by the Gaussian-process view")
  given <- rls(tcrossprod(x), prostate$lpsa, kernel_precomputed(), 1)
  expect_refusals({
    of("age") | newdata | "`newdata` is missing .. give newdata = x"
    of("ages", x) | argument | '`feature` must name one variable .. Did you mean "age"?'
    of(3, x) | argument | '`feature` must name one variable of the model .. There are "lcavol"'
    of("age", x, "old") | argument | "`at` must be finite numbers"
    of("age", x, centre = c(60, 70)) | argument | "`centre` must be TRUE, FALSE or one value of"
    of("age", x, ice = -1) | argument | "`ice` must be a whole number of at least 0 .. -1"
    effect_curve(cv, "log(age)") | argument | '`feature` must name .. There are "age", "size"'
    suppressWarnings(effect_curve(cv, "age", at = -1)) |
      argument | "columns of the model are not defined at a value of the feature .. age = -1"
    effect_curve(cv, "size", at = "huge") | argument | '`at` must name levels .. "small", "mid"'
    effect_curve(cv, "age", x) | newdata | "`newdata` must be a data frame .. by a formula"
    effect_curve(given, "V1", tcrossprod(x)) | kernel | "precomputed kernel does not know the feat"
    plot(drawn, output = 2) | argument | "`output` must name or number one of the outputs"
    plot(drawn, level = 95) | argument | "The confidence level must be a number between 0 .. x 95"
    plot(derivatives(cv), "curve") | argument | "`what` must be"
  })
})

test_that("rows with a gap count for the level that na_level() gave them", {
  set.seed(2)
  d <- data.frame(y = rnorm(60), b = rnorm(60), k = factor(sample(c("p", "q"), 60, TRUE)),
                  on = rnorm(60) > 0)
  d$k[sample(60, 15)] <- NA
  d$on[1:12] <- NA
  filled <- na_level(d)
  fits <- list(rls(y ~ k + on + b, filled, lambda = 0.1),
               rls(y ~ na_level(k, "none") + na_level(on) + b, d, lambda = 0.1),
               rls(filled[-1], d$y, lambda = 0.1))
  for (fit in fits) for (feature in c("k", "on")) {
    levels <- as.character(unique(d[[feature]]))
    levels[is.na(levels)] <- if (feature == "k" && identical(fit, fits[[2]])) "none" else "missing"
    gap <- setdiff(levels, c("p", "q", "TRUE", "FALSE"))
    set <- function(level) {
      new <- d
      new[[feature]] <- if (level == gap) NA else if (feature == "on") as.logical(level) else level
      mean(predict(fit, new))
    }
    means <- vapply(levels, set, 0)
    shares <- vapply(levels, function(level) {
      mean(if (level == gap) is.na(d[[feature]]) else d[[feature]] %in% level)
    }, 0)
    for (rows in list(d, filled)) {
      curve <- effect_curve(fit, feature, rows)
      expect_setequal(curve$values, levels)
      expect_equal(curve$estimate, (means - sum(shares * means))[curve$values])
      expect_equal(curve$share, unname(shares[curve$values]))
      expect_identical(curve$nobs, 60L)
    }
    expect_identical(effect_curve(fit, "b", transform(filled, b = replace(b, 1:2, NA)))$nobs, 58L)
    if (!identical(fit, fits[[3]])) {
      expect_equal(effect_curve(fit, feature)$estimate, curve$estimate)
    }
  }
})

test_that("summary() of a curve is a table, and contrasts of it say what to use", {
  curve <- effect_curve(rls(lpsa ~ lcavol + svi, prostate, lambda = 1), "svi", centre = 0)
  table <- summary(curve)
  expect_identical(colnames(confint(curve)), c("2.5 %", "97.5 %"))
  expect_equal(table$statistic, c(NA, (curve$estimate / curve$std.error)[[2]]))
  expect_identical(table[names(table) != "statistic"], as.data.frame(generics::tidy(curve)))
  expect_refusals(effect_contrasts(curve) |
                    argument | "Use partial_effects(), or effect_curve(centre = )")
})

test_that("rates take `newoffset` at the rows of the fit", {
  d <- data.frame(n = c(1, 4, 2, 8, 3, 9), f = rep(c("u", "v"), 3), t = 1:6)
  fit <- rls(n ~ f + offset(log(t)), d, family = "poisson", lambda = 1)
  rates <- effect_curve(fit, "f", centre = FALSE, newoffset = 0)
  expect_equal(unname(rates$estimate), unname(predict(fit, data.frame(f = c("u", "v"), t = 1))))
})

test_that("the mean that a curve is centred by does not depend on the values in `at`", {
  cv <- quiet(cv.rls(lpsa ~ lcavol * size, visits, kernel_gaussian(0.3), lambda = 1,
                     keep = TRUE, nfolds = 10))
  whole <- effect_curve(cv, "lcavol")
  means <- function(at) {
    as.vector(changed_means(cv$fit, visits, "lcavol", at, rep(1 / 97, 97), NULL))
  }
  at <- c(0, 2, 3)
  some <- effect_curve(cv, "lcavol", at = at)
  expect_equal(unname(some$estimate), means(at) - mean(means(visits$lcavol)), tolerance = 1e-3)
  one <- effect_curve(cv, "lcavol", at = 2)
  parts <- c("estimate", "std.error")
  expect_equal(lapply(one[parts], unname), lapply(some[parts], function(v) v[[2]]))
  expect_gt(one$std.error, 0)
  expect_equal(one$ice[, 1, ], some$ice[, 2, ])
  some <- effect_curve(cv, "lcavol", at = whole$values[c(4, 20)])
  expect_equal(lapply(some[parts], unname), lapply(whole[parts], function(v) unname(v[c(4, 20)])))
  expect_equal(some$vcov, whole$vcov[c(4, 20), c(4, 20)])
  size <- effect_curve(cv, "size")
  large <- effect_curve(cv, "size", at = "large")
  expect_equal(large[c(parts, "share")], lapply(size[c(parts, "share")], `[`, 3),
               ignore_attr = TRUE)
})

test_that("levels with fewer than five basis vectors have no error, by whatever view", {
  set.seed(1)
  d <- data.frame(x = rnorm(300), level = rep(c("a", "b", "c"), c(150, 146, 4)))
  d$y <- d$x + (d$level == "b") + rnorm(300)
  fit <- sparserls(y ~ ., d, kernel = kernel_gaussian(0.5), basis = c(1:40, 200:240), lambda = 1)
  error <- function(...) effect_curve(fit, "level", type = "gp", ...)$std.error
  expect_equal(unname(is.na(error())), c(FALSE, FALSE, TRUE))
  expect_true(all(is.na(error(centre = "c"))))
  expect_output(print(effect_curve(fit, "level", type = "gp")), "no errors at c: too few basis")
  # Numbers are no levels, and the full kernel has all rows of each.
  expect_false(anyNA(effect_curve(fit, "x", at = c(-1, 1), type = "gp")$std.error))
  full <- rls(y ~ ., d, kernel = kernel_gaussian(0.5), lambda = 1)
  expect_false(anyNA(effect_curve(full, "level", type = "gp")$std.error))
})
