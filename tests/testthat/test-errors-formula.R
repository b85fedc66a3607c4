d <- bad_frame()
gap <- transform(d, a = replace(a, 3, NA))
# Not for weights, subset and na.action, which are looked for in the data.
fit <- function(formula, data = d, ...) sparserls(formula, data, basis = 1:5, lambda = 1, ...)

test_that("formulas that make no model are refused", {
  expect_refused("formula", {
    fit(~ a + b)
    fit(y ~ 1)
    fit(y ~ 0)
    fit(y ~ offset(b))
    fit(y ~ a + y)
    fit(y ~ a:y)
    fit(log(y + 9) ~ log(y + 9))
    cv.sparserls(y ~ 1, d, basis = 5)
  })
  # The reason is given in R's own words.
  expect_classed("formula", {
    sparserls(y ~ ., basis = 5)
    fit(y ~ nowhere)
    fit(nowhere ~ a)
    fit(y ~ no_function(a))
    fit(y ~ a, as.matrix(d[c("y", "a")]))
    fit(y ~ a, "d")
    sparserls(y ~ a, d, basis = 5, weights = 1:19)
    sparserls(y ~ a, d, basis = 1:5, subset = nowhere)
    sparserls(y ~ a, gap, basis = 5, na.action = na.fail)
    cv.sparserls(y ~ a, d, basis = 5, groups = nowhere)
    cv.sparserls(y ~ a, d, basis = 5, foldid = 1:19)
  })
})

test_that("no rows left is refused", {
  expect_refused("formula", {
    fit(y ~ a, d[0, ])
    fit(y ~ a, transform(d, a = NA))
    fit(y ~ a, transform(d, a = NA_real_))
    sparserls(y ~ a, d, basis = 1:5, subset = a > 100)
  })
})

test_that("variables that are no numbers or classes are refused", {
  expect_refused("x", {
    fit(y ~ as.Date(f, origin = "2020-01-01"), transform(d, f = 1:20))
    fit(y ~ a, transform(d, a = replace(a, 3, Inf)))
    sparserls(y ~ a, gap, basis = 5, na.action = na.pass)
  })
  expect_refused("y", {
    fit(as.character(f) ~ a)
    fit(I(y * 0) ~ a)
    fit(y ~ a, transform(d, y = replace(y, 3, -Inf)))
  })
  expect_refused("weights", {
    sparserls(y ~ a, d, basis = 5, weights = -a)
    sparserls(y ~ a, d, basis = 5, weights = as.character(f))
    sparserls(y ~ a, d, basis = 5, weights = 0 * a)
  })
})

test_that("what formulas of other packages have is refused with a remedy", {
  expect_refused("formula", {
    fit(y ~ s(a) + b)
    fit(y ~ a + (1 | f))
    fit(y ~ a + (1 + b | f))
    fit(y ~ a + (b | f))
    fit(y ~ a + l, transform(d, l = I(as.list(b))))
    cv.sparserls(y ~ a, d, basis = 5, groups = ~f)
  })
  either <- fit(y ~ a + (a > 0 | b > 0))
  expect_equal(fitted(either), fitted(fit(y ~ a + q, transform(d, q = a > 0 | b > 0))))
})

test_that("half a name of what is looked for in the data is refused, unevaluated", {
  expect_refused("dots", {
    cv.sparserls(y ~ a, d, basis = 5, group = f)
    cv.rls(y ~ a, d, fold = f)
    fit(y ~ a, weight = b)
  })
})

test_that("groups that are predictors too are told of", {
  sites <- transform(d, site = factor(rep(1:5, 4)))
  expect_message(cv.sparserls(y ~ ., sites, basis = 8, groups = site), "- site",
                 class = "sparserls_message")
  expect_message(cv.sparserls(y ~ ., sites, basis = 8, groups = "site"), "- site")
  expect_no_message(cv.sparserls(y ~ . - site, sites, basis = 8, groups = site, lambda = 1))
})

test_that("factors of one level are left out, and refused where nothing else is there", {
  expect_refused("x", {
    sparserls(y ~ k + f, transform(d[d$f == "u", ], k = "one"), basis = 5)
    rls(y ~ f, d[d$f == "u", ])
    rls(d[d$f == "u", "f", drop = FALSE], d$y[d$f == "u"])
  })
  expect_said({
    invisible(sparserls(y ~ a + k, transform(d, k = "one"), basis = 1:5))
    invisible(rls(y ~ a + f + k, transform(d, k = "one"), subset = f == "u"))
  })
})

test_that("rows that are removed cannot be basis vectors or groups", {
  expect_refused("basis", {
    fit(y ~ a, gap)
    sparserls(y ~ a, d, basis = 1:5, subset = 4:20)
    sparserls(y ~ a, d, basis = 11, subset = 1:10)
    sparserls(y ~ a, d, basis = basis_groups(rep(1:5, 2)), subset = 1:10)
  })
  expect_identical(sparserls(y ~ a, gap, basis = c(2, 4, 20))$basis, c(2L, 4L, 20L))
})

test_that("folds of removed rows only are refused as such", {
  expect_error(cv.sparserls(y ~ a, d, basis = 1:5, subset = 1:10, folds = list(11:20)), "subset",
               class = "sparserls_error_folds")
})

test_that("transformed variables are taken from the data", {
  by_hand <- fit(y ~ q, transform(d, q = log(a + 2)))
  expect_equal(fitted(fit(y ~ log(a + 2))), fitted(by_hand))
  a <- d$b # must not be seen
  expect_equal(fitted(fit(y ~ log(a + 2))), fitted(by_hand))
  logs <- predict(fit(y ~ log(a + 2)), d)
  expect_equal(logs, predict(by_hand, transform(d, q = log(a + 2))))
  # Bases that depend on the data are those of the fit.
  powers <- fit(y ~ poly(b, 2))
  expect_equal(predict(powers, d[1:3, ]), predict(powers, d)[1:3])
  expect_equal(fitted(fit(y ~ factor(f) + a)), fitted(fit(y ~ f + a)))
})

