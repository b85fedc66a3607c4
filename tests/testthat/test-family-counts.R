quine <- if (requireNamespace("MASS", quietly = TRUE)) MASS::quine

counts <- function(seed, m = 200, theta = 2) {
  set.seed(seed)
  x <- matrix(rnorm(2 * m), m)
  mean <- exp(1.5 + sin(2 * x[, 1]) + x[, 2] / 2)
  list(x = x, mean = mean, y = rnbinom(m, size = theta, mu = mean))
}
smooth <- function(d, family = "negbin", ...) {
  m <- length(d$y)
  quiet(cv.sparserls(d$x, d$y, I(seq(1, m, by = 3)), kernel_gaussian(0.3), nlambda = 20,
                     foldid = rep_len(1:5, m), family = family, progress = FALSE, ...))
}

test_that("linear with hardly a penalty, theta is that of glm.nb()", {
  for (form in c(Days ~ Eth + Sex + Age + Lrn, Days ~ Sex / (Age + Eth * Lrn))) {
    theirs <- MASS::glm.nb(form, quine, control = glm.control(epsilon = 1e-12))
    x <- model.matrix(theirs)[, names(na.omit(coef(theirs)))[-1]]
    fit <- rls(x, quine$Days, family = "negbin", lambda = 1e-4)
    expect_lt(abs(fit$family$theta - theirs$theta), 1e-3)
    expect_equal(unname(coef(fit)[, 1]), unname(na.omit(coef(theirs))), tolerance = 1e-4,
                 ignore_attr = TRUE)
    expect_equal(unname(deviance(fit)), deviance(theirs), tolerance = 1e-4)
    expect_identical(family(fit)$family, MASS::negative.binomial(fit$family$theta)$family)
    expect_identical(generics::glance(fit)$theta, fit$family$theta)
  }
})

test_that("otherwise it is adjusted for degrees of freedom, as by restricted likelihood", {
  skip_if_not_installed("mgcv")
  theirs <- mgcv::gam(Days ~ Eth + Sex + Age + Lrn, mgcv::nb(), quine, method = "REML")
  x <- model.matrix(Days ~ Eth + Sex + Age + Lrn, quine)[, -1]
  # Not the linear kernel, and the same columns.
  fit <- suppressWarnings(rls(x, quine$Days, kernel_polynomial(1), family = "negbin",
                              lambda = 1e-3))
  expect_equal(fit$family$theta, theirs$family$getTheta(TRUE), tolerance = 1e-3)
  # Weights are rows.
  w <- rep_len(1:3, 146)
  twice <- function(rows, weights) {
    rls(x[rows, ], quine$Days[rows], family = "negbin", lambda = 20, weights = weights,
        standardize = FALSE)$family$theta
  }
  expect_equal(twice(1:146, w), twice(rep(1:146, w), NULL), tolerance = 1e-5)
})

test_that("a cross-validation has one theta, that of its lambda.min, in the fit and in all folds", {
  d <- counts(1, 120)
  found <- smooth(d, keep = TRUE, outer = 3)
  theta <- found$fit$family$theta
  given <- smooth(d, MASS::negative.binomial(theta), keep = TRUE)
  fields <- c("lambda", "cvm", "lambda.min", "fit.preval", "certificate")
  expect_identical(found[fields], given[fields])
  expect_identical(predict(found, d$x[1:9, ]), predict(given, d$x[1:9, ]))
  # At its lambda.min the fit alone has this theta.
  alone <- sparserls(d$x, d$y, I(found$fit$basis), found$kernel, found$lambda.min,
                     family = "negbin")
  expect_equal(alone$family$theta, theta, tolerance = 0.01)
  expect_match(deparse1(found$fit$call), "MASS::negative.binomial(", fixed = TRUE)
  expect_match(capture.output(print(found)), sprintf("theta = %s", format(theta, digits = 4)),
               fixed = TRUE, all = FALSE)
  expect_true(is.finite(found$nested$cvm))
  expect_refusals({
    sparserls(d$x, d$y, 20, family = "negbin") | lambda | "needs a single `lambda`"
    sparserls(d$x, d$y, 20, family = "negbin", lambda = 2:1) | lambda | "`lambda` .. size 2"
  })
  # Counts that vary no more than by chance.
  even <- function(family) {
    sparserls(d$x, round(d$mean), I(1:60), kernel_gaussian(0.3), 0.01, family = family)
  }
  expect_identical(even("negbin")$family$theta, 1e6)
  expect_equal(coef(even("negbin")), coef(even("poisson")), tolerance = 1e-3)
})

