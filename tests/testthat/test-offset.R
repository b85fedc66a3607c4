set.seed(41)
d <- data.frame(a = rnorm(60), b = runif(60), e = rexp(60), id = rep(1:12, 5), w = runif(60))
d$o <- log(d$e)
d$y <- sin(2 * d$a) + d$b + d$o + rnorm(60) / 5
d$less <- d$y - d$o
new <- d[c(3, 17, 40), ]
new$e <- c(0.1, 2, 30)
new$o <- log(new$e)
same <- function(found, expected) expect_equal(found, expected, tolerance = 1e-12)

# Three ways to say it, and the fit to y - offset.
fit_ways <- function(f, ...) list(
  f(y ~ a + b + offset(log(e)), d, ..., weights = w),
  f(y ~ a + b, d, ..., weights = w, offset = log(e)),
  f(y ~ a + b, d, ..., weights = w, offset = "o"),
  f(y ~ a + b + offset(o / 2), d, ..., weights = w, offset = o / 2),
  f(less ~ a + b, d, ..., weights = w)
)

test_that("a fit with an offset is one to y - offset, with the offset added", {
  for (ways in list(fit_ways(sparserls, basis = 1:20, nlambda = 4), fit_ways(rls, nlambda = 4),
                    fit_ways(rls, kernel = kernel_gaussian(1), nlambda = 4))) {
    plain <- ways[[5]]
    for (fit in ways[1:4]) {
      fields <- c("lambda", "dev.ratio", "nulldev")
      same(fit[fields], plain[fields])
      same(unname(coef(fit)), unname(coef(plain)))
      same(fitted(fit), fitted(plain) + d$o)
      same(residuals(fit), residuals(plain))
      same(sigma(fit), sigma(plain))
      same(predict(fit, new), predict(plain, new) + new$o)
      same(predict(fit, new, newoffset = 0), predict(plain, new))
      same(predict(fit, new, newoffset = 1:3), predict(plain, new) + 1:3)
      same(predict(fit, new, s = 1, se.fit = TRUE)$se.fit,
           predict(plain, new, s = 1, se.fit = TRUE)$se.fit)
      same(derivatives(fit, new, s = fit$lambda[2])$average,
           derivatives(plain, new, s = plain$lambda[2])$average)
    }
  }
})

test_that("an offset beside a matrix is one number for each row", {
  x <- as.matrix(d[c("a", "b")])
  fit <- sparserls(x, d$y, 1:20, lambda = 1, offset = d$o)
  plain <- sparserls(x, d$less, 1:20, lambda = 1)
  same(fitted(fit), fitted(plain) + d$o)
  same(predict(fit, x[1:3, ], newoffset = d$o[1:3]), predict(plain, x[1:3, ]) + d$o[1:3])
  # Values in a call by a formula are no columns, which new rows would have.
  known <- d$o + 0
  formula <- sparserls(y ~ a + b, d, 1:20, lambda = 1, offset = known)
  same(predict(formula, d[1:3, ], newoffset = 1:3),
       predict(fit, d[1:3, c("a", "b")], newoffset = 1:3))
})

test_that("cross-validations, intervals, effects, vcov are those of y - offset; in chunks, too", {
  ways <- function(f, ...) {
    cv <- function(formula, ...) seeded(7, quiet(f(formula, d, ..., weights = w, keep = TRUE)))
    list(cv(y ~ a + b + offset(log(e)), ...), cv(less ~ a + b, ...))
  }
  for (pair in list(
    ways(cv.sparserls, basis = 1:30, kernel = kernel_gaussian(1), nlambda = 5, groups = "id",
         outer = split(1:60, rep(1:2, 30))),
    ways(cv.sparserls, basis = basis_random(20), kernel = kernel_gaussian(1),
         nlambda = 3, foldid = "id", reselect = TRUE),
    ways(cv.rls, nlambda = 5, foldid = "id"),
    ways(cv.rls, kernel = kernel_gaussian(c(1, 3)), nlambda = 5, nfolds = "loo")
  )) {
    cv <- pair[[1]]
    plain <- pair[[2]]
    same(cv$cvm, plain$cvm)
    same(cv$cvsd, plain$cvsd)
    expect_identical(cv$index, plain$index)
    same(cv$nested$cvm, plain$nested$cvm)
    same(cv$fit.preval, plain$fit.preval + d$o)
    same(fitted(cv), fitted(plain) + d$o)
    for (kind in c("jackknife+", "gp")) {
      same(predict(cv, new, interval = kind), predict(plain, new, interval = kind) + new$o)
    }
    if (cv$fit$kernel$name == "linear") same(vcov(cv), vcov(plain))
    fields <- c("type", "average", "std.error")
    same(quiet(derivatives(cv, d))[fields], quiet(derivatives(plain, d))[fields])
  }
  chunks <- chunks_function(3, function(i) d[20 * (i - 1) + 1:20, ])
  same(unname(predict(cv, chunks)), unname(predict(cv, d)))
})