test_that("I() and other harmless classes are numbers", {
  by_hand <- fit(y ~ a + q, transform(d, q = a^2))
  expect_equal(fitted(fit(y ~ a + I(a^2))), fitted(by_hand))
  expect_sane(sparserls(data.frame(a = I(d$a), b = d$b), d$y, 1:5))
})

test_that("x and y are no arguments of the formula method", {
  expect_classed("dots", {
    sparserls(y ~ a, d, y = d$y, basis = 1:5)
    cv.sparserls(y ~ a, d, y = d$y, basis = 1:5)
  })
})

test_that("the dot, several outputs, classes and no intercept are fine", {
  expect_equal(fitted(fit(y ~ .)), fitted(fit(y ~ a + b + c + f)))
  expect_sane(fit(cbind(y, a) ~ b + c))
  expect_identical(levels(predict(fit(f ~ a + b), d, type = "class")), c("u", "v"))
  none <- fit(y ~ a - 1)
  expect_false(none$intercept)
  expect_equal(fitted(none), fitted(fit(y ~ a, intercept = FALSE)))
  expect_sane(fit(y ~ a * f))
  expect_sane(cv.sparserls(y ~ ., d, basis = 1:6, nfolds = "loo"))
})

test_that("unused levels and character variables are fine", {
  wide <- transform(d, f = factor(f, c("u", "v", "w")))
  expect_identical(fitted(fit(y ~ a + f, wide)), fitted(fit(y ~ a + f)))
  words <- transform(d, f = as.character(f))
  expect_identical(fitted(fit(y ~ a + f, words)), fitted(fit(y ~ a + f)))
})

test_that("missing values are dropped by na.action, weights and subset belong to rows", {
  dropped <- sparserls(y ~ a + b, gap, basis = 4:8, lambda = 1)
  expect_identical(nobs(dropped), 19L)
  expect_identical(dropped$basis, 4:8)
  subset <- sparserls(y ~ a + b, d, basis = 4:8, lambda = 1, subset = -3)
  expect_equal(fitted(subset), fitted(dropped))
  expect_equal(fitted(sparserls(y ~ a + b, d[-3, ], basis = 3:7, lambda = 1)), fitted(dropped))
  # A row of weight zero is no row, but for its prediction.
  weighted <- sparserls(y ~ a + b, d, basis = 4:8, lambda = 1, weights = (1:20 != 3) + 0)
  expect_equal(predict(weighted, d, s = 1), predict(
    sparserls(y ~ a + b, d, basis = 4:8, lambda = 1, subset = -3, kernel = weighted$kernel), d
  ))
})

test_that("variables of the calling environment are found there", {
  here <- function() {
    local_x <- d$a
    local_w <- 1:20
    sparserls(y ~ local_x + b, d, basis = 1:5, lambda = 1, weights = local_w)
  }
  there <- sparserls(y ~ a + b, d, basis = 1:5, lambda = 1, weights = 1:20)
  expect_equal(fitted(here()), fitted(there))
})

test_that("a formula without data takes all variables from where it was written", {
  a <- d$a
  b <- d$b
  y <- d$y
  calls <- list(quote(sparserls(y ~ a + b, basis = 1:5, lambda = 1)),
                quote(cv.sparserls(y ~ a + b, basis = 1:5, lambda = 1, nfolds = "loo")),
                quote(rls(y ~ a + b)), quote(cv.rls(y ~ a + b, nfolds = "loo")),
                quote(rls2(y ~ a + b, nlambda = 3)),
                quote(cv.rls2(y ~ a + b, nlambda = 3, nfolds = "loo")),
                quote(greedyrls(y ~ a + b, k = 1)),
                quote(cv.greedyrls(y ~ a + b, k = 1, nfolds = "loo")))
  for (call in calls) {
    without <- suppressMessages(eval(call))
    call$data <- d
    with <- suppressMessages(eval(call))
    expect_equal(predict(without, d[1:3, ]), predict(with, d[1:3, ]))
    expect_equal(coef(without), coef(with))
    expect_output(print(without))
  }
})

test_that("labels that come through the dots of a function, or have the name of one", {
  d <- data.frame(bad_frame(), id = rep(1:4, 5), w = rep(1:2, 10))
  source <- chunks_function(2, function(i) d[seq(i, 20, by = 2), ])
  by_dots <- function(data, ...) cv.sparserls(y ~ a, data, d[1:4, ], lambda = 1, ...)
  # As recorded there are no warnings.
  expect_refused("formula", {
    by_dots(d, groups = id)
    by_dots(source, groups = id)
    by_dots(d, weights = w * 2)
    by_dots(source, foldid = d$id)
  })
  wanted <- cv.sparserls(y ~ a, d, d[1:4, ], lambda = 1, groups = id)$cvm
  expect_identical(by_dots(d, groups = "id")$cvm, wanted)
  expect_identical(by_dots(d, groups = d$id)$cvm, wanted)
  expect_equal(by_dots(source, groups = "id")$cvm, wanted)
  form <- y ~ a
  environment(form) <- globalenv()
  named_as_functions <- function() {
    df <- d$id
    t <- d$w
    cv.sparserls(form, d, d[1:4, ], lambda = 1, groups = df, weights = t)$cvm
  }
  expect_identical(named_as_functions(),
                   cv.sparserls(form, d, d[1:4, ], lambda = 1, groups = id, weights = w)$cvm)
})
