x <- bad_x()
y <- bad_y()
d <- bad_frame()

chunks <- chunks_function(2, function(i) cars[seq(i, 50, by = 2), ])

test_that("switches, numbers and choices, measures, unknown arguments", {
  expect_refusals({
    sparserls(x, y, 5, nlambda = 0) | argument | "`nlambda` must be a whole number of at .. x 0"
    basis_groups(1:3, per = 0) | argument | "`per` must be a whole number of at least 1 .. x 0"
    cv_folds(1e10) | argument | "`m` must be a whole number of at least 1"
    folded(reselect = NA) | argument | "`reselect` must be TRUE or FALSE .. x NA"
    again(5, holdout_basis = "keep") | argument | '`holdout_basis` has no meaning .. "keep"'
    cv_folds(20, 5, spread = "even") | argument | '`spread` must be one of "free", .. "even"'
    cv.sparserls(x, y, 5, keep = NA) | argument | "`keep` must be TRUE or FALSE .. x NA"
    cv.sparserls(x, y, 5, progress = 1) | argument | "`progress` must be TRUE or FALSE .. x 1"
    cv.sparserls(x, y, 5, type.measure = "mean") | argument | '`type.measure` must be one .. "mean"'
    rls2(x, y, scaling = "nrom") | argument | '`scaling` must be one of "norm", "fisher" .. "nrom"'
    rls2(x, y, tol = 0) | argument | "`tol` must be a positive number .. x 0"
    rls2(x, y, algorithm = "alternat") | argument | '`algorithm` must be one of .. "alternat"'
    rls2(x, y, center = NA) | argument | "`center` must be TRUE or FALSE .. x NA"
    greedyrls(x, y, 1, criterion = "gcv") | argument | '`criterion` must be one of .. x "gcv"'
    greedyrls(x, y, "loo", patience = 0) | argument | "`patience` must be a whole number of .. x 0"
    greedyrls(x, y, 1, cache = "no") | argument | '`cache` must be TRUE or FALSE .. x "no"'
    greedyrls(x, y, "loo", cache = FALSE) | argument | '`cache = FALSE` needs a number `k` and'
    withr::with_options(list(sparserls.threads = "two"), sparserls(x, y, 5)) |
      argument | '`threads` must be a whole number of at least 1 .. x "two"'
    ardrls(x, y, 5, npenalty = 0) | argument | "`npenalty` must be a whole number of at .. x 0"
    cv.sparserls(y ~ a, d, basis = 5, group = f) | dots | "Unknown argument `group` .. Did you mean"
    cv.rls(y ~ a, d, random = ~1 | f) | dots | "Unknown argument `random` .. mean `groups`?"
    cv.rls(y ~ a, d, fold = f) | dots | "Unknown argument `fold` .. Did you mean `foldid`?"
    sparserls(y ~ a, d, y = d$y, basis = 1:5) | dots | "`y` cannot be given together with a formula"
    sparserls(x, y, 5, lamda = 1) | dots | "Unknown argument `lamda` .. Did you mean `lambda`?"
    sparserls(x, y, 5, kernel_linear(), 1, 5, NULL, TRUE, TRUE, 1e-7, 1, NULL, NULL, 99) |
      dots | "Too many unnamed arguments"
    sparserls(x, y, 5, foo = stop("evaluated")) | dots | "Unknown argument `foo`"
    rls(data = d, formula = y ~ a) | dots | "Unknown argument `data` .. A formula is the first"
    cv.rls(y ~ a, d, seed = 1) | dots | "Unknown argument `seed` .. Call set.seed() first, which"
    cv.rls2(x, y, solver = "update") | dots | "Unknown argument `solver` .. The arguments are x, y"
    ardrls(x, y, 5, lambda = 1) | dots | "Unknown argument `lambda` .. The arguments are x, y"
    cv.sparserls(x, d$f, 1:6, foldid = d$f, type.measure = "auc") |
      measure | "AUC is undefined in every fold .. Every fold needs rows that differ in y; use"
    cv.sparserls(x, y, 5, type.measure = "class") | measure | '"class" needs a factor or logical'
    cv.sparserls(x, y, 5, type.measure = "auc") | measure | '"auc" needs a response with two'
    cv.sparserls(x, cbind(y, -y), 5, type.measure = "cindex") |
      measure | '"cindex" needs a single output .. 2 outputs'
    cv.rls(dist ~ speed, cars, method = "ridge") | dots | "Unknown argument `method`"
    rls(cars["speed"], cars$dist, m = 1) | dots | "Unknown argument `m`"
    cv.sparserls(dist ~ speed, cars, given = 1, default = 2) | dots | "Unknown argument `given`"
    cv.rls(dist ~ speed, chunks, method = "ridge") | dots | "Unknown argument `method`"
  })
})

