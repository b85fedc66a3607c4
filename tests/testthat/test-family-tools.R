m <- 80
d <- transform(family_rows(28, m), f = factor(z, labels = c("no", "yes")))

# Formula, family and trials.
cases <- list(list(z ~ a + b, binomial(), 1), list(cbind(s, 5 - s) ~ a + b, binomial(), 5),
              list(n ~ a + b + offset(o), poisson(), 1), list(g ~ a + b, Gamma("log"), 1))

test_that("glance() has the deviances of glm(), tidy() the coefficients", {
  for (each in cases) {
    fit <- rls(each[[1]], d, family = each[[2]], lambda = c(10, 1e-7))
    found <- generics::glance(fit)
    theirs <- glm(each[[1]], each[[2]], d, epsilon = 1e-14)
    expect_equal(found$null.deviance, theirs$null.deviance, tolerance = 1e-7)
    expect_equal(found$deviance, theirs$deviance, tolerance = 1e-7)
    expect_equal(found$df, 2, tolerance = 1e-6)
    expect_equal(found$nobs, m)
    expect_equal(generics::tidy(fit, s = 1e-7)$estimate, unname(coef(theirs)), tolerance = 1e-5)
  }
  expect_identical(generics::glance(fit)$family, "Gamma")
  cv <- quiet(cv.rls(f ~ a + b, d, family = "binomial", lambda = c(10, 3, 1), foldid = id))
  found <- generics::glance(cv)
  expect_identical(found$deviance, deviance(cv))
  expect_identical(found$df, cv$fit$df[cv$lambda == cv$lambda.min])
  expect_identical(found$null.deviance, cv$fit$nulldev)
  expect_identical(found$mn_log_loss, cv$calibration$logloss[["lambda.min"]])
  # The deviance of two classes is twice their log loss.
  expect_equal(found$estimate, 2 * found$mn_log_loss)
  expect_identical(generics::tidy(cv)$estimate, cv$cvm)
})

test_that("augment() has means or linear predictors, and residuals of both kinds", {
  for (each in cases) {
    fit <- rls(each[[1]], d, family = each[[2]], lambda = c(1, 1e-7))
    theirs <- glm(each[[1]], each[[2]], d, epsilon = 1e-14)
    own <- generics::augment(fit, type.predict = "link", type.residuals = "deviance")
    expect_equal(own$.fitted, unname(theirs$linear.predictors), tolerance = 1e-4)
    expect_equal(own$.resid, unname(residuals(theirs, "deviance")), tolerance = 1e-4)
    rows <- generics::augment(fit, d)
    expect_equal(rows$.fitted, unname(theirs$fitted.values), tolerance = 1e-4)
    expect_equal(rows$.resid, unname(residuals(theirs, "response")), tolerance = 1e-4)
    expect_equal(rows[c(".fitted", ".resid")], generics::augment(fit)[c(".fitted", ".resid")])
    single <- generics::augment(fit, newdata = d, type.residuals = "deviance")$.resid
    expect_equal(sqrt(each[[3]]) * single, own$.resid)
  }
  several <- rls(k ~ a + b, d, family = "binomial", lambda = 1)
  expect_equal(unclass(generics::augment(several, d[1:3, ])$.fitted), predict(several, d[1:3, ]),
               ignore_attr = TRUE)
  # Gaps of new rows, and classes that the fit has not seen.
  fit <- rls(f ~ a + b, d, family = "binomial", lambda = 1)
  gaps <- transform(d[1:4, ], a = c(1, NA, 2, 3), f = c("no", "yes", "what", "no"))
  found <- generics::augment(fit, newdata = gaps, type.residuals = "deviance")
  expect_identical(is.na(found$.fitted), c(FALSE, TRUE, FALSE, FALSE))
  expect_identical(is.na(found$.resid), c(FALSE, TRUE, TRUE, FALSE))
  cv <- quiet(cv.rls(n ~ a + b + offset(o), d, family = "poisson", lambda = c(3, 1), keep = TRUE,
                     groups = id))
  found <- generics::augment(cv, newdata = d[1:3, ], interval = "jackknife+", level = 0.8)
  expect_equal(as.matrix(found[c(".fitted", ".lower", ".upper")]),
               predict(cv, d[1:3, ], interval = "jackknife+", level = 0.8), ignore_attr = TRUE)
  expect_refusals(generics::augment(fit, d, type.predict = "class") | argument | "")
  squares <- rls(n ~ a, d, lambda = 1)
  expect_error(generics::augment(squares, d, type.predict = "link"), class = "sparserls_error_dots")
})

test_that("augment() takes offsets that were given as values", {
  x <- as.matrix(d[c("a", "b")])
  for (family in list(NULL, "poisson")) {
    fits <- list(rls(x, d$n, lambda = 1, family = family, offset = d$o),
                 rls(n ~ a + b, d, lambda = 1, family = family, offset = d$o))
    for (fit in fits) {
      found <- generics::augment(fit, newdata = d[1:3, c("a", "b")], newoffset = d$o[1:3])
      expect_equal(found$.fitted, unname(fitted(fit)[1:3]))
      expect_equal(generics::augment(fit)$.fitted, unname(fitted(fit)))
      expect_refusals(generics::augment(fit, newdata = d[c("a", "b")]) | offset | "")
      expect_error(generics::augment(fit, newoffset = 1), class = "sparserls_error_offset")
    }
  }
})

test_that("family(), and what insight makes of it", {
  fit <- function(formula, family) rls(formula, d, family = family, lambda = 1)
  theirs <- list(binomial(), poisson(), Gamma("log"), MASS::negative.binomial(1.5))
  fits <- Map(fit, c(f ~ a + b, n ~ a + offset(o), g ~ a, n ~ a), theirs)
  for (i in seq_along(fits)) {
    found <- family(fits[[i]])
    expect_identical(found[c("family", "link")], theirs[[i]][c("family", "link")])
    expect_equal(found$variance(0.3), theirs[[i]]$variance(0.3))
  }
  cv <- quiet(cv.rls(f ~ a + b, d, family = "binomial", lambda = 1, foldid = id))
  expect_identical(family(cv)$family, "binomial")
  skip_if_not_installed("insight")
  traits <- c("is_binomial", "is_count", "is_exponential", "is_negbin")
  for (i in seq_along(fits)) {
    info <- insight::model_info(fits[[i]])
    expect_identical(unlist(info[traits]), setNames(c(i == 1, i %in% c(2, 4), i == 3, i == 4),
                                                    traits))
    expect_equal(insight::link_inverse(fits[[i]])(0.3), theirs[[i]]$linkinv(0.3))
    expect_equal(insight::link_function(fits[[i]])(0.3), theirs[[i]]$linkfun(0.3))
  }
  expect_identical(insight::find_offset(fits[[2]]), "o")
  expect_null(insight::model_info(fit(k ~ a, binomial()), verbose = FALSE))
})

test_that("summary() of a search prints the errors of the likelihood only", {
  cv <- suppressMessages(cv.sparserls(n ~ a + b, d, basis = 10, family = "poisson", nlambda = 4,
                                      nfolds = 3, progress = FALSE))
  lines <- grep("squared$", utils::capture.output(print(summary(cv))), value = TRUE)
  expect_gt(length(lines), 0)
  # Kernel, gamma, multiple, two lambdas and the kind of error.
  expect_lte(max(lengths(strsplit(trimws(lines), " +"))), 6)
})
