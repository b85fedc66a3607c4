# Partial effects against the definition: held-out predictions of y and of a term's columns by
# honest refits, the sandwich by a loop over rows or groups.

# Predictions at the kernel and lambda of the smallest squared error, summed over the columns of y.
best_refits <- function(z, y, w, folds, basis, kernels, paths, jitter = 1e-7) {
  found <- Map(function(kernel, lambda) {
    k <- reference_shifted(kernel, z, basis, jitter)
    reference_cv(k, y, w, basis, folds, lambda, "remove", TRUE, z)
  }, kernels, paths)
  loss <- lapply(found, function(held) apply(held, 3, function(f) sum(w * (y - f)^2)))
  best <- which.min(vapply(loss, min, 0))
  matrix(found[[best]][, , which.min(loss[[best]])], nrow(as.matrix(y)))
}

# r, left: what is left of y and of the term's columns.
reference_partial <- function(r, left, w, unit = NULL) {
  a <- cbind(1, left)
  inverse <- solve(crossprod(a, w * a))
  theta <- drop(inverse %*% crossprod(a, w * r))
  u <- r - drop(a %*% theta)
  units <- if (is.null(unit)) seq_along(r) else unit
  scores <- vapply(unique(units), function(g) {
    i <- which(units == g)
    root <- sqrt(w[i]) * a[i, , drop = FALSE]
    drop(crossprod(root, solve(diag(length(i)) - root %*% inverse %*% t(root), sqrt(w[i]) * u[i])))
  }, numeric(ncol(a)))
  G <- ncol(scores)
  covariance <- inverse %*% tcrossprod(scores) %*% inverse
  if (!is.null(unit)) covariance <- covariance * (G - 1) / G
  list(estimate = theta[-1], covariance = covariance[-1, -1, drop = FALSE])
}

coded <- function(d) unname(reference_coding(as.list(d)))

partial_case <- function(groups = FALSE, weighted = FALSE, m = 60, seed = NULL) {
  if (!is.null(seed)) set.seed(seed)
  d <- data.frame(a = rnorm(m), b = rnorm(m), f = factor(sample(letters[1:3], m, TRUE)))
  d$y <- 0.5 * d$a + sin(2 * d$b) + (d$f == "b") + rnorm(m) / 2
  w <- if (weighted) sample(1:3, m, TRUE) else rep(1, m)
  g <- if (groups) rep(seq_len(m / 5), 5)
  cv <- cv.sparserls(y ~ a + b + f, d, basis = 1:15, weights = w, groups = g, nfolds = 5,
                     kernel = kernel_gaussian(0.3), keep = TRUE, progress = FALSE)
  list(d = d, w = w, g = g, cv = cv, folds = unname(split(seq_len(m), cv$foldid)))
}

test_that("partial effects are those of honest refits, of rows, groups, weights and factors", {
  set.seed(1)
  for (case in list(partial_case(m = 40), partial_case(TRUE, m = 40), partial_case(FALSE, TRUE))) {
    d <- case$d
    share <- case$w / sum(case$w)
    found <- partial_effects(case$cv, progress = FALSE)
    for (term in c("a", "f")) {
      rest <- d[setdiff(c("a", "b", "f"), term)]
      z <- unname(reference_coding(as.list(rest), case$w))
      D <- if (term == "f") outer(as.character(d$f), letters[1:3], "==") + 0 else cbind(d$a)
      kernels <- lapply(0.3 * c(0.25, 1, 4), kernel_gaussian)
      paths <- lapply(kernels, function(kernel) {
        cv.sparserls(y ~ ., cbind(rest, y = d$y), basis = 1:15, kernel = kernel, weights = case$w,
                     folds = case$folds, progress = FALSE)$lambda
      })
      held <- function(y) best_refits(z, y, case$w, case$folds, 1:15, kernels, paths)
      left <- (D - held(D))[, if (term == "f") 2:3 else 1, drop = FALSE]
      expected <- reference_partial(drop(d$y - held(d$y)), left, case$w, case$g)
      at <- if (term == "f") c("fb", "fc") else "a"
      expect_equal(unname(coef(found)[at]), expected$estimate, tolerance = 1e-8, label = term)
      expect_equal(unname(vcov(found)[at, at, drop = FALSE]), expected$covariance,
                   tolerance = 1e-8, label = term)
    }
  }
})