test_that("values that are no number, switch or choice", {
  for (bad in list(0, -1, 1.5, NA, "a", NULL, 1:2, 1e10)) expect_refusals({
    basis_random(bad) | argument | "`n` must be a whole number of at least 1"
    basis_greedy(5, candidates = bad) | argument | "`candidates` must be a whole number of at"
    cv_folds(20, 5, repeats = bad) | argument | "`repeats` must be a whole number of at least 1"
  })
  for (bad in list(0, 1.5, NA, "2", 1:2, 1e10)) expect_refusals({
    sparserls(x, y, 5, threads = bad) | argument | "`threads` must be a whole number of at least"
  })
  for (bad in list(NA, 1, "TRUE", NULL, c(TRUE, FALSE))) expect_refusals({
    sparserls(x, y, 5, standardize = bad) | argument | "`standardize` must be TRUE or FALSE"
    kernel_linear(normalize = bad) | argument | "`normalize` must be TRUE or FALSE"
  })
  for (bad in list(-1, NA, Inf, "0", NULL, 1:2)) expect_refusals({
    sparserls(x, y, 5, jitter = bad) | argument | "`jitter` must be a non-negative number"
  })
  for (bad in list(0, -1, NA, NaN, Inf, "a", numeric(), c(1, 0))) expect_refusals({
    kernel_gaussian(bad) | kernel | "`gamma`"
    kernel_laplacian(bad) | kernel | "`gamma`"
    kernel_polynomial(scale = bad) | kernel | "`scale`"
  })
  for (bad in list("keeps", c("keep", "skip"), NA, NULL, 1)) expect_refusals({
    folded(holdout_basis = bad) | argument | "`holdout_basis` must be one of"
    folded(solver = bad) | argument | "`solver` must be one of"
  })
})

test_that("unknown arguments of methods", {
  fit <- sparserls(x, y, 1:5, lambda = c(1, 0.1))
  cv <- cv.sparserls(x, y, 1:5, lambda = c(1, 0.1), nfolds = "loo")
  greedy <- greedyrls(x, y, k = 2)
  cv_greedy <- quiet(cv.greedyrls(x, y, k = 2, lambda = 1))
  linear <- cv.rls(y ~ a + b, d, lambda = c(1, 0.1), keep = TRUE, foldid = rep(1:5, 4))
  withr::local_pdf(NULL)
  expect_refusals({
    predict(fit, x, tpye = "response") | dots | "Unknown argument `tpye` .. Did you mean `type`?"
    residuals(fit, S = 1) | dots | "Unknown argument `S` .. Did you mean `s`?"
    summary(fit, digit = 3) | dots | "Unknown argument `digit` .. The arguments are object"
    predict(cv_greedy, x, b = 1) | dots | "Unknown argument `b` .. The arguments are object"
    augment.greedyrls(greedy, s = 2) | dots | "Unknown argument `s` .. Did you mean `k`?"
    coef(greedy, lambda = 1) | dots | "Unknown argument `lambda` .. The arguments are object, k"
    predict(fit, x, 1, "response", "none", 0.9, FALSE, "df", 5) | dots | "Too many unnamed"
    residuals(cv, "lambda.min", "training", 2) | dots | "Too many unnamed arguments"
    plot(rls2(x, y, lambda = c(1, 0.1)), s = 1) | dots | "Unknown argument `s`"
    plot(derivatives(linear), s = 1) | dots | "Unknown argument `s`"
  })
})

test_that("a user's measure", {
  measured <- function(f) cv.sparserls(x, y, 1:5, lambda = c(1, 0.1), type.measure = f)
  for (bad in list(NA, Inf, 1:2, "a", NULL)) expect_refusals({
    measured(function(y, yhat, weights) bad) | measure | "must return one finite number"
  })
  expect_refusals(measured(function(y, yhat) 1) |
                    measure | "The measure must be a function of y .. function (y")
  expect_error(measured(function(y, yhat, weights) stop("my own words")), "my own words")
  expect_sane(measured(function(y, yhat, weights) max(abs(y - yhat))))
})