test_that("quasi-likelihoods are the same fits, and dispersions are Pearson's", {
  trials <- data.frame(a = rep(1:10, 3), s = rep_len(c(0, 3, 5, 8), 30), w = rep_len(4:9, 30))
  share <- pmin(trials$s / trials$w, 1)
  forms <- list(poisson = list(quine$Days, model.matrix(~ Eth + Age, quine)[, -1], NULL),
                binomial = list(share, cbind(a = trials$a), trials$w))
  for (name in names(forms)) {
    y <- forms[[name]][[1]]
    x <- forms[[name]][[2]]
    w <- forms[[name]][[3]]
    quasi <- paste0("quasi", name)
    fit <- function(family) rls(x, y, family = family, lambda = 1e-6, weights = w)
    fits <- lapply(list(name, quasi, get(quasi)()), fit)
    for (other in fits[2:3]) {
      expect_identical(coef(other), coef(fits[[1]]))
      expect_identical(family(other)$family, quasi)
    }
    theirs <- suppressWarnings(glm(y ~ x, get(quasi)(), weights = w))
    expect_equal(fits[[1]]$dispersion, summary(theirs)$dispersion, tolerance = 1e-5)
    expect_identical(generics::glance(fits[[1]])$dispersion, fits[[1]]$dispersion)
    for (type in c("response", "deviance", "pearson", "working")) {
      expect_equal(unname(residuals(fits[[1]], type = type)), unname(residuals(theirs, type)),
                   tolerance = 1e-5)
    }
    # Said, where it was not expected.
    says <- function(fit) any(grepl("far from one", capture.output(print(fit))))
    expect_true(says(fits[[1]]))
    expect_false(says(fits[[2]]))
  }
  # Of single trials it says nothing, and with a theta of theirs all is well.
  expect_null(rls(matrix(1:30), rep_len(0:1, 30), family = "binomial", lambda = 1)$dispersion)
  cv <- quiet(cv.rls(Days ~ ., quine, family = "poisson", nlambda = 5, nfolds = 5))
  said <- capture.output(print(cv))
  expect_match(said, "y varies more than the family says", all = FALSE)
  expect_match(said, "\"negbin\" allows for that", all = FALSE)
  even <- capture.output(print(rls(matrix(1:30), rep(4:6, 10), family = "poisson", lambda = 1)))
  expect_match(even, "y varies less than the family says", all = FALSE)
  expect_no_match(even, "negbin")
  expect_false(says(quiet(cv.rls(Days ~ ., quine, family = "negbin", nlambda = 5, nfolds = 5))))
})

test_that("a cross-validation has residuals of all types, held-out ones too", {
  d <- counts(2, 60)
  cv <- smooth(d, "poisson", keep = TRUE)
  held <- exp(cv$fit.preval[, match(cv$lambda.min, cv$lambda)])
  same <- function(type, expected) {
    expect_equal(unname(residuals(cv, type = type)), unname(expected), tolerance = 1e-10)
  }
  same("pearson", (d$y - fitted(cv)) / sqrt(fitted(cv)))
  same("held-out", d$y - held)
  same("held-out pearson", (d$y - held) / sqrt(held))
  same("held-out working", d$y / held - 1)
  same("held-out deviance", sign(d$y - held) * sqrt(poisson()$dev.resids(d$y, held, 1)))
})

test_that("a search with a family has one bar, which rises to its end", {
  d <- counts(3, 80)
  for (family in c("poisson", "negbin")) {
    shown <- capture.output(type = "message", quiet(
      cv <- cv.sparserls(d$x, d$y, 20, family = family, nfolds = 5, nlambda = 10, progress = TRUE)
    ))
    shares <- regmatches(shown, gregexpr("[0-9]+%", shown))
    shares <- as.integer(sub("%", "", unlist(shares)))
    expect_identical(sum(shares == 0), 1L)
    expect_false(is.unsorted(shares))
    expect_identical(shares[length(shares)], 100L)
    # It is still below nine tenths where most of its steps are done.
    expect_gt(sum(shares < 90), 0.6 * length(shares))
  }
})

test_that("misclassification is said to see little where classes are below a quarter", {
  set.seed(4)
  x <- matrix(rnorm(400), 200)
  order <- rank(x[, 1] + rnorm(200) / 3)
  hints <- function(rare) {
    y <- order <= 200 * rare
    cv <- quiet(cv.rls(x, y, family = "binomial", type.measure = "class", nlambda = 5, nfolds = 5))
    any(grepl("says little about rare classes", capture.output(print(cv))))
  }
  # Features tell the classes, so that it is not the null model of which it is said.
  for (rare in c(0.034, 0.16, 0.24)) expect_true(hints(rare))
  expect_false(hints(0.3))
})

test_that("small counts are not said to be far from one; a theta at its bound is none", {
  # Pieces of follow-up that end at their event.
  set.seed(4)
  piece <- rexp(400)
  pieces <- data.frame(x = rnorm(400), time = pmin(piece, 0.3), event = as.integer(piece < 0.3))
  fit <- rls(event ~ x + offset(log(time)), pieces, family = "poisson", lambda = 1)
  expect_gt(fit$dispersion, 1.5)
  expect_no_match(capture.output(print(fit)), "far from one")
  rare <- data.frame(x = rnorm(400), n = rnbinom(400, 0.1, mu = 0.4))
  fit <- rls(n ~ x, rare, family = "poisson", lambda = 1)
  expect_gt(fit$dispersion, 1.5)
  expect_no_match(capture.output(print(fit)), "far from one")
  set.seed(5)
  d <- data.frame(x = 1:60 / 60, n = rbinom(60, 10, 0.8))
  fit <- rls(n ~ x, d, family = "negbin", lambda = 1)
  expect_output(print(fit), "(no overdispersion, theta = 1e+06)", fixed = TRUE)
})