test_that("offsets go with their rows: subset, gaps, na.exclude, model frames, updates", {
  holes <- d
  holes$o[4] <- NA
  holes$a[9] <- NA
  kept <- setdiff(11:60, c(4, 9))
  fit <- rls(y ~ a + b, holes, lambda = 1, offset = o, subset = 1:60 > 2)
  plain <- rls(less ~ a + b, d[setdiff(3:60, c(4, 9)), ], lambda = 1)
  same(predict(fit, new), predict(plain, new) + new$o)
  expect_identical(nobs(fit), 56L)
  expect_identical(names(model.frame(fit)), c("y", "a", "b", "(offset)"))
  same(model.frame(rls(y ~ a, d, lambda = 1, offset = "o"))[["(offset)"]], d$o)
  same(model.frame(rls(y ~ a + offset(log(e)), d, lambda = 1))[["offset(log(e))"]], d$o)
  same(coef(update(fit, . ~ . - b, subset = NULL)), coef(rls(less ~ a, d[-c(4, 9),], lambda = 1)))
  excluded <- rls(y ~ a + offset(o), holes, lambda = 1, na.action = na.exclude)
  expect_identical(unname(which(is.na(fitted(excluded)))), c(4L, 9L))
  expect_identical(unname(is.na(predict(excluded, transform(new, o = c(1, NA, 2))))),
                   c(FALSE, TRUE, FALSE))
  # A constant response is none where the offset is not constant.
  same(residuals(rls(one ~ a + offset(o), transform(d, one = 1), lambda = 1)),
       residuals(rls(I(1 - o) ~ a, d, lambda = 1)))
  big <- transform(d, y = y * 1e28, o = o * 1e28, less = less * 1e28)
  suppressWarnings(same(fitted(rls(y ~ a + offset(o), big, lambda = 1)),
                        fitted(rls(less ~ a, big, lambda = 1)) + big$o))
})

test_that("offsets that are none are refused", {
  x <- bad_x()
  y <- bad_y()
  data <- transform(bad_frame(), z = replace(a^2, 2, 0))
  fit <- function(offset, ...) sparserls(x, y, 1:5, lambda = 1, offset = offset, ...)
  expect_refusals({
    fit("a") | offset | '`offset` must be numbers, one for each row .. x "a"'
    fit(1:3) | offset | "`offset` must have one value for each of the 20 rows .. 3 values"
    fit(replace(y, 3, -Inf)) | offset | "`offset` has values that are missing or not .. 1 of them"
    sparserls(y ~ a + offset(log(z)), data, basis = 5) |
      offset | "`offset(log(z))` has values that are .. 1 of them, the first in row"
    sparserls(x, y > 0, 1:5, lambda = 1, offset = y) |
      offset | 'Least squares on the codes of classes takes no offset .. Use family = "binomial"'
    sparserls(x, cbind(y, x[, 1]), 1:5, lambda = 1, offset = y / 2) |
      offset | "An offset is for a single output .. 2 outputs .. Subtract the offsets from the"
    cv.rls(x, y, nfolds = "pairs", offset = y / 2) |
      folds | '`nfolds = "pairs"` takes no `offset` .. Use nfolds = "loo"'
    predict(fit(y / 2), x) | offset | "The fit has an offset that was .. Give `newoffset`, one"
    predict(fit(y / 2), x, newoffset = 1:3) | offset | "`newoffset` must have one value .. 3 values"
    predict(fit(y / 2), newoffset = 1) | offset | "`newoffset` is for `newdata` .. Give both"
    predict(fit(NULL), x, newoffset = 1) | offset | "`newoffset` is for .. Leave it out, or fit"
    greedyrls(y ~ a + b + offset(c), data, k = 1) |
      offset | "greedyrls() takes no offset .. Subtract it from the response; sparserls() and"
    greedyrls(x, y, k = 1, offset = y) |
      dots | "Unknown argument `offset` .. sparserls(), rls() and their cv. functions take it"
    rls(y ~ a + offset(b), chunks_function(1, function(i) data)) |
      offset | "Fits to rows in chunks take no offset .. Subtract it from the response"
    predict(rls(y ~ a + offset(b), data), chunks_function(1, function(i) data), newoffset = 1) |
      offset | "`newoffset` is for rows in memory .. Fit with offset() in the formula: it is"
    fit(y) | y | "`y` minus the offset is constant .. There is nothing to fit"
  })
  formula <- sparserls(y ~ a + offset(c), data, basis = 1:5, lambda = 1)
  expect_refusals({
    predict(formula, data["a"]) | newdata | "`newdata` lacks columns that the model was .. x `c`"
    predict(formula, transform(data, c = Inf)) |
      newdata | "`offset(c)` has values that are missing or not .. 20 of them, the first in row"
  })
})