test_that("fits of x and y, the full kernel, features and searched widths have the same effects", {
  set.seed(3)
  x <- cbind(a = rnorm(80), b = rnorm(80), c = rnorm(80))
  y <- 0.5 * x[, "a"] + sin(2 * x[, "b"]) + rnorm(80) / 3
  d <- data.frame(y, x)
  fold <- rep(1:8, 10)
  width <- kernel_gaussian(0.3)
  all <- cv.sparserls(x, y, basis = 1:80, kernel = width, foldid = fold, keep = TRUE)
  full <- cv.rls(y ~ ., d, kernel = width, foldid = fold, keep = TRUE)
  found <- partial_effects(all, data = list(x = x, y = y))
  # Their grids of lambda differ.
  expect_equal(coef(found), coef(partial_effects(full)), tolerance = 0.01)
  expect_equal(coef(found), coef(partial_effects(all, data = x)))
  ard <- quiet(cv.ardrls(y ~ ., d, npenalty = 2, maxit = 5, keep = TRUE))
  expect_lt(abs(coef(partial_effects(ard))[["a"]] - 0.5), 0.2)
  # All rows but some of those supplied.
  gaps <- rbind(transform(d[1:5, ], a = NA), d)
  few <- cv.sparserls(y ~ ., gaps, subset = seq_len(85) != 8, basis = c(10, 20:50), kernel = width,
                      nfolds = 8, keep = TRUE)
  same <- cv.sparserls(y ~ ., gaps[-c(1:5, 8), ], basis = c(4, 14:44), kernel = width,
                       foldid = few$foldid, keep = TRUE)
  expect_equal(coef(partial_effects(few)), coef(partial_effects(same)), tolerance = 1e-9)
})

test_that("names that need backticks change no number", {
  set.seed(2)
  d <- partial_case(m = 40)$d
  odd <- setNames(d, c("a (b)", "log(x-y)", "if", "y"))
  of <- function(d) {
    cv <- cv.sparserls(y ~ ., d, basis = 1:15, kernel = kernel_gaussian(0.3), foldid = rep(1:5, 8),
                       keep = TRUE)
    unlist(summary(partial_effects(cv))$coefficients, use.names = FALSE)
  }
  expect_identical(of(odd), of(d))
})

test_that("a linear kernel has the effects of the same formula with lm()", {
  set.seed(4)
  distance <- function(m) {
    x <- matrix(rnorm(3 * m), m)
    x[, 1] <- x[, 1] / 10 + x[, 2]
    d <- data.frame(y = x[, 1] + x[, 2] - x[, 3] + rnorm(m) / 1000, x)
    fold <- rep_len(1:10, m)
    cv <- cv.rls(y ~ ., d, foldid = fold, keep = TRUE)
    held <- function(form) {
      ave(seq_len(m), fold, FUN = function(i) predict(lm(form, d[-i, ]), d[i, ]))
    }
    left <- d$X1 - held(X1 ~ X2 + X3)
    theirs <- coef(lm(d$y - held(y ~ X2 + X3) ~ left))[[2]]
    ours <- coef(partial_effects(cv, "X1"))[["X1"]]
    c(formula = abs(ours - theirs), lm = abs(ours - coef(lm(y ~ ., d))[["X1"]]))
  }
  far <- vapply(c(50, 2000), distance, numeric(2))
  expect_lt(far["formula", 2], 1e-6)
  expect_lt(far["lm", 2], far["lm", 1] / 5)
  # Grids of lambda follow the units of the features.
  x <- matrix(rnorm(150), 50)
  y <- drop(x %*% 1:3) + rnorm(50)
  by_units <- vapply(c(1, 1e4), function(unit) {
    cv <- cv.rls(unit * x, y, foldid = rep_len(1:10, 50), standardize = FALSE, keep = TRUE)
    unit * coef(partial_effects(cv, data = unit * x))
  }, numeric(3))
  expect_equal(by_units[, 2], by_units[, 1], tolerance = 1e-8)
})

test_that("parts of the rows have effects of their own, with a joint covariance", {
  case <- partial_case(m = 120, seed = 5)
  case$d$y <- case$d$y + ifelse(case$d$f == "c", case$d$a, 0)
  cv <- cv.sparserls(y ~ ., case$d, basis = 40, kernel = kernel_gaussian(0.3), keep = TRUE)
  found <- partial_effects(cv, "a", by = "f")
  expect_named(coef(found), c("a, a", "a, b", "a, c"))
  expect_equal(vcov(found)[1, 2], 0)
  difference <- effect_contrasts(found, c("a, a", "a, c"))
  expect_lt(abs(difference$estimate - 1), 3 * difference$std.error)
  expect_equal(coef(partial_effects(cv, "a", by = case$d$f)), coef(found))
  expect_true(all(is.na(coef(partial_effects(cv, "f", by = "f")))))
})

test_that("the test of curvature sees odd and even curves and interactions, and keeps its level", {
  set.seed(6)
  m <- 200
  p <- function(f) {
    x <- matrix(runif(2 * m, -1.7, 1.7), m)
    d <- data.frame(y = f(x[, 1], x[, 2]) + rnorm(m) / 2, x)
    partial_effects(cv.sparserls(y ~ ., d, basis = 40, keep = TRUE), "X1")$linear
  }
  expect_lt(p(function(a, b) a^2 + b), 0.01)
  expect_lt(p(function(a, b) sin(2 * a) + b), 0.01)
  expect_lt(p(function(a, b) a * b + 2 * b), 0.01)
  straight <- vapply(1:5, function(i) p(function(a, b) a + sin(2 * b)), 0)
  expect_gt(mean(straight > 0.05), 0.7)
  # Slopes that differ between groups are no curve, whether other features say something or not.
  by_group <- function(seed) {
    g <- rep(1:15, each = 8)
    d <- data.frame(D = rep(0:7, 15), z = rnorm(120))
    d$y <- rnorm(15)[g] + (2 + rnorm(15)[g]) * d$D + rnorm(120)
    cv <- quiet(cv.sparserls(if (seed %% 2) y ~ D else y ~ D + z, d, 30, kernel_gaussian(0.3),
                             groups = g, nfolds = "loo", keep = TRUE))
    partial_effects(cv, "D")$linear
  }
  expect_lte(sum(vapply(1:16, by_group, 0) < 0.05), 3)
})

test_that("a term that the others determine has no p-value", {
  set.seed(7)
  x <- matrix(rnorm(200), 100)
  d <- data.frame(y = x[, 1] + rnorm(100), x, copy = x[, 1]^2 / 2 + x[, 1])
  cv <- cv.sparserls(y ~ ., d, basis = 50, kernel = kernel_gaussian(), keep = TRUE)
  found <- partial_effects(cv, "copy")
  expect_gt(found$explained, 0.99)
  expect_true(is.na(generics::tidy(found)$p.value))
  expect_output(print(summary(found)), "the other features determine")
})

test_that("what has no partial effects says what has", {
  d <- partial_case(seed = 8)$d
  cv <- cv.sparserls(y ~ a + b, d, basis = 10)
  keeps <- cv.sparserls(y ~ a + b, d, basis = 10, keep = TRUE)
  events <- function(...) cv.sparserls(I(y > 0) ~ a + b, d, basis = 10, family = "binomial", ...)
  x <- as.matrix(d[c("a", "b")])
  given <- cv.sparserls(x, d$y, basis = x[1:9, ], keep = TRUE)
  own <- cv.rls(tcrossprod(x) + 1, d$y, kernel = kernel_precomputed(), keep = TRUE)
  expect_refusals({
    partial_effects(cv) | keep | "keep = TRUE"
    partial_effects(keeps$fit) | keep | "keep = TRUE"
    partial_effects(events()) | family | "derivatives() of rls(y ~ ., .. robust .. average_effect()"
    partial_effects(quiet(events(groups = "f"))) |
      family | "1e-6, groups = , keep = TRUE) has .. by groups"
    partial_effects(keeps, "nobody") | argument | "nobody .. \"a\", \"b\""
    partial_effects(keeps, data = d[-1, ]) | newdata | "all of them"
    partial_effects(keeps, by = "nobody") | argument | "`by`"
    partial_effects(given, data = x) | basis | "numbers of rows"
    partial_effects(own, data = tcrossprod(x) + 1) | kernel | "precomputed"
  })
})

test_that("figures have the estimates with intervals, what others leave, the strongest terms", {
  case <- partial_case(seed = 9)
  found <- partial_effects(case$cv)
  figure <- effects_figure(found, "distribution", NULL, 1)
  at <- match(figure$rows$feature, names(coef(found)))
  expect_setequal(at, 1:4)
  # Numbers per standard deviation.
  unit <- ifelse(found$difference, 1, apply(found$x, 2, sd))
  same(as.matrix(figure$rows[c("low", "high")]), unit[at] * confint(found)[at, ], 1e-8)
  expect_false(any(figure$rows$box))
  left <- effects_figure(found, "against", "fb", 1)
  shown <- left$panels[[1]]$curves[[1]]
  expect_equal(coef(lm(shown$y ~ shown$x + found$residuals$term[, "fc"]))[[2]], coef(found)[["fb"]])
  expect_error(plot(found, "weights"), class = "sparserls_error_argument")
  found <- structure(list(average = cbind(c(3, 1), c(1, 3)), difference = c(a = TRUE, b = TRUE)),
                     class = c("partial_effects", "derivatives"))
  rows <- list(at = cbind(0:1, 0:1))
  expect_identical(strongest(found, rows, c(1, 1), 1), 1:2)
  expect_identical(strongest(found, rows, c(1, 1), 2), 2:1)
})

test_that("a subgroup of one row has no say in the degrees of freedom of others", {
  set.seed(1)
  d <- data.frame(a = rnorm(100), g = c("z", rep(c("x", "y"), length.out = 99)))
  d$y <- d$a + rnorm(100)
  cv <- cv.rls(y ~ a, d, keep = TRUE, foldid = rep(1:10, 10))
  found <- quiet(partial_effects(cv, "a", by = d$g))
  expect_equal(found$df, 48)
  expect_equal(unname(is.na(coef(summary(found))[, "p.value"])), c(FALSE, FALSE, TRUE))
})
